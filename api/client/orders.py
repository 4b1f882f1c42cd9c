"""Order sheets, as they are written: hexes and units are numbers, what is not said is as usual."""

from datetime import datetime
from typing import Literal

import msgspec


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a sheet; what has its usual value is not sent."""


class Foot(Written, frozen=True, tag="foot", tag_field="by"):
    """By land: through the hexes of `route`, or the cheapest way to `to`."""

    to: int = 0
    route: tuple[int, ...] = ()


class Rail(Written, frozen=True, tag="rail", tag_field="by"):
    """By train to a built hex of the railway."""

    to: int


class River(Written, frozen=True, tag="river", tag_field="by"):
    """By river, through `route` or the shortest way to `to`, in these `hulls`."""

    to: int = 0
    route: tuple[int, ...] = ()
    hulls: tuple[int, ...] = ()


class Sea(Written, frozen=True, tag="sea", tag_field="by"):
    """With the fleet to another landing."""

    to: int


class Drop(Written, frozen=True):
    """These units stay behind in `at`, where the stack passes; 0: where its way ends."""

    units: tuple[int, ...]
    at: int = 0


class IfBattle(Written, frozen=True):
    """The order counts only if the battle of that number has come so."""

    battle: str
    came: Literal["won", "lost", "drawn"]


class MarchOrder(Written, frozen=True, tag="march", tag_field="order"):
    """These units, which stand in `hex`, march in up to three legs.

    `least_odds`: attack only where the chance to win is so many in a hundred.
    """

    hex: int
    units: tuple[int, ...]
    legs: tuple[Foot | Rail | River | Sea, ...] = ()
    contact: Literal["stop", "attack", "go round"] = "stop"
    least_odds: int = 0
    go_on: bool = False
    drops: tuple[Drop, ...] = ()
    leader: int = 0
    helps: Literal["melee", "fire", "neither"] | None = None
    marches: int = 3
    if_battle: IfBattle | None = None


class StayOrder(Written, frozen=True, tag="stay", tag_field="order"):
    """These units stay where they are: said, so that nobody takes them for forgotten."""

    hex: int
    units: tuple[int, ...] = ()


class DismountOrder(Written, frozen=True, tag="dismount", tag_field="order"):
    """Two Camel Corps units that stand in `hex` go on foot for good."""

    hex: int
    units: tuple[int, ...]
    if_battle: IfBattle | None = None


class WithdrawOrder(Written, frozen=True, tag="withdraw", tag_field="order"):
    """These units leave the map for good."""

    hex: int
    units: tuple[int, ...]
    if_battle: IfBattle | None = None


class DeployOrder(Written, frozen=True, tag="deploy", tag_field="order"):
    """Before the first month: these units stand in `to` instead."""

    units: tuple[int, ...]
    to: int


class PlaceOrder(Written, frozen=True):
    """Where arrivals stand: the first of `hexes` that is lawful when they come."""

    hexes: tuple[int, ...]
    units: tuple[int, ...] = ()
    reason: str = ""


class Retreat(Written, frozen=True):
    """Where beaten stacks go: towards that hex, or where it is safest."""

    towards: int = 0
    stand_fast: bool = True


class Supply(Written, frozen=True):
    """When a supply unit is used up for a stack, and in which hexes never."""

    from_points: int = 3
    keep: tuple[int, ...] = ()


class Standing(Written, frozen=True):
    """What is to be answered when the rules ask and no order says it."""

    losses: Literal["as the book", "cheapest first", "disrupted first"] = "as the book"
    spare: tuple[int, ...] = ()
    retreat: Retreat = Retreat()
    supply: Supply = Supply()
    helps: Literal["melee", "fire", "neither"] = "melee"
    arrive: tuple[int, ...] = ()
    near: tuple[int, ...] = ()


class Sheet(Written, frozen=True):
    """A month's orders of one seat."""

    orders: tuple[MarchOrder | StayOrder | DismountOrder | WithdrawOrder | DeployOrder, ...] = ()
    reinforcements: tuple[PlaceOrder, ...] = ()
    standing: Standing = Standing()


class SheetDocument(msgspec.Struct, frozen=True):
    """The sheet of a seat for a month; `revision` 0: nothing is written yet."""

    campaign: str
    seat: int
    month: str
    month_name: str
    revision: int
    sheet: Sheet
    submitted: datetime | None
    ready: bool
    begun: bool
    due: str


class PreviousSheet(msgspec.Struct, frozen=True):
    """What the seat ordered last before the month, to copy from."""

    sheet: Sheet
