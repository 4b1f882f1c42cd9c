"""Geometry of points and stands: distances, bearings, contact and arcs of fire.

Lengths are hundredths of a book's measure. A stand is a rectangle that faces one way.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from math import atan2, cos, degrees, hypot, inf, radians, sin
from typing import NamedTuple, TypeVar

import numpy as np
import shapely

MEASURE = 100
"""Hundredths in one measure of the book, an inch or a centimetre."""

ROUND = 360
SINES = tuple(sin(radians(turn)) for turn in range(ROUND))
COSINES = tuple(cos(radians(turn)) for turn in range(ROUND))


class TablePoint(NamedTuple):
    """Hundredths east and south of the table's north-western corner."""

    x: int
    y: int


def distance(point: tuple[float, float], other: tuple[float, float]) -> int:
    """Return the hundredths from one point to another."""
    return round(hypot(other[0] - point[0], other[1] - point[1]))


def bearing_between(start: tuple[float, float], end: tuple[float, float]) -> int:
    """Return the bearing of `end` from `start` in degrees from north; 0 for equal points."""
    if start == end:
        return 0
    return round(degrees(atan2(end[0] - start[0], start[1] - end[1]))) % ROUND


def ahead(point: tuple[float, float], facing: int, length: int) -> TablePoint:
    """Return the point at `length` from a point, along `facing`."""
    turn = facing % ROUND
    return TablePoint(
        round(point[0] + SINES[turn] * length), round(point[1] - COSINES[turn] * length)
    )


def turn_facing(facing: int, by: int) -> int:
    """Return the facing turned by some degrees, clockwise if they are positive."""
    return (facing + by) % ROUND


def between(facing: int, other: int) -> int:
    """Return the smaller angle between two facings, 0 to 180 degrees."""
    turn = abs(facing - other) % ROUND
    return min(turn, ROUND - turn)


def middle(points: Iterable[tuple[float, float]]) -> TablePoint:
    """Return the mean of the points. Raises ZeroDivisionError for none."""
    all_ = tuple(points)
    return TablePoint(
        round(sum(point[0] for point in all_) / len(all_)),
        round(sum(point[1] for point in all_) / len(all_)),
    )


Box = tuple[int, int, int, int]
"""Bounds in hundredths: west, north, east, south."""


def box_of(points: tuple[TablePoint, ...]) -> Box:
    """Return the box about the points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def passes(boxes: Iterable[Box], start: tuple[float, float], end: tuple[float, float]) -> bool:
    """Return whether the box about two points meets one of these boxes: a cheap first answer."""
    (ax, ay), (bx, by) = start, end
    west, east = (ax, bx) if ax < bx else (bx, ax)
    north, south = (ay, by) if ay < by else (by, ay)
    for left, top, right, bottom in boxes:
        if left <= east and west <= right and top <= south and north <= bottom:
            return True
    return False


def until_edge(coordinate: float, pace: float, end: int) -> Iterable[float]:
    """Return the path's length until a coordinate leaves 0 to `end`; empty if it never does."""
    if abs(pace) < 1e-12:
        return ()
    return ((end - coordinate) / pace,) if pace > 0 else (-coordinate / pace,)


TOUCH = 5
"""Gap in hundredths that still counts as contact: places are rounded to whole hundredths."""

Corner = tuple[float, float]
Circle = tuple[int, int, float]
_KEPT = 8192


class StandSize(NamedTuple):
    """The width and depth of a stand."""

    width: int
    depth: int


class Stand(NamedTuple):
    """A rectangle about its centre that faces one way."""

    x: int
    y: int
    facing: int
    width: int
    depth: int

    @property
    def at(self) -> TablePoint:
        """Return the stand's centre."""
        return TablePoint(self.x, self.y)


Stands = tuple[Stand, ...]


def corners(stand: Stand, inwards: float = 0) -> tuple[Corner, Corner, Corner, Corner]:
    """Return the front left, front right, rear right and rear left corners, moved `inwards`."""
    x, y, facing, width, depth = stand
    sine, cosine = SINES[facing], COSINES[facing]
    half, front = max(width / 2 - inwards, 1), max(depth / 2 - inwards, 1)
    ax, ay = cosine * half, sine * half
    fx, fy = sine * front, -cosine * front
    return (
        (x - ax + fx, y - ay + fy),
        (x + ax + fx, y + ay + fy),
        (x + ax - fx, y + ay - fy),
        (x - ax - fx, y - ay - fy),
    )


