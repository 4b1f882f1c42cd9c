"""The printed sheet: everything on the map that no campaign changes.

The paper, its border, meridians and parallels, and in the margin title, scale, north and the table
of signs.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

from battles.drawing.svg import DrawingPoint, element, group, path, polyline, text
from campaign.cartography.lettering import Lettering, country_names, river_names, signs
from campaign.cartography.sheet import MARGIN, MILE, MapSheet, small_capitals
from campaign.cartography.terrain import (
    bounds,
    definitions,
    grid,
    rivers,
    roads,
    sea,
    terrain,
    tracks,
)
from campaign.rules.map import HexId

BORDER = 34
"""Width of the graduated border outside the neat line."""

HALF_DEGREES = range(10 * 2, 50 * 2)


def paper(sheet: MapSheet) -> str:
    """Return the paper itself."""
    wide, high = sheet.width + 2 * MARGIN, sheet.height + 2 * MARGIN
    return element("rect", class_="paper", x=-MARGIN, y=-MARGIN, width=wide, height=high)


def clip(sheet: MapSheet) -> str:
    """Return the clip path that keeps the drawing within the neat line."""
    rect = element("rect", width=sheet.width, height=sheet.height)
    return element("clipPath", rect, id="c-neat")


def graticule(sheet: MapSheet) -> str:
    """Return meridians and parallels, one to a degree."""
    lines = [
        *([sheet.at(lat, lon) for lat in range(10, 25, 2)] for lon in range(27, 42)),
        *([sheet.at(lat, lon) for lon in range(27, 42)] for lat in range(10, 25)),
    ]
    return path("".join(polyline(line) for line in lines), "graticule")


def frame(sheet: MapSheet) -> str:
    """Return the border round the map with its degrees."""
    wide, high = sheet.width, sheet.height
    inner = f"M0 0h{wide}v{high}h-{wide}z"
    b = BORDER
    outer = f"M-{b}-{b}h{wide + 2 * b}v{high + 2 * b}h-{wide + 2 * b}z"
    rule = 2 * b
    edge = f"M-{rule}-{rule}h{wide + 2 * rule}v{high + 2 * rule}h-{wide + 2 * rule}z"
    return group(
        "frame",
        path("".join(_bars(sheet)), "graduation"),
        path(inner + outer, "neat"),
        path(edge, "edge"),
        *_degrees(sheet),
    )


def _bars(sheet: MapSheet) -> Iterator[str]:
    """Yield every second half degree on each side as a dark bar within the border."""
    thick = BORDER - 18
    for y in (9 - BORDER, sheet.height + 9):
        for start, end in _alternate(_crossings_of_meridians(sheet, south=y > 0), sheet.width):
            yield f"M{start} {y}h{end - start}v{thick}h{start - end}z"
    for x in (9 - BORDER, sheet.width + 9):
        for start, end in _alternate(_crossings_of_parallels(sheet, east=x > 0), sheet.height):
            yield f"M{x} {start}v{end - start}h{thick}v{start - end}z"


def _alternate(crossings: dict[int, int], length: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the dark bars, which alternate from the neat line's own end."""
    marks = [0, *sorted(crossings.values()), length]
    first = min(crossings, key=lambda half: crossings[half])
    yield from list(pairwise(marks))[first % 2 :: 2]


def _crossings_of_meridians(sheet: MapSheet, *, south: bool) -> dict[int, int]:
    """Return the points where meridians of half degrees meet the north or south neat line."""
    y = sheet.height if south else 0
    return _crossings(lambda half, lat: sheet.at(lat, half / 2), y, sheet.width, axis=1)


def _crossings_of_parallels(sheet: MapSheet, *, east: bool) -> dict[int, int]:
    x = sheet.width if east else 0
    return _crossings(lambda half, lon: sheet.at(half / 2, lon), x, sheet.height, axis=0)


