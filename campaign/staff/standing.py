"""Where to stand: every hex a stack can come to, weighed (8.2, 9.1, 10.3)."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from campaign.rules.map import HexId
from campaign.rules.march.reach import Reach
from campaign.rules.pieces import Kind, Side
from campaign.rules.stacking import allowance
from campaign.rules.state import Unit
from campaign.staff.assaults import near_targets, worth_of
from campaign.staff.chances import held_up
from campaign.staff.distances import FAR, Field, distances
from campaign.staff.scene import Scene, is_british, size
from campaign.staff.stages import shelters, stages
from campaign.staff.tasks import Task


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
    held, here = held_up(scene, units), reach.start
    left = way_left(scene, units, here, plan.task)
    hopes = {hex_id: fights.get(hex_id, 0.0) - left[hex_id] for hex_id in reach.costs}
    hopes[here] += STAYING
    best = Stand(here, -1e9)
    for hex_id in sorted(hopes, key=lambda one: (-hopes[one], one)):
        if hopes[hex_id] < best.score:
            break
        stays = field[hex_id] <= CLOSE or hex_id == here or fights.get(hex_id)
        onward = Onward(0 if stays else plan.left, held)
        score = hopes[hex_id] - dread(scene, units, hex_id, onward)
        if (score, -hex_id) > (best.score, -best.hex):
            best = Stand(hex_id, score)
    return best


def way_left(scene: Scene, units: Sequence[Unit], here: HexId, task: Task) -> Field:
    """How far each hex is from the goals, in movement points.

    The Egyptian player's stacks go from shelter to shelter where there is such a way: by three
    marches at once when nothing can hold them up or all is lost behind them, else by two.
    """
    way = scene.way_to(*task.goals)
    if scene.side is Side.MAHDIST:
        return way
    bold = _are_fugitives(units) or not held_up(scene, units)
    points = allowance(scene.law, units) * (3 if bold else 2)
    staged = stages(scene.state, frozenset(task.goals), size(units), points)
    return staged if staged[here] < FAR else way


CLOSE = 3
"""Points from its goal at which a stack settles down."""

COLUMN = 30.0
"""What a whole native column lost to thirst is worth, in movement points."""

STAYING = 0.9
"""What it is worth not to move, in movement points."""


class March(NamedTuple):
    """What a stack has before it: its task, and how many marches are left after this one."""

    task: Task
    left: int


class Onward(NamedTuple):
    """How a stack may go on from a hex: so many marches, each of them held up so often."""

    marches: int
    held: float


def dread(scene: Scene, units: Sequence[Unit], hex_id: HexId, onward: Onward) -> float:
    """How much the thirst of this hex weighs for a stack that may have to stay there."""
    there = scene.board.land(scene.side, hex_id)
    mine = {unit.id for unit in units}
    together = size(units) + size(unit for unit in there if unit.id not in mine)
    loss = scene.thirst(hex_id, together)
    if not loss:
        return 0
    return loss * _weight(scene, units) * _risk_of_staying(scene, units, hex_id, onward)


def _risk_of_staying(scene: Scene, units: Sequence[Unit], hex_id: HexId, onward: Onward) -> float:
    """The chance that not every march to the nearest shelter comes off this turn."""
    if not onward.marches:
        return 1
    needed = ceil(shelter(scene, size(units))[hex_id] / max(1, allowance(scene.law, units)))
    if needed > onward.marches:
        return 1
    return 1 - (1 - onward.held) ** needed


def _weight(scene: Scene, units: Sequence[Unit]) -> float:
    """What one unit lost to thirst is worth, in movement points."""
    if scene.side is Side.MAHDIST:
        return 2
    if _are_fugitives(units):
        return 4
    if any(unit.kind is Kind.SUPPLY for unit in units):
        return 5
    return 12 if any(map(is_british, units)) else max(5.0, COLUMN / size(units))


def _are_fugitives(units: Sequence[Unit]) -> bool:
    """Whether these are the townsfolk on their way, who have more to fear behind them."""
    return any(unit.kind is Kind.CIVILIANS for unit in units)


def shelter(scene: Scene, together: int) -> Field:
    """Points from every hex to the nearest where so many units need fear no thirst."""
    return distances(scene.state, shelters(scene.state, together))


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
