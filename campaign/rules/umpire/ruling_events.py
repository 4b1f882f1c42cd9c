"""Changes that an umpire may make to a position, as events.

The resulting position is checked when the ruling is given.
"""

from collections.abc import Sequence

import msgspec

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.game import IllegalAction
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import CampaignResult, State, Unit
from campaign.rules.map import HexId
from campaign.rules.railways import lines
from campaign.rules.umpire.rulings import CAUSE, CLAUSE

MOST = 20
"""Limit of units added at once."""


class Recruit(msgspec.Struct, frozen=True):
    """Units to be added; without `quality` they are of the book's; leaders have a name."""

    kind: TroopKind
    nation: Nation
    count: int = 1
    quality: Quality = Quality.NONE
    name: str = ""


def move(state: State, units: Sequence[UnitId], hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """Return the events that move the units to that hex and give them control of its place."""
    moved = board(state).named(units)
    deployed = e.Deployed(tuple(units), hex_id)
    sides = {unit.side for unit in moved if is_land(unit)}
    taken = [side for side in sorted(sides) if _takes(state, side, hex_id)]
    return (deployed, *(e.ControlChanged(hex_id, side) for side in taken))


def _takes(state: State, side: Side, hex_id: HexId) -> bool:
    return hex_id in state.control and state.control[hex_id] is not side


def add(state: State, wanted: Recruit, hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """Return the events that add new units to that hex, in good order.

    Raise IllegalAction for more than twenty at once.
    """
    if not 1 <= wanted.count <= MOST:
        raise IllegalAction(CLAUSE, f"Add 1 to {MOST} units at a time.")
    standard = laws(state).default(wanted.kind, wanted.nation)
    quality = wanted.quality or standard.quality
    units = tuple(
        Unit(
            UnitId(state.next_unit + place),
            wanted.kind,
            wanted.nation,
            quality,
            standard.strength,
            hex_id,
            name=wanted.name.strip(),
        )
        for place in range(wanted.count)
    )
    taken = is_land(units[0]) and _takes(state, units[0].side, hex_id)
    control = (e.ControlChanged(hex_id, units[0].side),) if taken else ()
    return (e.Arrived(units, CAUSE), *control)


def remove(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that removes the units; Mahdist counters return to the pool (3.2)."""
    return (e.Removed(tuple(units), CAUSE),)


def disrupt(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that disrupts the units."""
    return (e.Disrupted(tuple(units), CAUSE),)


def recover(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that restores the units to good order."""
    return (e.Recovered(tuple(units)),)


def make(state: State, units: Sequence[UnitId], quality: Quality) -> tuple[e.AnyEvent, ...]:
    """Return the events that change the units' quality."""
    chosen = board(state).named(units)
    return tuple(e.Improved(unit.id, quality, unit.kind) for unit in chosen)


def give_place(state: State, hex_id: HexId, side: Side) -> tuple[e.AnyEvent, ...]:
    """Return the event that gives the place to the side. Raise IllegalAction without a place."""
    if hex_id not in state.control:
        raise IllegalAction("3.2", f"There is no place in {chart(state).describe(hex_id)}.")
    return (e.ControlChanged(hex_id, side),)


def lay_rails(state: State, track: str, hexes: int) -> tuple[e.AnyEvent, ...]:
    """Return the event that sets the length of the railway to `hexes`.

    Raise IllegalAction when there is no such railway, or no change.
    """
    if track not in lines(state):
        raise IllegalAction("3.4", f"There is no railway {track!r} in this scenario.")
    change = hexes - state.railheads.get(track, 0)
    if not change:
        raise IllegalAction("3.4", f"That railway runs for {hexes} hexes already.")
    return (e.RailBuilt(track, change) if change > 0 else e.RailLost(track, -change),)


def end(state: State, winner: Side | None, reason: str) -> tuple[e.AnyEvent, ...]:
    """Return the event that ends the campaign; it is drawn where `winner` is None."""
    return (e.CampaignEnded(CampaignResult(winner, reason.strip(), CLAUSE)),)
