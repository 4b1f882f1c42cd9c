"""SVG markup: compact path data, and elements."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

DrawingPoint = tuple[int, int]


def polyline(points: Sequence[DrawingPoint], *, closed: bool = False) -> str:
    """Return path data of straight lines through the points."""
    steps = [_step(a, b) for a, b in pairwise(points)]
    return f"M{_pairs(points[:1])}l{_pairs(steps)}{'z' if closed else ''}"


def strokes(lines: Iterable[tuple[DrawingPoint, DrawingPoint]]) -> str:
    """Return path data of single strokes, each from its first point to its second."""
    data, pen = [], (0, 0)
    for start, end in lines:
        data.append(f"m{_pairs([_step(pen, start)])}l{_pairs([_step(start, end)])}")
        pen = end
    return "".join(data)


def curve(points: Sequence[DrawingPoint]) -> str:
    """Return path data of a smooth line from the first point to the last.

    It runs through the middle of every segment, pulled towards the points between.
    """
    middles = [midpoint(a, b) for a, b in pairwise(points)]
    data = f"M{_pairs(points[:1])}l{_pairs([_step(points[0], middles[0])])}"
    if len(middles) > 1:
        data += _bends(points[1], middles)
    return data + f"l{_pairs([_step(middles[-1], points[-1])])}"


def loop(points: Sequence[DrawingPoint]) -> str:
    """Return path data of a smooth closed line through the middle of every segment of the ring."""
    middles = [midpoint(a, b) for a, b in pairwise([points[-1], *points, points[0]])]
    return f"M{_pairs(middles[:1])}{_bends(points[0], middles)}z"


def _bends(first: DrawingPoint, middles: Sequence[DrawingPoint]) -> str:
    """Return curves through the middles. Each control point mirrors the last, so it is left out."""
    data = f"q{_pairs([_step(middles[0], first), _step(middles[0], middles[1])])}"
    rest = [_step(a, b) for a, b in pairwise(middles[1:])]
    return data + (f"t{_pairs(rest)}" if rest else "")


def midpoint(a: DrawingPoint, b: DrawingPoint) -> DrawingPoint:
    """Return the point halfway between two points."""
    return ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2)


def _step(a: DrawingPoint, b: DrawingPoint) -> DrawingPoint:
    return (b[0] - a[0], b[1] - a[1])


def _pairs(points: Sequence[DrawingPoint]) -> str:
    numbers = " ".join(f"{x} {y}" for x, y in points)
    return numbers.replace(" -", "-")


def element(tag: str, *children: str, **attributes: str | int | None) -> str:
    """Return an element with its children, which are markup already.

    Underscores in the names of attributes become hyphens, a trailing one is dropped (`class_`); an
    attribute of None is left out.
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def path(data: str, class_: str | None = None, **attributes: str | int | None) -> str:
    """Return a path element."""
    return element("path", class_=class_, d=data, **attributes)


def group(class_: str, *children: str, **attributes: str | int | None) -> str:
    """Return a group of elements with a class."""
    return element("g", *children, class_=class_, **attributes)


def text(words: str) -> str:
    """Return text escaped for markup."""
    return escape(words, quote=False)