def _crossings(
    line: Callable[[int, float], DrawingPoint], target: int, length: int, *, axis: int
) -> dict[int, int]:
    crossings = {}
    for half in HALF_DEGREES:
        point = _solve(partial(line, half), target, axis)
        along = point[1 - axis]
        if 0 < along < length and abs(point[axis] - target) < 8:
            crossings[half] = along
    return crossings


def _solve(line: Callable[[float], DrawingPoint], target: int, axis: int) -> DrawingPoint:
    """Return the point of a line whose coordinate on that axis is the target, by bisection."""
    low, high = 5.0, 45.0
    rising = line(high)[axis] > line(low)[axis]
    for _ in range(30):
        middle = (low + high) / 2
        if (line(middle)[axis] < target) == rising:
            low = middle
        else:
            high = middle
    return line((low + high) / 2)


def _degrees(sheet: MapSheet) -> Iterator[str]:
    off = 2 * BORDER + 22
    for half, x in _crossings_of_meridians(sheet, south=False).items():
        yield from _degree(half, x, -off)
    for half, x in _crossings_of_meridians(sheet, south=True).items():
        yield from _degree(half, x, sheet.height + off + 30)
    for half, y in _crossings_of_parallels(sheet, east=False).items():
        yield from _degree(half, -off - 30, y + 14)
    for half, y in _crossings_of_parallels(sheet, east=True).items():
        yield from _degree(half, sheet.width + off + 30, y + 14)


def _degree(half: int, x: int, y: int) -> Iterator[str]:
    if half % 2 == 0:
        yield element("text", text(f"{half // 2}°"), class_="degree", x=x, y=y)


WIDE, HIGH = 1200, 990
TITLE_AT = (21.95, 34.95)
"""Degrees of the north-west corner of the title: over hills closed to play."""

REFERENCE_WIDE, LINE = 830, 82
REFERENCE_OFF = 100
"""Distance of the table of signs from the south-east corner: over Abyssinia, closed to play."""

BARS, BAR = "M60-17l6 34M72-17l6 34", "M66-17l6 34"

MONTH_LINE = 590
"""Distance of the line for the month from the top of the title."""


def cartouche(sheet: MapSheet) -> str:
    """Return title, scale and north in their frame."""
    x, y = sheet.at(*TITLE_AT)
    return group(
        "cartouche",
        _panel(WIDE, HIGH),
        *_title(),
        _north(),
        element("g", *_scale(), transform=f"translate({WIDE // 2 - round(50 * MILE)},800)"),
        transform=f"translate({x},{y})",
    )


