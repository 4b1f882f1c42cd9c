"""The field: what each square is like, and what lies on the sides between squares."""

from enum import StrEnum
from functools import cached_property

import msgspec

from battles.books.redcoats.squares import STEPS, STRIDE, is_diagonal


class Terrain(StrEnum):
    """What a square is like; tables/terrain.toml says what that does."""

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
    """What has to be crossed between two squares; tables/obstacles.toml says what that does."""

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
    """An obstacle on the side that two orthogonal neighbours share."""

    one: int
    other: int
    obstacle: Obstacle


class Field(msgspec.Struct, frozen=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """A gridded field. Squares that `ground` does not name are open.

    `downstream` says of squares of running water to which facing the stream runs.
    """

    width: int
    height: int
    ground: dict[int, Terrain] = {}
    edges: tuple[Edge, ...] = ()
    downstream: dict[int, int] = {}

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
        found = {(edge.one, edge.other): edge.obstacle for edge in self.edges}
        return found | {(edge.other, edge.one): edge.obstacle for edge in self.edges}

    def terrain(self, square: int) -> Terrain:
        """What the square is like."""
        return self.ground.get(square, Terrain.OPEN)

    def between(self, square: int, way: int) -> Obstacle | None:
        """Return the obstacle that a step from `square` in the facing `way` crosses.

        A diagonal step crosses one that bars the way round either corner (ruling).
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
        """Return the facings that lead off the field from the square, orthogonal ones."""
        return tuple(way for way in (0, 2, 4, 6) if not self.holds(square + STEPS[way]))
