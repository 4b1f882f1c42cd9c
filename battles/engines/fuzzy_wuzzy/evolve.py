"""What each event does to the state: the one place where a battle changes."""

from collections.abc import Callable
from typing import Any

import msgspec

from battles.core.ledger import record_agenda
from battles.engines.fuzzy_wuzzy import events as e
from battles.engines.fuzzy_wuzzy.pieces import Does, Rate
from battles.engines.fuzzy_wuzzy.state import State, Unit, Volley

REMEMBERED = 4
"""Moves that the limits on the double look back on."""
_PACE = {Rate.STATIONARY: 0, Rate.MARCH: 1, Rate.DOUBLE: 2, Rate.CHARGE: 3}


def evolve(state: State, event: e.AnyEvent) -> None:
    """The state after the event; the same events from the same state give the same bytes."""
    _EFFECTS[type(event)](state, event)


def _turn_began(state: State, event: e.TurnBegan) -> None:
    state.turn, state.first = event.turn, event.first
    state.engaged = list(event.engaged)
    state.orders, state.paces, state.moved = {}, {}, {}
    state.closed, state.surprises = [], []
    state.fired, state.volleys = {}, []
    state.fought, state.retreated = [], []


def _phase_began(state: State, event: e.PhaseBegan) -> None:
    state.phase = event.phase


def _entered(state: State, event: e.Entered) -> None:
    post = state.waiting.pop(event.unit)
    unit = state.units[event.unit]
    unit.at, unit.facing, unit.formation = event.at, post.facing, post.formation


def _ordered(state: State, event: e.Ordered) -> None:
    for order in event.orders:
        state.orders[order.unit] = order


def _formed(state: State, event: e.Formed) -> None:
    unit = state.units[event.unit]
    unit.formation, unit.dismounted = event.formation, event.dismounted


def _reorganised(state: State, event: e.Reorganised) -> None:
    state.units[event.unit].markers = event.markers


def _paced(state: State, event: e.Paced) -> None:
    state.paces.update(zip(event.units, event.lengths, strict=True))


def _moved(state: State, event: e.Moved) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing = event.to, event.facing
    before = state.moved.get(event.unit, Rate.STATIONARY)
    state.moved[event.unit] = max(before, event.rate, key=lambda rate: _PACE[rate])
    if event.target:
        state.closed += (event.unit, event.target)
    if event.cause == "retreat":
        state.retreated.append(event.unit)
    elif event.unit in state.paces:
        left = state.paces[event.unit] - event.cost
        state.paces[event.unit] = 0 if event.target else max(0, left)


def _movement_ended(state: State, event: e.MovementEnded) -> None:
    state.paces = {}
    for unit in state.units.values():
        unit.owes, unit.leave, unit.halted = None, None, False


def _observed(state: State, event: e.Observed) -> None:
    for number in event.units:
        state.units[number].seen = True
    if event.cause == "contact":
        state.surprises.extend(event.units)


def _combat_began(state: State, event: e.CombatBegan) -> None:
    state.combat, state.volleys = event.combat, []


def _fired(state: State, event: e.Fired) -> None:
    state.fired[event.unit] = (*state.fired.get(event.unit, ()), *event.stands)
    _volley(state, event)


def _volley(state: State, event: e.Fired | e.Fought) -> None:
    state.volleys.append(Volley(event.unit, event.target, event.casualties))
    for number in (event.unit, event.target):
        if number not in state.fought:
            state.fought.append(number)


def _casualties_taken(state: State, event: e.CasualtiesTaken) -> None:
    state.units[event.unit].markers = event.markers


def _judged(state: State, event: e.Judged) -> None:
    unit = state.units[event.unit]
    unit.threat = event.threat or unit.threat
    unit.retreating = unit.retreating or event.until_rallied
    if event.until_rallied:
        unit.rallied = 0
    if event.does is Does.MAY_CLOSE:
        unit.leave = event.rate
    elif event.does is Does.RETREATS_NEXT:
        unit.owes = event.rate
    elif event.does is Does.HALTS:
        unit.halted = True


def _rallied(state: State, event: e.Rallied) -> None:
    unit = state.units[event.unit]
    unit.rallied += event.stands
    if event.whole:
        unit.retreating, unit.rallied, unit.threat = False, 0, None


def _recovered(state: State, event: e.Recovered) -> None:
    state.units[event.unit].markers = event.markers


def _parted(state: State, event: e.Parted) -> None:
    unit = state.units[event.unit]
    if event.part == event.unit:
        unit.wounded = True
        return
    part = msgspec.structs.replace(
        unit,
        id=event.part,
        markers=event.markers,
        full=len(event.markers),
        at=event.at,
        facing=state.homes[unit.side],
        wounded=True,
        of=unit.of or unit.id,
    )
    unit.markers = tuple(marker for marker in unit.markers if not marker)
    state.units[event.part] = part
    state.next_id = event.part + 1


def _lost(state: State, event: e.Lost) -> None:
    state.lost.append(_gone(state, event.unit))


def _left(state: State, event: e.Left) -> None:
    state.left.append(_gone(state, event.unit))


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.wavering = list(event.wavering)
    for number, unit in state.units.items():
        rate = state.moved.get(number, Rate.STATIONARY)
        unit.before = (*unit.before, rate)[-REMEMBERED:]


def _corrected(state: State, event: e.Corrected) -> None:
    unit = msgspec.structs.replace(event.now)
    state.units[unit.id] = unit
    if not unit.markers:
        state.lost.append(_gone(state, unit.id))


def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.result = event.result


def _gone(state: State, number: int) -> Unit:
    state.waiting.pop(number, None)
    state.orders.pop(number, None)
    state.paces.pop(number, None)
    return state.units.pop(number)


_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.AgendaRecorded: record_agenda,
    e.TurnBegan: _turn_began,
    e.PhaseBegan: _phase_began,
    e.Entered: _entered,
    e.Ordered: _ordered,
    e.Formed: _formed,
    e.Reorganised: _reorganised,
    e.Paced: _paced,
    e.Moved: _moved,
    e.MovementEnded: _movement_ended,
    e.Observed: _observed,
    e.CombatBegan: _combat_began,
    e.Fired: _fired,
    e.Fought: _volley,
    e.CasualtiesTaken: _casualties_taken,
    e.Judged: _judged,
    e.Rallied: _rallied,
    e.Recovered: _recovered,
    e.Parted: _parted,
    e.Lost: _lost,
    e.Left: _left,
    e.TurnEnded: _turn_ended,
    e.Corrected: _corrected,
    e.BattleEnded: _battle_ended,
}
