"""Draw the terrain: washes and hachures, the sea, rivers, cataracts, roads and railways."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby, pairwise
from math import atan2, cos, hypot, pi, sin

from battles.drawing.svg import (
    DrawingPoint,
    curve,
    element,
    group,
    loop,
    path,
    polyline,
    strokes,
    text,
)
from campaign.cartography.sheet import COLUMN, CORNER, HALF, ROW, MapSheet
from campaign.rules.map import GroundClass, Hex, HexId, Nav, Relief, RiverSide
from campaign.rules.map.document import RiverData
from campaign.rules.map.grid import Cell, Vertex, neighbours_of, vertices_of

# Patterns of relief in hachures, which repeat every four columns and four rows.
#
# The tile is a whole number of hexes wide and high and begins at the sheet's corner, so that a
# knoll always falls within its hex. The irregular strokes are the same on every machine.


WIDE, HIGH = 4 * COLUMN, 4 * ROW
RIDGES, STEPS = 5, 92
LIGHT = -2.2
"""Direction of the light, from the north-west, in radians clockwise from the east."""

Stroke = tuple[DrawingPoint, DrawingPoint]


def relief_patterns() -> str:
    """Return the patterns of steppe (tufts), hills (a knoll to a hex) and mountains (ridges)."""
    return (
        _tile("p-steppe", "tuft", _tufts())
        + _tile("p-hill", "hachure", _knolls())
        + _tile("p-mountain", "hachure", (s for number in range(RIDGES) for s in _ridge(number)))
    )


def _tile(id_: str, class_: str, marks: Iterator[Stroke]) -> str:
    all_strokes = [moved for mark in marks for moved in _wrap_stroke(mark)]
    return element(
        "pattern",
        path(strokes(all_strokes), class_),
        id=id_,
        width=WIDE,
        height=HIGH,
        patternUnits="userSpaceOnUse",
    )


def _wrap_stroke(mark: Stroke) -> Iterator[Stroke]:
    """Yield the stroke, repeated from the opposite edge for every edge of the tile it crosses."""
    for dx in (-WIDE, 0, WIDE):
        for dy in (-HIGH, 0, HIGH):
            moved = [(x + dx, y + dy) for x, y in mark]
            if any(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in moved):
                yield (moved[0], moved[1])


def _knolls() -> Iterator[Stroke]:
    for column in range(4):
        for row in range(4):
            x = 2 * CORNER + COLUMN * column
            y = HALF + ROW * row + (0 if column % 2 else HALF)
            yield from _knoll((x, y), 4 * column + row)


def _knoll(centre: DrawingPoint, seed: int) -> Iterator[Stroke]:
    """Yield a hilltop seen from above: strokes downhill, longer and closer in the shade."""
    x, y = centre[0] + 14 * _unsteady(seed), centre[1] + 12 * _unsteady(seed + 50)
    wide, high = 17 + 7 * _unsteady(seed + 100), 9 + 4 * _unsteady(seed + 150)
    for number in range(22):
        angle = 2 * pi * (number + 0.4 * _unsteady(31 * seed + number)) / 22
        shade = _shade(angle)
        if shade < 0.15 and number % 2:
            continue
        length = 7 + 12 * shade + 3 * _unsteady(17 * seed + number)
        yield _ray((x + wide * cos(angle), y + high * sin(angle)), angle, length)


def _tufts() -> Iterator[Stroke]:
    """Yield tufts of three blades of grass."""
    for number in range(26):
        x = round(WIDE * (_unsteady(number) + 1) / 2)
        y = round(HIGH * (number + _unsteady(number + 300)) / 26)
        yield from (((x + n, y), (x + 2 * n, y - 9 + abs(n) // 2)) for n in (-4, 0, 4))


def _ridge(number: int) -> Iterator[Stroke]:
    """Yield a crest from one edge of the tile to the next with strokes down both its slopes."""
    crest = [_crest(number, HIGH * step / STEPS) for step in range(STEPS + 1)]
    for step, (a, b) in enumerate(pairwise(crest)):
        along = atan2(b[1] - a[1], b[0] - a[0])
        for side in (along - pi / 2, along + pi / 2):
            seed = 197 * number + 2 * step + (side > along)
            length = 7 + 26 * _shade(side) * _height(number, step) + 4 * _unsteady(seed)
            lean = side + 0.2 * _unsteady(seed + 7)
            yield _ray((a[0] + 3 * cos(lean), a[1] + 3 * sin(lean)), lean, length)


def _height(number: int, step: int) -> float:
    """Return the height of a crest along its way, from summit to saddle."""
    return 0.72 + 0.28 * sin(2 * pi * (3 * step / STEPS + number / RIDGES))


def _crest(number: int, y: float) -> tuple[float, float]:
    turn = 2 * pi * y / HIGH
    sway = 20 * sin(turn + 2.1 * number) + 11 * sin(2 * turn + number) + 5 * sin(5 * turn - number)
    return (WIDE * (number + 0.5) / RIDGES + sway, y)


def _ray(start: tuple[float, float], angle: float, length: float) -> Stroke:
    x, y = start
    end = (round(x + length * cos(angle)), round(y + length * sin(angle)))
    return ((round(x), round(y)), end)


def _shade(angle: float) -> float:
    """Return the shade of a slope of that aspect, from 0 to 1."""
    return (1 - cos(angle - LIGHT)) / 2


def _unsteady(seed: int) -> float:
    """Return a pseudo-random number from -1 to 1."""
    mixed = (seed + 1) * 2654435761 % 2**32
    mixed = (mixed ^ mixed >> 15) * 2246822519 % 2**32
    return (mixed ^ mixed >> 13) / 2**31 - 1


# Draw the terrain: washes of colour, relief, the sea, and what is closed to play.
#
# The outlines of regions of hexes are traced along their hexsides.


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
    edges: Edges = {}
    for cell in sorted(cells):
        ring = vertices_of(cell)
        for a, b, other in zip(ring[-1:] + ring[:-1], ring, neighbours_of(cell), strict=True):
            if other in others:
                edges[a] = b
    return edges


def _chains(edges: Edges) -> Iterator[list[Vertex]]:
    """Yield the edges joined into chains: open chains first, then closed rings."""
    left = dict(edges)
    for start in [*sorted(edges.keys() - set(edges.values())), *sorted(edges)]:
        if start in left:
            yield list(_follow(left, start))


def _follow(left: Edges, start: Vertex) -> Iterator[Vertex]:
    yield start
    vertex = start
    while vertex in left:
        vertex = left.pop(vertex)
        yield vertex


WATER_LINES = 6
EXTENSION = "souakim_extension"


def definitions() -> str:
    """Return the fill patterns of relief and closed hexes."""
    return relief_patterns() + element(
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


def _cells(sheet: MapSheet, predicate: Callable[[Hex], bool]) -> frozenset[Cell]:
    return sheet.cells(filter(predicate, sheet.map.hexes.values()))


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
    lowered = [_column_at(number) for number in range(sheet.columns)]
    last = sheet.columns - 1
    x, y = _column_at(last)
    east = f"M{x + 3 * CORNER} {y}l" + " ".join([f"{CORNER} {HALF}-{CORNER} {HALF}"] * sheet.rows)
    return group(
        "layer-grid",
        element("defs", column),
        *(element("use", href="#s-column", x=x, y=y or None) for x, y in lowered),
        path(east),
    )


def _column_at(number: int) -> DrawingPoint:
    """Return the north-west corner of the box round a column's hexes; even columns are lower."""
    return (number * 3 * CORNER, 0 if number % 2 else HALF)


