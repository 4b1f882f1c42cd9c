"""Lettering of the map: place names that keep clear of each other, and other names.

Other names follow a line or stand across a country: rivers, regions, seas, peoples.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import accumulate, pairwise
from math import hypot
from typing import Any

from battles.drawing.svg import DrawingPoint, curve, element, group, path, text
from campaign.cartography.sheet import ROW, Anchor, LabelBox, MapSheet, small_capitals, width
from campaign.cartography.terrain import course
from campaign.rules.map import HexId, NamedPlace, PlaceClass

SIZES = {1: 46, 2: 36, 3: 30}
"""Size of type by rank, the most important first."""

SHOWN_AT = {1: (3.0, 1.7, 1.0), 2: (1.7, 1.0), 3: (1.0,)}
"""Factors of its size at which a name may be shown, so that it is legible on a small map."""

GAP, GAP_HELD = 17, 58
"""Distance from the middle of a place to its name: usually, and with a counter on the place."""

OWN_HEX = 32
"""The greatest distance of a lesser place from the centre of its hex."""


@dataclass(frozen=True)
class LabelBearing:
    """A side of a place where its name can stand: steps east and south, and their cost."""

    name: str
    dx: float
    dy: float
    anchor: Anchor
    cost: float


BEARINGS = (
    LabelBearing("e", 1, 0, "start", 0),
    LabelBearing("w", -1, 0, "end", 200),
    LabelBearing("ne", 0.8, -0.85, "start", 500),
    LabelBearing("se", 0.8, 0.85, "start", 500),
    LabelBearing("nw", -0.8, -0.85, "end", 700),
    LabelBearing("sw", -0.8, 0.85, "end", 700),
    LabelBearing("n", 0, -1.2, "middle", 900),
    LabelBearing("s", 0, 1.2, "middle", 900),
)


@dataclass(frozen=True)
class Name:
    """The name of a place, its position on the sheet and its rank."""

    place: NamedPlace
    at: DrawingPoint
    rank: int

    @property
    def size(self) -> int:
        """Return the size of its type."""
        return SIZES[self.rank]

    def room(self, side: LabelBearing, scale: float) -> LabelBox:
        """Return the box of the name on that side, shown at `scale` times its size."""
        wide, high = width(self.place.name, self.size) * scale, self.size * scale
        x = self.at[0] + side.dx * GAP * scale
        y = self.at[1] + side.dy * (GAP + 0.4 * self.size) * scale
        west = {"start": x, "middle": x - wide / 2, "end": x - wide}[side.anchor]
        return LabelBox(west, y - high / 2, west + wide, y + high / 2)

    def symbol(self, scale: float) -> LabelBox:
        """Return the box of its sign."""
        x, y = self.at
        return LabelBox(x - 14 * scale, y - 14 * scale, x + 14 * scale, y + 14 * scale)


class Lettering:
    """The names of all places with the side each stands on."""

    def __init__(self, sheet: MapSheet) -> None:
        self._sheet = sheet
        names = [
            Name(place, place_point(sheet, place), rank(place))
            for place in sheet.map.places.values()
        ]
        self._names = sorted(names, key=lambda name: name.rank)
        self._taken: list[tuple[Name, LabelBearing]] = []
        # Each room is asked about for every side of every later name.
        scales = {scale for shown in SHOWN_AT.values() for scale in shown}
        self._rooms: dict[float, list[LabelBox]] = {scale: [] for scale in scales}
        self._signs = {
            scale: [(label, label.symbol(scale)) for label in self._names] for scale in scales
        }
        for name in self._names:
            best = min(BEARINGS, key=lambda side: self._cost(name, side))
            self._taken.append((name, best))
            for scale in SHOWN_AT[name.rank]:
                self._rooms[scale].append(name.room(best, scale))

    def drawn(self, occupied_hexes: Iterable[HexId] = ()) -> str:
        """Return the layer of places; names in `occupied_hexes` keep clear of a counter."""
        occupied = frozenset(occupied_hexes)
        return group(
            "layer-places",
            *(_draw_name(name, side, name.place.hex in occupied) for name, side in self._taken),
        )

    def rooms(self, scale: float) -> list[LabelBox]:
        """Return the boxes of names and signs at that scale."""
        shown = [(name, side) for name, side in self._taken if scale in SHOWN_AT[name.rank]]
        return [name.room(side, scale) for name, side in shown] + [
            name.symbol(scale) for name, _ in shown
        ]

    def _cost(self, name: Name, side: LabelBearing) -> float:
        return side.cost + sum(self._trouble(name, side, s) for s in SHOWN_AT[name.rank])

    def _trouble(self, name: Name, side: LabelBearing, scale: float) -> float:
        room = name.room(side, scale)
        names = sum(map(room.overlap, self._rooms[scale]))
        signs = sum(room.overlap(sign) for other, sign in self._signs[scale] if other is not name)
        water = sum(400 for point in self._water if room.holds(point)) if scale == 1 else 0
        return 4 * names + 2 * signs + water + self._off_sheet(room)

    def _off_sheet(self, room: LabelBox) -> float:
        sheet = self._sheet
        inside = room.west > 0 and room.north > 0
        return 0 if inside and room.east < sheet.width and room.south < sheet.height else 100_000

    @cached_property
    def _water(self) -> list[DrawingPoint]:
        return [
            point
            for river in self._sheet.map.rivers.values()
            for point in course(self._sheet, river)
        ]


def rank(place: NamedPlace) -> int:
    """Return 1 for towns of the book, 2 for its villages and other towns, 3 for the rest."""
    if place.in_rules and place.kind is PlaceClass.TOWN:
        return 1
    return 2 if place.in_rules or place.kind is PlaceClass.TOWN else 3


def place_point(sheet: MapSheet, place: NamedPlace) -> DrawingPoint:
    """Return the hex's centre for its chief place, the true position within it for others."""
    x, y = sheet.centre(place.hex)
    if sheet.map.hexes[place.hex].place == place.name:
        return (x, y)
    east, south = sheet.at(place.lat, place.lon)
    far = hypot(east - x, south - y) or 1
    share = OWN_HEX / far
    return (round(x + share * (east - x)), round(y + share * (south - y)))


