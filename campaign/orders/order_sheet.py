"""The order sheet as a document, and the record of how far sheets are carried out.

Orders stand in the order in which they are carried out. Every field has a lawful default. Hexes and
units are named by their numbers; 0 is none. `Progress` is written with every journal entry.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from battles.core.decoding import DocumentError, convert_to
from campaign.rules.core.pieces import UnitId
from campaign.rules.map import HexId

Hex = Annotated[HexId, Meta(ge=0, le=99_999)]
Number = Annotated[UnitId, Meta(ge=0, le=999_999)]
Units = Annotated[tuple[Number, ...], Meta(max_length=400, extra_json_schema={"uniqueItems": True})]
Way = Annotated[tuple[Hex, ...], Meta(max_length=200)]
Hexes = Annotated[tuple[Hex, ...], Meta(max_length=60)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Text = Annotated[str, Meta(max_length=120)]
Points = Annotated[int, Meta(ge=0, le=999)]
MOST_LEGS = 60


class ContactPolicy(StrEnum):
    """The action of a stack when the enemy holds the next hex of its way."""

    STOP = "stop"
    ATTACK = "attack"
    ROUND = "go_round"


class BattleOutcome(StrEnum):
    """The result of a battle for the side that owns the sheet."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


class LeaderRound(StrEnum):
    """The round of a combat in which the stack's leader helps (7.3)."""

    MELEE = "melee"
    FIRE = "fire"
    NEITHER = "neither"


class Sharing(StrEnum):
    """The units that suffer first where the owner may choose."""

    FAIR = "as_the_book"
    CHEAPEST = "cheapest_first"
    SHAKEN = "disrupted_first"


