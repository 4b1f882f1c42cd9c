"""An open table as SVG: terrain, ruler, goals, moves and fire, and distances in words.

`TablePlan` scales the hundredths of a table to units of the drawing.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple

import shapely

from battles.contract.set_up import EAST, NORTH
from battles.drawing.scene import Barrier, Block, Cover, DrawnShot, DrawnTrack, OpenTable
from battles.drawing.squares import ROOFS, TRUNKS, arrow, blades, fire, patterns, roof
from battles.drawing.svg import DrawingPoint, element, group, loop, path, polyline, strokes
from battles.tabletop.field import AREAS, OpenField, TableTerrain, TerrainFeature
from battles.tabletop.geometry import TOUCH, TablePoint, gap, nearest_to

WIDE = 1500
"""Units of the drawing across a table of ordinary size or less; WIDEST across a large one."""
WIDEST = 2100

MARGIN = 46
_ORDINARY = {"inch": 4800, "cm": 12_000}
"""Hundredths across a table of ordinary size."""

TICKS = {"inch": 600, "cm": 2000}
"""Hundredths from one mark of the ruler to the next."""

NAMES = {"inch": "inches", "cm": "centimetres"}


class TablePlan:
    """A table to scale, north up; the drawing begins in its north-western corner."""

    def __init__(self, field: OpenField) -> None:
        wide = min(WIDE * field.width / _ORDINARY[field.measure], WIDEST)
        self.field = field
        self.scale = max(wide, WIDE) / field.width
        self.wide = round(field.width * self.scale)
        self.high = round(field.height * self.scale)

    def at(self, point: tuple[float, float]) -> DrawingPoint:
        """Return a point of the table on the drawing."""
        return (round(point[0] * self.scale), round(point[1] * self.scale))

    def length(self, hundredths: float) -> int:
        """Return a length on the drawing, at least 1 unit."""
        return max(1, round(hundredths * self.scale))


COVERS: dict[TableTerrain, tuple[Cover, ...]] = {
    TableTerrain.HILL: (Cover.HILL,),
    TableTerrain.MOUNTAIN: (Cover.HILL, Cover.ROCKS),
    TableTerrain.ROCKS: (Cover.ROCKS,),
    TableTerrain.WOOD: (Cover.GRASS,),
    TableTerrain.SCRUB: (Cover.SCRUB,),
    TableTerrain.GRASS: (Cover.GRASS,),
    TableTerrain.CROPS: (Cover.CROPS,),
    TableTerrain.MARSH: (Cover.GRASS, Cover.WATER),
    TableTerrain.BUILDINGS: (),
    TableTerrain.FORT: (),
    TableTerrain.RIVER: (Cover.WATER,),
    TableTerrain.SEA: (Cover.WATER,),
}
"""Fill patterns of each area; hills have hachures round the rim instead."""

LINES = {
    TableTerrain.WALL: Barrier.WALL.value,
    TableTerrain.FENCE: Barrier.FENCE.value,
    TableTerrain.ZARIBA: Barrier.ZARIBA.value,
    TableTerrain.TRENCH: Barrier.TRENCH.value,
    TableTerrain.STREAM: Barrier.STREAM.value,
    TableTerrain.KHOR: Barrier.KHOR.value,
    TableTerrain.FORD: Barrier.STREAM.value,
    TableTerrain.ROAD: "road",
    TableTerrain.RAIL: "rail",
}
"""The CSS class of each line."""

ORDER = tuple(TableTerrain)
BUILT = frozenset({TableTerrain.BUILDINGS, TableTerrain.FORT, TableTerrain.RIVER, TableTerrain.SEA})
"""Areas drawn with corners; the others get a smooth rim."""

HEIGHTS = frozenset({TableTerrain.HILL, TableTerrain.MOUNTAIN})


class Teeth(NamedTuple):
    """Short strokes across a line: the distance between them, and their ends right and left."""

    apart: int
    right: int
    left: int


TEETH = {
    TableTerrain.WALL: Teeth(20, 0, 7),
    TableTerrain.FENCE: Teeth(28, 8, 8),
    TableTerrain.TRENCH: Teeth(10, 9, 0),
    TableTerrain.ZARIBA: Teeth(14, 8, 8),
    TableTerrain.KHOR: Teeth(12, 7, 7),
    TableTerrain.RAIL: Teeth(14, 6, 6),
}
HACHURE, HACHURE_LONG = 24, 30
CELL = 100
STREET = 70
"""Units of the drawing from one clump of trees or house to the next."""


def table_drawn(ground: OpenTable, plan: TablePlan) -> str:
    """Return the table without units."""
    sheet = f"M0 0h{plan.wide}v{plan.high}h-{plan.wide}z"
    features = sorted(ground.field.features, key=lambda feature: ORDER.index(feature.kind))
    return group(
        "ground",
        element("defs", *patterns()),
        path(sheet, "paper"),
        *(_feature(feature, plan) for feature in features),
        *(path(_close_line(_points(goal, plan)), "aim") for goal in ground.goals),
        *_names(features, plan),
        path(sheet, "neat"),
        *_ruler(plan),
        _runs(ground, plan),
    )


def _points(points: Sequence[tuple[int, int]], plan: TablePlan) -> list[DrawingPoint]:
    return [plan.at(point) for point in points]


def _close_line(points: Sequence[DrawingPoint]) -> str:
    return polyline([*points, points[0]], closed=True)


def _feature(feature: TerrainFeature, plan: TablePlan) -> str:
    points = _points(feature.points, plan)
    return _area(feature.kind, points) if feature.kind in AREAS else _line(feature.kind, points)


def _area(kind: TableTerrain, points: list[DrawingPoint]) -> str:
    rim = _close_line(points) if kind in BUILT else loop(points)
    washes = [path(rim, f"on-{cover}") for cover in COVERS[kind]]
    fills = [path(rim, fill=f"url(#f-{cover})") for cover in COVERS[kind] if cover != Cover.HILL]
    return group("cover", *washes, *fills, *_upon(kind, points))


def _upon(kind: TableTerrain, points: list[DrawingPoint]) -> Iterator[str]:
    """Yield the trees or houses of an area, one by one."""
    if kind in HEIGHTS:
        yield path(strokes(_hachures(points)), "hachure")
    elif kind is TableTerrain.WOOD:
        for point in _within(points, CELL):
            yield group("trees", path(strokes(_fronds()), "frond"), transform=_to(point))
    elif kind is TableTerrain.BUILDINGS:
        yield path(_close_line(points), "yard")
        for nth, point in enumerate(_within(points, STREET)):
            yield group("houses", roof(_house(nth)), transform=_to(point))
    elif kind is TableTerrain.FORT:
        yield path(_close_line(points), "yard")
        yield path(_close_line(points), "rampart")


def _house(nth: int) -> tuple[int, int, int, int]:
    """Return a roof about the middle of its plot."""
    _, _, wide, high = ROOFS[nth % len(ROOFS)]
    return -wide // 2, -high // 2, wide, high


def _to(at: DrawingPoint) -> str:
    return f"translate({at[0]},{at[1]})"


def _within(points: list[DrawingPoint], cell: int) -> Iterator[DrawingPoint]:
    """Yield the middles of the cells that lie in an area."""
    shape = shapely.make_valid(shapely.Polygon(points))
    west, north, east, south = map(int, shape.bounds)
    for y in range(north + cell // 2, south, cell):
        for x in range(west + cell // 2, east, cell):
            if shapely.contains_xy(shape, x, y):
                yield x, y


def _fronds() -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for x, y in TRUNKS:
        for dx, dy in ((11, 0), (6, -10), (-6, -10), (-11, 0), (-6, 10), (6, 10)):
            yield (x, y), (x + dx, y + dy)


def _hachures(points: list[DrawingPoint]) -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    """Yield strokes from a little within the rim downhill to it."""
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    for x, y, _, _ in _along([*points, points[0]], HACHURE):
        dx, dy = middle_x - x, middle_y - y
        far = hypot(dx, dy) or 1
        inner = (round(x + dx / far * 12), round(y + dy / far * 12))
        end = (round(x + dx / far * (12 + HACHURE_LONG)), round(y + dy / far * (12 + HACHURE_LONG)))
        yield end, inner


def _along(
    points: Sequence[DrawingPoint], apart: int
) -> Iterator[tuple[float, float, float, float]]:
    """Yield points of a line at equal distances, each with the line's direction there."""
    left = apart / 2
    for (ax, ay), (bx, by) in pairwise(points):
        far = hypot(bx - ax, by - ay)
        while far and left <= far:
            share = left / far
            yield ax + (bx - ax) * share, ay + (by - ay) * share, (bx - ax) / far, (by - ay) / far
            left += apart
        left -= far


