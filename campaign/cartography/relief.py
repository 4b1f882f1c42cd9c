"""Patterns of relief in hachures, which repeat every four columns and four rows.

The tile is a whole number of hexes wide and high and begins at the sheet's corner, so that a knoll
always falls within its hex. The irregular strokes are the same on every machine.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, pi, sin

from battles.drawing.svg import DrawingPoint, element, path, strokes
from campaign.cartography.sheet import COLUMN, CORNER, HALF, ROW

WIDE, HIGH = 4 * COLUMN, 4 * ROW
RIDGES, STEPS = 5, 92
LIGHT = -2.2
"""Direction of the light, from the north-west, in radians clockwise from the east."""

Stroke = tuple[DrawingPoint, DrawingPoint]


def patterns() -> str:
    """Return the patterns of steppe (tufts), hills (a knoll to a hex) and mountains (ridges)."""
    return (
        _tile("p-steppe", "tuft", _tufts())
        + _tile("p-hill", "hachure", _knolls())
        + _tile("p-mountain", "hachure", _ridges())
    )


def _tile(id_: str, class_: str, marks: Iterator[Stroke]) -> str:
    whole = [moved for mark in marks for moved in _wrapped(mark)]
    return element(
        "pattern",
        path(strokes(whole), class_),
        id=id_,
        width=WIDE,
        height=HIGH,
        patternUnits="userSpaceOnUse",
    )


def _wrapped(mark: Stroke) -> Iterator[Stroke]:
    """Yield the stroke, repeated from the opposite edge for every edge of the tile it crosses."""
    for dx in (-WIDE, 0, WIDE):
        for dy in (-HIGH, 0, HIGH):
            moved = [(x + dx, y + dy) for x, y in mark]
            if any(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in moved):
                yield (moved[0], moved[1])


def _knolls() -> Iterator[Stroke]:
    for column in range(4):
        for row in range(4):
            x = 2 * CORNER + COLUMN * column
            y = HALF + ROW * row + (0 if column % 2 else HALF)
            yield from _knoll((x, y), 4 * column + row)


def _knoll(centre: DrawingPoint, seed: int) -> Iterator[Stroke]:
    """Yield a hilltop seen from above: strokes downhill, longer and closer in the shade."""
    x, y = centre[0] + 14 * _unsteady(seed), centre[1] + 12 * _unsteady(seed + 50)
    wide, high = 17 + 7 * _unsteady(seed + 100), 9 + 4 * _unsteady(seed + 150)
    for number in range(22):
        angle = 2 * pi * (number + 0.4 * _unsteady(31 * seed + number)) / 22
        shade = _shade(angle)
        if shade < 0.15 and number % 2:
            continue
        length = 7 + 12 * shade + 3 * _unsteady(17 * seed + number)
        yield _ray((x + wide * cos(angle), y + high * sin(angle)), angle, length)


def _tufts() -> Iterator[Stroke]:
    """Yield tufts of three blades of grass."""
    for number in range(26):
        x = round(WIDE * (_unsteady(number) + 1) / 2)
        y = round(HIGH * (number + _unsteady(number + 300)) / 26)
        yield from (((x + n, y), (x + 2 * n, y - 9 + abs(n) // 2)) for n in (-4, 0, 4))


def _ridges() -> Iterator[Stroke]:
    for number in range(RIDGES):
        yield from _ridge(number)


def _ridge(number: int) -> Iterator[Stroke]:
    """Yield a crest from one edge of the tile to the next with strokes down both its slopes."""
    crest = [_crest(number, HIGH * step / STEPS) for step in range(STEPS + 1)]
    for step, (a, b) in enumerate(pairwise(crest)):
        along = atan2(b[1] - a[1], b[0] - a[0])
        for side in (along - pi / 2, along + pi / 2):
            seed = 197 * number + 2 * step + (side > along)
            length = 7 + 26 * _shade(side) * _height(number, step) + 4 * _unsteady(seed)
            lean = side + 0.2 * _unsteady(seed + 7)
            yield _ray((a[0] + 3 * cos(lean), a[1] + 3 * sin(lean)), lean, length)


def _height(number: int, step: int) -> float:
    """Return the height of a crest along its way, from summit to saddle."""
    return 0.72 + 0.28 * sin(2 * pi * (3 * step / STEPS + number / RIDGES))


def _crest(number: int, y: float) -> tuple[float, float]:
    turn = 2 * pi * y / HIGH
    sway = 20 * sin(turn + 2.1 * number) + 11 * sin(2 * turn + number) + 5 * sin(5 * turn - number)
    return (WIDE * (number + 0.5) / RIDGES + sway, y)


def _ray(start: tuple[float, float], angle: float, length: float) -> Stroke:
    x, y = start
    end = (round(x + length * cos(angle)), round(y + length * sin(angle)))
    return ((round(x), round(y)), end)


def _shade(angle: float) -> float:
    """Return the shade of a slope of that aspect, from 0 to 1."""
    return (1 - cos(angle - LIGHT)) / 2


def _unsteady(seed: int) -> float:
    """Return a pseudo-random number from -1 to 1."""
    mixed = (seed + 1) * 2654435761 % 2**32
    mixed = (mixed ^ mixed >> 15) * 2246822519 % 2**32
    return (mixed ^ mixed >> 13) / 2**31 - 1
