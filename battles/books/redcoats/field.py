"""The field: squares, facings and arcs, the terrain of each square, and the obstacles."""

from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Annotated

import msgspec

from battles.core.decoding import rest_name

# The squares of the field, the eight facings, and the arcs around a unit.
#
# A square is one number, 100 for each row from north to south and 1 for each column from west to
# east: 304 is "E4". A facing is a number from 0, north, clockwise to 7, north-west.


STRIDE = 100
OFF_FIELD = -1
"""The square of a unit that has not entered the field yet."""

N, NE, E, SE, S, SW, W, NW = range(8)
FACINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
STEPS = (-STRIDE, 1 - STRIDE, 1, 1 + STRIDE, STRIDE, STRIDE - 1, -1, -STRIDE - 1)
"""The difference in square numbers of one step in each facing."""

VECTORS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The same steps as columns and rows."""


class Aspect(StrEnum):
    """The side of a unit on which a square lies (Definitions 5 to 7)."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


def square_at(column: int, row: int) -> int:
    """Return the square of a column (0 in the west) and a row (0 in the north)."""
    return row * STRIDE + column


def column(square: int) -> int:
    """Return the column of a square, 0 in the west."""
    return square % STRIDE


def row(square: int) -> int:
    """Return the row of a square, 0 in the north."""
    return square // STRIDE


def name(square: int) -> str:
    """Return the name of a square: "D5" is the fourth column, fifth row; "" off the field."""
    return "" if square == OFF_FIELD else f"{chr(65 + column(square))}{row(square) + 1}"


def parse_square(text: str) -> int:
    """Return the square of a name such as "D5". Raises ValueError for other text."""
    letter, digits = text[:1].upper(), text[1:]
    if not ("A" <= letter <= "Z" and digits.isascii() and digits.isdigit() and int(digits) > 0):
        raise ValueError(f"{text!r} is no square: write a letter and a number, such as D5")
    return square_at(ord(letter) - 65, int(digits) - 1)


def parse_facing(text: str) -> int:
    """Return the facing of a name such as "NE". Raises ValueError for other text."""
    if text.upper() not in FACINGS:
        raise ValueError(f"{text!r} is no facing: use one of {', '.join(FACINGS)}")
    return FACINGS.index(text.upper())


def opposite(towards: int) -> int:
    """Return the opposite facing."""
    return (towards + 4) % 8


def is_diagonal(towards: int) -> bool:
    return towards % 2 == 1


_EIGHTHS = (0, 1, 2, 3, 4, 3, 2, 1)


def angle_between(facing: int, other: int) -> int:
    """Return the angle between two facings in steps of 45 degrees, 0 to 4."""
    return _EIGHTHS[(facing - other) % 8]


