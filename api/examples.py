"""Bodies as they are sent, for the schema: by the name of the operation, each with its title."""

from typing import Any

EXAMPLES: dict[str, dict[str, Any]] = {}
