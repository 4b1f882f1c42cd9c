"""A book of battles as a club might bring: one throw a side, the higher has the field.

The loser loses its first fighting unit and finds the others shaken. It is small, quick and a whole
book: what carries battles is tested with it, and a test may put it among the books there are.
"""

from typing import Any

import msgspec
import pytest

from battles.contract import Brief, Fate, Report, Side, TroopKind
from battles.contract.brief import AFLOAT, CANNOT_MELEE
from battles.contract.generic_book import generic_book
from battles.core.dice import Dice, Roll
from battles.core.game import Action, Event, IllegalAction, Ledger, Outcome, Step
from tests.installed import install


class ToThrow(msgspec.Struct, frozen=True):
    side: Side


class Throw(Action, frozen=True):
    pass


class DrawnUp(Event, frozen=True):
    question: ToThrow


class Thrown(Event, frozen=True):
    side: Side
    die: int
    question: ToThrow | None


class State(msgspec.Struct):
    brief: Brief
    agenda: list[Step] = []
    question: ToThrow | None = None
    thrown: dict[Side, int] = {}
    turn: int = 1


def evolve(state: State, event: Any) -> None:
    if isinstance(event, Thrown):
        state.thrown[event.side] = event.die
    state.question = event.question


class Duel:
    """The book as the contract wants it."""

    slug = "duel"
    title = "A Duel"
    state = State
    actions = Throw
    events = DrawnUp | Thrown

    def drawn_up(self, brief: Brief) -> State:
        return State(brief)

    def new_game(self, brief: Brief, dice: Dice) -> tuple[State, Outcome]:
        state = self.drawn_up(brief)
        ledger = Ledger(state, dice, evolve)
        return state, ledger.outcome(DrawnUp(question=ToThrow(brief.attacker.side)))

    def options(self, state: State) -> Any:
        return state.question

    def check(self, state: State, action: Any) -> None:
        if state.question is None:
            raise IllegalAction("1", "It is over.")

    def play(self, state: State, action: Any, dice: Dice) -> Outcome:
        self.check(state, action)
        assert state.question is not None
        side = state.question.side
        ledger = Ledger(state, dice, evolve)
        roll = ledger.roll(Roll(f"the {side} side throws", "1", (0,), sides=20, side=side))
        following = None if state.thrown else ToThrow(side.enemy)
        return ledger.outcome(Thrown(side=side, die=roll.total, question=following))

    def fold(self, state: State, events: Any) -> None:
        for event in events:
            evolve(state, event)

    def view(self, state: State, side: Side | None) -> State:
        return state

    def answer(self, state: State) -> Throw:
        return Throw()

    def report(self, state: State) -> Report:
        if state.question is not None:
            raise ValueError("It goes on.")
        mine, theirs = (state.thrown[side] for side in Side)
        winner = None if mine == theirs else list(Side)[mine < theirs]
        return told(state.brief, winner)


def told(brief: Brief, winner: Side | None, by: str = "duel") -> Report:
    """Return the report of a battle that this side has won."""
    fates = {one.id: Fate.DISRUPTED if one.disrupted else Fate.GOOD for one in brief.troops()}
    if winner is not None:
        beaten = [one for one in brief.party(winner.enemy).troops if one.kind not in AFLOAT]
        beaten = [one for one in beaten if one.kind is not TroopKind.LEADER]
        fates |= {one.id: Fate.DISRUPTED for one in beaten}
        first = next(one for one in beaten if one.kind not in CANNOT_MELEE)
        fates[first.id] = Fate.ELIMINATED
    return Report(brief.id, by, fates, winner, "It was decided by a throw.", 1)


BOOK = generic_book(Duel())


class Broken(Duel):
    """A book with a mistake in it, that shows when a battle is over."""

    slug = "broken"
    title = "A Broken Book"

    def report(self, state: State) -> Report:
        raise KeyError(f"there is no card for turn {state.turn}")


BROKEN = generic_book(Broken())


def among_the_books(patch: pytest.MonkeyPatch) -> None:
    """Install both for the length of a test."""
    install(patch, duel="tests.duel:BOOK", broken="tests.duel:BROKEN")
