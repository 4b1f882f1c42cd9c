"""The battlefield: a table of a given size, its terrain, and lines of sight across it.

Terrain is a list of areas and lines. Each book decides what a hill or a wall does: it calls these
functions with the kinds of terrain that it means.
"""

import threading
from collections.abc import Iterator
from enum import IntEnum, StrEnum
from math import hypot
from typing import Annotated

import msgspec
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from battles.core.decoding import rest_name
from battles.tabletop.geometry import (
    COSINES,
    MEASURE,
    SINES,
    TOUCH,
    Box,
    Corner,
    SightBar,
    Stand,
    Stands,
    TablePoint,
    ahead,
    box_of,
    cache_by_thread,
    corners,
    hull,
    passes,
    radius,
    rectangles,
    until_edge,
)


class TableTerrain(StrEnum):
    """A kind of terrain; the kinds from WALL on are lines, those before it areas."""

    HILL = "hill"
    MOUNTAIN = "mountain"
    ROCKS = "rocks"
    WOOD = "wood"
    SCRUB = "scrub"
    GRASS = "tall grass"
    CROPS = "crops"
    MARSH = "marsh"
    BUILDINGS = "buildings"
    FORT = "fort"
    RIVER = "river"
    SEA = "sea"
    WALL = "wall"
    FENCE = "fence"
    ZARIBA = "zariba"
    TRENCH = "trench"
    STREAM = "stream"
    KHOR = "khor"
    FORD = "ford"
    ROAD = "road"
    RAIL = "rail"


AREAS = frozenset(list(TableTerrain)[: list(TableTerrain).index(TableTerrain.WALL)])
LINES = frozenset(TableTerrain) - AREAS
WATER = frozenset({TableTerrain.RIVER, TableTerrain.SEA})
Kinds = frozenset[TableTerrain]


class Lying(IntEnum):
    """The share of a unit that lies in an area."""

    NONE = 0
    PARTLY = 1
    WHOLLY = 2


class TerrainFeature(msgspec.Struct, frozen=True, cache_hash=True, array_like=True):
    """A piece of terrain: the corners of an area, or the points of a line."""

    kind: TableTerrain
    points: Annotated[tuple[TablePoint, ...], rest_name("corners")]
    name: str = ""


