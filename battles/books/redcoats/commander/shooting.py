"""Whom to fire at: men who are about to come on, then men who are shaken and can be killed."""

from collections.abc import Sequence

from battles.books.redcoats import actions as a
from battles.books.redcoats.commander.scene import Scene
from battles.books.redcoats.firing import Target
from battles.books.redcoats.squares import distance

COMING, SHAKEN, STEADY, LAST_FIGURE, A_LEADER = 1.6, 1.4, 0.7, 0.8, 0.4
"""What a hit is worth: on who is near and has yet to act this turn, on who will lose a figure by
it, on who will only be disorganised and most likely recover; and what is added."""
NEAR = 4
"""Squares within which an enemy who has yet to act may come on."""
PER_SQUARE = 0.15
IN_COVER = 0.5


def best_shot(scene: Scene, targets: Sequence[Target]) -> a.Fire | None:
    """The shot that promises most; None when there is nothing to fire at."""
    best = max(targets, key=lambda one: (promise(scene, one), -one.unit), default=None)
    if best is None:
        return None
    return a.Fire(best.unit, best.firer, best.weapon)


def promise(scene: Scene, target: Target) -> float:
    """The chance of a hit by what it is worth."""
    enemy = scene.state.units[target.unit]
    far = distance(scene.state.units[target.firer].square, enemy.square)
    coming = enemy.id in scene.state.cards and far <= NEAR
    worth = SHAKEN if enemy.disorganised else COMING if coming else STEADY
    if enemy.disorganised and enemy.figures == 1:
        worth += LAST_FIGURE
    if any(leader.square == enemy.square for leader in scene.state.leaders.values()):
        worth += A_LEADER
    chance = min(1.0, target.needs / target.sides) * (IN_COVER if target.cover else 1.0)
    return chance * max(0.1, worth - PER_SQUARE * far)
