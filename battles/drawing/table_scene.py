"""What a picture of an open table shows, whatever the book: ground, stands, who did what."""

from typing import NamedTuple

from battles.contract.troops import Kind, Nation, Side
from battles.open_table.field import Field
from battles.open_table.formations import Formation
from battles.open_table.points import Point
from battles.open_table.stands import Stands


class Table(NamedTuple):
    """The field without anybody on it; `goals` are the outlines of what is to be taken."""

    field: Field
    goals: tuple[tuple[Point, ...], ...] = ()


class Block(NamedTuple):
    """A unit on the table, described in `words`: `full` stands came.

    `wounds` has the casualty markers of each stand. `hidden`: the enemy has not seen it yet.
    """

    number: int
    side: Side
    nation: Nation
    kind: Kind
    words: str
    at: Point
    facing: int
    formation: Formation
    stands: Stands
    full: int
    shaken: bool = False
    quick: bool = False
    """Whether a gun is a machine gun."""
    hidden: bool = False
    wounds: tuple[int, ...] = ()


class Way(NamedTuple):
    """The way a unit has taken since the last picture."""

    side: Side
    points: tuple[Point, ...]
    back: bool = False
    """Whether it was driven back."""


class Volley(NamedTuple):
    """Fire from one place at another since the last picture."""

    side: Side
    start: Point
    end: Point
    hit: bool


class TableScene(NamedTuple):
    """The table at one moment, and what has led to it since the last."""

    ground: Table
    pieces: tuple[Block, ...]
    tracks: tuple[Way, ...] = ()
    shots: tuple[Volley, ...] = ()
    melees: tuple[Point, ...] = ()
