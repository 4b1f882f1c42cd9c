"""Read order sheets: find a seat's sheet, parse, check and describe it, with its odds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from battles.contract.brief import Brief, Side
from battles.core.decoding import DocumentError, decode
from battles.journal import unpack
from battles.services.quota import limit_cpu
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.odds.assault import AssaultOdds, Defence, Sampling, Wave, assault
from campaign.odds.meeting import staff_plan
from campaign.orders import checks
from campaign.orders.checks import OrderChances
from campaign.orders.findings import Finding, Severity
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import (
    EMPTY,
    MarchOrder,
    MarchProgress,
    MonthOrders,
    Progress,
    SeatOrderReport,
    repeated_units,
    sheet_from,
)
from campaign.orders.sheet_prose import SheetDescription, describe_sheet
from campaign.rules.core.board import board
from campaign.rules.core.events import AgendaRecorded, CombatEnded
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import State, hands_over
from campaign.rules.map import HexId
from campaign.rules.sight import supposed_state
from campaign.services.errors import NotAllowed, UnfitRequest

# Read order sheets: find a seat's sheet, parse it, check it, and describe it.


MOST_AT_ONCE = 25
"""The orders that are checked in a tenth of a second; longer checks are limited per user."""


_PARTS = {
    "orders": "Order {number}",
    "reinforcements": "The order for arrivals {number}",
    "standing": "The standing instruction on losses",
}


@dataclass(frozen=True)
class SheetStatus:
    """A seat's progress with its orders for the month, and the problems the umpire should know."""

    seat: Seat
    sheet: OrderSheet | None
    submitted: bool
    ready: bool
    orders: int
    impossible: list[Finding]
    without_orders: list[HexId]


class StoredProgress(msgspec.Struct, omit_defaults=True):
    """The progress of one sheet's orders, as its row stores it."""

    account: SeatOrderReport = msgspec.field(default_factory=SeatOrderReport)
    marching: MarchProgress | None = None


def seat_for(campaign: Campaign, user: User | AnonymousUser, seat_id: int) -> Seat:
    """Return the seat if it gives orders and is this user's own. Raises NotAllowed."""
    seat = campaign.seats.filter(pk=seat_id, role__in=Seat.SIDES).first()
    if seat is None or seat.user_id is None or seat.user_id != user.pk:
        raise NotAllowed("Only the holder of a seat writes and reads its orders.")
    return seat


def sheet_for(
    campaign: Campaign, user: User | AnonymousUser, seat_id: int, month: int | None = None
) -> OrderSheet | None:
    """Return the seat's sheet of the month (by default the current one), if it has been begun."""
    return sheet_of(campaign, seat_for(campaign, user, seat_id), month_of(campaign, month))


def sheet_of(campaign: Campaign, seat: Seat, month: int) -> OrderSheet | None:
    """Return the seat's sheet of that month on the campaign's branch, if it has been begun."""
    return sheets_of(campaign, month).filter(seat=seat).first()


def sheets_of(campaign: Campaign, month: int) -> QuerySet[OrderSheet]:
    """Return the sheets of that month on the campaign's branch, except withdrawn ones."""
    return campaign.sheets.filter(branch=campaign.branch, month=month, withdrawn=False)


def month_of(campaign: Campaign, month: int | None) -> int:
    """Return the month that orders are for: the current one, or the one after it.

    Raises UnfitRequest.
    """
    if month is None:
        return campaign.month
    if month not in (campaign.month, campaign.month + 1):
        raise UnfitRequest(
            f"Orders are written for {month_name(Month(campaign.month))} and, ahead, for the "
            "month after it."
        )
    return month


def document_of(sheet: OrderSheet | None) -> MonthOrders:
    """Return the orders of the sheet; an empty sheet where there is none."""
    if sheet is None or not sheet.document:
        return EMPTY
    return decode(unpack(sheet.document), MonthOrders)


def progress_of(sheets: Iterable[OrderSheet]) -> Progress:
    """Return the progress of the sheets as last written."""
    progress = Progress()
    for sheet in sheets:
        stored = (
            decode(unpack(sheet.progress), StoredProgress) if sheet.progress else StoredProgress()
        )
        progress.seats[sheet.seat_id] = stored.account
        progress.marching = stored.marching or progress.marching
    return progress


def last_month(campaign: Campaign, seat: Seat, month: int) -> MonthOrders:
    """Return the seat's last orders before that month on the present line, to copy from."""
    branches = [stretch.branch for stretch in selectors.line_of(campaign)]
    earlier = seat.sheets.filter(month__lt=month, branch__in=branches, withdrawn=False)
    return document_of(earlier.order_by("-month", "-branch").first())


def receipts(
    campaign: Campaign, user: User | AnonymousUser, seat_id: int, month: int | None = None
) -> QuerySet[Receipt]:
    """Return the receipts of the seat, the latest first; of one month if given.

    Raises NotAllowed.
    """
    seat = seat_for(campaign, user, seat_id)
    rows = Receipt.objects.filter(sheet__seat=seat, sheet__withdrawn=False)
    if month is not None:
        rows = rows.filter(sheet__month=month)
    return rows.select_related("sheet")


