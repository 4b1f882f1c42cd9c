"""The Dervish commander: from cover to cover, then all together, and from several sides.

Until enough of them are near they keep out of range and in cover. Then every rub goes for the enemy
it can strike best, round to where few of its own have gone, with the horse to flank and rear.
"""

from collections.abc import Sequence
from math import inf

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import leaders_with
from battles.books.redcoats.book import book
from battles.books.redcoats.charging import (
    Attack,
    facing_charge,
    is_shaken,
    struck_aspect,
    supports,
)
from battles.books.redcoats.commander.boldness import presses
from battles.books.redcoats.commander.scene import (
    Scene,
    best_shot,
    best_walk,
    charge_odds,
    reach_of_fire,
)
from battles.books.redcoats.field import APART, Aspect, aspect, distance, towards
from battles.books.redcoats.options import Options
from battles.books.redcoats.state import Unit

GATHERED = 0.6
"""The share of steady units that must be near before all charge."""
WAITING = 2
"""The squares beyond the enemy's range within which units count as near."""
LONGEST_WAIT = 6
"""The turn from which no unit waits any more."""
LEAST_WORTH, LEAST_WORTH_IN_RUSH = 0.6, -1.0
"""The figures that a charge must be worth on average; units under fire accept worse odds."""
PER_FRIEND, PER_FIGURE, SHAKEN = 1.5, 0.4, 1.5
"""The weights of a prey, in squares.

It seems further for each rub at it and for each figure that would meet the charge, and nearer if it
is shaken.
"""
MOST_PREY = 6
"""The number of nearest enemies among which a rub chooses."""
SPENDS = 4
"""The action points for a volley and a charge at an adjacent enemy."""


