"""Plane geometry, the lattice of cells, and snapping of lines to chains of hexsides."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from math import ceil, hypot

from campaign.map_compiler.survey import SurveyFrame
from campaign.rules.map.grid import (
    Cell,
    HexId,
    Hexside,
    Lattice,
    MapError,
    Pair,
    Vertex,
    hexside,
    neighbours_of,
    vertices_of,
)

# The grid of a map: the cells of a lattice in the frame of the survey, and their rim.


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


# Plane geometry, and snapping of a line to a chain of hexsides by dynamic time warping.
#
# Lines and rings may be in any unit; the net is in kilometres. Every hexside is cut into
# quarters, which gives a fine net of nodes. A state is a sample of the line together with a node
# of the net. Going on to the next sample costs the square of the distance; going along the net
# costs its length times (mean squared distance plus a toll). The cheapest way from first to last
# sample is the chain. Matching against the whole line neither leaves gaps, as nearest vertices
# would, nor cuts off bends, as a shortest path between anchors would.


def inside(point: Pair, ring: Sequence[Pair]) -> bool:
    """Return whether a point lies within a ring (which need not repeat its first point)."""
    x, y = point
    is_inside = False
    for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            is_inside = not is_inside
    return is_inside


def distance(a: Pair, b: Pair) -> float:
    """Return the straight distance between two points."""
    return hypot(a[0] - b[0], a[1] - b[1])


def distance_to_line(point: Pair, line: Sequence[Pair]) -> float:
    """Return the least distance from a point to a line of two points or more."""
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
    """Return the point that lies a share (0 to 1) of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def densify(line: Sequence[Pair], step: float) -> list[Pair]:
    """Return the line with points added so that none are more than a step apart."""
    dense = [line[0]]
    for a, b in pairwise(line):
        parts = max(1, ceil(distance(a, b) / step))
        dense.extend(between(a, b, part / parts) for part in range(1, parts + 1))
    return dense


QUARTERS = 4
TOLL = 12.0  # km2; what a detour along the net costs beside its distance from the line
REACH = 21.0  # km; nodes farther from a sample are no candidates for it

Node = tuple[Vertex, Vertex, int]
"""A hexside and the quarters along it; a vertex is (vertex, vertex, 0)."""
Costs = dict[Node, float]
Origins = dict[Node, Node | None]


@dataclass(frozen=True)
class SnapStep:
    """A hexside walked from one vertex to the next, and the sample it was matched to."""

    start: Vertex
    end: Vertex
    sample: int

    @property
    def side(self) -> Hexside:
        """Return the hexside, in either direction the same."""
        return hexside(self.start, self.end)


def vertex_node(vertex: Vertex) -> Node:
    """Return the node of the net that is a vertex of the grid."""
    return (vertex, vertex, 0)


