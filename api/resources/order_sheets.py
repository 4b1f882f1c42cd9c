"""Order sheets: read, check, write and submit them; their odds, receipts, and reach."""

import re
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar

from django.http import HttpResponse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request

from api.documents.odds import (
    CombatOddsDocument,
    SheetOddsDocument,
    combat_odds_document,
    sheet_odds,
)
from api.documents.order_sheets import (
    CheckedSheet,
    OrdersDocument,
    ReachDocument,
    ReceiptDocument,
    SheetDocument,
    checked_sheet,
    orders_document,
    reach_document,
    receipt_document,
    sheet_document,
)
from api.http.encoding import RequestBody
from api.http.endpoint import OwnEndpoint, Paged, operation
from api.http.field_errors import LONGEST_NAME, value_at
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of, respond_with_version, revision_named, unless_stale
from api.http.problems import (
    InvalidField,
    Problem,
    invalid_fields,
    invalid_parameters,
    unfit,
    unfit_parameters,
)
from api.http.responses import PAGES, Newest
from api.http.throttles import LongThrottle
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, OrderSheet, Seat
from campaign.odds.combat import combat_odds
from campaign.odds.meeting import combat_setup_of
from campaign.orders.order_sheet import (
    MonthOrders,
    Order,
    PlaceOrder,
    StandingInstructions,
    repeated_units,
)
from campaign.rules.core.board import laws
from campaign.rules.core.pieces import Month, UnitId, month_from_text, month_slug
from campaign.rules.prose.names import label, similar_units
from campaign.services import order_sheets, order_submission
from campaign.services.order_sheets import odds_of_sheet, seat_for

# Order sheets: read, check, write and submit them; their receipts, and the reach of a stack.


MOST_UNITS = 400
MOST_NAMED = 3
"""The units that an error names as similar."""
_UNIT_PLACE = re.compile(r"_ids?(/\d+)?$")
"""The end of a JSON Pointer to the number of a unit."""
Salt = Annotated[
    str,
    Meta(
        pattern="^([0-9a-fA-F]{2}){16,32}$",
        description="16 to 32 bytes in hexadecimal, mixed into the month's dice; "
        "by default the server draws them.",
        extra={"in_words": "16 to 32 bytes in hexadecimal"},
    ),
]


class OrdersBody(RequestBody, frozen=True):
    """The orders for a month. No list names a unit twice."""

    orders: Annotated[tuple[Order, ...], Meta(max_length=300)] = ()
    reinforcements: Annotated[tuple[PlaceOrder, ...], Meta(max_length=100)] = ()
    standing: StandingInstructions = StandingInstructions()

    def __post_init__(self) -> None:
        twice = [
            f"/{section}" if section == "standing" else f"/{section}/{number}"
            for section, number in repeated_units(self.month_orders)
        ]
        if twice:
            raise invalid_fields(InvalidField(pointer, "Name each unit once.") for pointer in twice)

    @property
    def month_orders(self) -> MonthOrders:
        return MonthOrders(self.orders, self.reinforcements, self.standing)


class SheetBody(OrdersBody, frozen=True):
    """The whole sheet of a month. No list names a unit twice."""

    salt: Salt | None = None


class SheetChange(RequestBody, frozen=True):
    """A change of a sheet's state; what is left out stays as it is.

    A sheet that is ready is submitted too, and one that is withdrawn is not ready.
    """

    submitted: bool | UnsetType = UNSET
    ready: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.submitted is False and self.ready is True:
            raise unfit(ready="A sheet that is not submitted cannot be ready.")


SheetKind = TypeVar("SheetKind", bound=OrdersBody)


class SheetRequest(NamedTuple):
    """The campaign, seat and month of the requested sheet."""

    campaign: Campaign
    seat: Seat
    month: int


