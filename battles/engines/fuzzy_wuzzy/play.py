"""The front door: one action in, events out, and nothing changed when it is refused."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from battles.core.dice import Dice
from battles.core.game import IllegalAction, Outcome
from battles.core.ledger import Ledger
from battles.engines.fuzzy_wuzzy import actions as a
from battles.engines.fuzzy_wuzzy import events as e
from battles.engines.fuzzy_wuzzy import firing, phases
from battles.engines.fuzzy_wuzzy import questions as q
from battles.engines.fuzzy_wuzzy.evolve import evolve
from battles.engines.fuzzy_wuzzy.sequence import STEPS
from battles.engines.fuzzy_wuzzy.state import State, asked, own


class Answer(NamedTuple):
    """How one kind of action answers one kind of question."""

    check: Callable[[State, Any], None]
    carry_out: Callable[[Ledger[State], Any], None]
    closes: bool = False


def play(state: State, action: a.AnyAction, dice: Dice) -> Outcome:
    """What the action leads to, carried out on the state itself, which the caller owns.

    Raises IllegalAction before anything has changed.
    """
    answer = _answer(state, action)
    answer.check(state, action)
    ledger = Ledger(state, dice, evolve)
    answer.carry_out(ledger, action)
    if answer.closes:
        ledger.answered()
    return advanced(ledger)


def advanced(ledger: Ledger[State]) -> Outcome:
    """The sequence of play as far as the next question; all that has happened."""
    ledger.advance(STEPS)
    state = ledger.state
    return ledger.outcome(e.Stands(agenda=tuple(state.agenda), question=state.question))


def check(state: State, action: a.AnyAction) -> None:
    """IllegalAction when the action does not answer what the battle waits for."""
    _answer(state, action).check(state, action)


def fold(state: State, events: Iterable[e.AnyEvent]) -> None:
    """The events happen to the state again, without dice and without rules."""
    for event in events:
        evolve(state, event)


def _answer(state: State, action: a.AnyAction) -> Answer:
    if state.question is None:
        raise IllegalAction("Sequence 1", "The battle is over.", "Look back through its moves.")
    answers = _ANSWERS[type(state.question)]
    if type(action) not in answers:
        wanted = ", ".join(kind.__name__ for kind in answers)
        raise IllegalAction(
            "Sequence 1",
            f"The battle waits for something else of the {state.question.side} side.",
            f"It can be answered by: {wanted}.",
        )
    return answers[type(action)]


def _anything(state: State, action: object) -> None:
    """There is nothing about this action that could be wrong."""


def _nothing(ledger: Ledger[State], action: object) -> None:
    """The agenda goes on with what comes next."""


def _check_fire(state: State, action: a.Fire) -> None:
    firing.shot_at(state, own(state, action.unit), action.target)


def _fire(ledger: Ledger[State], action: a.Fire) -> None:
    question = asked(ledger.state, q.ToFire)
    firing.fire(ledger, action)
    if not _has_more(ledger.state, question.units):
        ledger.answered()


def _has_more(state: State, numbers: tuple[int, ...]) -> bool:
    """Whether any of those that could fire when the side was asked still can."""
    if any(number not in state.fired for number in numbers):
        return True
    units = (state.units[number] for number in numbers)
    return any(
        firing.is_to_fire(state, unit) and any(True for _ in firing.shots_of(state, unit))
        for unit in units
    )


DONE = Answer(_anything, _nothing, closes=True)
_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToOrder: {a.Order: Answer(phases.check_order, phases.order), a.Done: DONE},
    q.ToMove: {
        a.Move: Answer(phases.check_move, phases.move),
        a.Close: Answer(phases.check_close, phases.close),
        a.Done: DONE,
    },
    q.ToFire: {a.Fire: Answer(_check_fire, _fire), a.Done: DONE},
    q.ToAdvance: {
        a.Move: Answer(phases.check_move, phases.move, closes=True),
        a.Close: Answer(phases.check_close, phases.close, closes=True),
        a.Done: DONE,
    },
    q.ToRecover: {a.Recover: Answer(phases.check_recover, phases.recovers), a.Done: DONE},
}
