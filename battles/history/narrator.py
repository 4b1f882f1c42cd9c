"""Narrate a battle turn by turn: the events of each turn, and the field after it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from battles.contract.book import AnyScene
from battles.contract.registry import AnyBook
from battles.core.dice import Roll
from battles.prose import RosterLine, Sentence


class Picture(NamedTuple):
    """A turn: its events in sentences, and the field and roster after it."""

    turn: int
    title: str
    scene: AnyScene
    roll: tuple[RosterLine, ...]
    sentences: tuple[Sentence, ...]


class Narrator:
    """A narrator of one battle by its book; begins with the field as drawn up."""

    def __init__(self, book: AnyBook, state: Any) -> None:
        self.state = state
        self._book = book
        self._begin()

    def _begin(self) -> None:
        self._tale = self._book.prose.tale(self.state)
        self._marks = self._book.drawing.marks(self.state)

    def begins_turn(self, event: Any) -> int | None:
        """Return the turn that begins with the event; None when none does."""
        return self._book.prose.begins_turn(event)

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """Take in an event before it is folded into the state."""
        self._tale.hear(event, rolls)
        self._marks.hear(event)

    def note(self, rolls: Iterable[Roll]) -> None:
        """Take in rolls without effect before the turn was over."""
        self._tale.note(rolls)

    def picture(self, turn: int) -> Picture:
        """Return the events since the last picture, and the field now."""
        scene = self._book.drawing.scene(self.state, self._marks)
        roll = self._book.prose.muster_roll(self.state)
        title = self._book.turn_title(turn, before="The sides are drawn up")
        picture = Picture(turn, title, scene, roll, tuple(self._tale.tell()))
        self._begin()
        return picture
