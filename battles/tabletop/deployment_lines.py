"""Draw up the units of a side on the table: regulars in lines or a box, the others in a mass."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import ceil, sqrt
from typing import NamedTuple

from battles.contract.brief import Side
from battles.contract.set_up import interleave
from battles.tabletop.field import WATER, OpenField, bounds, terrain_at
from battles.tabletop.formations import MovingUnit, Obstacles, TableFormation, free_place
from battles.tabletop.geometry import Stands, StandSize, TablePoint, ahead, overlap, turn_facing
from battles.tabletop.ground import TableFrame, TableScale

LINE_OF = 3
"""Battalions that still stand in line; more form a box if the enemy is stronger."""

_HERE = TablePoint(0, 0)
_LOOSELY = 1.3


class Role(StrEnum):
    """A unit's part in a line of battle."""

    FOOT = "foot"
    HORSE = "horse"
    GUN = "gun"
    TRAIN = "train"
    CRAFT = "craft"
    LEADER = "leader"


class DeploymentBand(NamedTuple):
    """A unit to be placed: its number of stands of that size, in its usual formation.

    `beset` is the formation it takes when it stands alone among stronger enemies. `steady` units
    take the front; `spears` are mixed among units that shoot.
    """

    id: int
    side: Side
    role: Role
    number: int
    size: StandSize
    formation: TableFormation
    beset: TableFormation | None = None
    regular: bool = True
    steady: bool = True
    strength: int = 0
    spears: bool = False

    @property
    def unit(self) -> MovingUnit:
        """Return the unit's stands in their usual formation."""
        return MovingUnit(self.formation, self.number, self.size)


class Placement(NamedTuple):
    """A unit's place, facing and formation."""

    at: TablePoint
    facing: int
    formation: TableFormation


class DeploymentLines:
    """Places given to units on a field; `late` are units for which there was no room."""

    def __init__(self, field: OpenField, scale: TableScale) -> None:
        self.field = field
        self.scale = scale
        self.posts: dict[int, Placement] = {}
        self.late: dict[int, Placement] = {}
        self._stands: dict[int, Stands] = {}

    def put(
        self,
        band: DeploymentBand,
        near: TablePoint,
        facing: int,
        formation: TableFormation | None = None,
    ) -> None:
        """Place a unit as near to the point as there is room; late if there is none."""
        unit = band.unit._replace(formation=formation or band.formation)
        place = free_place(unit, near, facing, Obstacles(self.field, self._taken))
        post = Placement(place or near, facing, unit.formation)
        if place is None:
            self.late[band.id] = post
            return
        self.posts[band.id] = post
        self._stands[band.id] = unit.at(place, facing)

    @property
    def _taken(self) -> Stands:
        return tuple(stand for stands in self._stands.values() for stand in stands)

    def is_free(self, stands: Stands) -> bool:
        """Return whether no other stand overlaps these."""
        return not overlap(stands, self._taken)

    def float(self, band: DeploymentBand, at: TablePoint, facing: int) -> None:
        """Place a vessel exactly there."""
        self.posts[band.id] = Placement(at, facing, band.formation)
        self._stands[band.id] = band.unit.at(at, facing)

    def stands_of(self, bands: Iterable[DeploymentBand]) -> Stands:
        """Return the stands of those of these units that have been placed."""
        return self.of(band.id for band in bands)

    def of(self, numbers: Iterable[int]) -> Stands:
        """Return the stands of those of these unit numbers that have been placed."""
        return tuple(stand for number in numbers for stand in self._stands.get(number, ()))


def draw_up_regulars(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[DeploymentBand],
    depth: int,
    *,
    beset: bool,
) -> None:
    """Place regulars about the middle, the first line at `depth`, or deeper if they need room.

    `frame` is the table from the edge behind them.
    """
    foot = _steadiest_first(bands)
    if beset and len(foot) > LINE_OF:
        _box(lines, frame, bands, depth)
    else:
        guns = _of(bands, Role.GUN)
        formed = [band.beset or band.formation if beset else band.formation for band in foot]
        _, depth = _rows(lines, frame, [*zip(foot, formed, strict=True), *_usual(guns)], depth)
    behind = frame.at(frame.wide / 2, depth)
    for band in (*_of(bands, Role.TRAIN), *_of(bands, Role.HORSE), *_of(bands, Role.LEADER)):
        if band.id not in lines.posts:
            lines.put(band, behind, frame.ahead)


def draw_up_mass(
    lines: DeploymentLines, frame: TableFrame, bands: Sequence[DeploymentBand], depth: int
) -> None:
    """Place a mass: foot from the middle outwards, horse on the wings, train and leaders behind."""
    foot = _of(bands, Role.FOOT)
    ranked = interleave(
        [band for band in foot if not band.spears], [band for band in foot if band.spears]
    )
    front, back = _rows(lines, frame, _usual(ranked), depth)
    behind = frame.at(frame.wide / 2, back)
    for nth, band in enumerate(_of(bands, Role.HORSE)):
        wing = lines.scale.stand.width * 3
        across = wing if nth % 2 == 0 else frame.wide - wing
        lines.put(band, frame.at(across, front), frame.ahead)
    for role in (Role.GUN, Role.LEADER, Role.TRAIN):
        for band in _of(bands, role):
            near = frame.at(frame.wide / 2, front) if role is Role.GUN else behind
            lines.put(band, near, frame.ahead)


