"""The questions to commanders, and the actions that answer them."""

from typing import Annotated

import msgspec

from battles.books.fuzzy_wuzzy.pieces import Change, Combat, Rate
from battles.contract import set_up
from battles.core.decoding import rest_name
from battles.core.game import Action
from battles.tabletop import deployment
from battles.tabletop.geometry import TablePoint

Asked = set_up.Asked
ToSetUp = set_up.ToSetUp
Restore = set_up.Restore
Deploy = deployment.Deploy


class ToOrder(Asked, frozen=True):
    """The orders for a side's units (section 4). Answers: Order, any number of times, then Done."""


class ToMove(Asked, frozen=True):
    """The moves of units that have rolled for their distance. Answers: Move, Close, Done."""


class ToFire(Asked, frozen=True):
    """The targets of these units, which are ordered to fire (section 10). Answers: Fire, Done."""

    units: Annotated[tuple[int, ...], rest_name("unit_ids")] = ()


class ToAdvance(Asked, frozen=True):
    """An immediate advance of a unit after combat. Answers: Move, Close, Done.

    `cause` is "impulse" (section 11) or "pursuit" (section 14).
    """

    unit: int
    cause: str


class ToRecover(Asked, frozen=True):
    """Recovery of casualties for units that kept apart (section 16). Answers: Recover, Done."""


Question = ToSetUp | ToOrder | ToMove | ToFire | ToAdvance | ToRecover


class UnitOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit's orders for this move, at most one of each sort (section 4)."""

    unit: int
    movement: Rate | None = None
    change: Change | None = None
    combat: Combat | None = None


class Order(Action, frozen=True):
    """Give orders to units; they replace any earlier orders."""

    orders: tuple[UnitOrder, ...]


class Move(Action, frozen=True):
    """Move a unit straight to a place (the middle of its front rank), with this facing."""

    unit: int
    to: TablePoint
    facing: int


class Close(Action, frozen=True):
    """Move a unit straight into contact with an enemy unit."""

    unit: int
    target: int


class Fire(Action, frozen=True):
    """Fire with all stands of a unit that bear upon the target and have not fired yet."""

    unit: int
    target: int


class Recover(Action, frozen=True):
    """Recover casualties of a unit."""

    unit: int


class Done(Action, frozen=True):
    """End the answers to this question."""


AnyAction = Deploy | Restore | Order | Move | Close | Fire | Recover | Done
