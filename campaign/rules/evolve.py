"""What each event does to the state: one short function a kind, and the only ones that may."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from campaign.rules import events as e
from campaign.rules.board import forget
from campaign.rules.map import HexId
from campaign.rules.pieces import RIVER_CRAFT, Kind, Side, UnitId
from campaign.rules.state import (
    Combat,
    Force,
    HandOff,
    Phase,
    State,
    Unit,
    fought,
    on_march,
    player_turn,
)


def evolve(state: State, event: e.AnyEvent) -> None:
    """The state after the event; the same events from the same state give the same bytes."""
    _EFFECTS[type(event)](state, event)


def _stands(state: State, event: e.Stands) -> None:
    state.agenda = list(event.agenda)
    state.question = event.question


def _month_began(state: State, event: e.MonthBegan) -> None:
    state.month = event.month


def _phase_began(state: State, event: e.PhaseBegan) -> None:
    state.side, state.phase = event.side, event.phase


def _turn_ended(state: State, event: e.TurnEnded) -> None:
    state.in_force = [effect for effect in state.in_force if effect.side is not event.side]
    state.marched, state.hulls_used = [], []


def _deployed(state: State, event: e.Deployed) -> None:
    _move(state, event.units, event.hex)


def _arrived(state: State, event: e.Arrived) -> None:
    for unit in event.units:
        state.units[unit.id] = msgspec.structs.replace(unit)
        state.next_unit = max(state.next_unit, unit.id + 1)
        _take_counter(state, unit)
        _note_move(state, unit.id)
    forget(state)


def _waited(state: State, event: e.Waited) -> None:
    state.due.append(event.due)
    state.next_unit = max([state.next_unit, *(unit.id + 1 for unit in event.due.units)])
    for unit in event.due.units:
        _take_counter(state, unit)


def _settled(state: State, event: e.Settled) -> None:
    due = state.due[event.group]
    for unit in due.units:
        if unit.id in event.units:
            _return_counter(state, unit)
    left = tuple(unit for unit in due.units if unit.id not in event.units)
    if left:
        state.due[event.group] = msgspec.structs.replace(due, units=left)
    else:
        del state.due[event.group]


def _postponed(state: State, event: e.Postponed) -> None:
    state.due[event.group] = msgspec.structs.replace(state.due[event.group], month=event.month)


def _removed(state: State, event: e.Removed) -> None:
    gone = set(event.units)
    for unit_id in event.units:
        unit = state.units.pop(unit_id)
        _return_counter(state, unit)
        _strike(state, unit)
    _forget_ids(state, gone)
    forget(state)


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


def _disrupted(state: State, event: e.Disrupted) -> None:
    for unit_id in event.units:
        state.units[unit_id].disrupted = True
    forget(state)


def _recovered(state: State, event: e.Recovered) -> None:
    for unit_id in event.units:
        state.units[unit_id].disrupted = False
    forget(state)


def _improved(state: State, event: e.Improved) -> None:
    unit = state.units[event.unit]
    _return_counter(state, unit)
    unit.quality, unit.kind = event.quality, event.kind
    _take_counter(state, unit)
    forget(state)


def _march_began(state: State, event: e.MarchBegan) -> None:
    march = event.march
    state.march = msgspec.structs.replace(march, units=list(march.units), route=list(march.route))


def _march_rolled(state: State, event: e.MarchRolled) -> None:
    march = on_march(state)
    march.marches += 1
    march.points, march.rolled = event.points, True


def _moved(state: State, event: e.Moved) -> None:
    march = on_march(state)
    march.points -= event.cost
    march.route.extend(event.path)
    _move(state, march.units, event.path[-1])


def _went_by_rail(state: State, event: e.WentByRail) -> None:
    march = on_march(state)
    march.marches += 1
    march.points, march.rolled = 0, False
    march.route.extend(event.path)
    _move(state, march.units, event.path[-1])


def _sailed(state: State, event: e.Sailed) -> None:
    march = on_march(state)
    if not march.sailed:
        march.marches += 1
    march.points, march.rolled = 0, False
    march.sailed = True
    state.hulls_used.extend(hull for hull in event.hulls if hull not in state.hulls_used)
    march.route.extend(event.path)
    if event.path:
        _move(state, march.units, event.path[-1])


def _boarded(state: State, event: e.Boarded) -> None:
    on_march(state).units.extend(event.units)


def _sailed_away(state: State, event: e.SailedAway) -> None:
    _move(state, event.units, event.hex)


def _dropped_off(state: State, event: e.DroppedOff) -> None:
    march = on_march(state)
    march.units = _without(march.units, set(event.units))
    state.marched.extend(event.units)


def _stopped(state: State, event: e.Stopped) -> None:
    march = on_march(state)
    march.points, march.may_go_on = 0, False


def _mustered(state: State, event: e.Mustered) -> None:
    state.marched.extend(event.units)


def _march_ended(state: State, event: e.MarchEnded) -> None:
    state.marched.extend(event.units)
    state.march = None


def _combat_began(state: State, event: e.CombatBegan) -> None:
    state.combat = Combat(
        Force(event.side, event.attacker, list(event.attacking)),
        Force(event.side.enemy, event.defender, list(event.defending)),
        event.sortie,
    )


def _guided(state: State, event: e.Guided) -> None:
    force = fought(state).force(event.side)
    force.leader, force.leads = event.leader, event.stage


def _handed_over(state: State, event: e.HandedOver) -> None:
    _hand_off(state).battles += 1


def _battles_arranged(state: State, event: e.BattlesArranged) -> None:
    if state.hand_off is None:
        state.hand_off = HandOff(event.way, since=player_turn(state))
    arranged = state.hand_off
    arranged.way, arranged.fallback = event.way, event.fallback
    arranged.days, arranged.signed = event.days, event.signed


def _hand_off(state: State) -> HandOff:
    if state.hand_off is None:
        raise ValueError("No battle of this campaign is handed over.")
    return state.hand_off


def _told(state: State, event: object) -> None:
    """Some events only tell: what they lead to follows as events of its own."""


def _combat_ended(state: State, event: e.CombatEnded) -> None:
    state.combat = None


def _retreated(state: State, event: e.Retreated) -> None:
    _move(state, event.units, event.path[-1])


def _control_changed(state: State, event: e.ControlChanged) -> None:
    state.control[event.place] = event.side


def _drawn_on(state: State, event: e.DrawnOn) -> None:
    state.drawn_on.append(event.source)


def _came_into_force(state: State, event: e.CameIntoForce) -> None:
    state.in_force.append(event.effect)


def _lapsed(state: State, event: e.Lapsed) -> None:
    del state.in_force[event.place]


def _force_called(state: State, event: e.ForceCalled) -> None:
    state.called.append(event.name)


def _rail_built(state: State, event: e.RailBuilt) -> None:
    state.railheads[event.track] = state.railheads.get(event.track, 0) + event.hexes


def _rail_lost(state: State, event: e.RailLost) -> None:
    state.railheads[event.track] -= event.hexes


def _tallied(state: State, event: e.Tallied) -> None:
    state.tallies[event.name] = event.count


def _flagged(state: State, event: e.Flagged) -> None:
    state.flags.append(event.flag)


def _campaign_ended(state: State, event: e.CampaignEnded) -> None:
    state.result, state.phase = event.result, Phase.OVER
    state.march = state.combat = None


def _move(state: State, units: Iterable[UnitId], to: HexId) -> None:
    for unit_id in units:
        state.units[unit_id].hex = to
        _note_move(state, unit_id)
    forget(state)


def _note_move(state: State, unit_id: UnitId) -> None:
    """Whoever stands somewhere long enough has dug himself in by the time of a battle."""
    if state.hand_off is not None and state.phase is not Phase.SET_UP:
        state.hand_off.moved[unit_id] = player_turn(state)


def _take_counter(state: State, unit: Unit) -> None:
    """A Mahdist counter is spoken for: from the pile while it has one, else from beside it."""
    if _is_counted(unit):
        pile = state.pool if state.pool.get(unit.kind, 0) > 0 else state.box
        _count(pile, unit.kind, -1)


def _return_counter(state: State, unit: Unit) -> None:
    """A Mahdist counter goes to the pile (3.2); craft, which are not drawn, go beside it."""
    if _is_counted(unit):
        _count(state.box if unit.kind in RIVER_CRAFT else state.pool, unit.kind, 1)


def _is_counted(unit: Unit) -> bool:
    return unit.side is Side.MAHDIST and unit.kind is not Kind.LEADER


def _count(counts: dict[Kind, int], kind: Kind, by: int) -> None:
    counts[kind] = counts.get(kind, 0) + by


_EFFECTS: dict[type, Callable[[State, Any], None]] = {
    e.Stands: _stands,
    e.RulingGiven: _told,
    e.MonthBegan: _month_began,
    e.PhaseBegan: _phase_began,
    e.TurnEnded: _turn_ended,
    e.Deployed: _deployed,
    e.Arrived: _arrived,
    e.Waited: _waited,
    e.Settled: _settled,
    e.Postponed: _postponed,
    e.Removed: _removed,
    e.Disrupted: _disrupted,
    e.Recovered: _recovered,
    e.Improved: _improved,
    e.MarchBegan: _march_began,
    e.MarchRolled: _march_rolled,
    e.Moved: _moved,
    e.WentByRail: _went_by_rail,
    e.Sailed: _sailed,
    e.Boarded: _boarded,
    e.SailedAway: _sailed_away,
    e.DroppedOff: _dropped_off,
    e.Stopped: _stopped,
    e.Mustered: _mustered,
    e.MarchEnded: _march_ended,
    e.Wrecked: _told,
    e.CombatBegan: _combat_began,
    e.Guided: _guided,
    e.Tested: _told,
    e.HandedOver: _handed_over,
    e.Fought: _told,
    e.BattlesArranged: _battles_arranged,
    e.CombatEnded: _combat_ended,
    e.Retreated: _retreated,
    e.Captured: _told,
    e.ControlChanged: _control_changed,
    e.Supplied: _told,
    e.DrawnOn: _drawn_on,
    e.Thirsted: _told,
    e.EventRolled: _told,
    e.CameIntoForce: _came_into_force,
    e.Lapsed: _lapsed,
    e.ForceCalled: _force_called,
    e.RailBuilt: _rail_built,
    e.RailLost: _rail_lost,
    e.Tallied: _tallied,
    e.Flagged: _flagged,
    e.CampaignEnded: _campaign_ended,
}
