"""Line charts of figures by month; lines differ by dashes and marks as well as by colour."""

from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from battles.drawing.svg import element, group
from campaign.cartography.counters import short_month
from campaign.rules.core.pieces import Month

WIDE, HIGH = 640, 280
LEFT, RIGHT, TOP, FOOT = 44, 130, 18, 34
APART = 20
_STEPS = (1, 2, 5)


class Curve(NamedTuple):
    """A line: its name, its side, its value for each month (None: not known)."""

    name: str
    whose: str
    values: tuple[int | None, ...]


def curves(title: str, months: Sequence[Month], lines: Sequence[Curve]) -> str:
    """Return the lines as an SVG element; its title describes it for screen readers."""
    highest = max((value for line in lines for value in line.values if value), default=1)
    top = _round_up(highest)
    return element(
        "svg",
        element("title", title),
        *_scale(top),
        *_months(months),
        *_lines(lines, len(months), top),
        class_="curves",
        viewBox=f"0 0 {WIDE} {HIGH}",
        role="img",
        aria_label=title,
    )


def _round_up(least: int) -> int:
    """Return the least round number that is not less: 1, 2 or 5 times a power of ten."""
    unit = 1
    while True:
        for step in _STEPS:
            if step * unit >= least:
                return step * unit
        unit *= 10


def _scale(top: int) -> Iterator[str]:
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        yield element(
            "line", class_="rule" if part else "axis", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y
        )
        if value == int(value):
            words = f"{int(value)}"
            yield element("text", words, x=LEFT - 8, y=y + 4, text_anchor="end")


def _months(months: Sequence[Month]) -> Iterator[str]:
    every = ceil(len(months) / 6) or 1
    for place in range(0, len(months), every):
        x = _x(place, len(months))
        yield element("text", short_month(months[place]), x=x, y=HIGH - 10, text_anchor="middle")


def _lines(lines: Sequence[Curve], many: int, top: int) -> Iterator[str]:
    """Yield the lines from the top one down, their names at least a line of text apart."""
    lowest = 0
    for line in sorted(lines, key=lambda curve: -(_last(curve) or 0)):
        label_y = max(_y(_last(line) or 0, top) + 4, lowest)
        lowest = label_y + APART
        yield _line(line, many, top, label_y)


def _last(line: Curve) -> int | None:
    """Return the last value that is known."""
    return next((value for value in reversed(line.values) if value is not None), None)


def _line(line: Curve, many: int, top: int, label_y: int) -> str:
    vertices = [
        (_x(place, many), _y(value, top))
        for place, value in enumerate(line.values)
        if value is not None
    ]
    if not vertices:
        return ""
    points = " ".join(f"{x},{y}" for x, y in vertices)
    name = element("text", line.name, x=vertices[-1][0] + 9, y=label_y)
    return group(line.whose, element("polyline", points=points), *_marks(line, vertices), name)


def _marks(line: Curve, vertices: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a disc at every value; a square for a line of the Mahdists."""
    for x, y in vertices:
        if line.whose == "mahdist":
            yield element("rect", x=x - 4, y=y - 4, width=8, height=8)
        else:
            yield element("circle", cx=x, cy=y, r=4)


def _x(place: int, many: int) -> int:
    return round(LEFT + (WIDE - LEFT - RIGHT) * place / max(1, many - 1))


def _y(value: float, top: int) -> int:
    return round(HIGH - FOOT - (HIGH - TOP - FOOT) * value / top)
