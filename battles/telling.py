"""A battle fought out by the commanders and told turn by turn, without a database."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract import Brief, Report, conserve, moves
from battles.contract.registry import AnyBook
from battles.core.dice import Dice
from battles.core.game import Outcome
from battles.narrator import Narrator, Picture


class Turn(NamedTuple):
    """What was done in a turn, in sentences."""

    title: str
    sentences: tuple[str, ...]


class Telling:
    """A battle being told: `turns` fights it, `report` is there when they have been heard."""

    def __init__(self, book: AnyBook, brief: Brief, dice: Dice) -> None:
        self._book = book
        self._engine = book.engine
        self._brief = brief
        self._state, self._opening = book.engine.new_game(brief, dice)
        self._dice = dice

    @property
    def turns(self) -> Iterator[Turn]:
        """Every turn when it is over, the drawing up first."""
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
        """How it ended; a report that adds up. Raises ValueError while it goes on."""
        report = self._engine.report(self._state)
        conserve(self._brief, report)
        return report

    def _outcomes(self) -> Iterator[Outcome]:
        yield self._opening
        for move in moves(self._engine, self._state, self._dice):
            yield move.outcome


def told(book: AnyBook, brief: Brief, dice: Dice) -> Telling:
    """The battle of that brief, fought out with these dice as it is listened to."""
    return Telling(book, brief, dice)


def _in_words(picture: Picture) -> Turn:
    return Turn(picture.title, tuple(sentence.text for sentence in picture.sentences))
