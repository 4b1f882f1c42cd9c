"""A field of squares as SVG: terrain, names, barriers and water, moves, shots and melees."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import cos, hypot, pi, sin

from battles.drawing.scene import (
    LETTERS,
    STEPS,
    Barrier,
    Cover,
    DrawnShot,
    DrawnTrack,
    Hedge,
    Square,
    SquaresGround,
)
from battles.drawing.svg import (
    DrawingPoint,
    element,
    group,
    loop,
    midpoint,
    path,
    polyline,
    strokes,
)

SIDE = 100
"""Units of the drawing in the side of a square."""

MARGIN = 46
THIRDS = 4
"""Parts into which the side of a square is cut, so that only its corners are rounded."""


def corner(square: Square) -> DrawingPoint:
    """Return the north-western corner of a square."""
    return (SIDE * square[0], SIDE * square[1])


def centre(square: Square) -> DrawingPoint:
    """Return the middle of a square."""
    return (SIDE * square[0] + SIDE // 2, SIDE * square[1] + SIDE // 2)


def side_of(square: Square, side: int) -> tuple[DrawingPoint, DrawingPoint]:
    """Return the ends, clockwise, of the side of a square towards a facing."""
    x, y = corner(square)
    ring = ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE))
    number = side // 2
    return ring[number], ring[(number + 1) % 4]


def outline(squares: Iterable[Square]) -> str:
    """Return path data of the edge round all these squares, its corners rounded."""
    return "".join(loop(_cut_ring(ring)) for ring in _rings(frozenset(squares)))


def _cut_ring(ring: list[DrawingPoint]) -> list[DrawingPoint]:
    """Return the ring with every side cut into parts."""
    cut: list[DrawingPoint] = []
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        cut += [
            (ax + (bx - ax) * part // THIRDS, ay + (by - ay) * part // THIRDS)
            for part in range(THIRDS)
        ]
    return cut


def _rings(squares: frozenset[Square]) -> list[list[DrawingPoint]]:
    """Return the closed lines round the squares, each clockwise round the squares it holds."""
    leads: dict[DrawingPoint, list[DrawingPoint]] = defaultdict(list)
    for square in sorted(squares):
        for side in (0, 2, 4, 6):
            dx, dy = STEPS[side]
            if (square[0] + dx, square[1] + dy) not in squares:
                start, end = side_of(square, side)
                leads[start].append(end)
    rings = []
    while leads:
        rings.append(_follow(leads))
    return rings


def _follow(leads: dict[DrawingPoint, list[DrawingPoint]]) -> list[DrawingPoint]:
    """Return one closed line, and remove it from the lines that are left."""
    first = next(iter(leads))
    ring, point = [first], _take(leads, first, (0, 0))
    while point != first:
        ring.append(point)
        point = _take(leads, point, ring[-2])
    return ring


def _take(
    leads: dict[DrawingPoint, list[DrawingPoint]], start: DrawingPoint, before: DrawingPoint
) -> DrawingPoint:
    """Return the next corner; where two lines cross, the one that turns right."""
    ends = leads[start]
    right = (before[1] - start[1], start[0] - before[0])
    ends.sort(key=lambda end: (end[0] - start[0]) * right[0] + (end[1] - start[1]) * right[1])
    chosen = ends.pop()
    if not ends:
        del leads[start]
    return chosen


ORDER = (Cover.HILL, Cover.CROPS, Cover.GRASS, Cover.ROCKS, Cover.SCRUB, Cover.WATER)
"""Cover from the bottom layer to the top; trees and houses are drawn above, one by one."""

ROOFS = (
    *((-28, -22, 26, 18), (6, -30, 22, 22), (-12, 6, 30, 20)),
    *((20, 12, 18, 16), (-34, 10, 14, 14)),
)
TRUNKS = ((-24, -14), (18, -22), (2, 10), (-28, 24), (28, 22))


def ground_drawn(ground: SquaresGround) -> str:
    """Return the field without units."""
    return group(
        "ground",
        element("defs", *patterns()),
        path(_sheet(ground), "paper"),
        *_covers(ground),
        _grid(ground),
        *_single(ground),
        *_goals(ground),
        *_streams(ground),
        *map(hedge_drawn, ground.hedges),
        path(_sheet(ground), "neat"),
        *_names(ground),
    )


def _sheet(ground: SquaresGround) -> str:
    return f"M0 0h{SIDE * ground.columns}v{SIDE * ground.rows}h-{SIDE * ground.columns}z"


def _covered_squares(ground: SquaresGround, cover: Cover) -> list[Square]:
    return [square for square, covers in ground.covers.items() if cover in covers]


def _covers(ground: SquaresGround) -> Iterator[str]:
    for cover in ORDER:
        squares = _covered_squares(ground, cover)
        if squares:
            edge = outline(squares)
            yield group("cover", path(edge, f"on-{cover}"), path(edge, fill=f"url(#f-{cover})"))


def cover_sample(cover: Cover) -> str:
    """Return one square of a cover; its fill is a pattern of a field on the same page."""
    if cover is Cover.HOUSES:
        return _at((0, 0), "houses", *map(roof, ROOFS))
    if cover is Cover.TREES:
        return _at((0, 0), "trees", path(strokes(_fronds()), "frond"))
    edge = outline([(0, 0)])
    return group("cover", path(edge, f"on-{cover}"), path(edge, fill=f"url(#f-{cover})"))


def _single(ground: SquaresGround) -> Iterator[str]:
    for square in _covered_squares(ground, Cover.HOUSES):
        yield _at(square, "houses", *map(roof, ROOFS))
    for square in _covered_squares(ground, Cover.TREES):
        yield _at(square, "trees", path(strokes(_fronds()), "frond"))


def _at(square: Square, class_: str, *drawn: str) -> str:
    x, y = centre(square)
    return group(class_, *drawn, transform=f"translate({x},{y})")


def roof(house: tuple[int, int, int, int]) -> str:
    """Return a flat roof with its parapet."""
    x, y, wide, high = house
    wall = element("rect", class_="roof", x=x, y=y, width=wide, height=high)
    return wall + path(f"M{x + 4} {y + high - 4}v-{high - 8}h{wide - 8}", "parapet")


def _fronds() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for x, y in TRUNKS:
        for number in range(7):
            angle = 2 * pi * number / 7
            yield (x, y), (round(x + 11 * cos(angle)), round(y + 11 * sin(angle)))


def _goals(ground: SquaresGround) -> Iterator[str]:
    for square in sorted(ground.goals):
        yield _at(square, "goal", path("M-44-30v-14h14M30-44h14v14M44 30v14h-14M-30 44h-14v-14"))


def _streams(ground: SquaresGround) -> Iterator[str]:
    """Yield an arrow in the direction of the stream, in every third square of water."""
    for square in sorted(ground.streams)[1::3]:
        x, y = centre(square)
        turned = f"translate({x},{y})rotate({45 * ground.streams[square]})"
        yield group("runs", path("M0 22v-40M-9-6l9-13 9 13"), transform=turned)


def hedge_drawn(hedge: Hedge) -> str:
    """Return a barrier along the side of a square."""
    (x, y), _ = side_of(hedge.square, hedge.side)
    turned = f"translate({x},{y})rotate({45 * hedge.side})"
    drawn = path(BARRIERS[hedge.barrier], "along") + path(TEETH.get(hedge.barrier, ""), "teeth")
    return group(f"hedge {hedge.barrier}", drawn, transform=turned)


BARRIERS = {
    Barrier.WALL: f"M0 0h{SIDE}",
    Barrier.FENCE: f"M0-3h{SIDE}M0 3h{SIDE}",
    Barrier.TRENCH: f"M0 0h{SIDE}",
    Barrier.ZARIBA: "M0 0" + "l5-6 5 12 5-6" * 6 + "h10",
    Barrier.KHOR: "M0 0q12-8 25 0t25 0 25 0 25 0",
    Barrier.STREAM: "M0 0q12-8 25 0t25 0 25 0 25 0",
}
TEETH = {
    Barrier.WALL: "M10 0v7M30 0v7M50 0v7M70 0v7M90 0v7",
    Barrier.FENCE: "M8-8v16M36-8v16M64-8v16M92-8v16",
    Barrier.TRENCH: "".join(f"M{x} 0v9" for x in range(5, SIDE, 10)),
    Barrier.ZARIBA: "M8-7l4 14M38-7l4 14M68-7l4 14M92-7l4 14",
    Barrier.KHOR: "".join(f"M{x}-8v4M{x + 6} 8v-4" for x in range(6, SIDE, 12)),
}
"""Path data along the side of a square from its left end; the square lies below."""

BOULDERS = (
    "M12 20l9-9 10 4 2 9zM58 12l7-6 9 7-4 8zM34 62l11-8 9 9-5 8z"
    "M78 70l7-7 8 6-3 8zM8 78l6-6 7 5-2 6z"
)
RIPPLES = "M8 26q8-6 16 0t16 0M52 62q8-6 16 0t16 0M14 84q8-6 16 0"


def _grid(ground: SquaresGround) -> str:
    high, wide = SIDE * ground.rows, SIDE * ground.columns
    downward = [((SIDE * n, 0), (SIDE * n, high)) for n in range(1, ground.columns)]
    across = [((0, SIDE * n), (wide, SIDE * n)) for n in range(1, ground.rows)]
    return path(strokes(downward + across), "squares")


def _names(ground: SquaresGround) -> Iterator[str]:
    """Yield the letters along the north and the numbers down the west."""
    for column in range(ground.columns):
        x, _ = centre((column, 0))
        yield element("text", LETTERS[column], class_="square-name", x=x, y=-MARGIN // 3)
    for row in range(ground.rows):
        _, y = centre((0, row))
        yield element("text", str(row + 1), class_="square-name", x=-MARGIN // 2, y=y + 9)


@lru_cache(maxsize=1)
def patterns() -> tuple[str, ...]:
    """Return the fill patterns of each kind of ground, each with an id."""
    return (
        _pattern(Cover.HILL, path(strokes(_hachures()), "hachure")),
        _pattern(Cover.SCRUB, path(strokes(_tufts()), "bush")),
        _pattern(Cover.GRASS, path(strokes(_blades()), "blade")),
        _pattern(Cover.ROCKS, path(BOULDERS, "rock")),
        _pattern(Cover.CROPS, path(strokes(_furrows()), "furrow")),
        _pattern(Cover.WATER, path(RIPPLES, "ripple")),
    )


def _pattern(cover: Cover, drawn: str) -> str:
    return element(
        "pattern", drawn, id=f"f-{cover}", width=SIDE, height=SIDE, patternUnits="userSpaceOnUse"
    )


def _hachures() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    """Yield strokes downhill round a knoll, one to a square, longer in the shade."""
    for number in range(26):
        angle = 2 * pi * number / 26
        shade = (1 - cos(angle - 0.9)) / 2
        inner, outer = 24, 30 + 16 * (1 - shade)
        x, y = 50 + inner * cos(angle), 50 + 0.8 * inner * sin(angle)
        end = (round(50 + outer * cos(angle)), round(50 + 0.8 * outer * sin(angle)))
        yield (round(x), round(y)), end


def _tufts() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for x, y in ((16, 22), (52, 14), (84, 30), (30, 52), (68, 58), (12, 82), (48, 88), (88, 84)):
        for lean in (-7, 0, 7):
            yield (x + lean // 2, y), (x + lean, y - 12 + abs(lean) // 2)


def _furrows() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for row in range(5, SIDE, 10):
        for x in range(4 + row % 20 // 2, SIDE - 8, 20):
            yield (x, row), (x + 11, row)


def _blades() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for row in range(12, SIDE, 18):
        for x in range(6 + row % 36 // 3, SIDE, 16):
            yield (x, row), (x + 3, row - 10)


SHORT = 26
"""Distance from the middle of its square at which a path or a shot ends."""


def track(drawn: DrawnTrack, number: int = 0) -> str:
    """Return the route of a piece as an arrow; `number` is its place among numbered steps."""
    return arrow([centre(square) for square in drawn.way], drawn, short=SHORT, number=number)


def arrow(points: list[DrawingPoint], drawn: DrawnTrack, *, short: int, number: int = 0) -> str:
    """Return a line with an arrowhead, `short` units before the last point; "" for one point.

    Its `data-way` has the points, by which a page moves the piece along it.
    """
    if len(points) < 2:
        return ""
    ends = [*points[:-1], _before(points[-1], points[-2], short)]
    return group(
        f"track {drawn.side}{' back' if drawn.back else ''}",
        path(polyline(ends)),
        path(_head(ends[-2], ends[-1]), "head"),
        badge(number, midpoint(ends[0], ends[1])),
        data_step=drawn.step or None,
        data_unit=drawn.unit or None,
        data_way=" ".join(f"{x},{y}" for x, y in points) if drawn.step else None,
    )


def draw_shot(shot: DrawnShot, number: int = 0) -> str:
    """Return a line of fire; a hit ends in a burst."""
    return fire(centre(shot.start), centre(shot.end), shot, short=SHORT, number=number)


def fire(
    start: DrawingPoint, end: DrawingPoint, shot: DrawnShot, *, short: int, number: int = 0
) -> str:
    """Return a dashed line that keeps `short` units from both points, with a burst for a hit."""
    start, end = _before(start, end, short), _before(end, start, short)
    x, y = end
    burst = path("M-9 0h18M0-9v18M-6-6l12 12M6-6l-12 12", "hit", transform=f"translate({x},{y})")
    return group(
        f"shot {shot.side}",
        path(polyline([start, end])),
        burst if shot.hit else "",
        badge(number, midpoint(start, end)),
        data_step=shot.step or None,
    )


def badge(number: int, at: DrawingPoint) -> str:
    """Return the number of a step in a disc; "" for 0."""
    if not number:
        return ""
    return group(
        "step-badge",
        element("circle", r=14),
        element("text", str(number), y=6),
        transform=f"translate({at[0]},{at[1]})",
    )


def blades(at: DrawingPoint) -> str:
    """Return crossed blades about a point at which both sides fight hand to hand."""
    crossed = "M-13 13L11-11l4-4M13 13L-11-11l-4-4M-15 7l8 8M15 7l-8 8"
    return group("melee", path(crossed), transform=f"translate({at[0]},{at[1]})")


def _before(end: DrawingPoint, start: DrawingPoint, short: int) -> DrawingPoint:
    """Return the point `short` units before the end, on the line from the start."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1
    share = max(0.0, 1 - short / length)
    return (round(start[0] + dx * share), round(start[1] + dy * share))


def _head(start: DrawingPoint, end: DrawingPoint) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1
    ux, uy = dx / length, dy / length
    left = (round(end[0] - 14 * ux - 8 * uy), round(end[1] - 14 * uy + 8 * ux))
    right = (round(end[0] - 14 * ux + 8 * uy), round(end[1] - 14 * uy - 8 * ux))
    return f"M{left[0]} {left[1]}L{end[0]} {end[1]}L{right[0]} {right[1]}z"
