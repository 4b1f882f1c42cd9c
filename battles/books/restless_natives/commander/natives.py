"""How Natives fight: in masses from more than one side, all together when the time has come.

Spears and horse gather out of range of the rifles; riflemen keep their distance and fire in line;
when enough are near, or men are being shot down where they lie, they all go in.
"""

from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.scene import Scene, bears, shoots
from battles.books.restless_natives.commander.weighing import (
    REST,
    Deed,
    Plan,
    best_charge,
    best_fire,
)
from battles.books.restless_natives.firing import weapon_range
from battles.books.restless_natives.formations import changes
from battles.books.restless_natives.pieces import Formation, Weapon
from battles.books.restless_natives.state import Unit
from battles.tabletop.geometry import MEASURE

GATHERED = 0.6
"""The share of the spears and the horse that must be near before they all go in."""
ASSEMBLY = 14 * MEASURE
"""From the enemy where they gather: beyond rifles."""
NEAR = ASSEMBLY + 5 * MEASURE
LONGEST_WAIT = 0.4
"""The share of the cards after which nobody waits any more."""
SURE = 0.5
"""The chance of reaching an enemy at which men who wait go in."""
A_LONG_WAY = 5 * MEASURE
"""Beyond their range, from where riflemen come up in a mass."""
MARCHING, PER_INCH_BEHIND = 1.0, 0.02
"""What it is worth to come up, and how much more for each inch that it is further off."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best that a warband can do."""
    going_in = all_go_in(scene)
    if shoots(unit):
        return _shoot(scene, unit, going_in=going_in)
    charge = best_charge(scene, unit, surest=0.0 if going_in else SURE)
    if charge.value > 0:
        return charge
    if not is_roused(scene):
        return REST
    return _come_up(scene, unit, 0 if going_in else ASSEMBLY)


def all_go_in(scene: Scene) -> bool:
    """Return whether the time has come: enough are near, or they bleed, or the day is wearing on."""
    state = scene.state
    if not is_roused(scene):
        return False
    if state.turn >= LONGEST_WAIT * state.cards:
        return True
    host = [unit for unit in scene.mine if is_storm(unit)]
    if not host or not scene.prey:
        return True
    near = sum(unit.stands for unit in host if scene.to_foe(unit.at) <= NEAR)
    return near >= GATHERED * sum(unit.stands for unit in host)


def is_roused(scene: Scene) -> bool:
    """Return whether they come on: they attack, or men have been killed where they lie."""
    return scene.attacks or scene.bleeds


def is_storm(unit: Unit) -> bool:
    """Return whether it is spears or horse, with which the day is won."""
    return book().kind(unit.kind).initiates and not shoots(unit)


def _shoot(scene: Scene, unit: Unit, *, going_in: bool) -> Plan:
    """Riflemen fire; they come up to their range and no nearer, and form line for it."""
    fire = best_fire(scene, unit)
    charge = best_charge(scene, unit, surest=SURE)
    if charge.value > max(fire.value, 1.0) and going_in:
        return charge
    if fire.value > 0:
        line = bears(unit) < 1 and Formation.LINE in changes(scene.state, unit)
        return fire._replace(deed=Deed.FORM, formation=Formation.LINE) if line else fire
    turn = best_fire(scene, unit, volleys=1, turning=True)
    if turn.value > 0:
        return turn
    if not is_roused(scene):
        return REST
    return _in_mass(unit, _come_up(scene, unit, weapon_range(unit.weapon) - MEASURE), scene)


def _in_mass(unit: Unit, march: Plan, scene: Scene) -> Plan:
    """A long way is gone in a mass, which is faster than a line."""
    far = scene.to_foe(unit.at) - weapon_range(unit.weapon)
    if march is REST or far < A_LONG_WAY:
        return march
    if unit.formation is not Formation.MASS and Formation.MASS in changes(scene.state, unit):
        return march._replace(deed=Deed.FORM, formation=Formation.MASS)
    return march._replace(deed=Deed.MARCH)


def _come_up(scene: Scene, unit: Unit, wanted: int) -> Plan:
    """Nearer to the enemy, the furthest first; nothing for those who are near enough."""
    foe = scene.nearest(unit.at, scene.prey)
    behind = scene.to_foe(unit.at) - wanted
    if foe is None or behind < MEASURE:
        return REST
    deed = (
        Deed.CLOSE if shoots(unit) or (unit.weapon is Weapon.SPEARS and not wanted) else Deed.MARCH
    )
    return Plan(MARCHING + PER_INCH_BEHIND * behind / MEASURE, deed, foe.id)