def afloat(lines: DeploymentLines, bands: Iterable[DeploymentBand], frame: TableFrame) -> None:
    """Place vessels on water, as near to their own edge as possible; leave them out without it."""
    craft = _of(bands, Role.CRAFT)
    if not craft:
        return
    step = 4 * lines.scale.stand.depth
    water = [
        frame.at(across, depth)
        for depth in range(step // 2, frame.deep, step)
        for across in range(step // 2, frame.wide, step)
        if terrain_at(lines.field, frame.at(across, depth)) & WATER
    ]
    for band in craft:
        free = (point for point in water if lines.is_free(band.unit.at(point, frame.ahead)))
        place = next(free, None)
        if place is not None:
            lines.float(band, place, frame.ahead)


def _of(bands: Iterable[DeploymentBand], role: Role) -> list[DeploymentBand]:
    return [band for band in bands if band.role is role]


def _usual(bands: Iterable[DeploymentBand]) -> list[tuple[DeploymentBand, TableFormation]]:
    return [(band, band.formation) for band in bands]


def _steadiest_first(bands: Iterable[DeploymentBand]) -> list[DeploymentBand]:
    """Return the foot, regulars in good order first."""
    return sorted(
        _of(bands, Role.FOOT), key=lambda band: (not band.regular, not band.steady, band.id)
    )


def extent(unit: MovingUnit) -> StandSize:
    """Return the width and depth of a unit."""
    low, high = bounds(unit.at(_HERE, 0))
    return StandSize(high.x - low.x, high.y - low.y)


def _rows(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[tuple[DeploymentBand, TableFormation]],
    depth: int,
) -> tuple[int, int]:
    """Place units in rows about the middle; return the depths of the first row and behind all."""
    scale = lines.scale
    rows = list(_by_rows(bands, frame.wide - 4 * scale.stand.width, scale.room))
    deep = [max(_size_in_formation(*pair).depth for pair in row) + scale.room for row in rows]
    front = line = max(depth, sum(deep) + scale.stand.width)
    for row, behind in zip(rows, deep, strict=True):
        sizes = [_size_in_formation(*pair) for pair in row]
        across = (frame.wide - _width(sizes, scale.room)) / 2
        for (band, formed), size in zip(row, sizes, strict=True):
            lines.put(band, frame.at(across + size.width / 2, line), frame.ahead, formed)
            across += size.width + scale.room
        line -= behind
    return front, line


def _size_in_formation(band: DeploymentBand, formation: TableFormation) -> StandSize:
    return extent(band.unit._replace(formation=formation))


def _by_rows(
    bands: Sequence[tuple[DeploymentBand, TableFormation]], wide: int, room: int
) -> Iterator[list[tuple[DeploymentBand, TableFormation]]]:
    """Yield rows of about equal numbers that fit the field; the first unit is in the middle."""
    total_width = _width([_size_in_formation(*pair) for pair in bands], room)
    rows = max(1, ceil(total_width / wide))
    row_size = -(-len(bands) // rows)
    for start in range(0, len(bands), max(1, row_size)):
        row = list(bands[start : start + row_size])
        yield [*row[1::2][::-1], *row[0::2]]


def _width(sizes: Sequence[StandSize], room: int) -> int:
    return sum(size.width for size in sizes) + room * (len(sizes) - 1)


def _box(
    lines: DeploymentLines, frame: TableFrame, bands: Sequence[DeploymentBand], depth: int
) -> None:
    """Place units in a rectangle facing outwards, guns at the corners, train within."""
    foot, guns = _steadiest_first(bands), _of(bands, Role.GUN)
    inside = [band for band in bands if band.role in (Role.TRAIN, Role.LEADER, Role.HORSE)]
    faces = [foot[nth::4] for nth in (0, 2, 3, 1)]
    wide = [_width([extent(band.unit) for band in face], lines.scale.room) for face in faces]
    within = _within(inside, lines.scale)
    thick = max(extent(band.unit).depth for band in (*foot, *guns))
    before = round((max(wide[1], wide[2], within) + thick) / 2)
    aside = round((max(wide[0], wide[3], within) + thick) / 2)
    middle = frame.at(frame.wide / 2, max(depth - before, before + thick))
    for face, turn in zip(faces, (0, 90, 270, 180), strict=True):
        out = before if turn in (0, 180) else aside
        _side(lines, face, middle, (turn_facing(frame.ahead, turn), out))
    for nth, gun in enumerate(guns):
        facing = turn_facing(frame.ahead, (0, 0, 180, 180)[nth % 4])
        rim = ahead(middle, facing, before)
        lines.put(gun, ahead(rim, facing + 90, aside if nth % 2 == 0 else -aside), facing)
    for band in inside:
        lines.put(band, middle, frame.ahead)


def _side(
    lines: DeploymentLines,
    face: Sequence[DeploymentBand],
    middle: TablePoint,
    where: tuple[int, int],
) -> None:
    """Place units side by side along a facing, at a distance from the middle."""
    facing, out = where
    sizes = [extent(band.unit) for band in face]
    along = -_width(sizes, lines.scale.room) / 2
    for band, size in zip(face, sizes, strict=True):
        centre = ahead(middle, facing, out)
        lines.put(band, ahead(centre, facing + 90, round(along + size.width / 2)), facing)
        along += size.width + lines.scale.room


def _within(inside: Sequence[DeploymentBand], scale: TableScale) -> int:
    """Return the side of a square with room for all of them."""
    sizes = [extent(band.unit) for band in inside]
    area = sum((size.width + scale.room) * (size.depth + scale.room) for size in sizes)
    return round(_LOOSELY * sqrt(area))
