"""What a book of battles has to be: a game of the usual shape that takes a brief and reports."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from battles.contract.brief import Brief
from battles.contract.report import Fate, Report, conserve
from battles.contract.troops import Side
from battles.core.dice import Dice
from battles.core.game import Outcome

MOST_ACTIONS = 20_000
"""More actions than any battle has; beyond it the book has lost its way."""


class Engine(Protocol):
    """A book of battles. States, actions and events are its own typed documents.

    Every state has `agenda` and `question` (None when the battle is over; otherwise the question
    names the `side` that must answer), so that a battle can be stored and resumed anywhere.
    """

    @property
    def slug(self) -> str:
        """Its name in addresses and commands."""

    @property
    def title(self) -> str:
        """Its name in words."""

    @property
    def state(self) -> type:
        """The form of its states."""

    @property
    def actions(self) -> Any:
        """The union of its actions."""

    @property
    def events(self) -> Any:
        """The union of its events."""

    def drawn_up(self, brief: Brief) -> Any:
        """The field laid out and the sides drawn up, before a die is thrown or a card dealt."""

    def new_game(self, brief: Brief, dice: Dice) -> tuple[Any, Outcome]:
        """The battle begun from there: the state, and what has happened to it so far."""

    def options(self, state: Any) -> Any:
        """The lawful answers to the open question as a domain; None when the battle is over."""

    def check(self, state: Any, action: Any) -> None:
        """IllegalAction when the action does not answer what the battle waits for."""

    def play(self, state: Any, action: Any, dice: Dice) -> Outcome:
        """What the action leads to, carried out on the state itself. Raises IllegalAction."""

    def fold(self, state: Any, events: Any) -> None:
        """The events happen to the state again, without dice and without rules."""

    def view(self, state: Any, side: Side | None) -> Any:
        """What that side may know of the state; what an onlooker may for None."""

    def answer(self, state: Any) -> Any:
        """The commander's answer to the open question, for either side."""

    def report(self, state: Any) -> Report:
        """How the battle ended. Raises ValueError while it goes on."""


@dataclass(frozen=True)
class Book:
    """An engine made of its chapters: what the contract asks for, each from where it belongs.

    A field is laid out for a brief, the armies set out on it, and the battle begun.
    """

    slug: str
    title: str
    state: type
    actions: Any
    events: Any
    lay_out: Callable[[Brief], Any]
    set_out: Callable[[Any], Any]
    begin: Callable[[Any, Dice], tuple[Any, Outcome]]
    options: Callable[[Any], Any]
    check: Callable[[Any, Any], None]
    play: Callable[[Any, Any, Dice], Outcome]
    fold: Callable[[Any, Any], None]
    view: Callable[[Any, Side | None], Any]
    answer: Callable[[Any], Any]
    fates: Callable[[Any, Brief], dict[int, Fate]]
    winner: Callable[[Any, dict[int, Fate]], Side | None]

    def drawn_up(self, brief: Brief) -> Any:
        """The field laid out and the sides drawn up, before a die is thrown or a card dealt."""
        return self.set_out(self.lay_out(brief))

    def new_game(self, brief: Brief, dice: Dice) -> tuple[Any, Outcome]:
        """The field laid out and the sides drawn up, to the first question.

        Raises ValueError for a brief whose armies cannot be set out.
        """
        return self.begin(self.lay_out(brief), dice)

    def report(self, state: Any) -> Report:
        """How the battle ended, for every unit of the brief.

        ValueError while the battle goes on, and for one that was not fought from a brief.
        """
        if state.result is None:
            raise ValueError("The battle is not over: there is nothing to report yet.")
        if state.brief is None:
            raise ValueError("This battle has no brief: nobody waits for a report of it.")
        found = self.fates(state, state.brief)
        return Report(
            brief=state.brief.id,
            book=self.slug,
            fates=found,
            winner=self.winner(state, found),
            ending=state.result.reason,
            turns=state.turn,
        )


class Move(NamedTuple):
    """One action of a battle and all it led to."""

    side: Side
    action: Any
    outcome: Outcome


def fight(engine: Engine, brief: Brief, dice: Dice) -> Report:
    """The battle fought out by the commanders of the book; a report that adds up."""
    state, _ = engine.new_game(brief, dice)
    for _ in moves(engine, state, dice):
        pass
    report = engine.report(state)
    conserve(brief, report)
    return report


def moves(engine: Engine, state: Any, dice: Dice) -> Iterator[Move]:
    """The commanders' actions one after the other, carried out on the state itself.

    Raises RuntimeError when the battle comes to no end.
    """
    for _ in range(MOST_ACTIONS):
        if state.question is None:
            return
        side = state.question.side
        action = engine.answer(state)
        yield Move(side, action, engine.play(state, action, dice))
    raise RuntimeError(f"A battle by {engine.title} has come to no end.")
