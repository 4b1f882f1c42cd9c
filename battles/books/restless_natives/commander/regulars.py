"""How British troops fight: in line, by fire, with guns in it or behind; in square when beset.

They go on together until the enemy is in range, turn to whoever comes upon a flank, and go in
with the bayonet only against men who are sure to give way.
"""

from battles.books.restless_natives.commander.scene import (
    GUNS,
    Scene,
    looks_at,
    reaches,
    shoots,
)
from battles.books.restless_natives.commander.weighing import (
    REST,
    Deed,
    Plan,
    best_charge,
    best_fire,
)
from battles.books.restless_natives.firing import weapon_range
from battles.books.restless_natives.formations import changes
from battles.books.restless_natives.pieces import Formation, Kind
from battles.books.restless_natives.state import Unit
from battles.tabletop.geometry import MEASURE, bearing

WORTH_CHARGING = 1.5
"""Stands that going in must be worth to those who can fire as well."""
LIKELY = 0.4
"""The chance of reaching him at which an enemy is about to go in."""
MARCHING, URGENT, PER_INCH_BEHIND = 0.6, 1.0, 0.02
"""What it is worth to go on with the line, how much more when the battle is nearly over, and for
each inch behind it."""
CLOSING = 0.4
"""How much more when it will be in range then."""
LOOSE = 3 * MEASURE
"""What is near enough to the place that is wanted."""
AGAINST_COVER = 0.3
"""Stands that going in must be worth against men whom fire does not reach."""
FORMING, SQUARE = 1.2, 4.0
"""What it is worth to form line again within range, and square when beset."""
BESET = 3
"""Sides from which the enemy must be about to come for a square to be formed."""


def plan(scene: Scene, unit: Unit) -> Plan:
    """Return the best that a battalion, a regiment or a battery can do."""
    plans = [_form(scene, unit), _charge(scene, unit)]
    if shoots(unit):
        plans += [best_fire(scene, unit), best_fire(scene, unit, volleys=1, turning=True)]
    best = max(plans, key=lambda one: one.value)
    if best.value > 0:
        return best
    return _advance(scene, unit) if scene.attacks else REST


def beset(scene: Scene, unit: Unit) -> int:
    """On how many of its four sides an enemy stands who is about to go in."""
    ways = {
        (bearing(unit.at, foe.at) - unit.facing + 45) % 360 // 90
        for foe in scene.prey
        if reaches(foe, scene.apart(foe, unit)) >= LIKELY
    }
    return len(ways)


def _form(scene: Scene, unit: Unit) -> Plan:
    """Square when beset on three sides or more; line again when that is over."""
    if unit.kind is not Kind.INFANTRY:
        return REST
    sides = beset(scene, unit)
    if unit.formation is Formation.SQUARE:
        wanted = Formation.LINE if sides <= 1 and scene.foes else Formation.SQUARE
    else:
        wanted = Formation.SQUARE if sides >= BESET else Formation.LINE
    if wanted is unit.formation or wanted not in changes(scene.state, unit):
        return REST
    if wanted is Formation.SQUARE:
        return Plan(SQUARE, Deed.FORM, formation=wanted)
    in_reach = scene.to_foe(unit.at) <= weapon_range(unit.weapon)
    return Plan(FORMING if in_reach else MARCHING, Deed.FORM, formation=wanted)


def _charge(scene: Scene, unit: Unit) -> Plan:
    found = best_charge(scene, unit, surest=LIKELY)
    return (
        found if found.value >= (WORTH_CHARGING if shoots(unit) else WORTH_CHARGING / 2) else REST
    )


def _advance(scene: Scene, unit: Unit) -> Plan:
    """On with the line, whoever is furthest behind first; guns no nearer than they have to."""
    foe = scene.nearest(unit.at, scene.prey)
    if foe is None:
        return REST
    far = scene.to_foe(unit.at)
    wanted = distance_wanted(scene, unit)
    if far <= wanted + (0 if shoots(unit) else LOOSE):
        return REST
    behind = max(0.0, (far - line_of(scene)) / MEASURE)
    in_reach = shoots(unit) and far <= wanted + 2 * LOOSE and looks_at(unit, foe.at)
    value = MARCHING + URGENT * scene.urgency + PER_INCH_BEHIND * behind
    if in_reach:
        return Plan(value + CLOSING, Deed.CLOSE, foe.id)
    return Plan(value, Deed.MARCH, foe.id)


def distance_wanted(scene: Scene, unit: Unit) -> float:
    """Return how near to the enemy it goes: within range, horse a little behind the line."""
    if unit.kind in GUNS:
        return min(weapon_range(unit.weapon), 20 * MEASURE) - MEASURE
    if shoots(unit):
        return weapon_range(unit.weapon) - MEASURE
    return line_of(scene) + 2 * MEASURE


def line_of(scene: Scene) -> float:
    """Return how far from the enemy the foot is in the mean."""
    foot = [scene.to_foe(unit.at) for unit in scene.mine if unit.kind is Kind.INFANTRY]
    return sum(foot) / len(foot) if foot else 12.0 * MEASURE