class SheetEndpoint(OwnEndpoint):
    """An endpoint about the sheet of the caller's seat for a month."""

    largest_body: ClassVar[int] = 400_000

    def sheet_request(self, slug: str, number: int, month: str) -> SheetRequest:
        """Return the sheet's address. Problem for an unknown one, NotAllowed for others' seats."""
        campaign, seat = _own_seat(self.request, slug, number)
        no_month = f"{month!r} is no month: write it like {month_slug(Month(campaign.month))}."
        try:
            when = month_from_text(month)
        except ValueError as error:
            raise Problem("not-found", no_month) from error
        if month_slug(when) != month:
            raise Problem("not-found", no_month)
        order_sheets.sheet_for(campaign, self.request.user, seat.pk, when)
        return SheetRequest(campaign, seat, when)

    def read(self, kind: type[SheetKind], target: SheetRequest) -> SheetKind:
        """Return the body of the request.

        Raises the problem `invalid`, which names the ids meant by units that were given by name.
        """
        try:
            return kind.read(self.request)
        except Problem as problem:
            for error in problem.members.get("errors", ()):
                written = value_at(self.request.data, error["pointer"])
                if isinstance(written, str) and _UNIT_PLACE.search(error["pointer"]):
                    state = order_sheets.known_state(target.campaign, target.seat)
                    near = similar_units(state, Side(target.seat.role), written[:LONGEST_NAME])
                    suggestion = " or ".join(
                        f"{unit.id} ({label(unit)})" for unit in near[:MOST_NAMED]
                    )
                    hint = f" Did you mean {suggestion}?" if suggestion else ""
                    error["detail"] = f"A unit is named by its `id`, a whole number.{hint}"
            raise

    def sheet_of(self, target: SheetRequest) -> OrderSheet | None:
        """Return the stored sheet, or None."""
        return order_sheets.sheet_for(
            target.campaign, self.request.user, target.seat.pk, target.month
        )


class OneSheet(SheetEndpoint):
    """The order sheet of your seat for the current or the next month."""

    @operation(SheetDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, id: int, month: str) -> HttpResponse:
        """Retrieve the sheet.

        Send its ETag in `If-Match` when you write it.
        """
        target = self.sheet_request(slug, id, month)
        sheet = self.sheet_of(target)
        document = sheet_document(target.campaign, target.seat, target.month, sheet)
        return respond_with_version(request, document)

    @operation(SheetDocument, takes=SheetBody, once=True, match=True)
    def put(self, request: Request, slug: str, id: int, month: str) -> WriteResult:
        """Save the whole sheet as a draft."""
        target = self.sheet_request(slug, id, month)
        body = self.read(SheetBody, target)
        receipt = unless_stale(
            lambda: order_submission.save_sheet(
                target.campaign.pk,
                request.user,
                target.seat.pk,
                body.month_orders,
                salt=body.salt or "",
                month=target.month,
                expected_revision=revision_named(request),
            )
        )
        return _written_sheet(target, receipt.sheet)

    @operation(SheetDocument, takes=SheetChange, once=True, match=True)
    def patch(self, request: Request, slug: str, id: int, month: str) -> WriteResult:
        """Submit or withdraw the sheet, and say whether the month must wait for it."""
        target, change = self.sheet_request(slug, id, month), SheetChange.read(request)
        sheet = unless_stale(
            lambda: order_submission.change_sheet(
                target.campaign.pk,
                request.user,
                target.seat.pk,
                submitted=None if change.submitted is UNSET else change.submitted,
                ready=None if change.ready is UNSET else change.ready,
                month=target.month,
                expected_revision=revision_named(request),
            )
        )
        return _written_sheet(target, sheet)


def _written_sheet(target: SheetRequest, sheet: OrderSheet) -> WriteResult:
    """Return the row that was written, never a later read.

    Another program may have written the sheet since, and its ETag is not the caller's.
    """
    document = sheet_document(target.campaign, target.seat, target.month, sheet)
    return WriteResult(200, document, tag=etag_of)


class SheetCheck(SheetEndpoint):
    """A check of a draft sheet."""

    @operation(CheckedSheet, takes=OrdersBody)
    def post(self, request: Request, slug: str, id: int, month: str) -> HttpResponse:
        """Check a sheet.

        It is read back in sentences, with its errors; nothing is stored.
        """
        target = self.sheet_request(slug, id, month)
        orders = self.read(OrdersBody, target).month_orders
        about = target.campaign, request.user, target.seat.pk, orders
        findings = order_sheets.check(*about, month=target.month)
        read = order_sheets.read_back(*about, month=target.month)
        return self.answer(checked_sheet(read, findings))


class Previous(SheetEndpoint):
    """The seat's previous orders."""

    @operation(OrdersDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, id: int, month: str) -> HttpResponse:
        """Retrieve the seat's latest orders before the month, to copy from."""
        target = self.sheet_request(slug, id, month)
        return self.answer(
            orders_document(order_sheets.last_month(target.campaign, target.seat, target.month))
        )


