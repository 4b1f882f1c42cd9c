"""The table as somebody looks into it from his own edge.

The ground of a field, from what the hex is like; the same brief has always the same field.
"""

from math import pi, sqrt
from typing import NamedTuple

from battles.contract.brief import Brief
from battles.contract.field_edges import EAST, NORTH, SOUTH, WEST, edge_of, opposite, water_edges
from battles.core.dice import ChainedDice, derive_key
from battles.tabletop.field import Field, Kinds, Terrain, TerrainFeature, terrain_at
from battles.tabletop.geometry import StandSize, TablePoint, ahead


class TableScale(NamedTuple):
    """How a book lays out its battles, in hundredths of its `measure`.

    `tables`: up to so many units fight on a table so wide and so high. `gap` is the distance of
    the lines before the battle, `room` that of neighbours; `stand` is a stand of foot.
    """

    measure: str
    tables: tuple[tuple[int, int, int], ...]
    gap: int
    room: int
    stand: StandSize


class Frame(NamedTuple):
    """A table seen along `ahead`: `across` counts from the left, `depth` from the near edge."""

    width: int
    height: int
    ahead: int

    @property
    def wide(self) -> int:
        """Return the length of the near edge."""
        return self.width if self.ahead in (NORTH, SOUTH) else self.height

    @property
    def deep(self) -> int:
        """From the near edge to the one opposite."""
        return self.height if self.ahead in (NORTH, SOUTH) else self.width

    def at(self, across: float, depth: float) -> TablePoint:
        """Return the point so far from the left and so deep into the field."""
        x, y = {
            NORTH: (across, self.height - depth),
            SOUTH: (self.width - across, depth),
            EAST: (depth, across),
            WEST: (self.width - depth, self.height - across),
        }[self.ahead]
        return TablePoint(round(x), round(y))

    def block(
        self, across: tuple[float, float], depth: tuple[float, float]
    ) -> tuple[TablePoint, ...]:
        """Return the corners of a rectangle: near left, far left, far right, near right."""
        (left, right), (near, far) = across, depth
        ring = ((left, near), (left, far), (right, far), (right, near))
        return tuple(self.at(*corner) for corner in ring)

    def from_edge(self, edge: int) -> "Frame":
        """Return the same table seen from another edge."""
        return self._replace(ahead=opposite(edge))

    @property
    def larger(self) -> "Frame":
        """Return a table half as long again each way."""
        return self._replace(width=self.width * 3 // 2, height=self.height * 3 // 2)

    @property
    def opposite(self) -> "Frame":
        """Return the same table seen from the far edge."""
        return self._replace(ahead=opposite(self.ahead))


def frame_of(brief: Brief, units: int, scale: TableScale) -> Frame:
    """Return the table for so many units, seen by the attacker; water is room besides."""
    last = scale.tables[-1]
    _, width, height = next((one for one in scale.tables if units <= one[0]), last)
    wet = water_edges(brief)
    return Frame(
        width + breadth(scale) * sum(edge in (EAST, WEST) for edge in wet),
        height + breadth(scale) * sum(edge in (NORTH, SOUTH) for edge in wet),
        opposite(edge_of(brief.comes_from)),
    )


def breadth(scale: TableScale) -> int:
    """Return how broad river and sea are on the table."""
    return 3 * scale.stand.width


SETTLEMENTS = {"town": (11, 5), "village": (7, 4), "oasis": (6, 3)}
"""Across and deep, in fronts of a stand."""

_HILL_SHARE, _ROCKS_SHARE, _GROWTH_SHARE, _DESERT_SHARE = 8, 4, 5, 14
"""Of the field, one part in so many is the hill, or covered by patches of that ground."""

_CORNERS = 12
_STEPS = 240
_DAMP: Kinds = frozenset({Terrain.RIVER, Terrain.SEA, Terrain.BUILDINGS})


class GroundLayer:
    """A field being laid out."""

    def __init__(self, brief: Brief, frame: Frame, scale: TableScale) -> None:
        self.brief = brief
        self.frame = frame
        self.scale = scale
        self.features: list[TerrainFeature] = []
        self.downstream = 0
        self._dice = ChainedDice(derive_key(b"field", brief.id))

    def field(self) -> Field:
        """Return the field as it lies now."""
        width, height, _ = self.frame
        return Field(width, height, self.scale.measure, tuple(self.features), self.downstream)

    def chance(self, sides: int) -> int:
        """Return a number from 0, drawn from the brief's id."""
        return self._dice.throw(1, sides)[0] - 1

    def along(self, length: int) -> int:
        """Return a point of a line so long, drawn from the brief's id."""
        return length * self.chance(_STEPS) // _STEPS

    def lay(self, kind: Terrain, points: tuple[TablePoint, ...], name: str = "") -> None:
        """There is that, too."""
        self.features.append(TerrainFeature(kind, points, name))


def lay_ground(ground: GroundLayer, front: int) -> tuple[TablePoint, ...]:
    """Return all but the water; gives back the outline of the settlement if there is one.

    `front` is how deep into the attacker's view the defender's first line stands.
    """
    _relief(ground, front)
    settlement = _settle(ground, front)
    _growth(ground)
    return settlement


def lay_water(ground: GroundLayer) -> None:
    """River and sea along the edges; a river that no craft can use is a stream to be forded."""
    brief, wide = ground.brief, breadth(ground.scale)
    navigable = brief.ground.river_class in ("navigable", "")
    for edge in water_edges(brief):
        bank = ground.frame.from_edge(edge)
        if brief.ground.sea or navigable:
            kind = Terrain.RIVER if brief.ground.river else Terrain.SEA
            ground.lay(kind, bank.block((0, bank.wide), (0, wide)))
            ground.downstream = 0 if edge in (EAST, WEST) else WEST
        else:
            ground.lay(Terrain.STREAM, _winding(ground, bank, (0, bank.wide), wide))


def _settle(ground: GroundLayer, front: int) -> tuple[TablePoint, ...]:
    """Return the houses of a place and the walls round them, open behind; palms for an oasis."""
    where = ground.brief.ground
    if where.settlement not in SETTLEMENTS:
        return ()
    frame, unit = ground.frame, ground.scale.stand.width
    across, deep = (number * unit for number in SETTLEMENTS[where.settlement])
    middle, near = frame.wide / 2, min(front - unit, frame.deep - deep)
    ring = frame.block((middle - across / 2, middle + across / 2), (near, near + deep))
    if where.settlement == "oasis":
        ground.lay(Terrain.WOOD, ring, where.place)
        return ring
    ground.lay(Terrain.BUILDINGS, ring, where.place)
    near_left, far_left, far_right, near_right = ring
    ground.lay(Terrain.WALL, (far_left, near_left, near_right, far_right))
    return ring


def _relief(ground: GroundLayer, front: int) -> None:
    """A hill on which the defender stands; mountains everywhere; a khor on flat desert, perhaps."""
    frame, relief = ground.frame, ground.brief.ground.relief
    area = frame.width * frame.height
    if relief == "hill":
        _blob(ground, Terrain.HILL, frame.at(frame.wide / 2, front), sqrt(area / _HILL_SHARE / pi))
        _khor(ground, front - ground.scale.gap // 2)
    elif relief == "mountain":
        _patches(ground, (Terrain.MOUNTAIN, Terrain.MOUNTAIN, Terrain.ROCKS), _ROCKS_SHARE, 3)
    elif not ground.brief.ground.cultivated and ground.chance(3) == 0:
        _khor(ground, front - ground.scale.gap // 2)


def _growth(ground: GroundLayer) -> None:
    """Crops in cultivated land, thorn and stones in the desert: cover, and in the way."""
    if ground.brief.ground.cultivated:
        _patches(ground, (Terrain.CROPS, Terrain.CROPS, Terrain.SCRUB), _GROWTH_SHARE, 2)
    else:
        _patches(ground, (Terrain.SCRUB, Terrain.SCRUB, Terrain.ROCKS), _DESERT_SHARE, 2)


def _patches(ground: GroundLayer, kinds: tuple[Terrain, ...], share: int, size: int) -> None:
    """Patches of these kinds, `size` stands across, until a share of the field is covered."""
    frame, half = ground.frame, size * ground.scale.stand.width
    for _ in range(round(frame.width * frame.height / share / (pi * half * half))):
        point = TablePoint(ground.along(frame.width), ground.along(frame.height))
        kind = kinds[ground.chance(len(kinds))]
        if not terrain_at(ground.field(), point) & _DAMP:
            _blob(ground, kind, point, half * (80 + ground.chance(40)) / 100)


def _blob(ground: GroundLayer, kind: Terrain, middle: TablePoint, far: float) -> None:
    """A round area with an uneven rim, as far as the table goes."""
    ring = []
    for nth in range(_CORNERS):
        x, y = ahead(middle, nth * 360 // _CORNERS, round(far * (80 + ground.chance(40)) / 100))
        ring.append(
            TablePoint(min(max(x, 0), ground.frame.width), min(max(y, 0), ground.frame.height))
        )
    ground.lay(kind, tuple(ring))


def _khor(ground: GroundLayer, depth: int) -> None:
    """A dry watercourse across half the field, before the defender's line."""
    frame = ground.frame
    if not 0 < depth < frame.deep:
        return
    begin = ground.along(frame.wide // 2)
    bed = _winding(ground, frame, (begin, begin + frame.wide // 2), depth)
    ground.lay(Terrain.KHOR, bed)


def _winding(
    ground: GroundLayer, frame: Frame, across: tuple[int, int], depth: int
) -> tuple[TablePoint, ...]:
    """Return a line from left to right that wavers about a depth."""
    step = 2 * ground.scale.stand.width
    sway = ground.scale.stand.width
    return tuple(
        frame.at(min(along, across[1]), depth + ground.along(sway) - sway // 2)
        for along in range(across[0], across[1] + step, step)
    )