# Draw rivers by the class of each reach, cataracts, wadis, caravan roads and railways.


BAR = 34
ORDINALS = {
    number: f"{words} Cataract"
    for number, words in enumerate(("1st", "2nd", "3rd", "4th", "5th", "6th"), 1)
}


def rivers(sheet: MapSheet) -> str:
    """Return every river: green banks, then stretches by class, then cataracts."""
    all_rivers = sheet.map.rivers.values()
    banks = "".join(_banks(sheet, river) for river in all_rivers)
    drawn = {nav: "".join(_stretches(sheet, nav)) for nav in Nav}
    return group(
        "layer-rivers",
        path("".join(_wadis(sheet)), "wadi"),
        path(banks, "banks"),
        *(path(drawn[nav], f"river {nav}") for nav in Nav if drawn[nav]),
        path(drawn[Nav.NAVIGABLE], "stream"),
        path(drawn[Nav.UNNAVIGABLE], "rocks"),
        path(strokes(_bars(sheet)), "cataract"),
        *_cataract_names(sheet),
    )


def course(sheet: MapSheet, river: RiverData) -> list[DrawingPoint]:
    """Return the corners of hexes along a river, from its source to its mouth."""
    return _corners(sheet, river.sides)


def _corners(sheet: MapSheet, sides: Sequence[RiverSide]) -> list[DrawingPoint]:
    lines = [sheet.map.side_line(*side.hexes) for side in sides]
    return [sheet.point(lines[0][0]), *(sheet.point(end) for _, end in lines)]


