"""Points of the table, and the ways from one to another."""

from collections.abc import Iterable
from math import atan2, cos, degrees, hypot, radians, sin
from typing import NamedTuple

MEASURE = 100
"""Hundredths in one measure of the book, an inch or a centimetre."""

ROUND = 360
SINES = tuple(sin(radians(turn)) for turn in range(ROUND))
COSINES = tuple(cos(radians(turn)) for turn in range(ROUND))


class Point(NamedTuple):
    """So far east and so far south of the north-west corner, in hundredths."""

    x: int
    y: int


def distance(one: tuple[float, float], other: tuple[float, float]) -> int:
    """Hundredths from one point to another."""
    return round(hypot(other[0] - one[0], other[1] - one[1]))


def bearing(start: tuple[float, float], end: tuple[float, float]) -> int:
    """Degrees from the north in which `end` lies; 0 for one and the same point."""
    if start == end:
        return 0
    return round(degrees(atan2(end[0] - start[0], start[1] - end[1]))) % ROUND


def ahead(point: tuple[float, float], facing: int, length: int) -> Point:
    """The point so many hundredths on."""
    turn = facing % ROUND
    return Point(round(point[0] + SINES[turn] * length), round(point[1] - COSINES[turn] * length))


def turned(facing: int, by: int) -> int:
    """The facing after a turn of so many degrees, clockwise where they are more than nothing."""
    return (facing + by) % ROUND


def between(facing: int, other: int) -> int:
    """Degrees of the lesser turn from one facing to the other, 0 to 180."""
    turn = abs(facing - other) % ROUND
    return min(turn, ROUND - turn)


def middle(points: Iterable[tuple[float, float]]) -> Point:
    """The mean of the points. Raises ZeroDivisionError for none."""
    all_ = tuple(points)
    return Point(
        round(sum(point[0] for point in all_) / len(all_)),
        round(sum(point[1] for point in all_) / len(all_)),
    )
