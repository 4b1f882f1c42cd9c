"""Lay out the ground of a brief's hex, in the frame of the attack."""

from collections.abc import Iterable
from typing import NamedTuple

from battles.books.redcoats.field import (
    STEPS,
    E,
    Edge,
    Field,
    N,
    Obstacle,
    S,
    Terrain,
    W,
    around,
    opposite,
    square_at,
)
from battles.contract import set_up
from battles.contract.brief import Bearing, Brief
from battles.core.dice import ChainedDice, derive_key

SIZES = ((30, 12, 8), (45, 15, 10), (65, 18, 12), (90, 22, 14))
"""For each greatest number of units, the columns and rows of the field (The battlefield 2)."""
LARGEST = (26, 16)

GAP = 5
"""The squares between the lines before the battle: beyond the range of all firearms."""

EIGHTH = 45
"""Degrees from one facing to the next."""


class Frame(NamedTuple):
    """The field seen from one edge: `across` counts from the west or north, `depth` inwards.

    `ahead` is the facing that leads from this edge into the field; `columns` and `rows` are the
    whole field's, north up.
    """

    columns: int
    rows: int
    ahead: int

    @property
    def width(self) -> int:
        """Return the number of squares along the edge."""
        return self.columns if self.ahead in (N, S) else self.rows

    @property
    def deep(self) -> int:
        """Return the number of squares from this edge to the opposite one."""
        return self.rows if self.ahead in (N, S) else self.columns

    def at(self, across: int, depth: int) -> int:
        """Return the square at that place along the edge and that depth."""
        if self.ahead == N:
            return square_at(across, self.rows - 1 - depth)
        if self.ahead == S:
            return square_at(across, depth)
        if self.ahead == E:
            return square_at(depth, across)
        return square_at(self.columns - 1 - depth, across)

    def row(self, depth: int) -> list[int]:
        """Return the squares of one depth, along the edge."""
        return [self.at(across, depth) for across in range(self.width)]

    def within(self, across: int, depth: int) -> bool:
        return 0 <= across < self.width and 0 <= depth < self.deep

    def from_edge(self, edge: int) -> "Frame":
        """Return the same field seen from another edge."""
        return self._replace(ahead=opposite(edge))


def frame_of(brief: Brief, units: int) -> Frame:
    """Return the attacker's frame of a field for that many units, with extra room for water."""
    columns, rows = next(((c, r) for most, c, r in SIZES if units <= most), LARGEST)
    wet = water_edges(brief)
    return Frame(
        min(columns + sum(edge in (E, W) for edge in wet), LARGEST[0]),
        rows + sum(edge in (N, S) for edge in wet),
        opposite(edge_of(brief.comes_from)),
    )


def edge_of(bearing: Bearing) -> int:
    """Return the edge behind the attacker, who comes through that hexside."""
    return set_up.edge_of(bearing) // EIGHTH


