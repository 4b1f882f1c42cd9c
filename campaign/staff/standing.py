"""Where to stand: every hex a stack can come to, weighed (8.2, 9.1, 10.3)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from campaign.rules.board import chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import Reach
from campaign.rules.pieces import Kind, Side
from campaign.rules.rows import AttritionLine
from campaign.rules.stacking import allowance
from campaign.rules.state import Unit
from campaign.staff.assaults import near_targets, worth_of
from campaign.staff.chances import held_up
from campaign.staff.distances import Field, distances
from campaign.staff.scene import Scene, is_british, size
from campaign.staff.tasks import Task
from campaign.staff.thirst import coast, expected, grounds


class Stand(NamedTuple):
    """A hex and how good it is to stand there."""

    hex: HexId
    score: float


def best_stand(scene: Scene, units: Sequence[Unit], reach: Reach, plan: "March") -> Stand:
    """The best of the hexes the stack can come to; the one it stands in if none is better.

    Where it stays, or may be held, it has to live; elsewhere it only passes.
    """
    field = scene.way_to(*plan.task.goals)
    fights = _fights(scene, units, reach)
    risk = held_up(scene, units) if plan.left else 1.0
    here = reach.start
    best = Stand(here, -1e9)
    for hex_id in sorted(reach.costs):
        fight = fights.get(hex_id, 0)
        stays = field[hex_id] <= CLOSE or hex_id == here or fight
        score = fight - field[hex_id] - dread(scene, units, hex_id, 1.0 if stays else risk)
        score += STAYING if hex_id == here else 0
        if score > best.score:
            best = Stand(hex_id, score)
    return best


CLOSE = 3
"""Points from its goal at which a stack settles down."""

STAYING = 0.9
"""What it is worth not to move, in movement points."""


class March(NamedTuple):
    """What a stack has before it: its task, and how many marches are left after this one."""

    task: Task
    left: int


def dread(scene: Scene, units: Sequence[Unit], hex_id: HexId, risk: float) -> float:
    """How much the thirst of this hex weighs, when the stack stays there with that chance."""
    there = scene.board.land(scene.side, hex_id)
    mine = {unit.id for unit in units}
    together = size(units) + size(unit for unit in there if unit.id not in mine)
    loss = scene.thirst(hex_id, together)
    if not loss:
        return 0
    weight = _weight(scene, units, hex_id)
    if risk < 1 and shelter(scene, together)[hex_id] > allowance(scene.law, units):
        risk = 1
    return loss * weight * risk


def _weight(scene: Scene, units: Sequence[Unit], hex_id: HexId) -> float:
    """What one unit lost to thirst is worth, in movement points."""
    if scene.side is Side.MAHDIST:
        return 2
    if any(unit.kind is Kind.SUPPLY for unit in units):
        return 5
    return 12 if any(map(is_british, units)) else 3


def shelter(scene: Scene, together: int) -> Field:
    """Points from every hex to the nearest where so many units need fear no thirst."""
    hot = scene.law.hot_on_the_coast(scene.state.month)
    goals = _shelters(chart(scene.state), laws(scene.state), hot, min(together, 13))
    return distances(scene.state, goals)


@lru_cache(maxsize=64)
def _shelters(ground: Map, law: Book, hot: bool, together: int) -> frozenset[HexId]:
    return frozenset(
        hex_id
        for hex_id, camp in grounds(ground).items()
        if camp.line is AttritionLine.TOWN
        or not expected(law, camp.line, camp.harsh - (hot and hex_id in coast(ground)), together)
    )


def _fights(scene: Scene, units: Sequence[Unit], reach: Reach) -> dict[HexId, float]:
    """For each hex what could be attacked from it is worth."""
    found: dict[HexId, float] = {}
    points = max(reach.costs.values(), default=0)
    for target in near_targets(scene, reach.start, points):
        steps = [near for near in scene.doorsteps(target) if near in reach.costs]
        if not steps:
            continue
        worth = worth_of(scene, units, steps[0], target)
        for near in steps:
            found[near] = max(found.get(near, 0), worth)
    return found
