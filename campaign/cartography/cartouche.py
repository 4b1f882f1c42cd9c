"""What the margin of a sheet tells: title, scale, north, and the signs that are used."""

from collections.abc import Iterator

from battles.drawing.pen import element, group, path, text
from campaign.cartography.sheet import MILE, Point, Sheet
from campaign.cartography.words import small_capitals

WIDE, HIGH = 1200, 990
TITLE_AT = (21.95, 34.95)
"""Degrees of the north-west corner of the title: over hills closed to play."""

REFERENCE_WIDE, LINE = 830, 82
REFERENCE_OFF = 100
"""How far the table of signs keeps from the south-east corner: over Abyssinia, closed to play."""

BARS = "M60-17l6 34M72-17l6 34"

MONTH_LINE = 590
"""How far below the top of the title its line for the month stands."""


def cartouche(sheet: Sheet) -> str:
    """Title, scale and north in their frame."""
    x, y = sheet.at(*TITLE_AT)
    return group(
        "cartouche",
        _panel(WIDE, HIGH),
        *_title(),
        _north(),
        element("g", *_scale(), transform=f"translate({WIDE // 2 - round(50 * MILE)},800)"),
        transform=f"translate({x},{y})",
    )


def month_at(sheet: Sheet) -> Point:
    """Where the name of the month is written, its middle."""
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
    """A swelling rule: two strokes with a lozenge between."""
    return f"M{middle - 330} {y}h290l20-10 20 10-20 10-20-10M{middle + 330} {y}h-290"


def _scale() -> Iterator[str]:
    """A hundred miles in tens, every second one dark."""
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


def reference(sheet: Sheet) -> str:
    """The table of signs."""
    rows = list(_rows())
    high = 170 + len(rows) * LINE
    x, y = sheet.width - REFERENCE_WIDE - REFERENCE_OFF, sheet.height - high - REFERENCE_OFF
    lines = [
        element("g", sign, _label(words), transform=f"translate(60,{180 + number * LINE})")
        for number, (sign, words) in enumerate(rows)
    ]
    heading = element(
        "text", small_capitals("Reference"), class_="title-small", x=REFERENCE_WIDE // 2, y=96
    )
    return group(
        "cartouche",
        _panel(REFERENCE_WIDE, high),
        heading,
        *lines,
        transform=f"translate({x},{y})",
    )


def _label(words: str) -> str:
    return element("text", text(words), class_="reference", x=190, y=13)


def _rows() -> Iterator[tuple[str, str]]:
    for kind, words in (("town", "Town"), ("village", "Village"), ("oasis", "Wells, oasis")):
        yield element("use", href=f"#s-{kind}", x=70), words
    yield _line("river navigable", "stream"), "River, navigable"
    yield _line("river seasonal"), "navigable in the season"
    yield _line("river unnavigable", "rocks"), "not navigable"
    yield _line("river navigable", "stream") + path(BARS, "cataract"), "Cataract"
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
