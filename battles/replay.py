"""A battle told again from its journal: a picture and a page of the log for each turn.

What is particular to a book is told by its narrator; a battle of a book that has none is shown
without a field.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from battles import stored
from battles.contract import Brief, NoSuchBook, book
from battles.core.dice import Roll
from battles.drawing import redcoats as redcoats_drawing
from battles.drawing.scene import Scene
from battles.english import redcoats as redcoats_english
from battles.english.roster import Line
from battles.english.sentence import Sentence
from battles.models import Battle


class Picture(NamedTuple):
    """A turn: the field as it ended, where everybody was then, and what had happened in it."""

    turn: int
    scene: Scene
    roll: tuple[Line, ...]
    sentences: tuple[Sentence, ...]

    @property
    def title(self) -> str:
        """What the page says over it."""
        return f"Turn {self.turn}" if self.turn else "The sides are drawn up"


class Narrator(Protocol):
    """Whoever can tell of a book's battles: hears what happens, and takes a picture of it."""

    def __init__(self, state: Any) -> None:
        """He stands before the field as it is drawn up."""

    def begins_turn(self, event: Any) -> int | None:
        """The turn that begins with the event; None when none does."""

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        """The event is about to happen to the state."""

    def note(self, rolls: Iterable[Roll]) -> None:
        """These throws came to nothing before the turn was over."""

    def picture(self, turn: int) -> Picture:
        """What he has heard since the last one, and how the field looks now."""


class Redcoats:
    """Tells of Redcoats and Dervishes."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self._begin()

    def _begin(self) -> None:
        self._tale = redcoats_english.Tale(self.state)
        self._marks = redcoats_drawing.Marks(self.state)

    def begins_turn(self, event: Any) -> int | None:
        return redcoats_english.begins_turn(event)

    def hear(self, event: Any, rolls: Iterable[Roll]) -> None:
        self._tale.hear(event, rolls)
        self._marks.hear(event)

    def note(self, rolls: Iterable[Roll]) -> None:
        self._tale.note(rolls)

    def picture(self, turn: int) -> Picture:
        scene = redcoats_drawing.scene_of(self.state, self._marks)
        roll = redcoats_english.muster_roll(self.state)
        taken = Picture(turn, scene, roll, tuple(self._tale.tell()))
        self._begin()
        return taken


NARRATORS: dict[str, type[Narrator]] = {"redcoats": Redcoats}


def title_of(slug: str) -> str:
    """The title of a book; nothing for what is none of ours."""
    try:
        return book(slug).title
    except NoSuchBook:
        return ""


def pictures(battle: Battle) -> tuple[Picture, ...]:
    """The sides drawn up, then every turn as far as it is known; nothing without a narrator."""
    if battle.book not in NARRATORS:
        return ()
    if battle.head_id is None:
        return (laid_out(stored.brief_of(battle), battle.book),)
    return _pictures(battle.uuid, battle.head_id)


def laid_out(brief: Brief, slug: str) -> Picture:
    """The field with the sides drawn up. Raises NoSuchBook."""
    if slug not in NARRATORS:
        raise NoSuchBook(f"Nobody can tell of battles by {slug!r}.")
    return NARRATORS[slug](book(slug).drawn_up(brief)).picture(0)


@lru_cache(maxsize=16)
def _pictures(number: UUID, head: int) -> tuple[Picture, ...]:
    """Kept by the entry at its head: a battle that has been fought does not change."""
    return tuple(_told(Battle.objects.get(uuid=number, head=head)))


def _told(battle: Battle) -> Iterator[Picture]:
    engine = stored.engine_of(battle)
    state = stored.beginning_of(battle)
    narrator = NARRATORS[battle.book](state)
    turn = 0
    for entry in battle.entries.all():
        rolls = stored.rolls_of(entry)
        for event in stored.events_of(entry, engine):
            cited = [rolls[number] for number in event.rolls]
            begins = narrator.begins_turn(event)
            if begins is not None:
                narrator.note(cited)
                yield narrator.picture(turn)
                turn, cited = begins, []
            narrator.hear(event, cited)
            engine.fold(state, (event,))
    yield narrator.picture(turn)
