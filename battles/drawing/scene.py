"""What a picture of a field shows, whatever the book: squares, what covers them, who is where.

A square is its column, from 0 in the west, and its row, from 0 in the north. A facing counts
eighths of a turn clockwise from the north.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from battles.contract.troops import Kind, Nation, Side

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


class Track(NamedTuple):
    """The way a piece has taken since the last picture."""

    side: Side
    way: tuple[Square, ...]
    back: bool = False
    """Whether it was driven back."""


class Shot(NamedTuple):
    """Fire from one square at another since the last picture."""

    side: Side
    start: Square
    end: Square
    hit: bool


class Ground(NamedTuple):
    """The field without anybody on it; `streams` has the facing towards which water runs."""

    columns: int
    rows: int
    covers: Mapping[Square, frozenset[Cover]] = {}
    hedges: tuple[Hedge, ...] = ()
    goals: frozenset[Square] = frozenset()
    streams: Mapping[Square, int] = {}


class Scene(NamedTuple):
    """The field at one moment, and what has led to it since the last."""

    ground: Ground
    pieces: tuple[Piece, ...]
    tracks: tuple[Track, ...] = ()
    shots: tuple[Shot, ...] = ()
    melees: frozenset[Square] = frozenset()


def square_name(square: Square) -> str:
    """`D5` for the fourth column from the west, the fifth row from the north."""
    column, row = square
    return f"{LETTERS[column]}{row + 1}"
