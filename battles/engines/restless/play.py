"""The front door: one action in, events out, and nothing changed when it is refused."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from battles.core.dice import Dice
from battles.core.game import IllegalAction, Outcome, Step
from battles.core.ledger import Ledger
from battles.engines.restless import acting, commanding, deploying
from battles.engines.restless import actions as a
from battles.engines.restless import events as e
from battles.engines.restless import questions as q
from battles.engines.restless.evolve import evolve
from battles.engines.restless.sequence import STEPS
from battles.engines.restless.state import State

ACT = (Step("act"),)


class Answer(NamedTuple):
    """How one kind of action answers one kind of question, and the steps that come after it."""

    check: Callable[[State, Any], None]
    carry_out: Callable[[Ledger[State], Any], None]
    closes: bool = True
    then: tuple[Step, ...] = ()


def play(state: State, action: a.AnyAction, dice: Dice) -> Outcome:
    """What the action leads to, carried out on the state itself, which the caller owns.

    Raises IllegalAction before anything has changed.
    """
    answer = _answer(state, action)
    answer.check(state, action)
    ledger = Ledger(state, dice, evolve)
    question = state.question
    answer.carry_out(ledger, action)
    ledger.then(*answer.then)
    if answer.closes and state.question is question:
        ledger.answered()
    ledger.advance(STEPS)
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
        raise IllegalAction("Turn sequence 7", "The battle is over.", "Look back through it.")
    answers = _ANSWERS[type(state.question)]
    if type(action) not in answers:
        wanted = ", ".join(kind.__name__ for kind in answers)
        raise IllegalAction(
            "Turn sequence 2",
            f"The battle waits for something else of the {state.question.side} side.",
            f"It can be answered by: {wanted}.",
        )
    return answers[type(action)]


def _anything(state: State, action: object) -> None:
    """There is nothing about this action that could be wrong."""


def _nothing(ledger: Ledger[State], action: object) -> None:
    """The agenda goes on with what comes next."""


_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToSetUp: {
        a.Allot: Answer(deploying.check_allot, deploying.allot, closes=False),
        a.Deploy: Answer(deploying.check_deploy, deploying.deploy, closes=False),
        a.Done: Answer(_anything, _nothing),
    },
    q.ToCommand: {
        a.Activate: Answer(commanding.check_activate, commanding.activate),
        a.Rally: Answer(commanding.check_rally, commanding.rally),
        a.PassOn: Answer(commanding.check_pass_on, commanding.pass_on),
        a.Done: Answer(_anything, commanding.nobody),
    },
    q.ToAct: {
        a.PlayCard: Answer(acting.check_card, acting.play_card, then=ACT),
        a.March: Answer(acting.check_march, acting.march),
        a.Fire: Answer(acting.check_fire, acting.fire, then=ACT),
        a.Form: Answer(acting.check_form, acting.form, then=ACT),
        a.Fight: Answer(acting.check_fight, acting.fight, then=ACT),
        a.Done: Answer(acting.check_done, acting.done),
    },
    q.ToMove: {
        a.Move: Answer(acting.check_move, acting.move, then=ACT),
        a.Charge: Answer(acting.check_charge, acting.charge, then=ACT),
        a.Leave: Answer(acting.check_leave, acting.leave, then=ACT),
        a.Done: Answer(_anything, acting.stand_still, then=ACT),
    },
}
