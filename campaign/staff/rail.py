"""Trains: troops and convoys ride as far as the track helps them (8.22)."""

from collections.abc import Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.march.rail import stations
from campaign.rules.pieces import Kind
from campaign.rules.state import Unit
from campaign.staff.distances import Field
from campaign.staff.scene import Scene, ids, size

WORTH_BOARDING = 2
"""Points of the way that a ride has to save."""


def ride(scene: Scene, hex_id: HexId, units: Sequence[Unit], way: Field) -> a.Rail | None:
    """The train to the station nearest to where the units are going, if it takes them nearer."""
    if any(unit.kind is Kind.FLEET for unit in units):
        return None
    ends = stations(scene.state, scene.side, hex_id)
    best = min(ends, key=lambda end: (way[end] + _crowding(scene, end, units), end), default=hex_id)
    if way[hex_id] - way[best] - _crowding(scene, best, units) < WORTH_BOARDING:
        return None
    return a.Rail(ids(units), best)


def _crowding(scene: Scene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """What it weighs that the units may have to live at the station with those who are there."""
    mine = {unit.id for unit in units}
    there = [unit for unit in scene.board.land(scene.side, hex_id) if unit.id not in mine]
    return 3 * scene.thirst(hex_id, size(units) + size(there))
