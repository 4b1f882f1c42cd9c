"""A campaign's feed, read on from where one stopped."""

from collections.abc import Iterator

from . import documents as d
from .problems import Gone
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
        """Everything up to now, a part at a time."""
        while (told := self.new()).results:
            yield told

    def __iter__(self) -> Iterator[d.EventsDocument]:
        """Everything, and whatever comes: it does not end by itself."""
        while True:
            yield from self.all_so_far()
            self.wire.pause(PAUSE)

    def _ask(self) -> d.EventsDocument:
        since = self.cursor or None
        return self.wire.get(f"{self.at}events/", d.EventsDocument, since=since)
