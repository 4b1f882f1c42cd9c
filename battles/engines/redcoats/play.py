"""The front door: one action in, events out, and nothing changed when it is refused."""

from battles.core.door import DONE, Answer, Clauses, Door, Play, anything
from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from battles.engines.redcoats import acting, charge, disorganisation, set_up
from battles.engines.redcoats import actions as a
from battles.engines.redcoats import events as e
from battles.engines.redcoats import questions as q
from battles.engines.redcoats.evolve import evolve
from battles.engines.redcoats.pieces import Heroic
from battles.engines.redcoats.sequence import STEPS
from battles.engines.redcoats.state import State, asked


def _check_coordinate(state: State, action: a.Coordinate) -> None:
    question = asked(state, q.ToCoordinate)
    if not action.units or not set(action.units) <= set(question.units):
        raise IllegalAction(
            "Turn sequence 1",
            "The Leader cannot co-ordinate these.",
            "Choose among the units in his square and those adjacent.",
        )


def _coordinate(ledger: Ledger[State], action: a.Coordinate) -> None:
    question = asked(ledger.state, q.ToCoordinate)
    units = tuple(number for number in question.units if number in action.units)
    ledger.emit(e.Coordinated(leader=question.leader, units=units))


def _moor(ledger: Ledger[State], action: a.Moor) -> None:
    ledger.emit(e.Moored(craft=asked(ledger.state, q.ToMoor).craft))


def _check_activate(state: State, action: a.Activate) -> None:
    if action.unit not in asked(state, q.ToChooseNext).choices:
        raise IllegalAction("Turn sequence 7", "That unit is not one to act next.")


def _activate(ledger: Ledger[State], action: a.Activate) -> None:
    ledger.then(Step("begin", (action.unit,)))


def _check_asked_card(state: State, action: a.PlayCard) -> None:
    if action.card is not asked(state, q.ToPlayCard).card:
        raise IllegalAction("Heroic Leadership 1", "That card would not help here.")


def _play_asked_card(ledger: Ledger[State], action: a.PlayCard) -> None:
    question = asked(ledger.state, q.ToPlayCard)
    ledger.emit(e.HeroicPlayed(side=question.side, card=action.card, unit=question.unit))
    if action.card is Heroic.RECOVER:
        disorganisation.recovered_by_card(ledger, question.unit)


def _pursue(ledger: Ledger[State], action: a.Pursue) -> None:
    question = asked(ledger.state, q.ToPursue)
    units = ledger.state.units
    charge.pursue(ledger, units[question.unit], units[question.pursued])


_ANSWERS: dict[type, dict[type, Answer]] = {
    q.ToSetUp: {
        a.Deploy: Answer(set_up.check_deploy, set_up.deploy, closes=False),
        a.Done: DONE,
    },
    q.ToCoordinate: {
        a.Coordinate: Answer(_check_coordinate, _coordinate),
        a.Done: DONE,
    },
    q.ToMoor: {a.Moor: Answer(anything, _moor), a.Done: DONE},
    q.ToChooseNext: {a.Activate: Answer(_check_activate, _activate)},
    q.ToAct: {
        a.Done: Answer(acting.check_done, acting.done),
        a.Enter: Answer(acting.check_enter, acting.enter),
        a.Move: Answer(acting.check_move, acting.move),
        a.Leave: Answer(acting.check_leave, acting.leave),
        a.Charge: Answer(acting.check_charge, acting.charges),
        a.Fire: Answer(acting.check_fire, acting.fires),
        a.Form: Answer(acting.check_form, acting.form),
        a.FormBrigade: Answer(acting.check_form_brigade, acting.form_brigade),
        a.Mount: Answer(acting.check_mount, acting.mount),
        a.Dismount: Answer(acting.check_dismount, acting.dismount),
        a.Load: Answer(acting.check_load, acting.load),
        a.Unload: Answer(acting.check_unload, acting.unload),
        a.PlayCard: Answer(acting.check_card, acting.play_card),
    },
    q.ToPlayCard: {
        a.PlayCard: Answer(_check_asked_card, _play_asked_card),
        a.Done: DONE,
    },
    q.ToPursue: {a.Pursue: Answer(anything, _pursue), a.Done: DONE},
}

_DOOR: Door[State] = Door(
    _ANSWERS, Play(evolve, STEPS, e.Stands), Clauses("Break off 1", "Turn sequence 7")
)
play, check, fold = _DOOR.play, _DOOR.check, _DOOR.fold