class SheetStruct(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of a sheet: default values are omitted, unknown fields are refused."""


class FootLeg(SheetStruct, frozen=True, tag="foot", tag_field="type"):
    """A leg by land: through the hexes of `route`, or the cheapest way to `to` (8.2).

    `to` may be a hex that the enemy holds: the stack goes beside it, and attacks if its order says
    so. With `attack_only` it goes beside the hex, attacks those who hold it, does not enter it,
    and after a win takes the next leg from where it stands (9.1).
    """

    to: Hex = HexId(0)
    route: Way = ()
    attack_only: bool = False


class RailLeg(SheetStruct, frozen=True, tag="rail", tag_field="type"):
    """A leg by train to a built hex of the railway (8.22)."""

    to: Hex


class RiverLeg(SheetStruct, frozen=True, tag="river", tag_field="type"):
    """A leg by river, through `route` or the shortest way to `to`, in these `hulls` (8.23).

    Without hulls the stack uses its own craft, and as many others in its hex as it needs.
    """

    to: Hex = HexId(0)
    route: Way = ()
    hulls: Units = ()


class SeaLeg(SheetStruct, frozen=True, tag="sea", tag_field="type"):
    """A leg with the fleet to another landing (8.25)."""

    to: Hex


Leg = FootLeg | RailLeg | RiverLeg | SeaLeg


class Drop(SheetStruct, frozen=True):
    """Units that stay behind in `at`, where the stack passes; 0 is the end of its way (8.3)."""

    units: Units
    at: Hex = HexId(0)


class IfBattle(SheetStruct, frozen=True):
    """A condition: the order counts only if that battle has ended with that result."""

    battle: Text
    came: BattleOutcome


class MarchOrder(SheetStruct, frozen=True, tag="march", tag_field="type"):
    """An order for these units, which stand in `hex`, to march leg by leg (8.3).

    They throw for at most `marches` marches. They attack only where the chance to win is at least
    `least_odds` percent. With `go_on` they carry on with the order after a win, else they halt.
    With `drive_off` they first attack each enemy hex that besieges them, until none does (9.12);
    such an order needs no legs. With `storm` they attack the same hex again while they win (9.1).
    `leader` helps the stack to march and to fight, in the round of `helps`; by default it is the
    leader who helps most. With `without_leader` nobody helps it to march.
    """

    hex: Hex
    units: Units
    legs: Annotated[tuple[Leg, ...], Meta(max_length=MOST_LEGS)] = ()
    contact: ContactPolicy = ContactPolicy.STOP
    least_odds: Percent = 0
    go_on: bool = False
    drive_off: bool = False
    storm: bool = False
    drops: Annotated[tuple[Drop, ...], Meta(max_length=20)] = ()
    leader: Number = UnitId(0)
    without_leader: bool = False
    helps: LeaderRound | None = None
    marches: Annotated[int, Meta(ge=1, le=3)] = 3
    if_battle: IfBattle | None = None


class StayOrder(SheetStruct, frozen=True, tag="stay", tag_field="type"):
    """An order for these units to stay: it shows that they are not forgotten."""

    hex: Hex
    units: Units = ()


class DismountOrder(SheetStruct, frozen=True, tag="dismount", tag_field="type"):
    """An order for two Camel Corps units in `hex` to go on foot for good (8.24)."""

    hex: Hex
    units: Units
    if_battle: IfBattle | None = None


class WithdrawOrder(SheetStruct, frozen=True, tag="withdraw", tag_field="type"):
    """An order for these units to leave the map for good, in the reinforcement phase (3.1)."""

    hex: Hex
    units: Units
    if_battle: IfBattle | None = None


class DeployOrder(SheetStruct, frozen=True, tag="deploy", tag_field="type"):
    """An order to set these units up in `to` instead, before the first month (2.1)."""

    units: Units
    to: Hex


Order = MarchOrder | StayOrder | DismountOrder | WithdrawOrder | DeployOrder


class PlaceOrder(SheetStruct, frozen=True):
    """An order for arrivals: they stand in the first of `hexes` that is lawful then (3.1).

    `units` names them; without, `reason` names the group (as "monthly supply"); without either, the
    order is for all arrivals.
    """

    hexes: Hexes
    units: Units = ()
    reason: Text = ""


class RetreatInstruction(SheetStruct, frozen=True):
    """The retreat of beaten stacks (9.8): towards that hex, or to the safest place.

    `stand_fast`: they stay in towns and villages, which need not be left.
    """

    towards: Hex = HexId(0)
    stand_fast: bool = True


class SupplyInstruction(SheetStruct, frozen=True):
    """The least strength points of a stack for which a supply unit is used up (10.1).

    A supply unit in a hex of `keep` is never used, those in the hexes of `first` are used before
    others, in that order.
    """

    from_points: Points = 3
    keep: Hexes = ()
    first: Hexes = ()


class LocalInstructions(SheetStruct, frozen=True):
    """Instructions for the stacks in these hexes, and for stacks with one of these units.

    What is left out is as in the other instructions.
    """

    hexes: Hexes = ()
    units: Units = ()
    losses: Sharing | None = None
    retreat: RetreatInstruction | None = None
    supply_from_points: Points | None = None
    helps: LeaderRound | None = None


class HexPurpose(StrEnum):
    """The choices of a hex that the rules leave to a side outside its marches."""

    RAILHEAD = "railhead"
    KHALIFA = "khalifa"
    CRAFT = "craft_driven_off"
    EVENT = "random_event"


class NearInstruction(SheetStruct, frozen=True):
    """The hexes that are preferred for that choice, in this order."""

    purpose: HexPurpose
    near: Hexes = ()


class StandingInstructions(SheetStruct, frozen=True):
    """The answers to the rules' questions that no order settles.

    `spare` suffer last, `arrive` are the hexes for arrivals without an order. Where the rules ask
    for any other hex, the answer is the first of `near` that is offered, else the hex nearest to
    the first of them; of equally near ones that nearest to the second, and so on. `near_for` has
    other lists for certain choices. The first of `local` that names a stack or its hex counts for
    that stack.
    """

    losses: Sharing = Sharing.FAIR
    spare: Units = ()
    retreat: RetreatInstruction = RetreatInstruction()
    supply: SupplyInstruction = SupplyInstruction()
    helps: LeaderRound = LeaderRound.MELEE
    arrive: Hexes = ()
    near: Hexes = ()
    near_for: Annotated[tuple[NearInstruction, ...], Meta(max_length=len(HexPurpose))] = ()
    local: Annotated[tuple[LocalInstructions, ...], Meta(max_length=60)] = ()


class MonthOrders(SheetStruct, frozen=True):
    """A month's orders of one seat."""

    orders: Annotated[tuple[Order, ...], Meta(max_length=300)] = ()
    reinforcements: Annotated[tuple[PlaceOrder, ...], Meta(max_length=100)] = ()
    standing: StandingInstructions = StandingInstructions()


EMPTY = MonthOrders()


def sheet_from(document: object) -> MonthOrders:
    """Return the sheet that a JSON document holds.

    Raises DocumentError, which names what is wrong.
    """
    try:
        return convert_to(document, MonthOrders)
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(f"This is no order sheet: {error}.") from error


class SheetPlace(NamedTuple):
    """A part of a sheet: the order of that index, or the standing instructions."""

    section: Literal["orders", "reinforcements", "standing"]
    number: int = 0


def repeated_units(sheet: MonthOrders) -> Iterator[SheetPlace]:
    """Yield the parts that name a unit twice."""
    for number, order in enumerate(sheet.orders):
        if any(len(set(units)) < len(units) for units in _lists_of_units(order)):
            yield SheetPlace("orders", number)
    for number, arrivals in enumerate(sheet.reinforcements):
        if len(set(arrivals.units)) < len(arrivals.units):
            yield SheetPlace("reinforcements", number)
    spare = sheet.standing.spare
    lists = [spare, *(part.units for part in sheet.standing.local)]
    if any(len(set(units)) < len(units) for units in lists):
        yield SheetPlace("standing")


def _lists_of_units(order: Order) -> Iterator[tuple[UnitId, ...]]:
    yield order.units
    if isinstance(order, MarchOrder):
        yield from (leg.hulls for leg in order.legs if isinstance(leg, RiverLeg))
        yield tuple(unit for drop in order.drops for unit in drop.units)


def sheet_to_builtins(sheet: MonthOrders) -> object:
    """Return the sheet as plain Python values, ready for JSON."""
    return msgspec.to_builtins(sheet)


class OrderOutcome(StrEnum):
    """The extent to which an order was carried out."""

    DONE = "done"
    PARTLY = "partly"
    NOT = "not"


class OrderReport(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of an order, in words; with the clause that prevented it, and a remedy."""

    outcome: OrderOutcome
    said: str
    clause: str = ""
    remedy: str = ""


class SeatOrderReport(msgspec.Struct, omit_defaults=True):
    """The outcomes of a seat's orders, and of its orders for arrivals, by their numbers."""

    orders: dict[int, OrderReport] = {}
    arrivals: dict[int, OrderReport] = {}


class MarchProgress(msgspec.Struct, omit_defaults=True):
    """The order that the stack on the march obeys, and its progress.

    `leg` is the leg it is on; `way` is the planned route; `round`: it goes round the enemy and has
    left its route. `fought` is the hex attacked last, `began` the march of that attack, and
    `fighting` says that its result has not been read yet; `wins` counts the combats won; `driving`
    says that the last one was to drive off besiegers. `threw`: its last action was a throw for a
    march. `reason`, `clause` and `remedy` say why it halts.
    """

    seat: int
    order: int
    leg: int = 0
    fought: HexId = HexId(0)
    began: int = 0
    fighting: bool = False
    driving: bool = False
    wins: int = 0
    round: bool = False
    way: tuple[HexId, ...] = ()
    threw: bool = True
    reason: str = ""
    clause: str = ""
    remedy: str = ""


class Progress(msgspec.Struct, omit_defaults=True):
    """The progress of a side's sheets: reports by seat, and the order on the march."""

    seats: dict[int, SeatOrderReport] = {}
    marching: MarchProgress | None = None

    def copy(self) -> "Progress":
        """Return a copy that may be changed; frozen parts are shared."""
        return Progress(
            {
                seat: SeatOrderReport({**report.orders}, {**report.arrivals})
                for seat, report in self.seats.items()
            },
            None if self.marching is None else msgspec.structs.replace(self.marching),
        )

    def account(self, seat: int) -> SeatOrderReport:
        """Return the report of that seat, created if there was none."""
        return self.seats.setdefault(seat, SeatOrderReport())
