"""Visibility of events: which of them a side learns of."""

from collections.abc import Iterable
from typing import Any

from battles.contract.brief import Side
from battles.core.handlers import Handlers
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import Combat, State, Unit
from campaign.rules.map import HexId
from campaign.rules.sight.knowledge import SideKnowledge, watch

PUBLIC = (
    e.MonthBegan
    | e.PhaseBegan
    | e.TurnEnded
    | e.BattlesArranged
    | e.RailBuilt
    | e.RailLost
    | e.Tallied
    | e.CampaignEnded
    | e.CombatBegan
    | e.Guided
    | e.Tested
    | e.HandedOver
    | e.Fought
    | e.CombatEnded
    | e.Captured
)
"""Events known to both sides: the calendar, the railways, and all combat."""

_OF_THE_TURN = (
    e.Settled | e.Postponed | e.ForceCalled | e.Stopped | e.MarchRolled | e.Flagged | e.DrawnOn
)
"""Events known only to the side whose turn it is."""


def learns_of(known: SideKnowledge, state: State, event: e.AnyEvent) -> bool:
    """Return whether the side learns of an event that is about to happen to the state.

    It learns of all events of its own. Of the enemy it learns what it sees unit by unit from
    beginning to end, and what happens in a combat.
    """
    if isinstance(event, PUBLIC):
        return True
    if isinstance(event, _OF_THE_TURN):
        return state.side is known.side
    return type(event) in _hears and _hears(state, event, known.side)


def _units(side: Side, state: State, ids: Iterable[UnitId], *ends: HexId) -> bool:
    """Return whether each unit is its own, in its combat, or in a hex where it counts units."""
    return _seen(side, state, board(state).named(ids), *ends)


def _seen(side: Side, state: State, units: Iterable[Unit], *ends: HexId) -> bool:
    strange = [unit for unit in units if unit.side is not side]
    if not strange:
        return True
    near = _near(state, side)
    told = all(unit.hex in near or _fights(state.combat, unit) for unit in strange)
    return told and all(hex_id in near for hex_id in ends)


def _near(state: State, side: Side) -> frozenset[HexId]:
    """Return the hexes where the side sees unit by unit."""
    return watch(state, side).near


def _fights(combat: Combat | None, unit: Unit) -> bool:
    return combat is not None and unit.id in combat.force(unit.side).units


_hears = Handlers[State, [Side], bool]("hearsay")


@_hears.on(
    e.Removed,
    e.Disrupted,
    e.Recovered,
    e.Boarded,
    e.DroppedOff,
    e.Mustered,
    e.MarchEnded,
    e.Wrecked,
)
def _of_units(state: State, event: Any, side: Side) -> bool:
    return _units(side, state, event.units)


@_hears.on(e.Arrived)
def _arrived(state: State, event: e.Arrived, side: Side) -> bool:
    return all(unit.side is side or unit.hex in _near(state, side) for unit in event.units)


@_hears.on(e.Moved, e.WentByRail, e.Sailed)
def _goes(state: State, event: Any, side: Side) -> bool:
    """Return whether the side sees the march that goes on, from its first hex to its last."""
    if state.march is None:
        return state.side is side
    return _units(side, state, state.march.units, *event.path)


@_hears.on(e.MarchBegan)
def _begins(state: State, event: e.MarchBegan, side: Side) -> bool:
    return _units(side, state, event.march.units)


@_hears.on(e.Retreated)
def _retreats(state: State, event: e.Retreated, side: Side) -> bool:
    return _units(side, state, event.units, event.path[-1])


@_hears.on(e.Deployed, e.SailedAway)
def _put(state: State, event: Any, side: Side) -> bool:
    return _units(side, state, event.units, event.hex)


@_hears.on(e.ControlChanged)
def _of_place(state: State, event: e.ControlChanged, side: Side) -> bool:
    """Return whether the place is gained or lost by the side, or in its sight."""
    held_before = state.control.get(event.place) is side
    return event.side is side or held_before or event.place in watch(state, side).seen


@_hears.on(e.Supplied)
def _of_stack(state: State, event: Any, side: Side) -> bool:
    return bool(board(state).stack(side, event.hex))


@_hears.on(e.EventRolled)
def _of_side(state: State, event: e.EventRolled, side: Side) -> bool:
    return event.side is side


@_hears.on(e.Lapsed)
def _lapsed(state: State, event: e.Lapsed, side: Side) -> bool:
    return state.in_force[event.place].side is side


@_hears.on(e.CameIntoForce)
def _in_force(state: State, event: e.CameIntoForce, side: Side) -> bool:
    return event.effect.side is side


@_hears.on(e.Waited)
def _waited(state: State, event: e.Waited, side: Side) -> bool:
    return all(unit.side is side for unit in event.due.units)


@_hears.on(e.Improved)
def _one(state: State, event: e.Improved, side: Side) -> bool:
    return _units(side, state, [event.unit])


@_hears.on(e.Thirsted)
def _thirsted(state: State, event: e.Thirsted, side: Side) -> bool:
    return event.side is side


@_hears.on(e.RulingGiven)
def _ruled(state: State, event: e.RulingGiven, side: Side) -> bool:
    """Return whether the umpire's ruling is addressed to the side."""
    return side in event.to
