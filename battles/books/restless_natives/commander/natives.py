"""Native tactics: masses gather on several sides, then all go in together.

Spears and horse gather out of range of the rifles; riflemen keep their distance and fire in line.
All go in when enough are near, or when they take losses while they wait.
"""

from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.scene import ASSEMBLY, Scene, bears, shoots
from battles.books.restless_natives.commander.weighing import (
    REST,
    Deed,
    Plan,
    best_charge,
    best_fire,
)
from battles.books.restless_natives.firing import weapon_range
from battles.books.restless_natives.movement import changes, is_near_rough, throw_for
from battles.books.restless_natives.pieces import Weapon
from battles.books.restless_natives.state import Unit
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE

GATHERED = 0.6
"""The share of the spears and the horse that must be near before all go in."""
NEAR = ASSEMBLY + 5 * MEASURE
LONGEST_WAIT = 0.4
"""The share of the cards after which they wait no longer."""
SURE = 0.5
"""The chance of contact at which waiting units go in."""
HOPEFUL = 0.05
"""The least value of a charge, in stands; below it units come up instead."""
A_LONG_WAY = 5 * MEASURE
"""Distance beyond their range from which riflemen come up in a mass."""
MARCHING, PER_INCH_BEHIND = 1.0, 0.02
"""The value of coming up, and the addition for each inch further off."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best plan of a warband."""
    going_in = all_go_in(scene)
    if shoots(unit):
        return _shoot(scene, unit, going_in=going_in)
    charge = best_charge(scene, unit, surest=0.0 if going_in else SURE)
    if charge.value >= HOPEFUL:
        return charge
    if not is_roused(scene):
        return REST
    return _come_up(scene, unit, distance_wanted(scene, unit))


def all_go_in(scene: Scene) -> bool:
    """Return whether all go in: enough are near, or the battle is wearing on."""
    state = scene.state
    if not is_roused(scene):
        return False
    if state.turn >= LONGEST_WAIT * state.cards:
        return True
    gathered: bool | None = scene.__dict__.get("gathered")
    if gathered is None:
        gathered = scene.__dict__["gathered"] = _are_gathered(scene)
    return gathered


def distance_wanted(scene: Scene, unit: Unit) -> int:
    """Return the unit's distance from the enemy: within range, at the assembly, or in contact."""
    if shoots(unit):
        return weapon_range(unit.weapon) - MEASURE
    return 0 if all_go_in(scene) else ASSEMBLY


def _are_gathered(scene: Scene) -> bool:
    """Return whether enough of the spears and the horse are near the enemy."""
    host = [unit for unit in scene.mine if is_storm(unit)]
    if not host or not scene.prey:
        return True
    near = sum(unit.stands for unit in host if scene.to_foe(unit.at) <= NEAR)
    return near >= GATHERED * sum(unit.stands for unit in host)


def is_roused(scene: Scene) -> bool:
    """Return whether they advance: they have orders to, or have lost men."""
    return scene.attacks or scene.bleeds


def is_storm(unit: Unit) -> bool:
    """Return whether the unit is spears or horse, which decide the day."""
    return book().kind(unit.kind).initiates and not shoots(unit)


def _shoot(scene: Scene, unit: Unit, *, going_in: bool) -> Plan:
    """Return a plan of riflemen: fire in line, or come up to their range and no nearer."""
    fire = best_fire(scene, unit)
    charge = best_charge(scene, unit, surest=SURE)
    if charge.value > max(fire.value, 1.0) and going_in:
        return charge
    if fire.value > 0:
        line = bears(unit) < 1 and TableFormation.LINE in changes(scene.state, unit)
        return fire._replace(deed=Deed.FORM, formation=TableFormation.LINE) if line else fire
    turn = best_fire(scene, unit, volleys=1, turning=True)
    if turn.value > 0:
        return turn
    if not is_roused(scene):
        return REST
    return _in_mass(unit, _come_up(scene, unit, distance_wanted(scene, unit)), scene)


def _in_mass(unit: Unit, march: Plan, scene: Scene) -> Plan:
    """Return the march in a mass if it is long, or through ground where a line cannot go."""
    far = scene.to_foe(unit.at) - weapon_range(unit.weapon)
    if march is REST or (far < A_LONG_WAY and not _is_held_up(scene, unit)):
        return march
    if unit.formation is not TableFormation.MASS and TableFormation.MASS in changes(
        scene.state, unit
    ):
        return march._replace(deed=Deed.FORM, formation=TableFormation.MASS)
    return march._replace(deed=Deed.MARCH)


def _is_held_up(scene: Scene, unit: Unit) -> bool:
    """Return whether rough terrain is near in which the unit's formation cannot move."""
    throw = throw_for(unit.troops, unit.kind, unit.formation)
    stuck = not throw.dice and not throw.plus
    return stuck and is_near_rough(scene.state.field, unit.at, MEASURE * 3)


def _come_up(scene: Scene, unit: Unit, standoff: int) -> Plan:
    """Return a march towards the enemy, the furthest unit first; REST for units near enough."""
    foe = scene.nearest(unit.at, scene.prey)
    behind = scene.to_foe(unit.at) - standoff
    if foe is None or behind < MEASURE:
        return REST
    deed = (
        Deed.CLOSE
        if shoots(unit) or (unit.weapon is Weapon.SPEARS and not standoff)
        else Deed.MARCH
    )
    return Plan(MARCHING + PER_INCH_BEHIND * behind / MEASURE, deed, foe.id)
