"""What commanders are asked, and what they may do."""

import msgspec

from battles.books.fuzzy_wuzzy.pieces import Change, Combat, Rate
from battles.contract.brief import Side
from battles.core.game import Action
from battles.tabletop.geometry import TablePoint


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToOrder(Asked, frozen=True):
    """Orders for the units of the side (section 4). Order as often as one likes, then Done."""


class ToMove(Asked, frozen=True):
    """Units that have thrown for their distance go where they shall. Move, Close, Done."""


class ToFire(Asked, frozen=True):
    """These units, ordered to fire and with a target, choose it (section 10). Fire, Done."""

    units: tuple[int, ...] = ()


class ToAdvance(Asked, frozen=True):
    """A unit may go forward at once: after fire, or after the enemy it fought. Move, Close, Done.

    `cause` is "impulse" (section 11) or "pursuit" (section 14).
    """

    unit: int
    cause: str


class ToRecover(Asked, frozen=True):
    """Units that stood apart may recover casualties (section 16). Recover, Done."""


Question = ToOrder | ToMove | ToFire | ToAdvance | ToRecover


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
    to: TablePoint
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
