"""The field: the terrain of each square, and the obstacles between squares."""

from enum import StrEnum
from functools import cached_property
from typing import Annotated

import msgspec

from battles.books.redcoats.squares import STEPS, STRIDE, is_diagonal
from battles.core.decoding import rest_name


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
        found = {(edge.one, edge.other): edge.obstacle for edge in self.edges}
        return found | {(edge.other, edge.one): edge.obstacle for edge in self.edges}

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
