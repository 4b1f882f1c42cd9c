"""The Anglo-Egyptian commander: in line or square, by fire before the bayonet.

Regulars wait for the enemy to come within range, keep shoulder to shoulder, turn to threats on
their flanks, and charge only units that are shaken or show their backs.
"""

from collections.abc import Sequence
from functools import cache, partial
from math import hypot

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import in_cover
from battles.books.redcoats.book import book
from battles.books.redcoats.charging import Attack
from battles.books.redcoats.commander.boldness import is_bold, presses
from battles.books.redcoats.commander.scene import (
    FAR,
    Scene,
    best_shot,
    best_walk,
    charge_odds,
    decides,
    is_dervish,
    is_on_flank_or_rear,
    reach_of_fire,
    turn_to,
)
from battles.books.redcoats.field import APART, STEPS, STRIDE, Aspect, distance, offset, towards
from battles.books.redcoats.movement import points_left
from battles.books.redcoats.options import Options
from battles.books.redcoats.pieces import Formation, Style
from battles.books.redcoats.state import Unit, current_activation

WORTH_CHARGING, WORTH_CHARGING_BOLDLY = 1.2, 0.4
"""The figures that a charge must be worth on average, and against an enemy who stands still."""
PER_OTHER, PER_OTHER_BOLDLY = 0.4, 0.1
"""The loss for each other steady enemy close to the prey, and if they stand still."""
BESIDE = 0.4
"""The worth of each friend beside a place on the advance."""
AIMS = 4.0
"""The worth of a place from which the unit can fire at an enemy."""
FIRES = 4.0
"""The worth of reaching it with points left to fire at once."""
COVERED = 0.5
"""The share of that worth against an enemy in cover."""
AS_THE_CROW = 0.3
"""The loss for each square to the enemy in a straight line.

Without it a unit stays at a corner from which every step leads as far along the rows.
"""
TOGETHER, SHAKEN, DECISIVE = 0.3, 1.0, 5.0
"""The weight of the others' distance to a prey.

Then what brings nearer a shaken prey, and one whose disorder makes his side break off.
"""
PER_FIRER = 3.0
"""The squares that a prey who stands still is further for each friend in range beyond its figures.
"""
GOAL_BOLDLY = 0.3
"""The share of the objective's worth against an enemy who stands still: he is to be broken first.
"""
CLOSE = 2
"""The distance within which the enemy may charge at any moment."""
NEAR = 4
"""The distance within which an enemy is considered."""
LOOSE = 2.0
"""The distance by which a unit may be ahead of the line's average."""


