"""A scenario's own layer over the map: the part in play, closed and open hexes, places, tracks.

A layered map is a map of its own, with its own digest. A hex that is not in play stays on the map
and is closed (`Hex.closed`), so everything that draws, counts or describes needs no other test.
"""

import re
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from battles.core.validation import PartialReader
from campaign.rules.map.document import MapData, decode
from campaign.rules.map.graph import Map, sudan
from campaign.rules.map.grid import HexId, MapError, NamedPlace, PlaceClass, RailwayTrack

HexNumber = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")]
"""A hex as printed on the map, such as 0358."""
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
MOST_HEXES = 2000
_IN_PLAY: ContextVar[Map | None] = ContextVar("the map in play", default=None)


def map_in_play() -> Map:
    """Return the map by which hexes are named now: a campaign's while one is read."""
    return _IN_PLAY.get() or sudan()


def play_on(chart: Map | None) -> None:
    """Name hexes by this map from now on in this thread or task; None for the shipped map.

    Sentences name a hex from its number alone, so the code that loads a campaign sets its map:
    places that the scenario adds are then known everywhere.
    """
    _IN_PLAY.set(chart)


class PlaceRadius(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes at most so many hexes from a place."""

    place: str
    hexes: Annotated[int, msgspec.Meta(ge=0, le=60)]


class AddedPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place that the printed map does not have."""

    name: Words
    hex: HexNumber
    kind: PlaceClass = PlaceClass.VILLAGE
    port: bool = False


class AddedTrack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A railway track that the printed map does not have, as its hexes in order."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_]{1,40}$")]
    title: Words
    hexes: Annotated[tuple[HexNumber, ...], msgspec.Meta(min_length=2, max_length=200)]


class MapLayer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of a scenario to the map.

    In play are the hexes of `regions` and those `within` a distance of a place; the whole map if
    neither is given. `close` and `open` then change single hexes, which `open` may take from those
    closed on the printed map too.
    """

    regions: tuple[str, ...] = ()
    within: tuple[PlaceRadius, ...] = ()
    close: Annotated[tuple[HexNumber, ...], msgspec.Meta(max_length=MOST_HEXES)] = ()
    open: Annotated[tuple[HexNumber, ...], msgspec.Meta(max_length=MOST_HEXES)] = ()
    place: Annotated[tuple[AddedPlace, ...], msgspec.Meta(max_length=100)] = ()
    track: Annotated[tuple[AddedTrack, ...], msgspec.Meta(max_length=20)] = ()


class LayerError(MapError):
    """Error in a layer; `field` is the part of it that is wrong, such as `close[2]`."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


@lru_cache(maxsize=32)
def map_with_layer(layer: MapLayer) -> Map:
    """Return the map of the Sudan with this layer over it. Raise LayerError with the field."""
    if layer == MapLayer():
        return sudan()
    base = sudan()
    for fault in layer_faults(layer):
        raise fault
    document = _document()
    places = tuple(_place(base, place) for place in layer.place)
    tracks = tuple(
        RailwayTrack(track.id, track.title, "projected", tuple(map(_hex, track.hexes)))
        for track in layer.track
    )
    hexes = msgspec.structs.replace(document.hexes, closed=sorted(_closed_hexes(base, layer)))
    digest = sha256(base.digest.encode() + msgspec.json.encode(layer)).hexdigest()
    return Map(
        msgspec.structs.replace(
            document,
            hexes=hexes,
            places=(*document.places, *places),
            tracks=(*document.tracks, *tracks),
        ),
        digest,
    )


@lru_cache(maxsize=1)
def _document() -> MapData:
    return decode(files(__package__).joinpath("sudan.json").read_bytes())


def _hex(number: str) -> HexId:
    return HexId(int(number))


def _closed_hexes(base: Map, layer: MapLayer) -> set[HexId]:
    land = {hex_.id for hex_ in base.hexes.values() if not hex_.sea}
    closed = {hex_id for hex_id in land if base.hexes[hex_id].closed}
    if layer.regions or layer.within:
        in_play = {hex_id for name in layer.regions for hex_id in base.region(name)}
        for near in layer.within:
            in_play |= set(base.within(base.place(near.place).hex, near.hexes))
        closed |= land - in_play
    closed |= set(map(_hex, layer.close)) & land
    return closed - set(map(_hex, layer.open))


