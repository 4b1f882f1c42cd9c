"""Effect of each event on the state. Nothing else changes the state."""

from collections.abc import Collection, Iterable

import msgspec

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from battles.core.game import record_agenda
from battles.core.rules_engine import Handlers
from campaign.rules.core import events as e
from campaign.rules.core.board import will_change
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import (
    Combat,
    CombatForce,
    HandOff,
    Phase,
    State,
    Unit,
    current_combat,
    current_march,
    player_turn,
)
from campaign.rules.map import HexId

evolve = Handlers[State, [], None]("evolve")
"""Apply an event to the state; the same events from the same state give the same bytes."""


evolve.on(e.AgendaRecorded)(record_agenda)


@evolve.on(e.MonthBegan)
def _month_began(state: State, event: e.MonthBegan) -> None:
    state.month = event.month


@evolve.on(e.PhaseBegan)
def _phase_began(state: State, event: e.PhaseBegan) -> None:
    state.side, state.phase = event.side, event.phase


@evolve.on(e.TurnEnded)
def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.in_force = [effect for effect in state.in_force if effect.side is not event.side]
    state.marched, state.hulls_used = [], []


@evolve.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> None:
    _move(state, event.units, event.hex)


@evolve.on(e.Arrived)
def _arrived(state: State, event: e.Arrived) -> None:
    for unit in event.units:
        state.units[unit.id] = msgspec.structs.replace(unit)
        state.next_unit = max(state.next_unit, unit.id + 1)
        _take_counter(state, unit)
        _note_move(state, unit.id)
        state.vacant = [place for place in state.vacant if place != unit.hex]
    will_change(state, [unit.id for unit in event.units], roster=True)


@evolve.on(e.Waited)
def _waited(state: State, event: e.Waited) -> None:
    state.due.append(event.due)
    state.next_unit = max([state.next_unit, *(unit.id + 1 for unit in event.due.units)])
    for unit in event.due.units:
        _take_counter(state, unit)


@evolve.on(e.Settled)
def _settled(state: State, event: e.Settled) -> None:
    due = state.due[event.group]
    # Counters of units that are placed are taken again by the Arrived event that follows.
    for unit in due.units:
        if unit.id in event.units:
            _return_counter(state, unit)
    left = tuple(unit for unit in due.units if unit.id not in event.units)
    if left:
        state.due[event.group] = msgspec.structs.replace(due, units=left)
    else:
        del state.due[event.group]


@evolve.on(e.Postponed)
def _postponed(state: State, event: e.Postponed) -> None:
    state.due[event.group] = msgspec.structs.replace(state.due[event.group], month=event.month)


@evolve.on(e.Removed)
def _removed(state: State, event: e.Removed) -> None:
    gone = set(event.units)
    will_change(state, event.units, roster=True)
    for unit_id in event.units:
        unit = state.units.pop(unit_id)
        _return_counter(state, unit)
        _strike(state, unit)
    _forget_ids(state, gone)


def _strike(state: State, unit: Unit) -> None:
    if state.combat is not None and unit.id in state.combat.force(unit.side).units:
        state.combat.force(unit.side).destroyed.append(unit)


def _forget_ids(state: State, gone: set[UnitId]) -> None:
    state.marched = _without(state.marched, gone)
    state.hulls_used = _without(state.hulls_used, gone)
    state.drawn_on = _without(state.drawn_on, gone)
    if state.hand_off is not None:
        for unit_id in gone & state.hand_off.moved.keys():
            del state.hand_off.moved[unit_id]
    if state.march is not None:
        state.march.units = _without(state.march.units, gone)


def _without(ids: Iterable[UnitId], gone: set[UnitId]) -> list[UnitId]:
    return [unit_id for unit_id in ids if unit_id not in gone]


@evolve.on(e.Disrupted)
def _disrupted(state: State, event: e.Disrupted) -> None:
    will_change(state, event.units)
    for unit_id in event.units:
        state.units[unit_id].disrupted = True


@evolve.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> None:
    will_change(state, event.units)
    for unit_id in event.units:
        state.units[unit_id].disrupted = False


@evolve.on(e.Improved)
def _improved(state: State, event: e.Improved) -> None:
    will_change(state, (event.unit,))
    unit = state.units[event.unit]
    _return_counter(state, unit)
    unit.quality, unit.kind = event.quality, event.kind
    _take_counter(state, unit)


@evolve.on(e.MarchBegan)
def _march_began(state: State, event: e.MarchBegan) -> None:
    march = event.march
    state.march = msgspec.structs.replace(march, units=list(march.units), route=list(march.route))


@evolve.on(e.MarchRolled)
def _march_rolled(state: State, event: e.MarchRolled) -> None:
    march = current_march(state)
    march.marches += 1
    march.points, march.rolled = event.points, True


@evolve.on(e.Moved)
def _moved(state: State, event: e.Moved) -> None:
    march = current_march(state)
    march.points -= event.cost
    march.route.extend(event.path)
    _move(state, march.units, event.path[-1])


@evolve.on(e.WentByRail)
def _went_by_rail(state: State, event: e.WentByRail) -> None:
    march = current_march(state)
    march.marches += not event.onward
    march.points, march.rolled = 0, False
    march.route.extend(event.path)
    _move(state, march.units, event.path[-1])


@evolve.on(e.Sailed)
def _sailed(state: State, event: e.Sailed) -> None:
    march = current_march(state)
    if not march.sailed:
        march.marches += 1
    march.points, march.rolled = 0, False
    march.sailed = True
    state.hulls_used.extend(hull for hull in event.hulls if hull not in state.hulls_used)
    march.route.extend(event.path)
    if event.path:
        _move(state, march.units, event.path[-1])


