"""The best plan of each unit for the next card, valued in stands."""

from battles.books.restless_natives.board import foes
from battles.books.restless_natives.commander import goals, natives, regulars, scene
from battles.books.restless_natives.commander.scene import (
    FOLLOWERS,
    GUNS,
    Scene,
    is_in_close_combat,
    is_native,
)
from battles.books.restless_natives.commander.weighing import REST, Deed, Plan
from battles.books.restless_natives.state import Unit
from battles.tabletop.geometry import MEASURE

TOO_FAR = 14 * MEASURE
"""The distance behind the line from which commanders follow it."""
FOLLOWING = 0.15
SETTLING = 0.2
"""The extra value of a further round: while units are locked nobody can fire at either of them."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best plan of the unit if it is activated now, cached with the scene."""
    known: dict[int, Plan] = scene.__dict__.setdefault("plans", {})
    if unit.id not in known:
        known[unit.id] = _plan(scene, unit)
    return known[unit.id]


def _plan(scene: Scene, unit: Unit) -> Plan:
    if is_in_close_combat(scene, unit):
        return _fight(scene, unit)
    own = _follow(scene, unit) if unit.kind in FOLLOWERS else _own(scene, unit)
    return max(own, goals.plan(scene, unit), key=lambda one: one.value)


def _own(scene: Scene, unit: Unit) -> Plan:
    planner = natives if is_native(unit) and unit.kind not in GUNS else regulars
    found = planner.plan(scene, unit)
    return REST if found.deed is Deed.MARCH and goals.keeps(scene, unit) else found


def _fight(scene: Scene, unit: Unit) -> Plan:
    """Return a further round against the enemy with the best value, which may be negative."""
    found = ((_round(unit, foe), foe.id) for foe in foes(scene.state, unit))
    value, target = max(found, key=lambda one: (one[0], -one[1]))
    return Plan(value + SETTLING, Deed.FIGHT, target)


def _round(unit: Unit, foe: Unit) -> float:
    blow = scene.combat(unit.stands, foe.troops, foe.stands)
    return blow - scene.combat(foe.stands, unit.troops, unit.stands)


def _follow(scene: Scene, unit: Unit) -> Plan:
    """Return the march of a commander after the troops; the train stays where it is."""
    far = scene.to_foe(unit.at)
    near = [scene.to_foe(one.at) for one in scene.mine if one.kind not in FOLLOWERS]
    if unit.command and near and scene.attacks and far > sum(near) / len(near) + TOO_FAR:
        return Plan(FOLLOWING, Deed.MARCH)
    return REST
