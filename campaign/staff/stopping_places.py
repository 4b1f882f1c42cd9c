"""Choose where a stack stops: every hex it can reach, weighed (8.2, 9.1, 10.3).

A shelter is a hex where no roll can hurt the stack: a town, or wells, villages and fields for as
many units as they feed. A stage is the distance the stack dares to cover from one to the next.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import dijkstra

from battles.contract.brief import Side, TroopKind
from campaign.rules.core.board import chart, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import MarchReach
from campaign.rules.stacks import allowance
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import AttritionLine
from campaign.staff.assaults import worth_of
from campaign.staff.columns import IN_REACH, chance_of_no_march
from campaign.staff.plans import Task
from campaign.staff.scene import (
    FAR,
    Field,
    StaffScene,
    backwards,
    coast,
    distances,
    expected_hits,
    field_of,
    grounds,
    is_british,
    is_fighter,
    is_trap,
    size,
    units_of_kind,
)

SIZES = (2, 4, 6, 8, 10, 12)
"""Stack sizes that are computed; a stack counts as the next larger one.

A stack larger than all of them is safe in towns only.
"""


def stages(state: State, goals: frozenset[HexId], size: int, points: int) -> Field:
    """Return points to the nearest goal for `size` units; FAR where no such stages lead there.

    A stage is at most `points` long, and counts in full where another follows it.
    """
    hot = laws(state).hot_on_the_coast(state.month)
    return _stages(chart(state), laws(state), goals, (hot, _wide(size), points))


def shelters(state: State, size: int) -> frozenset[HexId]:
    """Return the hexes where `size` units are safe from thirst unless besieged."""
    hot = laws(state).hot_on_the_coast(state.month)
    return _shelters(chart(state), laws(state), hot, _wide(size))


def _wide(size: int) -> int:
    return next((limit for limit in SIZES if size <= limit), 99)


@lru_cache(maxsize=128)
def _stages(
    ground: Map, law: CampaignTables, goals: frozenset[HexId], stack: tuple[bool, int, int]
) -> Field:
    hot, size, points = stack
    graph = backwards(ground, law, frozenset())
    distances = np.full(max(ground.hexes) + 1, FAR, dtype=np.float64)
    left = np.zeros(len(distances), dtype=np.bool_)
    left[list(_shelters(ground, law, hot, size) | goals)] = True
    ends, before = sorted(goals), 0
    while ends:
        left[ends] = False
        spent = dijkstra(graph, indices=ends, min_only=True, limit=points)
        distances = np.minimum(distances, before + spent)
        ends = [HexId(number) for number in np.flatnonzero(np.isfinite(spent) & left).tolist()]
        before += points
    return field_of(distances)


@lru_cache(maxsize=64)
def _shelters(ground: Map, law: CampaignTables, hot: bool, size: int) -> frozenset[HexId]:
    return frozenset(
        hex_id
        for hex_id, camp in grounds(ground, law).items()
        if camp.line is AttritionLine.TOWN
        or not expected_hits(law, camp.line, camp.harsh - (hot and hex_id in coast(ground)), size)
    )


class StoppingPlace(NamedTuple):
    """A hex and its score as a place to stand."""

    hex: HexId
    score: float


def best_stand(
    scene: StaffScene, units: Sequence[Unit], reach: MarchReach, plan: "MarchAhead"
) -> StoppingPlace:
    """Return the best hex within reach; the stack's own if none is better.

    Thirst counts in full where the stack stays, else by the risk that it is held up there.
    """
    field = scene.way_to(*plan.task.goals)
    fights = _fights(scene, units, reach)
    no_march, start = chance_of_no_march(scene, units), reach.start
    left = way_left(scene, units, start, plan.task)
    hopes: dict[HexId, float] = {hex_id: -left[hex_id] for hex_id in reach.costs}
    for hex_id, worth in fights.items():
        hopes[hex_id] += worth
    hopes[start] += STAYING
    kept = (*plan.task.goals, start)
    best = StoppingPlace(start, -1e9)
    for fear, hex_id in sorted((-hope, hex_id) for hex_id, hope in hopes.items()):
        # Sorted by hope, and dread only lowers it: no later hex can be better.
        if -fear < best.score:
            break
        if scene.side is Side.MAHDIST and hex_id not in kept and is_trap(scene, hex_id):
            continue
        stays = field[hex_id] <= CLOSE or hex_id == start or fights.get(hex_id)
        onward = Onward(0 if stays else plan.left, no_march)
        score = hopes[hex_id] - dread(scene, units, hex_id, onward)
        if (score, -hex_id) > (best.score, -best.hex):
            best = StoppingPlace(hex_id, score)
    return best


def way_left(scene: StaffScene, units: Sequence[Unit], hex_id: HexId, task: Task) -> Field:
    """Return the way from each hex to the goals, in movement points.

    The Egyptian player's stacks go from shelter to shelter where there is such a way: by three
    marches at once if nothing can hold them up or if they are fleeing civilians, else by two.
    """
    way = scene.way_to(*task.goals)
    if scene.side is Side.MAHDIST:
        return way
    bold = _are_fugitives(units) or not chance_of_no_march(scene, units)
    points = allowance(scene.law, units) * (3 if bold else 2)
    staged = stages(scene.state, frozenset(task.goals), size(units), points)
    return staged if staged[hex_id] < FAR else way


CLOSE = 3
"""Points from its goal at which a stack settles down."""

COLUMN = 30.0
"""The worth of a whole native column lost to thirst, in movement points."""

WATER = 6.0
"""The worth of the supply unit that a British column would use up, in movement points."""

STAYING = 0.9
"""The worth of not moving, in movement points."""


class MarchAhead(NamedTuple):
    """A stack's task, and how many marches are left after this one."""

    task: Task
    left: int


