"""What the finished map is made of: hexes, places, hexsides of rivers, tracks and roads."""

from dataclasses import dataclass
from typing import Literal

from campaign.rules.map.kinds import Ground, HexId, Nav, Pair, PlaceClass, Relief

Direction = Literal[-1, 0, 1]


@dataclass(frozen=True, slots=True)
class Place:
    """A named place. `river` is the one it stands on; `in_rules`, whether the book names it."""

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
    ground: Ground
    relief: Relief
    coast: bool
    place: str | None
    places: tuple[str, ...]
    regions: frozenset[str]
    closed: bool

    @property
    def sea(self) -> bool:
        """Whether it is sea, which nothing enters."""
        return self.ground is Ground.SEA


@dataclass(frozen=True, slots=True)
class RiverSide:
    """A hexside of a river: ordinals count from 1 at the source to the mouth of that river.

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
    """One hex of river movement: 1 downstream, -1 upstream, 0 to the other bank."""

    to: HexId
    river: str
    direction: Direction


@dataclass(frozen=True, slots=True)
class Track:
    """A railway line as the hexes it runs through, in order."""

    id: str
    title: str
    status: Literal["built", "projected"]
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Road:
    """A caravan road as the hexes it runs through, in order; it has no effect on play."""

    title: str
    hexes: tuple[HexId, ...]


@dataclass(frozen=True, slots=True)
class Wadi:
    """A dry torrent, for lettering: points of [latitude, longitude]."""

    name: str
    points: tuple[Pair, ...]
