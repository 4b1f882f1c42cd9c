"""Deployment of both sides on a field: regulars in lines or a box, the others in a mass.

The compass is the campaign's, north up: the attacker enters from the edge of the hexside it came
by. The same brief is always laid out the same; no dice are thrown.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import ceil, sqrt
from typing import NamedTuple

from battles.contract.brief import Brief, Side
from battles.contract.set_up import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    edge_of,
    interleave,
    opposite,
    share_flankers,
    sides_of,
)
from battles.tabletop.deployment import Outline, table_zones
from battles.tabletop.field import (
    WATER,
    OpenField,
    TableTerrain,
    TerrainFeature,
    bounds,
    terrain_at,
)
from battles.tabletop.formations import FAR, MovingUnit, Obstacles, TableFormation, free_place
from battles.tabletop.geometry import (
    Stands,
    StandSize,
    TablePoint,
    ahead,
    gap,
    overlap,
    turn_facing,
)
from battles.tabletop.ground import (
    GroundLayer,
    TableFrame,
    TableScale,
    frame_of,
    lay_ground,
    lay_water,
)

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
        at = free_place(unit, near, facing, Obstacles(self.field, self._taken))
        post = Placement(at or near, facing, unit.formation)
        if at is None:
            self.late[band.id] = post
            return
        self.posts[band.id] = post
        self._stands[band.id] = unit.at(at, facing)

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
        formed = [one.beset or one.formation if beset else one.formation for one in foot]
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
        [one for one in foot if not one.spears], [one for one in foot if one.spears]
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
        free = (at for at in water if lines.is_free(band.unit.at(at, frame.ahead)))
        at = next(free, None)
        if at is not None:
            lines.float(band, at, frame.ahead)


def _of(bands: Iterable[DeploymentBand], role: Role) -> list[DeploymentBand]:
    return [band for band in bands if band.role is role]


def _usual(bands: Iterable[DeploymentBand]) -> list[tuple[DeploymentBand, TableFormation]]:
    return [(band, band.formation) for band in bands]


def _steadiest_first(bands: Iterable[DeploymentBand]) -> list[DeploymentBand]:
    """Return the foot, regulars in good order first."""
    return sorted(_of(bands, Role.FOOT), key=lambda one: (not one.regular, not one.steady, one.id))


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
    deep = [max(_sized(*one).depth for one in row) + scale.room for row in rows]
    front = line = max(depth, sum(deep) + scale.stand.width)
    for row, behind in zip(rows, deep, strict=True):
        sizes = [_sized(*one) for one in row]
        across = (frame.wide - _width(sizes, scale.room)) / 2
        for (band, formed), size in zip(row, sizes, strict=True):
            lines.put(band, frame.at(across + size.width / 2, line), frame.ahead, formed)
            across += size.width + scale.room
        line -= behind
    return front, line


def _sized(band: DeploymentBand, formation: TableFormation) -> StandSize:
    return extent(band.unit._replace(formation=formation))


def _by_rows(
    bands: Sequence[tuple[DeploymentBand, TableFormation]], wide: int, room: int
) -> Iterator[list[tuple[DeploymentBand, TableFormation]]]:
    """Yield rows of about equal numbers that fit the field; the first unit is in the middle."""
    whole = _width([_sized(*one) for one in bands], room)
    rows = max(1, ceil(whole / wide))
    each = -(-len(bands) // rows)
    for start in range(0, len(bands), max(1, each)):
        row = list(bands[start : start + each])
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


_LARGER = 2
"""The number of times that a larger table is tried."""

_NEAR = 1.5
"""The sides are too near when this many times their distance is less than the gap."""


class LaidOut(NamedTuple):
    """The field with every unit's place; `late` units found no room and come on later.

    `goal` is the outline of the settlement, empty without one; `homes` has the bearing of each
    side's own edge, `zones` where each side may place its units instead.
    """

    field: OpenField
    posts: dict[int, Placement]
    late: dict[int, Placement]
    goal: tuple[TablePoint, ...]
    homes: dict[Side, int]
    zones: dict[Side, tuple[Outline, ...]]


def lay_out(brief: Brief, bands: Sequence[DeploymentBand], scale: TableScale) -> LaidOut:
    """Return the battle of the brief before it begins, on a table that keeps the sides apart."""
    frame = frame_of(brief, len(bands), scale)
    laid, apart = _laid(brief, bands, frame, scale)
    for _ in range(_LARGER):
        if apart * _NEAR >= scale.gap and not laid.late:
            break
        frame = frame.larger
        laid, apart = _laid(brief, bands, frame, scale)
    return laid


def _laid(
    brief: Brief, bands: Sequence[DeploymentBand], frame: TableFrame, scale: TableScale
) -> tuple[LaidOut, int]:
    """Return the battle on that table, and the distance between the sides."""
    mine = [band for band in bands if band.side is brief.attacker.side]
    theirs = [band for band in bands if band.side is brief.defender.side]
    ground = GroundLayer(brief, frame, scale)
    lay_water(ground)
    lines = DeploymentLines(ground.field(), scale)
    bodies = _attackers(lines, frame, mine, (brief, _strong(theirs) >= _strong(mine)))
    front = min(_depth(lines, frame) + scale.gap, frame.deep - 2 * scale.stand.width)
    goal = lay_ground(ground, front)
    beset = _strong(mine) >= _strong(theirs) or len(sides_of(brief)) > 1
    _draw_up(lines, frame.opposite, theirs, frame.deep - front, beset=beset)
    afloat(lines, mine, frame)
    afloat(lines, theirs, frame.opposite)
    if brief.zariba:
        ground.features += _works(lines, theirs, brief)
    home = edge_of(brief.comes_from)
    homes = {brief.attacker.side: home, brief.defender.side: opposite(home)}
    field, held = ground.field(), lines.stands_of(_ashore(theirs))
    drawn_up = [(edge, lines.stands_of(_ashore(body))) for edge, body in bodies]
    near, far = table_zones(field, drawn_up, held, scale.gap // 2)
    zones = {brief.attacker.side: near, brief.defender.side: far}
    laid = LaidOut(field, lines.posts, lines.late, goal, homes, zones)
    return laid, _apart(lines, mine, theirs)


def _apart(
    lines: DeploymentLines, mine: Sequence[DeploymentBand], theirs: Sequence[DeploymentBand]
) -> int:
    """Return the hundredths between the sides ashore; FAR if a side has no unit there."""
    ours, others = lines.stands_of(_ashore(mine)), lines.stands_of(_ashore(theirs))
    return gap(ours, others) if ours and others else FAR


def _depth(lines: DeploymentLines, frame: TableFrame) -> int:
    """Return the depth that the units facing the attacker's way reach."""
    bands = [number for number, post in lines.posts.items() if post.facing == frame.ahead]
    stands = lines.of(bands)
    if not stands:
        return 0
    (west, north), (east, south) = bounds(stands)
    return {
        NORTH: frame.height - north,
        SOUTH: south,
        EAST: east,
        WEST: frame.width - west,
    }[frame.ahead]


