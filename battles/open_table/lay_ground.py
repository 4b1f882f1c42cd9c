"""The ground of a field, from what the hex is like; the same brief has always the same field."""

from math import pi, sqrt

from battles.contract.brief import Brief
from battles.core.dice import ChainedDice, derive_key
from battles.edges import EAST, WEST, water_edges
from battles.open_table.field import Feature, Field, Kinds, Terrain, terrain_at
from battles.open_table.frame import Frame, Scale, breadth
from battles.open_table.points import Point, ahead

SETTLEMENTS = {"town": (11, 5), "village": (7, 4), "oasis": (6, 3)}
"""Across and deep, in fronts of a stand."""

_HILL_SHARE, _ROCKS_SHARE, _GROWTH_SHARE, _DESERT_SHARE = 8, 4, 5, 14
"""Of the field, one part in so many is the hill, or covered by patches of that ground."""

_CORNERS = 12
_STEPS = 240
_DAMP: Kinds = frozenset({Terrain.RIVER, Terrain.SEA, Terrain.BUILDINGS})


class Ground:
    """A field being laid out."""

    def __init__(self, brief: Brief, frame: Frame, scale: Scale) -> None:
        self.brief = brief
        self.frame = frame
        self.scale = scale
        self.features: list[Feature] = []
        self.downstream = 0
        self._dice = ChainedDice(derive_key(b"field", brief.id))

    def field(self) -> Field:
        """The field as it lies now."""
        width, height, _ = self.frame
        return Field(width, height, self.scale.measure, tuple(self.features), self.downstream)

    def chance(self, sides: int) -> int:
        """A number from 0, drawn from the brief's id."""
        return self._dice.throw(1, sides)[0] - 1

    def along(self, length: int) -> int:
        """A point of a line so long, drawn from the brief's id."""
        return length * self.chance(_STEPS) // _STEPS

    def lay(self, kind: Terrain, points: tuple[Point, ...], name: str = "") -> None:
        """There is that, too."""
        self.features.append(Feature(kind, points, name))


def lay_ground(ground: Ground, front: int) -> tuple[Point, ...]:
    """All but the water; gives back the outline of the settlement if there is one.

    `front` is how deep into the attacker's view the defender's first line stands.
    """
    _relief(ground, front)
    settlement = _settle(ground, front)
    _growth(ground)
    return settlement


def lay_water(ground: Ground) -> None:
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


def _settle(ground: Ground, front: int) -> tuple[Point, ...]:
    """The houses of a place and the walls round them, open behind; palms for an oasis."""
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


def _relief(ground: Ground, front: int) -> None:
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


def _growth(ground: Ground) -> None:
    """Crops in cultivated land, thorn and stones in the desert: cover, and in the way."""
    if ground.brief.ground.cultivated:
        _patches(ground, (Terrain.CROPS, Terrain.CROPS, Terrain.SCRUB), _GROWTH_SHARE, 2)
    else:
        _patches(ground, (Terrain.SCRUB, Terrain.SCRUB, Terrain.ROCKS), _DESERT_SHARE, 2)


def _patches(ground: Ground, kinds: tuple[Terrain, ...], share: int, size: int) -> None:
    """Patches of these kinds, `size` stands across, until a share of the field is covered."""
    frame, half = ground.frame, size * ground.scale.stand.width
    for _ in range(round(frame.width * frame.height / share / (pi * half * half))):
        point = Point(ground.along(frame.width), ground.along(frame.height))
        kind = kinds[ground.chance(len(kinds))]
        if not terrain_at(ground.field(), point) & _DAMP:
            _blob(ground, kind, point, half * (80 + ground.chance(40)) / 100)


def _blob(ground: Ground, kind: Terrain, middle: Point, far: float) -> None:
    """A round area with an uneven rim, as far as the table goes."""
    ring = []
    for nth in range(_CORNERS):
        x, y = ahead(middle, nth * 360 // _CORNERS, round(far * (80 + ground.chance(40)) / 100))
        ring.append(Point(min(max(x, 0), ground.frame.width), min(max(y, 0), ground.frame.height)))
    ground.lay(kind, tuple(ring))


def _khor(ground: Ground, depth: int) -> None:
    """A dry watercourse across half the field, before the defender's line."""
    frame = ground.frame
    if not 0 < depth < frame.deep:
        return
    begin = ground.along(frame.wide // 2)
    bed = _winding(ground, frame, (begin, begin + frame.wide // 2), depth)
    ground.lay(Terrain.KHOR, bed)


def _winding(
    ground: Ground, frame: Frame, across: tuple[int, int], depth: int
) -> tuple[Point, ...]:
    """A line from left to right that wavers about a depth."""
    step = 2 * ground.scale.stand.width
    sway = ground.scale.stand.width
    return tuple(
        frame.at(min(along, across[1]), depth + ground.along(sway) - sway // 2)
        for along in range(across[0], across[1] + step, step)
    )