def _stretches(sheet: MapSheet, water: Nav) -> Iterator[str]:
    for river in sheet.map.rivers.values():
        for nav, sides in groupby(river.sides, key=lambda side: side.nav):
            if nav is water:
                yield curve(_corners(sheet, list(sides)))


def _banks(sheet: MapSheet, river: RiverData) -> str:
    """Return the stretches along which either bank is tilled."""
    runs = groupby(river.sides, key=lambda side: _is_tilled(sheet, side))
    return "".join(curve(_corners(sheet, list(sides))) for tilled, sides in runs if tilled)


def _is_tilled(sheet: MapSheet, side: RiverSide) -> bool:
    return any(sheet.map.hexes[hex_id].ground is GroundClass.CULTIVATED for hex_id in side.hexes)


def _bars(sheet: MapSheet) -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    """Yield strokes across the stream: two at each cataract, one at each rapid."""
    for cataract in sheet.map.cataracts.values():
        a, b = map(sheet.point, sheet.map.side_line(*cataract.hexes))
        length = hypot(b[0] - a[0], b[1] - a[1])
        ahead = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for shift in (-6, 6) if cataract.number else (0,):
            x, y = middle[0] + shift * ahead[0], middle[1] + shift * ahead[1]
            across = (-ahead[1] * BAR / 2, ahead[0] * BAR / 2)
            ends = [(round(x + s * across[0]), round(y + s * across[1])) for s in (-1, 1)]
            yield (ends[0], ends[1])


def _cataract_names(sheet: MapSheet) -> Iterator[str]:
    """Yield the numbers of the six great cataracts, west of the stream."""
    for cataract in sheet.map.cataracts.values():
        if cataract.number:
            a, b = map(sheet.point, sheet.map.side_line(*cataract.hexes))
            x, y = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
            words = element("text", text(ORDINALS[cataract.number]), class_="k", x=-34, y=9)
            yield group("cataract-name rank-3", words, transform=f"translate({x},{y})")


def _wadis(sheet: MapSheet) -> Iterator[str]:
    for wadi in sheet.map.wadis:
        points = [sheet.at(*point) for point in wadi.points]
        if all(a != b for a, b in pairwise(points)):
            yield curve(points) if len(points) > 2 else polyline(points)


def roads(sheet: MapSheet) -> str:
    """Return the caravan roads."""
    ways = [way(sheet, road.hexes) for road in sheet.map.roads.values()]
    return group("layer-roads", path("".join(ways), "road"))


def tracks(sheet: MapSheet) -> str:
    """Return an empty track along every line that a railway may take."""
    empty = "".join(way(sheet, track.hexes) for track in sheet.map.tracks.values())
    return group("layer-railways", path(empty, "track-edge"), path(empty, "track-bed"))


def first_railways(sheet: MapSheet) -> str:
    """Return the railways that are open before any campaign begins."""
    laid = [track.hexes for track in sheet.map.tracks.values() if track.status == "built"]
    return group("layer-railways", *(railway(sheet, hexes) for hexes in laid))


def railway(sheet: MapSheet, hexes: Iterable[HexId]) -> str:
    """Return an open railway, in black and white."""
    data = way(sheet, hexes)
    return path(data, "rail") + path(data, "rail-white")


def way(sheet: MapSheet, hexes: Iterable[HexId]) -> str:
    """Return path data of a way through the centres of these hexes."""
    return curve([sheet.centre(hex_id) for hex_id in hexes])