@dataclass(frozen=True)
class Net:
    """The hexsides of a grid, without its rim, cut into quarters."""

    grid: Grid

    @cached_property
    def points(self) -> dict[Node, Pair]:
        """Return the position of every node in kilometres."""
        places = self.grid.points
        found = {vertex_node(vertex): places[vertex] for vertex in self.grid.inner}
        for (a, b), cells in self.grid.sides.items():
            if len(cells) == 2:
                for part in range(1, QUARTERS):
                    found[(a, b, part)] = between(places[a], places[b], part / QUARTERS)
        return found

    @cached_property
    def links(self) -> dict[Node, list[Node]]:
        """Return the nodes next to each node."""
        found: defaultdict[Node, list[Node]] = defaultdict(list)
        for (a, b), cells in self.grid.sides.items():
            if len(cells) == 2:
                row = [vertex_node(a), *((a, b, n) for n in range(1, QUARTERS)), vertex_node(b)]
                for node, other in pairwise(row):
                    found[node].append(other)
                    found[other].append(node)
        return dict(found)

    @cached_property
    def by_cell(self) -> dict[Cell, tuple[Node, ...]]:
        """Return the nodes on the outline of each cell."""
        nodes_by_cell: dict[Cell, tuple[Node, ...]] = {}
        for cell in self.grid.cells:
            ring = vertices_of(cell)
            sides = [hexside(a, b) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
            parts = [(a, b, n) for a, b in sides for n in range(1, QUARTERS)]
            nodes = [vertex_node(vertex) for vertex in ring] + parts
            nodes_by_cell[cell] = tuple(node for node in nodes if node in self.points)
        return nodes_by_cell

    def along(self, step: "SnapStep") -> tuple[Node, ...]:
        """Return the nodes of a hexside, both its vertices among them."""
        a, b = step.side
        parts = tuple((a, b, part) for part in range(1, QUARTERS))
        return (vertex_node(a), *parts, vertex_node(b))

    @cached_property
    def _gathered(self) -> dict[Cell, tuple[Node, ...]]:
        return {}

    def around(self, cell: Cell) -> tuple[Node, ...]:
        """Return the nodes of a cell and of those within two cells of it, in a fixed order."""
        if cell not in self._gathered:
            near = {cell, *self.grid.neighbours[cell]}
            wide = {
                far for neighbour in near for far in (neighbour, *self.grid.neighbours[neighbour])
            }
            nodes = {node for far in wide for node in self.by_cell[far]}
            self._gathered[cell] = tuple(sorted(nodes))
        return self._gathered[cell]

    def squares(self, sample: Pair, forbidden: frozenset[Node]) -> Costs:
        """Return the squared distance in km2 from a sample to each candidate node.

        Raises MapError for a sample off the map.
        """
        cell = self.grid.cell_at(sample)
        if cell is None:
            raise MapError(f"The point {sample} of a river lies off the map.")
        costs: Costs = {}
        for node in self.around(cell):
            x, y = self.points[node]
            square = (x - sample[0]) ** 2 + (y - sample[1]) ** 2
            if square <= REACH * REACH and node not in forbidden:
                costs[node] = square
        return costs


@dataclass(frozen=True)
class ChainEnds:
    """Tests for the vertices where a chain may begin and end, and the nodes it must avoid."""

    start: Callable[[Vertex], bool]
    end: Callable[[Vertex], bool]
    forbidden: frozenset[Node] = frozenset()


def snap(net: Net, samples: Sequence[Pair], ends: ChainEnds) -> list[SnapStep]:
    """Return the chain of hexsides that follows the samples most closely, in their order.

    Raises MapError if no chain leads from a lawful start to a lawful end.
    """
    squares = net.squares(samples[0], ends.forbidden)
    costs = {node: square for node, square in squares.items() if _is_vertex(node, ends.start)}
    trail = [_relax_costs(net, costs, squares)]
    for before, sample in pairwise(samples):
        step = distance(before, sample)
        squares = net.squares(sample, ends.forbidden)
        costs = {n: cost + squares[n] * step for n, cost in costs.items() if n in squares}
        trail.append(_relax_costs(net, costs, squares))
    last = [node for node in costs if _is_vertex(node, ends.end)]
    if not last:
        raise MapError("A river cannot be laid along hexsides from its source to its mouth.")
    return _steps(_walk(trail, min(last, key=lambda node: (costs[node], node))))


def _is_vertex(node: Node, allowed: Callable[[Vertex], bool]) -> bool:
    return node[2] == 0 and allowed(node[0])


def _relax_costs(net: Net, costs: Costs, squares: Costs) -> Origins:
    """Lower the costs in place by walks along the net; return the origin of each node."""
    origins: Origins = dict.fromkeys(costs)
    quarter = net.grid.lattice.width / 3**0.5 / QUARTERS
    heap = [(cost, node) for node, cost in costs.items()]
    heapify(heap)
    while heap:
        cost, node = heappop(heap)
        if cost > costs[node]:
            continue
        for other in net.links[node]:
            if other not in squares:
                continue
            total = cost + quarter * ((squares[node] + squares[other]) / 2 + TOLL)
            if total < costs.get(other, float("inf")):
                costs[other] = total
                origins[other] = node
                heappush(heap, (total, other))
    return origins


def _walk(trail: Sequence[Origins], last: Node) -> list[tuple[Node, int]]:
    """Return the nodes of the cheapest way with the sample of each, without spurs."""
    backwards = [(last, len(trail) - 1)]
    node, sample = last, len(trail) - 1
    while sample >= 0:
        origin = trail[sample][node]
        if origin is None:
            sample -= 1
        else:
            node = origin
            backwards.append((node, sample))
    return _without_loops(reversed(backwards))


def _without_loops(walk: Iterable[tuple[Node, int]]) -> list[tuple[Node, int]]:
    kept: dict[Node, int] = {}
    for node, sample in walk:
        while node in kept and next(reversed(kept)) != node:
            kept.popitem()
        kept.setdefault(node, sample)
    return list(kept.items())


def _steps(walk: Sequence[tuple[Node, int]]) -> list[SnapStep]:
    """Return the hexsides of a walk from vertex to vertex, each with the sample at its middle."""
    vertices = walk[::QUARTERS]
    middles = walk[QUARTERS // 2 :: QUARTERS]
    return [
        SnapStep(start[0], end[0], sample)
        for (start, _), (_, sample), (end, _) in zip(
            vertices[:-1], middles, vertices[1:], strict=True
        )
    ]
