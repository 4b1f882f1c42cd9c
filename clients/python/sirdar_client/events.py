"""Follow server-sent events, and resume after an interruption."""

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import httpx

from .client import AuthenticatedClient, Client

SILENCE = 90.0
"""The seconds without data after which a connection is given up."""
RETRY = 2.0
"""The seconds before reconnecting, until the server names others."""


class Message(NamedTuple):
    """A message of a stream.

    `event` is its name: "message" for an event of a campaign or an entry of a battle's log,
    "status", or "rewound". `id` is its place, from which to resume. `data` is the document, such as
    `EventPart.from_dict(message.data)` reads.
    """

    event: str
    id: str
    data: dict[str, Any]


def follow(
    path: str, *, client: AuthenticatedClient | Client, last_id: str | None = None
) -> Iterator[Message]:
    """Yield the messages of a stream, in order, without end.

    `path` is the address that a document has as `links.stream`. `last_id` is the id of the last
    message you have; "" begins with the first of all, None with the next to come. An interrupted
    connection is resumed, so that no message is lost or repeated. Raises Refused.
    """
    connection = client.get_httpx_client()
    timeout = httpx.Timeout(connection.timeout.connect, read=SILENCE)
    stream = _Stream(last_id)
    while True:
        place = {"Last-Event-ID": stream.last_id} if stream.last_id else {}
        start = {"since": ""} if stream.last_id == "" else None
        headers = {"Accept": "text/event-stream", **place}
        try:
            with connection.stream(
                "GET", path, params=start, headers=headers, timeout=timeout
            ) as response:
                yield from stream.messages(response.iter_lines())
        except httpx.TransportError:
            pass  # the connection broke: what came before is kept
        time.sleep(stream.retry)


class _Stream:
    """The place reached in a stream, over all its connections."""

    def __init__(self, last_id: str | None) -> None:
        self.last_id = last_id
        self.retry = RETRY

    def messages(self, lines: Iterable[str]) -> Iterator[Message]:
        """Yield the complete messages of a connection; one that was cut off is left out."""
        fields: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if not line:
                if "data" in fields:
                    yield self._message(fields)
                fields = {}
            elif name == "retry" and value.isdecimal():
                self.retry = int(value) / 1000
            elif name == "data" and "data" in fields:
                fields["data"] += f"\n{value}"
            elif name:
                fields[name] = value

    def _message(self, fields: dict[str, str]) -> Message:
        self.last_id = fields.get("id", self.last_id)
        data = json.loads(fields["data"])
        return Message(fields.get("event", "message"), self.last_id or "", data)
