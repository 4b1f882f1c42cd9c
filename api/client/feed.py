"""A campaign's feed, read on from where one stopped."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from . import documents as d
from .problems import Busy, Gone, Unreachable
from .reading import reader
from .wire import Wire

PAUSE = 2.0
"""Seconds between one look and the next where nothing new has come."""


class Following:
    """What happens in a campaign. `cursor` is where it has got to: keep it to go on another day."""

    def __init__(self, wire: Wire, at: str, since: str = "") -> None:
        self.wire = wire
        self.at = at
        self.cursor = since

    def new(self) -> d.EventsDocument:
        """What has come since; where the umpire has rewound, from the last that still holds on."""
        try:
            told = self._ask()
        except Gone as gone:
            self.cursor = gone.cursor
            told = self._ask()
        self.cursor = told.cursor
        return told

    def all_so_far(self) -> Iterator[d.EventsDocument]:
        """Yield everything up to now, a part at a time."""
        while (told := self.new()).results:
            yield told

    def __iter__(self) -> Iterator[d.EventsDocument]:
        """Yield everything, and whatever comes: it does not end by itself."""
        while True:
            yield from self.all_so_far()
            self.wire.pause(PAUSE)

    def _ask(self) -> d.EventsDocument:
        since = self.cursor or None
        return self.wire.get(f"{self.at}events/", d.EventsDocument, since=since)


class Message(NamedTuple):
    """What a follower is told: an event, how the campaign is `standing`, or that it is `rewound`.

    `place` is where to go on after it.
    """

    kind: str
    place: str
    data: dict[str, Any]

    @property
    def event(self) -> d.EventPart:
        """Return the event that the message tells. ValidationError for one of another kind."""
        reader(d.EventPart)
        return msgspec.convert(self.data, d.EventPart)


class Stream:
    """A campaign as it goes on, told by the server as it happens.

    `place` is where one has got to; after a break of the line it is gone on with there. None: from
    what happens now.
    """

    def __init__(self, wire: Wire, at: str, place: str | None = None) -> None:
        self.wire = wire
        self.at = at
        self.place = place

    def __iter__(self) -> Iterator[Message]:
        """Yield every message, in order; it does not end by itself."""
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
        """Return the address to follow, and from where."""
        if self.place:
            return f"{self.at}events/stream/", {"Last-Event-ID": self.place}
        return f"{self.at}events/stream/" + ("" if self.place is None else "?since="), {}

    def _message(self, fields: dict[str, str]) -> Message:
        self.place = fields.get("id", self.place or "")
        data = reader(dict[str, Any]).decode(fields["data"])
        return Message(fields.get("event", "event"), self.place, data)
