"""Transport by river and rail: voyages, gunboats that fetch passengers, trains (8.22, 8.23).

The cost of likely wrecks counts against a voyage: a cataract wrecks one gunboat in six, one boat in
thirty-six.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import RIVER_CRAFT, Nation, Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId, Map, Nav
from campaign.rules.march.land import stations
from campaign.rules.march.reach import forbidden
from campaign.rules.march.river import best_step, is_shut_crossing
from campaign.rules.stacks import allowance, countable_units
from campaign.rules.tables.book import CampaignTables
from campaign.staff.columns import chance_of_no_march
from campaign.staff.scene import Field, StaffScene, ids, size

HULL = 20.0
"""The movement points that the wreck of all hulls weighs."""


class Leg(NamedTuple):
    """A way along the river: its hexes, how many on calm and rough water, and its cataracts.

    `along`: it has not changed the bank.
    """

    path: tuple[HexId, ...] = ()
    calm: int = 0
    rough: int = 0
    cataracts: int = 0
    along: bool = True


def voyage(scene: StaffScene, hex_id: HexId, units: Sequence[Unit], way: Field) -> a.Sail | None:
    """Return the voyage of these units in the hulls beside them, if it is the quicker way."""
    aboard = countable_units(units)
    hulls = hulls_at(scene, hex_id)[: len(aboard)]
    if not aboard or len(hulls) < len(aboard) or any(map(_keeps_ashore, units)):
        return None
    best, score = None, way[hex_id] - _on_foot(scene, units)
    for leg in legs(scene, hex_id, hulls, _besieged_places(scene)):
        if way[leg.path[-1]] >= score:
            continue
        cost = way[leg.path[-1]] + danger(scene, leg, hulls)
        if cost < score:
            cost += 5 * scene.thirst(leg.path[-1], size(units))
        if cost < score:
            best, score = leg, cost
    return a.Sail((*ids(units), *ids(hulls)), best.path) if best else None


def _besieged_places(scene: StaffScene) -> frozenset[HexId]:
    """Return this side's besieged places, which no unit may join (9.12)."""
    occupied = scene.board.occupied[scene.side]
    return frozenset(hex_id for hex_id in occupied if scene.besieged(hex_id))


def _keeps_ashore(unit: Unit) -> bool:
    return unit.kind in (TroopKind.CIVILIANS, TroopKind.FLEET)


def hulls_at(scene: StaffScene, hex_id: HexId) -> list[Unit]:
    """Return the hulls here that have not sailed this turn, boats before gunboats."""
    spent = {*scene.state.hulls_used, *scene.state.marched}
    hulls = [unit for unit in scene.board.stack(scene.side, hex_id) if unit.kind in RIVER_CRAFT]
    fresh = [unit for unit in hulls if unit.id not in spent]
    return sorted(fresh, key=lambda unit: (unit.kind is TroopKind.GUNBOAT, unit.id))


def _on_foot(scene: StaffScene, units: Sequence[Unit]) -> float:
    """Return the points that these units expect to cover on foot instead of the voyage."""
    return allowance(scene.law, units) * (1 - chance_of_no_march(scene, units))


def legs(
    scene: StaffScene, start: HexId, hulls: Sequence[Unit], closed: frozenset[HexId] = frozenset()
) -> Iterator[Leg]:
    """Yield every way these hulls can go on an average throw, down the river or up it.

    They keep to their bank, change it with the last hex at most, and avoid `closed` hexes.
    """
    for course in (1, -1):
        calm, rough = (_hexes_on_average(scene, hulls, water, course) for water in _WATERS)
        legs_by_hex, ends = dict.fromkeys(closed, Leg()) | {start: Leg()}, [start]
        for position in ends:
            for hex_id, leg in _onward(scene, position, legs_by_hex[position], course):
                if hex_id not in legs_by_hex and leg.calm <= calm and leg.rough <= rough:
                    legs_by_hex[hex_id] = leg
                    yield leg
                    if leg.along:
                        ends.append(hex_id)


_WATERS = (Nav.NAVIGABLE, Nav.UNNAVIGABLE)


def _onward(scene: StaffScene, origin: HexId, leg: Leg, course: int) -> Iterator[tuple[HexId, Leg]]:
    state = scene.state
    enemies = scene.board.occupied[state.side.enemy]
    shut = forbidden(scenario_of(state), state.side)
    path, calm, rough, cataracts, _ = leg
    in_season = scene.law.navigable_now(Nav.SEASONAL, state.month)
    for hex_id, still, rapid, along in _river_exits(scene.ground, origin, course):
        if is_shut_crossing(state, state.side, origin, hex_id):
            continue
        if hex_id not in enemies and hex_id not in shut:
            safe = in_season if still is None else still
            waters = (calm + safe, rough + (not safe), cataracts + rapid)
            yield hex_id, Leg((*path, hex_id), *waters, along)


