"""The front door: one action in, events out, and nothing changed when it is refused."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import msgspec

from battles.core.dice import Dice
from battles.core.document import decode, encode
from battles.core.game import Action, IllegalAction, Outcome, Step
from battles.core.ledger import Ledger
from battles.core.reading import shaped
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules import questions as q
from campaign.rules import reinforcements, ruling, set_up, supply
from campaign.rules.combat import hand_off, retreat
from campaign.rules.combat import procedure as combat
from campaign.rules.evolve import evolve
from campaign.rules.march import procedure, rail, rivers
from campaign.rules.sequence import STEPS
from campaign.rules.state import State, asked

A = TypeVar("A", bound=Action)


class Answer(NamedTuple):
    """How one kind of action answers one kind of question."""

    check: Callable[[State, Any], None]
    carry_out: Callable[[Ledger[State], Any], None]
    closes: bool = True
    """Whether the question is answered by it, unless the same one is asked again."""


def apply(state: State, action: a.AnyAction, dice: Dice) -> tuple[State, Outcome]:
    """The state after the action, and what happened; the state given is left as it was.

    Raises IllegalAction with clause, reason and remedy.
    """
    working = decode(encode(state), State)
    return working, play(working, action, dice)


def play(state: State, action: a.AnyAction, dice: Dice) -> Outcome:
    """What the action leads to, carried out on the state itself, which the caller owns.

    Raises IllegalAction before anything has changed.
    """
    check(state, action)
    action = _well_formed(action)
    ledger = Ledger(state, dice, evolve)
    answer = _answer(state, action)
    question = state.question
    answer.carry_out(ledger, action)
    if answer.closes and state.question is question:
        ledger.answered()
    ledger.advance(STEPS)
    return ledger.outcome(e.Stands(agenda=tuple(state.agenda), question=state.question))


def check(state: State, action: a.AnyAction) -> None:
    """IllegalAction when the action does not answer what the campaign waits for."""
    answer = _answer(state, action)
    action = _well_formed(action)
    answer.check(state, action)
    units = getattr(action, "units", ())
    if len(set(units)) < len(units):
        raise IllegalAction("5.0", "A unit is named twice.", "Name each unit once.")


def answers_to(question: q.Question) -> tuple[type, ...]:
    """The kinds of action that answer such a question; which of them are lawful now is not told."""
    return tuple(_ANSWERS[type(question)])


def fold(state: State, events: Iterable[e.AnyEvent]) -> None:
    """The events happen to the state again, without dice and without rules."""
    for event in events:
        evolve(state, event)


def _answer(state: State, action: a.AnyAction) -> Answer:
    if state.question is None:
        raise IllegalAction("4", "The campaign is over.", "Look back through its months.")
    answers = _ANSWERS[type(state.question)] | _WHATEVER_IS_ASKED
    if type(action) not in answers:
        wanted = ", ".join(kind.__name__ for kind in answers_to(state.question))
        raise IllegalAction(
            "5.0",
            f"The campaign waits for something else of the {state.question.side} side.",
            f"It can be answered by: {wanted}.",
        )
    return answers[type(action)]


def _well_formed(action: A) -> A:
    """The action with every field of its kind; IllegalAction when one of them is of another."""
    try:
        return shaped(msgspec.to_builtins(action), type(action))
    except (TypeError, ValueError) as error:
        said = f"{type(action).__name__} is not well formed: {error}."
        raise IllegalAction("5.0", said, "Name units and hexes by their numbers.") from error


def _anything(state: State, action: object) -> None:
    """There is nothing about this action that could be wrong."""


def _finish_reinforcement(state: State, action: a.Done) -> None:
    reinforcements.check_placed_all(state)


def _finished(ledger: Ledger[State], action: a.Done) -> None:
    """The agenda goes on with what comes next."""


def _check_choice(state: State, action: a.Choose) -> None:
    question = asked(state, q.ToChooseHex)
    if action.hex not in question.choices:
        raise IllegalAction(
            question.clause, f"Hex {action.hex:04d} is not one of the choices.", "Choose another."
        )


def _chosen(ledger: Ledger[State], action: a.Choose) -> None:
    question = asked(ledger.state, q.ToChooseHex)
    ledger.then(Step(question.purpose, (*question.args, action.hex)))


def _check_pick(state: State, action: a.Pick) -> None:
    question = asked(state, q.ToChooseUnits)
    picked = set(action.units)
    if len(picked) != question.count or not picked <= set(question.units):
        raise IllegalAction(question.clause, f"Choose {question.count} of the units named.")


def _picked(ledger: Ledger[State], action: a.Pick) -> None:
    question = asked(ledger.state, q.ToChooseUnits)
    ledger.then(Step(question.purpose, (*question.args, *action.units)))


_WHATEVER_IS_ASKED: dict[type, Answer] = {
    a.HandOver: Answer(hand_off.check_arrangement, hand_off.arrange, closes=False),
    a.Ruled: Answer(ruling.check_ruling, ruling.rule, closes=False),
}

_ON_THE_MARCH: dict[type, Answer] = {
    a.March: Answer(procedure.check_march, procedure.march),
    a.Rail: Answer(rail.check_rail, rail.rail),
    a.Sail: Answer(rivers.check_sail, rivers.sail),
}

_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToSetUp: {
        a.Deploy: Answer(set_up.check_deploy, set_up.deploy),
        a.Done: Answer(_anything, _finished),
    },
    q.ToReinforce: {
        a.Place: Answer(reinforcements.check_place, reinforcements.place),
        a.Withdraw: Answer(reinforcements.check_withdraw, reinforcements.withdraw),
        a.Dismount: Answer(reinforcements.check_dismount, reinforcements.dismount),
        a.Done: Answer(_finish_reinforcement, _finished),
    },
    q.ToMarch: _ON_THE_MARCH
    | {
        a.Dismount: Answer(reinforcements.check_dismount, reinforcements.dismount),
        a.Done: Answer(_anything, _finished),
    },
    q.OnMarch: _ON_THE_MARCH
    | {
        a.Move: Answer(procedure.check_move, procedure.move),
        a.Attack: Answer(combat.check_attack, combat.attack),
        a.DropOff: Answer(procedure.check_drop_off, procedure.drop_off),
        a.Halt: Answer(_anything, procedure.halt),
    },
    q.ToDisrupt: {a.Pick: Answer(procedure.check_fall_out, procedure.fall_out)},
    q.ToShareLosses: {a.Share: Answer(combat.check_share, combat.share)},
    q.ToLead: {a.Lead: Answer(combat.check_lead, combat.lead)},
    q.ToFight: {
        a.Fight: Answer(hand_off.check_fight, hand_off.fight),
        a.Reported: Answer(hand_off.check_report, hand_off.report),
    },
    q.ToRetreat: {a.Retreat: Answer(retreat.check_retreat, retreat.retreat)},
    q.ToSupply: {a.Supply: Answer(supply.check_supply, supply.supply)},
    q.ToShareAttrition: {a.Pick: Answer(supply.check_share_attrition, supply.share_attrition)},
    q.ToChooseHex: {a.Choose: Answer(_check_choice, _chosen)},
    q.ToChooseUnits: {a.Pick: Answer(_check_pick, _picked)},
}
