"""The hex grid, and the types of all that lies on it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt
from typing import Literal, NewType

# Types of the map: hexes, places, river hexsides, tracks, roads, and MapError.


HexId = NewType("HexId", int)
"""Column times 100 plus row, as printed: `f"{hex_id:04d}"`. Columns 00 to 61 run west to east,
rows 00 to 63 north to south; even columns stand half a hex further south (even-q offset)."""

Pair = tuple[float, float]
"""Two numbers: [latitude, longitude] in degrees in the survey, (x, y) in kilometres on the grid
with x to the east and y to the north."""


class GroundClass(StrEnum):
    """Fertility of the land; hills and mountains are independent of it (see Relief)."""

    DESERT = "desert"
    CLEAR = "clear"
    CULTIVATED = "cultivated"
    SEA = "sea"


class Relief(StrEnum):
    """Steepness of the land."""

    FLAT = "flat"
    HILL = "hill"
    MOUNTAIN = "mountain"


class PlaceClass(StrEnum):
    """Kinds of place in the rules."""

    TOWN = "town"
    VILLAGE = "village"
    OASIS = "oasis"


class Nav(StrEnum):
    """Class of a stretch of river (8.23); seasonal is navigable from November to February."""

    NAVIGABLE = "navigable"
    SEASONAL = "seasonal"
    UNNAVIGABLE = "unnavigable"


class Bank(StrEnum):
    """Side of a river, facing downstream; either means that both are possible."""

    LEFT = "left"
    RIGHT = "right"
    EITHER = "either"


class MapError(ValueError):
    """Error for a damaged survey or built map, or a name that is not on the map."""


Direction = Literal[-1, 0, 1]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A named place. `river` is the river it stands on; `in_rules`: the book names it."""

    name: str
    kind: PlaceClass
    hex: HexId
    river: str | None
    port: bool
    in_rules: bool
    aliases: tuple[str, ...]
    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex: x and y are kilometres east and north of the projection's centre."""

    id: HexId
    q: int
    r: int
    x: float
    y: float
    lat: float
    lon: float
    ground: GroundClass
    relief: Relief
    coast: bool
    place: str | None
    places: tuple[str, ...]
    regions: frozenset[str]
    closed: bool

    @property
    def sea(self) -> bool:
        """Return whether the hex is sea, which no unit enters."""
        return self.ground is GroundClass.SEA


@dataclass(frozen=True, slots=True)
class RiverSide:
    """A hexside of a river; ordinals count from 1 at the source to the mouth of that river.

    `hexes` are those on the left and the right bank, facing downstream.
    """

    river: str
    ordinal: int
    nav: Nav
    cataract: str | None
    reach: str
    hexes: tuple[HexId, HexId]


@dataclass(frozen=True, slots=True)
class RiverMove:
    """A move of one hex by river: 1 downstream, -1 upstream, 0 to the other bank."""

    to: HexId
    river: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class RailwayTrack:
    """A railway line as its hexes, in order."""

    id: str
    title: str
    status: Literal["built", "projected"]
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A caravan road as its hexes, in order; it has no effect on play."""

    title: str
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Wadi:
    """A dry river bed, for lettering: points of [latitude, longitude]."""

    name: str
    points: tuple[Pair, ...]


# The hex lattice: cells, vertices and hexsides; and the map projection.
#
# A cell is an axial pair (q, r). A vertex is the sum of the three axial pairs that meet there, so
# it is exact in whole numbers and rounding cannot split a vertex in two. A hexside is the sorted
# pair of its vertices.
#
# The projection is azimuthal equidistant: distance and bearing from its centre are true.


Cell = tuple[int, int]
Vertex = tuple[int, int]
Hexside = tuple[Vertex, Vertex]

CLOCKWISE: tuple[Cell, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial steps to the six neighbours, clockwise from north (from north-west on a pointy grid)."""


@dataclass(frozen=True)
class Lattice:
    """An endless hex grid: orientation, width across flats and centre of cell (0, 0), in km."""

    orientation: Literal["flat-top", "pointy-top"]
    width: float
    origin: Pair = (0.0, 0.0)

    def xy(self, q: float, r: float) -> Pair:
        """Return kilometres (east, north) of an axial position, which need not be whole."""
        slant = self.width * sqrt(3) / 2
        if self.orientation == "flat-top":
            return (self.origin[0] + slant * q, self.origin[1] - self.width * (r + q / 2))
        return (self.origin[0] + self.width * (q + r / 2), self.origin[1] - slant * r)

    def vertex_xy(self, vertex: Vertex) -> Pair:
        """Return kilometres (east, north) of a vertex."""
        return self.xy(vertex[0] / 3, vertex[1] / 3)

    def cell_at(self, point: Pair) -> Cell:
        """Return the cell that contains a point."""
        x, y = point[0] - self.origin[0], point[1] - self.origin[1]
        slant = self.width * sqrt(3) / 2
        if self.orientation == "flat-top":
            q = x / slant
            return _round_to_cell(q, -y / self.width - q / 2)
        r = -y / slant
        return _round_to_cell(x / self.width - r / 2, r)


