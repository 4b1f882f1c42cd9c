"""The places of a unit's stands in a formation, and straight moves of whole units.

A unit's place is the middle of its front rank. Moves end at the first obstacle, in contact with a
target, or where a unit that falls back comes to rest.
"""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from math import hypot, pi
from typing import NamedTuple

from battles.tabletop.field import WATER, Kinds, Lying, OpenField, lies_in, on_table
from battles.tabletop.geometry import (
    COSINES,
    SINES,
    TOUCH,
    Circle,
    Stand,
    Stands,
    StandSize,
    TablePoint,
    ahead,
    bearing_between,
    corners,
    hull,
    overlap,
    radius,
)

_KEPT = 16_384


class TableFormation(StrEnum):
    """The arrangement of a unit's stands; each book decides which units may use which."""

    LINE = "line"
    COLUMN = "column"
    MARCH_COLUMN = "march column"
    SQUARE = "square"
    MASS = "mass"
    LIMBERED = "limbered"
    UNLIMBERED = "unlimbered"
    AFLOAT = "afloat"


Offset = tuple[float, float, int]
"""Distances to the right and to the front of the unit's place, and a turn in degrees."""

_TWO_ABREAST_FROM = 4
_THREE_RANKS_FROM = 9


@lru_cache(maxsize=_KEPT)
def places(
    formation: TableFormation, count: int, at: TablePoint, facing: int, size: StandSize
) -> Stands:
    """Return the stands of a unit, the front first and each rank from left to right.

    `at` is the middle of the front rank; of a square, the middle of the whole.
    """
    sine, cosine = SINES[facing], COSINES[facing]
    return tuple(
        Stand(
            round(at[0] + cosine * right + sine * front),
            round(at[1] + sine * right - cosine * front),
            (facing + turn) % 360,
            size.width,
            size.depth,
        )
        for right, front, turn in _offsets(formation, count, size)
    )


@lru_cache(maxsize=_KEPT)
def reach(formation: TableFormation, count: int, size: StandSize) -> int:
    """Return the radius in hundredths, about the unit's place, that holds all its stands."""
    stands = places(formation, count, TablePoint(0, 0), 0, size)
    return round(max((hypot(*corner) for stand in stands for corner in corners(stand)), default=0))


def _offsets(formation: TableFormation, count: int, size: StandSize) -> tuple[Offset, ...]:
    if formation is TableFormation.SQUARE:
        return tuple(_square(count, size))
    return tuple(_ranks(count, _abreast(formation, count), size))