def gap(stands: Stands, others: Stands, *, most: float = inf) -> int:
    """Return the hundredths from edge to edge of the nearest two stands; 0 if they touch.

    If they are further apart than `most`, that is returned.
    """
    least = most
    for stand in stands:
        for other in others:
            # Circles about both tell cheaply that a pair cannot be the nearest.
            far = hypot(stand[0] - other[0], stand[1] - other[1])
            if far - (radius(stand) + radius(other)) < least:
                least = min(least, _apart(stand, other))
    # Exact halves go to the even number: the sines of right angles leave a hair.
    return round(round(least, 9))


def _apart(stand: Stand, other: Stand) -> float:
    """Return the distance from edge to edge of two stands; 0 if they meet."""
    if meet(stand, other):
        return 0.0
    return min(_to_corners(stand, other), _to_corners(other, stand))


def _to_corners(stand: Stand, other: Stand) -> float:
    """Return the distance from a stand to the nearest corner of another that it does not meet."""
    x, y, facing, width, depth = stand
    sine, cosine = SINES[facing], COSINES[facing]
    return min(
        hypot(
            max(abs((east - x) * cosine + (south - y) * sine) - width / 2, 0.0),
            max(abs((east - x) * sine - (south - y) * cosine) - depth / 2, 0.0),
        )
        for east, south in corners(other)
    )


def meet(stand: Stand, other: Stand, inwards: float = 0) -> bool:
    """Return whether two stands, their edges moved `inwards`, touch (by separating axes)."""
    dx, dy = other[0] - stand[0], other[1] - stand[1]
    wide, deep = max(stand[3] / 2 - inwards, 1), max(stand[4] / 2 - inwards, 1)
    broad, thick = max(other[3] / 2 - inwards, 1), max(other[4] / 2 - inwards, 1)
    turn = other[2] - stand[2]
    sine, cosine = abs(SINES[turn]), abs(COSINES[turn])
    right, front = COSINES[stand[2]], SINES[stand[2]]
    if abs(dx * right + dy * front) > wide + cosine * broad + sine * thick:
        return False
    if abs(dx * front - dy * right) > deep + sine * broad + cosine * thick:
        return False
    right, front = COSINES[other[2]], SINES[other[2]]
    if abs(dx * right + dy * front) > broad + cosine * wide + sine * deep:
        return False
    return abs(dx * front - dy * right) <= thick + sine * wide + cosine * deep


def gaps(stands: Stands, others: Stands) -> list[list[int]]:
    """Return the hundredths from each of our stands to each of theirs, a row for each of ours."""
    apart = shapely.distance(rectangles(stands)[:, None], rectangles(others)[None, :])
    return [[round(distance) for distance in row] for row in apart.tolist()]


def are_touching(stands: Stands, others: Stands) -> bool:
    """Return whether any of our stands is in contact with any of theirs."""
    return gap(stands, others, most=TOUCH + 1) <= TOUCH


def in_contact(stands: Stands, others: Stands) -> tuple[tuple[int, int], ...]:
    """Return the pairs of stands in contact, as indices in ours and in theirs."""
    if not are_touching(stands, others):
        return ()
    return tuple(
        (index, other)
        for index, row in enumerate(gaps(stands, others))
        for other, apart in enumerate(row)
        if apart <= TOUCH
    )


def overlap(stands: Stands, others: Stands) -> bool:
    """Return whether any of our stands covers any of theirs by more than rounding."""
    x, y, far = hull(stands)
    near = [
        other
        for other in others
        if abs(other[0] - x) < far + other[3] + other[4] > abs(other[1] - y)
    ]
    return any(meet(stand, other, TOUCH) for other in near for stand in stands)


def nearest(point: Corner, units: Mapping[int, Stands]) -> int | None:
    """Return the unit whose edge is nearest to the point, the lowest number of ties, or None."""
    position = shapely.points(*point)
    return _least({number: outline(stands).distance(position) for number, stands in units.items()})


def nearest_to(stands: Stands, units: Mapping[int, Stands]) -> int | None:
    """Return the unit nearest to us edge to edge, the lowest number of ties, or None."""
    return _least({number: outline(stands).distance(outline(its)) for number, its in units.items()})


