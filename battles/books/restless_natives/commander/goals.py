"""What is fought for beside the enemy: places to be held, and the way out."""

from math import hypot

from battles.books.restless_natives.board import any_within, stands_of
from battles.books.restless_natives.commander.scene import FOLLOWERS, Scene
from battles.books.restless_natives.commander.weighing import REST, Deed, Plan
from battles.books.restless_natives.goals import Exit, Hold, Outline
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.state import Unit
from battles.tabletop.geometry import MEASURE, TablePoint, middle

HOLDING = 2.0
"""Stands that it is worth to come into a place that is fought for, less by its distance."""
LEAVING, STEP = 1.6, 0.04
"""What it is worth to go for the way out, and how much less for each inch that is left to go."""
KEEPS = 14 * MEASURE
"""Who is nearer than that to a place of his side keeps it."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the march to the way out or into a place, with what it is worth."""
    goal = scene.state.goal
    if isinstance(goal, Exit) and goal.side is scene.side:
        return Plan(max(0.1, LEAVING - STEP * _far(unit, middle(goal.area))), Deed.MARCH)
    if unit.kind in FOLLOWERS or not isinstance(goal, Hold):
        return REST
    place = destination(scene, unit)
    if place is None or is_in(unit, goal.areas) or not scene.attacks:
        return REST
    return Plan(max(0.1, HOLDING - 2 * STEP * _far(unit, place)), Deed.MARCH)


def destination(scene: Scene, unit: Unit) -> TablePoint | None:
    """Return where the unit's side wants it: the way out, or the nearest place it has to take."""
    goal = scene.state.goal
    if isinstance(goal, Exit) and goal.side is scene.side:
        return middle(goal.area)
    areas = scene.wanted
    if not areas:
        return None
    return min((middle(area) for area in areas), key=lambda point: _far(unit, point))


def is_in(unit: Unit, areas: tuple[Outline, ...]) -> bool:
    """Whether any stand of the unit is in one of the areas."""
    stands = stands_of(unit)
    return any(any_within(area, stands) for area in areas)


def keeps(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit is one of those who stay in a place that is to be held."""
    goal = scene.state.goal
    if not isinstance(goal, Hold) or goal.side is scene.side or unit.kind is not Kind.INFANTRY:
        return False
    return is_in(unit, goal.areas)


def _far(unit: Unit, point: TablePoint) -> float:
    """Inches from the unit to a point."""
    return hypot(unit.at[0] - point[0], unit.at[1] - point[1]) / MEASURE
