"""Mahdist tactics: hide as long as possible, then attack all at once from several sides."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.commander.regulars import first
from battles.books.fuzzy_wuzzy.commander.scene import (
    CENTIMETRE,
    NOBODY,
    Scene,
    apart,
    fights,
    patrols,
    shoots,
    strength,
    towards,
    turn_on_the_spot,
)
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Arm, Change, Combat, Rate
from battles.books.fuzzy_wuzzy.state import Unit
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint, ahead, bearing_between, between, distance

CHARGE_WITHIN = 17 * CENTIMETRE
"""The mean of five dice: foot charges from here, horse from a little further."""
HORSE_MORE = 4 * CENTIMETRE
GATHER_AT = 33 * CENTIMETRE
"""Beyond the rifles: the distance at which the host waits until most of it is up."""
RUSH_WITHIN = 45 * CENTIMETRE
AMBUSH_WITHIN = 22 * CENTIMETRE
SHOOT_FROM = 13 * CENTIMETRE
ROUND = 28 * CENTIMETRE
"""The distance aside of the enemy at which the wings go round."""
BEHIND = 15 * CENTIMETRE
_FRONT_ON = 60
_FLANK_WORTH = 9 * CENTIMETRE
_POOR_PREY = 25 * CENTIMETRE
"""The extra cost of an enemy whose loss decides nothing: train, Commanders and the routed."""


def ordered(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    """Return the orders of one unit."""
    if unit.retreating:
        return a.UnitOrder(unit.id, change=Change.RALLY)
    if unit.id in scene.state.engaged:
        return a.UnitOrder(unit.id, combat=first(may.combats, Combat.CLOSE))
    if unit.is_gun:
        return _guns(unit, may)
    if unit.arm in (Arm.COMMAND, Arm.TRANSPORT):
        follows = scene.attacks and Rate.MARCH in may.rates
        return a.UnitOrder(unit.id, Rate.MARCH if follows else None)
    return _skirmish(scene, unit, may) if shoots(unit) else _spears(scene, unit, may)


def move(scene: Scene, unit: Unit) -> a.Move | a.Close | None:
    """Return one unit's move with the distance it has; None to stay."""
    order = scene.state.orders[unit.id]
    if order.combat is Combat.CLOSE:
        target = _best_reachable_target(scene, unit)
        if target is not None:
            return a.Close(unit.id, target.id)
    if unit.arm in (Arm.COMMAND, Arm.TRANSPORT):
        return towards(scene, unit, ahead(scene.front, scene.home, BEHIND))
    prey = prey_of(scene, unit)
    if prey is None:
        return _seeks(scene, unit)
    if shoots(unit):
        if apart(unit.at, prey) <= SHOOT_FROM:
            return turn_on_the_spot(scene, unit, bearing_between(unit.at, prey.at))
        return towards(scene, unit, prey.at, stop=SHOOT_FROM)
    stop = 0 if order.combat is Combat.CLOSE or is_rushing(scene) else GATHER_AT
    return towards(scene, unit, _way_round(scene, unit, prey), stop=stop)


def _seeks(scene: Scene, unit: Unit) -> a.Move | None:
    """Return the move of a unit that sees nobody: on, or a patrol of an ambush."""
    if scene.attacks or _is_sprung(scene):
        return towards(scene, unit, scene.goal)
    return patrols(scene, unit, unit.facing)


def pursues(scene: Scene, unit: Unit) -> a.Move | a.Close | None:
    """Return a charge into the next enemy in reach, or a move towards one."""
    if shoots(unit):
        return None
    target = _best_reachable_target(scene, unit)
    if target is not None:
        return a.Close(unit.id, target.id)
    prey = prey_of(scene, unit)
    return None if prey is None else towards(scene, unit, prey.at)


def is_rushing(scene: Scene) -> bool:
    """Return whether most of the host is near enough to attack, or the day is half over."""
    host = [unit for unit in scene.mine if fights(unit) and not shoots(unit)]
    up = [unit for unit in host if scene.nearest(unit)[1] <= RUSH_WITHIN]
    late = 2 * scene.state.turn > scene.state.turns
    return bool(host) and (2 * len(up) >= len(host) or late)


def prey_of(scene: Scene, unit: Unit) -> Unit | None:
    """Return the unit's target: near, weak, open to a flank attack, and not yet crowded."""
    best, least = None, (NOBODY, NOBODY)
    for foe in scene.foes:
        cost = _cost(scene, unit, foe)
        # Being crowded only makes it dearer: it need not be known of what is too dear anyway.
        if (cost, foe.id) < least:
            rank = (cost + scene.crowding(foe), foe.id)
            if rank < least:
                best, least = foe, rank
    return best