def _draw_name(name: Name, side: LabelBearing, is_occupied: bool) -> str:
    gap = GAP_HELD if is_occupied else GAP
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
    """Return the sign of each class of place: a square, a circle, a well."""
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


def clear_of(rooms: Sequence[LabelBox], points: Iterable[DrawingPoint]) -> bool:
    """Return whether no box, enlarged by half a line of type, holds any of the points."""
    grown = [
        LabelBox(b.west - ROW / 4, b.north - ROW / 4, b.east + ROW / 4, b.south + ROW / 4)
        for b in rooms
    ]
    return not any(box.holds(point) for point in points for box in grown)


RIVER_SIZE = 42
PEOPLE_SIZE = 30
OFF = 54
"""Distance of a river's name from the water."""

APART = 1500
"""Least length of river from one of its names to the next."""


def country_names(sheet: MapSheet) -> str:
    """Return the names of countries, seas and peoples, letterspaced."""
    drawn = [_draw_standing_text(sheet, kind, entry) for kind, entry in _read_lettering()]
    return group("layer-names", *drawn)


@lru_cache(maxsize=1)
def _read_lettering() -> list[tuple[str, dict[str, Any]]]:
    data = tomllib.loads(files(__package__).joinpath("lettering.toml").read_text("utf-8"))
    return [(kind, entry) for kind, entries in data.items() for entry in entries]


def _draw_standing_text(sheet: MapSheet, kind: str, entry: dict[str, Any]) -> str:
    x, y = sheet.at(*entry["at"])
    turn = f"rotate({entry['turn']})" if entry.get("turn") else ""
    words = entry["text"].upper() if kind != "people" else entry["text"]
    return element(
        "g",
        element(
            "text",
            text(words) if kind != "country" else small_capitals(entry["text"]),
            class_="k",
            font_size=entry.get("size", PEOPLE_SIZE),
        ),
        class_=f"{kind} rank-{entry.get('rank', 3)}",
        transform=f"translate({x},{y}){turn}",
    )


def river_names(sheet: MapSheet, lettering: Lettering) -> str:
    """Return the names of rivers in italics along their course, clear of place names."""
    rooms = lettering.rooms(1.0)
    lines = [
        (river.title, line)
        for river in sheet.map.rivers.values()
        for line in _lines(course(sheet, river), len(river.title) * RIVER_SIZE * 0.95, rooms)
    ]
    defs = [path(curve(line), id=f"n-{number}") for number, (_, line) in enumerate(lines)]
    names = [_along(title, number) for number, (title, _) in enumerate(lines)]
    return group("layer-names rivers", element("defs", *defs), *names) if names else ""


def _along(title: str, number: int) -> str:
    words = element(
        "textPath", text(title), href=f"#n-{number}", startOffset="50%", text_anchor="middle"
    )
    return element("text", words, class_="river-name")


def _lines(
    points: list[DrawingPoint], length: float, rooms: Sequence[LabelBox]
) -> Iterator[list[DrawingPoint]]:
    """Yield base lines for the name beside the river, on straight and clear stretches."""
    along = [0.0, *accumulate(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points))]
    last = -APART / 2
    for start, begun in enumerate(along):
        end = next((i for i, far in enumerate(along) if far - begun >= 1.7 * length), None)
        if end is None:
            return
        line = _beside(points[start : end + 1])
        if begun - last >= APART and _straight(line) and clear_of(rooms, line):
            last = begun
            yield line


def _beside(stretch: Sequence[DrawingPoint]) -> list[DrawingPoint]:
    """Return the stretch smoothed to five points, read from the west, and set off to its north."""
    if stretch[0][0] > stretch[-1][0]:
        stretch = stretch[::-1]
    smooth = [_mean(stretch, share / 4) for share in range(5)]
    (ax, ay), (bx, by) = smooth[0], smooth[-1]
    far = hypot(bx - ax, by - ay) or 1
    dx, dy = OFF * (by - ay) / far, -OFF * (bx - ax) / far
    return [(round(x + dx), round(y + dy)) for x, y in smooth]


def _mean(stretch: Sequence[DrawingPoint], share: float) -> DrawingPoint:
    """Return the middle of the corners near that share of the stretch."""
    index = round(share * (len(stretch) - 1))
    near = stretch[max(0, index - 1) : index + 3]
    return (round(sum(x for x, _ in near) / len(near)), round(sum(y for _, y in near) / len(near)))


def _straight(line: Sequence[DrawingPoint]) -> bool:
    distance = hypot(line[-1][0] - line[0][0], line[-1][1] - line[0][1])
    return distance >= 0.965 * sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
