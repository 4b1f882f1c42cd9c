"""The built map as a document: plain data, the same on every machine."""

from typing import Literal

import msgspec

from battles.core.decoding import decoder_for
from campaign.rules.map.grid import (
    HexId,
    MapError,
    NamedPlace,
    Nav,
    RailwayTrack,
    RiverSide,
    Road,
    Wadi,
)

GROUND_LETTERS = {"d": "desert", "c": "clear", "t": "cultivated", "s": "sea"}
RELIEF_LETTERS = {".": "flat", "h": "hill", "m": "mountain"}


class GridData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The projection's centre in degrees, and the hex grid in kilometres."""

    lat0: float
    lon0: float
    earth_radius_km: float
    hex_width_km: float
    origin_x: float
    origin_y: float


class HexData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes column by column; the n-th item of every list belongs to the n-th hex."""

    id: list[HexId]
    q: list[int]
    r: list[int]
    x: list[float]
    y: list[float]
    lat: list[float]
    lon: list[float]
    ground: str
    relief: str
    coast: list[HexId]
    closed: list[HexId]
    regions: dict[str, list[HexId]]

    def __post_init__(self) -> None:
        columns = (self.q, self.r, self.x, self.y, self.lat, self.lon, self.ground, self.relief)
        if any(len(column) != len(self.id) for column in columns):
            raise ValueError("the lists of the hexes differ in length")
        if set(self.ground) - set(GROUND_LETTERS) or set(self.relief) - set(RELIEF_LETTERS):
            raise ValueError("ground or relief holds an unknown letter")


class ReachData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reach of a river: its class and title."""

    id: str
    title: str
    nav: Nav


class RiverData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A river, its reaches and its hexsides from source to mouth."""

    id: str
    title: str
    joins: str | None
    reaches: tuple[ReachData, ...]
    sides: tuple[RiverSide, ...]


class CataractData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cataract or rapid at its true position; number 0 has none."""

    name: str
    number: int
    lat: float
    lon: float
    hexes: tuple[HexId, HexId]


class RegionData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title of a region."""

    id: str
    title: str


class MapData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole map. Lists are in the order of the survey, hexsides from source to mouth."""

    format: Literal[1]
    name: str
    grid: GridData
    hexes: HexData
    places: tuple[NamedPlace, ...]
    rivers: tuple[RiverData, ...]
    cataracts: tuple[CataractData, ...]
    tracks: tuple[RailwayTrack, ...]
    roads: tuple[Road, ...]
    wadis: tuple[Wadi, ...]
    regions: tuple[RegionData, ...]


def encode(document: MapData) -> bytes:
    """Return the document as JSON, one line for each of its parts."""
    parts = (
        msgspec.json.encode(field) + b":" + msgspec.json.encode(getattr(document, field))
        for field in document.__struct_fields__
    )
    return b"{\n" + b",\n".join(parts) + b"\n}\n"


def decode(data: bytes) -> MapData:
    """Return the document of a built map. Raise MapError if it is damaged."""
    try:
        document: MapData = decoder_for(MapData).decode(data)
    except msgspec.DecodeError as error:
        raise MapError(f"The built map is damaged: {error}. Build it again.") from error
    _check_hexes(document)
    return document


def _check_hexes(document: MapData) -> None:
    hex_ids = set(document.hexes.id)
    used = {
        "places": (place.hex for place in document.places),
        "rivers": (h for river in document.rivers for side in river.sides for h in side.hexes),
        "cataracts": (h for cataract in document.cataracts for h in cataract.hexes),
        "tracks": (h for track in document.tracks for h in track.hexes),
        "roads": (h for road in document.roads for h in road.hexes),
        "regions": (h for hexes in document.hexes.regions.values() for h in hexes),
    }
    for part, hexes in used.items():
        if stray := set(hexes) - hex_ids:
            raise MapError(
                f"The built map is damaged: its {part} name the hex {min(stray):04d}, which is "
                "not on it. Build it again."
            )