def distance(square: int, other: int) -> int:
    """Return the distance between two squares, counted orthogonally (Firing 5)."""
    return abs(other % STRIDE - square % STRIDE) + abs(other // STRIDE - square // STRIDE)


class _Apart(dict[int, int]):
    """The distance between two squares of a field by the difference of their numbers."""

    def __missing__(self, difference: int) -> int:
        columns, rows = offset_of(difference)
        self[difference] = total = abs(columns) + abs(rows)
        return total


APART = _Apart()
"""`APART[one - other]` is `distance(one, other)` for squares of a field up to 50 squares wide."""


def offset(square: int, other: int) -> tuple[int, int]:
    """Return the columns to the east and rows to the south from one square to the other."""
    return other % STRIDE - square % STRIDE, other // STRIDE - square // STRIDE


def offset_of(difference: int) -> tuple[int, int]:
    """Return the columns and rows between squares of a field up to 50 squares wide.

    `difference` is that of their numbers.
    """
    columns = (difference + STRIDE // 2) % STRIDE - STRIDE // 2
    return columns, (difference - columns) // STRIDE


def adjacent(square: int, other: int) -> bool:
    """Return whether two squares touch at a side or a corner (Definitions 1)."""
    columns, rows = offset(square, other)
    return square != other and abs(columns) <= 1 and abs(rows) <= 1


def towards(square: int, other: int) -> int:
    """Return the facing that points best from one square to another, orthogonal if two do.

    Raises ValueError when the squares are the same.
    """
    return _towards(other - square)


@lru_cache(maxsize=4096)
def _towards(difference: int) -> int:
    columns, rows = offset_of(difference)
    if not difference:
        raise ValueError("there is no way from a square to itself")
    return max(range(8), key=lambda way: (_along(way, columns, rows), way % 2 == 0))


def _along(way: int, columns: int, rows: int) -> float:
    across, down = VECTORS[way]
    return float((across * columns + down * rows) / (1.4142135623730951 if way % 2 else 1.0))


def aspect(unit: int, looks: int, other: int) -> Aspect:
    """Return the aspect of a unit in `unit`, facing `looks`, on which the square `other` lies.

    The arcs are of 90 degrees; a square on the border of two is in front or behind (ruling).
    """
    return _aspect(looks, other - unit)


@lru_cache(maxsize=8192)
def _aspect(looks: int, difference: int) -> Aspect:
    columns, rows = offset_of(difference)
    across, down = VECTORS[looks]
    ahead = across * columns + down * rows
    aside = abs(across * rows - down * columns)
    if ahead > 0 and ahead >= aside:
        return Aspect.FRONT
    return Aspect.REAR if ahead < 0 and -ahead >= aside else Aspect.FLANK


def in_three_quarters(unit: int, looks: int, other: int) -> bool:
    """Return whether `other` lies within 135 degrees to either side of the facing `looks`."""
    columns, rows = offset(unit, other)
    across, down = VECTORS[looks]
    behind = -(across * columns + down * rows)
    return behind <= abs(across * rows - down * columns)


def rear_squares(unit: int, looks: int) -> tuple[int, int, int]:
    """Return the three squares behind a unit; some may lie off the field."""
    back = opposite(looks)
    return unit + STEPS[back], unit + STEPS[(back + 1) % 8], unit + STEPS[(back - 1) % 8]


def around(square: int) -> tuple[int, ...]:
    """Return the eight squares around a square; some may lie off the field."""
    return tuple(square + step for step in STEPS)


# The field: the terrain of each square, and the obstacles between squares.


class Terrain(StrEnum):
    """The terrain of a square; tables/terrain.toml has its effects."""

    OPEN = "open"
    SCRUB = "scrub"
    GRASS = "tall grass"
    CROPS = "tall crops"
    UNDERGROWTH = "undergrowth"
    ROCKS = "rocks"
    WOOD = "wood"
    FOREST = "forest"
    BUILT_UP = "built-up"
    HILL = "hill"
    ROCKY_HILL = "rocky hill"
    WATER = "water"


class Obstacle(StrEnum):
    """An obstacle between two squares; tables/obstacles.toml has its effects."""

    RAMPART = "rampart"
    WALL = "wall"
    ZARIBA = "zariba"
    FENCE = "fence"
    TRENCH = "trench"
    WADI = "wadi"
    GULLY = "gully"
    STREAM = "stream"
    FORD = "ford"


class Edge(msgspec.Struct, frozen=True, array_like=True):
    """An obstacle on the side between two orthogonal neighbours."""

    one: int
    other: int
    obstacle: Obstacle


class Field(msgspec.Struct, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """A gridded field. Squares that `ground` does not name are open.

    `downstream` has, for squares of running water, the facing in which it flows.
    """

    width: int
    height: int
    ground: dict[int, Terrain] = {}
    edges: tuple[Edge, ...] = ()
    downstream: Annotated[dict[int, int], rest_name("downstream_by_square")] = {}

    def holds(self, square: int) -> bool:
        """Return whether the square lies on the field."""
        return square >= 0 and square % STRIDE < self.width and square // STRIDE < self.height

    @cached_property
    def squares(self) -> tuple[int, ...]:
        """Return every square of the field, row by row."""
        return tuple(
            row * STRIDE + column for row in range(self.height) for column in range(self.width)
        )

    @cached_property
    def obstacles(self) -> dict[tuple[int, int], Obstacle]:
        """Return the obstacle between two orthogonal neighbours, in either order."""
        one_way = {(edge.one, edge.other): edge.obstacle for edge in self.edges}
        return one_way | {(edge.other, edge.one): edge.obstacle for edge in self.edges}

    def terrain(self, square: int) -> Terrain:
        """Return the terrain of a square."""
        return self.ground.get(square, Terrain.OPEN)

    def between(self, square: int, way: int) -> Obstacle | None:
        """Return the obstacle that a step from `square` in the facing `way` crosses.

        A diagonal step crosses one only where the ways round both corners do (ruling).
        """
        if not self.edges:
            return None
        if not is_diagonal(way):
            return self.obstacles.get((square, square + STEPS[way]))
        left = self._round(square, (way - 1) % 8, (way + 1) % 8)
        return left and self._round(square, (way + 1) % 8, (way - 1) % 8)

    def _round(self, square: int, first: int, then: int) -> Obstacle | None:
        corner = square + STEPS[first]
        across = self.obstacles.get((square, corner))
        return across or self.obstacles.get((corner, corner + STEPS[then]))

    def lined(self, square: int, by: Obstacle) -> bool:
        """Return whether such an obstacle runs along any side of the square."""
        return any(self.obstacles.get((square, square + STEPS[way])) is by for way in (0, 2, 4, 6))

    def edge(self, square: int) -> tuple[int, ...]:
        """Return the orthogonal facings that lead from the square off the field."""
        return tuple(way for way in (0, 2, 4, 6) if not self.holds(square + STEPS[way]))
