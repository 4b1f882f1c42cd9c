"""The survey: positions, banks, reaches and outlines, read from survey.toml and checked.

It does not depend on hexes. Every fault is a MapError that names the entry and the reason.
"""

import tomllib
from collections.abc import Iterable
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from battles.core.decoding import convert_to
from campaign.rules.map.grid import Bank, MapError, Nav, Pair, PlaceClass

Latitude = Annotated[float, msgspec.Meta(ge=-90, le=90)]
Longitude = Annotated[float, msgspec.Meta(ge=-180, le=180)]
Point = tuple[Latitude, Longitude]
Line = Annotated[tuple[Point, ...], msgspec.Meta(min_length=2)]
Ring = Annotated[tuple[Point, ...], msgspec.Meta(min_length=3)]
Word = Annotated[str, msgspec.Meta(min_length=1)]
Chain = Annotated[tuple[Word, ...], msgspec.Meta(min_length=2)]
Land = Literal["west", "east", "gezira"]


class SurveyEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of the survey."""


class SurveyFrame(SurveyEntry, frozen=True):
    """The rectangle of the map and the layout of the grid, kilometres from the centre."""

    hex_width_km: Annotated[float, msgspec.Meta(gt=0)]
    x_min: float
    x_max: float
    y_min: float
    y_max: float
    orientation: Literal["flat-top", "pointy-top"]
    origin_x: float
    origin_y: float


class Centre(SurveyEntry, frozen=True):
    """The centre of the azimuthal equidistant projection."""

    lat0: Latitude
    lon0: Longitude
    earth_radius_km: Annotated[float, msgspec.Meta(gt=0)]


class PlaceEntry(SurveyEntry, frozen=True):
    """A named place with its true position and, where it matters, its river and bank."""

    name: Word
    kind: PlaceClass = msgspec.field(name="class")
    lat: Latitude
    lon: Longitude
    confidence: Literal["high", "medium", "low"]
    sources: tuple[Word, ...]
    aliases: tuple[Word, ...] = ()
    rule: bool = False
    river: str | None = None
    bank: Bank | None = None
    second_river: str | None = None
    second_bank: Bank | None = None
    near_river: str | None = None
    near_bank: Bank | None = None
    port: Literal["harbour", "anchorage"] | None = None
    land: Land | None = None


class ReachEntry(SurveyEntry, frozen=True):
    """A stretch of river of one class, running downstream."""

    id: Word
    title: Word
    nav: Nav
    points: Line


class RiverEntry(SurveyEntry, frozen=True):
    """A river as its reaches from source to mouth."""

    id: Word
    title: Word
    reach: Annotated[tuple[ReachEntry, ...], msgspec.Meta(min_length=1)]
    order: tuple[Word, ...]
    joins: str | None = None
    mouth_bank: Bank | None = None

    @property
    def points(self) -> tuple[Pair, ...]:
        """Return the whole course, the shared end points of reaches once only."""
        first, *others = self.reach
        return first.points + tuple(point for reach in others for point in reach.points[1:])


class WadiEntry(SurveyEntry, frozen=True):
    """A dry torrent, for lettering only."""

    name: Word
    points: Line


class CataractEntry(SurveyEntry, frozen=True):
    """A cataract or rapid in a reach; number 0 means that it has none."""

    name: Word
    number: Annotated[int, msgspec.Meta(ge=0, le=6)]
    lat: Latitude
    lon: Longitude
    reach: Word


class CoastEntry(SurveyEntry, frozen=True):
    """The shore from north to south, land to the west."""

    points: Line


class TrackEntry(SurveyEntry, frozen=True):
    """A railway line through its places in order."""

    id: Word
    title: Word
    status: Literal["built", "projected"]
    via: Chain
    points: Line


class RoadEntry(SurveyEntry, frozen=True):
    """A caravan road through its places in order."""

    title: Word
    via: Chain


class TerrainEntry(SurveyEntry, frozen=True):
    """An outline of one class of ground or relief."""

    id: Word
    kind: Literal["clear", "cultivated", "hill", "mountain"] = msgspec.field(name="class")
    ring: Ring


class JebelEntry(SurveyEntry, frozen=True):
    """A lone hill; it fills the hex that holds the point."""

    name: Word
    kind: Literal["hill", "mountain"] = msgspec.field(name="class")
    lat: Latitude
    lon: Longitude


class CultivatedEntry(SurveyEntry, frozen=True):
    """Tilled banks of a river between two points of it."""

    id: Word
    river: Word
    start: Point = msgspec.field(name="from")
    end: Point = msgspec.field(name="to")
    strength: Literal["full", "thin"]


class RegionEntry(SurveyEntry, frozen=True):
    """A labelled outline; closed regions are out of play."""

    id: Word
    title: Word
    ring: Ring
    closed: bool = False


class DistanceEntry(SurveyEntry, frozen=True):
    """A recorded distance in miles, straight or along a named road, and its length in hexes."""

    start: Word = msgspec.field(name="from")
    end: Word = msgspec.field(name="to")
    miles: Annotated[float, msgspec.Meta(gt=0)]
    hexes: Annotated[int, msgspec.Meta(gt=0)]
    by: str | None = None


class Survey(SurveyEntry, frozen=True):
    """The whole survey, checked."""

    name: Word
    map: SurveyFrame
    projection: Centre
    coast: CoastEntry
    place: tuple[PlaceEntry, ...]
    river: tuple[RiverEntry, ...]
    wadi: tuple[WadiEntry, ...]
    cataract: tuple[CataractEntry, ...]
    track: tuple[TrackEntry, ...]
    road: tuple[RoadEntry, ...]
    terrain: tuple[TerrainEntry, ...]
    jebel: tuple[JebelEntry, ...]
    cultivated_reach: tuple[CultivatedEntry, ...]
    region: tuple[RegionEntry, ...]
    distance: tuple[DistanceEntry, ...]

    @property
    def sources(self) -> tuple[Pair, ...]:
        """Return the sources of the rivers; one that continues another has none."""
        headed = {river.joins for river in self.river if river.mouth_bank is None}
        return tuple(river.points[0] for river in self.river if river.id not in headed)


T = TypeVar("T", bound=SurveyEntry)
LISTS: dict[str, type[SurveyEntry]] = {
    "place": PlaceEntry,
    "river": RiverEntry,
    "wadi": WadiEntry,
    "cataract": CataractEntry,
    "track": TrackEntry,
    "road": RoadEntry,
    "terrain": TerrainEntry,
    "jebel": JebelEntry,
    "cultivated_reach": CultivatedEntry,
    "region": RegionEntry,
    "distance": DistanceEntry,
}
SINGLES: dict[str, type[SurveyEntry]] = {
    "map": SurveyFrame,
    "projection": Centre,
    "coast": CoastEntry,
}


def read_survey() -> Survey:
    """Return the survey of the Sudan that comes with the game. Raises MapError if it is damaged."""
    return parse_survey(files(__package__).joinpath("survey.toml").read_text("utf-8"))


def parse_survey(text: str) -> Survey:
    """Return a checked survey from TOML text. Raises MapError naming the entry and the reason."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MapError(f"The survey is not TOML: {error}.") from error
    return survey_of(data)


