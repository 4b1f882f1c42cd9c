"""Draw a month's map from GeoJSON alone: ground, rivers, railways, places and stacks.

    python -m api.client.examples.month_map http://127.0.0.1:8000 the-siege-of-khartoum map.svg

draws the current position, and with `--month 1884-06` the position at the end of that month. A
campaign that is not public needs `--username`; its map shows what that user may see.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from getpass import getpass
from math import cos, radians
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from api.client import Sirdar

Feature = Mapping[str, Any]
Position = tuple[float, float]

WIDE = 1200
"""The width of the drawing in pixels."""
GROUND = {"desert": "#efe6cf", "clear": "#e3dfb8", "cultivated": "#cfdcae", "sea": "#b9d3e2"}
LINES = {"river": ("#5b8fb0", 2.0), "track": ("#9a8f80", 0.8), "railway": ("#222222", 2.0)}
SIDES = {"egyptian": "#a3262a", "mahdist": "#23633a"}


class Paper:
    """A projection from longitude and latitude to pixels, scaled by the mean latitude."""

    def __init__(self, positions: Iterable[Position]) -> None:
        found = list(positions)
        self.west = min(x for x, _ in found)
        self.north = max(y for _, y in found)
        south, east = min(y for _, y in found), max(x for x, _ in found)
        self._shrink = cos(radians((self.north + south) / 2))
        self._scale = WIDE / ((east - self.west) * self._shrink)
        self.high = round((self.north - south) * self._scale)

    def at(self, position: Position) -> Position:
        """Return the position in pixels from the upper left corner."""
        x, y = position
        return (
            round((x - self.west) * self._shrink * self._scale, 1),
            round((self.north - y) * self._scale, 1),
        )

    def points(self, positions: Iterable[Position]) -> str:
        return " ".join(f"{x},{y}" for x, y in map(self.at, positions))


def draw(base: Feature, month: Feature) -> str:
    """Return the SVG of a month's features over those of the map."""
    ground, standing = base["features"], month["features"]
    paper = Paper(position for one in _of(ground, "hex") for position in _ring(one))
    title = escape(f"{month['campaign']}, {month['month_name']}")
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="serif"',
        f'viewBox="0 0 {WIDE} {paper.high}" role="img"><title>{title}</title>',
        *_areas(paper, ground),
        *_lines(paper, [*ground, *standing]),
        *_places(paper, ground),
        *_stacks(paper, standing),
        f'<text x="20" y="40" font-size="28">{title}</text></svg>',
    ]
    return "\n".join(parts) + "\n"


def _of(features: Iterable[Feature], kind: str) -> Iterator[Feature]:
    return (one for one in features if one["properties"]["kind"] == kind)


def _ring(feature: Feature) -> list[Position]:
    """Return the outer edge of a polygon."""
    ring: list[Position] = feature["geometry"]["coordinates"][0]
    return ring


def _areas(paper: Paper, features: Iterable[Feature]) -> Iterator[str]:
    for one in _of(features, "hex"):
        colour = GROUND.get(one["properties"]["ground"], GROUND["desert"])
        points = paper.points(_ring(one))
        yield f'<polygon points="{points}" fill="{colour}" stroke="#d8cdb0" stroke-width=".4"/>'


def _lines(paper: Paper, features: Iterable[Feature]) -> Iterator[str]:
    for one in features:
        colour, wide = LINES.get(one["properties"]["kind"], ("", 0))
        for line in _strings(one) if colour else ():
            drawn = f'fill="none" stroke="{colour}" stroke-width="{wide}"'
            yield f'<polyline points="{paper.points(line)}" {drawn}/>'


def _strings(feature: Feature) -> list[list[Position]]:
    """Return the lines of a LineString or MultiLineString."""
    shape, found = feature["geometry"]["type"], feature["geometry"]["coordinates"]
    return [found] if shape == "LineString" else list(found)


def _places(paper: Paper, features: Iterable[Feature]) -> Iterator[str]:
    for one in _of(features, "place"):
        x, y = paper.at(one["geometry"]["coordinates"])
        name = escape(one["properties"]["name"])
        yield f'<circle cx="{x}" cy="{y}" r="2"/>'
        yield f'<text x="{x + 4}" y="{y}" font-size="9">{name}</text>'


def _stacks(paper: Paper, features: Iterable[Feature]) -> Iterator[str]:
    """Yield a counter for every stack with its strength; a hollow one for a sighting."""
    for one in features:
        told = one["properties"]
        if told["kind"] not in ("stack", "sighting"):
            continue
        x, y = paper.at(one["geometry"]["coordinates"])
        colour = SIDES[told["side"]]
        fill = colour if told["kind"] == "stack" else "none"
        box = f'x="{x - 7}" y="{y - 6}" width="14" height="12" rx="2"'
        yield f"<g><title>{escape(told['words'])}</title>"
        yield f'<rect {box} fill="{fill}" stroke={quoteattr(colour)}/>'
        number = told.get("strength", "?")
        ink = "#ffffff" if told["kind"] == "stack" else colour
        yield f'<text x="{x}" y="{y + 3.5}" font-size="9" fill="{ink}" text-anchor="middle">'
        yield f"{number}</text></g>"


def main(arguments: list[str] | None = None) -> int:
    """Draw as the command line says."""
    parser = argparse.ArgumentParser(description="Draw a campaign's map from its GeoJSON.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("campaign", help="the slug of the campaign")
    parser.add_argument("file", type=Path, help="where to write the SVG")
    parser.add_argument("--month", default="", help="such as 1884-06, or set-up")
    parser.add_argument("--username", default="")
    given = parser.parse_args(arguments)
    with _server(given.server, given.username) as sirdar:
        month = sirdar.campaign(given.campaign).geojson(given.month)
        drawn = draw(sirdar.map_geojson(), month)
    given.file.write_text(drawn, encoding="utf-8")
    return 0


def _server(address: str, username: str) -> Sirdar:
    if not username:
        return Sirdar(address)
    password = os.environ.get("SIRDAR_PASSWORD") or getpass("Password: ")
    return Sirdar.logged_in(address, username, password, scopes=["read"])


if __name__ == "__main__":
    sys.exit(main())
