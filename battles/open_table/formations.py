"""Where the stands of a unit are, from its formation and the middle of its front rank."""

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from math import hypot

from battles.open_table.points import COSINES, SINES, Point
from battles.open_table.stands import Size, Stand, Stands, corners

_KEPT = 16_384


class Formation(StrEnum):
    """How a unit's stands are arranged; which of them a unit may take is the book's to say."""

    LINE = "line"
    COLUMN = "column"
    MARCH_COLUMN = "march column"
    SQUARE = "square"
    MASS = "mass"
    LIMBERED = "limbered"
    UNLIMBERED = "unlimbered"
    AFLOAT = "afloat"


Offset = tuple[float, float, int]
"""So far to the right, so far to the front, and turned by so much."""

_TWO_ABREAST_FROM = 4
_THREE_RANKS_FROM = 9


@lru_cache(maxsize=_KEPT)
def places(formation: Formation, count: int, at: Point, facing: int, size: Size) -> Stands:
    """The stands of a unit, the front first and each rank from left to right.

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
def reach(formation: Formation, count: int, size: Size) -> int:
    """Hundredths from the unit's place within which all its stands lie."""
    stands = places(formation, count, Point(0, 0), 0, size)
    return round(max((hypot(*corner) for stand in stands for corner in corners(stand)), default=0))


def _offsets(formation: Formation, count: int, size: Size) -> tuple[Offset, ...]:
    if formation is Formation.SQUARE:
        return tuple(_square(count, size))
    return tuple(_ranks(count, _abreast(formation, count), size))


def _abreast(formation: Formation, count: int) -> int:
    """Stands in the front rank."""
    if formation in (Formation.LINE, Formation.UNLIMBERED):
        return max(1, count)
    if formation is Formation.MASS:
        return -(-count // (3 if count >= _THREE_RANKS_FROM else 2)) or 1
    if formation is Formation.COLUMN and count >= _TWO_ABREAST_FROM:
        return 2
    return 1


def _ranks(count: int, abreast: int, size: Size) -> Iterator[Offset]:
    for nth in range(count):
        rank, place = divmod(nth, abreast)
        wide = min(abreast, count - rank * abreast)
        yield (place - (wide - 1) / 2) * size.width, -rank * size.depth, 0


def _square(count: int, size: Size) -> Iterator[Offset]:
    """Hollow where there is room for it; two stand back to back, three leave the rear open."""
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
    """Stands on the front, the right, the left and the rear."""
    if count == 2:
        return 1, 0, 0, 1
    each, over = divmod(count, 4)
    if count == 3:
        return 1, 1, 1, 0
    return each + (over > 0), each + (over > 2), each, each + (over > 1)


def _face(count: int, turn: int, out: float, width: int) -> Iterator[Offset]:
    """Stands side by side that look outwards, so far from the middle."""
    for nth in range(count):
        along = (nth - (count - 1) / 2) * width
        right, front = COSINES[turn] * along + SINES[turn] * out, 0.0
        front = COSINES[turn] * out - SINES[turn] * along
        yield right, front, turn
