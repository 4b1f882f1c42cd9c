"""The field as the attacker looks at it: how wide and deep it is, and which edge is whose."""

from typing import NamedTuple

from battles import edges
from battles.books.redcoats.squares import E, N, S, W, opposite, square_at
from battles.contract.brief import Bearing, Brief

SIZES = ((30, 12, 8), (45, 15, 10), (65, 18, 12), (90, 22, 14))
"""Up to so many units fight on a field of so many columns and rows (The battlefield 2)."""
LARGEST = (26, 16)

GAP = 5
"""Squares between the lines before the battle: out of the reach of all firearms."""

EIGHTH = 45
"""Degrees from one facing to the next."""


class Frame(NamedTuple):
    """The field from one edge: `across` counts from the west or north, `depth` into the field.

    `ahead` is the facing that leads from this edge into the field; `columns` and `rows` are the
    whole field's, north up.
    """

    columns: int
    rows: int
    ahead: int

    @property
    def width(self) -> int:
        """Squares along the edge."""
        return self.columns if self.ahead in (N, S) else self.rows

    @property
    def deep(self) -> int:
        """Squares from this edge to the one opposite."""
        return self.rows if self.ahead in (N, S) else self.columns

    def at(self, across: int, depth: int) -> int:
        """The square so far along the edge and so deep into the field."""
        if self.ahead == N:
            return square_at(across, self.rows - 1 - depth)
        if self.ahead == S:
            return square_at(across, depth)
        if self.ahead == E:
            return square_at(depth, across)
        return square_at(self.columns - 1 - depth, across)

    def row(self, depth: int) -> list[int]:
        """The squares of one depth, along the edge."""
        return [self.at(across, depth) for across in range(self.width)]

    def within(self, across: int, depth: int) -> bool:
        return 0 <= across < self.width and 0 <= depth < self.deep

    def from_edge(self, edge: int) -> "Frame":
        """The same field seen from another edge."""
        return self._replace(ahead=opposite(edge))


def frame_of(brief: Brief, units: int) -> Frame:
    """The field for so many units, seen by the attacker; banks and shores are room besides."""
    columns, rows = next(((c, r) for most, c, r in SIZES if units <= most), LARGEST)
    wet = water_edges(brief)
    return Frame(
        min(columns + sum(edge in (E, W) for edge in wet), LARGEST[0]),
        rows + sum(edge in (N, S) for edge in wet),
        opposite(edge_of(brief.comes_from)),
    )


def edge_of(bearing: Bearing) -> int:
    """The edge that the attacker has behind him when he comes through that hexside."""
    return edges.edge_of(bearing) // EIGHTH


def water_edges(brief: Brief) -> tuple[int, ...]:
    """The edges along which river or sea run: never the one that the attacker comes from."""
    return tuple(edge // EIGHTH for edge in edges.water_edges(brief))


def sides_of(brief: Brief) -> tuple[int, ...]:
    """The edges from which the attackers come, the main body's first."""
    return tuple(edge // EIGHTH for edge in edges.sides_of(brief))