def water_edges(brief: Brief) -> tuple[int, ...]:
    """Return the edges along which river or sea run, never the attacker's own."""
    return tuple(edge // EIGHTH for edge in set_up.water_edges(brief))


def sides_of(brief: Brief) -> tuple[int, ...]:
    """Return the edges from which the attackers come, the main body's first."""
    return tuple(edge // EIGHTH for edge in set_up.sides_of(brief))


SETTLEMENTS = {"town": (4, 2), "village": (2, 2), "oasis": (2, 1)}
"""The squares of a settlement, across and deep."""

_HILL_SHARE, _MOUNTAIN_SHARE, _CROPS_SHARE = 7, 3, 4
"""The squares of the field for each patch of such ground."""
_DESERT_SHARE = 20


class Ground:
    """A field being laid out."""

    def __init__(self, brief: Brief, frame: Frame) -> None:
        self.brief = brief
        self.frame = frame
        self.terrain: dict[int, Terrain] = {}
        self.edges: dict[tuple[int, int], Obstacle] = {}
        self.downstream: dict[int, int] = {}
        self._bare = Field(frame.columns, frame.rows)
        self.squares = self._bare.squares
        # Keyed by the id, not by the battle's dice: a brief has the same field in every battle.
        self._dice = ChainedDice(derive_key(b"field", brief.id))

    def field(self) -> Field:
        """Return the finished field."""
        edges = (Edge(*pair, obstacle) for pair, obstacle in sorted(self.edges.items()))
        ground = dict(sorted(self.terrain.items()))
        return Field(self.frame.columns, self.frame.rows, ground, tuple(edges), self.downstream)

    def free(self, square: int) -> bool:
        """Return whether the square is land on the field."""
        return self._bare.holds(square) and self.terrain.get(square) is not Terrain.WATER

    def holds(self, square: int) -> bool:
        """Return whether the square is on the field."""
        return self._bare.holds(square)

    def chance(self, sides: int) -> int:
        """Return a random number from 0 up to `sides` - 1, drawn from the brief's id."""
        return self._dice.throw(1, sides)[0] - 1

    def wall_in(self, squares: Iterable[int], obstacle: Obstacle, ways: Iterable[int]) -> None:
        """Run an obstacle along the outer sides of these squares that face these ways."""
        inside = set(squares)
        for square in sorted(inside):
            for way in ways:
                other = square + STEPS[way]
                if other not in inside and self.free(other):
                    self.edges[min(square, other), max(square, other)] = obstacle


def lay_ground(brief: Brief, frame: Frame, front: int) -> tuple[Ground, tuple[int, ...]]:
    """Return the ground, and the squares of the settlement if there is one.

    `front` is the depth of the defender's first line.
    """
    ground = Ground(brief, frame)
    _water(ground)
    settlement = _settle(ground, front)
    _relief(ground, front)
    _growth(ground)
    return ground, settlement


def _water(ground: Ground) -> None:
    """Lay river and sea along the edges; a river that carries no craft is a ford."""
    brief, frame = ground.brief, ground.frame
    navigable = brief.ground.river_class in ("navigable", "") or bool(brief.ground.sea)
    for edge in water_edges(brief):
        strip = frame.from_edge(edge).row(0)
        if navigable:
            ground.terrain |= dict.fromkeys(strip, Terrain.WATER)
            if brief.ground.river:
                ground.downstream |= dict.fromkeys(strip, N if edge in (E, W) else W)
        else:
            ground.wall_in(strip, Obstacle.FORD, (frame.from_edge(edge).ahead,))


def _settle(ground: Ground, front: int) -> tuple[int, ...]:
    """Build a settlement with walls open to the rear, or plant an oasis; return its squares."""
    kind = ground.brief.ground.settlement
    if kind not in SETTLEMENTS:
        return ()
    across, deep = SETTLEMENTS[kind]
    frame = ground.frame
    left = (frame.width - across) // 2
    footprint = [
        frame.at(left + a, min(front, frame.deep - deep) + d)
        for d in range(deep)
        for a in range(across)
    ]
    squares = [square for square in footprint if ground.free(square)]
    ground.terrain |= dict.fromkeys(squares, Terrain.WOOD if kind == "oasis" else Terrain.BUILT_UP)
    if kind != "oasis":
        ways = [way for way in (N, E, S, W) if way != frame.ahead]
        ground.wall_in(squares, Obstacle.WALL, ways)
    return tuple(squares)


def _relief(ground: Ground, front: int) -> None:
    """Lay a hill under the defender, mountains all over, or perhaps a khor in flat desert."""
    frame, relief = ground.frame, ground.brief.ground.relief
    if relief == "hill":
        middle = frame.at(frame.width // 2, min(front, frame.deep - 1))
        _grow(ground, middle, Terrain.HILL, len(ground.squares) // _HILL_SHARE)
        _khor(ground, front - 2)
    elif relief == "mountain":
        for _ in range(len(ground.squares) // (3 * _MOUNTAIN_SHARE)):
            _patch(ground, Terrain.ROCKY_HILL)
    elif not ground.brief.ground.cultivated and ground.chance(3) == 0:
        _khor(ground, front - 2)


def _growth(ground: Ground) -> None:
    """Grow crops in cultivated land, thorn and stones in the desert."""
    share = _CROPS_SHARE if ground.brief.ground.cultivated else _DESERT_SHARE
    for _ in range(len(ground.squares) // (2 * share)):
        kinds = (Terrain.CROPS, Terrain.UNDERGROWTH, Terrain.SCRUB)
        dry = (Terrain.SCRUB, Terrain.SCRUB, Terrain.ROCKS)
        kind = (kinds if ground.brief.ground.cultivated else dry)[ground.chance(3)]
        _patch(ground, kind)


def _patch(ground: Ground, kind: Terrain) -> None:
    """Lay a patch of two or three squares of that ground somewhere."""
    frame = ground.frame
    somewhere = square_at(ground.chance(frame.columns), ground.chance(frame.rows))
    _grow(ground, somewhere, kind, 2 + ground.chance(2))


def _grow(ground: Ground, start: int, kind: Terrain, size: int) -> None:
    """Turn squares around the first into that ground, but not those already taken."""
    reached, waiting = {start}, [start]
    while waiting and size > 0:
        square = waiting.pop(0)
        if ground.holds(square) and square not in ground.terrain:
            ground.terrain[square] = kind
            size -= 1
        for near in around(square):
            if near not in reached and ground.holds(near):
                reached.add(near)
                waiting.append(near)


def _khor(ground: Ground, depth: int) -> None:
    """Lay a dry watercourse across half the field, before the defender's line."""
    frame = ground.frame
    if not 1 <= depth < frame.deep:
        return
    half = frame.width // 2
    begin = ground.chance(frame.width - half + 1)
    bed = [frame.at(begin + a, depth) for a in range(half)]
    ground.wall_in([square for square in bed if ground.free(square)], Obstacle.WADI, (frame.ahead,))
