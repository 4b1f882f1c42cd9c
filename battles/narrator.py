"""Whoever tells of a battle: hears what happens in it, and takes a picture of every turn."""

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from battles.core.dice import Roll
from battles.prose.roster import Line
from battles.prose.sentence import Sentence

if TYPE_CHECKING:
    from battles.drawing.scene import Scene
    from battles.drawing.table_scene import TableScene


class Picture(NamedTuple):
    """A turn: the field as it ended, where everybody was then, and what had happened in it."""

    turn: int
    title: str
    scene: "Scene | TableScene"
    roll: tuple[Line, ...]
    sentences: tuple[Sentence, ...]


class Teller(NamedTuple):
    """In what words and pictures a book's battles are told.

    `english` has Tale, begins_turn and muster_roll, `drawing` has Marks and scene_of. What a
    picture shows is a `turn`, or whatever the book has instead.
    """

    english: ModuleType
    drawing: ModuleType
    turn: str = "Turn"


class Narrator:
    """Tells of one battle; he stands before the field as it is drawn up."""

    def __init__(self, state: Any, teller: Teller) -> None:
        self.state = state
        self._teller = teller
        self._begin()

    def _begin(self) -> None:
        self._tale = self._teller.english.Tale(self.state)
        self._marks = self._teller.drawing.Marks(self.state)

    def begins_turn(self, event: Any) -> int | None:
        """The turn that begins with the event; None when none does."""
        begins: int | None = self._teller.english.begins_turn(event)
        return begins

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """The event is about to happen to the state."""
        self._tale.hear(event, rolls)
        self._marks.hear(event)

    def note(self, rolls: Iterable[Roll]) -> None:
        """These throws came to nothing before the turn was over."""
        self._tale.note(rolls)

    def picture(self, turn: int) -> Picture:
        """What he has heard since the last one, and how the field looks now."""
        scene = self._teller.drawing.scene_of(self.state, self._marks)
        roll = self._teller.english.muster_roll(self.state)
        title = f"{self._teller.turn} {turn}" if turn else "The sides are drawn up"
        taken = Picture(turn, title, scene, roll, tuple(self._tale.tell()))
        self._begin()
        return taken
