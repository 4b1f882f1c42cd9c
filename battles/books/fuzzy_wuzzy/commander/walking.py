"""Moves towards a goal with the distance the dice allow."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy.commander.scene import Scene
from battles.books.fuzzy_wuzzy.state import Unit
from battles.tabletop.geometry import TablePoint, ahead, bearing, between, distance

_SWERVES = (0, 25, -25, 50, -50)
_SHARES = (4, 2)
_TURN_FROM = 20
"""Degrees off its facing from which a unit turns where it stands."""
_STEP = 150


def towards(
    scene: Scene, unit: Unit, goal: TablePoint, *, stop: int = 0, facing: int | None = None
) -> a.Move | None:
    """Return the move to a goal, as far as the dice allow and no nearer to it than `stop`.

    The unit faces along its way, or as `facing` says. None when it had better stay.
    """
    length = min(scene.options.paces[unit.id], distance(unit.at, goal) - stop)
    way = bearing(unit.at, goal)
    looks = way if facing is None else facing
    if length >= _STEP:
        for share in _SHARES:
            for swerve in _SWERVES:
                to = ahead(unit.at, (way + swerve) % 360, length * share // 4)
                if scene.options.may_stand(unit.id, to, looks):
                    return a.Move(unit.id, to, looks)
    return turned(scene, unit, looks)


def patrols(scene: Scene, unit: Unit, facing: int) -> a.Move | None:
    """Return a short march to the front and, in the next move, back, by which a unit reconnoitres.

    Units that stand still observe nothing (Reconnaissance 3).
    """
    front = (scene.home + 180) % 360
    out = front if scene.state.turn % 2 else scene.home
    for way in (out, (out + 180) % 360, (out + 90) % 360, (out + 270) % 360):
        to = ahead(unit.at, way, _STEP)
        if scene.options.may_stand(unit.id, to, facing):
            return a.Move(unit.id, to, facing)
    return None


def turned(scene: Scene, unit: Unit, facing: int) -> a.Move | None:
    """Return a turn on the spot, if the unit faces elsewhere and has room; else None."""
    if between(unit.facing, facing) <= _TURN_FROM:
        return None
    if not scene.options.may_stand(unit.id, unit.at, facing):
        return None
    return a.Move(unit.id, unit.at, facing)
