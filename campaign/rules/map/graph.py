"""The loaded map: hexes, places and rivers by their ids, and the networkx graph of the hexes.

A boat stands in a hex beside the river and moves along its bank.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import pairwise
from math import atan2, degrees
from typing import TYPE_CHECKING
from unicodedata import normalize

from campaign.rules.map.document import (
    GROUND_LETTERS,
    RELIEF_LETTERS,
    CataractData,
    MapData,
    RiverData,
    decode,
)
from campaign.rules.map.grid import (
    GroundClass,
    Hex,
    HexId,
    Lattice,
    MapError,
    NamedPlace,
    Nav,
    Pair,
    PlaceClass,
    Projection,
    RailwayTrack,
    Relief,
    RiverSide,
    Road,
    Wadi,
    hex_distance,
    neighbours_of,
    side_between,
    vertices_of,
)

if TYPE_CHECKING:
    import networkx as nx
from campaign.rules.map.grid import Moves, river_moves

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
IMPORTANCE = (PlaceClass.TOWN, PlaceClass.VILLAGE, PlaceClass.OASIS)
NUMBER_LENGTH = 4
"""Digits of a hex as printed."""
ALIKE = 0.7
"""The similarity from which on a place is suggested for a name that is none."""
WORST_FIRST = (Nav.UNNAVIGABLE, Nav.SEASONAL, Nav.NAVIGABLE)


@lru_cache(maxsize=1)
def sudan() -> "Map":
    """Return the map of the Sudan that comes with the game, loaded once in a process.

    Raise MapError if the built map is damaged.
    """
    return load(files(__package__).joinpath("sudan.json").read_bytes())


def is_printed(chart: "Map") -> bool:
    """Return whether this is the map that comes with the game, without a scenario's layer.

    Its digest says so: threads that load the map first at once each have one.
    """
    return chart.digest == sudan().digest


def load(data: bytes) -> "Map":
    """Return the map of a document written by `build`. Raise MapError if it is damaged."""
    return Map(decode(data), sha256(data).hexdigest())


class Map:
    """A map of hexes. Do not change it: the whole process shares it."""

    def __init__(self, document: MapData, digest: str) -> None:
        grid = document.grid
        self.name: str = document.name
        self.digest: str = digest
        self.lattice = Lattice("flat-top", grid.hex_width_km, (grid.origin_x, grid.origin_y))
        self.projection = Projection(grid.lat0, grid.lon0, grid.earth_radius_km)
        self.places: dict[str, NamedPlace] = {place.name: place for place in document.places}
        self.hexes: dict[HexId, Hex] = {hex_.id: hex_ for hex_ in _hexes(document)}
        self.rivers: dict[str, RiverData] = {river.id: river for river in document.rivers}
        self.cataracts: dict[str, CataractData] = {c.name: c for c in document.cataracts}
        self.tracks: dict[str, RailwayTrack] = {track.id: track for track in document.tracks}
        self.roads: dict[str, Road] = {road.title: road for road in document.roads}
        self.wadis: tuple[Wadi, ...] = document.wadis
        self.regions: dict[str, str] = {region.id: region.title for region in document.regions}
        self._labelled = {name: frozenset(hexes) for name, hexes in document.hexes.regions.items()}
        self._by_cell = {(hex_.q, hex_.r): hex_.id for hex_ in self.hexes.values()}

    @cached_property
    def sides(self) -> dict[tuple[HexId, HexId], RiverSide]:
        """Return the river hexside between two hexes, for both orders of the pair."""
        hexsides: dict[tuple[HexId, HexId], RiverSide] = {}
        for river in self.rivers.values():
            for side in river.sides:
                left, right = side.hexes
                hexsides[left, right] = hexsides[right, left] = side
        return hexsides

    @cached_property
    def neighbours(self) -> dict[HexId, tuple[HexId, ...]]:
        """Return the hexes of the map around each hex, land and sea, clockwise from the north."""
        return {
            hex_.id: tuple(
                self._by_cell[cell]
                for cell in neighbours_of((hex_.q, hex_.r))
                if cell in self._by_cell
            )
            for hex_ in self.hexes.values()
        }

    @cached_property
    def river_hexes(self) -> dict[str, tuple[HexId, ...]]:
        """Return the hexes beside each river, from source to mouth."""
        return {
            river.id: tuple(dict.fromkeys(h for side in river.sides for h in side.hexes))
            for river in self.rivers.values()
        }

    @cached_property
    def river_moves(self) -> Moves:
        """Return the moves of one hex a boat may make from each hex beside a river (8.23).

        None leads into a hex that is closed to play.
        """
        rivers = {river.id: river.sides for river in self.rivers.values()}
        all_moves = river_moves(rivers, {river.id: river.joins for river in self.rivers.values()})
        return {
            start: tuple(move for move in moves if not self.hexes[move.to].closed)
            for start, moves in all_moves.items()
        }

    @cached_property
    def graph(self) -> "nx.Graph[HexId]":
        """Return all hexes as nodes and neighbours as edges, with their attributes."""
        # Importing it takes longer than loading the map, and only whole-map analyses need it.
        import networkx as nx  # noqa: PLC0415

        graph: nx.Graph[HexId] = nx.Graph(name=self.name, digest=self.digest)
        graph.add_nodes_from((hex_.id, _attributes(hex_)) for hex_ in self.hexes.values())
        for hex_id, others in self.neighbours.items():
            graph.add_edges_from((hex_id, other) for other in others if hex_id < other)
        for (hex_id, other), side in self.sides.items():
            graph.edges[hex_id, other].update(
                river=side.river,
                ordinal=side.ordinal,
                nav=side.nav,
                cataract=side.cataract,
                reach=side.reach,
            )
        for track in self.tracks.values():
            for hex_id, other in pairwise(track.hexes):
                edge = graph.edges[hex_id, other]
                edge["tracks"] = (*edge.get("tracks", ()), track.id)
        return graph

    def place(self, name: str) -> NamedPlace:
        """Return the place of a name or alias, in any case, spaces and marks aside.

        Raise MapError with similar names of places in play when there is none.
        """
        match = self._places_by_name.get(name.casefold()) or self._places_by_letters.get(
            _letters(name)
        )
        if match is not None:
            return match
        words = [n for n, place in self._places_by_name.items() if place in self.places_in_play]
        near = get_close_matches(name.casefold(), words, n=3, cutoff=ALIKE)
        names = dict.fromkeys(self._places_by_name[spelling].name for spelling in near)
        hint = f" Did you mean {' or '.join(names)}?" if names else ""
        raise MapError(f"There is no place “{name}” on the map.{hint}")

    def spot(self, name: str) -> HexId:
        """Return the hex of a place, or that of a number such as 0358. Raise MapError."""
        if not (len(name) == NUMBER_LENGTH and name.isascii() and name.isdigit()):
            return self.place(name).hex
        hex_id = HexId(int(name))
        if hex_id not in self.hexes or self.hexes[hex_id].sea:
            raise MapError(f"There is no land hex {name} on the map.")
        return hex_id

    @cached_property
    def _places_by_name(self) -> dict[str, NamedPlace]:
        return {
            name.casefold(): place
            for place in self.places.values()
            for name in (place.name, *place.aliases)
        }

    @cached_property
    def _places_by_letters(self) -> dict[str, NamedPlace]:
        return {_letters(name): place for name, place in self._places_by_name.items()}

    @cached_property
    def places_in_play(self) -> frozenset[NamedPlace]:
        """Return the places in hexes that are open to play."""
        return frozenset(
            place for place in self.places.values() if not self.hexes[place.hex].closed
        )

    def region(self, name: str) -> frozenset[HexId]:
        """Return the hexes of a region, sea included.

        Raise MapError when there is no such region.
        """
        if name not in self._labelled:
            raise MapError(f"There is no region {name!r}; there are {', '.join(self._labelled)}.")
        return self._labelled[name]

    def distance(self, a: HexId, b: HexId) -> int:
        """Return the distance between two hexes, in hexes in a straight line."""
        field, other = self.hexes[a], self.hexes[b]
        q, r = field.q - other.q, field.r - other.r
        return max(abs(q), abs(r), abs(q + r))

    def within(self, hex_id: HexId, radius: int) -> list[HexId]:
        """Return the hexes of the map within the radius, the hex itself included, sorted by id."""
        centre = self.hexes[hex_id]
        steps = (
            (q, r)
            for q in range(-radius, radius + 1)
            for r in range(max(-radius, -radius - q), min(radius, radius - q) + 1)
        )
        cells = ((centre.q + q, centre.r + r) for q, r in steps)
        return sorted(self._by_cell[cell] for cell in cells if cell in self._by_cell)

    def bearing(self, a: HexId, b: HexId) -> str:
        """Return the direction from a to b as one of eight points of the compass."""
        origin, other = self.hexes[a], self.hexes[b]
        angle = degrees(atan2(other.x - origin.x, other.y - origin.y))
        return COMPASS[round(angle / 45) % 8]

    def describe(self, hex_id: HexId) -> str:
        """Return the place in a hex, or the way from the nearest place.

        The latter reads "2 hexes NW of Gakdul Wells".
        """
        place = self.hexes[hex_id].place
        return place if place is not None else self._from_nearest(hex_id)

    def _from_nearest(self, hex_id: HexId) -> str:
        far, _, name = min(
            (self.distance(hex_id, place.hex), not place.in_rules, place.name)
            for place in self.places.values()
        )
        side = self.bearing(self.places[name].hex, hex_id)
        return f"{far} hex{'es' if far > 1 else ''} {side} of {name}"

    def river_at(self, hex_id: HexId) -> tuple[str, ...]:
        """Return the rivers a hex touches."""
        return tuple(self._beside.get(hex_id, ()))

    def ordinals(self, hex_id: HexId, river: str) -> tuple[int, int]:
        """Return the lowest and highest ordinal of a hex's hexsides on a river.

        Raise MapError if the hex does not touch that river.
        """
        numbers = [side.ordinal for side in self._sides_on(hex_id, river)]
        return (min(numbers), max(numbers))

    def nav_at(self, hex_id: HexId, river: str) -> Nav:
        """Return the worst class of water among the hexsides a hex has on a river.

        The book counts a class from the first hex with a hexside of it (8.23 V). Raise MapError if
        the hex does not touch that river.
        """
        classes = {side.nav for side in self._sides_on(hex_id, river)}
        return next(nav for nav in WORST_FIRST if nav in classes)

    def cataract_at(self, hex_id: HexId) -> str | None:
        """Return the cataract on a hexside of this hex, the uppermost of two, or None (8.23 IV).

        Rapids, which have no number, are none.
        """
        sides = (side for river in self._beside.get(hex_id, {}).values() for side in river)
        names = (side.cataract for side in sides if side.cataract)
        return next((name for name in names if self.cataracts[name].number), None)

    def _sides_on(self, hex_id: HexId, river: str) -> list[RiverSide]:
        sides = self._beside.get(hex_id, {}).get(river)
        if not sides:
            raise MapError(f"Hex {hex_id:04d} ({self.describe(hex_id)}) is not beside {river!r}.")
        return sides

    @cached_property
    def _beside(self) -> dict[HexId, dict[str, list[RiverSide]]]:
        sides_by_hex: dict[HexId, dict[str, list[RiverSide]]] = {}
        for river in self.rivers.values():
            for side in river.sides:
                for hex_id in side.hexes:
                    sides_by_hex.setdefault(hex_id, {}).setdefault(river.id, []).append(side)
        return sides_by_hex

    def corners(self, hex_id: HexId) -> list[Pair]:
        """Return the six corners of a hex in kilometres (east, north), clockwise."""
        hex_ = self.hexes[hex_id]
        return [self.lattice.vertex_xy(vertex) for vertex in vertices_of((hex_.q, hex_.r))]

    def side_line(self, a: HexId, b: HexId) -> tuple[Pair, Pair]:
        """Return the hexside between neighbours in kilometres, directed with a on its left.

        With the left and right hex of a river hexside it runs downstream. Raise MapError if the
        hexes are not neighbours.
        """
        field, other = self.hexes[a], self.hexes[b]
        if hex_distance((field.q, field.r), (other.q, other.r)) != 1:
            raise MapError(f"The hexes {a:04d} and {b:04d} are not neighbours.")
        ends = side_between((field.q, field.r), (other.q, other.r))
        first, second = (self.lattice.vertex_xy(vertex) for vertex in ends)
        ahead = (second[0] - first[0], second[1] - first[1])
        a_is_left = ahead[0] * (field.y - first[1]) - ahead[1] * (field.x - first[0]) > 0
        return (first, second) if a_is_left else (second, first)


def _hexes(document: MapData) -> Iterable[Hex]:
    data = document.hexes
    coast, closed = set(data.coast), set(data.closed)
    standing = _places_by_hex(document.places)
    labels = _labels(data.regions)
    columns = zip(
        data.id, data.q, data.r, data.x, data.y, data.lat, data.lon, data.ground, data.relief,
        strict=True,
    )  # fmt: skip
    none: frozenset[str] = frozenset()
    grounds = {letter: GroundClass(word) for letter, word in GROUND_LETTERS.items()}
    reliefs = {letter: Relief(word) for letter, word in RELIEF_LETTERS.items()}
    for hex_id, q, r, x, y, lat, lon, ground, relief in columns:
        names = standing.get(hex_id, ())
        yield Hex(
            id=hex_id,
            q=q,
            r=r,
            x=x,
            y=y,
            lat=lat,
            lon=lon,
            ground=grounds[ground],
            relief=reliefs[relief],
            coast=hex_id in coast,
            place=names[0] if names else None,
            places=names,
            regions=labels.get(hex_id, none),
            closed=hex_id in closed,
        )


def _places_by_hex(places: Iterable[NamedPlace]) -> dict[HexId, tuple[str, ...]]:
    """Return the places in each hex, those of the book first, then by class."""
    ranked = sorted(places, key=lambda place: (not place.in_rules, IMPORTANCE.index(place.kind)))
    names: dict[HexId, tuple[str, ...]] = {}
    for place in ranked:
        names[place.hex] = (*names.get(place.hex, ()), place.name)
    return names


def _labels(regions: dict[str, list[HexId]]) -> dict[HexId, frozenset[str]]:
    labels: dict[HexId, frozenset[str]] = {}
    for name, hexes in regions.items():
        for hex_id in hexes:
            labels[hex_id] = labels.get(hex_id, frozenset()) | {name}
    return labels


def _letters(name: str) -> str:
    """Return the letters and figures of a name alone: `elobeid` of “El-Obeid ”."""
    return "".join(filter(str.isalnum, normalize("NFD", name.casefold())))


def _attributes(hex_: Hex) -> dict[str, object]:
    return {field: getattr(hex_, field) for field in hex_.__dataclass_fields__ if field != "id"}
