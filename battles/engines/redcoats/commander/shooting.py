"""Whom to fire at: steady men who are near, then those who can be finished."""

from collections.abc import Sequence

from battles.engines.redcoats import actions as a
from battles.engines.redcoats.commander.scene import Scene
from battles.engines.redcoats.firing import Target
from battles.engines.redcoats.squares import distance

STEADY, SHAKEN, LAST_FIGURE, A_LEADER = 2.0, 1.0, 0.8, 0.4
"""What a hit on such a unit is worth: one that is disorganised can do no harm this turn."""
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
    worth = SHAKEN if enemy.disorganised else STEADY
    if enemy.disorganised and enemy.figures == 1:
        worth += LAST_FIGURE
    if any(leader.square == enemy.square for leader in scene.state.leaders.values()):
        worth += A_LEADER
    far = distance(scene.state.units[target.firer].square, enemy.square)
    chance = min(1.0, target.needs / target.sides) * (IN_COVER if target.cover else 1.0)
    return chance * max(0.1, worth - PER_SQUARE * far)
