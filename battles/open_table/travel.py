"""Straight ways of whole units: how far until something is in the way, into contact, and back."""

from collections.abc import Iterator
from math import pi
from typing import NamedTuple

from battles.open_table.field import WATER, Field, Kinds, Lying, lies_in, on_table
from battles.open_table.formations import Formation, places, reach
from battles.open_table.points import COSINES, SINES, Point, ahead, bearing
from battles.open_table.stands import TOUCH, Circle, Size, Stand, Stands, hull, overlap, radius

FAR = 1_000_000
"""Hundredths beyond the end of any table."""

_WAYS_ROUND = 16
_PARALLEL = 1e-12


class Met(NamedTuple):
    """How far the way was free, and the place among the others of the stand that ended it."""

    length: int
    other: int | None = None


class Approach(NamedTuple):
    """The way into contact: the facing, how far, the unit's place then, and the stand it meets."""

    facing: int
    length: int
    end: Point
    target: int


class FallBack(NamedTuple):
    """The way back: along which bearing, how far, where to; whether barred, or off the table."""

    facing: int
    length: int
    end: Point
    blocked: bool
    off: bool


class Around(NamedTuple):
    """What there is to run into: the field, and the stands of the others on it."""

    field: Field
    others: Stands = ()


class Unit(NamedTuple):
    """So many stands of a size that are going to be placed, in a formation."""

    formation: Formation
    number: int
    size: Size

    def at(self, point: Point, facing: int) -> Stands:
        """Its stands there."""
        return places(self.formation, self.number, point, facing, self.size)

    @property
    def reach(self) -> int:
        """Hundredths about its place within which they lie."""
        return reach(self.formation, self.number, self.size)


def moved(stands: Stands, way: int, length: int) -> Stands:
    """The stands so much further along the bearing, looking where they looked."""
    step = ahead((0, 0), way, length)
    return tuple(stand._replace(x=stand.x + step.x, y=stand.y + step.y) for stand in stands)


def free_way(stands: Stands, way: int, length: int, others: Stands) -> Met:
    """How far up to `length` the stands can go along the bearing until one of them meets another.

    Who stands against another already is stopped only by what he would press into.
    """
    free, met = float(length), None
    near = _along(hull(stands), way, free, tuple(enumerate(others)))
    for stand in stands:
        for place, other in _along((*stand.at, radius(stand)), way, free, near):
            until = _until_contact(stand, other, way)
            if until is not None and until < free:
                free, met = until, place
    return Met(max(0, round(free)), met)


def approach(unit: Unit, at: Point, targets: Stands, others: Stands = ()) -> Approach | None:
    """The unit turns towards the nearest of the targets it can get at and goes straight into it.

    None when something of the `others` is in the way to every one of them.
    """
    near = sorted(range(len(targets)), key=lambda place: (_apart(at, targets[place]), place))
    for facing in dict.fromkeys(bearing(at, targets[place].at) for place in near):
        stands = unit.at(at, facing)
        met = free_way(stands, facing, FAR, targets)
        if met.other is None or free_way(stands, facing, met.length, others).other is not None:
            continue
        return Approach(facing, met.length, ahead(at, facing, met.length), met.other)
    return None


def fall_back(stands: Stands, at: Point, away_from: Point, length: int, around: Around) -> FallBack:
    """Straight away from a point as far as `length`, until somebody bars the way."""
    way = bearing(away_from, at)
    met = free_way(stands, way, length, around.others)
    off = not on_table(around.field, moved(stands, way, met.length))
    return FallBack(way, met.length, ahead(at, way, met.length), met.other is not None, off)


def free_place(
    unit: Unit, near: Point, facing: int, around: Around, barred: Kinds = WATER
) -> Point | None:
    """The place nearest to a point where the unit is wholly on the table, on nobody, not in water.

    None when the table is full. Places are tried in rings, the north first.
    """
    for point in _rings(around.field, near, max(unit.reach // 2, TOUCH)):
        stands = unit.at(point, facing)
        if not on_table(around.field, stands) or overlap(stands, around.others):
            continue
        if lies_in(around.field, stands, barred) is Lying.NONE:
            return point
    return None


def _rings(field: Field, near: Point, step: int) -> Iterator[Point]:
    yield near
    for ring in range(1, (field.width + field.height) // step + 1):
        ways = max(_WAYS_ROUND, round(2 * pi * ring) // 4 * 4)
        for nth in range(ways):
            point = ahead(near, round(360 * nth / ways), ring * step)
            if 0 <= point.x <= field.width and 0 <= point.y <= field.height:
                yield point


def _apart(at: Point, stand: Stand) -> int:
    return (stand.x - at.x) ** 2 + (stand.y - at.y) ** 2


def _along(
    moving: Circle, way: int, length: float, others: tuple[tuple[int, Stand], ...]
) -> tuple[tuple[int, Stand], ...]:
    """Those of the others that what is moving may meet on its way, with their places."""
    ex, ey = SINES[way % 360], -COSINES[way % 360]
    x, y, own = moving
    found = []
    for place, other in others:
        dx, dy = other[0] - x, other[1] - y
        room = own + (other[3] + other[4]) / 2
        if -room < dx * ex + dy * ey < length + room and -room < dx * ey - dy * ex < room:
            found.append((place, other))
    return tuple(found)


def _until_contact(stand: Stand, other: Stand, way: int) -> float | None:
    """Hundredths until the stand meets the other, by separating axes; None when it passes."""
    ex, ey = SINES[way % 360], -COSINES[way % 360]
    dx, dy = other.x - stand.x, other.y - stand.y
    begin, end = float("-inf"), float("inf")
    for turn in (stand.facing, stand.facing + 90, other.facing, other.facing + 90):
        ax, ay = SINES[turn % 360], -COSINES[turn % 360]
        room = _half(stand, turn) + _half(other, turn) - TOUCH
        apart, pace = dx * ax + dy * ay, ex * ax + ey * ay
        if abs(pace) < _PARALLEL:
            if abs(apart) >= room:
                return None
            continue
        times = sorted(((apart - room) / pace, (apart + room) / pace))
        begin, end = max(begin, times[0]), min(end, times[1])
    if begin >= end or end <= 0:
        return None
    if begin < 0:
        return 0.0 if dx * ex + dy * ey > 0 else None
    return begin


def _half(stand: Stand, turn: int) -> float:
    """Half of what the stand covers of an axis."""
    by = (turn - stand.facing) % 360
    return (abs(COSINES[by]) * stand.depth + abs(SINES[by]) * stand.width) / 2
