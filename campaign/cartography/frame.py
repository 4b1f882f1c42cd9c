"""The paper and its edge: neat line, graduated border, meridians and parallels."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

from battles.drawing.pen import element, group, path, polyline, text
from campaign.cartography.sheet import MARGIN, Point, Sheet

BORDER = 34
"""Width of the graduated border outside the neat line."""

HALF_DEGREES = range(10 * 2, 50 * 2)


def paper(sheet: Sheet) -> str:
    """The paper itself."""
    wide, high = sheet.width + 2 * MARGIN, sheet.height + 2 * MARGIN
    return element("rect", class_="paper", x=-MARGIN, y=-MARGIN, width=wide, height=high)


def clip(sheet: Sheet) -> str:
    """What keeps the drawing within the neat line."""
    rect = element("rect", width=sheet.width, height=sheet.height)
    return element("clipPath", rect, id="c-neat")


def graticule(sheet: Sheet) -> str:
    """Meridians and parallels, one to a degree."""
    lines = [*_meridians(sheet), *_parallels(sheet)]
    return path("".join(polyline(line) for line in lines), "graticule")


def _meridians(sheet: Sheet) -> Iterator[list[Point]]:
    for lon in range(27, 42):
        yield [sheet.at(lat, lon) for lat in range(10, 25, 2)]


def _parallels(sheet: Sheet) -> Iterator[list[Point]]:
    for lat in range(10, 25):
        yield [sheet.at(lat, lon) for lon in range(27, 42)]


def frame(sheet: Sheet) -> str:
    """The border round the map with its degrees."""
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


def _bars(sheet: Sheet) -> Iterator[str]:
    """Every second half degree on each side as a dark bar within the border."""
    thick = BORDER - 18
    for y in (9 - BORDER, sheet.height + 9):
        for start, end in _alternate(_crossings_of_meridians(sheet, south=y > 0), sheet.width):
            yield f"M{start} {y}h{end - start}v{thick}h{start - end}z"
    for x in (9 - BORDER, sheet.width + 9):
        for start, end in _alternate(_crossings_of_parallels(sheet, east=x > 0), sheet.height):
            yield f"M{x} {start}v{end - start}h{thick}v{start - end}z"


def _alternate(crossings: dict[int, int], length: int) -> Iterator[tuple[int, int]]:
    """From where to where the dark bars reach, beginning with the neat line's own end."""
    marks = [0, *sorted(crossings.values()), length]
    first = min(crossings, key=lambda half: crossings[half])
    yield from list(pairwise(marks))[first % 2 :: 2]


def _crossings_of_meridians(sheet: Sheet, *, south: bool) -> dict[int, int]:
    """Where the meridians of half degrees meet the northern or southern neat line."""
    y = sheet.height if south else 0
    return _crossings(lambda half, lat: sheet.at(lat, half / 2), y, sheet.width, axis=1)


def _crossings_of_parallels(sheet: Sheet, *, east: bool) -> dict[int, int]:
    x = sheet.width if east else 0
    return _crossings(lambda half, lon: sheet.at(half / 2, lon), x, sheet.height, axis=0)


def _crossings(
    line: Callable[[int, float], Point], target: int, length: int, *, axis: int
) -> dict[int, int]:
    found = {}
    for half in HALF_DEGREES:
        at = _solve(partial(line, half), target, axis)
        along = at[1 - axis]
        if 0 < along < length and abs(at[axis] - target) < 8:
            found[half] = along
    return found


def _solve(line: Callable[[float], Point], target: int, axis: int) -> Point:
    """The point of a line whose coordinate on that axis is the target, by halving."""
    low, high = 5.0, 45.0
    rising = line(high)[axis] > line(low)[axis]
    for _ in range(30):
        middle = (low + high) / 2
        if (line(middle)[axis] < target) == rising:
            low = middle
        else:
            high = middle
    return line((low + high) / 2)


def _degrees(sheet: Sheet) -> Iterator[str]:
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
