"""Draw the terrain: washes of colour, relief, the sea, and what is closed to play.

The outlines of regions of hexes are traced along their hexsides.
"""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from battles.drawing.svg import DrawingPoint, curve, element, group, loop, path
from campaign.cartography import relief
from campaign.cartography.sheet import CORNER, HALF, ROW, MapSheet
from campaign.rules.map import GroundClass, Hex, Relief
from campaign.rules.map.grid import Cell, Vertex, neighbours_of, vertices_of

Edges = dict[Vertex, Vertex]


def outline(sheet: MapSheet, cells: AbstractSet[Cell]) -> str:
    """Return path data of smooth rings round the cells, including holes."""
    return "".join(loop([sheet.vertex(v) for v in ring]) for ring in rings(cells))


def border(sheet: MapSheet, cells: AbstractSet[Cell], others: AbstractSet[Cell]) -> str:
    """Return path data of the smooth lines along which the cells meet the others."""
    chains = _chains(_edges(cells, others))
    return "".join(curve([sheet.vertex(v) for v in chain]) for chain in chains)


def rings(cells: AbstractSet[Cell]) -> Iterator[list[Vertex]]:
    """Yield the rings of vertices round the cells, from the north-west, each vertex once."""
    beyond = {other for cell in cells for other in neighbours_of(cell)} - cells
    for chain in _chains(_edges(cells, beyond)):
        yield chain[:-1]


def _edges(cells: AbstractSet[Cell], others: AbstractSet[Cell]) -> Edges:
    """Return each hexside between a cell and one of the others, clockwise round the cells.

    Three hexes meet at a vertex, so no more than one such hexside leaves it.
    """
    found: Edges = {}
    for cell in sorted(cells):
        ring = vertices_of(cell)
        for a, b, other in zip(ring[-1:] + ring[:-1], ring, neighbours_of(cell), strict=True):
            if other in others:
                found[a] = b
    return found


def _chains(edges: Edges) -> Iterator[list[Vertex]]:
    """Yield the edges joined into chains: open chains first, then closed rings."""
    left = dict(edges)
    for start in [*sorted(edges.keys() - set(edges.values())), *sorted(edges)]:
        if start in left:
            yield list(_follow(left, start))


def _follow(left: Edges, start: Vertex) -> Iterator[Vertex]:
    yield start
    at = start
    while at in left:
        at = left.pop(at)
        yield at


WATER_LINES = 6
EXTENSION = "souakim_extension"


def definitions() -> str:
    """Return the fill patterns of relief and closed hexes."""
    return relief.patterns() + element(
        "pattern",
        path("M0 0h60", "veil-line"),
        id="p-veil",
        width=60,
        height=26,
        patternUnits="userSpaceOnUse",
        patternTransform="rotate(-35)",
    )


def terrain(sheet: MapSheet) -> str:
    """Return washes of colour and relief; desert is bare paper."""
    steppe = outline(sheet, _cells(sheet, lambda hex_: hex_.ground is GroundClass.CLEAR))
    crop = outline(sheet, _cells(sheet, lambda hex_: hex_.ground is GroundClass.CULTIVATED))
    hill = outline(sheet, _cells(sheet, lambda hex_: hex_.relief is Relief.HILL))
    mountain = outline(sheet, _cells(sheet, lambda hex_: hex_.relief is Relief.MOUNTAIN))
    return group(
        "layer-terrain",
        element("g", path(steppe), path(steppe, fill="url(#p-steppe)"), class_="steppe"),
        path(crop, "crop"),
        element("g", path(hill), path(hill, fill="url(#p-hill)"), class_="hill"),
        element("g", path(mountain), path(mountain, fill="url(#p-mountain)"), class_="mountain"),
    )


def _cells(sheet: MapSheet, wanted: Callable[[Hex], bool]) -> frozenset[Cell]:
    return sheet.cells(filter(wanted, sheet.map.hexes.values()))


def sea(sheet: MapSheet) -> str:
    """Return the sea with its coast, and lines in the water that follow the coast."""
    if not sheet.sea:
        return ""
    coast = border(sheet, sheet.sea, sheet.ground.keys() - sheet.sea)
    lines = [
        element("use", href="#s-coast", class_=f"shore shore-{number}")
        for number in range(2 * WATER_LINES, 0, -1)
    ]
    return group(
        "layer-sea",
        path(outline(sheet, sheet.sea), "sea", id="s-sea"),
        element("clipPath", element("use", href="#s-sea"), id="c-sea"),
        element("defs", path(coast, id="s-coast")),
        element("g", *lines, clip_path="url(#c-sea)"),
        element("use", href="#s-coast", class_="coast"),
    )


def bounds(sheet: MapSheet) -> str:
    """Return the veil over hexes closed to play, and the edge of the Souakim extension."""
    closed = _cells(sheet, lambda hex_: hex_.closed)
    extension = _cells(sheet, lambda hex_: EXTENSION in hex_.regions)
    veil = outline(sheet, closed)
    return group(
        "layer-bounds",
        path(veil, "veil"),
        path(veil, fill="url(#p-veil)"),
        path(border(sheet, extension, sheet.ground.keys() - extension), "extension"),
    )


def grid(sheet: MapSheet) -> str:
    """Return the hex grid: one column drawn, and used as often as there are columns."""
    zigzag = f"M{CORNER} 0l" + " ".join([f"-{CORNER} {HALF} {CORNER} {HALF}"] * sheet.rows)
    rungs = f"M{CORNER} 0h{2 * CORNER}" + f"m-{2 * CORNER} {ROW}h{2 * CORNER}" * sheet.rows
    column = path(zigzag.replace(" -", "-") + rungs, id="s-column")
    lowered = [_column_at(sheet, number) for number in range(sheet.columns)]
    last = sheet.columns - 1
    x, y = _column_at(sheet, last)
    east = f"M{x + 3 * CORNER} {y}l" + " ".join([f"{CORNER} {HALF}-{CORNER} {HALF}"] * sheet.rows)
    return group(
        "layer-grid",
        element("defs", column),
        *(element("use", href="#s-column", x=x, y=y or None) for x, y in lowered),
        path(east),
    )


def _column_at(sheet: MapSheet, number: int) -> DrawingPoint:
    """Return the north-west corner of the box round a column's hexes; even columns are lower."""
    return (number * 3 * CORNER, 0 if number % 2 else HALF)
