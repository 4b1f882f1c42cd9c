"""Types of the map: hexes, places, river hexsides, tracks, roads, and MapError."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NewType

HexId = NewType("HexId", int)
"""Column times 100 plus row, as printed: `f"{hex_id:04d}"`. Columns 00 to 61 run west to east,
rows 00 to 63 north to south; even columns stand half a hex further south (even-q offset)."""

Pair = tuple[float, float]
"""Two numbers: [latitude, longitude] in degrees in the survey, (x, y) in kilometres on the grid
with x to the east and y to the north."""


class GroundClass(StrEnum):
    """Fertility of the land; hills and mountains are independent of it (see Relief)."""

    DESERT = "desert"
    CLEAR = "clear"
    CULTIVATED = "cultivated"
    SEA = "sea"


class Relief(StrEnum):
    """Steepness of the land."""

    FLAT = "flat"
    HILL = "hill"
    MOUNTAIN = "mountain"


class PlaceClass(StrEnum):
    """Kinds of place in the rules."""

    TOWN = "town"
    VILLAGE = "village"
    OASIS = "oasis"


class Nav(StrEnum):
    """Class of a stretch of river (8.23); seasonal is navigable from November to February."""

    NAVIGABLE = "navigable"
    SEASONAL = "seasonal"
    UNNAVIGABLE = "unnavigable"


class Bank(StrEnum):
    """Side of a river, facing downstream; either means that both are possible."""

    LEFT = "left"
    RIGHT = "right"
    EITHER = "either"


class MapError(ValueError):
    """Error for a damaged survey or built map, or a name that is not on the map."""


Direction = Literal[-1, 0, 1]


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """A named place. `river` is the river it stands on; `in_rules`: the book names it."""

    name: str
    kind: PlaceClass
    hex: HexId
    river: str | None
    port: bool
    in_rules: bool
    aliases: tuple[str, ...]
    lat: float
    lon: float


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex: x and y are kilometres east and north of the projection's centre."""

    id: HexId
    q: int
    r: int
    x: float
    y: float
    lat: float
    lon: float
    ground: GroundClass
    relief: Relief
    coast: bool
    place: str | None
    places: tuple[str, ...]
    regions: frozenset[str]
    closed: bool

    @property
    def sea(self) -> bool:
        """Return whether the hex is sea, which no unit enters."""
        return self.ground is GroundClass.SEA


@dataclass(frozen=True, slots=True)
class RiverSide:
    """A hexside of a river; ordinals count from 1 at the source to the mouth of that river.

    `hexes` are those on the left and the right bank, facing downstream.
    """

    river: str
    ordinal: int
    nav: Nav
    cataract: str | None
    reach: str
    hexes: tuple[HexId, HexId]


@dataclass(frozen=True, slots=True)
class RiverMove:
    """A move of one hex by river: 1 downstream, -1 upstream, 0 to the other bank."""

    to: HexId
    river: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class RailwayTrack:
    """A railway line as its hexes, in order."""

    id: str
    title: str
    status: Literal["built", "projected"]
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A caravan road as its hexes, in order; it has no effect on play."""

    title: str
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Wadi:
    """A dry river bed, for lettering: points of [latitude, longitude]."""

    name: str
    points: tuple[Pair, ...]
