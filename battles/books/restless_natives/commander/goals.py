"""Plans for the goal of a battle: areas to hold, and the exit."""

from math import hypot

from battles.books.restless_natives.board import any_within, stands_of
from battles.books.restless_natives.commander.scene import FOLLOWERS, Scene
from battles.books.restless_natives.commander.weighing import REST, Deed, Plan
from battles.books.restless_natives.goals import Exit, Hold
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.state import Unit
from battles.tabletop.deployment import Outline
from battles.tabletop.geometry import MEASURE, TablePoint, middle

HOLDING = 2.0
"""The value in stands of entering an area of the goal, less by its distance."""
LEAVING, STEP = 1.6, 0.04
"""The value of heading for the exit, and the loss for each inch to it."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the march to the exit or into an area, with its value."""
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
    """Return the unit's destination: the exit, or the nearest area its side has to take."""
    goal = scene.state.goal
    if isinstance(goal, Exit) and goal.side is scene.side:
        return middle(goal.area)
    areas = scene.wanted
    if not areas:
        return None
    return min((middle(area) for area in areas), key=lambda point: _far(unit, point))


def is_in(unit: Unit, areas: tuple[Outline, ...]) -> bool:
    """Return whether any stand of the unit is in one of the areas."""
    stands = stands_of(unit)
    return any(any_within(area, stands) for area in areas)


def keeps(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit is to stay in an area that its side holds."""
    goal = scene.state.goal
    if not isinstance(goal, Hold) or goal.side is scene.side or unit.kind is not Kind.INFANTRY:
        return False
    return is_in(unit, goal.areas)


def _far(unit: Unit, point: TablePoint) -> float:
    """Return inches from the unit to a point."""
    return hypot(unit.at[0] - point[0], unit.at[1] - point[1]) / MEASURE
