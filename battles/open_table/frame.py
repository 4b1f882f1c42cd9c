"""The table as somebody looks into it from his own edge."""

from typing import NamedTuple

from battles.contract.brief import Brief
from battles.edges import EAST, NORTH, SOUTH, WEST, edge_of, opposite, water_edges
from battles.open_table.points import Point
from battles.open_table.stands import Size


class Scale(NamedTuple):
    """How a book lays out its battles, in hundredths of its `measure`.

    `tables`: up to so many units fight on a table so wide and so high. `gap` is the distance of
    the lines before the battle, `room` that of neighbours; `stand` is a stand of foot.
    """

    measure: str
    tables: tuple[tuple[int, int, int], ...]
    gap: int
    room: int
    stand: Size


class Frame(NamedTuple):
    """A table seen along `ahead`: `across` counts from the left, `depth` from the near edge."""

    width: int
    height: int
    ahead: int

    @property
    def wide(self) -> int:
        """The length of the near edge."""
        return self.width if self.ahead in (NORTH, SOUTH) else self.height

    @property
    def deep(self) -> int:
        """From the near edge to the one opposite."""
        return self.height if self.ahead in (NORTH, SOUTH) else self.width

    def at(self, across: float, depth: float) -> Point:
        """The point so far from the left and so deep into the field."""
        x, y = {
            NORTH: (across, self.height - depth),
            SOUTH: (self.width - across, depth),
            EAST: (depth, across),
            WEST: (self.width - depth, self.height - across),
        }[self.ahead]
        return Point(round(x), round(y))

    def block(self, across: tuple[float, float], depth: tuple[float, float]) -> tuple[Point, ...]:
        """The corners of a rectangle: near left, far left, far right, near right."""
        (left, right), (near, far) = across, depth
        ring = ((left, near), (left, far), (right, far), (right, near))
        return tuple(self.at(*corner) for corner in ring)

    def from_edge(self, edge: int) -> "Frame":
        """The same table seen from another edge."""
        return self._replace(ahead=opposite(edge))

    @property
    def larger(self) -> "Frame":
        """A table half as long again each way."""
        return self._replace(width=self.width * 3 // 2, height=self.height * 3 // 2)

    @property
    def opposite(self) -> "Frame":
        """The same table seen from the far edge."""
        return self._replace(ahead=opposite(self.ahead))


def frame_of(brief: Brief, units: int, scale: Scale) -> Frame:
    """The table for so many units, seen by the attacker; water is room besides."""
    last = scale.tables[-1]
    _, width, height = next((one for one in scale.tables if units <= one[0]), last)
    wet = water_edges(brief)
    return Frame(
        width + breadth(scale) * sum(edge in (EAST, WEST) for edge in wet),
        height + breadth(scale) * sum(edge in (NORTH, SOUTH) for edge in wet),
        opposite(edge_of(brief.comes_from)),
    )


def breadth(scale: Scale) -> int:
    """How broad river and sea are on the table."""
    return 3 * scale.stand.width
