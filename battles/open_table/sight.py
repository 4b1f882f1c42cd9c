"""Lines of sight: a target is hidden only when nothing of it can be seen."""

from collections.abc import Iterator
from math import hypot

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from battles.open_table.field import Field, Kinds, Terrain
from battles.open_table.points import COSINES, MEASURE, SINES
from battles.open_table.stands import TOUCH, Corner, Stand, Stands, corners, outline, radius

HEIGHTS = frozenset({Terrain.HILL, Terrain.MOUNTAIN})
"""They hide what is behind them, not who stands on them."""

_NO_KINDS: Kinds = frozenset()


def sees(
    field: Field, stand: Stand, target: Stand, screen: Stands = (), hiding: Kinds = _NO_KINDS
) -> bool:
    """Whether anything of the target can be seen from the middle of the stand's front.

    In the way may be the stands of the `screen`, and ground and lines of the `hiding` kinds: these
    hide from one measure beyond either end of the line, so not who stands at their rim.
    """
    eye = eye_of(stand)
    near = tuple(_between(eye, target, screen))
    walls = tuple(_walls(field, eye, target, hiding))
    if not near and not walls:
        return True
    points = _points(target)
    clear = np.ones(len(points), dtype=bool)
    if near:
        lines = shapely.linestrings([(eye, point) for point in points])
        clear &= ~shapely.intersects(outline(near), lines)
    if walls and clear.any():
        clear &= ~_hidden(eye, points, walls)
    return bool(clear.any())


def sees_unit(
    field: Field, stands: Stands, targets: Stands, screen: Stands = (), hiding: Kinds = _NO_KINDS
) -> bool:
    """Whether any of the stands sees anything of any of the targets."""
    return any(sees(field, stand, target, screen, hiding) for stand in stands for target in targets)


def eye_of(stand: Stand) -> Corner:
    """The middle of its front, clear of those who stand beside it."""
    half = stand.depth / 2 + TOUCH
    return stand.x + SINES[stand.facing] * half, stand.y - COSINES[stand.facing] * half


def _points(target: Stand) -> list[Corner]:
    """The centre of the target, its corners and the middles of its sides, clear of others."""
    ring = corners(target, inwards=TOUCH)
    sides = zip(ring, ring[1:] + ring[:1], strict=True)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in sides]
    return [(float(target.x), float(target.y)), *ring, *middles]


def _between(eye: Corner, target: Stand, screen: Stands) -> Iterator[Stand]:
    """Those of the screen that may be in the way."""
    ex, ey = target.x - eye[0], target.y - eye[1]
    far = hypot(ex, ey) or 1.0
    ex, ey = ex / far, ey / far
    own = radius(target)
    for stand in screen:
        dx, dy = stand.x - eye[0], stand.y - eye[1]
        room = own + radius(stand)
        if -room < dx * ex + dy * ey < far + room and abs(dx * ey - dy * ex) < room:
            yield stand


def _walls(field: Field, eye: Corner, target: Stand, hiding: Kinds) -> Iterator[BaseGeometry]:
    """The shapes of the hiding kinds; no height on which either end stands."""
    if not hiding:
        return
    ends = shapely.points([eye, (target.x, target.y)])
    for feature, shape in field.shapes:
        if feature.kind not in hiding:
            continue
        stands_on = feature.kind in HEIGHTS and shapely.intersects(shape, ends).any()
        if not stands_on:
            yield shape


def _hidden(
    eye: Corner, points: list[Corner], walls: tuple[BaseGeometry, ...]
) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which of the points cannot be seen for what lies between, but for a measure at each end."""
    hidden = np.zeros(len(points), dtype=bool)
    ends = np.asarray(points)
    ways = ends - eye
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    far = lengths > 2 * MEASURE
    if not far.any():
        return hidden
    step = MEASURE * ways[far] / lengths[far, None]
    lines = shapely.linestrings(np.stack((eye + step, ends[far] - step), axis=1))
    for wall in walls:
        hidden[far] |= shapely.intersects(wall, lines)
    return hidden
