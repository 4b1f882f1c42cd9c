"""Which events a side gets to know of."""

from collections.abc import Callable, Iterable
from typing import Any

from campaign.rules import events as e
from campaign.rules.board import board
from campaign.rules.map import HexId
from campaign.rules.pieces import Side, UnitId
from campaign.rules.sight.knowledge import Knowledge
from campaign.rules.sight.watching import watch
from campaign.rules.state import Combat, State, Unit

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
"""What both sides know of: the calendar, the railways, and whatever they do to each other."""

_OF_THE_TURN = (
    e.Settled | e.Postponed | e.ForceCalled | e.Stopped | e.MarchRolled | e.Flagged | e.DrawnOn
)
"""What the side whose turn it is alone knows of."""


def knows(known: Knowledge, state: State, event: e.AnyEvent) -> bool:
    """Whether the side gets to know of an event that is about to happen to the state.

    Of the enemy it knows what it sees unit by unit from beginning to end, and what happens in a
    combat; of its own side everything.
    """
    if isinstance(event, PUBLIC):
        return True
    if isinstance(event, _OF_THE_TURN):
        return state.side is known.side
    test = _TESTS.get(type(event))
    return test is not None and test(known.side, state, event)


def _units(side: Side, state: State, ids: Iterable[UnitId], *ends: HexId) -> bool:
    """Whether all of the units are its own, in its fight, or counted by it where they are."""
    return _seen(side, state, board(state).named(ids), *ends)


def _seen(side: Side, state: State, units: Iterable[Unit], *ends: HexId) -> bool:
    strange = [unit for unit in units if unit.side is not side]
    if not strange:
        return True
    near = _near(state, side)
    told = all(unit.hex in near or _fights(state.combat, unit) for unit in strange)
    return told and all(hex_id in near for hex_id in ends)


def _near(state: State, side: Side) -> frozenset[HexId]:
    """The hexes where the side counts heads."""
    return watch(state, side).near


def _fights(combat: Combat | None, unit: Unit) -> bool:
    return combat is not None and unit.id in combat.force(unit.side).units


def _of_units(side: Side, state: State, event: Any) -> bool:
    return _units(side, state, event.units)


def _arrived(side: Side, state: State, event: e.Arrived) -> bool:
    return all(unit.side is side or unit.hex in _near(state, side) for unit in event.units)


def _goes(side: Side, state: State, event: Any) -> bool:
    """A march that goes on: known from its first hex to its last."""
    if state.march is None:
        return state.side is side
    return _units(side, state, state.march.units, *event.path)


def _begins(side: Side, state: State, event: e.MarchBegan) -> bool:
    return _units(side, state, event.march.units)


def _retreats(side: Side, state: State, event: e.Retreated) -> bool:
    return _units(side, state, event.units, event.path[-1])


def _put(side: Side, state: State, event: Any) -> bool:
    return _units(side, state, event.units, event.hex)


def _of_place(side: Side, state: State, event: e.ControlChanged) -> bool:
    """Its own gains and losses, and what it sees from afar."""
    held_before = state.control.get(event.place) is side
    return event.side is side or held_before or event.place in watch(state, side).seen


def _of_stack(side: Side, state: State, event: Any) -> bool:
    return bool(board(state).stack(side, event.hex))


def _of_side(side: Side, state: State, event: e.EventRolled) -> bool:
    return event.side is side


def _lapsed(side: Side, state: State, event: e.Lapsed) -> bool:
    return state.in_force[event.place].side is side


def _in_force(side: Side, state: State, event: e.CameIntoForce) -> bool:
    return event.effect.side is side


def _waited(side: Side, state: State, event: e.Waited) -> bool:
    return all(unit.side is side for unit in event.due.units)


def _one(side: Side, state: State, event: e.Improved) -> bool:
    return _units(side, state, [event.unit])


def _thirsted(side: Side, state: State, event: e.Thirsted) -> bool:
    return event.side is side


def _ruled(side: Side, state: State, event: e.RulingGiven) -> bool:
    """A ruling of the umpire's, told to those it is meant for."""
    return side in event.to


_TESTS: dict[type, Callable[[Side, State, Any], bool]] = {
    e.Deployed: _put,
    e.Arrived: _arrived,
    e.Waited: _waited,
    e.Removed: _of_units,
    e.Disrupted: _of_units,
    e.Recovered: _of_units,
    e.Improved: _one,
    e.MarchBegan: _begins,
    e.Moved: _goes,
    e.WentByRail: _goes,
    e.Sailed: _goes,
    e.Boarded: _of_units,
    e.SailedAway: _put,
    e.DroppedOff: _of_units,
    e.Mustered: _of_units,
    e.MarchEnded: _of_units,
    e.Wrecked: _of_units,
    e.Retreated: _retreats,
    e.ControlChanged: _of_place,
    e.Supplied: _of_stack,
    e.Thirsted: _thirsted,
    e.EventRolled: _of_side,
    e.CameIntoForce: _in_force,
    e.Lapsed: _lapsed,
    e.RulingGiven: _ruled,
}
