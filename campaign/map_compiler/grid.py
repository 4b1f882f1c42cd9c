"""The grid of a map: the cells of a lattice in the frame of the survey, and their rim."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil

from campaign.map_compiler.survey import SurveyFrame
from campaign.rules.map.grid import (
    Cell,
    Hexside,
    Lattice,
    Vertex,
    hexside,
    neighbours_of,
    vertices_of,
)
from campaign.rules.map.model import HexId, Pair


@dataclass(frozen=True)
class Grid:
    """The cells of a lattice whose centres lie in the frame, column by column from the north."""

    frame: SurveyFrame
    lattice: Lattice = field(init=False)

    def __post_init__(self) -> None:
        origin = (self.frame.origin_x, self.frame.origin_y)
        lattice = Lattice(self.frame.orientation, self.frame.hex_width_km, origin)
        object.__setattr__(self, "lattice", lattice)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Return all cells on the map, by column from the west and row from the north."""
        frame = self.frame
        reach = ceil(max(frame.x_max - frame.x_min, frame.y_max - frame.y_min) / frame.hex_width_km)
        inside = [
            (q, r)
            for q in range(-reach, reach + 1)
            for r in range(-2 * reach, 2 * reach + 1)
            if self._in_frame(self.lattice.xy(q, r))
        ]
        return tuple(inside)

    def _in_frame(self, point: Pair) -> bool:
        frame = self.frame
        return frame.x_min <= point[0] <= frame.x_max and frame.y_min <= point[1] <= frame.y_max

    @cached_property
    def centres(self) -> dict[Cell, Pair]:
        """Return the centre of each cell, kilometres (east, north)."""
        return {cell: self.lattice.xy(*cell) for cell in self.cells}

    @cached_property
    def neighbours(self) -> dict[Cell, tuple[Cell, ...]]:
        """Return the neighbouring cells on the map, clockwise."""
        return {
            cell: tuple(other for other in neighbours_of(cell) if other in self.centres)
            for cell in self.cells
        }

    @cached_property
    def sides(self) -> dict[Hexside, tuple[Cell, ...]]:
        """Return every hexside with the one or two cells it bounds."""
        found: defaultdict[Hexside, list[Cell]] = defaultdict(list)
        for cell in self.cells:
            ring = vertices_of(cell)
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                found[hexside(a, b)].append(cell)
        return {side: tuple(cells) for side, cells in found.items()}

    @cached_property
    def points(self) -> dict[Vertex, Pair]:
        """Return every vertex with its position, kilometres (east, north)."""
        return {v: self.lattice.vertex_xy(v) for side in self.sides for v in side}

    def middle(self, side: Hexside) -> Pair:
        """Return the middle of a hexside, kilometres (east, north)."""
        (ax, ay), (bx, by) = self.points[side[0]], self.points[side[1]]
        return ((ax + bx) / 2, (ay + by) / 2)

    @cached_property
    def inner(self) -> dict[Vertex, tuple[Vertex, ...]]:
        """Return each vertex with those it is joined to by a hexside that is not on the rim."""
        joined: defaultdict[Vertex, list[Vertex]] = defaultdict(list)
        for (a, b), cells in self.sides.items():
            if len(cells) == 2:
                joined[a].append(b)
                joined[b].append(a)
        return {vertex: tuple(others) for vertex, others in joined.items()}

    @cached_property
    def rim(self) -> frozenset[Vertex]:
        """Return the vertices of the hexsides that bound one cell only."""
        return frozenset(v for side, cells in self.sides.items() if len(cells) == 1 for v in side)

    def cell_at(self, point: Pair) -> Cell | None:
        """Return the cell of the map that holds a point, or None off the map."""
        cell = self.lattice.cell_at(point)
        return cell if cell in self.centres else None

    def banks(self, a: Vertex, b: Vertex) -> tuple[Cell, Cell]:
        """Return the cells to the left and the right of the way from vertex a to vertex b."""
        first, second = self.sides[hexside(a, b)]
        (ax, ay), (bx, by) = self.points[a], self.points[b]
        x, y = self.centres[first]
        left = (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0
        return (first, second) if left else (second, first)

    @cached_property
    def ids(self) -> dict[Cell, HexId]:
        """Return the printed number of each cell of a flat-top grid: column times 100 plus row."""
        west = min(q for q, _ in self.cells)
        rows = {cell: cell[1] + (cell[0] + cell[0] % 2) // 2 for cell in self.cells}
        north = min(rows.values())
        return {cell: HexId((cell[0] - west) * 100 + row - north) for cell, row in rows.items()}
