"""Server-sent events, each with the place reached after it.

The id of a message is that place: a client that resumes with its last one gets the messages after
it, each exactly once.
"""

from typing import NamedTuple

import msgspec

from api.documents.scalars import Cursor
from api.http.encoding import encode

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": still here\n\n"


class MessageBatch(NamedTuple):
    """Messages, the place reached after them, and whether more may follow."""

    messages: bytes
    place: str
    more: bool


def message(data: bytes, place: str, *, kind: str = "") -> bytes:
    """Return one message; `kind` is its event name, "" for an event or log entry."""
    named = f"event: {kind}\n".encode() if kind else b""
    return b"%sid: %s\ndata: %s\n\n" % (named, place.encode(), data)


class RewoundPart(msgspec.Struct, frozen=True):
    """A rewind: the last cursor that still holds, to go on from, and a sentence about it."""

    cursor: Cursor
    text: str


def rewound(place: str, text: str) -> MessageBatch:
    """Return the message of a rewind, with the place from which the follower goes on."""
    said = encode(RewoundPart(place, text))
    return MessageBatch(message(said, place, kind="rewound"), place, more=True)


def as_place(text: str) -> tuple[int, ...] | None:
    """Return the two or three numbers of a place; None for anything else."""
    parts = text.split(".")
    return tuple(map(int, parts)) if len(parts) in (2, 3) and all(map(_is_number, parts)) else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
