"""The rules engine of 'Eres to You Fuzzy Wuzzy: its answers, and samples of them."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, firing, orders, phases, sequence
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.evolve import evolve
from battles.books.fuzzy_wuzzy.options import Options, options
from battles.books.fuzzy_wuzzy.pieces import Combat, Rate
from battles.books.fuzzy_wuzzy.sequence import STEPS
from battles.books.fuzzy_wuzzy.state import State, Unit, open_question, own
from battles.contract.engine import AnswerSampling, Chance, some_of
from battles.core.game import Ledger
from battles.core.rules_engine import Answers, Play, Refusals, RulesEngine, do_nothing
from battles.tabletop.geometry import TablePoint, distance

# A sample of the legal answers, for players that choose at random or by a simple rule.


T = TypeVar("T")
ATTACKS = (a.Close, a.Fire)
_WAYS = 4
_EAGERNESS = {a.Close: 10.0, a.Fire: 4.0, a.Recover: 1.0, a.Done: 0.0}
_PER_CENTIMETRE = 0.0001
_FAST = {Rate.CHARGE: 1.0, Rate.DOUBLE: 0.8, Rate.MARCH: 0.5}
_COMBAT = {Combat.CLOSE: 1.0, Combat.FIRE: 0.7}


def answers(state: State, chance: Chance, most: int = 4) -> Iterator[a.AnyAction]:
    """Yield legal answers of every kind, at most `most` of long domains; none after the end."""
    offered = options(state)
    if offered is None:
        return
    yield a.Done()
    yield from _setting_up(offered, chance, most)
    yield from _orders(state, offered, chance, most)
    yield from (a.Fire(shot.unit, shot.target) for shot in offered.shots)
    yield from (a.Recover(number) for number in offered.recovers)
    for number in some_of(tuple(offered.paces), chance, most):
        for spot, facing in some_of(offered.spots(number, _WAYS), chance, most):
            yield a.Move(number, spot, facing)
        yield from (a.Close(number, target) for target in offered.closes_of(number))


def _setting_up(offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    for number in some_of(offered.movable, chance, most):
        unit = offered.of.units[number]
        yield a.Deploy(number, unit.at, unit.facing, unit.formation)
    if offered.moved:
        yield a.Restore()


def _orders(state: State, offered: Options, chance: Chance, most: int) -> Iterator[a.AnyAction]:
    """Yield orders for all units at once, those that are legal together."""
    for _ in range(most if offered.orders else 0):
        candidates = [
            a.UnitOrder(
                number,
                _any(may.rates, chance),
                _any(may.changes, chance, 0.2),
                _any(may.combats, chance),
            )
            for number, may in offered.orders.items()
        ]
        legal = tuple(order for order in candidates if orders.is_legal(state, order))
        if legal:
            yield a.Order(legal)


def _any(domain: Sequence[T], chance: Chance, share: float = 0.8) -> T | None:
    return chance.choice(domain) if domain and chance.random() < share else None


def eagerness(state: State, action: a.AnyAction) -> float:
    """Return the rank of an answer for a player who goes straight at the enemy."""
    if isinstance(action, a.Order):
        if any(order.unit in state.orders for order in action.orders):
            return -1.0
        return sum(map(_zeal, action.orders))
    if isinstance(action, a.Move):
        unit = state.units[action.unit]
        gain = _to_foe(state, unit, unit.at) - _to_foe(state, unit, action.to)
        return 1.0 + _PER_CENTIMETRE * gain if gain > 0 else -1.0
    return _EAGERNESS.get(type(action), -1.0)


def _zeal(order: a.UnitOrder) -> float:
    """Return the rank of one unit's orders: fast and to close combat."""
    rate = 0.0 if order.movement is None else _FAST.get(order.movement, 0.0)
    combat = 0.0 if order.combat is None else _COMBAT.get(order.combat, 0.0)
    return rate + combat


def _to_foe(state: State, unit: Unit, point: TablePoint) -> int:
    """Return hundredths from a point to the nearest enemy in sight, or to the middle."""
    foes = [foe.at for foe in board.enemies(state, unit.side)]
    centre = TablePoint(state.field.width // 2, state.field.height // 2)
    return min((distance(point, foe) for foe in foes), default=distance(point, centre))


SAMPLING = AnswerSampling(answers, ATTACKS, eagerness, a.Done)


# 'Eres to You Fuzzy Wuzzy on the shared engine: which action answers which question.


def _check_fire(state: State, action: a.Fire) -> None:
    firing.shot_at(state, own(state, action.unit), action.target)


def _fire(ledger: Ledger[State], action: a.Fire) -> None:
    question = open_question(ledger.state, a.ToFire)
    firing.fire(ledger, action)
    if not _has_more(ledger.state, question.units):
        ledger.answered()


def _has_more(state: State, numbers: tuple[int, ...]) -> bool:
    """Return whether any of the units asked for their fire can still fire."""
    if any(number not in state.fired for number in numbers):
        return True
    units = (state.units[number] for number in numbers)
    return any(
        firing.is_to_fire(state, unit) and any(True for _ in firing.shots_of(state, unit))
        for unit in units
    )


def _answers_play() -> Answers[State]:
    """Return the table of answers, question by question."""
    answers = Answers[State]()
    on = answers.on

    on(a.Deploy, a.ToSetUp, check=sequence.SET_UP.check, closes=False)(sequence.SET_UP.deploy)
    on(a.Restore, a.ToSetUp, closes=False)(sequence.SET_UP.restore)
    on(a.Order, a.ToOrder, check=phases.check_order, closes=False)(phases.order)
    on(a.Move, a.ToMove, check=phases.check_move, closes=False)(phases.move)
    on(a.Close, a.ToMove, check=phases.check_close, closes=False)(phases.close)
    on(a.Fire, a.ToFire, check=_check_fire, closes=False)(_fire)
    on(a.Move, a.ToAdvance, check=phases.check_move)(phases.move)
    on(a.Close, a.ToAdvance, check=phases.check_close)(phases.close)
    on(a.Recover, a.ToRecover, check=phases.check_recover, closes=False)(phases.recover_casualties)
    on(a.Done, a.ToSetUp, a.ToOrder, a.ToMove, a.ToFire, a.ToAdvance, a.ToRecover)(do_nothing)
    return answers


rules: RulesEngine[State] = RulesEngine(
    _answers_play(),
    Play(evolve, STEPS, e.AgendaRecorded),
    Refusals(over="Sequence 1", other="Sequence 1"),
)
