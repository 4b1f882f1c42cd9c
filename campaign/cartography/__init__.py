"""The map and the counters, drawn as SVG.

`base_map(map_)` is the printed sheet, the same for every campaign on that map: a whole document in
which `<g id="printed">` holds all there is. `base_digest(map_)` names it: it is the hash of the
document, so that a file of that name never changes.
`overlay(map_, state)` is what changes, one group to lie over it.
`chart(map_, state, base_url)` is the two in one element for a page, the sheet by its address.
`above(map_, state)` is the overlay as a document, for a page that lays pictures on each other.
`whole(map_, state)` is the two in one document.
`likely(map_, presence, base_url)` has discs on the sheet where both sides are likely to stand.
`counter(unit)` is a single counter for lists.
`png(svg, width)` turns a document into a picture.

On a page the drawings take their inks from static/campaign/ink.css.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256

from battles.drawing.svg import element
from campaign.cartography import rendering
from campaign.cartography.base_map import draw_base_map
from campaign.cartography.counters import counter
from campaign.cartography.overlay import Presence, discs, draw_overlay, occupied_hexes
from campaign.cartography.rendering import NoLettering, png
from campaign.cartography.rivers_and_roads import first_railways
from campaign.cartography.sheet import COLUMN, ROW, MapSheet
from campaign.rules.core.state import State
from campaign.rules.map import Map
from campaign.rules.sight import Sighting

__all__ = [
    "NoLettering",
    "above",
    "base_digest",
    "base_map",
    "chart",
    "counter",
    "likely",
    "overlay",
    "png",
    "whole",
]

SVG = "http://www.w3.org/2000/svg"
ENLARGED = 2.2


@lru_cache(maxsize=4)
def base_map(map_: Map) -> str:
    """Return the printed sheet as an SVG document of its own, for light rooms and dark ones."""
    return _document(_sheet(map_), draw_base_map(_sheet(map_)))


@lru_cache(maxsize=4)
def base_digest(map_: Map) -> str:
    """Sixteen letters that change when `base_map` does."""
    return sha256(base_map(map_).encode()).hexdigest()[:16]


def overlay(map_: Map, state: State) -> str:
    """What stands on the sheet: month, railways, flags of places, stacks; a group with id."""
    return draw_overlay(_sheet(map_), state)


def whole(map_: Map, state: State | None = None) -> str:
    """Sheet and overlay in one SVG document, names of places clear of the counters.

    Without a state the railways are those of the printed map.
    """
    sheet = _sheet(map_)
    if state is None:
        return _document(sheet, draw_base_map(sheet), first_railways(sheet))
    return _document(sheet, draw_base_map(sheet, occupied_hexes(state)), draw_overlay(sheet, state))


def above(map_: Map, state: State, seen: Iterable[Sighting] = ()) -> str:
    """What stands on the sheet as a document of its own, to be laid over the printed one.

    Its counters are enlarged, for a picture of the whole map.
    """
    sheet = _sheet(map_)
    larger = element("style", f".c{{transform:scale({ENLARGED})}}")
    return _document(sheet, larger, draw_overlay(sheet, state, seen=seen))


def chart(
    map_: Map,
    state: State,
    base_url: str,
    hex_url: str | None = None,
    seen: Iterable[Sighting] = (),
) -> str:
    """Return the map as an element of a page, to be brought to life by map.js.

    The sheet is shown as a picture from its address until the script puts it in its place.
    `hex_url` is where a hex of this state is told about, with 0000 for its number; `seen` are
    stacks of which no more than the size is known.
    """
    sheet = _sheet(map_)
    west, north, wide, high = map(int, sheet.view_box.split())
    picture = element("image", href=base_url, x=west, y=north, width=wide, height=high)
    return element(
        "svg",
        picture,
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
    """Return the chances that the sides stand in the hexes, as an element of a page over the sheet."""
    sheet = _sheet(map_)
    west, north, wide, high = map(int, sheet.view_box.split())
    picture = element("image", href=base_url, x=west, y=north, width=wide, height=high)
    return element("svg", picture, *discs(sheet, presence), class_="chart", viewBox=sheet.view_box)


@lru_cache(maxsize=4)
def _sheet(map_: Map) -> MapSheet:
    return MapSheet(map_)


def _document(sheet: MapSheet, *drawn: str) -> str:
    return element(
        "svg",
        element("style", rendering.stylesheet()),
        *drawn,
        xmlns=SVG,
        class_="chart",
        viewBox=sheet.view_box,
    )
