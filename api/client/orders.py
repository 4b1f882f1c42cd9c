"""Order sheets to be written: hexes and units are numbers, fields have usual defaults."""

from datetime import datetime
from typing import Literal

import msgspec


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a sheet; fields with their default value are not sent."""


class FootLeg(Written, frozen=True, tag="foot", tag_field="by"):
    """A leg by land: through the hexes of `route`, or the cheapest way to `to`."""

    to: int = 0
    route: tuple[int, ...] = ()


class RailLeg(Written, frozen=True, tag="rail", tag_field="by"):
    """A leg by train to a built hex of the railway."""

    to: int


class RiverLeg(Written, frozen=True, tag="river", tag_field="by"):
    """A leg by river, through `route` or the shortest way to `to`, in these `hulls`."""

    to: int = 0
    route: tuple[int, ...] = ()
    hulls: tuple[int, ...] = ()


class SeaLeg(Written, frozen=True, tag="sea", tag_field="by"):
    """A leg with the fleet to another landing."""

    to: int


class Drop(Written, frozen=True):
    """Units left behind in `at`, where the stack passes; 0: at its destination."""

    units: tuple[int, ...]
    at: int = 0


class IfBattle(Written, frozen=True):
    """A condition: the order applies only if that battle has this outcome."""

    battle: str
    came: Literal["won", "lost", "drawn"]


class MarchOrder(Written, frozen=True, tag="march", tag_field="order"):
    """A march of these units, which stand in `hex`, in up to three legs.

    `least_odds` is the least chance of winning, in percent, with which they attack.
    """

    hex: int
    units: tuple[int, ...]
    legs: tuple[FootLeg | RailLeg | RiverLeg | SeaLeg, ...] = ()
    contact: Literal["stop", "attack", "go round"] = "stop"
    least_odds: int = 0
    go_on: bool = False
    drops: tuple[Drop, ...] = ()
    leader: int = 0
    helps: Literal["melee", "fire", "neither"] | None = None
    marches: int = 3
    if_battle: IfBattle | None = None


class StayOrder(Written, frozen=True, tag="stay", tag_field="order"):
    """An order to stay, which shows that these units were not forgotten."""

    hex: int
    units: tuple[int, ...] = ()


class DismountOrder(Written, frozen=True, tag="dismount", tag_field="order"):
    """An order to dismount two Camel Corps units in `hex` for good."""

    hex: int
    units: tuple[int, ...]
    if_battle: IfBattle | None = None


class WithdrawOrder(Written, frozen=True, tag="withdraw", tag_field="order"):
    """An order to remove these units from the map for good."""

    hex: int
    units: tuple[int, ...]
    if_battle: IfBattle | None = None


class DeployOrder(Written, frozen=True, tag="deploy", tag_field="order"):
    """An order, before the first month, to place these units in `to` instead."""

    units: tuple[int, ...]
    to: int


class PlaceOrder(Written, frozen=True):
    """The hexes for arrivals: the first of `hexes` that is legal when they come."""

    hexes: tuple[int, ...]
    units: tuple[int, ...] = ()
    reason: str = ""


class RetreatInstruction(Written, frozen=True):
    """The direction of retreats: towards that hex, or to the safest."""

    towards: int = 0
    stand_fast: bool = True


class SupplyInstruction(Written, frozen=True):
    """The stacks that supply units are used for, and the hexes in which they are kept."""

    from_points: int = 3
    keep: tuple[int, ...] = ()


class StandingInstructions(Written, frozen=True):
    """The standing instructions: answers to questions that no order settles."""

    losses: Literal["as the book", "cheapest first", "disrupted first"] = "as the book"
    spare: tuple[int, ...] = ()
    retreat: RetreatInstruction = RetreatInstruction()
    supply: SupplyInstruction = SupplyInstruction()
    helps: Literal["melee", "fire", "neither"] = "melee"
    arrive: tuple[int, ...] = ()
    near: tuple[int, ...] = ()


class MonthOrders(Written, frozen=True):
    """A month's orders of one seat."""

    orders: tuple[MarchOrder | StayOrder | DismountOrder | WithdrawOrder | DeployOrder, ...] = ()
    reinforcements: tuple[PlaceOrder, ...] = ()
    standing: StandingInstructions = StandingInstructions()


class SheetDocument(msgspec.Struct, frozen=True):
    """The sheet of a seat for a month; `revision` 0 is a sheet that is not written yet."""

    campaign: str
    seat: int
    month: str
    month_name: str
    revision: int
    sheet: MonthOrders
    submitted: datetime | None
    ready: bool
    begun: bool
    due: str


class PreviousSheet(msgspec.Struct, frozen=True):
    """The seat's latest orders before the month, to copy from."""

    sheet: MonthOrders