class OpenField(
    msgspec.Struct,
    frozen=True,
    cache_hash=True,
    dict=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A table, `width` (west to east) by `height` (north to south), in hundredths.

    `measure` is the book's, "inch" or "cm". `downstream` is the bearing of running water.
    """

    width: int
    height: int
    measure: str
    features: tuple[TerrainFeature, ...] = ()
    downstream: int = 0

    @property
    def _geometry(self) -> "FieldGeometry":
        """Return the geometry of the features that belongs to this thread.

        Threads may share a field, as that of a layout that is cached.
        """
        thread = threading.get_ident()
        known: tuple[int, FieldGeometry] | None = self.__dict__.get("geometry")
        if known is None or known[0] != thread:
            known = self.__dict__["geometry"] = thread, _geometry_of(self.features)
        return known[1]

    @property
    def shapes(self) -> "FeatureShapes":
        """Return each feature with its geometry, prepared for queries."""
        return self._geometry.shapes

    def holds(self, point: TablePoint) -> bool:
        """Return whether the point is on the table."""
        return 0 <= point.x <= self.width and 0 <= point.y <= self.height

    def ground(self, kinds: Kinds) -> BaseGeometry:
        """Return the union of all areas of these kinds, cached by kinds."""
        return self._geometry.ground(kinds)

    def boxes(self, kinds: Kinds) -> tuple[Box, ...]:
        """Return the bounding boxes of all features of these kinds, areas and lines."""
        return self._geometry.boxes(kinds)

    def screens(self, kinds: Kinds) -> "Screens":
        """Return kind, geometry and bounding box of every feature of these kinds."""
        return self._geometry.screens(kinds)

    def lines(self, kinds: Kinds) -> "FeatureShapes":
        """Return the lines of these kinds, each with its geometry."""
        line_kinds = kinds & LINES
        return tuple(line for line in self.shapes if line[0].kind in line_kinds)


FeatureShapes = tuple[tuple[TerrainFeature, BaseGeometry], ...]
Screens = tuple[tuple[TableTerrain, BaseGeometry, Box], ...]


class FieldGeometry:
    """The shapes of a field's features, their unions and their boxes."""

    def __init__(self, features: tuple[TerrainFeature, ...]) -> None:
        self.shapes: FeatureShapes = tuple((feature, _shape(feature)) for feature in features)
        self._grounds: dict[Kinds, BaseGeometry] = {}
        self._boxes: dict[Kinds, tuple[Box, ...]] = {}
        self._screens: dict[Kinds, Screens] = {}

    def ground(self, kinds: Kinds) -> BaseGeometry:
        """Return the union of all areas of these kinds, prepared for queries."""
        union = self._grounds.get(kinds)
        if union is None:
            areas = [shape for feature, shape in self.shapes if feature.kind in kinds & AREAS]
            union = self._grounds[kinds] = shapely.union_all(areas)
            shapely.prepare(union)
        return union

    def boxes(self, kinds: Kinds) -> tuple[Box, ...]:
        """Return the bounding boxes of all features of these kinds, areas and lines."""
        result = self._boxes.get(kinds)
        if result is None:
            these = [box_of(feature.points) for feature, _ in self.shapes if feature.kind in kinds]
            result = self._boxes[kinds] = tuple(these)
        return result

    def screens(self, kinds: Kinds) -> Screens:
        """Return kind, geometry and bounding box of every feature of these kinds."""
        result = self._screens.get(kinds)
        if result is None:
            result = self._screens[kinds] = tuple(
                (feature.kind, shape, box_of(feature.points))
                for feature, shape in self.shapes
                if feature.kind in kinds
            )
        return result


# A stored state is decoded for every answer, and its field with it, while the ground is the same.
_geometry_of = cache_by_thread(16)(FieldGeometry)


def _shape(feature: TerrainFeature) -> BaseGeometry:
    if feature.kind in AREAS:
        shape = shapely.make_valid(shapely.Polygon(feature.points))
    else:
        shape = shapely.LineString(feature.points)
    shapely.prepare(shape)
    return shape


def terrain_at(field: OpenField, point: Corner) -> Kinds:
    """Return the kinds of the areas at a point; none in the open."""
    position = shapely.points(*point)
    return frozenset(
        feature.kind
        for feature, shape in field.shapes
        if feature.kind in AREAS and shape.intersects(position)
    )


def lies_in(field: OpenField, stands: Stands, kinds: Kinds) -> Lying:
    """Return whether none, a part or all of the stands lies in areas of these kinds."""
    ground = field.ground(kinds)
    if ground.is_empty or not stands:
        return Lying.NONE
    x, y, far = hull(stands)
    if not passes(field.boxes(kinds), (x - far, y - far), (x + far, y + far)):
        return Lying.NONE
    within = shapely.intersects(ground, rectangles(stands))
    if not within.any():
        return Lying.NONE
    return Lying.WHOLLY if shapely.covers(ground, rectangles(stands)).all() else Lying.PARTLY


def rough(field: OpenField, start: Corner, end: Corner, kinds: Kinds) -> int:
    """Return the hundredths of a straight path that lie in areas of these kinds."""
    ground = field.ground(kinds)
    if ground.is_empty or not passes(field.boxes(kinds), start, end):
        return 0
    way = shapely.LineString((start, end))
    return round(shapely.intersection(ground, way).length) if ground.intersects(way) else 0


def lines_crossed(
    field: OpenField, start: Corner, end: Corner, kinds: Kinds
) -> tuple[TerrainFeature, ...]:
    """Return the lines of these kinds that a straight path crosses, nearest to its start first."""
    if not passes(field.boxes(kinds), start, end):
        return ()
    way = shapely.LineString((start, end))
    met = [line for line in field.lines(kinds) if line[1].intersects(way)]
    if len(met) > 1:
        begin = shapely.points(*start)
        met.sort(key=lambda line: shapely.intersection(line[1], way).distance(begin))
    return tuple(feature for feature, _ in met)


def behind(field: OpenField, start: Corner, end: Corner, kinds: Kinds, *, within: int) -> bool:
    """Return whether the path crosses a line of these kinds at most `within` from its end."""
    if not passes(field.boxes(kinds), start, end):
        return False
    lines = field.lines(kinds)
    way = shapely.LineString((start, end))
    finish = shapely.points(*end)
    return any(
        shape.intersects(way) and shapely.intersection(shape, way).distance(finish) <= within
        for _, shape in lines
    )


def on_table(field: OpenField, stands: Stands) -> bool:
    """Return whether every stand is entirely on the table."""
    if stands:
        x, y, far = hull(stands)
        if far <= x <= field.width - far and far <= y <= field.height - far:
            return True
    return all(
        -TOUCH <= x <= field.width + TOUCH and -TOUCH <= y <= field.height + TOUCH
        for stand in stands
        for x, y in corners(stand)
    )


def length_to_edge(field: OpenField, point: Corner, bearing: int) -> int:
    """Return the hundredths to the edge along a bearing; 0 from off the table."""
    east, south = SINES[bearing % 360], -COSINES[bearing % 360]
    ways = [*until_edge(point[0], east, field.width), *until_edge(point[1], south, field.height)]
    return max(0, round(min(ways)))


def edge_ahead(field: OpenField, point: Corner, bearing: int) -> TablePoint:
    """Return the point where a straight path along the bearing leaves the table."""
    return ahead(point, bearing, length_to_edge(field, point, bearing))


def bounds(stands: Stands) -> tuple[TablePoint, TablePoint]:
    """Return the north-western and south-eastern corners of the box around the stands."""
    ring = np.array([corner for stand in stands for corner in corners(stand)])
    low, high = ring.min(axis=0), ring.max(axis=0)
    return TablePoint(round(low[0]), round(low[1])), TablePoint(round(high[0]), round(high[1]))


HEIGHTS = frozenset({TableTerrain.HILL, TableTerrain.MOUNTAIN})
"""Terrain that hides units behind it, not units on it."""

_NO_KINDS: Kinds = frozenset()


def sees(
    field: OpenField, stand: Stand, target: Stand, screen: Stands = (), hiding: Kinds = _NO_KINDS
) -> bool:
    """Return whether any part of the target is visible from the middle of the stand's front."""
    return Lookout(field, stand, screen, hiding).sees(target)


class Lookout:
    """The view from the middle of a stand's front.

    The other stands of `screen` and terrain of the `hiding` kinds block it. Terrain within one
    measure of either end of a line does not, so a unit at its rim sees and is seen.
    """

    def __init__(
        self, field: OpenField, stand: Stand, screen: Stands = (), hiding: Kinds = _NO_KINDS
    ) -> None:
        self.field, self.hiding, self.eye = field, hiding, eye_of(stand)
        x, y = self.eye
        # How far each stand of the screen is, and its radius: they do not depend on the target.
        self._screen = [
            (other[0] - x, other[1] - y, radius(other), other) for other in screen if other != stand
        ]
        self._bars: dict[Stand, SightBar] = {}

    def sees(self, target: Stand) -> bool:
        """Return whether any part of the target is visible."""
        near = self._before(target)
        walls = tuple(_walls(self.field, self.eye, target, self.hiding))
        if not near and not walls:
            return True
        clear = []
        for point in _points(target):
            east, south = point[0] - self.eye[0], point[1] - self.eye[1]
            for bar in near:
                if bar.bars(east, south):
                    break
            else:
                if not walls:
                    return True
                clear.append(point)
        return bool(clear) and not _all_hidden(self.eye, clear, walls)

    def _before(self, target: Stand) -> list[SightBar]:
        """Return the stands of the screen that may block the line."""
        ex, ey = target[0] - self.eye[0], target[1] - self.eye[1]
        far = hypot(ex, ey) or 1.0
        ex, ey = ex / far, ey / far
        own, near = radius(target), []
        for dx, dy, around, other in self._screen:
            room, aside = own + around, dx * ey - dy * ex
            if -room < aside < room and -room < dx * ex + dy * ey < far + room and other != target:
                if other not in self._bars:
                    self._bars[other] = SightBar.of(other, self.eye)
                near.append(self._bars[other])
        return near


def eye_of(stand: Stand) -> Corner:
    """Return the middle of the stand's front, moved out so that neighbours do not block it."""
    half = stand.depth / 2 + TOUCH
    return stand.x + SINES[stand.facing] * half, stand.y - COSINES[stand.facing] * half


def _points(target: Stand) -> Iterator[Corner]:
    """Yield the target's centre, corners and midpoints of its sides, drawn in from neighbours."""
    yield float(target.x), float(target.y)
    yield from (ring := corners(target, inwards=TOUCH))
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        yield (ax + bx) / 2, (ay + by) / 2


def _walls(field: OpenField, eye: Corner, target: Stand, hiding: Kinds) -> Iterator[BaseGeometry]:
    """Yield the shapes of the hiding kinds near the line, but no heights that either end is on."""
    if not hiding:
        return
    x, y, around = target.x, target.y, radius(target)
    west, east = min(eye[0], x - around), max(eye[0], x + around)
    north, south = min(eye[1], y - around), max(eye[1], y + around)
    for kind, shape, (left, top, right, bottom) in field.screens(hiding):
        if left > east or right < west or top > south or bottom < north:
            continue
        if kind in HEIGHTS and shapely.intersects_xy(shape, (eye[0], x), (eye[1], y)).any():
            continue
        yield shape


def _all_hidden(eye: Corner, points: list[Corner], walls: tuple[BaseGeometry, ...]) -> bool:
    """Return whether terrain hides every point, leaving out one measure at each end of a line."""
    ways = []
    for x, y in points:
        east, south = x - eye[0], y - eye[1]
        far = hypot(east, south)
        if far <= 2 * MEASURE:
            return False
        east, south = MEASURE * east / far, MEASURE * south / far
        ways.append(((eye[0] + east, eye[1] + south), (x - east, y - south)))
    lines = shapely.linestrings(ways)
    return bool(np.any([shapely.intersects(wall, lines) for wall in walls], axis=0).all())
