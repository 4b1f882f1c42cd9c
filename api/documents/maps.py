"""The map as a document for programs."""

import msgspec

from api.documents.scalars import (
    GroundName,
    HexName,
    NavName,
    PlaceClassName,
    ReliefName,
    TrackStatus,
)
from campaign.rules.map import Map


class MapLine(msgspec.Struct, frozen=True):
    """A map in a list."""

    name: str
    digest: str
    hexes: int
    links: dict[str, str]


class GridPart(msgspec.Struct, frozen=True):
    """The grid: flat-topped hexes, even columns half a hex further south; axial `q` and `r`.

    Neighbours are at (0, -1), (1, -1), (1, 0), (0, 1), (-1, 1) and (-1, 0), clockwise from the
    north. `centre` is the longitude and latitude of the projection's centre.
    """

    layout: str
    hex_width_km: float
    centre: tuple[float, float]


class HexPart(msgspec.Struct, frozen=True):
    """A hex; `at` is the longitude and latitude of its centre; nothing enters a `closed` one."""

    hex: HexName
    q: int
    r: int
    at: tuple[float, float]
    ground: GroundName
    relief: ReliefName
    coast: bool
    closed: bool
    places: tuple[str, ...]
    regions: tuple[str, ...]


class PlacePart(msgspec.Struct, frozen=True):
    """A named place; `river` is the one it stands on, `at` its longitude and latitude.

    `in_rules`: the book names it; `port`: ships land there.
    """

    name: str
    aliases: tuple[str, ...]
    kind: PlaceClassName
    hex: HexName
    at: tuple[float, float]
    river: str | None
    port: bool
    in_rules: bool


class SidePart(msgspec.Struct, frozen=True):
    """A hexside of a river between the hexes on its left and right bank, looking downstream.

    `ordinal` counts from 1 at the source; `cataract` and `reach` are the ones it belongs to.
    """

    ordinal: int
    left: HexName
    right: HexName
    reach: str
    nav: NavName
    cataract: str | None


class RiverReachPart(msgspec.Struct, frozen=True):
    """A reach of a river and its class (8.23)."""

    id: str
    title: str
    nav: NavName


class RiverPart(msgspec.Struct, frozen=True):
    """A river with its hexsides from source to mouth; `joins` is the river it flows into."""

    id: str
    title: str
    joins: str | None
    reaches: tuple[RiverReachPart, ...]
    sides: tuple[SidePart, ...]


class CataractPart(msgspec.Struct, frozen=True):
    """A cataract or rapid at its true position."""

    name: str
    number: int | None
    at: tuple[float, float]
    hexes: tuple[HexName, ...]


class TrackPart(msgspec.Struct, frozen=True):
    """A railway line through hexes, in order: built, or projected."""

    id: str
    title: str
    status: TrackStatus
    hexes: tuple[HexName, ...]


class RoadPart(msgspec.Struct, frozen=True):
    """A caravan road through hexes, in order; it has no effect on play."""

    title: str
    hexes: tuple[HexName, ...]


class MapDocument(msgspec.Struct, frozen=True):
    """A complete map. Hexes are named as printed: `1734` is column 17, row 34.

    `regions` has the titles of the regions; `digest` identifies this exact map.
    """

    name: str
    digest: str
    grid: GridPart
    regions: dict[str, str]
    hexes: tuple[HexPart, ...]
    places: tuple[PlacePart, ...]
    rivers: tuple[RiverPart, ...]
    cataracts: tuple[CataractPart, ...]
    tracks: tuple[TrackPart, ...]
    roads: tuple[RoadPart, ...]


def printed(hex_id: int) -> str:
    """Return a hex's number as the map prints it."""
    return f"{hex_id:04d}"


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
        regions=dict(chart.regions),
        hexes=_hexes(chart),
        places=_places(chart),
        rivers=_rivers(chart),
        cataracts=_cataracts(chart),
        tracks=tuple(
            TrackPart(track.id, track.title, track.status, _all_printed(track.hexes))
            for track in chart.tracks.values()
        ),
        roads=tuple(
            RoadPart(road.title, _all_printed(road.hexes)) for road in chart.roads.values()
        ),
    )


def _hexes(chart: Map) -> tuple[HexPart, ...]:
    return tuple(
        HexPart(
            hex=printed(hex_.id),
            q=hex_.q,
            r=hex_.r,
            at=position(hex_.lat, hex_.lon),
            ground=hex_.ground,
            relief=hex_.relief,
            coast=hex_.coast,
            closed=hex_.closed,
            places=hex_.places,
            regions=tuple(sorted(hex_.regions)),
        )
        for hex_ in chart.hexes.values()
    )


def _places(chart: Map) -> tuple[PlacePart, ...]:
    return tuple(
        PlacePart(
            name=place.name,
            aliases=place.aliases,
            kind=place.kind,
            hex=printed(place.hex),
            at=position(place.lat, place.lon),
            river=place.river,
            port=place.port,
            in_rules=place.in_rules,
        )
        for place in chart.places.values()
    )


def _rivers(chart: Map) -> tuple[RiverPart, ...]:
    return tuple(
        RiverPart(
            id=river.id,
            title=river.title,
            joins=river.joins,
            reaches=tuple(
                RiverReachPart(reach.id, reach.title, reach.nav) for reach in river.reaches
            ),
            sides=tuple(
                SidePart(
                    ordinal=side.ordinal,
                    left=printed(side.hexes[0]),
                    right=printed(side.hexes[1]),
                    reach=side.reach,
                    nav=side.nav,
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
            at=position(cataract.lat, cataract.lon),
            hexes=_all_printed(cataract.hexes),
        )
        for cataract in chart.cataracts.values()
    )


def _all_printed(hexes: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(printed, hexes))