def survey_of(data: dict[str, Any]) -> Survey:
    """Return a checked survey from plain data. Raises MapError naming the entry and the reason."""
    for key, kind in SINGLES.items():
        _convert(data.get(key, {}), kind, f"[{key}]")
    for key, kind in LISTS.items():
        for number, entry in enumerate(_list(data, key), start=1):
            _convert(entry, kind, _label(key, number, entry))
    survey = _convert(data, Survey, "the survey")
    _check_names(survey)
    _check_rivers(survey)
    _check_references(survey)
    return survey


def _list(data: dict[str, Any], key: str) -> list[Any]:
    entries = data.get(key)
    if not isinstance(entries, list):
        raise MapError(f"The survey has no [[{key}]] entries.")
    return entries


def _label(key: str, number: int, entry: Any) -> str:
    if isinstance(entry, dict):
        for field in ("name", "id", "title"):
            if isinstance(entry.get(field), str):
                return f"{key} {entry[field]!r}"
    return f"{key} number {number}"


def _convert(data: Any, kind: type[T], label: str) -> T:
    try:
        return convert_to(data, kind)
    except msgspec.ValidationError as error:
        raise MapError(f"Survey, {label}: {error}.") from error


def _check_names(survey: Survey) -> None:
    names = [name for place in survey.place for name in (place.name, *place.aliases)]
    _no_doubles("place name or alias", (name.casefold() for name in names))
    _no_doubles("river", (river.id for river in survey.river))
    _no_doubles("reach", (reach.id for river in survey.river for reach in river.reach))
    _no_doubles("track", (track.id for track in survey.track))
    _no_doubles("road", (road.title for road in survey.road))
    _no_doubles("cataract", (cataract.name for cataract in survey.cataract))
    _no_doubles("region", (region.id for region in survey.region))


def _no_doubles(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise MapError(f"Survey, {kind} {name!r}: it occurs twice.")
        seen.add(name)


def _check_rivers(survey: Survey) -> None:
    for river in survey.river:
        for above, below in pairwise(river.reach):
            if above.points[-1] != below.points[0]:
                raise MapError(
                    f"Survey, river {river.id!r}: reach {above.id!r} ends at {above.points[-1]} "
                    f"but {below.id!r} begins at {below.points[0]}; make them the same point."
                )


def _check_references(survey: Survey) -> None:
    places = {place.name for place in survey.place}
    rivers = {river.id for river in survey.river}
    reaches = {reach.id for river in survey.river for reach in river.reach}
    for place in survey.place:
        label = f"place {place.name!r}"
        for river, bank in (
            (place.river, place.bank),
            (place.second_river, place.second_bank),
            (place.near_river, place.near_bank),
        ):
            _check_known(label, "river", [river] if river else [], rivers)
            if (river is None) != (bank is None):
                raise MapError(f"Survey, {label}: a river and a bank must be given together.")
    for stream in survey.river:
        _check_known(
            f"river {stream.id!r}", "river", [stream.joins] if stream.joins else [], rivers
        )
        _check_known(f"river {stream.id!r}", "place", stream.order, places)
    for cataract in survey.cataract:
        _check_known(f"cataract {cataract.name!r}", "reach", [cataract.reach], reaches)
    for tilled in survey.cultivated_reach:
        _check_known(f"cultivated reach {tilled.id!r}", "river", [tilled.river], rivers)
    for track in survey.track:
        _check_known(f"track {track.id!r}", "place", track.via, places)
    for road in survey.road:
        _check_known(f"road {road.title!r}", "place", road.via, places)
    for distance in survey.distance:
        label = f"distance {distance.start!r} to {distance.end!r}"
        _check_known(label, "place", [distance.start, distance.end], places)
        roads = {road.title for road in survey.road}
        _check_known(label, "road", [distance.by] if distance.by else [], roads)


def _check_known(label: str, kind: str, names: Iterable[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            raise MapError(f"Survey, {label}: there is no {kind} {name!r}.")