def _strong(bands: Sequence[DeploymentBand]) -> int:
    """Return the strength that can charge or meet a charge."""
    return sum(band.strength for band in bands if band.role in (Role.FOOT, Role.HORSE))


def _attackers(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[DeploymentBand],
    how: tuple[Brief, bool],
) -> list[tuple[int, Sequence[DeploymentBand]]]:
    """Place the main body at its edge, and a share, horse first, at every other edge.

    Return each body with its edge, the main body first.
    """
    brief, outnumbered = how
    sides = sides_of(brief)
    flankers = [band for band in bands if band.role in (Role.FOOT, Role.HORSE)]
    flankers.sort(key=lambda band: (band.role is not Role.HORSE, band.id))
    gone: set[int] = set()
    bodies: list[tuple[int, Sequence[DeploymentBand]]] = []
    for edge, share in zip(sides[1:], share_flankers(flankers, len(sides)), strict=True):
        gone |= {band.id for band in share}
        bodies.append((edge, share))
        _draw_up(lines, frame.from_edge(edge), share, 0, beset=False)
    main = [band for band in bands if band.id not in gone]
    _draw_up(lines, frame, main, 0, beset=outnumbered)
    return [(edge_of(brief.comes_from), main), *bodies]


def _draw_up(
    lines: DeploymentLines,
    frame: TableFrame,
    bands: Sequence[DeploymentBand],
    depth: int,
    *,
    beset: bool,
) -> None:
    ashore = _ashore(bands)
    if not ashore:
        return
    if ashore[0].side is Side.MAHDIST:
        draw_up_mass(lines, frame, ashore, depth)
    else:
        draw_up_regulars(lines, frame, ashore, depth, beset=beset)


def _ashore(bands: Sequence[DeploymentBand]) -> list[DeploymentBand]:
    return [band for band in bands if band.role is not Role.CRAFT]


def _works(
    lines: DeploymentLines, bands: Sequence[DeploymentBand], brief: Brief
) -> list[TerrainFeature]:
    """Return thorn, or a Mahdist trench, all round a defender that has been there a month."""
    held = lines.stands_of(_ashore(bands))
    if not held:
        return []
    (west, north), (east, south) = bounds(held)
    rim = lines.scale.room
    west, north, east, south = west - rim, north - rim, east + rim, south + rim
    ring = (
        TablePoint(west, north),
        TablePoint(east, north),
        TablePoint(east, south),
        TablePoint(west, south),
    )
    egyptian = brief.defender.side is Side.EGYPTIAN
    kind = TableTerrain.ZARIBA if egyptian else TableTerrain.TRENCH
    return [TerrainFeature(kind, (*ring, ring[0]))]