@evolve.on(e.Boarded)
def _boarded(state: State, event: e.Boarded) -> None:
    current_march(state).units.extend(event.units)


@evolve.on(e.SailedAway)
def _sailed_away(state: State, event: e.SailedAway) -> None:
    _move(state, event.units, event.hex)


@evolve.on(e.DroppedOff)
def _dropped_off(state: State, event: e.DroppedOff) -> None:
    march = current_march(state)
    march.units = _without(march.units, set(event.units))
    state.marched.extend(event.units)


@evolve.on(e.Stopped)
def _stopped(state: State, event: e.Stopped) -> None:
    march = current_march(state)
    march.points, march.may_go_on = 0, False


@evolve.on(e.Mustered)
def _mustered(state: State, event: e.Mustered) -> None:
    state.marched.extend(event.units)


@evolve.on(e.MarchEnded)
def _march_ended(state: State, event: e.MarchEnded) -> None:
    state.marched.extend(event.units)
    state.march = None


@evolve.on(e.CombatBegan)
def _combat_began(state: State, event: e.CombatBegan) -> None:
    state.combat = Combat(
        CombatForce(event.side, event.attacker, list(event.attacking)),
        CombatForce(event.side.enemy, event.defender, list(event.defending)),
        event.sortie,
    )


@evolve.on(e.Guided)
def _guided(state: State, event: e.Guided) -> None:
    force = current_combat(state).force(event.side)
    force.leader, force.helps = event.leader, event.combat_round


@evolve.on(e.HandedOver)
def _handed_over(state: State, event: e.HandedOver) -> None:
    _hand_off(state).battles += 1


@evolve.on(e.BattlesArranged)
def _battles_arranged(state: State, event: e.BattlesArranged) -> None:
    if state.hand_off is None:
        state.hand_off = HandOff(event.resolution, since=player_turn(state))
    arranged = state.hand_off
    arranged.resolution, arranged.fallback = event.resolution, event.fallback
    arranged.timeout_days, arranged.signed = event.timeout_days, event.signed
    arranged.book = event.book


def _hand_off(state: State) -> HandOff:
    if state.hand_off is None:
        raise ValueError("No battle of this campaign is handed over.")
    return state.hand_off


@evolve.on(
    e.RulingGiven, e.Wrecked, e.Tested, e.Fought, e.Captured, e.Supplied, e.Thirsted, e.EventRolled
)
def _no_state_change(state: State, event: object) -> None:
    """Change nothing: the effects of these events follow as events of their own."""


@evolve.on(e.CombatEnded)
def _combat_ended(state: State, event: e.CombatEnded) -> None:
    state.combat = None


@evolve.on(e.Retreated)
def _retreated(state: State, event: e.Retreated) -> None:
    _move(state, event.units, event.path[-1])


@evolve.on(e.ControlChanged)
def _control_changed(state: State, event: e.ControlChanged) -> None:
    state.control[event.place] = event.side
    state.vacant = [place for place in state.vacant if place != event.place]


@evolve.on(e.DrawnOn)
def _drawn_on(state: State, event: e.DrawnOn) -> None:
    state.drawn_on.append(event.source)


@evolve.on(e.CameIntoForce)
def _came_into_force(state: State, event: e.CameIntoForce) -> None:
    state.in_force.append(event.effect)


@evolve.on(e.Lapsed)
def _lapsed(state: State, event: e.Lapsed) -> None:
    del state.in_force[event.place]


@evolve.on(e.ForceCalled)
def _force_called(state: State, event: e.ForceCalled) -> None:
    state.called.append(event.name)


@evolve.on(e.RailBuilt)
def _rail_built(state: State, event: e.RailBuilt) -> None:
    state.railheads[event.track] = state.railheads.get(event.track, 0) + event.hexes


@evolve.on(e.RailLost)
def _rail_lost(state: State, event: e.RailLost) -> None:
    state.railheads[event.track] -= event.hexes


@evolve.on(e.Tallied)
def _tallied(state: State, event: e.Tallied) -> None:
    state.tallies[event.name] = event.count


@evolve.on(e.Flagged)
def _flagged(state: State, event: e.Flagged) -> None:
    state.flags.append(event.flag)


@evolve.on(e.CampaignEnded)
def _campaign_ended(state: State, event: e.CampaignEnded) -> None:
    state.result, state.score, state.phase = event.result, event.score, Phase.OVER
    state.march = state.combat = None


def _move(state: State, units: Collection[UnitId], to: HexId) -> None:
    will_change(state, units)
    for unit_id in units:
        state.units[unit_id].hex = to
        _note_move(state, unit_id)


def _note_move(state: State, unit_id: UnitId) -> None:
    """Record when the unit moved: a unit that stays long enough is entrenched in a battle."""
    if state.hand_off is not None and state.phase is not Phase.SET_UP:
        state.hand_off.moved[unit_id] = player_turn(state)


def _take_counter(state: State, unit: Unit) -> None:
    """Take a Mahdist counter from the pool while it has one, else from the box."""
    if _is_counted(unit):
        pile = state.pool if state.pool.get(unit.kind, 0) > 0 else state.box
        _count(pile, unit.kind, -1)


def _return_counter(state: State, unit: Unit) -> None:
    """Return a Mahdist counter to the pool (3.2), or craft, which are not drawn, to the box."""
    if _is_counted(unit):
        _count(state.box if unit.kind in RIVER_CRAFT else state.pool, unit.kind, 1)


def _is_counted(unit: Unit) -> bool:
    return unit.side is Side.MAHDIST and unit.kind is not TroopKind.LEADER


def _count(counts: dict[TroopKind, int], kind: TroopKind, by: int) -> None:
    counts[kind] = counts.get(kind, 0) + by
