"""Guns ashore and afloat: they fire at whatever they can, and keep behind the foot."""

from battles.books.redcoats import actions as a
from battles.books.redcoats.commander.scene import FAR, Scene, attacks, can_fight, reach_of_fire
from battles.books.redcoats.commander.shooting import best_shot
from battles.books.redcoats.commander.walking import best_walk, turn_to
from battles.books.redcoats.options import Options
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.squares import distance
from battles.books.redcoats.state import Unit

TOO_NEAR = 3
"""Squares from the enemy within which a battery that moves up will not halt."""


def serve(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """A battery fires, brings its guns to bear, or follows the infantry."""
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return shot
    far = scene.to_foe(unit.square)
    if unit.formation is Formation.LIMBERED:
        return _unlimber(scene, unit, offered, far)
    if far <= reach_of_fire(unit):
        return turn_to(unit, offered, scene.looking(unit.square, unit.facing))
    follows = attacks(scene.state, unit.side) and far > reach_of_fire(unit) + 1
    if follows and Formation.LIMBERED in offered.formations and not unit.brigade:
        return a.Form(Formation.LIMBERED)
    return a.Done()


def serve_craft(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """A gunboat fires both armaments, and steams to where it can."""
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return shot
    armed = unit.full > 4
    if not scene.foes or not armed or offered.reach is None:
        return a.Done()
    walk = best_walk(
        offered.reach,
        lambda square: -float(scene.to_foe(square)),
        lambda square: scene.looking(square, unit.facing),
    )
    return walk or a.Done()


def _unlimber(scene: Scene, unit: Unit, offered: Options, far: int) -> a.AnyAction:
    """Into action within range; until then behind the nearest infantry, and never before it."""
    ready = Formation.DEPLOYED in offered.formations
    if ready and far <= reach_of_fire(unit) - 1:
        return a.Form(Formation.DEPLOYED)
    if offered.reach is None:
        return a.Done()
    foot = [one for one in scene.mine if can_fight(one) and one.on_foot]

    def score(square: int) -> float:
        there = scene.to_foe(square)
        near = min((distance(square, one.square) for one in foot), default=0)
        ahead = sum(scene.to_foe(one.square) <= there for one in foot)
        hidden = 1.0 if ahead or not foot else -3.0
        return hidden - 0.4 * abs(there - reach_of_fire(unit) + 1) - 0.3 * near - _rash(there)

    walk = best_walk(offered.reach, score, lambda square: scene.looking(square, unit.facing))
    if walk is not None:
        return walk
    return a.Form(Formation.DEPLOYED) if ready and far < FAR else a.Done()


def _rash(far: int) -> float:
    return 2.0 * max(0, TOO_NEAR - far)
