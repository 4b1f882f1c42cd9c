"""Render and read the schema that is committed to the repository, and its digest."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from drf_spectacular.generators import SchemaGenerator

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA_FILE = ROOT / "docs" / "openapi.json"
CHANGELOG = ROOT / "CHANGELOG.md"
LETTERS = 12


def render_schema() -> str:
    """Return the text of the schema file for the current endpoints."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    return json.dumps(json.loads(json.dumps(schema, default=str)), indent=1) + "\n"


@cache
def stored_schema() -> dict[str, Any]:
    """Return the committed schema; the same object every time."""
    document: dict[str, Any] = json.loads(SCHEMA_FILE.read_bytes())
    return document


def schema_digest(text: str) -> str:
    """Return the digest by which the changelog names this schema."""
    return f"schema {sha256(text.encode()).hexdigest()[:LETTERS]}"
