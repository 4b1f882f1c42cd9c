"""Caravan roads and railways, laid and only surveyed."""

from collections.abc import Iterable

from battles.drawing.pen import curve, group, path
from campaign.cartography.sheet import Sheet
from campaign.rules.map import HexId


def roads(sheet: Sheet) -> str:
    """The caravan roads."""
    ways = [way(sheet, road.hexes) for road in sheet.map.roads.values()]
    return group("layer-roads", path("".join(ways), "road"))


def tracks(sheet: Sheet) -> str:
    """An empty track along every line that a railway may take."""
    empty = "".join(way(sheet, track.hexes) for track in sheet.map.tracks.values())
    return group("layer-railways", path(empty, "track-edge"), path(empty, "track-bed"))


def first_railways(sheet: Sheet) -> str:
    """The railways that run before any campaign has begun."""
    laid = [track.hexes for track in sheet.map.tracks.values() if track.status == "built"]
    return group("layer-railways", *(railway(sheet, hexes) for hexes in laid))


def railway(sheet: Sheet, hexes: Iterable[HexId]) -> str:
    """A railway that runs, in black and white."""
    data = way(sheet, hexes)
    return path(data, "rail") + path(data, "rail-white")


def way(sheet: Sheet, hexes: Iterable[HexId]) -> str:
    """Path data of a way through the centres of these hexes."""
    return curve([sheet.centre(hex_id) for hex_id in hexes])
