"""Server-sent events: each message with the place that is reached with it.

The id of a message is that place: whoever comes back with the last one he has is told what comes
after it, nothing twice and nothing left out.
"""

from typing import NamedTuple

from api.http.encoding import encode

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": still here\n\n"


class MessageBatch(NamedTuple):
    """Messages, the place that is reached with them, and whether there may be more to tell."""

    messages: bytes
    place: str
    more: bool


def message(data: bytes, place: str, *, kind: str = "") -> bytes:
    """One message; those of a kind of their own are heard by that name."""
    named = f"event: {kind}\n".encode() if kind else b""
    return b"%sid: %s\ndata: %s\n\n" % (named, place.encode(), data)


def rewound(place: str, words: str) -> MessageBatch:
    """What was told is so no longer: he goes on from that place, which is still so."""
    said = encode({"cursor": place, "words": words})
    return MessageBatch(message(said, place, kind="rewound"), place, more=True)


def as_place(text: str) -> tuple[int, ...] | None:
    """Return the numbers of which a place is written, two or three; None for anything else."""
    parts = text.split(".")
    return tuple(map(int, parts)) if len(parts) in (2, 3) and all(map(_is_number, parts)) else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10
