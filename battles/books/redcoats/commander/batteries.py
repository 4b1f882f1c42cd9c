"""The batteries of both sides: where they come into action, and when they move.

A battery has two shots where it stands deployed, so it moves only when it sees nobody, by hand
when the place is near, and limbered when it is far.
"""

from functools import cache, partial

from battles.books.redcoats import actions as a
from battles.books.redcoats.book import book
from battles.books.redcoats.commander.boldness import is_bold, presses
from battles.books.redcoats.commander.scene import (
    FAR,
    Scene,
    best_shot,
    best_walk,
    can_fight,
    reach_of_fire,
    turn_to,
)
from battles.books.redcoats.field import distance, towards
from battles.books.redcoats.movement import points_left
from battles.books.redcoats.options import Options
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.state import Unit, current_activation

TOO_NEAR = 3
"""The distance from the enemy within which a battery that moves up will not halt."""
BEARS, FIRES = 3.0, 3.0
"""The worth of a place from which it sees an enemy, and of points left there to fire at once."""
BY_HAND = 3
"""The squares beyond its range within which a battery goes up deployed."""


def serve(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Fire with a battery, bring its guns to bear, or follow the infantry."""
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return shot
    prey, moves_up = scene.aim(unit, unit.square), presses(scene.state, unit.side)
    if unit.formation is Formation.LIMBERED:
        walk = None if prey is not None else _move_up(scene, unit, offered)
        ready = Formation.DEPLOYED in offered.formations and (prey is not None or not moves_up)
        return walk or (a.Form(Formation.DEPLOYED) if ready else a.Done())
    if prey is not None:
        return turn_to(unit, offered, towards(unit.square, prey.square))
    if not moves_up or (unit.brigade and not is_bold(scene.state, unit.side)):
        return a.Done()
    far = scene.to_foe(unit.square) > reach_of_fire(unit) + BY_HAND
    if far and Formation.LIMBERED in offered.formations:
        return a.Form(Formation.LIMBERED)
    return _move_up(scene, unit, offered) or a.Done()


def _move_up(scene: Scene, unit: Unit, offered: Options) -> a.Move | None:
    """Return a move to where the battery sees an enemy, or behind the nearest infantry."""
    reach = offered.reach
    if reach is None or not scene.foes:
        return None
    foot = [other for other in scene.mine if can_fight(other) and other.on_foot]
    range_, points = reach_of_fire(unit), points_left(current_activation(scene.state))
    by_hand = unit.formation is Formation.DEPLOYED
    price = book().points("fire" if by_hand else "limber")
    # Score and facing of a place ask for the same enemy.
    aim_from = cache(partial(scene.aim, unit))

    def score(square: int) -> float:
        gap = scene.to_foe(square)
        near = min([distance(square, other.square) for other in foot], default=0)
        shielded = not foot or any(scene.to_foe(other.square) <= gap for other in foot)
        value = 0.0 if shielded else -4.0
        value -= 0.4 * abs(gap - range_ + 1) + 0.3 * near + 2.0 * max(0, TOO_NEAR - gap)
        foe = aim_from(square)
        if foe is not None:
            cost = reach.costs.get(square * 8 + towards(square, foe.square), FAR)
            value += BEARS + FIRES * (cost + price <= points)
        return value

    def look(square: int) -> int:
        foe = aim_from(square)
        return scene.looking(square, unit.facing) if foe is None else towards(square, foe.square)

    return best_walk(reach, score, look)