def parse_sheet(document: object) -> MonthOrders:
    """Return the document as order sheet. Raises UnfitRequest, with a message, for an invalid one.

    A MonthOrders is returned as it is: it has been parsed before.
    """
    if isinstance(document, MonthOrders):
        return document
    try:
        sheet = sheet_from(document)
    except DocumentError as error:
        raise UnfitRequest(str(error)) from error
    for place in repeated_units(sheet):
        part = _PARTS[place.section].format(number=place.number + 1)
        where = place.section if place.section == "standing" else f"{place.section}/{place.number}"
        raise UnfitRequest(f"{part} names a unit twice: name each unit once.", where)
    return sheet


def check(
    campaign: Campaign,
    user: User | AnonymousUser,
    seat_id: int,
    document: object,
    *,
    month: int | None = None,
) -> list[Finding]:
    """Return the findings about the sheet as written, by what the seat's side knows.

    Raises NotAllowed and UnfitRequest, and Busy as `reckoning` where the sheet is long.
    """
    month = month_of(campaign, month)
    seat, sheet = seat_for(campaign, user, seat_id), parse_sheet(document)
    stored = sheet_of(campaign, seat, month)
    under_way = stored is not None and stored.begun is not None and document_of(stored) == sheet
    with _limit_checks(user, [sheet]):
        return findings(campaign, seat, sheet, stored if under_way else None)


@contextmanager
def _limit_checks(user: User | AnonymousUser, sheets: Iterable[MonthOrders]) -> Iterator[None]:
    """Limit long checks to one request at a time per user. Raises Busy."""
    if sum(map(_steps, sheets)) <= MOST_AT_ONCE:
        yield
        return
    with limit_cpu(user):
        yield


def _steps(sheet: MonthOrders) -> int:
    """Return the approximate work of a check: one for each order and each stop on its way.

    A sheet that supposes battles is checked once for each way in which they may end.
    """
    stops = sum(len(order.drops) for order in sheet.orders if isinstance(order, MarchOrder))
    return (len(sheet.orders) + stops) * (3 if supposes_battles(sheet) else 1)


class SheetInView(NamedTuple):
    """A seat's sheet, what its side knows, and the seats of its side, the others without a sheet.

    The results of battles are looked up only for a sheet that supposes some.
    """

    state: State
    commander: SeatCommand
    headquarters: Headquarters


def _sheet_in_view(campaign: Campaign, seat: Seat, sheet: MonthOrders) -> SheetInView:
    commander = commander_of_seat(seat, sheet)
    seats = campaign.seats.filter(role=seat.role).exclude(pk=seat.pk)
    others = (commander_of_seat(other, EMPTY) for other in seats)
    battles = battles_over(campaign) if supposes_battles(sheet) else {}
    headquarters = Headquarters((commander, *others), battles)
    return SheetInView(known_state(campaign, seat), commander, headquarters)


def findings(
    campaign: Campaign, seat: Seat, sheet: MonthOrders, under_way: OrderSheet | None = None
) -> list[Finding]:
    """Return the findings about that sheet of the seat, by what its side knows.

    If the sheet is being carried out, `under_way` is its row, and only future orders are judged.
    """
    return _findings(_sheet_in_view(campaign, seat, sheet), under_way)


def _findings(view: SheetInView, under_way: OrderSheet | None) -> list[Finding]:
    progress = progress_of([under_way]) if under_way is not None else None
    return list(checks.check(*view, progress))


def read_back(
    campaign: Campaign,
    user: User | AnonymousUser,
    seat_id: int,
    document: object,
    *,
    month: int | None = None,
) -> SheetDescription:
    """Return the sheet in sentences, as `describe`. Raises NotAllowed and UnfitRequest."""
    seat = seat_for(campaign, user, seat_id)
    stored = sheet_of(campaign, seat, month_of(campaign, month))
    return describe(campaign, seat, parse_sheet(document), stored)


def describe(
    campaign: Campaign, seat: Seat, orders: MonthOrders, stored: OrderSheet | None
) -> SheetDescription:
    """Return the orders in sentences, by what the seat's side knows.

    While the stored sheet is carried out, they are read by the position in which its month began:
    that is the one they were written for.
    """
    month = stored.month - 1 if stored and stored.begun else campaign.month
    return describe_sheet(_known_state_at(campaign, seat, month), orders)


def known_state(campaign: Campaign, seat: Seat) -> State:
    """Return the campaign as the seat's side knows it; read-only."""
    return _known_state_at(campaign, seat, campaign.month)


def _known_state_at(campaign: Campaign, seat: Seat, month: int) -> State:
    view = fog_of_war.view_at(campaign, month, Side(seat.role))
    return supposed_state(view) if view.fogged else view.state


def commander_of_seat(seat: Seat, sheet: MonthOrders, *, staff: bool = False) -> SeatCommand:
    """Return the seat with its orders and command."""
    return SeatCommand(
        seat.pk,
        Side(seat.role),
        sheet,
        tuple(part for part in seat.command if isinstance(part, int | str)),
        staff,
        seat.name,
    )