def _abreast(formation: TableFormation, count: int) -> int:
    """Return the number of stands in the front rank."""
    if formation in (TableFormation.LINE, TableFormation.UNLIMBERED):
        return max(1, count)
    if formation is TableFormation.MASS:
        return -(-count // (3 if count >= _THREE_RANKS_FROM else 2)) or 1
    if formation is TableFormation.COLUMN and count >= _TWO_ABREAST_FROM:
        return 2
    return 1


def _ranks(count: int, abreast: int, size: StandSize) -> Iterator[Offset]:
    for nth in range(count):
        rank, place = divmod(nth, abreast)
        wide = min(abreast, count - rank * abreast)
        yield (place - (wide - 1) / 2) * size.width, -rank * size.depth, 0


def _square(count: int, size: StandSize) -> Iterator[Offset]:
    """Yield a hollow square; two stands stand back to back, three leave the rear open."""
    front, right, left, rear = _faces(count)
    width, depth = size
    wide = max(front, rear) * width / 2
    aside = max(wide - depth / 2, depth / 2)
    before = max(right, left) * width / 2 + depth / 2 if right else depth / 2
    if count == 1:
        before = 0
    for face, turn, out in ((front, 0, before), (right, 90, aside), (left, 270, aside)):
        yield from _face(face, turn, out, width)
    yield from _face(rear, 180, before, width)


def _faces(count: int) -> tuple[int, int, int, int]:
    """Return the number of stands on the front, the right, the left and the rear."""
    if count == 2:
        return 1, 0, 0, 1
    per_side, over = divmod(count, 4)
    if count == 3:
        return 1, 1, 1, 0
    return per_side + (over > 0), per_side + (over > 2), per_side, per_side + (over > 1)


def _face(count: int, turn: int, out: float, width: int) -> Iterator[Offset]:
    """Yield stands side by side that look outwards, at distance `out` from the middle."""
    for nth in range(count):
        along = (nth - (count - 1) / 2) * width
        right, front = COSINES[turn] * along + SINES[turn] * out, 0.0
        front = COSINES[turn] * out - SINES[turn] * along
        yield right, front, turn


FAR = 1_000_000
"""More hundredths than the size of any table."""

_WAYS_ROUND = 16
_PARALLEL = 1e-12


class Met(NamedTuple):
    """The free length of a path, and the index of the stand that ended it."""

    length: int
    other: int | None = None


class FallBack(NamedTuple):
    """A move back: bearing, length and end; whether it was blocked, or left the table."""

    facing: int
    length: int
    end: TablePoint
    blocked: bool
    off: bool


class Obstacles(NamedTuple):
    """The obstacles of a move: the field, and the stands of other units."""

    field: OpenField
    others: Stands = ()


class MovingUnit(NamedTuple):
    """A number of equal stands in a formation, to be placed."""

    formation: TableFormation
    number: int
    size: StandSize

    def at(self, point: TablePoint, facing: int) -> Stands:
        """Return the unit's stands with its place at that point."""
        return places(self.formation, self.number, point, facing, self.size)

    @property
    def reach(self) -> int:
        """Return the radius in hundredths, about the unit's place, that holds all its stands."""
        return reach(self.formation, self.number, self.size)


def move_stands(stands: Stands, way: int, length: int) -> Stands:
    """Return the stands moved along a bearing, with their facings unchanged."""
    step = ahead((0, 0), way, length)
    return tuple(stand._replace(x=stand.x + step.x, y=stand.y + step.y) for stand in stands)


def free_way(stands: Stands, way: int, length: int, others: Stands) -> Met:
    """Return the length, up to `length`, that the stands can go along a bearing before contact.

    A stand that touches another already is stopped only if it moves into it.
    """
    free, met = float(length), None
    near = _along(hull(stands), way, free, tuple(enumerate(others)))
    for stand in stands:
        for place, other in _along((*stand.at, radius(stand)), way, free, near):
            until = _until_contact(stand, other, way)
            if until is not None and until < free:
                free, met = until, place
    return Met(max(0, round(free)), met)


def fall_back(
    stands: Stands, at: TablePoint, away_from: TablePoint, length: int, around: Obstacles
) -> FallBack:
    """Return the move straight away from a point, `length` long or until something blocks it."""
    way = bearing_between(away_from, at)
    met = free_way(stands, way, length, around.others)
    off = not on_table(around.field, move_stands(stands, way, met.length))
    return FallBack(way, met.length, ahead(at, way, met.length), met.other is not None, off)


def free_place(
    unit: MovingUnit, near: TablePoint, facing: int, around: Obstacles, barred: Kinds = WATER
) -> TablePoint | None:
    """Return the free place nearest to a point: on the table, clear of stands and `barred` kinds.

    None when the table is full. Places are tried in rings, the north first.
    """
    for point in _rings(around.field, near, max(unit.reach // 2, TOUCH)):
        stands = unit.at(point, facing)
        if not on_table(around.field, stands) or overlap(stands, around.others):
            continue
        if lies_in(around.field, stands, barred) is Lying.NONE:
            return point
    return None


def _rings(field: OpenField, near: TablePoint, step: int) -> Iterator[TablePoint]:
    yield near
    for ring in range(1, (field.width + field.height) // step + 1):
        ways = max(_WAYS_ROUND, round(2 * pi * ring) // 4 * 4)
        for nth in range(ways):
            point = ahead(near, round(360 * nth / ways), ring * step)
            if field.holds(point):
                yield point


def _along(
    moving: Circle, way: int, length: float, others: tuple[tuple[int, Stand], ...]
) -> tuple[tuple[int, Stand], ...]:
    """Return the stands, with their indices, that may be in the way of a moving circle."""
    ex, ey = SINES[way % 360], -COSINES[way % 360]
    x, y, own = moving
    obstacles = []
    for place, other in others:
        dx, dy = other[0] - x, other[1] - y
        room = own + (other[3] + other[4]) / 2
        if -room < dx * ex + dy * ey < length + room and -room < dx * ey - dy * ex < room:
            obstacles.append((place, other))
    return tuple(obstacles)


def _until_contact(stand: Stand, other: Stand, way: int) -> float | None:
    """Return the hundredths until the stand meets the other (separating axes); None for a miss."""
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
    """Return half of the stand's extent along an axis."""
    angle = (turn - stand.facing) % 360
    return (abs(COSINES[angle]) * stand.depth + abs(SINES[angle]) * stand.width) / 2
