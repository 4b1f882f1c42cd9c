"""Terrain of a battlefield, generated from the brief's hex.

The same brief always gives the same field: all chance is drawn from its id.
"""

from math import pi, sqrt
from typing import NamedTuple

from battles.contract.brief import Brief
from battles.contract.set_up import EAST, NORTH, SOUTH, WEST, edge_of, opposite, water_edges
from battles.core.dice import ChainedDice, derive_key
from battles.tabletop.field import Kinds, OpenField, TableTerrain, TerrainFeature, terrain_at
from battles.tabletop.geometry import StandSize, TablePoint, ahead


class TableScale(NamedTuple):
    """A book's measures for laying out a battle, in hundredths of its `measure`.

    `tables` has rows of units, width and height: the table for up to so many units. `gap` is the
    distance between the two lines before the battle, `room` that between neighbours; `stand` is a
    stand of foot.
    """

    measure: str
    tables: tuple[tuple[int, int, int], ...]
    gap: int
    room: int
    stand: StandSize


class TableFrame(NamedTuple):
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
        """Return the distance from the near edge to the far one."""
        return self.height if self.ahead in (NORTH, SOUTH) else self.width

    def at(self, across: float, depth: float) -> TablePoint:
        """Return the point at `across` from the left and `depth` from the near edge."""
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

    def from_edge(self, edge: int) -> "TableFrame":
        """Return the same table seen from another edge."""
        return self._replace(ahead=opposite(edge))

    @property
    def larger(self) -> "TableFrame":
        """Return a table half as large again each way."""
        return self._replace(width=self.width * 3 // 2, height=self.height * 3 // 2)

    @property
    def opposite(self) -> "TableFrame":
        """Return the same table seen from the far edge."""
        return self._replace(ahead=opposite(self.ahead))


def frame_of(brief: Brief, units: int, scale: TableScale) -> TableFrame:
    """Return the table for so many units, seen by the attacker; water adds to its size."""
    last = scale.tables[-1]
    _, width, height = next((table for table in scale.tables if units <= table[0]), last)
    wet = water_edges(brief)
    return TableFrame(
        width + breadth(scale) * sum(edge in (EAST, WEST) for edge in wet),
        height + breadth(scale) * sum(edge in (NORTH, SOUTH) for edge in wet),
        opposite(edge_of(brief.comes_from)),
    )


def breadth(scale: TableScale) -> int:
    """Return the width of a river or the sea on the table."""
    return 3 * scale.stand.width


SETTLEMENTS = {"town": (11, 5), "village": (7, 4), "oasis": (6, 3)}
"""Width and depth of a settlement, in stand widths."""

_HILL_SHARE, _ROCKS_SHARE, _GROWTH_SHARE, _DESERT_SHARE = 8, 4, 5, 14
"""Divisors of the field's area: of the hill, and of the patches of each ground."""

_CORNERS = 12
_STEPS = 240
_DAMP: Kinds = frozenset({TableTerrain.RIVER, TableTerrain.SEA, TableTerrain.BUILDINGS})


class GroundLayer:
    """A field whose terrain is being laid out."""

    def __init__(self, brief: Brief, frame: TableFrame, scale: TableScale) -> None:
        self.brief = brief
        self.frame = frame
        self.scale = scale
        self.features: list[TerrainFeature] = []
        self.downstream = 0
        self._dice = ChainedDice(derive_key(b"field", brief.id))

    def field(self) -> OpenField:
        """Return the field with the terrain laid so far."""
        width, height, _ = self.frame
        return OpenField(width, height, self.scale.measure, tuple(self.features), self.downstream)

    def chance(self, sides: int) -> int:
        """Return a number from 0 to `sides` - 1, drawn from the brief's id."""
        return self._dice.throw(1, sides)[0] - 1

    def along(self, length: int) -> int:
        """Return a distance along a line of that length, drawn from the brief's id."""
        return length * self.chance(_STEPS) // _STEPS

    def lay(self, kind: TableTerrain, points: tuple[TablePoint, ...], name: str = "") -> None:
        """Add a piece of terrain."""
        self.features.append(TerrainFeature(kind, points, name))


def lay_ground(ground: GroundLayer, front: int) -> tuple[TablePoint, ...]:
    """Lay all terrain except water; return the settlement's outline, empty without one.

    `front` is the depth, in the attacker's view, of the defender's first line.
    """
    # Each step draws from one chain of dice: another order would change every field.
    _relief(ground, front)
    settlement = _settle(ground, front)
    _growth(ground)
    return settlement


def lay_water(ground: GroundLayer) -> None:
    """Lay river and sea along the edges; a river that no craft can use is a stream to ford."""
    brief, wide = ground.brief, breadth(ground.scale)
    navigable = brief.ground.river_class in ("navigable", "")
    for edge in water_edges(brief):
        bank = ground.frame.from_edge(edge)
        if brief.ground.sea or navigable:
            kind = TableTerrain.RIVER if brief.ground.river else TableTerrain.SEA
            ground.lay(kind, bank.block((0, bank.wide), (0, wide)))
            ground.downstream = 0 if edge in (EAST, WEST) else WEST
        else:
            ground.lay(TableTerrain.STREAM, _wavering_line(ground, bank, (0, bank.wide), wide))


def _settle(ground: GroundLayer, front: int) -> tuple[TablePoint, ...]:
    """Lay a settlement's houses with walls open to the rear, or an oasis's palms."""
    where = ground.brief.ground
    if where.settlement not in SETTLEMENTS:
        return ()
    frame, unit = ground.frame, ground.scale.stand.width
    across, deep = (number * unit for number in SETTLEMENTS[where.settlement])
    middle, near = frame.wide / 2, min(front - unit, frame.deep - deep)
    ring = frame.block((middle - across / 2, middle + across / 2), (near, near + deep))
    if where.settlement == "oasis":
        ground.lay(TableTerrain.WOOD, ring, where.place)
        return ring
    ground.lay(TableTerrain.BUILDINGS, ring, where.place)
    near_left, far_left, far_right, near_right = ring
    ground.lay(TableTerrain.WALL, (far_left, near_left, near_right, far_right))
    return ring


def _relief(ground: GroundLayer, front: int) -> None:
    """Lay a hill for the defender, mountains everywhere, or by chance a khor on flat desert."""
    frame, relief = ground.frame, ground.brief.ground.relief
    area = frame.width * frame.height
    if relief == "hill":
        _blob(
            ground,
            TableTerrain.HILL,
            frame.at(frame.wide / 2, front),
            sqrt(area / _HILL_SHARE / pi),
        )
        _khor(ground, front - ground.scale.gap // 2)
    elif relief == "mountain":
        _patches(
            ground,
            (TableTerrain.MOUNTAIN, TableTerrain.MOUNTAIN, TableTerrain.ROCKS),
            _ROCKS_SHARE,
            3,
        )
    elif not ground.brief.ground.cultivated and ground.chance(3) == 0:
        _khor(ground, front - ground.scale.gap // 2)


def _growth(ground: GroundLayer) -> None:
    """Lay crops on cultivated land, thorn and rocks in the desert."""
    if ground.brief.ground.cultivated:
        _patches(
            ground, (TableTerrain.CROPS, TableTerrain.CROPS, TableTerrain.SCRUB), _GROWTH_SHARE, 2
        )
    else:
        _patches(
            ground, (TableTerrain.SCRUB, TableTerrain.SCRUB, TableTerrain.ROCKS), _DESERT_SHARE, 2
        )


def _patches(ground: GroundLayer, kinds: tuple[TableTerrain, ...], share: int, size: int) -> None:
    """Lay patches of these kinds, `size` stands across, over one part in `share` of the field."""
    frame, half = ground.frame, size * ground.scale.stand.width
    # Patches are never damp, so the field as it is before them tells where none may lie.
    field = ground.field()
    for _ in range(round(frame.width * frame.height / share / (pi * half * half))):
        point = TablePoint(ground.along(frame.width), ground.along(frame.height))
        kind = kinds[ground.chance(len(kinds))]
        if not terrain_at(field, point) & _DAMP:
            _blob(ground, kind, point, half * (80 + ground.chance(40)) / 100)


def _blob(ground: GroundLayer, kind: TableTerrain, middle: TablePoint, far: float) -> None:
    """Lay a round area with an uneven rim, clipped to the table."""
    ring = []
    for nth in range(_CORNERS):
        x, y = ahead(middle, nth * 360 // _CORNERS, round(far * (80 + ground.chance(40)) / 100))
        ring.append(
            TablePoint(min(max(x, 0), ground.frame.width), min(max(y, 0), ground.frame.height))
        )
    ground.lay(kind, tuple(ring))


def _khor(ground: GroundLayer, depth: int) -> None:
    """Lay a dry watercourse across half the field, in front of the defender's line."""
    frame = ground.frame
    if not 0 < depth < frame.deep:
        return
    begin = ground.along(frame.wide // 2)
    bed = _wavering_line(ground, frame, (begin, begin + frame.wide // 2), depth)
    ground.lay(TableTerrain.KHOR, bed)


def _wavering_line(
    ground: GroundLayer, frame: TableFrame, across: tuple[int, int], depth: int
) -> tuple[TablePoint, ...]:
    """Return a line from left to right that wavers about a depth."""
    step = 2 * ground.scale.stand.width
    sway = ground.scale.stand.width
    return tuple(
        frame.at(min(along, across[1]), depth + ground.along(sway) - sway // 2)
        for along in range(across[0], across[1] + step, step)
    )
