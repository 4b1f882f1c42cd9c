"""Types that describe a moment of a battle for drawing, on squares or on an open table.

A square is its column, from 0 in the west, and its row, from 0 in the north. A facing on squares
counts eighths of a turn clockwise from the north. `Trails` gathers the moves and the fire between
two pictures of an open table.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from battles.contract.brief import Nation, Side, TroopKind
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stands, TablePoint

Square = tuple[int, int]
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""Column and row steps to the neighbouring square, by facing."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Cover(StrEnum):
    """Terrain that fills a square."""

    HILL = "hill"
    SCRUB = "scrub"
    GRASS = "grass"
    ROCKS = "rocks"
    CROPS = "crops"
    TREES = "trees"
    HOUSES = "houses"
    WATER = "water"


class Barrier(StrEnum):
    """Terrain along the side of a square."""

    WALL = "wall"
    FENCE = "fence"
    TRENCH = "trench"
    ZARIBA = "zariba"
    KHOR = "khor"
    STREAM = "stream"


class Shape(StrEnum):
    """The arrangement of a unit's figures."""

    LINE = "line"
    COLUMN = "column"
    MARCH_COLUMN = "march column"
    SQUARE = "square"
    MASS = "mass"
    DEPLOYED = "deployed"
    LIMBERED = "limbered"
    TRAIN = "train"
    AFLOAT = "afloat"
    LEADER = "leader"


class Hedge(NamedTuple):
    """A barrier on one side of a square; the side is a facing of 0, 2, 4 or 6."""

    square: Square
    side: int
    barrier: Barrier


class Piece(NamedTuple):
    """A unit or a leader on the field, described in `words`.

    `figures` of the `full` it came with are left.
    """

    number: int
    side: Side
    nation: Nation
    kind: TroopKind
    words: str
    square: Square
    facing: int
    shape: Shape
    figures: int = 0
    full: int = 0
    disorganised: bool = False
    quick: bool = False
    """True if a gun is a machine gun."""


class DrawnTrack(NamedTuple):
    """A piece's path since the last picture."""

    side: Side
    way: tuple[Square, ...]
    back: bool = False
    """True if it was driven back."""


class DrawnShot(NamedTuple):
    """Fire from one square at another since the last picture."""

    side: Side
    start: Square
    end: Square
    hit: bool


class SquaresGround(NamedTuple):
    """A field of squares without units; `streams` has the facing of running water."""

    columns: int
    rows: int
    covers: Mapping[Square, frozenset[Cover]] = {}
    hedges: tuple[Hedge, ...] = ()
    goals: frozenset[Square] = frozenset()
    streams: Mapping[Square, int] = {}


class DrawnScene(NamedTuple):
    """A field of squares at one moment, with moves and fire since the last picture."""

    ground: SquaresGround
    pieces: tuple[Piece, ...]
    tracks: tuple[DrawnTrack, ...] = ()
    shots: tuple[DrawnShot, ...] = ()
    melees: frozenset[Square] = frozenset()


def square_name(square: Square) -> str:
    """Return a square's name: `D5` is the fourth column from the west, fifth row from the north."""
    column, row = square
    return f"{LETTERS[column]}{row + 1}"


class OpenTable(NamedTuple):
    """A table without units; `goals` are the outlines of the areas to be taken."""

    field: OpenField
    goals: tuple[tuple[TablePoint, ...], ...] = ()


class Block(NamedTuple):
    """A unit on the table, described in `words`; it began with `full` stands.

    `wounds` has the casualty markers of each stand. A `hidden` unit has not been seen by the enemy
    yet.
    """

    number: int
    side: Side
    nation: Nation
    kind: TroopKind
    words: str
    at: TablePoint
    facing: int
    formation: TableFormation
    stands: Stands
    full: int
    shaken: bool = False
    quick: bool = False
    """True if a gun is a machine gun."""
    hidden: bool = False
    wounds: tuple[int, ...] = ()


class DrawnPath(NamedTuple):
    """A unit's path since the last picture."""

    side: Side
    points: tuple[TablePoint, ...]
    back: bool = False
    """True if it was driven back."""


class DrawnVolley(NamedTuple):
    """Fire from one place at another since the last picture."""

    side: Side
    start: TablePoint
    end: TablePoint
    hit: bool


class TableScene(NamedTuple):
    """A table at one moment, with moves and fire since the last picture."""

    ground: OpenTable
    pieces: tuple[Block, ...]
    tracks: tuple[DrawnPath, ...] = ()
    shots: tuple[DrawnVolley, ...] = ()
    melees: tuple[TablePoint, ...] = ()


class Trails:
    """The moves and the fire since the last picture, gathered as events happen."""

    def __init__(self) -> None:
        self.shots: list[DrawnVolley] = []
        self._tracks: list[tuple[int, DrawnPath]] = []

    @property
    def tracks(self) -> tuple[DrawnPath, ...]:
        """Return every path, the earliest first."""
        return tuple(way for _, way in self._tracks)

    def went(
        self, number: int, side: Side, way: tuple[TablePoint, ...], *, back: bool = False
    ) -> None:
        """Add a stretch to a unit's path, joined to the last one if it continues it."""
        if len(set(way)) < 2:
            return
        if self._tracks and self._tracks[-1][0] == number and self._tracks[-1][1].back == back:
            way = (*self._tracks.pop()[1].points, *way[1:])
        self._tracks.append((number, DrawnPath(side, way, back)))

    def fired(self, side: Side, start: TablePoint, end: TablePoint, *, hit: bool) -> None:
        """Add a unit's fire at another."""
        self.shots.append(DrawnVolley(side, start, end, hit))
