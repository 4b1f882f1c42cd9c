"""Plane geometry of lines and rings; any pair of like units will do."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, hypot

from campaign.rules.map.kinds import Pair


def inside(point: Pair, ring: Sequence[Pair]) -> bool:
    """Whether a point lies within a closed ring (which need not repeat its first point)."""
    x, y = point
    found = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            found = not found
    return found


def distance(a: Pair, b: Pair) -> float:
    """Straight distance between two points."""
    return hypot(a[0] - b[0], a[1] - b[1])


def distance_to_line(point: Pair, line: Sequence[Pair]) -> float:
    """Least distance from a point to a line of two points or more."""
    return min(_to_segment(point, a, b) for a, b in pairwise(line))


def _to_segment(point: Pair, a: Pair, b: Pair) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    if square == 0:
        return distance(point, a)
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / square
    along = min(1.0, max(0.0, along))
    return distance(point, (a[0] + along * dx, a[1] + along * dy))


def between(a: Pair, b: Pair, share: float) -> Pair:
    """The point that lies a share (0 to 1) of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def densified(line: Sequence[Pair], step: float) -> list[Pair]:
    """The line with points added so that none are more than a step apart."""
    dense = [line[0]]
    for a, b in pairwise(line):
        parts = max(1, ceil(distance(a, b) / step))
        dense.extend(between(a, b, part / parts) for part in range(1, parts + 1))
    return dense
