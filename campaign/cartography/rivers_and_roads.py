"""Draw rivers by the class of each reach, cataracts, wadis, caravan roads and railways."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from math import hypot

from battles.drawing.svg import (
    DrawingPoint,
    curve,
    element,
    group,
    path,
    polyline,
    strokes,
    text,
)
from campaign.cartography.sheet import MapSheet
from campaign.rules.map import GroundClass, HexId, Nav, RiverSide
from campaign.rules.map.document import RiverData

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


def _stretches(sheet: MapSheet, wanted: Nav) -> Iterator[str]:
    for river in sheet.map.rivers.values():
        for nav, sides in groupby(river.sides, key=lambda side: side.nav):
            if nav is wanted:
                yield curve(_corners(sheet, list(sides)))


def _banks(sheet: MapSheet, river: RiverData) -> str:
    """Return the stretches along which either bank is tilled."""
    runs = groupby(river.sides, key=lambda side: _tilled(sheet, side))
    return "".join(curve(_corners(sheet, list(sides))) for tilled, sides in runs if tilled)


def _tilled(sheet: MapSheet, side: RiverSide) -> bool:
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