def month_at(sheet: MapSheet) -> DrawingPoint:
    """Return the middle of the line for the name of the month."""
    x, y = sheet.at(*TITLE_AT)
    return (x + WIDE // 2, y + MONTH_LINE)


def _panel(wide: int, high: int) -> str:
    outer = f"M0 0h{wide}v{high}h-{wide}z"
    inner = f"M16 16h{wide - 32}v{high - 32}h{32 - wide}z"
    return path(outer, "panel") + path(inner, "panel-line")


def _title() -> Iterator[str]:
    middle = WIDE // 2
    yield element("text", text("Map of the"), class_="title-small", x=middle, y=118)
    yield element("text", text("SOUDAN"), class_="title", x=middle, y=300)
    yield element(
        "text", text("with the country from Wady Halfa to El Obeid"), class_="title-line",
        x=middle, y=390,
    )  # fmt: skip
    yield element(
        "text", text("and the coast of the Red Sea about Souakim"), class_="title-line",
        x=middle, y=446,
    )  # fmt: skip
    yield path(_rule(middle, 500) + _rule(middle, MONTH_LINE + 44), "panel-line")


def _rule(middle: int, y: int) -> str:
    """Return a swelling rule: two strokes with a lozenge between."""
    return f"M{middle - 330} {y}h290l20-10 20 10-20 10-20-10M{middle + 330} {y}h-290"


def _scale() -> Iterator[str]:
    """Yield the scale of a hundred miles in tens, every second one dark."""
    ten = round(10 * MILE)
    dark = "".join(f"M{2 * n * ten} 0h{ten}v16h-{ten}z" for n in range(5))
    yield path(f"M0 0h{10 * ten}v16h-{10 * ten}z", "panel-line")
    yield path(dark, "graduation")
    for miles in (0, 20, 50, 100):
        yield element("text", text(str(miles)), class_="scale", x=miles * ten // 10, y=-18)
    words = "Scale of English miles. A hex is 10½ miles across."
    yield element("text", text(words), class_="scale-line", x=5 * ten, y=84)


def _north() -> str:
    needle = "M0-92l20 92-20-26-20 26zM0 34V-26"
    letter = element("text", text("N"), class_="scale", y=-104)
    return element("g", path(needle, "needle"), letter, transform=f"translate({WIDE - 96},176)")


def reference(sheet: MapSheet) -> str:
    """Return the table of signs."""
    rows = list(_rows())
    high = 170 + len(rows) * LINE
    x, y = sheet.width - REFERENCE_WIDE - REFERENCE_OFF, sheet.height - high - REFERENCE_OFF
    lines = [
        element(
            "g",
            sign,
            element("text", text(words), class_="reference", x=190, y=13),
            transform=f"translate(60,{180 + number * LINE})",
        )
        for number, (sign, words) in enumerate(rows)
    ]
    heading = element(
        "text", small_capitals("Reference"), class_="title-small", x=REFERENCE_WIDE // 2, y=96
    )
    return group(
        "cartouche", _panel(REFERENCE_WIDE, high), heading, *lines, transform=f"translate({x},{y})"
    )


def _rows() -> Iterator[tuple[str, str]]:
    for kind, words in (("town", "Town"), ("village", "Village"), ("oasis", "Wells, oasis")):
        yield element("use", href=f"#s-{kind}", x=70), words
    yield _line("river navigable", "stream"), "River, navigable"
    yield _line("river seasonal"), "navigable in the season"
    yield _line("river unnavigable", "rocks"), "not navigable"
    yield _line("river navigable", "stream") + path(BARS, "cataract"), "Cataract"
    yield _line("river navigable", "stream") + path(BAR, "cataract"), "Rapid"
    yield _line("rail", "rail-white"), "Railway, open"
    yield _line("track-edge", "track-bed"), "Railway, surveyed"
    yield _line("road"), "Caravan road"
    yield _line("extension"), "Souakim extension"
    yield _patch("crop"), "Cultivation"
    yield _patch("steppe"), "Steppe and scrub"
    yield _patch("hill") + _patch(fill="url(#p-hill)"), "Hills"
    yield _patch("mountain") + _patch(fill="url(#p-mountain)"), "Mountains"
    yield _patch("veil") + _patch(fill="url(#p-veil)"), "Closed to play"


def _line(*classes: str) -> str:
    return "".join(path("M0 0h140", class_) for class_ in classes)


def _patch(class_: str | None = None, fill: str | None = None) -> str:
    return element("rect", class_=class_, y=-28, width=140, height=56, fill=fill)


def draw_base_map(sheet: MapSheet, occupied_hexes: Iterable[HexId] = ()) -> str:
    """Return the printed map as one group; names in `occupied_hexes` make room for counters."""
    lettering = Lettering(sheet)
    ground = element(
        "g",
        terrain(sheet),
        sea(sheet),
        graticule(sheet),
        rivers(sheet),
        bounds(sheet),
        grid(sheet),
        roads(sheet),
        tracks(sheet),
        clip_path="url(#c-neat)",
    )
    return element(
        "g",
        element("defs", clip(sheet), definitions(), signs()),
        paper(sheet),
        ground,
        frame(sheet),
        country_names(sheet),
        river_names(sheet, lettering),
        lettering.drawn(occupied_hexes),
        cartouche(sheet),
        reference(sheet),
        id="printed",
    )
