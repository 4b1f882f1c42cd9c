"""What a picture of a field shows, whatever the book: squares, what covers them, who is where.

A square is its column, from 0 in the west, and its row, from 0 in the north. A facing counts
eighths of a turn clockwise from the north.

What a picture of an open table shows, whatever the book: ground, stands, who did what.

What units of an open table do, gathered as it happens: the ways they go and their fire.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from battles.contract.brief import Kind, Nation, Side
from battles.tabletop.field import Field
from battles.tabletop.formations import Formation
from battles.tabletop.geometry import Stands, TablePoint

Square = tuple[int, int]
STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The way to the next square, by facing."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Cover(StrEnum):
    """What lies on a square."""

    HILL = "hill"
    SCRUB = "scrub"
    GRASS = "grass"
    ROCKS = "rocks"
    CROPS = "crops"
    TREES = "trees"
    HOUSES = "houses"
    WATER = "water"


class Barrier(StrEnum):
    """What stands or lies along the side of a square."""

    WALL = "wall"
    FENCE = "fence"
    TRENCH = "trench"
    ZARIBA = "zariba"
    KHOR = "khor"
    STREAM = "stream"


class Shape(StrEnum):
    """How the figures of a unit stand."""

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
    kind: Kind
    words: str
    square: Square
    facing: int
    shape: Shape
    figures: int = 0
    full: int = 0
    disorganised: bool = False
    quick: bool = False
    """Whether a gun is a machine gun."""


class DrawnTrack(NamedTuple):
    """The way a piece has taken since the last picture."""

    side: Side
    way: tuple[Square, ...]
    back: bool = False
    """Whether it was driven back."""


class DrawnShot(NamedTuple):
    """Fire from one square at another since the last picture."""

    side: Side
    start: Square
    end: Square
    hit: bool


class SquaresGround(NamedTuple):
    """The field without anybody on it; `streams` has the facing towards which water runs."""

    columns: int
    rows: int
    covers: Mapping[Square, frozenset[Cover]] = {}
    hedges: tuple[Hedge, ...] = ()
    goals: frozenset[Square] = frozenset()
    streams: Mapping[Square, int] = {}


class Scene(NamedTuple):
    """The field at one moment, and what has led to it since the last."""

    ground: SquaresGround
    pieces: tuple[Piece, ...]
    tracks: tuple[DrawnTrack, ...] = ()
    shots: tuple[DrawnShot, ...] = ()
    melees: frozenset[Square] = frozenset()


def square_name(square: Square) -> str:
    """`D5` for the fourth column from the west, the fifth row from the north."""
    column, row = square
    return f"{LETTERS[column]}{row + 1}"


class OpenTable(NamedTuple):
    """The field without anybody on it; `goals` are the outlines of what is to be taken."""

    field: Field
    goals: tuple[tuple[TablePoint, ...], ...] = ()


class Block(NamedTuple):
    """A unit on the table, described in `words`: `full` stands came.

    `wounds` has the casualty markers of each stand. `hidden`: the enemy has not seen it yet.
    """

    number: int
    side: Side
    nation: Nation
    kind: Kind
    words: str
    at: TablePoint
    facing: int
    formation: Formation
    stands: Stands
    full: int
    shaken: bool = False
    quick: bool = False
    """Whether a gun is a machine gun."""
    hidden: bool = False
    wounds: tuple[int, ...] = ()


class DrawnPath(NamedTuple):
    """The way a unit has taken since the last picture."""

    side: Side
    points: tuple[TablePoint, ...]
    back: bool = False
    """Whether it was driven back."""


class DrawnVolley(NamedTuple):
    """Fire from one place at another since the last picture."""

    side: Side
    start: TablePoint
    end: TablePoint
    hit: bool


class TableScene(NamedTuple):
    """The table at one moment, and what has led to it since the last."""

    ground: OpenTable
    pieces: tuple[Block, ...]
    tracks: tuple[DrawnPath, ...] = ()
    shots: tuple[DrawnVolley, ...] = ()
    melees: tuple[TablePoint, ...] = ()


class Trails:
    """The ways taken and the fire since the last picture."""

    def __init__(self) -> None:
        self.shots: list[DrawnVolley] = []
        self._tracks: list[tuple[int, DrawnPath]] = []

    @property
    def tracks(self) -> tuple[DrawnPath, ...]:
        """Return every way, the earliest first."""
        return tuple(way for _, way in self._tracks)

    def went(
        self, number: int, side: Side, way: tuple[TablePoint, ...], *, back: bool = False
    ) -> None:
        """One more stretch of a unit's way, joined to the last where it goes on from there."""
        if len(set(way)) < 2:
            return
        if self._tracks and self._tracks[-1][0] == number and self._tracks[-1][1].back == back:
            way = (*self._tracks.pop()[1].points, *way[1:])
        self._tracks.append((number, DrawnPath(side, way, back)))

    def fired(self, side: Side, start: TablePoint, end: TablePoint, *, hit: bool) -> None:
        """A unit has fired at another."""
        self.shots.append(DrawnVolley(side, start, end, hit))
