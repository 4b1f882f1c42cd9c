"""The effect of each event on the state, the only place where a battle changes."""

import msgspec

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.pieces import Does, Rate
from battles.books.fuzzy_wuzzy.state import State, Unit, Volley
from battles.core.game import record_agenda
from battles.core.rules_engine import Handlers

REMEMBERED = 4
"""The number of past moves that limit moves at the double."""
_PACE = {Rate.STATIONARY: 0, Rate.MARCH: 1, Rate.DOUBLE: 2, Rate.CHARGE: 3}


evolve = Handlers[State, [], None]("evolve")
"""Apply an event to the state. It is deterministic: a replay gives the same bytes."""

evolve.on(e.AgendaRecorded)(record_agenda)


@evolve.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> None:
    unit = state.units[event.unit]
    unit.at, unit.facing, unit.formation = event.at, event.facing, event.formation


@evolve.on(e.TurnBegan)
def _turn_began(state: State, event: e.TurnBegan) -> None:
    state.turn, state.first = event.turn, event.first
    state.engaged = list(event.engaged)
    state.orders, state.paces, state.moved = {}, {}, {}
    state.closed, state.surprises = [], []
    state.fired, state.volleys = {}, []
    state.fought, state.retreated = [], []


@evolve.on(e.PhaseBegan)
def _phase_began(state: State, event: e.PhaseBegan) -> None:
    state.phase = event.phase


@evolve.on(e.Entered)
def _entered(state: State, event: e.Entered) -> None:
    post = state.waiting.pop(event.unit)
    unit = state.units[event.unit]
    unit.at, unit.facing, unit.formation = event.at, post.facing, post.formation


@evolve.on(e.Ordered)
def _ordered(state: State, event: e.Ordered) -> None:
    for order in event.orders:
        state.orders[order.unit] = order


@evolve.on(e.Formed)
def _formed(state: State, event: e.Formed) -> None:
    unit = state.units[event.unit]
    unit.formation, unit.dismounted = event.formation, event.dismounted


@evolve.on(e.Reorganised)
def _reorganised(state: State, event: e.Reorganised) -> None:
    state.units[event.unit].markers = event.markers


@evolve.on(e.Paced)
def _paced(state: State, event: e.Paced) -> None:
    state.paces.update(zip(event.units, event.lengths, strict=True))


@evolve.on(e.Moved)
def _moved(state: State, event: e.Moved) -> None:
    unit = state.units[event.unit]
    if event.to != unit.at or event.target:
        before = state.moved.get(event.unit, Rate.STATIONARY)
        state.moved[event.unit] = max(before, event.rate, key=lambda rate: _PACE[rate])
    unit.at, unit.facing = event.to, event.facing
    if event.target:
        state.closed += (event.unit, event.target)
    if event.cause == "retreat":
        state.retreated.append(event.unit)
    elif event.unit in state.paces:
        left = state.paces[event.unit] - event.cost
        state.paces[event.unit] = 0 if event.target else max(0, left)


@evolve.on(e.MovementEnded)
def _movement_ended(state: State, event: e.MovementEnded) -> None:
    state.paces = {}
    for unit in state.units.values():
        unit.owes, unit.leave, unit.halted = None, None, False


@evolve.on(e.Observed)
def _observed(state: State, event: e.Observed) -> None:
    for number in event.units:
        state.units[number].seen = True
    if event.cause == "contact":
        state.surprises.extend(event.units)


@evolve.on(e.CombatBegan)
def _combat_began(state: State, event: e.CombatBegan) -> None:
    state.combat, state.volleys = event.combat, []


@evolve.on(e.Fired)
def _fired(state: State, event: e.Fired) -> None:
    state.fired[event.unit] = (*state.fired.get(event.unit, ()), *event.stands)
    _volley(state, event)


@evolve.on(e.Fought)
def _fought(state: State, event: e.Fought) -> None:
    _volley(state, event)


def _volley(state: State, event: e.Fired | e.Fought) -> None:
    state.volleys.append(Volley(event.unit, event.target, event.casualties))
    for number in (event.unit, event.target):
        if number not in state.fought:
            state.fought.append(number)


@evolve.on(e.CasualtiesTaken)
def _casualties_taken(state: State, event: e.CasualtiesTaken) -> None:
    state.units[event.unit].markers = event.markers


@evolve.on(e.Judged)
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


@evolve.on(e.Rallied)
def _rallied(state: State, event: e.Rallied) -> None:
    unit = state.units[event.unit]
    unit.rallied += event.stands
    if event.whole:
        unit.retreating, unit.rallied, unit.threat = False, 0, None


@evolve.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> None:
    state.units[event.unit].markers = event.markers


@evolve.on(e.Parted)
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
    unit.full -= part.full
    state.units[event.part] = part
    state.next_id = event.part + 1


@evolve.on(e.Lost)
def _lost(state: State, event: e.Lost) -> None:
    state.lost.append(_take_off_field(state, event.unit))


@evolve.on(e.Left)
def _left(state: State, event: e.Left) -> None:
    state.left.append(_take_off_field(state, event.unit))


@evolve.on(e.TurnEnded)
def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.wavering = list(event.wavering)
    for number, unit in state.units.items():
        rate = state.moved.get(number, Rate.STATIONARY)
        unit.before = (*unit.before, rate)[-REMEMBERED:]


@evolve.on(e.Corrected)
def _corrected(state: State, event: e.Corrected) -> None:
    unit = msgspec.structs.replace(event.now)
    state.units[unit.id] = unit
    if not unit.markers:
        state.lost.append(_take_off_field(state, unit.id))


@evolve.on(e.BattleEnded)
def _battle_ended(state: State, event: e.BattleEnded) -> None:
    state.result = event.result


def _take_off_field(state: State, number: int) -> Unit:
    state.waiting.pop(number, None)
    state.orders.pop(number, None)
    state.paces.pop(number, None)
    return state.units.pop(number)