def _line(kind: TableTerrain, points: list[DrawingPoint]) -> str:
    drawn = path(polyline(points), "along")
    if kind in TEETH:
        drawn += path(strokes(_teeth(points, TEETH[kind])), "teeth")
    return group(f"hedge {LINES[kind]}", drawn)


def _teeth(points: list[DrawingPoint], teeth: Teeth) -> Iterator[tuple[DrawingPoint, DrawingPoint]]:
    for x, y, ex, ey in _along(points, teeth.apart):
        yield (
            (round(x - ey * teeth.right), round(y + ex * teeth.right)),
            (round(x + ey * teeth.left), round(y - ex * teeth.left)),
        )


def _names(features: Sequence[TerrainFeature], plan: TablePlan) -> Iterator[str]:
    for feature in features:
        if feature.name:
            points = _points(feature.points, plan)
            x = sum(x for x, _ in points) // len(points)
            y = min(y for _, y in points) - 10
            yield element("text", feature.name, class_="place-name", x=x, y=max(y, 24))


def _ruler(plan: TablePlan) -> Iterator[str]:
    """Yield marks and numbers along the north and the west."""
    step = TICKS[plan.field.measure]
    across = range(step, plan.field.width, step)
    down = range(step, plan.field.height, step)
    marks = [((plan.length(x), 0), (plan.length(x), -9)) for x in across]
    marks += [((0, plan.length(y)), (-9, plan.length(y))) for y in down]
    yield path(strokes(marks), "ticks")
    for x in across:
        yield _figure(x // 100, plan.length(x), -MARGIN // 3)
    for y in down:
        yield _figure(y // 100, -MARGIN // 2 - 2, plan.length(y) + 8)
    yield element("text", NAMES[plan.field.measure], class_="square-name start", x=0, y=-16)


def _figure(number: int, x: int, y: int) -> str:
    return element("text", str(number), class_="square-name", x=x, y=y)


def _runs(ground: OpenTable, plan: TablePlan) -> str:
    """Return arrows in the direction of the river."""
    field = ground.field
    turned = field.downstream
    rivers = [feature for feature in field.features if feature.kind is TableTerrain.RIVER]
    arrows = []
    for river in rivers:
        west, north, east, south = shapely.Polygon(_points(river.points, plan)).bounds
        for nth in range(1, 4):
            upright = turned % 180 == NORTH
            x = (west + east) / 2 if upright else west + (east - west) * nth / 4
            y = north + (south - north) * nth / 4 if turned % 180 != EAST else (north + south) / 2
            place = f"translate({round(x)},{round(y)})rotate({turned})"
            arrows.append(group("runs", path("M0 22v-40M-9-6l9-13 9 13"), transform=place))
    return "".join(arrows)


def way(drawn: DrawnTrack, plan: TablePlan, number: int = 0) -> str:
    """Return a line along a unit's path, with an arrowhead at its end."""
    return arrow([plan.at(point) for point in drawn.way], drawn, short=0, number=number)


def volley(shot: DrawnShot, plan: TablePlan, number: int = 0) -> str:
    """Return a line of fire; a hit ends in a burst."""
    return fire(plan.at(shot.start), plan.at(shot.end), shot, short=10, number=number)


def melee(at: TablePoint, plan: TablePlan) -> str:
    """Return crossed blades where stands are in contact."""
    return blades(plan.at(at))


def distances(blocks: Sequence[Block], measure: str) -> dict[int, str]:
    """Return each unit's distance to the nearest enemy in words, by number; none without one."""
    texts = {}
    for block in blocks:
        others = {other.number: other.stands for other in blocks if other.side is not block.side}
        nearest = nearest_to(block.stands, others)
        if nearest is not None:
            texts[block.number] = _in_words(gap(block.stands, others[nearest]), nearest, measure)
    return texts


def _in_words(apart: int, nearest: int, measure: str) -> str:
    if apart <= TOUCH:
        return f"in contact with {nearest}"
    return f"{max(1, round(apart / 100))} {NAMES[measure]} from {nearest}, the nearest enemy"
