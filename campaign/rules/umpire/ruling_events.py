"""What an umpire may do to the position, as the events that say so; whether it can be is checked
when it is ruled."""

from collections.abc import Sequence

import msgspec

from battles.contract.brief import Kind, Nation, Quality, Side
from battles.core.game import IllegalAction
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import CampaignResult, State, Unit
from campaign.rules.map import HexId
from campaign.rules.railways import lines
from campaign.rules.umpire.rulings import CAUSE, CLAUSE

MOST = 20
"""Units added at once."""


class Recruit(msgspec.Struct, frozen=True):
    """Units to be added: `quality` none is that of the book's own counters; leaders have names."""

    kind: Kind
    nation: Nation
    count: int = 1
    quality: Quality = Quality.NONE
    name: str = ""


def move(state: State, units: Sequence[UnitId], hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """The units stand in that hex; a place that is nobody else's there is theirs from now on."""
    moved = board(state).named(units)
    deployed = e.Deployed(tuple(units), hex_id)
    sides = {unit.side for unit in moved if is_land(unit)}
    taken = [side for side in sorted(sides) if _takes(state, side, hex_id)]
    return (deployed, *(e.ControlChanged(hex_id, side) for side in taken))


def _takes(state: State, side: Side, hex_id: HexId) -> bool:
    return hex_id in state.control and state.control[hex_id] is not side


def add(state: State, wanted: Recruit, hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """New units stand in that hex, in good order. IllegalAction for more than twenty at once."""
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
    """Return the units leave the map; Mahdist counters go back to the pile (3.2)."""
    return (e.Removed(tuple(units), CAUSE),)


def disrupt(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """The units are disrupted."""
    return (e.Disrupted(tuple(units), CAUSE),)


def recover(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """The units are in good order again."""
    return (e.Recovered(tuple(units)),)


def make(state: State, units: Sequence[UnitId], quality: Quality) -> tuple[e.AnyEvent, ...]:
    """The units are of that quality from now on."""
    chosen = board(state).named(units)
    return tuple(e.Improved(unit.id, quality, unit.kind) for unit in chosen)


def hand(state: State, hex_id: HexId, side: Side) -> tuple[e.AnyEvent, ...]:
    """The place counts as that side's. IllegalAction where there is no place."""
    if hex_id not in state.control:
        raise IllegalAction("3.2", f"There is no place in {chart(state).describe(hex_id)}.")
    return (e.ControlChanged(hex_id, side),)


def lay_rails(state: State, track: str, hexes: int) -> tuple[e.AnyEvent, ...]:
    """The railway runs for so many hexes; IllegalAction for one that there is not."""
    if track not in lines(state):
        raise IllegalAction("3.4", f"There is no railway {track!r} in this scenario.")
    change = hexes - state.railheads.get(track, 0)
    if not change:
        raise IllegalAction("3.4", f"That railway runs for {hexes} hexes already.")
    return (e.RailBuilt(track, change) if change > 0 else e.RailLost(track, -change),)


def end(state: State, winner: Side | None, reason: str) -> tuple[e.AnyEvent, ...]:
    """The campaign is over; nobody has won where `winner` is None."""
    return (e.CampaignEnded(CampaignResult(winner, reason.strip(), CLAUSE)),)
