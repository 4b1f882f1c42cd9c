"""Empty gunboats go to fetch those who wait beside the river to come where they lie (8.23)."""

from collections.abc import Sequence

from campaign.rules import actions as a
from campaign.rules.map import HexId
from campaign.rules.pieces import Side
from campaign.rules.state import Unit
from campaign.staff.plans import garrison_of, plans_of
from campaign.staff.river import Leg, danger, hulls_at, legs
from campaign.staff.scene import Scene, ids

GUARD = 2
"""Gunboats that stay with their station, where small bodies gather."""

PASSENGER = 3.0
"""What it is worth to fetch a fighter, in points of the way."""

FEWEST = 2
"""Passengers for whom a voyage is made."""


def fetch(scene: Scene, hex_id: HexId) -> a.Sail | None:
    """The voyage of the gunboats of the station to the quay where most passengers wait."""
    station = scene.hex(plans_of(scene.state).gather_at)
    if scene.side is Side.MAHDIST or hex_id != station or scene.besieged(hex_id):
        return None
    waiting = _waiting(scene, hex_id)
    hulls = hulls_at(scene, hex_id)[:-GUARD]
    if not hulls or not waiting:
        return None
    best, gain = None, 0.0
    for leg in legs(scene, hex_id, hulls):
        worth = _worth(scene, leg, hulls, waiting.get(leg.path[-1], 0))
        if worth > gain:
            best, gain = leg, worth
    if best is None:
        return None
    return a.Sail(ids(hulls[: waiting[best.path[-1]]]), best.path)


def _waiting(scene: Scene, station: HexId) -> dict[HexId, int]:
    """The quays with fighters whom the place can spare, who are far from the station by land."""
    way = scene.way_to(station)
    found = {}
    for quay, host in scene.hosts.items():
        spare = len(host) - garrison_of(scene, quay).keep
        beside = quay in scene.ground.river_moves and not hulls_at(scene, quay)
        if beside and spare >= FEWEST and way[quay] > FAR_BY_LAND and not scene.besieged(quay):
            found[quay] = spare
    return found


FAR_BY_LAND = 10
"""Points from which nobody waits for a boat."""


def _worth(scene: Scene, leg: Leg, hulls: Sequence[Unit], waiting: int) -> float:
    """Passengers fetched, less the wrecks of going there and coming back."""
    carried = min(waiting, len(hulls))
    return carried * (PASSENGER - 2 * danger(scene, leg, hulls) / 5) if carried else 0.0
