"""Names that follow a line or stand across a country: rivers, regions, seas, peoples."""

import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, pairwise
from math import hypot
from typing import Any

from battles.drawing.pen import curve, element, group, path, text
from campaign.cartography.places import Lettering, clear_of
from campaign.cartography.sheet import Point, Sheet
from campaign.cartography.waters import course
from campaign.cartography.words import small_capitals

RIVER_SIZE = 42
PEOPLE_SIZE = 30
OFF = 54
"""How far a river's name stands off the water."""

APART = 1500
"""Least length of river from one of its names to the next."""


def country_names(sheet: Sheet) -> str:
    """The names of countries, seas and peoples, letterspaced."""
    drawn = [_standing(sheet, kind, entry) for kind, entry in _lettering()]
    return group("layer-names", *drawn)


@lru_cache(maxsize=1)
def _lettering() -> list[tuple[str, dict[str, Any]]]:
    data = tomllib.loads(files(__package__).joinpath("lettering.toml").read_text("utf-8"))
    return [(kind, entry) for kind, entries in data.items() for entry in entries]


def _standing(sheet: Sheet, kind: str, entry: dict[str, Any]) -> str:
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


def river_names(sheet: Sheet, lettering: Lettering) -> str:
    """The names of the rivers in italics along their course, where they meet no place's name."""
    rooms = lettering.rooms(1.0)
    lines = [
        (river.title, line)
        for river in sheet.map.rivers.values()
        for line in _lines(course(sheet, river), _length(river.title), rooms)
    ]
    defs = [path(curve(line), id=f"n-{number}") for number, (_, line) in enumerate(lines)]
    names = [_along(title, number) for number, (title, _) in enumerate(lines)]
    return group("layer-names rivers", element("defs", *defs), *names) if names else ""


def _length(title: str) -> float:
    return len(title) * RIVER_SIZE * 0.95


def _along(title: str, number: int) -> str:
    words = element(
        "textPath", text(title), href=f"#n-{number}", startOffset="50%", text_anchor="middle"
    )
    return element("text", words, class_="river-name")


def _lines(points: list[Point], length: float, rooms: Sequence[Any]) -> Iterator[list[Point]]:
    """Base lines for the name beside the river, the straightest clear stretch first in each."""
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


def _beside(stretch: Sequence[Point]) -> list[Point]:
    """The stretch smoothed to five points, read from the west, and set off to its north."""
    if stretch[0][0] > stretch[-1][0]:
        stretch = stretch[::-1]
    smooth = [_mean(stretch, share / 4) for share in range(5)]
    (ax, ay), (bx, by) = smooth[0], smooth[-1]
    far = hypot(bx - ax, by - ay) or 1
    dx, dy = OFF * (by - ay) / far, -OFF * (bx - ax) / far
    return [(round(x + dx), round(y + dy)) for x, y in smooth]


def _mean(stretch: Sequence[Point], share: float) -> Point:
    """The middle of the corners near that share of the stretch."""
    at = round(share * (len(stretch) - 1))
    near = stretch[max(0, at - 1) : at + 3]
    return (
        round(sum(x for x, _ in near) / len(near)),
        round(sum(y for _, y in near) / len(near)),
    )


def _straight(line: Sequence[Point]) -> bool:
    whole = hypot(line[-1][0] - line[0][0], line[-1][1] - line[0][1])
    return whole >= 0.965 * sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))
