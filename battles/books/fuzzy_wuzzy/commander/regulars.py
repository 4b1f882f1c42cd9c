"""Regulars' tactics: line or square, fire at effective range, guns with foot, horse on watch."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy.commander.scene import (
    CENTIMETRE,
    Scene,
    fights,
    patrols,
    shoots,
    strength,
    towards,
    turn_on_the_spot,
)
from battles.books.fuzzy_wuzzy.firing import range_limits
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Arm, Change, Combat, Rate
from battles.books.fuzzy_wuzzy.state import Unit
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint, ahead, bearing_between, between

FIRE_FROM = 13 * CENTIMETRE
"""The distance at which regulars stop to fire: within effective range."""
STAND_WITHIN = 26 * CENTIMETRE
"""The distance at which they wait for an enemy that is coming on."""
BESET_WITHIN = 45 * CENTIMETRE
BESET_FROM = 100
"""Degrees between enemies about a battalion from which it forms square."""
WATCH = 20 * CENTIMETRE
WARY = 28 * CENTIMETRE
PURSUE_WITHIN = 12 * CENTIMETRE
BEHIND = 12 * CENTIMETRE
_ASKEW = 35


def ordered(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    """Return the orders of one unit."""
    if unit.retreating:
        return a.UnitOrder(unit.id, change=Change.RALLY)
    if unit.id in scene.state.engaged:
        return a.UnitOrder(unit.id, combat=first(may.combats, Combat.CLOSE))
    if unit.is_gun:
        return _guns(scene, unit, may)
    if unit.mounted:
        return _horse(scene, unit, may)
    if unit.arm is Arm.INFANTRY or unit.dismounted:
        return _foot(scene, unit, may)
    return _baggage(scene, unit, may)


def move(scene: Scene, unit: Unit) -> a.Move | a.Close | None:
    """Return one unit's move with the distance it has; None to stay."""
    foe, far = scene.nearest(unit)
    order = scene.state.orders[unit.id]
    if order.combat is Combat.CLOSE and foe is not None:
        targets = scene.options.closes_of(unit.id)
        if targets:
            return a.Close(unit.id, foe.id if foe.id in targets else targets[0])
    if unit.arm in (Arm.COMMAND, Arm.TRANSPORT):
        return towards(scene, unit, ahead(scene.front, scene.home, BEHIND))
    if unit.mounted:
        return _scout(scene, unit, far)
    if _advances(scene, unit, far):
        if foe is None:
            return towards(scene, unit, _abreast(scene, unit))
        return towards(scene, unit, foe.at, stop=FIRE_FROM)
    return _holds(scene, unit)


def _holds(scene: Scene, unit: Unit) -> a.Move | None:
    """Return the move of a unit that holds its ground: a patrol, or a turn to a near enemy."""
    foe, far = scene.nearest(unit)
    if foe is not None and not _watches(far):
        return turn_on_the_spot(scene, unit, bearing_between(unit.at, foe.at))
    askew = foe is not None and _is_askew(unit, foe)
    return patrols(scene, unit, bearing_between(unit.at, foe.at) if foe and askew else unit.facing)


def pursues(scene: Scene, unit: Unit) -> a.Close | None:
    """Return a charge of horse into a weak enemy; foot stays where it is."""
    targets = scene.options.closes_of(unit.id) if unit.mounted else ()
    weak = [target for target in targets if is_weak(unit, scene.state.units[target])]
    return a.Close(unit.id, weak[0]) if weak else None


def first(domain: tuple[Combat, ...], *orders: Combat) -> Combat | None:
    """Return the first wanted order that is allowed."""
    return next((order for order in orders if order in domain), None)


def is_weak(unit: Unit, foe: Unit) -> bool:
    """Return whether a foe can be charged without much danger."""
    return foe.retreating or 3 * strength(foe) <= strength(unit) or not fights(foe)