@lru_cache(maxsize=1024)
def _river_exits(
    ground: Map, origin: HexId, course: int
) -> tuple[tuple[HexId, bool | None, bool, bool], ...]:
    """Return the next hexes on that course, with what the river is like there.

    Whether the water is calm (None: by the season), whether a cataract begins, and whether the way
    keeps to its bank.
    """
    exits: list[tuple[HexId, bool | None, bool, bool]] = []
    for hex_id in dict.fromkeys(move.to for move in ground.river_moves.get(origin, ())):
        step = best_step(ground, origin, hex_id, course)
        if step is None:
            continue
        water, rapid = ground.nav_at(hex_id, step.river), ground.cataract_at(hex_id)
        calm = None if water is Nav.SEASONAL else water is Nav.NAVIGABLE
        begins = bool(rapid and rapid != ground.cataract_at(origin))
        exits.append((hex_id, calm, begins, step.direction == course))
    return tuple(exits)


def _hexes_on_average(scene: StaffScene, hulls: Sequence[Unit], water: Nav, course: int) -> int:
    """Return the hexes that all of the hulls may go on an average throw."""
    kinds = sorted({(hull.kind, hull.nation) for hull in hulls})
    return min(_even(scene.law, kind, nation, (water, course)) for kind, nation in kinds)


@lru_cache(maxsize=64)
def _even(law: CampaignTables, kind: TroopKind, nation: Nation, river: tuple[Nav, int]) -> int:
    water, course = river
    table = law.upstream if course < 0 else law.downstream
    row = table(kind, water, nation)
    return 10_000 if row.unlimited else row.add + row.dice * 7 // 2


def danger(scene: StaffScene, leg: Leg, hulls: Sequence[Unit]) -> float:
    """Return the weight of likely wrecks on the way, in movement points."""
    throws = leg.cataracts + bool(leg.rough)
    wrecks = sum(_chance_wrecked(scene.law, hull.kind, hull.nation) for hull in hulls)
    return HULL * throws * wrecks / len(hulls)


@lru_cache(maxsize=16)
def _chance_wrecked(law: CampaignTables, kind: TroopKind, nation: Nation) -> float:
    """Return the chance that a throw wrecks such a hull."""
    row = law.wreck(kind, nation)
    faces = range(1, 7)
    totals = [first + other for first in faces for other in faces] if row.dice == 2 else list(faces)
    return sum(total >= row.wrecked_from for total in totals) / len(totals)


GUARD = 2
"""The gunboats that stay at their station, where small bodies gather."""

PASSENGER = 3.0
"""The worth of fetching a fighter, in movement points."""

FEWEST = 2
"""The fewest passengers that are worth a voyage."""


def fetch(scene: StaffScene, hex_id: HexId) -> a.Sail | None:
    """Return the voyage of the station's gunboats to the quay with the best gain."""
    station = scene.hex(scene.plans.gather_at)
    if scene.side is Side.MAHDIST or hex_id != station or scene.besieged(hex_id):
        return None
    waiting = _waiting_fighters(scene, hex_id)
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


def _waiting_fighters(scene: StaffScene, station: HexId) -> dict[HexId, int]:
    """Return the fighters to spare at each quay that is far from the station by land."""
    way = scene.way_to(station)
    fighters = {}
    for quay, host in scene.hosts.items():
        spare = len(host) - scene.garrison(quay).keep
        beside = quay in scene.ground.river_moves and not hulls_at(scene, quay)
        if beside and spare >= FEWEST and way[quay] > FAR_BY_LAND and not scene.besieged(quay):
            fighters[quay] = spare
    return fighters


FAR_BY_LAND = 10
"""Points by land from the station beyond which passengers wait for a boat."""


def _worth(scene: StaffScene, leg: Leg, hulls: Sequence[Unit], waiting: int) -> float:
    """Return the worth of the passengers fetched, less the likely wrecks there and back.

    A mere pair is not fetched over a cataract: there and back it wrecks a third of the gunboats.
    """
    carried = min(waiting, len(hulls))
    if leg.cataracts and carried <= FEWEST:
        return 0.0
    return carried * (PASSENGER - 2 * danger(scene, leg, hulls) / 5) if carried else 0.0


WORTH_BOARDING = 2
"""The movement points that a ride has to save."""


def ride(scene: StaffScene, hex_id: HexId, units: Sequence[Unit], way: Field) -> a.Rail | None:
    """Return the train to the station nearest to the units' goal, if it brings them nearer."""
    if any(unit.kind is TroopKind.FLEET for unit in units):
        return None
    ends = stations(scene.state, scene.side, hex_id)
    best = min(
        ends, key=lambda end: (way[end] + _weight_of_thirst(scene, end, units), end), default=hex_id
    )
    if way[hex_id] - way[best] - _weight_of_thirst(scene, best, units) < WORTH_BOARDING:
        return None
    return a.Rail(ids(units), best)


def _weight_of_thirst(scene: StaffScene, hex_id: HexId, units: Sequence[Unit]) -> float:
    """Return the weight of thirst at the station, shared with the units already there."""
    unit_ids = {unit.id for unit in units}
    friends = [unit for unit in scene.board.land(scene.side, hex_id) if unit.id not in unit_ids]
    return 3 * scene.thirst(hex_id, size(units) + size(friends))
