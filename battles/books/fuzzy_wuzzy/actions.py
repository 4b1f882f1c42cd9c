"""What the commanders can do. Lengths are hundredths of a centimetre, facings degrees."""

import msgspec

from battles.books.fuzzy_wuzzy.pieces import Change, Combat, Rate
from battles.core.game import Action
from battles.open_table.points import Point


class UnitOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a unit is ordered to do this move: one order of each sort at most (section 4)."""

    unit: int
    movement: Rate | None = None
    change: Change | None = None
    combat: Combat | None = None


class Order(Action, frozen=True):
    """Orders for units; a unit that had orders has these instead."""

    orders: tuple[UnitOrder, ...]


class Move(Action, frozen=True):
    """A unit goes straight to a place (the middle of its front rank) and faces so."""

    unit: int
    to: Point
    facing: int


class Close(Action, frozen=True):
    """A unit goes straight into contact with an enemy unit."""

    unit: int
    target: int


class Fire(Action, frozen=True):
    """All stands of a unit that bear upon the target and have not fired yet fire at it."""

    unit: int
    target: int


class Recover(Action, frozen=True):
    """A unit recovers casualties."""

    unit: int


class Done(Action, frozen=True):
    """No more of this."""


AnyAction = Order | Move | Close | Fire | Recover | Done
