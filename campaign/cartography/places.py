"""Places by class, and their names set down so that they keep clear of each other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from battles.drawing.pen import element, group
from campaign.cartography.sheet import ROW, Point, Sheet
from campaign.cartography.waters import course
from campaign.cartography.words import Anchor, Box, small_capitals, width
from campaign.rules.map import HexId, Place, PlaceClass

SIZES = {1: 46, 2: 36, 3: 30}
"""Size of type by rank, the most important first."""

SHOWN_AT = {1: (3.0, 1.7, 1.0), 2: (1.7, 1.0), 3: (1.0,)}
"""How many times its size a name may be shown, so that it can be read when the map is small."""

GAP, GAP_HELD = 17, 58
"""Room from the middle of a place to its name, and where a counter stands on the place."""

OWN_HEX = 32
"""How far from the centre of its hex a lesser place may lie."""


@dataclass(frozen=True)
class Bearing:
    """A side of a place for its name to stand on: steps east and south, and what it costs."""

    name: str
    dx: float
    dy: float
    anchor: Anchor
    cost: float


BEARINGS = (
    Bearing("e", 1, 0, "start", 0),
    Bearing("w", -1, 0, "end", 200),
    Bearing("ne", 0.8, -0.85, "start", 500),
    Bearing("se", 0.8, 0.85, "start", 500),
    Bearing("nw", -0.8, -0.85, "end", 700),
    Bearing("sw", -0.8, 0.85, "end", 700),
    Bearing("n", 0, -1.2, "middle", 900),
    Bearing("s", 0, 1.2, "middle", 900),
)


@dataclass(frozen=True)
class Name:
    """A place where it stands on the sheet."""

    place: Place
    at: Point
    rank: int

    @property
    def size(self) -> int:
        """Size of its type."""
        return SIZES[self.rank]

    def room(self, side: Bearing, scale: float) -> Box:
        """The room its name takes on that side, shown at so many times its size."""
        wide, high = width(self.place.name, self.size) * scale, self.size * scale
        x = self.at[0] + side.dx * GAP * scale
        y = self.at[1] + side.dy * (GAP + 0.4 * self.size) * scale
        west = {"start": x, "middle": x - wide / 2, "end": x - wide}[side.anchor]
        return Box(west, y - high / 2, west + wide, y + high / 2)

    def symbol(self, scale: float) -> Box:
        """The room its sign takes."""
        x, y = self.at
        return Box(x - 14 * scale, y - 14 * scale, x + 14 * scale, y + 14 * scale)


class Lettering:
    """The names of all places with the side each stands on."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._names = sorted(_names(sheet), key=lambda name: name.rank)
        self._taken: list[tuple[Name, Bearing]] = []
        # Each room is asked about for every side of every later name.
        scales = {scale for shown in SHOWN_AT.values() for scale in shown}
        self._rooms: dict[float, list[Box]] = {scale: [] for scale in scales}
        self._signs = {scale: [(one, one.symbol(scale)) for one in self._names] for scale in scales}
        for name in self._names:
            best = min(BEARINGS, key=lambda side: self._cost(name, side))
            self._taken.append((name, best))
            for scale in SHOWN_AT[name.rank]:
                self._rooms[scale].append(name.room(best, scale))

    def drawn(self, held: Iterable[HexId] = ()) -> str:
        """The layer of places; names of places in the hexes held keep clear of a counter."""
        taken = frozenset(held)
        return group(
            "layer-places",
            *(_drawn(name, side, name.place.hex in taken) for name, side in self._taken),
        )

    def rooms(self, scale: float) -> list[Box]:
        """The room that names and signs take at that scale."""
        shown = [(name, side) for name, side in self._taken if scale in SHOWN_AT[name.rank]]
        return [name.room(side, scale) for name, side in shown] + [
            name.symbol(scale) for name, _ in shown
        ]

    def _cost(self, name: Name, side: Bearing) -> float:
        return side.cost + sum(self._trouble(name, side, s) for s in SHOWN_AT[name.rank])

    def _trouble(self, name: Name, side: Bearing, scale: float) -> float:
        room = name.room(side, scale)
        names = sum(map(room.overlap, self._rooms[scale]))
        signs = sum(room.overlap(sign) for one, sign in self._signs[scale] if one is not name)
        water = sum(400 for point in self._water if room.holds(point)) if scale == 1 else 0
        return 4 * names + 2 * signs + water + self._off_sheet(room)

    def _off_sheet(self, room: Box) -> float:
        sheet = self._sheet
        inside = room.west > 0 and room.north > 0
        return 0 if inside and room.east < sheet.width and room.south < sheet.height else 100_000

    @cached_property
    def _water(self) -> list[Point]:
        return [
            point
            for river in self._sheet.map.rivers.values()
            for point in course(self._sheet, river)
        ]


def rank(place: Place) -> int:
    """1 for the towns of the book, 2 for its villages and other towns, 3 for the rest."""
    if place.in_rules and place.kind is PlaceClass.TOWN:
        return 1
    return 2 if place.in_rules or place.kind is PlaceClass.TOWN else 3


def _names(sheet: Sheet) -> Iterator[Name]:
    for place in sheet.map.places.values():
        yield Name(place, where(sheet, place), rank(place))


def where(sheet: Sheet, place: Place) -> Point:
    """The chief place of a hex at its centre, the others where they lay, but within the hex."""
    x, y = sheet.centre(place.hex)
    if sheet.map.hexes[place.hex].place == place.name:
        return (x, y)
    east, south = sheet.at(place.lat, place.lon)
    far = hypot(east - x, south - y) or 1
    share = OWN_HEX / far
    return (round(x + share * (east - x)), round(y + share * (south - y)))


def _drawn(name: Name, side: Bearing, held: bool) -> str:
    gap = GAP_HELD if held else GAP
    x = round(side.dx * gap)
    y = round(side.dy * (gap + 0.4 * name.size) + 0.34 * name.size)
    words = element(
        "text",
        small_capitals(name.place.name),
        class_=f"k {side.name}{' book' if name.place.in_rules else ''}",
        x=x or None,
        y=y or None,
    )
    sign = element("use", href=f"#s-{name.place.kind}", class_="k")
    return group(
        f"place rank-{name.rank}",
        sign,
        words,
        transform=f"translate{name.at}".replace(" ", ""),
        data_hex=f"{name.place.hex:04d}",
    )


def signs() -> str:
    """The sign of each class of place: a square, a circle, a well."""
    return (
        element("g", _square(11, "town"), _square(4, "town-heart"), id="s-town")
        + element("circle", id="s-village", class_="village", r=9)
        + element(
            "g",
            element("circle", class_="well", r=9),
            element("circle", class_="well-water", r=4),
            id="s-oasis",
        )
    )


def _square(half: int, class_: str) -> str:
    return element("path", class_=class_, d=f"M-{half}-{half}h{2 * half}v{2 * half}h-{2 * half}z")


def clear_of(rooms: Sequence[Box], points: Iterable[Point]) -> bool:
    """Whether no room holds any of the points, reckoned with the height of a line of type."""
    grown = [
        Box(b.west - ROW / 4, b.north - ROW / 4, b.east + ROW / 4, b.south + ROW / 4) for b in rooms
    ]
    return not any(box.holds(point) for point in points for box in grown)