def supposes_battles(sheet: MonthOrders) -> bool:
    """Return whether an order of the sheet counts only after a battle."""
    return any(getattr(order, "if_battle", None) is not None for order in sheet.orders)


def battles_over(campaign: Campaign) -> dict[str, Side | None]:
    """Return the winner of each battle handed over since last month, by the battle's own number."""
    winners: dict[str, Side | None] = {}
    awaited = ""
    for entry in selectors.entries_on(campaign).filter(month__gte=campaign.month - 1):
        for event in serialization.events_of(entry):
            if isinstance(event, CombatEnded) and awaited:
                winners[awaited], awaited = event.winner, ""
            if isinstance(event, AgendaRecorded) and isinstance(event.question, ToFight):
                awaited = event.question.brief.id
    return winners


def standing_of(campaign: Campaign, user: User | AnonymousUser) -> list[SheetStatus]:
    """Return every seat's progress with the current month, for the umpire.

    Raises Busy as `check`.
    """
    seats = campaign.seats.filter(role__in=Seat.SIDES).select_related("user").order_by("role", "pk")
    sheets = {sheet.seat_id: sheet for sheet in sheets_of(campaign, campaign.month)}
    with _limit_checks(user, map(document_of, sheets.values())):
        return [_sheet_status(campaign, seat, sheets.get(seat.pk)) for seat in seats]


def _sheet_status(campaign: Campaign, seat: Seat, sheet: OrderSheet | None) -> SheetStatus:
    orders = document_of(sheet)
    under_way = sheet if sheet is not None and sheet.begun is not None else None
    view = _sheet_in_view(campaign, seat, orders)
    problems = _findings(view, under_way) if orders != EMPTY else []
    return SheetStatus(
        seat,
        sheet,
        submitted=sheet is not None and sheet.submitted is not None,
        ready=sheet is not None and sheet.ready,
        orders=len(orders.orders),
        impossible=[problem for problem in problems if problem.verdict is Severity.IMPOSSIBLE],
        without_orders=[] if under_way else list(checks.stacks_without_orders(*view)),
    )


# Compute the odds of an order sheet from what the seat's side knows.


NO_BATTLE = "That order leads to no battle that a book could fight, as far as is known."
BY_TABLE = (
    "This campaign’s battles are settled by its own table, whose odds stand beside the order. "
    "A book may be tried where the umpire has battles handed over."
)


class OrderSheetOdds(NamedTuple):
    """The odds of a sheet: of each order, and of every hex that several orders attack."""

    orders: tuple[OrderChances, ...]
    assaults: dict[HexId, AssaultOdds]


def odds_of_sheet(campaign: Campaign, user: User, seat_id: int, document: object) -> OrderSheetOdds:
    """Return the odds of the sheet. Raises NotAllowed, UnfitRequest, and Busy as `reckoning`."""
    seat, sheet = seat_for(campaign, user, seat_id), parse_sheet(document)
    with limit_cpu(user) as spend:
        view = _sheet_in_view(campaign, seat, sheet)
        chances = checks.chances(*view, spend)
        return OrderSheetOdds(chances, _assaults(view, chances, spend))


def _assaults(
    view: SheetInView, chances: Sequence[OrderChances], spend: Callable[[], None]
) -> dict[HexId, AssaultOdds]:
    """Return the odds of every hex that several orders attack, one after the other."""
    waves: dict[HexId, list[Wave]] = {}
    for fight in (fight for order in chances for fight in order.fights):
        if fight.wave is not None:
            waves.setdefault(fight.hex, []).append(fight.wave)
    side = view.commander.side
    state = msgspec.structs.replace(view.state, side=side)
    sampling = Sampling(spend=spend)
    return {
        hex_id: assault(state, several, _defence(state, side, hex_id, several), sampling)
        for hex_id, several in waves.items()
        if len(several) > 1
    }


def _defence(state: State, side: Side, hex_id: HexId, waves: Sequence[Wave]) -> Defence:
    """Return the defender, who fights as the staff would against the first wave."""
    enemies = board(state).stack(side.enemy, hex_id)
    return Defence(hex_id, staff_plan(state, enemies, waves[0].units))


def brief_of_order(
    campaign: Campaign, user: User, seat_id: int, document: object, number: int
) -> Brief:
    """Return the battle that the order of that number, from 0, leads to.

    Raises UnfitRequest if it leads to none.

    None is known where battles are not handed over, or the enemy's strength is not known. Raises
    NotAllowed too, and Busy as `reckoning`.
    """
    seat, sheet = seat_for(campaign, user, seat_id), parse_sheet(document)
    with limit_cpu(user) as spend:
        chances = checks.chances(*_sheet_in_view(campaign, seat, sheet), spend)
    fights = (fight for order in chances if order.number == number for fight in order.fights)
    brief = next((fight.brief for fight in fights if fight.brief is not None), None)
    if brief is None:
        message = NO_BATTLE if hands_over(selectors.state_now(campaign)) else BY_TABLE
        raise UnfitRequest(message, "order_index")
    return brief