def fight(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Charge the shaken, fire, form against a rush, or advance with the line."""
    charge = best_charge(scene, unit, offered.charges) if _anybody_open(scene, unit) else None
    if charge is not None:
        return _volley_before(scene, charge, offered) or a.Charge(charge.target)
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return _out_of_cover(scene, unit, offered, shot) or shot
    if unit.brigade and not is_bold(scene.state, unit.side):
        return a.Done()
    form = _change_of_formation(scene, unit, offered)
    if form is not None:
        return form
    if presses(scene.state, unit.side):
        return _advance(scene, unit, offered)
    return _face_danger(scene, unit, offered)


def _change_of_formation(
    scene: Scene, unit: Unit, offered: Options
) -> a.Form | a.FormBrigade | None:
    """Return the change to the formation wanted; a brigade Square before a battalion's own."""
    form = formation_wanted(scene, unit)
    if form is Formation.SQUARE and offered.brigades:
        return a.FormBrigade(offered.brigades[0].middle)
    return a.Form(form) if form is not unit.formation and form in offered.formations else None


def _volley_before(scene: Scene, charge: Attack, offered: Options) -> a.Fire | None:
    """Return a volley at the prey of a charge, if points are left for both.

    A shaken unit loses a figure by it, and meets the charge with fewer.
    """
    if charge.cost + book().points("fire") > points_left(current_activation(scene.state)):
        return None
    if not scene.state.units[charge.target].disorganised:
        return None
    return best_shot(scene, [shot for shot in offered.targets if shot.unit == charge.target])


def _out_of_cover(scene: Scene, unit: Unit, offered: Options, shot: a.Fire) -> a.Move | None:
    """Return a move to where the prey of a bold unit has no cover, if the shot's prey has."""
    field, prey = scene.state.field, scene.state.units[shot.target]
    if not in_cover(field, prey.square, unit.square) or not is_bold(scene.state, unit.side):
        return None
    walk = _advance(scene, unit, offered)
    if not isinstance(walk, a.Move) or not walk.path:
        return None
    foe = scene.aim(unit, walk.path[-1])
    return None if foe is None or in_cover(field, foe.square, walk.path[-1]) else walk


def best_charge(scene: Scene, unit: Unit, charges: tuple[Attack, ...]) -> Attack | None:
    """Return the charge with the best odds, if they are good and it meets no steady front."""
    open_charges = [attack for attack in charges if _lies_open(scene, attack)]
    best = max(
        open_charges, key=lambda attack: (_worth(scene, unit, attack), -attack.target), default=None
    )
    least = WORTH_CHARGING_BOLDLY if is_bold(scene.state, unit.side) else WORTH_CHARGING
    return None if best is None or _worth(scene, unit, best) < least else best


def formation_wanted(scene: Scene, unit: Unit) -> Formation:
    """Return SQUARE against a rush on several sides, LINE near the enemy, or the present one."""
    if style_of(unit) is not Style.ANGLO_EGYPTIAN:
        return unit.formation
    close = [foe for foe in scene.foes if APART[foe.square - unit.square] <= CLOSE]
    open_to = [foe for foe in close if _can_come(scene, unit, foe) and not foe.disorganised]
    behind = [foe for foe in open_to if is_on_flank_or_rear(unit, foe)]
    if unit.on_foot and behind and len(open_to) > 1:
        return Formation.SQUARE
    if unit.formation is Formation.SQUARE:
        return unit.formation if behind else Formation.LINE
    far = scene.to_foe(unit.square)
    if far <= reach_of_fire(unit) + 2 or not presses(scene.state, unit.side):
        return Formation.LINE
    return unit.formation


def style_of(unit: Unit) -> Style:
    """Return the unit's style of fighting."""
    return book().style(unit.troops)


def _anybody_open(scene: Scene, unit: Unit) -> bool:
    """Return whether a near enemy is shaken, no Dervish, or shows the unit its flank or rear."""
    return any(
        APART[foe.square - unit.square] <= NEAR
        and (foe.disorganised or is_on_flank_or_rear(foe, unit) or not is_dervish(foe))
        for foe in scene.foes
    )


def _lies_open(scene: Scene, attack: Attack) -> bool:
    """Return whether the charge avoids steady Dervishes who face it."""
    enemy = scene.state.units[attack.target]
    return enemy.disorganised or attack.aspect is not Aspect.FRONT or not is_dervish(enemy)


def _worth(scene: Scene, unit: Unit, attack: Attack) -> float:
    enemy = scene.state.units[attack.target]
    own_faces, enemy_faces = book().faces("charge", unit), book().faces("charge", enemy)
    odds = charge_odds(own_faces, enemy_faces, attack.plus - attack.against)
    others = sum(
        APART[foe.square - enemy.square] <= CLOSE and not foe.disorganised
        for foe in scene.foes
        if foe is not enemy
    )
    per_other = PER_OTHER_BOLDLY if is_bold(scene.state, unit.side) else PER_OTHER
    return odds.worth - per_other * others


def _can_come(scene: Scene, unit: Unit, foe: Unit) -> bool:
    """Return whether no friend stands in the way between an enemy and the unit."""
    if foe.square == unit.square:
        return False
    step = unit.square + STEPS[towards(unit.square, foe.square)]
    return all(friend.square != step for friend in scene.mine)


def _face_danger(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Stand, or turn to an enemy who is near and threatens a flank."""
    if unit.formation is Formation.SQUARE:
        return a.Done()
    turn = _turn_and_fire(scene, unit, offered)
    if turn is not None:
        return turn
    near = [
        foe
        for foe in scene.foes
        if 0 < APART[foe.square - unit.square] <= NEAR and _can_come(scene, unit, foe)
    ]
    ahead = [foe for foe in near if not is_on_flank_or_rear(unit, foe) and not foe.disorganised]
    foe = scene.nearest(unit.square, near)
    if foe is None or not is_on_flank_or_rear(unit, foe):
        return a.Done()
    if ahead and distance(foe.square, unit.square) > CLOSE:
        return a.Done()
    return turn_to(unit, offered, towards(unit.square, foe.square))


def _turn_and_fire(scene: Scene, unit: Unit, offered: Options) -> a.Move | None:
    """Return a turn after which the unit can fire, unless an enemy is close in front."""
    foe = scene.aim(unit, unit.square)
    if foe is None:
        return None
    if any(
        APART[enemy.square - unit.square] <= CLOSE
        and not is_on_flank_or_rear(unit, enemy)
        and not enemy.disorganised
        for enemy in scene.foes
    ):
        return None
    way = towards(unit.square, foe.square)
    cost = offered.cost_of_turn(way)
    if way == unit.facing or cost is None:
        return None
    affords = cost + book().points("fire") <= points_left(current_activation(scene.state))
    return a.Move((), way) if affords else None


def _advance(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Advance with the line to its firing position, and no further."""
    reach = offered.reach
    if reach is None:
        return a.Done()
    line = [
        friend
        for friend in scene.mine
        if friend.on_foot and not friend.disorganised and friend is not unit
    ]
    mean = sum(scene.to_foe(friend.square) for friend in line) / max(1, len(line))
    standoff = _distance_wanted(scene, unit) if unit.on_foot else mean + 1
    beside = {friend.square for friend in line}
    goal = scene.state.objective.squares if scene.state.objective else ()
    current = current_activation(scene.state)
    points, price = points_left(current), book().points("fire")
    fires = 0.0 if current.fired else FIRES
    bold, field = is_bold(scene.state, unit.side), scene.state.field
    aim, spots = _prey_and_spots(scene, unit, line)
    # Score and facing of a place ask for the same enemy.
    aim_from = cache(partial(scene.aim, unit))

    def score(square: int) -> float:
        far = scene.to_foe(square)
        value = -1.0 * min([APART[square - spot] for spot in spots]) - 2.0 * max(0, standoff - far)
        if line and not bold:
            value -= 1.5 * max(0, mean - LOOSE - far)
        if unit.mounted:
            value -= 0.5 * min((distance(square, other) for other in beside), default=0)
        if not bold:
            value += BESIDE * sum(square + STEPS[way] in beside for way in (0, 2, 4, 6))
        value -= AS_THE_CROW * hypot(*offset(square, aim))
        foe = aim_from(square)
        if foe is not None:
            cost = reach.costs.get(square * 8 + towards(square, foe.square), FAR)
            worth = AIMS + fires * (cost + price <= points)
            value += worth * (COVERED if in_cover(field, foe.square, square) else 1.0)
        if bold:
            return value + GOAL_BOLDLY * _to_goal(square, goal, CLOSE)
        return value + _to_goal(square, goal, far)

    def look(square: int) -> int:
        foe = aim_from(square)
        return scene.looking(square, unit.facing) if foe is None else towards(square, foe.square)

    walk = best_walk(reach, score, look)
    return walk or a.Done()


def _prey_and_spots(scene: Scene, unit: Unit, line: Sequence[Unit]) -> tuple[int, list[int]]:
    """Return the square of the enemy to go for, and the squares from which to fire at him.

    He is near to the others of the line too, and there is a place left from which to fire at him.
    Of enemies who stand still, each is left to as many as he needs.
    """
    share, bold = TOGETHER / max(1, len(line)), is_bold(scene.state, unit.side)
    places = [friend.square for friend in line]
    ranges = [scene.ranges[friend.id] for friend in line]

    def cost(foe: Unit) -> tuple[float, int]:
        apart = [APART[place - foe.square] for place in places]
        far = APART[unit.square - foe.square] - SHAKEN * foe.disorganised
        far -= DECISIVE * decides(scene.state, foe)
        if bold:
            firers = sum([reach >= near for reach, near in zip(ranges, apart, strict=True)])
            far += PER_FIRER * max(0, firers - foe.figures)
        return far + share * sum(apart), foe.id

    squares = [foe.square for foe in sorted(scene.foes, key=cost)] or [unit.square]
    for square in squares:
        spots = _spots(scene, unit, square)
        if spots:
            return square, spots
    return squares[0], squares[:1]


def _spots(scene: Scene, unit: Unit, prey: int) -> list[int]:
    """Return the free squares from which the unit could fire at its prey."""
    far, field = reach_of_fire(unit), scene.state.field
    occupied = {*scene.squares_of_others(unit), *scene.foes_at}
    near = [
        prey + row * STRIDE + column
        for row in range(-far, far + 1)
        for column in range(abs(row) - far, far - abs(row) + 1)
    ]
    free = [square for square in near if field.holds(square) and square not in occupied]
    return [square for square in free if scene.can_fire(unit, square, prey)]


def _distance_wanted(scene: Scene, unit: Unit) -> int:
    """Return the distance to halt at: rifle range from Dervishes, adjacent to others."""
    foe = scene.nearest(unit.square)
    shoots = foe is None or is_dervish(foe)
    return max(1, reach_of_fire(unit)) if shoots and not is_bold(scene.state, unit.side) else 1


def _to_goal(square: int, goal: tuple[int, ...], far: int) -> float:
    """Return the worth of a square on the way to the objective; most for the objective itself."""
    if not goal:
        return 0.0
    near = min(distance(square, target) for target in goal)
    return (3.0 if not near else 0.0) - (0.9 if far > CLOSE else 0.3) * near


def in_square(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Advance a brigade Square until the enemy is within range, then stand and fire."""
    goal = scene.state.objective.squares if scene.state.objective else ()
    standoff = CLOSE if goal else _rifles(scene, unit)
    faces = [member for member in scene.mine if member.brigade == unit.brigade and member.on_foot]
    far = min((scene.to_foe(face.square) for face in faces), default=0)
    march = None
    if far > standoff and presses(scene.state, unit.side):
        march = _march(scene, offered, goal, standoff)
    return march or best_shot(scene, offered.targets) or a.Done()


def _march(scene: Scene, offered: Options, goal: tuple[int, ...], standoff: int) -> a.Move | None:
    """Return a move towards the objective or the enemy; None when there is no way."""
    reach = offered.reach
    if reach is None:
        return None

    def score(corner: int) -> float:
        middle = corner + STRIDE + 1
        far = scene.to_foe(middle) - 1
        near = min((distance(middle, target) for target in goal), default=0)
        return -1.0 * max(0, far - standoff) - 3.0 * max(0, CLOSE - far) - near

    def look(corner: int) -> int:
        middle = corner + STRIDE + 1
        aims = goal or tuple(foe.square for foe in scene.foes if foe.square != middle)
        aim = min(aims, key=lambda target: (distance(middle, target), target), default=middle)
        way = reach.start & 7 if aim == middle else towards(middle, aim)
        return way - way % 2

    return best_walk(reach, score, look)


def _rifles(scene: Scene, unit: Unit) -> int:
    """Return the range of the battalions of a brigade Square."""
    faces = [member for member in scene.mine if member.brigade == unit.brigade and member.on_foot]
    return max((reach_of_fire(face) for face in faces), default=CLOSE)
