"""The rules engine of Redcoats and Dervishes: the actions that answer each question."""

from battles.books.redcoats import acting, activation, casualties, charging, set_up
from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import events as e
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.state import State, asked
from battles.core.game import IllegalAction, Ledger, Step
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing


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
        casualties.recovered_by_card(ledger, question.unit)


def _check_card(state: State, action: a.PlayCard) -> None:
    acting.check_card(activation.foreseen(state), action)


def _pursue(ledger: Ledger[State], action: a.Pursue) -> None:
    question = asked(ledger.state, q.ToPursue)
    units = ledger.state.units
    charging.pursue(ledger, units[question.unit], units[question.pursued])


def _answers() -> Answers[State]:
    """Return the checks and procedures of every action, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Deploy, q.ToSetUp, check=set_up.check_deploy, closes=False)(set_up.deploy)
    on(a.Restore, q.ToSetUp, closes=False)(set_up.deployment.restore)
    on(a.Coordinate, q.ToCoordinate, check=_check_coordinate)(_coordinate)
    on(a.Moor, q.ToMoor)(_moor)
    on(a.Activate, q.ToChooseNext, check=_check_activate)(_activate)

    on(a.Done, q.ToAct, check=activation.check_done_acting)(activation.is_done)
    for deed in acting.DEEDS:
        on(deed, q.ToAct, check=activation.check_declaration)(activation.declare)
    on(a.PlayCard, q.ToAct, check=_check_card)(acting.play_card)

    on(a.PlayCard, q.ToPlayCard, check=_check_asked_card)(_play_asked_card)
    on(a.Pursue, q.ToPursue)(_pursue)
    on(a.Done, q.ToSetUp, q.ToCoordinate, q.ToMoor, q.ToPlayCard, q.ToPursue)(do_nothing)
    return answers


engine: RulesEngine[State] = RulesEngine(
    _answers(),
    Play(activation.apply_event, STEPS, e.AgendaRecorded),
    Refusals(over="Break off 1", other="Turn sequence 7"),
)
play, check, fold = engine.play, engine.check, engine.fold
play_chosen = engine.play_chosen
