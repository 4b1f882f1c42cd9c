"""Read a campaign's events: by polling its feed, or from its stream."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from . import documents as d
from .problems import Busy, Gone, Unreachable
from .reading import reader
from .wire import Wire

PAUSE = 2.0
"""The seconds between two polls when there is nothing new."""


class Following:
    """A reader of a campaign's feed. Store `cursor` to go on another day."""

    def __init__(self, wire: Wire, at: str, since: str = "") -> None:
        self.wire = wire
        self.at = at
        self.cursor = since

    def new(self) -> d.EventsDocument:
        """Return the events since the cursor; after a rewind, from the last that still holds."""
        try:
            told = self._ask()
        except Gone as gone:
            self.cursor = gone.cursor
            told = self._ask()
        self.cursor = told.cursor
        return told

    def all_so_far(self) -> Iterator[d.EventsDocument]:
        """Yield all events up to now, a batch at a time."""
        while (told := self.new()).results:
            yield told

    def __iter__(self) -> Iterator[d.EventsDocument]:
        """Yield all events, and new ones as they come, without end."""
        while True:
            yield from self.all_so_far()
            self.wire.pause(PAUSE)

    def _ask(self) -> d.EventsDocument:
        since = self.cursor or None
        return self.wire.get(f"{self.at}events/", d.EventsDocument, since=since)


class Message(NamedTuple):
    """A message of a stream: an event, the campaign's `standing`, or `rewound`.

    `place` is where to resume after it.
    """

    kind: str
    place: str
    data: dict[str, Any]

    @property
    def event(self) -> d.EventPart:
        """The event of the message. Raises ValidationError for one of another kind."""
        reader(d.EventPart)
        return msgspec.convert(self.data, d.EventPart)


class Stream:
    """A campaign's stream of messages, sent by the server as things happen.

    It reconnects after an interruption and resumes at `place`; None begins with the next event.
    """

    def __init__(self, wire: Wire, at: str, place: str | None = None) -> None:
        self.wire = wire
        self.at = at
        self.place = place

    def __iter__(self) -> Iterator[Message]:
        """Yield every message, in order, without end."""
        while True:
            with suppress(Unreachable, Busy):
                yield from self.until_it_breaks()
            self.wire.pause(PAUSE)

    def until_it_breaks(self) -> Iterator[Message]:
        """Yield the messages of one connection."""
        fields: dict[str, str] = {}
        for line in self.wire.lines(*self._asked()):
            name, _, value = line.partition(": ")
            if line:
                fields[name] = value
                continue
            if "data" in fields:
                yield self._message(fields)
            fields = {}

    def _asked(self) -> tuple[str, dict[str, str]]:
        """Return the address of the stream, and the header that resumes it."""
        if self.place:
            return f"{self.at}events/stream/", {"Last-Event-ID": self.place}
        return f"{self.at}events/stream/" + ("" if self.place is None else "?since="), {}

    def _message(self, fields: dict[str, str]) -> Message:
        self.place = fields.get("id", self.place or "")
        data = reader(dict[str, Any]).decode(fields["data"])
        return Message(fields.get("event", "event"), self.place, data)
