"""Maps as GeoJSON (RFC 7946), with positions as longitude and latitude.

The structs also describe what `campaign.rules.map.geojson` writes. A state is written as stacks,
sightings, railways and railheads, sieges and control.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from api.documents.maps import position
from api.documents.scalars import (
    GroundName,
    HexName,
    MonthName,
    MonthOrSetUp,
    NavName,
    PlaceClassName,
    ReliefName,
    SideName,
    SizeName,
    TrackStatus,
)
from api.documents.state import SpotPart, StateDocument
from api.http.encoding import encode
from campaign.rules.map import HexId, sudan

Position = Annotated[
    tuple[float, float], Meta(description="longitude and latitude, in degrees (WGS 84)")
]
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


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A thing on a map; on a timeline, `valid_from` is the first day on which it holds.

    `valid_to` is the first day on which it no longer holds; null if it still does.
    """

    valid_from: Day | UnsetType = UNSET
    valid_to: Day | UnsetType | None = UNSET


class HexShown(Shown, frozen=True, tag="hex"):
    """A hex, as a polygon; nothing enters a `closed` one; a `coast` hex lies on the sea."""

    hex: HexName
    ground: GroundName
    relief: ReliefName
    coast: bool
    closed: bool
    places: tuple[str, ...]
    regions: tuple[str, ...]


class RiverShown(Shown, frozen=True, tag="river"):
    """A reach of a river, downstream, with its class `nav` (8.23).

    `ordinals` are the numbers of its first and last hexside, counted from the source.
    """

    river: str
    reach: str
    nav: NavName
    ordinals: tuple[int, int]


class CataractShown(Shown, frozen=True, tag="cataract"):
    """A cataract or rapid, and the hexes beside it; the six great ones have a `number`."""

    name: str
    number: int | None
    hexes: tuple[HexName, ...]


class TrackShown(Shown, frozen=True, tag="track"):
    """A railway line, through the centres of its hexes."""

    track: str
    title: str
    status: TrackStatus


class RoadShown(Shown, frozen=True, tag="road"):
    """A caravan road; it has no effect on play."""

    title: str


class WadiShown(Shown, frozen=True, tag="wadi"):
    """A dry river bed; it has no effect on play."""

    name: str


class PlaceShown(Shown, frozen=True, tag="place"):
    """A named place; `in_rules`: the book names it; `port`: ships land there."""

    name: str
    class_: PlaceClassName = msgspec.field(name="class")
    hex: HexName
    port: bool
    in_rules: bool


class InHex(Shown, frozen=True):
    """A thing in a hex: the hex's number, its place if there is one, and its location in words."""

    hex: HexName
    place: str | None
    where: str


class StackShown(InHex, frozen=True, tag="stack"):
    """All units of a side in a hex, each in words; `strength` is their sum, in points.

    `disrupted` is the number of disrupted units.
    """

    side: SideName
    strength: int
    disrupted: int
    words: str
    units: tuple[str, ...]


class SightingShown(InHex, frozen=True, tag="sighting"):
    """A stack of which only the size is known, as `seen` in that month.

    With `now`, that is the month of the map. Only under the fog of war.
    """

    side: SideName
    size: SizeName
    seen: MonthName
    now: bool
    words: str


class RailwayShown(Shown, frozen=True, tag="railway"):
    """A railway as far as it is built: `built` hexes of `length`."""

    line: str
    words: str
    built: int
    length: int


class RailheadShown(InHex, frozen=True, tag="railhead"):
    """The last hex of the built part of a railway."""

    line: str
    words: str


class SiegeShown(InHex, frozen=True, tag="siege"):
    """A place held by troops of `side` with the enemy next to it (9.12)."""

    side: SideName


class ControlShown(InHex, frozen=True, tag="control"):
    """A place that `side` was the last to occupy (3.2)."""

    side: SideName


AnyShown = (
    HexShown
    | RiverShown
    | CataractShown
    | TrackShown
    | RoadShown
    | WadiShown
    | PlaceShown
    | StackShown
    | SightingShown
    | RailwayShown
    | RailheadShown
    | SiegeShown
    | ControlShown
)


class Feature(msgspec.Struct, frozen=True):
    """A thing on the map: its geometry and its properties."""

    type: Literal["Feature"]
    geometry: Point | LineString | Polygon
    properties: AnyShown


class FeatureCollection(msgspec.Struct, frozen=True):
    """A FeatureCollection (RFC 7946); the property `kind` says what a feature is.

    The map itself has hexes, rivers, cataracts, tracks, roads, wadis and places; the map of a
    `campaign` in a `month` (absent on a timeline) has the stacks, sightings, railways, railheads,
    sieges and control.
    """

    type: Literal["FeatureCollection"]
    features: list[Feature]
    campaign: str | UnsetType = UNSET
    month: MonthOrSetUp | UnsetType = UNSET
    month_name: str | UnsetType = UNSET


GeoFeature = dict[str, Any]


def atlas(document: StateDocument) -> GeoFeature:
    """Return a FeatureCollection of a state; the property `kind` says what a feature is."""
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


def _stacks(document: StateDocument) -> Iterator[GeoFeature]:
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


def _sightings(document: StateDocument) -> Iterator[GeoFeature]:
    for seen in document.sightings:
        properties = {"side": seen.side, "size": seen.size, "seen": seen.month, "now": seen.now}
        yield _point("sighting", seen.at, {**properties, "words": seen.words})


def _railways(document: StateDocument) -> Iterator[GeoFeature]:
    for line in document.railheads:
        properties = {"line": line.line, "words": line.words}
        built = {**properties, "built": line.built, "length": line.length}
        if line.built > 1:
            yield _feature("railway", "LineString", _positions(line.hexes), built)
        yield _point("railhead", line.at, properties)


def _sieges(document: StateDocument) -> Iterator[GeoFeature]:
    for siege in document.sieges:
        yield _point("siege", siege.at, {"side": siege.side})


def _control(document: StateDocument) -> Iterator[GeoFeature]:
    for held in document.control:
        yield _point("control", held.at, {"side": held.side})


def _point(kind: str, at: SpotPart, properties: GeoFeature) -> GeoFeature:
    (where,) = _positions([at.hex])
    return _feature(kind, "Point", where, {**msgspec.to_builtins(at), **properties})


def _positions(hexes: Iterable[str]) -> list[tuple[float, float]]:
    found = (sudan().hexes[HexId(int(number))] for number in hexes)
    return [position(hex_.lat, hex_.lon) for hex_ in found]


def _feature(kind: str, shape: str, coordinates: Any, properties: GeoFeature) -> GeoFeature:
    return {
        "type": "Feature",
        "geometry": {"type": shape, "coordinates": coordinates},
        "properties": {"kind": kind, **properties},
    }
