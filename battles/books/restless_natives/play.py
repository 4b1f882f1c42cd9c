"""The rules engine of Restless Natives: its answers, the view of a side, and samples."""

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

import msgspec

from battles.books.restless_natives import acting, activation, sequence
from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives.evolve import evolve
from battles.books.restless_natives.firing import plan_volleys
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.sequence import STEPS
from battles.books.restless_natives.state import State, acting_unit
from battles.contract.brief import Side
from battles.contract.engine import AnswerSampling, Chance, some_of
from battles.core.dice import Roll
from battles.core.game import Step
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing
from battles.tabletop.geometry import MEASURE, TablePoint, distance, middle

# Fog of war: a side sees neither the order of the packs nor the other side's hands.


_HIDDEN = (e.PackShuffled, e.SpecialShuffled, e.AgendaRecorded)


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it, or an onlooker for None.

    The packs are left out, and every hand of the other side (One-off battles 8).
    """
    commanders = {
        number: commander if commander.side is side else msgspec.structs.replace(commander, hand=[])
        for number, commander in state.commanders.items()
    }
    return msgspec.structs.replace(state, pack=[], special=[], commanders=commanders, agenda=[])


def filter_event(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls; nothing for the order of a pack, which no side learns."""
    return (None, ()) if isinstance(event, _HIDDEN) else (event, tuple(rolls))


# A sample of the legal answers, for players that choose at random or by a simple rule.


ATTACKS = (a.Charge, a.Fire, a.Fight)
_EAGERNESS = {
    a.Charge: 10.0,
    a.Fight: 9.0,
    a.Fire: 4.0,
    a.Leave: 3.0,
    a.Activate: 2.0,
    a.Rally: 1.5,
    a.PassOn: 1.0,
    a.March: 1.0,
    a.Done: 0.0,
}
_PER_INCH = 0.01


def answers(state: State, chance: Chance, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield legal answers of every kind, at most `most` of long domains; none after the end."""
    offered = options(state)
    if offered is None:
        return
    if offered.done:
        yield a.Done()
    yield from _OF[offered.asks](offered, chance, most)


def _setting_up(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    for number in some_of(offered.units, chance, most):
        yield a.Allot(number, chance.choice(offered.commanders))
    for number in some_of(offered.movable, chance, most):
        unit = offered.state.units[number]
        yield a.Deploy(number, unit.at, unit.facing, unit.formation)
    if offered.moved:
        yield a.Restore()


def _sample_commands(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Activate(unit) for unit in offered.units)
    yield from (a.Rally(unit) for unit in offered.rallies)
    yield from (a.PassOn(commander) for commander in offered.commanders)


def _sample_acts(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    yield from (a.PlayCard(card) for card in offered.cards)
    yield from (a.March(moves) for moves in range(1, offered.marches + 1))
    yield from (a.Form(formation) for formation in offered.formations)
    yield from (a.Fight(foe) for foe in offered.foes)
    for target in offered.targets:
        yield from (a.Fire((target.unit,), volleys) for volleys in range(1, offered.volleys + 1))
    unit = acting_unit(offered.state)
    for pair in permutations([target.unit for target in offered.targets], 2):
        if len(plan_volleys(offered.state, unit, pair, 1)) == len(pair):
            yield a.Fire(pair)


def _sample_moves(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    yield from (a.Charge(attack.target) for attack in offered.charges)
    if offered.leave:
        yield a.Leave()
    if offered.reach is None:
        return
    enemies = [unit.at for unit in offered.state.units.values() if unit.side is not offered.side]
    near = offered.reach.towards(middle(enemies)) if enemies else None
    if near is not None:
        yield from [a.Move(near.path, near.facing)] * most
    if most > 4:
        yield from (a.Move(way.path, way.facing) for way in offered.reach.spots())
    field = offered.state.field
    goal = TablePoint(chance.randrange(field.width), chance.randrange(field.height))
    somewhere = offered.reach.towards(goal, chance.choice((None, chance.randrange(360))))
    if somewhere is not None:
        yield a.Move(somewhere.path, somewhere.facing)


_OF: dict[str, Callable[[Options, Chance, int], Iterator[a.AnyAction]]] = {
    "set up": _setting_up,
    "command": _sample_commands,
    "act": _sample_acts,
    "move": _sample_moves,
}


def eagerness(state: State, action: a.AnyAction) -> float:
    """Return the rank of an answer for a player who goes straight at the enemy."""
    value = _EAGERNESS.get(type(action), -1.0)
    if isinstance(action, a.March):
        return value + 0.1 * action.moves
    if isinstance(action, a.Fire):
        return value + 0.1 * action.volleys
    if isinstance(action, a.Activate) and action.unit in state.units:
        unit = state.units[action.unit]
        return value - _PER_INCH * _to_foe(state, action.unit, unit.at)
    if isinstance(action, a.Move) and action.path:
        unit = acting_unit(state)
        gain = _to_foe(state, unit.id, unit.at) - _to_foe(state, unit.id, action.path[-1])
        return 1.0 + _PER_INCH * gain if gain > 0 else -1.0
    return value


def _to_foe(state: State, number: int, point: TablePoint) -> float:
    """Return inches from a point to the nearest enemy of the unit."""
    side = state.units[number].side
    foes = [foe.at for foe in state.units.values() if foe.side is not side]
    return min((distance(point, foe) for foe in foes), default=0) / MEASURE


SAMPLING = AnswerSampling(answers, ATTACKS, eagerness, a.Done)


# Restless Natives on the shared engine: which action answers which question.


ACT = (Step("act"),)


def _answers_play() -> Answers[State]:
    """Return the table of answers, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Allot, a.ToSetUp, check=sequence.check_allot, closes=False)(sequence.allot)
    on(a.Deploy, a.ToSetUp, check=sequence.SET_UP.check, closes=False)(sequence.SET_UP.deploy)
    on(a.Restore, a.ToSetUp, closes=False)(sequence.SET_UP.restore)
    on(a.Done, a.ToSetUp)(do_nothing)

    on(a.Activate, a.ToCommand, check=activation.check_activate)(activation.activate)
    on(a.Rally, a.ToCommand, check=activation.check_rally)(activation.rally)
    on(a.PassOn, a.ToCommand, check=activation.check_pass_on)(activation.pass_on)
    on(a.Done, a.ToCommand)(activation.nobody)

    on(a.PlayCard, a.ToAct, check=acting.check_card, then=ACT)(acting.play_card)
    on(a.March, a.ToAct, check=acting.check_march)(acting.march)
    on(a.Fire, a.ToAct, check=acting.check_fire, then=ACT)(acting.fire)
    on(a.Form, a.ToAct, check=acting.check_form, then=ACT)(acting.form)
    on(a.Fight, a.ToAct, check=acting.check_fight, then=ACT)(acting.fight)
    on(a.Done, a.ToAct, check=acting.check_done)(acting.done)

    on(a.Move, a.ToMove, check=acting.check_move, then=ACT)(acting.move)
    on(a.Charge, a.ToMove, check=acting.check_charge, then=ACT)(acting.charge)
    on(a.Leave, a.ToMove, check=acting.check_leave, then=ACT)(acting.leave)
    on(a.Done, a.ToMove, then=ACT)(acting.stand_still)
    return answers


rules: RulesEngine[State] = RulesEngine(
    _answers_play(),
    Play(evolve, STEPS, e.AgendaRecorded),
    Refusals(over="Turn sequence 7", other="Turn sequence 2"),
)
