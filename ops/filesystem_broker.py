"""A Kombu broker of plain folders whose messages appear whole or not at all.

Kombu's own writes a message where its reader looks for it. A reader that comes in between, or a
writer killed half-way, would leave half a message, on which the worker fails.
"""

import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(  # type: ignore[override]  # kombu's own two signatures disagree
        self, queue: str, payload: dict[str, Any], **_options: Any
    ) -> None:
        """Add the message to the queue; its name sorts behind those sent before it."""
        name = f"{time.time_ns()}_{uuid.uuid4()}.{queue}.msg"
        folder = Path(self.data_folder_out)
        draft = folder / f"{name}.draft"
        draft.write_text(dumps(payload))
        draft.rename(folder / name)


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_options: Any) -> None:
        """Look for messages for half a second at most: in between a worker reacts to "stop"."""
        super().drain_events(connection, timeout=min(timeout or 0.5, 0.5))
