"""Maps as GeoJSON (RFC 7946), with positions as longitude and latitude.

The structs also describe what `campaign.rules.map.geojson` writes. A state is written as stacks,
sightings, railways and railheads, sieges and control; over time, each feature has the days between
which it holds.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from api.documents.maps import LocationPart, Position, position
from api.documents.scalars import (
    GroundName,
    MonthOrSetUp,
    NavName,
    PlaceClassName,
    ReliefName,
    SideName,
    SizeName,
)
from api.documents.state import StateDocument
from api.http.encoding import encode
from api.http.rule_json import HexName, MonthName
from campaign.rules.map import HexId, sudan
from campaign.rules.map.geojson import make_feature

Day = Annotated[str, Meta(extra_json_schema={"format": "date"})]


class Point(msgspec.Struct, frozen=True, tag=True):
    """A single position."""

    coordinates: Position


class LineString(msgspec.Struct, frozen=True, tag=True):
    """Two positions or more, in order."""

    coordinates: Annotated[list[Position], Meta(min_length=2)]


class Polygon(msgspec.Struct, frozen=True, tag=True):
    """A single ring, anticlockwise, whose last position is its first."""

    coordinates: list[Annotated[list[Position], Meta(min_length=4)]]


class HexProperties(msgspec.Struct, frozen=True, tag="hex"):
    """A hex, as a polygon; nothing enters one `closed_to_play`; a `coast` hex lies on the sea."""

    hex: HexName
    ground_class: GroundName
    relief: ReliefName
    coast: bool
    closed_to_play: bool
    place_names: tuple[str, ...]
    region_slugs: tuple[str, ...]


class RiverProperties(msgspec.Struct, frozen=True, tag="river"):
    """A reach of a river, downstream, with its class (8.23) and the hexsides it runs along."""

    river_slug: str
    river_title: str
    reach_slug: str
    reach_title: str
    navigability: NavName
    first_ordinal: int
    last_ordinal: int


class CataractProperties(msgspec.Struct, frozen=True, tag="cataract"):
    """A cataract or rapid, and the hexes beside it; the six great ones have a `number`."""

    name: str
    number: int | None
    hexes: tuple[HexName, ...]


class TrackProperties(msgspec.Struct, frozen=True, tag="track"):
    """A railway line, through the centres of its hexes."""

    track_slug: str
    title: str
    projected: bool


class RoadProperties(msgspec.Struct, frozen=True, tag="road"):
    """A caravan road; it has no effect on play."""

    title: str


class WadiProperties(msgspec.Struct, frozen=True, tag="wadi"):
    """A dry river bed; it has no effect on play."""

    name: str


class PlaceProperties(msgspec.Struct, frozen=True, tag="place"):
    """A named place."""

    name: str
    place_class: PlaceClassName
    hex: HexName
    port: bool
    in_rules: bool


class _InHex(msgspec.Struct, frozen=True):
    """A thing in a hex: the hex, its place if there is one, and its location in words."""

    hex: HexName
    place: str | None
    location_text: str


class StackProperties(_InHex, frozen=True, tag="stack"):
    """All units of a side in a hex."""

    side: SideName
    strength_points: int
    disrupted_count: int
    label: str
    unit_ids: tuple[int, ...]
    unit_labels: tuple[str, ...]


class SightingProperties(_InHex, frozen=True, tag="sighting"):
    """A stack of which only the size is known, as seen in a month; only under the fog of war."""

    side: SideName
    stack_size: SizeName
    seen_month: MonthName
    current: bool
    text: str


class RailwayProperties(msgspec.Struct, frozen=True, tag="railway"):
    """A railway as far as it is built."""

    railway: str
    label: str
    built_hex_count: int
    hex_count: int


class RailheadProperties(_InHex, frozen=True, tag="railhead"):
    """The last hex of the built part of a railway."""

    railway: str
    label: str


class SiegeProperties(_InHex, frozen=True, tag="siege"):
    """A place held by troops of `side` with the enemy next to it (9.12)."""

    side: SideName


class ControlProperties(_InHex, frozen=True, tag="control"):
    """A place that `side` was the last to occupy (3.2)."""

    side: SideName


class StackOverTime(StackProperties, frozen=True, tag="stack"):
    """A stack, and the days between which it stood so."""

    valid_from: Day
    valid_to: Day | None


class SightingOverTime(SightingProperties, frozen=True, tag="sighting"):
    """A sighting, and the days between which it was so."""

    valid_from: Day
    valid_to: Day | None


class RailwayOverTime(RailwayProperties, frozen=True, tag="railway"):
    """A railway, and the days between which it was built so far."""

    valid_from: Day
    valid_to: Day | None


class RailheadOverTime(RailheadProperties, frozen=True, tag="railhead"):
    """A railhead, and the days between which it was there."""

    valid_from: Day
    valid_to: Day | None


class SiegeOverTime(SiegeProperties, frozen=True, tag="siege"):
    """A siege, and the days between which it lasted."""

    valid_from: Day
    valid_to: Day | None


class ControlOverTime(ControlProperties, frozen=True, tag="control"):
    """The control of a place, and the days between which it lasted."""

    valid_from: Day
    valid_to: Day | None


MapProperties = (
    HexProperties
    | RiverProperties
    | CataractProperties
    | TrackProperties
    | RoadProperties
    | WadiProperties
    | PlaceProperties
)
StateProperties = (
    StackProperties
    | SightingProperties
    | RailwayProperties
    | RailheadProperties
    | SiegeProperties
    | ControlProperties
)
TimelineProperties = (
    StackOverTime
    | SightingOverTime
    | RailwayOverTime
    | RailheadOverTime
    | SiegeOverTime
    | ControlOverTime
)


class MapFeature(msgspec.Struct, frozen=True):
    """A thing on the map: its geometry and its properties."""

    type: Literal["Feature"]
    geometry: Point | LineString | Polygon
    properties: MapProperties


class StateFeature(msgspec.Struct, frozen=True):
    """A thing on the map of a month: its geometry and its properties."""

    type: Literal["Feature"]
    geometry: Point | LineString
    properties: StateProperties


class TimelineFeature(msgspec.Struct, frozen=True):
    """A thing on the map for some time: its geometry and its properties."""

    type: Literal["Feature"]
    geometry: Point | LineString
    properties: TimelineProperties


class MapFeatures(msgspec.Struct, frozen=True):
    """The map as a FeatureCollection: hexes, rivers, cataracts, tracks, roads, wadis and places."""

    type: Literal["FeatureCollection"]
    features: list[MapFeature]


class StateFeatures(msgspec.Struct, frozen=True):
    """A month of a campaign as a FeatureCollection.

    It has the stacks, sightings, railways, railheads, sieges and control.
    """

    type: Literal["FeatureCollection"]
    campaign: str
    month: MonthOrSetUp
    month_name: str
    features: list[StateFeature]


class TimelineFeatures(msgspec.Struct, frozen=True):
    """All months of a campaign as a FeatureCollection, for a time slider."""

    type: Literal["FeatureCollection"]
    campaign: str
    features: list[TimelineFeature]


GeoFeature = dict[str, Any]


def atlas(document: StateDocument) -> GeoFeature:
    """Return a FeatureCollection of a state; the property `type` says what a feature is."""
    parts = (_stacks, _sightings, _railways, _sieges, _control)
    return {
        "type": "FeatureCollection",
        "campaign": document.campaign,
        "month": document.month,
        "month_name": document.month_name,
        "features": [feature for part in parts for feature in part(document)],
    }


def over_time(documents: Sequence[StateDocument]) -> GeoFeature:
    """Return a FeatureCollection of consecutive months, for a time slider.

    `valid_from` of a feature is the first day of the first month in which it holds, `valid_to` the
    first day on which it no longer holds; null if it still does.
    """
    standing: dict[bytes, GeoFeature] = {}
    features: list[GeoFeature] = []
    for document in documents:
        begun = f"{document.month}-01"
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


def _stacks(document: StateDocument) -> Iterator[GeoFeature]:
    units = {unit.id: unit for unit in document.units}
    for stack in document.stacks:
        properties = {
            "side": stack.side,
            "strength_points": stack.strength_points,
            "disrupted_count": stack.disrupted_count,
            "label": stack.label,
            "unit_ids": stack.unit_ids,
            "unit_labels": [units[number].label for number in stack.unit_ids],
        }
        yield _point("stack", stack.location, properties)


def _sightings(document: StateDocument) -> Iterator[GeoFeature]:
    for seen in document.sightings:
        properties = {
            "side": seen.side,
            "stack_size": seen.stack_size,
            "seen_month": seen.seen_month,
            "current": seen.current,
            "text": seen.text,
        }
        yield _point("sighting", seen.location, properties)


def _railways(document: StateDocument) -> Iterator[GeoFeature]:
    for line in document.railheads:
        properties = {"railway": line.railway, "label": line.label}
        counts = {"built_hex_count": line.built_hex_count, "hex_count": line.hex_count}
        if line.built_hex_count > 1:
            yield make_feature("railway", "LineString", _positions(line.hexes), properties | counts)
        yield _point("railhead", line.location, properties)


def _sieges(document: StateDocument) -> Iterator[GeoFeature]:
    for siege in document.sieges:
        yield _point("siege", siege.location, {"side": siege.side})


def _control(document: StateDocument) -> Iterator[GeoFeature]:
    for control in document.control:
        yield _point("control", control.location, {"side": control.side})


def _point(kind: str, location: LocationPart, properties: GeoFeature) -> GeoFeature:
    (where,) = _positions([location.hex])
    location_properties = {
        "hex": location.hex,
        "place": location.place,
        "location_text": location.text,
    }
    return make_feature(kind, "Point", where, location_properties | properties)


def _positions(hexes: Iterable[str]) -> list[tuple[float, float]]:
    cells = (sudan().hexes[HexId(int(number))] for number in hexes)
    return [position(hex_.lat, hex_.lon) for hex_ in cells]