def _foot(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    foe, far = scene.nearest(unit)
    fire = first(may.combats, Combat.FIRE)
    if foe is not None and far <= PURSUE_WITHIN and is_weak(unit, foe) and _may_charge(unit, may):
        return a.UnitOrder(unit.id, Rate.CHARGE, combat=Combat.CLOSE)
    if _needs_square(scene, unit, may):
        return a.UnitOrder(unit.id, change=Change.SQUARE, combat=fire)
    if _may_unfold(scene, unit, may):
        return a.UnitOrder(unit.id, change=Change.LINE, combat=fire)
    marches = _advances(scene, unit, far) or (foe is not None and _is_askew(unit, foe))
    marches = marches or _watches(far)
    rate = Rate.MARCH if marches and Rate.MARCH in may.rates else None
    return a.UnitOrder(unit.id, rate, combat=fire)


def _advances(scene: Scene, unit: Unit, far: int) -> bool:
    """Return whether an attacker goes on: until it can fire, or the enemy comes to it."""
    if not scene.attacks:
        return False
    foe, _ = scene.nearest(unit)
    waits = foe is not None and not shoots(foe) and bool(scene.state.moved or foe.casualties)
    return far > (STAND_WITHIN if waits else FIRE_FROM)


def _watches(far: int) -> bool:
    """Return whether a unit that holds its ground reconnoitres: no enemy is near in sight."""
    return far > STAND_WITHIN


def _is_askew(unit: Unit, foe: Unit) -> bool:
    if unit.formation is TableFormation.SQUARE:
        return False
    return between(unit.facing, bearing_between(unit.at, foe.at)) > _ASKEW


def _may_charge(unit: Unit, may: Allowed) -> bool:
    return (
        Rate.CHARGE in may.rates
        and Combat.CLOSE in may.combats
        and unit.formation is not TableFormation.SQUARE
    )


def _needs_square(scene: Scene, unit: Unit, may: Allowed) -> bool:
    if Change.SQUARE not in may.changes or unit.stands < 4:
        return False
    return scene.spread(unit, BESET_WITHIN) >= BESET_FROM


def _may_unfold(scene: Scene, unit: Unit, may: Allowed) -> bool:
    """Return whether a column may form line, because the enemy is about; a square never."""
    if Change.LINE not in may.changes or unit.formation is TableFormation.SQUARE:
        return False
    return scene.nearest(unit)[1] <= BESET_WITHIN


def _guns(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    _, far = scene.nearest(unit)
    down = unit.formation is TableFormation.UNLIMBERED
    if far <= range_limits(unit.weapon) * 2 // 3 or not scene.attacks:
        change = None if down else Change.UNLIMBER
        fire = first(may.combats, Combat.FIRE)
        return a.UnitOrder(unit.id, change=change if change in may.changes else None, combat=fire)
    change = Change.LIMBER if down and Change.LIMBER in may.changes else None
    rate = Rate.MARCH if Rate.MARCH in may.rates else None
    return a.UnitOrder(unit.id, rate, change)


def _horse(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    foe, far = scene.nearest(unit)
    if foe is not None and far <= PURSUE_WITHIN and is_weak(unit, foe) and _may_charge(unit, may):
        return a.UnitOrder(unit.id, Rate.CHARGE, combat=Combat.CLOSE)
    rate = Rate.MARCH if Rate.MARCH in may.rates else None
    return a.UnitOrder(unit.id, rate)


def _scout(scene: Scene, unit: Unit, far: int) -> a.Move | None:
    """Return a move of horse before the line, or back behind it when the enemy is near."""
    if far <= WARY:
        return towards(scene, unit, ahead(scene.front, scene.home, BEHIND))
    return towards(scene, unit, ahead(scene.front, bearing_between(scene.front, scene.goal), WATCH))


def _baggage(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    rate = Rate.MARCH if scene.attacks and Rate.MARCH in may.rates else None
    return a.UnitOrder(unit.id, rate)


def _abreast(scene: Scene, unit: Unit) -> TablePoint:
    """Return a point straight on, to keep the line's front, or towards the enemy."""
    way = (scene.home + 180) % 360
    if between(bearing_between(scene.front, scene.goal), way) > 45:
        way = bearing_between(scene.front, scene.goal)
    return ahead(unit.at, way, 100 * CENTIMETRE)
