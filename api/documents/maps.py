"""The map as a document for programs."""

from collections.abc import Iterable
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.scalars import GroundName, NavName, PlaceClassName, ReliefName
from api.http.rule_json import HexName
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Map, sudan
from campaign.rules.prose.names import describe_hex

Position = Annotated[
    tuple[float, float], Meta(description="Longitude and latitude, in degrees (WGS 84).")
]


class LocationPart(msgspec.Struct, frozen=True):
    """A hex, its place if there is one, and its location in words."""

    hex: HexName
    place: str | None
    text: str


class MapLinks(msgspec.Struct, frozen=True):
    """The addresses of a map: by its name, and of exactly this map, for ever."""

    self: str
    geojson: str
    permanent: str
    permanent_geojson: str


class MapLine(msgspec.Struct, frozen=True):
    """A map in a list."""

    name: str
    digest: str
    hex_count: int
    links: MapLinks


class GridPart(msgspec.Struct, frozen=True):
    """The grid: flat-topped hexes, even columns half a hex further south; axial `q` and `r`.

    Neighbours are at (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1) and (-1, 0), clockwise from the
    north.
    """

    layout: str
    hex_width_km: float
    centre: Position


class RegionPart(msgspec.Struct, frozen=True):
    """A region of the map."""

    slug: str
    title: str


class CellPart(msgspec.Struct, frozen=True):
    """A hex of the map. Its places are in `named_places`."""

    hex: HexName
    q: int
    r: int
    centre: Position
    ground_class: GroundName
    relief: ReliefName
    region_slugs: tuple[str, ...]


class PlacePart(msgspec.Struct, frozen=True):
    """A named place, and the river it stands on."""

    name: str
    aliases: tuple[str, ...]
    place_class: PlaceClassName
    hex: HexName
    lon_lat: Position
    river_slug: str | None
    port: bool
    in_rules: bool


class HexsidePart(msgspec.Struct, frozen=True):
    """A hexside of a river between the hexes on its left and right bank, looking downstream."""

    ordinal: int
    left_hex: HexName
    right_hex: HexName
    reach_slug: str
    navigability: NavName
    cataract: str | None


class RiverReachPart(msgspec.Struct, frozen=True):
    """A reach of a river and its class (8.23)."""

    slug: str
    title: str
    navigability: NavName


class RiverPart(msgspec.Struct, frozen=True):
    """A river with its hexsides from source to mouth, and the river it flows into."""

    slug: str
    title: str
    joins_slug: str | None
    reaches: tuple[RiverReachPart, ...]
    hexsides: tuple[HexsidePart, ...]


class CataractPart(msgspec.Struct, frozen=True):
    """A cataract or rapid at its true position, and the hexes beside it."""

    name: str
    number: int | None
    lon_lat: Position
    hexes: tuple[HexName, ...]


class TrackPart(msgspec.Struct, frozen=True):
    """A railway line through hexes, in order: built, or projected."""

    slug: str
    title: str
    projected: bool
    hexes: tuple[HexName, ...]


class RoadPart(msgspec.Struct, frozen=True):
    """A caravan road through hexes, in order; it has no effect on play."""

    title: str
    hexes: tuple[HexName, ...]


class MapDocument(msgspec.Struct, frozen=True):
    """A complete map. Hexes are named as printed: `1734` is column 17, row 34.

    `coast_hexes` lie on the sea; nothing enters one of `closed_hexes`.
    """

    name: str
    digest: str
    grid: GridPart
    regions: tuple[RegionPart, ...]
    cells: tuple[CellPart, ...]
    coast_hexes: tuple[HexName, ...]
    closed_hexes: tuple[HexName, ...]
    named_places: tuple[PlacePart, ...]
    rivers: tuple[RiverPart, ...]
    cataracts: tuple[CataractPart, ...]
    tracks: tuple[TrackPart, ...]
    roads: tuple[RoadPart, ...]
    links: MapLinks


def printed_number(hex_id: int) -> str:
    """Return a hex's number as the map prints it."""
    return f"{hex_id:04d}"


def printed_hexes(hexes: Iterable[int]) -> tuple[str, ...]:
    """Return the numbers of hexes as the map prints them."""
    return tuple(map(printed_number, hexes))