def fight(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Fire when close, charge when it is worth it, otherwise advance or lie in wait."""
    rushing = all_go_in(scene)
    shot = best_shot(scene, offered.targets)
    if shot is not None and (not offered.charges or _has_time(scene, unit, shot)):
        return shot
    charge = best_charge(scene, unit, offered.charges, rushing=rushing)
    if charge is not None:
        return charge
    if shot is not None:
        return shot
    if offered.reach is None or not scene.foes:
        return a.Done()
    walk = _rush(scene, unit, offered) if rushing else _gather(scene, unit, offered)
    return walk or a.Done()


def all_go_in(scene: Scene) -> bool:
    """Return whether to attack: enough units are near, or the enemy is, or it is late."""
    if scene.state.turn >= LONGEST_WAIT and presses(scene.state, scene.side):
        return True
    steady = [unit for unit in scene.mine if unit.can_fight and not unit.disorganised]
    range_ = longest_range(scene)
    far = [scene.to_foe(unit.square) for unit in steady]
    if not far:
        return True
    if not presses(scene.state, scene.side):
        return min(far) <= range_ or _is_losing_to_fire(scene)
    near = sum(length <= range_ + WAITING for length in far)
    return near >= GATHERED * len(far)


def _is_losing_to_fire(scene: Scene) -> bool:
    """Return whether waiting units are being destroyed by fire."""
    return any(unit.side is scene.side for unit in scene.state.lost)


def longest_range(scene: Scene) -> int:
    """Return the range of the enemy's rifles; guns reach too far to wait beyond them."""
    rifles = [reach_of_fire(foe) for foe in scene.foes if foe.can_fight]
    return max(rifles, default=1)


def best_charge(
    scene: Scene, unit: Unit, charges: tuple[Attack, ...], *, rushing: bool
) -> a.Charge | None:
    """Return the charge that is worth most, if it is worth enough."""
    best = max(
        charges, key=lambda attack: (worth(scene, unit, attack), -attack.target), default=None
    )
    least = LEAST_WORTH_IN_RUSH if rushing else LEAST_WORTH
    if best is None or worth(scene, unit, best) < least:
        return None
    return a.Charge(best.target)


def worth(scene: Scene, unit: Unit, attack: Attack) -> float:
    """Return the average worth of a charge; guns and Leaders are a prize."""
    enemy = scene.state.units[attack.target]
    own_faces, enemy_faces = book().faces("charge", unit), book().faces("charge", enemy)
    value = charge_odds(own_faces, enemy_faces, attack.plus - attack.against).worth
    if enemy.is_gun or leaders_with(scene.state, enemy):
        value += 0.3
    return value


def _has_time(scene: Scene, unit: Unit, shot: a.Fire) -> bool:
    """Return whether points are left for a charge after a volley."""
    current = scene.state.acting
    if current is None:
        return False
    left = current.points - current.spent - current.moved
    return left >= SPENDS and distance(unit.square, scene.state.units[shot.target].square) == 1


def _gather(scene: Scene, unit: Unit, offered: Options) -> a.Move | None:
    """Return a move to near the enemy but out of rifle range, in cover; defenders stay."""
    reach = offered.reach
    if reach is None:
        return None
    standoff = longest_range(scene) + 1
    coming = presses(scene.state, unit.side)
    terrain, row = scene.state.field.terrain, book().terrain
    crowd = _sides(scene, unit)

    def score(square: int) -> float:
        far = scene.to_foe(square)
        value = -2.0 * max(0, standoff - far)
        value -= max(0, far - standoff) if coming else 0.5 * distance(square, unit.square)
        value += 0.7 * row(terrain(square)).cover
        return value - _crowding_penalty(scene, crowd, square, unit)

    return best_walk(reach, score, lambda square: scene.looking(square, unit.facing))


def _rush(scene: Scene, unit: Unit, offered: Options) -> a.Move | None:
    """Return a move at the enemy with fewest friends at it, by flank or rear if possible."""
    reach = offered.reach
    if reach is None:
        return None
    origin = unit.square
    near = sorted(scene.foes, key=lambda foe: APART[origin - foe.square])[:MOST_PREY]
    prey = _best_prey(scene, unit, near)
    goal = prey.square
    flanking = 1.5 if unit.mounted else 0.6

    def score(square: int) -> float:
        far = APART[square - goal]
        value = -float(far)
        if far and far <= 3 and aspect(prey.square, prey.facing, square) is not Aspect.FRONT:
            value += flanking
        return value

    def look(square: int) -> int:
        return unit.facing if square == goal else towards(square, goal)

    return best_walk(reach, score, look)


def _best_prey(scene: Scene, unit: Unit, foes: Sequence[Unit]) -> Unit:
    """Return the easiest prey; the strength is worked out only of those that may be it."""
    best, least = foes[0], inf
    bold = 2.0 if unit.mounted else 1.0
    for foe in foes:
        shaken = SHAKEN * foe.disorganised
        cost = _way_to_prey(scene, unit, foe)
        if cost - shaken > least:
            continue
        stiff = 0 if is_shaken(foe) else _stiffness(scene, unit, foe)
        cost = cost + PER_FIGURE * bold * stiff - shaken
        if (cost, foe.id) < (least, best.id):
            best, least = foe, cost
    return best


def _way_to_prey(scene: Scene, unit: Unit, foe: Unit) -> float:
    """Return the distance of a prey, and what the friends at it add."""
    far = APART[unit.square - foe.square]
    return far + PER_FRIEND * (scene.crowd(foe.square) - (far <= 1))


def _stiffness(scene: Scene, unit: Unit, foe: Unit) -> int:
    """Return the modifier that the prey would add if charged from the unit's square."""
    if unit.square == foe.square:
        return foe.figures
    strikes = struck_aspect(scene.state, foe, unit.square)
    return facing_charge(scene.state, foe, strikes) + supports(scene.state, foe)


def _sides(scene: Scene, unit: Unit) -> list[int]:
    """Return the number of other units on each of the eight sides of the enemy."""
    middle = scene.middle
    counts = [0] * 8
    for other in scene.mine:
        if other is not unit and other.can_fight and other.square != middle:
            counts[towards(middle, other.square)] += 1
    return counts


def _crowding_penalty(scene: Scene, counts: list[int], square: int, unit: Unit) -> float:
    """Return the penalty for a side where many already stand; cavalry goes furthest round."""
    middle = scene.middle
    if square == middle:
        return 0.0
    per_head = 0.35 if unit.mounted else 0.15
    return per_head * counts[towards(middle, square)]
