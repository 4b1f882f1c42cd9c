"""Choose where a stack stops: every hex it can reach, weighed (8.2, 9.1, 10.3).

A shelter is a hex where no roll can hurt the stack: a town, or wells, villages and fields for as
many units as they feed. A stage is the distance the stack dares to cover from one to the next.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
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


@lru_cache(maxsize=256)
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


class MarchAhead(NamedTuple):
    """A stack's task, and how many marches are left after this one."""

    task: Task
    left: int


def best_stand(
    scene: StaffScene, units: Sequence[Unit], reach: MarchReach, plan: MarchAhead
) -> StoppingPlace:
    """Return the best hex within reach; the stack's own if none is better.

    Thirst counts in full where the stack stays, else by the risk that it is held up there.
    """
    return _StoppingPlaces(scene, units, reach, plan).best()


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


class _StoppingPlaces:
    """The hexes within reach of a stack, as places to stand.

    What is the same for the stack in every hex is worked out once.
    """

    def __init__(
        self, scene: StaffScene, units: Sequence[Unit], reach: MarchReach, plan: MarchAhead
    ) -> None:
        self._scene = scene
        self._units = units
        self._reach = reach
        self._start = reach.start
        self._marches = plan.left
        self._kept = (*plan.task.goals, reach.start)
        self._to_goal = scene.way_to(*plan.task.goals)
        self._left = way_left(scene, units, reach.start, plan.task)
        self._unit_ids = {unit.id for unit in units}
        self._size = size(units)
        self._weight = _weight(scene, units)
        self._are_british = any(map(is_british, units))
        self._are_helpless = scene.side is Side.EGYPTIAN and not any(map(is_fighter, units))

    def best(self) -> StoppingPlace:
        """Return the best of them, the stack's own hex if none is better."""
        fights = self._fights()
        best = StoppingPlace(self._start, self._score(self._start, fights))
        left = self._left
        hopes = [(fights.get(hex_id, 0.0) - left[hex_id], hex_id) for hex_id in self._reach.costs]
        for hope, hex_id in sorted([pair for pair in hopes if pair[0] >= best.score], reverse=True):
            # Sorted by hope, and dread only lowers it: no later hex can be better.
            if hope < best.score:
                break
            if not self._is_barred(hex_id):
                score = self._score(hex_id, fights)
                if (score, -hex_id) > (best.score, -best.hex):
                    best = StoppingPlace(hex_id, score)
        return best

    def _is_barred(self, hex_id: HexId) -> bool:
        scene = self._scene
        return scene.side is Side.MAHDIST and hex_id not in self._kept and is_trap(scene, hex_id)

    def _score(self, hex_id: HexId, fights: Mapping[HexId, float]) -> float:
        """Return the score of the hex, with the worth of the best attack from it."""
        worth, is_start = fights.get(hex_id, 0.0), hex_id == self._start
        hope = worth - self._left[hex_id] + (STAYING if is_start else 0.0)
        stays = self._to_goal[hex_id] <= CLOSE or is_start or worth
        return hope - self._dread(hex_id, 0 if stays else self._marches)

    def _dread(self, hex_id: HexId, marches: int) -> float:
        """Return the weight of this hex's thirst for the stack, which may have to stay there.

        It may still make so many marches from there.
        """
        scene, together = self._scene, self._size
        if friends := scene.board.land(scene.side, hex_id):
            together += size(unit for unit in friends if unit.id not in self._unit_ids)
        loss, exposed = scene.thirst(hex_id, together), self._exposure(hex_id)
        if not loss:
            return exposed
        weight = loss * self._weight
        if self._are_british and self._is_watered(hex_id):
            weight = min(weight, WATER)
        return exposed + weight * self._risk_of_staying(hex_id, marches)

    def _exposure(self, hex_id: HexId) -> float:
        """Return the weight of the enemies who may fall upon supply or civilians left alone."""
        if not self._are_helpless or self._scene.own_power.get(hex_id, 0.0) >= GUARDED:
            return 0.0
        return min(EXPOSED, self._scene.threat(hex_id, IN_REACH))

    def _is_watered(self, hex_id: HexId) -> bool:
        """Return whether the stack's supply is enough here: for two turns, or until it is safe."""
        supply = len(units_of_kind(self._units, TroopKind.SUPPLY))
        return supply > 1 or (supply == 1 and self._shelter[hex_id] <= self._points)

    def _risk_of_staying(self, hex_id: HexId, marches: int) -> float:
        """Return the chance that some march to the nearest shelter fails this turn."""
        if not marches:
            return 1
        needed = ceil(self._shelter[hex_id] / max(1, self._points))
        if needed > marches:
            return 1
        return 1 - (1 - self._no_march) ** needed

    @cached_property
    def _shelter(self) -> Field:
        return shelter(self._scene, self._size)

    @cached_property
    def _points(self) -> int:
        return allowance(self._scene.law, self._units)

    @cached_property
    def _no_march(self) -> float:
        return chance_of_no_march(self._scene, self._units)

    def _fights(self) -> dict[HexId, float]:
        """Return for each hex within reach and beside an enemy the worth of the best attack."""
        scene, costs = self._scene, self._reach.costs
        worths: dict[HexId, float] = {}
        for target in _near_targets(scene, self._start, max(costs.values(), default=0)):
            if steps := [near for near in scene.doorsteps(target) if near in costs]:
                worth = worth_of(scene, self._units, steps[0], target)
                for near in steps:
                    worths[near] = max(worths.get(near, 0), worth)
        return worths


GUARDED = 6.0
"""The factors in a hex beside which supply and civilians are safe enough."""

EXPOSED = 25.0
"""The most that enemies near supply without fighters weigh, in movement points."""


def _weight(scene: StaffScene, units: Sequence[Unit]) -> float:
    """Return the worth of one unit lost to thirst, in movement points."""
    if scene.side is Side.MAHDIST:
        return 2
    if _are_fugitives(units):
        return 4
    if any(unit.kind is TroopKind.SUPPLY for unit in units):
        return 5
    dear = scene.bars_victory and any(map(is_british, units))
    return 30 if dear else max(5.0, COLUMN / max(1, size(units)))


def _are_fugitives(units: Sequence[Unit]) -> bool:
    """Return whether the stack has fleeing civilians, who are in more danger behind them."""
    return any(unit.kind is TroopKind.CIVILIANS for unit in units)


def shelter(scene: StaffScene, together: int) -> Field:
    """Return points from every hex to the nearest one safe from thirst for that many units."""
    return distances(scene.state, shelters(scene.state, together))


def _near_targets(scene: StaffScene, hex_id: HexId, points: int) -> list[HexId]:
    """Return the hexes of enemy land stacks that a march of `points` might come next to."""
    enemy = sorted(scene.board.occupied[scene.side.enemy])
    return [target for target in enemy if scene.ground.distance(hex_id, target) <= points + 1]