def location_part(chart: Map, hex_id: HexId) -> LocationPart:
    """Return a hex with its place and its location in words."""
    return LocationPart(printed_number(hex_id), chart.hexes[hex_id].place, describe_hex(hex_id))


def position(lat: float, lon: float) -> tuple[float, float]:
    """Return longitude and latitude, as in GeoJSON, to five decimals (about a metre)."""
    return (round(lon, 5), round(lat, 5))


def map_document(chart: Map) -> MapDocument:
    """Return the whole map."""
    return MapDocument(
        name=chart.name,
        digest=chart.digest,
        grid=GridPart(
            layout="flat-top, even-q",
            hex_width_km=chart.lattice.width,
            centre=position(chart.projection.lat0, chart.projection.lon0),
        ),
        regions=tuple(RegionPart(slug, title) for slug, title in chart.regions.items()),
        cells=_cells(chart),
        coast_hexes=printed_hexes(hex_.id for hex_ in chart.hexes.values() if hex_.coast),
        closed_hexes=printed_hexes(hex_.id for hex_ in chart.hexes.values() if hex_.closed),
        named_places=_places(chart),
        rivers=_rivers(chart),
        cataracts=_cataracts(chart),
        tracks=tuple(
            TrackPart(
                track.id, track.title, track.status == "projected", printed_hexes(track.hexes)
            )
            for track in chart.tracks.values()
        ),
        roads=tuple(
            RoadPart(road.title, printed_hexes(road.hexes)) for road in chart.roads.values()
        ),
        links=map_links(chart),
    )


def map_line(chart: Map) -> MapLine:
    """Return a map with its addresses."""
    return MapLine(chart.name, chart.digest, len(chart.hexes), map_links(chart))


def map_links(chart: Map) -> MapLinks:
    return MapLinks(
        self=reverse("api:map", args=[chart.name]),
        geojson=reverse("api:map-geojson", args=[chart.name]),
        permanent=reverse("api:map", args=[chart.digest]),
        permanent_geojson=reverse("api:map-geojson", args=[chart.digest]),
    )


def map_address(state: State, tables: int | None) -> str:
    """Return the address of a campaign's map, with its scenario where that has its own layer."""
    address = reverse("api:map", args=[state.map])
    if state.map == sudan().digest:
        return address
    return f"{address}?{urlencode({'scenario': state.scenario, 'table_set': tables or 'shipped'})}"


def _cells(chart: Map) -> tuple[CellPart, ...]:
    return tuple(
        CellPart(
            hex=printed_number(hex_.id),
            q=hex_.q,
            r=hex_.r,
            centre=position(hex_.lat, hex_.lon),
            ground_class=hex_.ground,
            relief=hex_.relief,
            region_slugs=tuple(sorted(hex_.regions)),
        )
        for hex_ in chart.hexes.values()
    )


def _places(chart: Map) -> tuple[PlacePart, ...]:
    return tuple(
        PlacePart(
            name=place.name,
            aliases=place.aliases,
            place_class=place.kind,
            hex=printed_number(place.hex),
            lon_lat=position(place.lat, place.lon),
            river_slug=place.river,
            port=place.port,
            in_rules=place.in_rules,
        )
        for place in chart.places.values()
    )


def _rivers(chart: Map) -> tuple[RiverPart, ...]:
    return tuple(
        RiverPart(
            slug=river.id,
            title=river.title,
            joins_slug=river.joins,
            reaches=tuple(
                RiverReachPart(reach.id, reach.title, reach.nav) for reach in river.reaches
            ),
            hexsides=tuple(
                HexsidePart(
                    ordinal=side.ordinal,
                    left_hex=printed_number(side.hexes[0]),
                    right_hex=printed_number(side.hexes[1]),
                    reach_slug=side.reach,
                    navigability=side.nav,
                    cataract=side.cataract,
                )
                for side in river.sides
            ),
        )
        for river in chart.rivers.values()
    )


def _cataracts(chart: Map) -> tuple[CataractPart, ...]:
    return tuple(
        CataractPart(
            name=cataract.name,
            number=cataract.number or None,
            lon_lat=position(cataract.lat, cataract.lon),
            hexes=printed_hexes(cataract.hexes),
        )
        for cataract in chart.cataracts.values()
    )
