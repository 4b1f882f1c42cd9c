"""What stands on the map, as GeoJSON: stacks, railways and railheads, sieges, who holds what."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from api.documents.maps import position
from api.documents.state import SpotPart, StateDocument
from api.encoding import encode
from campaign.rules.map import HexId, sudan

Feature = dict[str, Any]


def atlas(document: StateDocument) -> Feature:
    """A FeatureCollection of a state. The property `kind` of a feature tells which it is."""
    parts = (_stacks, _sightings, _railways, _sieges, _control)
    return {
        "type": "FeatureCollection",
        "campaign": document.campaign,
        "month": document.month,
        "month_name": document.month_name,
        "features": [feature for part in parts for feature in part(document)],
    }


def over_time(documents: Sequence[StateDocument]) -> Feature:
    """A FeatureCollection of months in their order, for a time slider.

    Each feature has `valid_from`, the first day of the month in which it was first so, and
    `valid_to`, the first day on which it was so no longer; null for what still is.
    """
    standing: dict[bytes, Feature] = {}
    features: list[Feature] = []
    for document in documents:
        begun = _first_day(document.month)
        now = {encode(feature): feature for feature in atlas(document)["features"]}
        for key in standing.keys() - now.keys():
            standing.pop(key)["properties"]["valid_to"] = begun
        for key, feature in now.items():
            if key not in standing:
                feature["properties"] |= {"valid_from": begun, "valid_to": None}
                standing[key] = feature
                features.append(feature)
    last = documents[-1]
    return {"type": "FeatureCollection", "campaign": last.campaign, "features": features}


def _first_day(month: str) -> str:
    return f"{month}-01"


def _stacks(document: StateDocument) -> Iterator[Feature]:
    units = {unit.id: unit for unit in document.units}
    for stack in document.stacks:
        properties = {
            "side": stack.side,
            "strength": stack.strength,
            "disrupted": stack.disrupted,
            "words": stack.words,
            "units": [units[number].words for number in stack.units],
        }
        yield _point("stack", stack.at, properties)


def _sightings(document: StateDocument) -> Iterator[Feature]:
    for seen in document.sightings:
        properties = {"side": seen.side, "size": seen.size, "seen": seen.month, "now": seen.now}
        yield _point("sighting", seen.at, {**properties, "words": seen.words})


def _railways(document: StateDocument) -> Iterator[Feature]:
    for line in document.railheads:
        properties = {"line": line.line, "words": line.words}
        built = {**properties, "built": line.built, "length": line.length}
        if line.built > 1:
            yield _feature("railway", "LineString", _positions(line.hexes), built)
        yield _point("railhead", line.at, properties)


def _sieges(document: StateDocument) -> Iterator[Feature]:
    for siege in document.sieges:
        yield _point("siege", siege.at, {"side": siege.side})


def _control(document: StateDocument) -> Iterator[Feature]:
    for held in document.control:
        yield _point("control", held.at, {"side": held.side})


def _point(kind: str, at: SpotPart, properties: Feature) -> Feature:
    (where,) = _positions([at.hex])
    return _feature(kind, "Point", where, {**msgspec.to_builtins(at), **properties})


def _positions(hexes: Iterable[str]) -> list[tuple[float, float]]:
    found = (sudan().hexes[HexId(int(number))] for number in hexes)
    return [position(hex_.lat, hex_.lon) for hex_ in found]


def _feature(kind: str, shape: str, coordinates: Any, properties: Feature) -> Feature:
    return {
        "type": "Feature",
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": {"kind": kind, **properties},
    }