def _spears(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    prey = prey_of(scene, unit)
    far = NOBODY if prey is None else apart(unit.at, prey)
    within = CHARGE_WITHIN + (HORSE_MORE if unit.mounted else 0)
    if far <= within and Combat.CLOSE in may.combats:
        return a.UnitOrder(
            unit.id, _rate(may, Rate.CHARGE, Rate.DOUBLE, Rate.MARCH), combat=Combat.CLOSE
        )
    if not _goes(scene, far):
        return a.UnitOrder(unit.id, _watch(may, far))
    if unit.formation is TableFormation.MARCH_COLUMN and Change.LINE in may.changes:
        return a.UnitOrder(unit.id, _rate(may, Rate.MARCH), Change.LINE)
    if far > RUSH_WITHIN and unit.casualties > 1 and Change.REORGANISE in may.changes:
        return a.UnitOrder(unit.id, _rate(may, Rate.MARCH), Change.REORGANISE)
    hurries = far <= RUSH_WITHIN and is_rushing(scene)
    rate = _rate(may, Rate.DOUBLE, Rate.MARCH) if hurries else _rate(may, Rate.MARCH)
    return a.UnitOrder(unit.id, rate, combat=first(may.combats, Combat.CLOSE))


def _skirmish(scene: Scene, unit: Unit, may: Allowed) -> a.UnitOrder:
    _, far = scene.nearest(unit)
    stays = far <= SHOOT_FROM or not _goes(scene, far)
    rate = _watch(may, far) if stays else _rate(may, Rate.MARCH)
    return a.UnitOrder(unit.id, rate, combat=first(may.combats, Combat.FIRE))


def _guns(unit: Unit, may: Allowed) -> a.UnitOrder:
    change = Change.UNLIMBER if Change.UNLIMBER in may.changes else None
    return a.UnitOrder(unit.id, change=change, combat=first(may.combats, Combat.FIRE))


def _goes(scene: Scene, far: int) -> bool:
    """Return whether the unit advances: attackers always, ambushers when found or near."""
    return scene.attacks or far <= AMBUSH_WITHIN or _is_sprung(scene)


def _watch(may: Allowed, far: int) -> Rate | None:
    """Return the march by which an ambush that sees nobody reconnoitres, or None."""
    return _rate(may, Rate.MARCH) if far >= NOBODY else None


def _is_sprung(scene: Scene) -> bool:
    """Return whether the ambush is over: a unit of it is lost, hurt or engaged."""
    lost = any(unit.side is scene.side for unit in scene.state.lost)
    return lost or any(unit.casualties or unit.id in scene.state.engaged for unit in scene.mine)


def _rate(may: Allowed, *rates: Rate) -> Rate | None:
    return next((rate for rate in rates if rate in may.rates), None)


def _best_reachable_target(scene: Scene, unit: Unit) -> Unit | None:
    """Return the best target with which the unit can come into contact."""
    far = scene.options.paces[unit.id]
    near = board.near(unit, scene.foes, far)
    costs = {foe.id: _cost(scene, unit, foe) + scene.crowding(foe) for foe in near}
    ranked = sorted(near, key=lambda foe: (costs[foe.id], foe.id))
    return next((foe for foe in ranked if scene.options.may_close(unit.id, foe)), None)


def _cost(scene: Scene, unit: Unit, foe: Unit) -> int:
    """Return the cost of a target: its distance and strength, less for open flanks.

    What is added because many are at it already is left out.
    """
    cost = apart(unit.at, foe) + strength(foe) * CENTIMETRE // 4
    cost += 0 if fights(foe) or (foe.is_gun and not foe.retreating) else _POOR_PREY
    if foe.formation is not TableFormation.SQUARE:
        turn = between(foe.facing, bearing_between(foe.at, unit.at))
        cost -= _FLANK_WORTH if turn > _FRONT_ON else 0
    return cost


def _way_round(scene: Scene, unit: Unit, prey: Unit) -> TablePoint:
    """Return the enemy's place, or for horse on the wings first a point to its side."""
    if not unit.mounted:
        return prey.at
    way = bearing_between(scene.front, scene.goal)
    side = 90 if _is_right_of(scene, unit, way) else 270
    aside = ahead(scene.goal, (way + side) % 360, ROUND)
    past = between(bearing_between(scene.goal, unit.at), (way + side) % 360) < 50
    return prey.at if past or distance(unit.at, prey.at) < ROUND else aside


def _is_right_of(scene: Scene, unit: Unit, way: int) -> bool:
    return (bearing_between(scene.front, unit.at) - way) % 360 < 180
