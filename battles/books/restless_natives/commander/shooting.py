"""The choice of targets: enemies about to charge, enemies that may break, guns."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander import chances
from battles.books.restless_natives.commander.scene import Scene
from battles.books.restless_natives.commander.weighing import shot_worth
from battles.books.restless_natives.firing import Aim, targets
from battles.books.restless_natives.shooting import plan as volleys_at
from battles.books.restless_natives.state import Unit


def confirmed(scene: Scene, unit: Unit) -> tuple[Aim, ...]:
    """Return the possible fire of the unit from where it stands."""
    return targets(scene.state, unit)


def best_shot(scene: Scene, unit: Unit, volleys: int) -> a.Fire | None:
    """Return the best fire: stands that cannot see the best target fire at the next."""
    if not volleys:
        return None
    ranked = sorted(
        confirmed(scene, unit), key=lambda one: (-promise(scene, unit, one, volleys), one.target)
    )
    order = tuple(one.target for one in ranked)
    found = tuple(one.target for one in volleys_at(scene.state, unit, order, volleys))
    return a.Fire(found, volleys) if found else None


def promise(scene: Scene, unit: Unit, aim: Aim, volleys: int) -> float:
    """Return the value of the fire of all its stands at one enemy."""
    foe = scene.state.units[aim.target]
    in_open = volleys * sum(shot.dice for shot in aim.shots if not shot.covered)
    covered = volleys * sum(shot.dice for shot in aim.shots if shot.covered)
    worth = shot_worth(scene, unit, foe, in_open) if in_open else 0.0
    if covered:
        worth += shot_worth(scene, unit, foe, covered, sixes=chances.COVERED)
    return worth
