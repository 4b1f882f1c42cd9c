"""Stands as rectangles on the table, how far apart they are, and whether they are in contact."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import hypot
from typing import NamedTuple

import numpy as np
import shapely

from battles.open_table.points import COSINES, SINES, Point, middle

TOUCH = 5
"""Hundredths within which stands are in contact: places are rounded to whole hundredths."""

Corner = tuple[float, float]
Circle = tuple[int, int, float]
_KEPT = 8192


class Size(NamedTuple):
    """The front and the depth of a stand."""

    width: int
    depth: int


class Stand(NamedTuple):
    """A rectangle about its centre that looks one way."""

    x: int
    y: int
    facing: int
    width: int
    depth: int

    @property
    def at(self) -> Point:
        """Its centre."""
        return Point(self.x, self.y)


Stands = tuple[Stand, ...]


def corners(stand: Stand, inwards: float = 0) -> tuple[Corner, Corner, Corner, Corner]:
    """Front left, front right, rear right and rear left, each drawn in by so much."""
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


def gap(ours: Stands, theirs: Stands) -> int:
    """Hundredths from edge to edge of the nearest stands; 0 when they touch."""
    return round(outline(ours).distance(outline(theirs)))


def gaps(ours: Stands, theirs: Stands) -> list[list[int]]:
    """Hundredths from each of ours to each of theirs."""
    apart = shapely.distance(rectangles(ours)[:, None], rectangles(theirs)[None, :])
    return [[round(one) for one in row] for row in apart.tolist()]


def touching(ours: Stands, theirs: Stands) -> bool:
    """Whether any of ours is in contact with any of theirs."""
    return gap(ours, theirs) <= TOUCH


def in_contact(ours: Stands, theirs: Stands) -> tuple[tuple[int, int], ...]:
    """The pairs in contact, each as the places in ours and in theirs."""
    if not touching(ours, theirs):
        return ()
    return tuple(
        (mine, other)
        for mine, row in enumerate(gaps(ours, theirs))
        for other, apart in enumerate(row)
        if apart <= TOUCH
    )


def overlap(ours: Stands, theirs: Stands) -> bool:
    """Whether any of ours lies upon any of theirs by more than rounding."""
    x, y, far = hull(ours)
    near = tuple(
        other
        for other in theirs
        if abs(other[0] - x) < far + other[3] + other[4] > abs(other[1] - y)
    )
    return bool(near) and bool(shapely.intersects(core(ours), core(near)))


def nearest(point: Corner, units: Mapping[int, Stands]) -> int | None:
    """Whose edge is nearest to the point, the lowest number among equals; None for nobody."""
    here = shapely.points(*point)
    return _least({number: outline(stands).distance(here) for number, stands in units.items()})


def nearest_to(ours: Stands, units: Mapping[int, Stands]) -> int | None:
    """Who is nearest to us, edge to edge, the lowest number among equals; None for nobody."""
    return _least({number: outline(ours).distance(outline(its)) for number, its in units.items()})


def _least(apart: dict[int, float]) -> int | None:
    return min(apart, key=lambda number: (round(apart[number]), number)) if apart else None


@lru_cache(maxsize=_KEPT)
def outline(stands: Stands) -> shapely.MultiPolygon:
    """The ground that the stands cover."""
    return _prepared(corners(stand) for stand in stands)


@lru_cache(maxsize=_KEPT)
def core(stands: Stands) -> shapely.MultiPolygon:
    """The ground that the stands cover but for a rim as broad as contact."""
    return _prepared(corners(stand, inwards=TOUCH) for stand in stands)


@lru_cache(maxsize=_KEPT)
def rectangles(stands: Stands) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    """The outline of each stand."""
    return np.atleast_1d(shapely.polygons([corners(stand) for stand in stands]))


def _prepared(rings: Iterable[tuple[Corner, ...]]) -> shapely.MultiPolygon:
    ground: shapely.MultiPolygon = shapely.multipolygons(shapely.polygons(list(rings)))  # type: ignore[assignment]
    shapely.prepare(ground)
    return ground


def radius(stand: Stand) -> float:
    """From its centre to a corner."""
    return hypot(stand.width, stand.depth) / 2


def hull(stands: Stands) -> Circle:
    """A circle that holds them all: its centre and its radius."""
    at = middle(stand.at for stand in stands)
    return *at, max(hypot(one.x - at.x, one.y - at.y) + radius(one) for one in stands)
