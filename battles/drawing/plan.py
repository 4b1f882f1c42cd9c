"""Where squares come to lie on the drawing, and the outline of many of them."""

from collections import defaultdict
from collections.abc import Iterable

from battles.drawing.pen import Point, loop
from battles.drawing.scene import STEPS, Square

SIDE = 100
"""Units of the drawing in the side of a square."""

MARGIN = 46
THIRDS = 4
"""Parts into which the side of a square is cut, so that corners are rounded and no more."""


def corner(square: Square) -> Point:
    """The north-west corner of a square."""
    return (SIDE * square[0], SIDE * square[1])


def centre(square: Square) -> Point:
    """The middle of a square."""
    return (SIDE * square[0] + SIDE // 2, SIDE * square[1] + SIDE // 2)


def side_of(square: Square, side: int) -> tuple[Point, Point]:
    """The ends of the side of a square that looks towards a facing, clockwise."""
    x, y = corner(square)
    ring = ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE))
    number = side // 2
    return ring[number], ring[(number + 1) % 4]


def outline(squares: Iterable[Square]) -> str:
    """Path data of the edge of all these squares, its corners rounded."""
    return "".join(loop(_cut(ring)) for ring in _rings(frozenset(squares)))


def _cut(ring: list[Point]) -> list[Point]:
    """The ring with every side cut into parts."""
    cut: list[Point] = []
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        cut += [
            (ax + (bx - ax) * part // THIRDS, ay + (by - ay) * part // THIRDS)
            for part in range(THIRDS)
        ]
    return cut


def _rings(squares: frozenset[Square]) -> list[list[Point]]:
    """The closed lines round the squares, each clockwise round what it holds."""
    leads: dict[Point, list[Point]] = defaultdict(list)
    for square in sorted(squares):
        for side in (0, 2, 4, 6):
            dx, dy = STEPS[side]
            if (square[0] + dx, square[1] + dy) not in squares:
                start, end = side_of(square, side)
                leads[start].append(end)
    rings = []
    while leads:
        rings.append(_follow(leads))
    return rings


def _follow(leads: dict[Point, list[Point]]) -> list[Point]:
    """One closed line, taken out of what is left of them."""
    first = next(iter(leads))
    ring, at = [first], _take(leads, first, (0, 0))
    while at != first:
        ring.append(at)
        at = _take(leads, at, ring[-2])
    return ring


def _take(leads: dict[Point, list[Point]], start: Point, before: Point) -> Point:
    """The next corner; where two lines cross, the one that turns right."""
    ends = leads[start]
    right = (before[1] - start[1], start[0] - before[0])
    ends.sort(key=lambda end: (end[0] - start[0]) * right[0] + (end[1] - start[1]) * right[1])
    chosen = ends.pop()
    if not ends:
        del leads[start]
    return chosen
