"""Draw a month's map as SVG from its GeoJSON: ground, rivers, railways, places and stacks.

::

    python examples/month_map.py http://127.0.0.1:8000 the-siege-of-khartoum map.svg

draws the current position, and with `--month 1884-06` the position at the end of that month. A
campaign that is not public needs `--username`; its map shows what that user may see.
"""

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from getpass import getpass
from math import cos, radians
from pathlib import Path
from xml.sax.saxutils import escape

from sirdar_client import AuthenticatedClient, Client, anonymous, body, logged_in
from sirdar_client.api.map_and_state import get_month_map
from sirdar_client.api.rules_and_maps import get_map_geojson
from sirdar_client.models import (
    HexProperties,
    LineString,
    MapFeature,
    MapFeatures,
    PlaceProperties,
    Point,
    Polygon,
    SightingProperties,
    StackProperties,
    StateFeature,
    StateFeatures,
)

Position = Sequence[float]

WIDTH = 1200
"""The width of the drawing in pixels."""
GROUND = {"desert": "#efe6cf", "clear": "#e3dfb8", "cultivated": "#cfdcae", "sea": "#b9d3e2"}
LINES = {"river": ("#5b8fb0", 2.0), "road": ("#9a8f80", 0.8), "railway": ("#222222", 2.0)}
SIDES = {"egyptian": "#a3262a", "mahdist": "#23633a"}


class Projection:
    """A projection from longitude and latitude to pixels, scaled by the mean latitude."""

    def __init__(self, positions: Iterable[Position]) -> None:
        found = list(positions)
        self._west = min(x for x, _ in found)
        self._north = max(y for _, y in found)
        south, east = min(y for _, y in found), max(x for x, _ in found)
        self._shrink = cos(radians((self._north + south) / 2))
        self._scale = WIDTH / ((east - self._west) * self._shrink)
        self.height = round((self._north - south) * self._scale)

    def pixels(self, position: Position) -> tuple[float, float]:
        """Return the position in pixels from the upper left corner."""
        x, y = position
        return (
            round((x - self._west) * self._shrink * self._scale, 1),
            round((self._north - y) * self._scale, 1),
        )

    def points(self, positions: Iterable[Position]) -> str:
        return " ".join(f"{x},{y}" for x, y in map(self.pixels, positions))


def draw(base: MapFeatures, month: StateFeatures) -> str:
    """Return the SVG of a month's features over those of the map."""
    ground = [each.geometry for each in base.features if isinstance(each.geometry, Polygon)]
    projection = Projection(position for each in ground for position in each.coordinates[0])
    title = escape(f"{month.campaign}, {month.month_name}")
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="serif"',
        f'viewBox="0 0 {WIDTH} {projection.height}" role="img"><title>{title}</title>',
        *_hexes(projection, base.features),
        *_lines(projection, [*base.features, *month.features]),
        *_places(projection, base.features),
        *_stacks(projection, month.features),
        f'<text x="20" y="40" font-size="28">{title}</text></svg>',
    ]
    return "\n".join(parts) + "\n"


def _hexes(projection: Projection, features: Iterable[MapFeature]) -> Iterator[str]:
    for each in features:
        if isinstance(each.geometry, Polygon) and isinstance(each.properties, HexProperties):
            points = projection.points(each.geometry.coordinates[0])
            colour = GROUND[each.properties.ground_class]
            yield f'<polygon points="{points}" fill="{colour}" stroke="#d8cdb0" stroke-width=".4"/>'


def _lines(projection: Projection, features: Iterable[MapFeature | StateFeature]) -> Iterator[str]:
    for each in features:
        line = LINES.get(each.properties.type_)
        if line and isinstance(each.geometry, LineString):
            colour, width = line
            points = projection.points(each.geometry.coordinates)
            yield (
                f'<polyline points="{points}" fill="none" stroke="{colour}"'
                f' stroke-width="{width}"/>'
            )


def _places(projection: Projection, features: Iterable[MapFeature]) -> Iterator[str]:
    for each in features:
        if isinstance(each.geometry, Point) and isinstance(each.properties, PlaceProperties):
            x, y = projection.pixels(each.geometry.coordinates)
            yield f'<circle cx="{x}" cy="{y}" r="2"/>'
            yield f'<text x="{x + 4}" y="{y}" font-size="9">{escape(each.properties.name)}</text>'


def _stacks(projection: Projection, features: Iterable[StateFeature]) -> Iterator[str]:
    """Yield a counter for every stack with its strength; a hollow one for a sighting."""
    for each in features:
        about = each.properties
        if not isinstance(each.geometry, Point):
            continue
        if isinstance(about, StackProperties):
            words, number = about.label, str(about.strength_points)
            fill, ink = SIDES[about.side], "#ffffff"
        elif isinstance(about, SightingProperties):
            words, number = about.text, "?"
            fill, ink = "none", SIDES[about.side]
        else:
            continue
        x, y = projection.pixels(each.geometry.coordinates)
        yield f"<g><title>{escape(words)}</title>"
        yield f'<rect x="{x - 7}" y="{y - 6}" width="14" height="12" rx="2" fill="{fill}"'
        yield f' stroke="{SIDES[about.side]}"/>'
        yield f'<text x="{x}" y="{y + 3.5}" font-size="9" fill="{ink}" text-anchor="middle">'
        yield f"{number}</text></g>"


def client_for(
    server: str, username: str | None
) -> AbstractContextManager[AuthenticatedClient | Client]:
    """Return a client of the user, whose token may only read; or of nobody."""
    if username is None:
        return anonymous(server)
    password = os.environ.get("SIRDAR_PASSWORD") or getpass("Password: ")
    return logged_in(server, username, password, scopes=["read"])


def main() -> None:
    """Draw as the command line says."""
    parser = argparse.ArgumentParser(description="Draw a campaign's map from its GeoJSON.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("campaign", help="the slug of the campaign")
    parser.add_argument("file", type=Path, help="where to write the SVG")
    parser.add_argument("--month", default="current", help="such as 1884-06, or set-up")
    parser.add_argument("--username")
    given = parser.parse_args()
    with client_for(given.server, given.username) as client:
        month = body(get_month_map.sync(given.campaign, given.month, client=client))
        base = body(get_map_geojson.sync("sudan", client=client))
    given.file.write_text(draw(base, month), encoding="utf-8")


if __name__ == "__main__":
    main()
