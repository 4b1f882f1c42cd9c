"""Draw the map and the counters as SVG.

`base_map(map_)` is the printed sheet, the same for every campaign on that map: a whole document in
which everything lies in `<g id="printed">`. `base_digest(map_)` is the hash of the document; it
names its file, so a file of that name never changes.
`overlay(map_, state)` is the part that changes, one group to lie over the sheet.
`chart(map_, state, base_url)` is both in one element for a page, the sheet by its address.
`above(map_, state)` is the overlay as a document, for a page that stacks pictures.
`whole(map_, state)` is both in one document.
`with_arrows(map_, state, ways, seen)` is the whole with the ways that units went.
`likely(map_, presence, base_url)` has discs on the sheet where both sides are likely to stand.
`counter(unit)` is a single counter for lists.
`png(svg, width)` renders a document as a picture.

On a page the drawings take their inks from static/campaign/ink.css.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from battles.drawing.svg import element, group
from campaign.cartography.base_map import draw_base_map
from campaign.cartography.counters import counter
from campaign.cartography.overlay import (
    Presence,
    Way,
    arrows,
    discs,
    draw_overlay,
    occupied_hexes,
    scenario_layer,
)
from campaign.cartography.sheet import COLUMN, ROW, MapSheet
from campaign.cartography.terrain import first_railways
from campaign.rules.core.state import State
from campaign.rules.map import Map, sudan
from campaign.rules.sight import Sighting
from ops.raster import NoLettering, minify_css, raster, without_variables

__all__ = [
    "NoLettering",
    "above",
    "base_digest",
    "base_map",
    "chart",
    "counter",
    "likely",
    "overlay",
    "plain_stylesheet",
    "png",
    "stylesheet",
    "whole",
    "with_arrows",
]

SVG = "http://www.w3.org/2000/svg"
ENLARGED = 2.2
DOUBLED = 1.6
"""The scale of counters in a picture with arrows."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@lru_cache(maxsize=4)
def base_map(map_: Map) -> str:
    """Return the printed sheet as an SVG document, for light and dark colour schemes."""
    return _document(_sheet(map_), draw_base_map(_sheet(map_)))


@lru_cache(maxsize=4)
def base_digest(map_: Map) -> str:
    """Return sixteen hex digits of the hash of `base_map`."""
    return sha256(base_map(map_).encode()).hexdigest()[:16]


def overlay(map_: Map, state: State) -> str:
    """Return the overlay of the sheet as a group: month, railways, flags of places, stacks."""
    return draw_overlay(_sheet(map_), state)


def whole(map_: Map, state: State | None = None) -> str:
    """Return sheet and overlay in one SVG document, with place names clear of the counters.

    Without a state the railways are those of the printed map.
    """
    sheet = _sheet(map_)
    if state is None:
        return _document(sheet, draw_base_map(sheet), first_railways(sheet))
    printed = draw_base_map(_sheet(sudan()), occupied_hexes(state))
    return _document(sheet, printed, draw_overlay(sheet, state))


def above(map_: Map, state: State, seen: Iterable[Sighting] = ()) -> str:
    """Return the overlay as an SVG document, to be laid over the printed sheet.

    Its counters are enlarged, for a picture of the whole map.
    """
    sheet = _sheet(map_)
    larger = element("style", f".c{{transform:scale({ENLARGED})}}")
    return _document(sheet, larger, draw_overlay(sheet, state, seen=seen))


def with_arrows(map_: Map, state: State, ways: Iterable[Way], seen: Iterable[Sighting] = ()) -> str:
    """Return sheet, overlay and an arrow for each way in one document, with larger counters."""
    sheet = _sheet(map_)
    return _document(
        sheet,
        draw_base_map(sheet, occupied_hexes(state)),
        group("ways", *arrows(sheet, ways)),
        element("style", f".c{{transform:scale({DOUBLED})}}"),
        draw_overlay(sheet, state, seen=seen),
    )


def chart(
    map_: Map,
    state: State,
    base_url: str,
    hex_url: str | None = None,
    seen: Iterable[Sighting] = (),
) -> str:
    """Return the map as an element of a page, to be made interactive by map.js.

    The sheet is an image from its address until the script replaces it. `hex_url` is the address of
    a hex's page in this state, with 0000 for its number; `seen` are stacks whose size alone is
    known.
    """
    sheet = _sheet(map_)
    return element(
        "svg",
        sheet.picture(base_url),
        draw_overlay(sheet, state, hex_url, seen),
        class_="chart",
        viewBox=sheet.view_box,
        data_sheet=base_url,
        data_columns=sheet.columns,
        data_rows=sheet.rows,
        data_column=COLUMN,
        data_row=ROW,
    )


def likely(map_: Map, presence: Presence, base_url: str) -> str:
    """Return the sheet with the chances that each side stands in a hex, as an element of a page."""
    sheet = _sheet(map_)
    drawn = sheet.picture(base_url), scenario_layer(sheet), *discs(sheet, presence)
    return element("svg", *drawn, class_="chart", viewBox=sheet.view_box)


@lru_cache(maxsize=4)
def _sheet(map_: Map) -> MapSheet:
    return MapSheet(map_)


def _document(sheet: MapSheet, *drawn: str) -> str:
    return element(
        "svg",
        element("style", stylesheet()),
        *drawn,
        xmlns=SVG,
        class_="chart",
        viewBox=sheet.view_box,
    )


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return the inks of the map as minified CSS, for both colour schemes."""
    return minify_css(_source())


@lru_cache(maxsize=2)
def plain_stylesheet(*, dark: bool = False) -> str:
    """Return the style sheet for one scheme without variables, for renderers that lack them."""
    return without_variables(_source(), dark=dark)


def _source() -> str:
    sheet = files("campaign").joinpath("static/campaign/ink.css").read_text("utf-8")
    return _COMMENT.sub("", sheet)


def png(svg: str, width: int, *, dark: bool = False) -> bytes:
    """Return a PNG of a document of this package, `width` pixels wide. Raises NoLettering."""
    flat = svg.replace(stylesheet(), plain_stylesheet(dark=dark))
    return raster(flat, width)
