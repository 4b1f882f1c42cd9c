"""The rules engine of Redcoats and Dervishes: its answers, the view of a side, and samples."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from battles.books.redcoats import acting, activation, casualties, charging
from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.actions import Question, ToPlayCard
from battles.books.redcoats.board import on_field
from battles.books.redcoats.field import distance
from battles.books.redcoats.offers import acting_unit
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.set_up import SET_UP
from battles.books.redcoats.state import State, open_question
from battles.contract.brief import Side
from battles.contract.engine import AnswerSampling, Chance, some_of
from battles.core.dice import Roll
from battles.core.game import IllegalAction, Ledger, Step
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing

# The fog of war: a side sees neither the order of the packs nor the enemy's hand.


_HIDDEN = (e.HeroicShuffled, e.Repacked, e.AgendaRecorded)


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it; as the public may for None.

    The undealt cards of both packs, the other side's hand and the agenda are left out. Of a card
    that the other side may play, only the question itself is shown.
    """
    own = {side: list(state.hands.get(side, []))} if side is not None else {}
    question = _asked(state.question, side)
    return msgspec.structs.replace(
        state, pack=[], heroic=[], hands=own, agenda=[], question=question
    )


def filter_event(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls without the order of a pack, which no side learns."""
    if isinstance(event, _HIDDEN):
        return None, ()
    if isinstance(event, e.TurnBegan):
        event = msgspec.structs.replace(event, pack=())
    return event, tuple(rolls)


def _asked(question: Question | None, side: Side | None) -> Question | None:
    if isinstance(question, ToPlayCard) and question.side is not side:
        # The field needs a card: always the first one, so that it gives nothing away.
        return msgspec.structs.replace(question, unit=0, card=next(iter(Heroic)))
    return question


# A sample of the legal answers, for players that choose at random or by a simple rule.


ATTACKS = (a.Charge, a.Fire)
_EAGERNESS = {
    a.Charge: 10.0,
    a.Pursue: 5.0,
    a.Fire: 4.0,
    a.Coordinate: 3.0,
    a.Enter: 2.0,
    a.Leave: 2.0,
    a.Activate: 1.0,
    a.PlayCard: 0.5,
    a.Done: 0.0,
}
_PER_SQUARE = 0.01


def answers(state: State, chance: Chance, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield legal answers of every kind, at most `most` of long domains; none after the end."""
    offered = options(state)
    if offered is None:
        return
    if offered.done:
        yield a.Done()
    if offered.asks == "set up":
        yield from _sample_set_up(offered, chance, most)
    elif offered.asks == "co-ordinate":
        chosen = [number for number in offered.units if chance.random() < 0.8]
        yield a.Coordinate(tuple(chosen) or offered.units)
    elif offered.asks == "next":
        yield from (a.Activate(number) for number in offered.units)
    elif offered.asks == "moor":
        yield a.Moor()
    elif offered.asks == "pursue":
        yield a.Pursue()
    else:
        yield from (a.PlayCard(card) for card in offered.cards)
    if offered.asks == "act":
        yield from _sample_acts(offered, chance, most)


def _sample_set_up(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    for number in some_of(offered.units, chance, most):
        for square in some_of(offered.squares[number], chance, most):
            yield a.Deploy(number, square, chance.randrange(8))
    yield a.Restore()


def _sample_acts(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Charge(attack.target) for attack in offered.charges)
    yield from (a.Fire(shot.unit, shot.firer, shot.weapon) for shot in offered.targets)
    yield from (a.Form(formation) for formation in offered.formations)
    yield from (a.Enter(square, chance.randrange(8)) for square in offered.entries)
    yield from (a.Unload(square, chance.randrange(8)) for square in offered.landings)
    yield from (a.FormBrigade(forming.middle) for forming in offered.brigades)
    yield from (a.Load(craft) for craft in offered.crafts)
    if offered.mount:
        yield a.Mount()
    if offered.dismount:
        yield a.Dismount()
    if offered.leave:
        yield a.Leave()
    if offered.reach is not None:
        for end in some_of(tuple(offered.reach.ends()), chance, most):
            path = offered.reach.path(end.square, end.facing)
            yield a.Move(path, end.facing)


def eagerness(state: State, action: a.AnyAction) -> float:
    """Return the rank of an answer for a player who goes straight at the enemy."""
    if not isinstance(action, a.Move):
        return _EAGERNESS.get(type(action), -1.0)
    unit = acting_unit(state)
    if unit is None or not action.path:
        return -1.0
    foes = [foe.square for foe in on_field(state, unit.side.enemy)]
    gain = _nearest(foes, unit.square) - _nearest(foes, action.path[-1])
    return 1.0 + _PER_SQUARE * gain if gain > 0 else -1.0


def _nearest(foes: Sequence[int], square: int) -> int:
    return min((distance(foe, square) for foe in foes), default=0)


SAMPLING = AnswerSampling(answers, ATTACKS, eagerness, a.Done)


# The rules engine of Redcoats and Dervishes: the actions that answer each question.


def _check_coordinate(state: State, action: a.Coordinate) -> None:
    question = open_question(state, a.ToCoordinate)
    if not action.units or not set(action.units) <= set(question.units):
        raise IllegalAction(
            "Turn sequence 1",
            "The Leader cannot co-ordinate these.",
            "Choose among the units in his square and those adjacent.",
        )


def _coordinate(ledger: Ledger[State], action: a.Coordinate) -> None:
    question = open_question(ledger.state, a.ToCoordinate)
    units = tuple(number for number in question.units if number in action.units)
    ledger.emit(e.Coordinated(leader=question.leader, units=units))


def _moor(ledger: Ledger[State], action: a.Moor) -> None:
    ledger.emit(e.Moored(craft=open_question(ledger.state, a.ToMoor).craft))


def _check_activate(state: State, action: a.Activate) -> None:
    if action.unit not in open_question(state, a.ToChooseNext).choices:
        raise IllegalAction("Turn sequence 7", "That unit is not one to act next.")


def _activate(ledger: Ledger[State], action: a.Activate) -> None:
    ledger.then(Step("begin", (action.unit,)))


def _check_asked_card(state: State, action: a.PlayCard) -> None:
    if action.card is not open_question(state, a.ToPlayCard).card:
        raise IllegalAction("Heroic Leadership 1", "That card would not help here.")


def _play_asked_card(ledger: Ledger[State], action: a.PlayCard) -> None:
    question = open_question(ledger.state, a.ToPlayCard)
    ledger.emit(e.HeroicPlayed(side=question.side, card=action.card, unit=question.unit))
    if action.card is Heroic.RECOVER:
        casualties.recovered_by_card(ledger, question.unit)


def _check_card(state: State, action: a.PlayCard) -> None:
    acting.check_card(activation.foreseen(state), action)


def _pursue(ledger: Ledger[State], action: a.Pursue) -> None:
    question = open_question(ledger.state, a.ToPursue)
    units = ledger.state.units
    charging.pursue(ledger, units[question.unit], units[question.pursued])


def _answers_play() -> Answers[State]:
    """Return the checks and procedures of every action, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Deploy, a.ToSetUp, check=SET_UP.check, closes=False)(SET_UP.deploy)
    on(a.Restore, a.ToSetUp, closes=False)(SET_UP.restore)
    on(a.Coordinate, a.ToCoordinate, check=_check_coordinate)(_coordinate)
    on(a.Moor, a.ToMoor)(_moor)
    on(a.Activate, a.ToChooseNext, check=_check_activate)(_activate)

    on(a.Done, a.ToAct, check=activation.check_done_acting)(activation.is_done)
    for action_type in acting.DEEDS:
        on(action_type, a.ToAct, check=activation.check_declaration)(activation.declare)
    on(a.PlayCard, a.ToAct, check=_check_card)(acting.play_card)

    on(a.PlayCard, a.ToPlayCard, check=_check_asked_card)(_play_asked_card)
    on(a.Pursue, a.ToPursue)(_pursue)
    on(a.Done, a.ToSetUp, a.ToCoordinate, a.ToMoor, a.ToPlayCard, a.ToPursue)(do_nothing)
    return answers


rules: RulesEngine[State] = RulesEngine(
    _answers_play(),
    Play(activation.apply_event, STEPS, e.AgendaRecorded),
    Refusals(over="Break off 1", other="Turn sequence 7"),
)