def _round_to_cell(q: float, r: float) -> Cell:
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if off_q > off_r and off_q > off_s:
        return (-whole_r - whole_s, whole_r)
    if off_r > off_s:
        return (whole_q, -whole_q - whole_s)
    return (whole_q, whole_r)


def vertices_of(cell: Cell) -> tuple[Vertex, ...]:
    """Return the six vertices of a cell, clockwise.

    Vertex i is between neighbours i and i + 1.
    """
    q, r = cell
    return tuple(
        (3 * q + a[0] + b[0], 3 * r + a[1] + b[1])
        for a, b in zip(CLOCKWISE, CLOCKWISE[1:] + CLOCKWISE[:1], strict=True)
    )


def neighbours_of(cell: Cell) -> tuple[Cell, ...]:
    """Return the six neighbouring cells, clockwise, whether or not they are on the map."""
    return tuple((cell[0] + q, cell[1] + r) for q, r in CLOCKWISE)


def hexside(a: Vertex, b: Vertex) -> Hexside:
    """Return the hexside between two vertices, in either order."""
    return (a, b) if a < b else (b, a)


def side_between(a: Cell, b: Cell) -> Hexside:
    """Return the hexside between two neighbouring cells.

    Raise ValueError if they are not neighbours.
    """
    shared = set(vertices_of(a)) & set(vertices_of(b))
    if len(shared) != 2:
        raise ValueError(f"The hexes {a} and {b} are not neighbours.")
    first, second = sorted(shared)
    return (first, second)


def hex_distance(a: Cell, b: Cell) -> int:
    """Return the distance between two cells in hexes."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


@dataclass(frozen=True, slots=True)
class Projection:
    """Conversion between degrees of latitude and longitude and kilometres from a centre."""

    lat0: float
    lon0: float
    radius: float

    def xy(self, point: Pair) -> Pair:
        """Return kilometres (east, north) of a [latitude, longitude]."""
        lat, dlon = radians(point[0]), radians(point[1] - self.lon0)
        lat0 = radians(self.lat0)
        east = cos(lat) * sin(dlon)
        north = cos(lat0) * sin(lat) - sin(lat0) * cos(lat) * cos(dlon)
        up = sin(lat0) * sin(lat) + cos(lat0) * cos(lat) * cos(dlon)
        sine = sqrt(east * east + north * north)
        scale = self.radius * (atan2(sine, up) / sine if sine else 1.0)
        return (scale * east, scale * north)

    def lat_lon(self, point: Pair) -> Pair:
        """Return degrees (latitude, longitude) of a point in kilometres; the inverse of `xy`."""
        x, y = point
        rho = hypot(x, y)
        if rho == 0:
            return (self.lat0, self.lon0)
        c, lat0 = rho / self.radius, radians(self.lat0)
        lat = asin(cos(c) * sin(lat0) + y * sin(c) * cos(lat0) / rho)
        lon = atan2(x * sin(c), rho * cos(lat0) * cos(c) - y * sin(lat0) * sin(c))
        return (degrees(lat), self.lon0 + degrees(lon))


Rivers = Mapping[str, Sequence[RiverSide]]
Joins = Mapping[str, str | None]
Moves = dict[HexId, tuple[RiverMove, ...]]


def river_moves(rivers: Rivers, joins: Joins) -> Moves:
    """Return the moves of one hex a boat may make from each hex beside a river (8.23).

    Moves along a bank lead from each hex to the next below and above it, moves across to the hex on
    the other side of a hexside. At a confluence the hex in the fork does not touch the lower river;
    it has moves down into the lower river and back up. So moves downstream lead from every hex to
    the mouth, and moves upstream to a source.
    """
    moves_by_start: defaultdict[HexId, dict[RiverMove, None]] = defaultdict(dict)
    for sides in rivers.values():
        for start, move in (*_along(sides), *_across(sides)):
            moves_by_start[start][move] = None
    for upper, lower in joins.items():
        if lower is not None:
            for start, move in _into(rivers[upper], rivers[lower]):
                moves_by_start[start][move] = None
    return {start: tuple(moves) for start, moves in sorted(moves_by_start.items())}


def _along(sides: Sequence[RiverSide]) -> Iterator[tuple[HexId, RiverMove]]:
    for above, below in pairwise(sides):
        for upper, lower in zip(above.hexes, below.hexes, strict=True):
            if upper != lower:
                yield upper, RiverMove(lower, below.river, 1)
                yield lower, RiverMove(upper, above.river, -1)


def _across(sides: Sequence[RiverSide]) -> Iterator[tuple[HexId, RiverMove]]:
    for side in sides:
        left, right = side.hexes
        yield left, RiverMove(right, side.river, 0)
        yield right, RiverMove(left, side.river, 0)


def _into(
    upper: Sequence[RiverSide], lower: Sequence[RiverSide]
) -> Iterator[tuple[HexId, RiverMove]]:
    """Yield the moves between the fork above a confluence and the river below it."""
    last = upper[-1]
    below = {hex_id for side in lower for hex_id in side.hexes}
    mouth = next(side for side in lower if set(side.hexes) & set(last.hexes))
    for fork in set(last.hexes) - below:
        for hex_id in mouth.hexes:
            if hex_id not in last.hexes:
                yield fork, RiverMove(hex_id, mouth.river, 1)
                yield hex_id, RiverMove(fork, last.river, -1)
