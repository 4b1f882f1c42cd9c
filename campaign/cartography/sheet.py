"""The sheet of paper: where the map's kilometres and hexes come to lie on it.

Units of the sheet are whole numbers. A hex is 120 wide from corner to corner and 104 high, a column
is 90 further east than the last, so that corners, centres and middles of hexsides are all whole.
"""

from collections.abc import Iterable
from functools import cached_property

from battles.drawing.pen import Point
from campaign.rules.map import Ground, Hex, HexId, Map
from campaign.rules.map.grid import Cell, Hexside, Vertex, neighbours_of
from campaign.rules.map.kinds import Pair

COLUMN, ROW = 90, 104
CORNER, HALF = COLUMN // 3, ROW // 2
MARGIN = 190
MILE = ROW / 10.5
"""Units of the sheet in a mile, of which a hex measures ten and a half."""


class Sheet:
    """A map laid on paper; the point (0, 0) is the neat line's north-west corner."""

    def __init__(self, map_: Map) -> None:
        self.map = map_
        cells = [(hex_.q, hex_.r) for hex_ in map_.hexes.values()]
        self._west = min(3 * q - 2 for q, _ in cells)
        self._north = min(2 * r + q - 1 for q, r in cells)
        self.columns = max(map_.hexes) // 100 + 1
        self.rows = max(hex_id % 100 for hex_id in map_.hexes) + 1
        self.width = self.columns * COLUMN + CORNER
        self.height = self.rows * ROW + HALF

    @property
    def view_box(self) -> str:
        """The whole sheet with its margins, as SVG writes it."""
        wide, high = self.width + 2 * MARGIN, self.height + 2 * MARGIN
        return f"{-MARGIN} {-MARGIN} {wide} {high}"

    def vertex(self, vertex: Vertex) -> Point:
        """Where a corner of a hex lies."""
        q, r = vertex
        return (CORNER * (q - self._west), HALF * ((2 * r + q) // 3 - self._north))

    def side(self, side: Hexside) -> tuple[Point, Point]:
        """Where the two ends of a hexside lie."""
        return (self.vertex(side[0]), self.vertex(side[1]))

    def centre(self, hex_id: HexId) -> Point:
        """Where the centre of a hex lies."""
        hex_ = self.map.hexes[hex_id]
        return self.vertex((3 * hex_.q, 3 * hex_.r))

    def point(self, km: Pair) -> Point:
        """Where a point in kilometres (east, north) lies."""
        lattice = self.map.lattice
        east, north = km[0] - lattice.origin[0], km[1] - lattice.origin[1]
        q, half_rows = east / (lattice.width * 3**0.5 / 2), -2 * north / lattice.width
        return (round(CORNER * (3 * q - self._west)), round(HALF * (half_rows - self._north)))

    def at(self, lat: float, lon: float) -> Point:
        """Where a point of the globe lies, in degrees north and east."""
        return self.point(self.map.projection.xy((lat, lon)))

    @cached_property
    def ground(self) -> dict[Cell, Hex]:
        """The hex of every cell, and for a ring of cells beyond the rim the one it continues."""
        found = {(hex_.q, hex_.r): hex_ for hex_ in self.map.hexes.values()}
        beyond: dict[Cell, Hex] = {}
        for cell, hex_ in found.items():
            for other in neighbours_of(cell):
                if other not in found:
                    beyond.setdefault(other, hex_)
        return found | beyond

    def cells(self, hexes: Iterable[Hex]) -> frozenset[Cell]:
        """The cells of these hexes, with those beyond the rim that continue them."""
        wanted = {hex_.id for hex_ in hexes}
        return frozenset(cell for cell, hex_ in self.ground.items() if hex_.id in wanted)

    @cached_property
    def sea(self) -> frozenset[Cell]:
        """The cells of the sea."""
        return self.cells(h for h in self.map.hexes.values() if h.ground is Ground.SEA)