def _least(apart: dict[int, float]) -> int | None:
    return min(apart, key=lambda number: (round(apart[number]), number)) if apart else None


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def cache_by_thread(maxsize: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Decorate a function that makes prepared shapes: each thread caches its own.

    A prepared shape builds its index when it is first asked, and GEOS does that without a lock:
    two threads that ask the same shape at once crash the process.
    """

    def decorate(make: Callable[[K], V]) -> Callable[[K], V]:
        class OwnCache(threading.local):
            def __init__(self) -> None:
                self.value_of = lru_cache(maxsize)(make)

        own = OwnCache()

        def value_of(key: K) -> V:
            return own.value_of(key)

        return value_of

    return decorate


@cache_by_thread(_KEPT)
def outline(stands: Stands) -> shapely.MultiPolygon:
    """Return the area that the stands cover, prepared for queries of this thread."""
    rings = [corners(stand) for stand in stands]
    area: shapely.MultiPolygon = shapely.multipolygons(shapely.polygons(rings))  # type: ignore[assignment]
    shapely.prepare(area)
    return area


@lru_cache(maxsize=_KEPT)
def rectangles(stands: Stands) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """Return the rectangle of each stand."""
    return np.atleast_1d(shapely.polygons([corners(stand) for stand in stands]))


def radius(stand: Stand) -> float:
    """Return the distance from the stand's centre to a corner."""
    return hypot(stand[3], stand[4]) / 2


@lru_cache(maxsize=_KEPT)
def hull(stands: Stands) -> Circle:
    """Return a circle that holds all the stands: its centre and its radius."""
    centre = middle(stand.at for stand in stands)
    return *centre, max(
        hypot(stand.x - centre.x, stand.y - centre.y) + radius(stand) for stand in stands
    )


class SightBar(NamedTuple):
    """A stand as it looks from an eye: the eye's place from the stand's centre, and half its size.

    Places are to the right and to the front of the stand, which looks along `sine` and `cosine`.
    """

    right: float
    front: float
    sine: float
    cosine: float
    wide: float
    deep: float

    @classmethod
    def of(cls, stand: Stand, eye: Corner) -> "SightBar":
        """Return the stand as the eye sees it."""
        x, y, facing, width, depth = stand
        sine, cosine = SINES[facing], COSINES[facing]
        dx, dy = eye[0] - x, eye[1] - y
        return cls(
            dx * cosine + dy * sine, dx * sine - dy * cosine, sine, cosine, width / 2, depth / 2
        )

    def bars(self, east: float, south: float) -> bool:
        """Return whether a line from the eye, so far to the east and south, meets the stand."""
        right, front, sine, cosine, wide, deep = self
        # Half the line, and its middle: a line meets a box unless one of three axes parts them.
        half_right, half_front = (
            (east * cosine + south * sine) / 2,
            (east * sine - south * cosine) / 2,
        )
        right, front = right + half_right, front + half_front
        long, tall = abs(half_right), abs(half_front)
        return (
            abs(right) <= wide + long
            and abs(front) <= deep + tall
            and abs(half_right * front - half_front * right) <= wide * tall + deep * long
        )


QUARTER = 45
_HAIR = 1e-6


def in_arc(stand: Stand, target: Stand, half: int = QUARTER) -> bool:
    """Return whether any part of the target lies within `half` degrees (up to 90) of ahead.

    The arc begins at the centre of the stand.
    """
    sine, cosine = SINES[stand.facing], COSINES[stand.facing]
    across, along, (own_x, own_y, *_) = SINES[half], COSINES[half], stand
    seen = []
    for x, y in corners(target):
        east, south = x - own_x, y - own_y
        right, front = cosine * east + sine * south, sine * east - cosine * south
        if abs(right) * along <= front * across + _HAIR:
            return True
        seen.append((right, front))
    return any(
        _crosses(corner, other) for corner, other in zip(seen, seen[1:] + seen[:1], strict=True)
    )


def _crosses(corner: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether the side between two corners passes straight in front of the stand."""
    if (corner[0] < 0) == (other[0] < 0):
        return False
    share = corner[0] / (corner[0] - other[0])
    return corner[1] + share * (other[1] - corner[1]) > 0
