"""The map as GeoJSON (RFC 7946): longitude before latitude, five decimals, rings anticlockwise."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from campaign.rules.map.graph import Map
from campaign.rules.map.grid import Hex, HexId, Pair, RiverSide

Feature = dict[str, Any]


def features(map_: Map) -> Feature:
    """Return a FeatureCollection of the map.

    The property `type` of a feature is hex, river (one feature for each reach), cataract, track,
    road, wadi or place.
    """
    parts = (_hexes, _rivers, _cataracts, _tracks, _roads, _wadis, _places)
    return {
        "type": "FeatureCollection",
        "features": [feature for part in parts for feature in part(map_)],
    }


def _hexes(map_: Map) -> Iterator[Feature]:
    for hex_ in map_.hexes.values():
        ring = _line(map_, reversed(map_.corners(hex_.id)))
        yield make_feature("hex", "Polygon", [[*ring, ring[0]]], _hex_properties(hex_))


def _hex_properties(hex_: Hex) -> Feature:
    return {
        "hex": f"{hex_.id:04d}",
        "ground_class": hex_.ground,
        "relief": hex_.relief,
        "coast": hex_.coast,
        "closed_to_play": hex_.closed,
        "place_names": list(hex_.places),
        "region_slugs": sorted(hex_.regions),
    }


def _rivers(map_: Map) -> Iterator[Feature]:
    for river in map_.rivers.values():
        titles = {reach.id: reach for reach in river.reaches}
        for reach, sides in groupby(river.sides, key=lambda side: side.reach):
            chain = list(sides)
            properties = {
                "river_slug": river.id,
                "river_title": river.title,
                "reach_slug": reach,
                "reach_title": titles[reach].title,
                "navigability": titles[reach].nav,
                "first_ordinal": chain[0].ordinal,
                "last_ordinal": chain[-1].ordinal,
            }
            yield make_feature("river", "LineString", _line(map_, _chain(map_, chain)), properties)


def _chain(map_: Map, sides: list[RiverSide]) -> list[Pair]:
    """Return the vertices of consecutive hexsides, downstream, in kilometres."""
    lines = [map_.side_line(*side.hexes) for side in sides]
    return [lines[0][0], *(end for _, end in lines)]


def _cataracts(map_: Map) -> Iterator[Feature]:
    for cataract in map_.cataracts.values():
        properties = {
            "name": cataract.name,
            "number": cataract.number or None,
            "hexes": [f"{hex_id:04d}" for hex_id in cataract.hexes],
        }
        yield make_feature("cataract", "Point", _position((cataract.lat, cataract.lon)), properties)


def _tracks(map_: Map) -> Iterator[Feature]:
    for track in map_.tracks.values():
        properties = {
            "track_slug": track.id,
            "title": track.title,
            "projected": track.status == "projected",
        }
        yield make_feature("track", "LineString", _way(map_, track.hexes), properties)


def _roads(map_: Map) -> Iterator[Feature]:
    for road in map_.roads.values():
        yield make_feature("road", "LineString", _way(map_, road.hexes), {"title": road.title})


def _wadis(map_: Map) -> Iterator[Feature]:
    for wadi in map_.wadis:
        line = [_position(point) for point in wadi.points]
        yield make_feature("wadi", "LineString", line, {"name": wadi.name})


def _places(map_: Map) -> Iterator[Feature]:
    for place in map_.places.values():
        properties = {
            "name": place.name,
            "place_class": place.kind,
            "hex": f"{place.hex:04d}",
            "port": place.port,
            "in_rules": place.in_rules,
        }
        yield make_feature("place", "Point", _position((place.lat, place.lon)), properties)


def _way(map_: Map, hexes: Iterable[HexId]) -> list[list[float]]:
    return [_position((map_.hexes[hex_id].lat, map_.hexes[hex_id].lon)) for hex_id in hexes]


def _line(map_: Map, points: Iterable[Pair]) -> list[list[float]]:
    return [_position(map_.projection.lat_lon(point)) for point in points]


def _position(point: Pair) -> list[float]:
    return [round(point[1], 5), round(point[0], 5)]


def make_feature(kind: str, shape: str, coordinates: Any, properties: Feature) -> Feature:
    """Return a feature of a shape (RFC 7946), its kind among the properties."""
    return {
        "type": "Feature",
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": {"type": kind, **properties},
    }
