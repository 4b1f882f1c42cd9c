"""The sheet of paper: positions of kilometres and hexes on it, and the room of words.

Units of the sheet are whole numbers. A hex is 120 wide from corner to corner and 104 high, a column
is 90 further east than the last, so that corners, centres and middles of hexsides are all whole.
Small capitals are drawn without a font for them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from battles.drawing.svg import DrawingPoint, element, text
from campaign.rules.map import GroundClass, Hex, HexId, Map
from campaign.rules.map.grid import Cell, Hexside, Pair, Vertex, neighbours_of

COLUMN, ROW = 90, 104
CORNER, HALF = COLUMN // 3, ROW // 2
MARGIN = 190
MILE = ROW / 10.5
"""Units of the sheet in a mile; a hex measures ten and a half miles."""


class MapSheet:
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
        """Return the whole sheet with its margins, as an SVG view box."""
        wide, high = self.width + 2 * MARGIN, self.height + 2 * MARGIN
        return f"{-MARGIN} {-MARGIN} {wide} {high}"

    def picture(self, base_url: str) -> str:
        """Return the printed sheet as an image from its address."""
        wide, high = self.width + 2 * MARGIN, self.height + 2 * MARGIN
        return element("image", href=base_url, x=-MARGIN, y=-MARGIN, width=wide, height=high)

    def vertex(self, vertex: Vertex) -> DrawingPoint:
        """Return the position of a corner of a hex."""
        q, r = vertex
        return (CORNER * (q - self._west), HALF * ((2 * r + q) // 3 - self._north))

    def side(self, side: Hexside) -> tuple[DrawingPoint, DrawingPoint]:
        """Return the positions of the two ends of a hexside."""
        return (self.vertex(side[0]), self.vertex(side[1]))

    def centre(self, hex_id: HexId) -> DrawingPoint:
        """Return the position of the centre of a hex."""
        hex_ = self.map.hexes[hex_id]
        return self.vertex((3 * hex_.q, 3 * hex_.r))

    def point(self, km: Pair) -> DrawingPoint:
        """Return the position of a point in kilometres (east, north)."""
        lattice = self.map.lattice
        east, north = km[0] - lattice.origin[0], km[1] - lattice.origin[1]
        q, half_rows = east / (lattice.width * 3**0.5 / 2), -2 * north / lattice.width
        return (round(CORNER * (3 * q - self._west)), round(HALF * (half_rows - self._north)))

    def at(self, lat: float, lon: float) -> DrawingPoint:
        """Return the position of a point of the globe, in degrees north and east."""
        return self.point(self.map.projection.xy((lat, lon)))

    @cached_property
    def ground(self) -> dict[Cell, Hex]:
        """Return the hex of every cell, including a ring of cells that continue the rim."""
        hexes = {(hex_.q, hex_.r): hex_ for hex_ in self.map.hexes.values()}
        beyond: dict[Cell, Hex] = {}
        for cell, hex_ in hexes.items():
            for other in neighbours_of(cell):
                if other not in hexes:
                    beyond.setdefault(other, hex_)
        return hexes | beyond

    def cells(self, hexes: Iterable[Hex]) -> frozenset[Cell]:
        """Return the cells of these hexes, with those beyond the rim that continue them."""
        hex_ids = {hex_.id for hex_ in hexes}
        return frozenset(cell for cell, hex_ in self.ground.items() if hex_.id in hex_ids)

    @cached_property
    def sea(self) -> frozenset[Cell]:
        """Return the cells of the sea."""
        return self.cells(h for h in self.map.hexes.values() if h.ground is GroundClass.SEA)


SMALL = 0.8
"""Height of a small capital beside a capital."""

WIDEST = 0.7
"""Width of a capital in units of the type size, in the widest of the fonts named."""

Anchor = Literal["start", "middle", "end"]


def small_capitals(words: str) -> str:
    """Return the words with every letter but the first of each word as a small capital."""
    parts = [_word(word) for word in words.split(" ")]
    return " ".join(parts)


def _word(word: str) -> str:
    head, tail = word[:1].upper(), word[1:].upper()
    return text(head) + (element("tspan", text(tail), class_="sc") if tail else "")


def width(words: str, size: float) -> float:
    """Return the room of words in small capitals, in units of the sheet, on the safe side."""
    return size * WIDEST * (1 + SMALL * (len(words) - 1)) if words else 0


@dataclass(frozen=True, slots=True)
class LabelBox:
    """A rectangle of the sheet."""

    west: float
    north: float
    east: float
    south: float

    def overlap(self, other: "LabelBox") -> float:
        """Return the area the two have in common."""
        wide = min(self.east, other.east) - max(self.west, other.west)
        high = min(self.south, other.south) - max(self.north, other.north)
        return wide * high if wide > 0 and high > 0 else 0

    def holds(self, point: DrawingPoint) -> bool:
        """Return whether a point lies within."""
        return self.west <= point[0] <= self.east and self.north <= point[1] <= self.south
