"""Types that describe a moment of a battle for drawing, on squares or on an open table.

A square is its column, from 0 in the west, and its row, from 0 in the north. A facing on squares
counts eighths of a turn clockwise from the north. `Trails` gathers the moves and the fire between
two pictures of an open table.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from battles.contract.brief import Nation, Side, TroopKind
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stands, TablePoint

Square = tuple[int, int]
Place = tuple[int, int]
"""A square, or a point of a table in hundredths."""
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
    """A unit's path since the last picture.

    `step` is the number of the entry of the log that tells of it.
    """

    side: Side
    way: tuple[Place, ...]
    back: bool = False
    """True if it was driven back."""
    unit: int = 0
    step: int = 0


class DrawnShot(NamedTuple):
    """Fire from one place at another since the last picture."""

    side: Side
    start: Place
    end: Place
    hit: bool
    step: int = 0


class DrawnLoss(NamedTuple):
    """The loss of a unit since the last picture, where it fell; `gone`: it was the end of it."""

    side: Side
    at: Place
    lost: int
    gone: bool = False
    step: int = 0


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
    losses: tuple[DrawnLoss, ...] = ()


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


class TableScene(NamedTuple):
    """A table at one moment, with moves and fire since the last picture."""

    ground: OpenTable
    pieces: tuple[Block, ...]
    tracks: tuple[DrawnTrack, ...] = ()
    shots: tuple[DrawnShot, ...] = ()
    melees: tuple[TablePoint, ...] = ()
    losses: tuple[DrawnLoss, ...] = ()


class Trails:
    """The moves, the fire and the losses since the last picture, gathered as events happen.

    `state` is that of the book, to which the events are about to happen; `step` is the number of
    the entry whose events are heard.
    """

    def __init__(self, state: Any) -> None:
        self.state = state
        self.step = 0
        self._tracks: list[tuple[int, DrawnTrack]] = []
        self._shots: list[DrawnShot] = []
        self._losses: list[DrawnLoss] = []

    @property
    def tracks(self) -> tuple[DrawnTrack, ...]:
        """Return every path, the earliest first."""
        return tuple(way for _, way in self._tracks)

    @property
    def shots(self) -> tuple[DrawnShot, ...]:
        """Return all fire, the earliest first."""
        return tuple(self._shots)

    @property
    def losses(self) -> tuple[DrawnLoss, ...]:
        """Return all losses, the earliest first."""
        return tuple(self._losses)

    def went(self, number: int, side: Side, way: tuple[Place, ...], *, back: bool = False) -> None:
        """Add a stretch to a unit's path, joined to the last one if it continues it."""
        if len(set(way)) < 2:
            return
        if self._tracks and self._tracks[-1][0] == number:
            last = self._tracks[-1][1]
            if (last.back, last.step) == (back, self.step):
                way = (*self._tracks.pop()[1].way, *way[1:])
        self._tracks.append((number, DrawnTrack(side, way, back, number, self.step)))

    def fired(self, side: Side, start: Place, end: Place, *, hit: bool) -> None:
        """Add a unit's fire at another."""
        self._shots.append(DrawnShot(side, start, end, hit, self.step))

    def fell(self, side: Side, at: Place, lost: int, *, gone: bool = False) -> None:
        """Add a loss, joined to the last one if it fell in the same place."""
        if self._losses:
            last = self._losses[-1]
            if (last.side, last.at, last.step) == (side, at, self.step):
                lost, gone = lost + last.lost, gone or last.gone
                self._losses.pop()
        self._losses.append(DrawnLoss(side, at, lost, gone, self.step))