def _place(base: Map, place: AddedPlace) -> NamedPlace:
    hex_ = base.hexes[_hex(place.hex)]
    river = next(iter(base.river_at(hex_.id)), None)
    return NamedPlace(
        place.name,
        place.kind,
        hex_.id,
        river,
        place.port,
        in_rules=True,
        aliases=(),
        lat=hex_.lat,
        lon=hex_.lon,
    )


def layer_faults(layer: MapLayer) -> Iterator[LayerError]:
    """Yield an error for each unknown region, place and hex, name in use, or broken track."""
    base = sudan()
    for n, name in enumerate(layer.regions):
        if name not in base.regions:
            choices = ", ".join(base.regions)
            yield LayerError(f"regions[{n}]", f"there is no region {name!r}; there are {choices}")
    for n, near in enumerate(layer.within):
        try:
            base.place(near.place)
        except MapError as error:
            yield LayerError(f"within[{n}].place", str(error).rstrip("."))
    for where, number in _numbers(layer):
        hex_ = base.hexes.get(_hex(number))
        if hex_ is None:
            yield LayerError(where, f"there is no hex {number} on the map")
        elif hex_.sea and not where.startswith("close"):
            yield LayerError(where, f"hex {number} is sea")
    yield from _names_in_use(base, layer)
    for n, track in enumerate(layer.track):
        hexes = [_hex(number) for number in track.hexes if _hex(number) in base.hexes]
        if any(base.distance(hex_id, other) != 1 for hex_id, other in pairwise(hexes)):
            yield LayerError(f"track[{n}].hexes", "the hexes of the track do not lie in a row")


def sound_part(layer: MapLayer) -> MapLayer:
    """Return a faulty layer reduced to the places and tracks that can be laid over the map.

    It closes no hex, as the country in play cannot be known yet.
    """
    wrong = {re.sub(r"(\[\d+\]).*", r"\1", fault.field) for fault in layer_faults(layer)}
    return MapLayer(
        place=tuple(place for n, place in enumerate(layer.place) if f"place[{n}]" not in wrong),
        track=tuple(
            track
            for n, track in enumerate(layer.track)
            if track.hexes and f"track[{n}]" not in wrong
        ),
    )


def map_of_draft(layer_document: object) -> Map:
    """Return the map with as much of a scenario's layer as can be read and laid over it."""
    reader = PartialReader()
    layer: MapLayer = reader.read(layer_document or {}, MapLayer, "$.map") or MapLayer()
    wrong = reader.wrong or any(layer_faults(layer))
    return map_with_layer(sound_part(layer) if wrong else layer)


class NamesInPlay(NamedTuple):
    """The names of what is open to play on a map: places, and titles of tracks and rivers by id."""

    places: tuple[str, ...]
    tracks: dict[str, str]
    rivers: dict[str, str]


def names_in_play(ground: Map) -> NamesInPlay:
    """Return the places, tracks and rivers of a map that are open to play."""
    open_ = {hex_.id for hex_ in ground.hexes.values() if not (hex_.closed or hex_.sea)}
    return NamesInPlay(
        tuple(place.name for place in ground.places_in_play),
        {
            track.id: track.title
            for track in ground.tracks.values()
            if open_.issuperset(track.hexes)
        },
        {
            river.id: river.title
            for river in ground.rivers.values()
            if not open_.isdisjoint(ground.river_hexes[river.id])
        },
    )


def _numbers(layer: MapLayer) -> Iterator[tuple[str, str]]:
    """Yield every hex that the layer names, with its field."""
    yield from ((f"close[{n}]", number) for n, number in enumerate(layer.close))
    yield from ((f"open[{n}]", number) for n, number in enumerate(layer.open))
    yield from ((f"place[{n}].hex", place.hex) for n, place in enumerate(layer.place))
    for n, track in enumerate(layer.track):
        yield from ((f"track[{n}].hexes[{m}]", number) for m, number in enumerate(track.hexes))


def _names_in_use(base: Map, layer: MapLayer) -> Iterator[LayerError]:
    existing_names = {
        n.casefold() for place in base.places.values() for n in (place.name, *place.aliases)
    }
    new_names = ((f"place[{n}].name", place.name) for n, place in enumerate(layer.place))
    ids = ((f"track[{n}].id", track.id) for n, track in enumerate(layer.track))
    yield from _repeated(existing_names, new_names)
    yield from _repeated(set(base.tracks), ids)


def _repeated(known_names: set[str], new_names: Iterable[tuple[str, str]]) -> Iterator[LayerError]:
    for where, name in new_names:
        if name.casefold() in known_names:
            yield LayerError(where, f"the map has {name!r} already")
        known_names.add(name.casefold())