class Receipts(OwnEndpoint):
    """The receipts of your seat."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[ReceiptDocument])
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """List the receipts of your submissions for the seat, the latest first."""
        campaign, seat = _own_seat(request, slug, id)
        pages = Newest()
        page = pages.paginate_queryset(_receipts(request, campaign, seat), request)
        documents = (receipt_document(campaign, seat, receipt) for receipt in page)
        return self.answer(pages.document(documents))


class OneReceipt(OwnEndpoint):
    """A receipt of your seat."""

    @operation(ReceiptDocument)
    def get(self, request: Request, slug: str, id: int, receipt: int) -> HttpResponse:
        """Retrieve a receipt.

        The answer has the sheet as received and as read, and the outcome of each order.
        """
        campaign, seat = _own_seat(request, slug, id)
        own_receipt = selectors.first_visible(
            _receipts(request, campaign, seat).filter(pk=receipt),
            f"This seat has no receipt {receipt} of yours.",
        )
        return self.answer(receipt_document(campaign, seat, own_receipt))


class ReachOfStack(OwnEndpoint):
    """The reach of a stack."""

    parameters: ClassVar[frozenset[str]] = frozenset({"unit_ids", "leader_id", "without_leader"})

    @operation(ReachDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """Calculate the reach of a stack.

        The answer has the hexes that three marches may reach, with their chances, and those by rail
        and boat.
        """
        campaign, seat = _own_seat(request, slug, id)
        return self.answer(reach_document(campaign, seat, _units(request), _leader(request)))


def _own_seat(request: Request, slug: str, number: int) -> tuple[Campaign, Seat]:
    """Return the campaign and the seat. Problem if there is none, NotAllowed for others' seats."""
    campaign = selectors.campaign_for(request.user, slug)
    if not campaign.seats.filter(pk=number, role__in=Seat.SIDES).exists():
        raise Problem("not-found", f"This campaign has no seat {number} that gives orders.")
    return campaign, seat_for(campaign, request.user, number)


def _receipts(request: Request, campaign: Campaign, seat: Seat) -> Any:
    """Return the caller's receipts; a new holder does not read their predecessor's."""
    return order_sheets.receipts(campaign, request.user, seat.pk).filter(sheet__by=request.user)


def _units(request: Request) -> list[UnitId]:
    words = request.query_params.get("unit_ids", "").split(",")
    if not all(_is_unit(word) for word in words):
        raise invalid_parameters(unit_ids="Name the units by their ids, with commas between them.")
    return [UnitId(int(word)) for word in words[:MOST_UNITS]]


def _leader(request: Request) -> UnitId | None:
    """Return the leader named: None for the one who helps most, 0 for nobody."""
    text = request.query_params.get("leader_id")
    without = request.query_params.get("without_leader", "false")
    if without not in ("true", "false"):
        raise invalid_parameters(without_leader="Say true or false.")
    if text is not None and not _is_unit(text):
        raise invalid_parameters(leader_id="Name the leader by id.")
    if text and without == "true":
        raise unfit_parameters(leader_id="Leave it out for a stack without a leader.")
    if without == "true":
        return UnitId(0)
    return UnitId(int(text)) if text else None


def _is_unit(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0


# The odds of a draft sheet, and of the waiting battle.


class OddsOfSheet(SheetEndpoint):
    """The odds of a sheet."""

    @operation(SheetOddsDocument, takes=OrdersBody, problems=("unfit",))
    def post(self, request: Request, slug: str, id: int, month: str) -> HttpResponse:
        """Calculate the odds of a sheet.

        The answer has the chances of every order's marches, combats and attrition; nothing is
        stored. Only one such request may run at a time; a second one gets 429.
        """
        target = self.sheet_request(slug, id, month)
        orders = self.read(OrdersBody, target).month_orders
        odds = odds_of_sheet(target.campaign, request.user, target.seat.pk, orders)
        return self.answer(sheet_odds(odds.orders, odds.assaults))


class OddsOfBattle(OwnEndpoint):
    """The odds of the waiting battle."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(CombatOddsDocument)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Calculate the exact odds of the waiting battle.

        They are those of the campaign's own table, with the computer's staff on both sides, as far
        as you may know of the enemy.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        waiting = fog_of_war.battle_awaited(campaign, viewer)
        state = fog_of_war.state_of_combat(campaign, viewer)
        if waiting is None or waiting.brief.id != battle or state is None:
            raise Problem("not-found", f"The campaign does not wait for the battle {battle!r}.")
        return self.answer(combat_odds_document(combat_odds(laws(state), combat_setup_of(state))))
