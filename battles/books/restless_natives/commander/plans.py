"""The best plan of each unit for the next card, valued in stands, and the plans for the goal."""

from math import hypot

from battles.books.restless_natives.board import any_within, foes, stands_of
from battles.books.restless_natives.commander import natives, regulars, scene
from battles.books.restless_natives.commander.scene import (
    FOLLOWERS,
    Scene,
    fights_as_native,
    is_in_close_combat,
)
from battles.books.restless_natives.commander.weighing import REST, Deed, Plan
from battles.books.restless_natives.pieces import Exit, Hold, Kind
from battles.books.restless_natives.state import Unit
from battles.tabletop.deployment import Outline
from battles.tabletop.geometry import MEASURE, TablePoint, middle

TOO_FAR = 14 * MEASURE
"""The distance behind the line from which commanders follow it."""
FOLLOWING = 0.15
SETTLING = 0.2
"""The extra value of a further round: while units are locked nobody can fire at either of them."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best plan of the unit if it is activated now, cached with the scene."""
    plans: dict[int, Plan] = scene.__dict__.setdefault("plans", {})
    if unit.id not in plans:
        plans[unit.id] = _plan(scene, unit)
    return plans[unit.id]


def _plan(scene: Scene, unit: Unit) -> Plan:
    if is_in_close_combat(scene, unit):
        return _fight(scene, unit)
    own = _follow(scene, unit) if unit.kind in FOLLOWERS else _own(scene, unit)
    return max(own, plan_for_goal(scene, unit), key=lambda candidate: candidate.value)


def _own(scene: Scene, unit: Unit) -> Plan:
    planner = natives if fights_as_native(unit) else regulars
    own_plan = planner.plan(scene, unit)
    return REST if own_plan.deed is Deed.MARCH and keeps(scene, unit) else own_plan


def _fight(scene: Scene, unit: Unit) -> Plan:
    """Return a further round against the enemy with the best value, which may be negative."""
    rounds = ((_round(unit, foe), foe.id) for foe in foes(scene.state, unit))
    value, target = max(rounds, key=lambda pair: (pair[0], -pair[1]))
    return Plan(value + SETTLING, Deed.FIGHT, target)


def _round(unit: Unit, foe: Unit) -> float:
    blow = scene.combat(unit.stands, foe.troops, foe.stands)
    return blow - scene.combat(foe.stands, unit.troops, unit.stands)


def _follow(scene: Scene, unit: Unit) -> Plan:
    """Return the march of a commander after the troops; the train stays where it is."""
    far = scene.to_foe(unit.at)
    near = [scene.to_foe(other.at) for other in scene.mine if other.kind not in FOLLOWERS]
    if unit.command and near and scene.attacks and far > sum(near) / len(near) + TOO_FAR:
        return Plan(FOLLOWING, Deed.MARCH)
    return REST


HOLDING = 2.0
"""The value in stands of entering an area of the goal, less by its distance."""
LEAVING, STEP = 1.6, 0.04
"""The value of heading for the exit, and the loss for each inch to it."""


def plan_for_goal(scene: Scene, unit: Unit) -> Plan:
    """Return the march to the exit or into an area, with its value.

    Nobody marches into an area past an enemy who is near.
    """
    goal = scene.state.goal
    if isinstance(goal, Exit) and goal.side is scene.side:
        return Plan(max(0.1, LEAVING - STEP * _far(unit, middle(goal.area))), Deed.MARCH)
    if unit.kind in FOLLOWERS or not isinstance(goal, Hold):
        return REST
    place = destination(scene, unit)
    if place is None or is_in(unit, goal.areas) or not scene.attacks or scene.is_near(unit):
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
