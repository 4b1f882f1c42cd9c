"""British tactics: a firing line with guns, and squares when beset.

They advance together until the enemy is in range, turn to enemies on a flank, and charge with the
bayonet only against units that are sure to give way. Against an enemy who stays where he is they go
in where a charge is worth more than fire.
"""

from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.scene import GUNS, Scene, looks_at, reaches, shoots
from battles.books.restless_natives.commander.weighing import (
    REST,
    Deed,
    Plan,
    best_charge,
    best_fire,
    gain,
)
from battles.books.restless_natives.firing import weapon_range
from battles.books.restless_natives.movement import changes
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.state import Unit
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, bearing_between

WORTH_CHARGING = 1.5
"""The least value of a charge, in stands, for units that can fire as well."""
LIKELY = 0.4
"""The chance of contact at which an enemy counts as about to charge."""
MARCHING, URGENT, PER_INCH_BEHIND = 0.6, 1.0, 0.02
"""Values of advancing with the line: at all, near the end of the battle, and for each inch behind.
"""
CLOSING = 0.4
"""The extra value of a move that comes within range."""
LOOSE = 3 * MEASURE
"""The distance from the wanted place that is near enough."""
CHARGING = 2.5 * MEASURE
"""The distance from which a line gets in with any throw, over a trench too."""
CLOSE_ENOUGH = 3 * MEASURE
"""The distance within which it need not come closer first."""
GETS_IN = 0.9
"""The value of closing in to charge with a later card, as a share of the charge's."""
FORMING, SQUARE = 1.2, 4.0
"""Values of forming line within range, and of forming square when beset."""
BESET = 3
"""Sides with an enemy about to charge that make a unit form square."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best plan of a battalion, a regiment or a battery."""
    plans = [_form(scene, unit), _charge(scene, unit)]
    if shoots(unit):
        plans += [best_fire(scene, unit), best_fire(scene, unit, volleys=1, turning=True)]
    plans.append(_close_in(scene, unit))
    best = max(plans, key=lambda candidate: candidate.value)
    if best.value > 0:
        return best
    return _advance(scene, unit) if scene.attacks else REST


def beset(scene: Scene, unit: Unit) -> int:
    """Return on how many of the unit's four sides an enemy is about to charge."""
    ways = {
        (bearing_between(unit.at, foe.at) - unit.facing + 45) % 360 // 90
        for foe in scene.prey
        if reaches(foe, scene.apart(foe, unit)) >= LIKELY
    }
    return len(ways)


def _form(scene: Scene, unit: Unit) -> Plan:
    """Return a change to square when beset on three sides, and back to line afterwards."""
    if unit.kind is not Kind.INFANTRY:
        return REST
    sides = beset(scene, unit)
    if unit.formation is TableFormation.SQUARE:
        formation = TableFormation.LINE if sides <= 1 and scene.foes else TableFormation.SQUARE
    else:
        formation = TableFormation.SQUARE if sides >= BESET else TableFormation.LINE
    if formation is unit.formation or formation not in changes(scene.state, unit):
        return REST
    if formation is TableFormation.SQUARE:
        return Plan(SQUARE, Deed.FORM, formation=formation)
    in_reach = scene.to_foe(unit.at) <= weapon_range(unit.weapon)
    return Plan(FORMING if in_reach else MARCHING, Deed.FORM, formation=formation)


def _charge(scene: Scene, unit: Unit) -> Plan:
    charge = best_charge(scene, unit, surest=LIKELY)
    least = WORTH_CHARGING if shoots(unit) else WORTH_CHARGING / 2
    return charge if _goes_in(scene, unit) or charge.value >= least else REST


def _goes_in(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit closes with an enemy who stays where he was drawn up."""
    return scene.attacks and scene.foe_stays and book().kind(unit.kind).initiates


def foe_to_charge(scene: Scene, unit: Unit) -> Unit | None:
    """Return the nearest enemy if the unit goes to where it can charge him; else None."""
    foe = scene.nearest(unit.at, scene.prey) if _goes_in(scene, unit) else None
    return foe if foe is not None and gain(unit, foe) > 0 else None


def _close_in(scene: Scene, unit: Unit) -> Plan:
    """Return a move to where the unit can charge, with fire at the end of it."""
    foe = foe_to_charge(scene, unit)
    if foe is None or scene.to_foe(unit.at) <= CLOSE_ENOUGH:
        return REST
    return Plan(GETS_IN * gain(unit, foe), Deed.CLOSE, foe.id)


def _advance(scene: Scene, unit: Unit) -> Plan:
    """Return the advance with the line, the furthest behind first; guns stay at range."""
    foe = scene.nearest(unit.at, scene.prey)
    if foe is None:
        return REST
    far = scene.to_foe(unit.at)
    standoff = distance_wanted(scene, unit)
    if far <= standoff + (0 if shoots(unit) else LOOSE):
        return REST
    behind = max(0.0, (far - line_of(scene)) / MEASURE)
    in_reach = shoots(unit) and far <= standoff + 2 * LOOSE and looks_at(unit, foe.at)
    value = MARCHING + URGENT * scene.urgency + PER_INCH_BEHIND * behind
    if in_reach:
        return Plan(value + CLOSING, Deed.CLOSE, foe.id)
    return Plan(value, Deed.MARCH, foe.id)


def distance_wanted(scene: Scene, unit: Unit) -> float:
    """Return the unit's distance from the enemy: to charge, within range, or behind the line."""
    if unit.kind in GUNS:
        return min(weapon_range(unit.weapon), 20 * MEASURE) - MEASURE
    if foe_to_charge(scene, unit) is not None:
        return CHARGING
    if shoots(unit):
        return weapon_range(unit.weapon) - MEASURE
    return line_of(scene) + 2 * MEASURE


def line_of(scene: Scene) -> float:
    """Return the mean distance of the foot from the enemy."""
    foot = [scene.to_foe(unit.at) for unit in scene.mine if unit.kind is Kind.INFANTRY]
    return sum(foot) / len(foot) if foot else 12.0 * MEASURE
