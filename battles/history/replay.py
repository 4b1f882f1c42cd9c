"""Replay a battle step by step, each with its sentences."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from battles.access import viewers
from battles.contract import Brief, Report, conserve, moves
from battles.contract.book import AnyScene
from battles.contract.registry import AnyBook, book, find_book
from battles.core.dice import Dice, Roll
from battles.core.game import Outcome
from battles.history import serialization
from battles.models import Battle
from battles.prose import RosterLine, Sentence

# Narrate a battle turn by turn: the events of each turn, and the field after it.


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


# Replay battles turn by turn, from a brief and dice or from the journal.
#
# A battle by a book that is not installed is shown without a field.


class NarratedTurn(NamedTuple):
    """A turn in sentences."""

    title: str
    sentences: tuple[str, ...]


class NarratedBattle:
    """A battle fought while it is read: iterate over `turns`, then ask for `report`."""

    def __init__(self, book: AnyBook, brief: Brief, dice: Dice) -> None:
        self._book = book
        self._engine = book.engine
        self._brief = brief
        self._state, self._opening = book.engine.new_game(brief, dice)
        self._dice = dice

    @property
    def turns(self) -> Iterator[NarratedTurn]:
        """Yield every turn when it is over, the drawing up first."""
        field = self._engine.drawn_up(self._brief)
        narrator, turn = Narrator(self._book, field), 0
        for outcome in self._outcomes():
            for event in outcome.events:
                cited = [outcome.rolls[number] for number in event.rolls]
                begins = narrator.begins_turn(event)
                if begins is not None:
                    narrator.note(cited)
                    yield _in_words(narrator.picture(turn))
                    turn, cited = begins, []
                narrator.hear(event, cited)
                self._engine.fold(field, (event,))
        yield _in_words(narrator.picture(turn))

    def report(self) -> Report:
        """Return the report, which adds up. Raises ValueError before the end."""
        report = self._engine.report(self._state)
        conserve(self._brief, report)
        return report

    def _outcomes(self) -> Iterator[Outcome]:
        yield self._opening
        for move in moves(self._engine, self._state, self._dice):
            yield move.outcome


def narrate(book: AnyBook, brief: Brief, dice: Dice) -> NarratedBattle:
    """Return the battle of that brief and dice, fought as its turns are read."""
    return NarratedBattle(book, brief, dice)


def _in_words(picture: Picture) -> NarratedTurn:
    return NarratedTurn(picture.title, tuple(sentence.text for sentence in picture.sentences))


def title_of(slug: str) -> str:
    """Return the title of a book; empty for one that is not installed."""
    installed = find_book(slug)
    return "" if installed is None else installed.title


def pictures(battle: Battle) -> tuple[Picture, ...]:
    """Return the field drawn up and after every turn; empty if the book is not installed.

    Empty too while players are fighting the battle, because it hides something from each of them.
    """
    if find_book(battle.book) is None or viewers.is_open(battle):
        return ()
    if battle.head_id is None:
        return (laid_out(serialization.brief_of(battle), battle.book),)
    return _pictures(battle.uuid, battle.head_id)


def laid_out(brief: Brief, slug: str) -> Picture:
    """Return the field with the sides drawn up. Raises NoSuchBook."""
    rules = book(slug)
    return Narrator(rules, rules.engine.drawn_up(brief)).picture(0)


@lru_cache(maxsize=16)
def _pictures(number: UUID, head: int) -> tuple[Picture, ...]:
    """Return the pictures, cached by the entry at the head: a fought battle is final."""
    return tuple(_replay_pictures(Battle.objects.get(uuid=number, head=head)))


def _replay_pictures(battle: Battle) -> Iterator[Picture]:
    engine = serialization.engine_of(battle)
    state = serialization.beginning_of(battle)
    narrator = Narrator(book(battle.book), state)
    turn = 0
    for entry in serialization.entries_of(battle):
        rolls = serialization.rolls_of(entry)
        for event in serialization.events_of(entry, engine):
            cited = [rolls[number] for number in event.rolls]
            begins = narrator.begins_turn(event)
            if begins is not None:
                narrator.note(cited)
                yield narrator.picture(turn)
                turn, cited = begins, []
            narrator.hear(event, cited)
            engine.fold(state, (event,))
    yield narrator.picture(turn)