class Onward(NamedTuple):
    """The marches a stack may still make from a hex, and the chance that each is held up."""

    marches: int
    held: float


def dread(scene: StaffScene, units: Sequence[Unit], hex_id: HexId, onward: Onward) -> float:
    """Return the weight of this hex's thirst for a stack that may have to stay there."""
    friends = scene.board.land(scene.side, hex_id)
    unit_ids = {unit.id for unit in units}
    together = size(units) + size(unit for unit in friends if unit.id not in unit_ids)
    loss = scene.thirst(hex_id, together)
    exposed = _exposure(scene, units, hex_id)
    if not loss:
        return exposed
    weight = loss * _weight(scene, units)
    if any(map(is_british, units)) and _is_watered(scene, units, hex_id):
        weight = min(weight, WATER)
    return exposed + weight * _risk_of_staying(scene, units, hex_id, onward)


def _is_watered(scene: StaffScene, units: Sequence[Unit], hex_id: HexId) -> bool:
    """Return whether the stack's supply is enough here: for two turns, or until it is safe."""
    supply = len(units_of_kind(units, TroopKind.SUPPLY))
    near = shelter(scene, size(units))[hex_id] <= allowance(scene.law, units)
    return supply > 1 or (supply == 1 and near)


def _exposure(scene: StaffScene, units: Sequence[Unit], hex_id: HexId) -> float:
    """Return the weight of the enemies who may fall upon supply or civilians without fighters."""
    if scene.side is Side.MAHDIST or any(map(is_fighter, units)):
        return 0.0
    if scene.own_power.get(hex_id, 0.0) >= GUARDED:
        return 0.0
    return min(EXPOSED, scene.threat(hex_id, IN_REACH))


GUARDED = 6.0
"""The factors in a hex beside which supply and civilians are safe enough."""

EXPOSED = 25.0
"""The most that enemies near supply without fighters weigh, in movement points."""


def _risk_of_staying(
    scene: StaffScene, units: Sequence[Unit], hex_id: HexId, onward: Onward
) -> float:
    """Return the chance that some march to the nearest shelter fails this turn."""
    if not onward.marches:
        return 1
    needed = ceil(shelter(scene, size(units))[hex_id] / max(1, allowance(scene.law, units)))
    if needed > onward.marches:
        return 1
    return 1 - (1 - onward.held) ** needed


def _weight(scene: StaffScene, units: Sequence[Unit]) -> float:
    """Return the worth of one unit lost to thirst, in movement points."""
    if scene.side is Side.MAHDIST:
        return 2
    if _are_fugitives(units):
        return 4
    if any(unit.kind is TroopKind.SUPPLY for unit in units):
        return 5
    return 30 if any(map(is_british, units)) else max(5.0, COLUMN / max(1, size(units)))


def _are_fugitives(units: Sequence[Unit]) -> bool:
    """Return whether the stack has fleeing civilians, who are in more danger behind them."""
    return any(unit.kind is TroopKind.CIVILIANS for unit in units)


def shelter(scene: StaffScene, together: int) -> Field:
    """Return points from every hex to the nearest one safe from thirst for that many units."""
    return distances(scene.state, shelters(scene.state, together))


def _fights(scene: StaffScene, units: Sequence[Unit], reach: MarchReach) -> dict[HexId, float]:
    """Return for each hex the worth of the best attack from it."""
    worths: dict[HexId, float] = {}
    points = max(reach.costs.values(), default=0)
    for target in _near_targets(scene, reach.start, points):
        steps = [near for near in scene.doorsteps(target) if near in reach.costs]
        if not steps:
            continue
        worth = worth_of(scene, units, steps[0], target)
        for near in steps:
            worths[near] = max(worths.get(near, 0), worth)
    return worths


def _near_targets(scene: StaffScene, hex_id: HexId, points: int) -> list[HexId]:
    """Return the hexes of enemy land stacks that a march of `points` might come next to."""
    enemy = sorted(scene.board.occupied[scene.side.enemy])
    return [target for target in enemy if scene.ground.distance(hex_id, target) <= points + 1]
