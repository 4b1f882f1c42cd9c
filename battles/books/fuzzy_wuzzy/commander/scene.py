"""The field as the commander sees it, and the distances that units walk on it."""

from functools import cached_property
from math import hypot, isqrt

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.observing import view
from battles.books.fuzzy_wuzzy.options import Options, options
from battles.books.fuzzy_wuzzy.pieces import Arm, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.geometry import TablePoint, ahead, bearing_between, between, distance, middle

# A commander's view of the battle: own units, observed enemies, and distances.


CENTIMETRE = 100
FAR = 35 * CENTIMETRE
ABOUT = 12 * CENTIMETRE
_CROWDED = 3 * CENTIMETRE
_MOST_AT_ONE = 4
"""The number of our units about an enemy from which it counts as crowded."""
PATIENCE = 4
"""Defenders wait for one part in so many of the day; then they attack, as nobody attacks them."""
NOBODY = 1_000_000
"""The distance that stands for no enemy in sight."""


class Scene:
    """The battle as one side knows it, at the question it is asked."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = view(state, side)
        self.side = side
        self.mine = board.on_field(self.state, side)
        self.foes = board.enemies(self.state, side)
        self.home = state.homes[side]
        self.attacks = state.plans.get(side) == "attack" or PATIENCE * state.turn > state.turns
        self._near: dict[int, tuple[Unit | None, int]] = {}
        self._crowding: dict[int, int] = {}

    @cached_property
    def options(self) -> Options:
        """Return the legal answers. Raises ValueError when the battle is over."""
        offered = options(self.state)
        if offered is None:
            raise ValueError("The battle is over: there is nothing to answer.")
        return offered

    @cached_property
    def front(self) -> TablePoint:
        """Return the middle of the fighting units, or of the field without any."""
        places = [unit.at for unit in self.mine if fights(unit)]
        return middle(places) if places else self.centre

    @cached_property
    def centre(self) -> TablePoint:
        """Return the middle of the field."""
        return TablePoint(self.state.field.width // 2, self.state.field.height // 2)

    @cached_property
    def goal(self) -> TablePoint:
        """Return where the enemy is, or if unseen the middle of the field, then beyond it."""
        places = [foe.at for foe in self.foes if not foe.retreating]
        if places:
            return middle(places)
        if distance(self.front, self.centre) > 10 * CENTIMETRE:
            return self.centre
        deep = self.state.field.width + self.state.field.height
        return ahead(self.centre, (self.home + 180) % 360, deep // 5)

    def nearest(self, unit: Unit) -> tuple[Unit | None, int]:
        """Return the nearest enemy in sight, and about how far its edge is from the unit."""
        if unit.id not in self._near:
            closest = min(((apart(unit.at, foe), foe.id) for foe in self.foes), default=None)
            self._near[unit.id] = (
                (None, NOBODY) if closest is None else (self.state.units[closest[1]], closest[0])
            )
        return self._near[unit.id]

    def crowding(self, foe: Unit) -> int:
        """Return what makes an enemy a dearer target because many of our units are about it."""
        if foe.id not in self._crowding:
            x, y = foe.at
            crowd = sum([abs(unit.at[0] - x) < ABOUT > abs(unit.at[1] - y) for unit in self.mine])
            self._crowding[foe.id] = max(0, crowd - _MOST_AT_ONE) * _CROWDED
        return self._crowding[foe.id]

    def spread(self, unit: Unit, within: int) -> int:
        """Return the widest angle between enemies about a unit, 0 to 180."""
        ways = [
            bearing_between(unit.at, foe.at)
            for foe in self.foes
            if not foe.retreating and apart(unit.at, foe) <= within
        ]
        return max((between(way, other) for way in ways for other in ways), default=0)


def apart(point: TablePoint, foe: Unit) -> int:
    """Return hundredths from a point to the nearest edge of a unit; about so many if far."""
    x, y = point
    far = int(hypot(foe.at.x - x, foe.at.y - y))
    if far > FAR:
        return far - board.reach_about(foe)
    near = min((stand.x - x) ** 2 + (stand.y - y) ** 2 for stand in board.stands_of(foe))
    return max(0, isqrt(near) - board.SIDE // 2)


def fights(unit: Unit) -> bool:
    """Return whether it is foot or horse that still obeys."""
    return unit.arm in (Arm.INFANTRY, Arm.CAVALRY) and not (unit.retreating or unit.wounded)


def shoots(unit: Unit) -> bool:
    """Return whether it has firearms and is not mounted."""
    return unit.weapon is not Weapon.NONE and not unit.mounted


def strength(unit: Unit) -> int:
    """Return its unwounded figures."""
    return board.figures_of(unit) * unit.stands - unit.casualties


# Moves towards a goal with the distance the dice allow.


_SWERVES = (0, 25, -25, 50, -50)
_SHARES = (4, 2)
_TURN_FROM = 20
"""Degrees off its facing from which a unit turns where it stands."""
_STEP = 150


def towards(scene: Scene, unit: Unit, goal: TablePoint, *, stop: int = 0) -> a.Move | None:
    """Return the move to a goal, as far as the dice allow and no nearer to it than `stop`.

    The unit faces along its way. None when it had better stay.
    """
    length = min(scene.options.paces[unit.id], distance(unit.at, goal) - stop)
    way = bearing_between(unit.at, goal)
    if length >= _STEP:
        for share in _SHARES:
            for swerve in _SWERVES:
                destination = ahead(unit.at, (way + swerve) % 360, length * share // 4)
                if scene.options.may_stand(unit.id, destination, way):
                    return a.Move(unit.id, destination, way)
    return turn_on_the_spot(scene, unit, way)


def patrols(scene: Scene, unit: Unit, facing: int) -> a.Move | None:
    """Return a short march to the front and, in the next move, back, by which a unit reconnoitres.

    Units that stand still observe nothing (Reconnaissance 3).
    """
    front = (scene.home + 180) % 360
    out = front if scene.state.turn % 2 else scene.home
    for way in (out, (out + 180) % 360, (out + 90) % 360, (out + 270) % 360):
        destination = ahead(unit.at, way, _STEP)
        if scene.options.may_stand(unit.id, destination, facing):
            return a.Move(unit.id, destination, facing)
    return None


def turn_on_the_spot(scene: Scene, unit: Unit, facing: int) -> a.Move | None:
    """Return a turn on the spot, if the unit faces elsewhere and has room; else None."""
    if between(unit.facing, facing) <= _TURN_FROM:
        return None
    if not scene.options.may_stand(unit.id, unit.at, facing):
        return None
    return a.Move(unit.id, unit.at, facing)
