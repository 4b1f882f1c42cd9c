"""Order sheets: read, check, write and submit them; their receipts, and a stack's prospects."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.order_sheets import (
    ORDERS_FORM,
    CheckedSheet,
    PreviousSheet,
    ProspectsDocument,
    ReceiptDocument,
    SheetDocument,
    checked_sheet,
    prospects_document,
    receipt_document,
    sheet_document,
)
from api.http.endpoint import OwnEndpoint, Paged, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, MonthField, StructField
from api.http.paging import PAGES, Newest
from api.http.preconditions import make_etag, revision_named, unless_stale
from api.http.problems import Problem, invalid_parameters
from api.http.responses import ASK_AGAIN_ALONE, EncodedDocument, respond
from battles.core.decoding import decoder_for
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import NOBODY, MonthOrders, sheet_to_builtins
from campaign.rules.core.pieces import UnitId
from campaign.services.orders import sheets, submission
from campaign.services.orders.sheets import SIDES, seat_for

if TYPE_CHECKING:
    from campaign.services.orders.submission import SheetAddress

MOST_UNITS = 400
SALTED = {"invalid": "Give 16 to 32 bytes in hexadecimal, or nothing."}


class SheetInput(Input):
    """The whole sheet; `salt`, in hexadecimal, is mixed into the month's dice."""

    sheet = StructField(MonthOrders)
    salt = serializers.RegexField(
        "^([0-9a-fA-F]{2}){16,32}$", default="", allow_blank=True, error_messages=SALTED
    )


class SheetDraftInput(Input):
    """A draft sheet, which is not stored."""

    sheet = StructField(MonthOrders)


Writing = Callable[..., Receipt | OrderSheet]
"""A service that writes a sheet and returns it, or its receipt."""


class SheetRequest(NamedTuple):
    """The campaign, seat and month of the requested sheet."""

    campaign: Campaign
    seat: Seat
    month: int

    @property
    def about(self) -> tuple[int, int]:
        return self.campaign.pk, self.seat.pk


class Revision(msgspec.Struct):
    """The field of a sheet's document that its ETag is made from, besides a hash of the whole."""

    revision: int


class SheetEndpoint(OwnEndpoint):
    """An endpoint about the sheet of the caller's seat for a month."""

    largest_body: ClassVar[int] = 400_000

    def asked(self, slug: str, number: int, month: str) -> SheetRequest:
        """Return the sheet's address. Problem for an unknown one, NotAllowed for others' seats."""
        campaign, seat = _own_seat(self.request, slug, number)
        try:
            when = MonthField().run_validation(month)
        except serializers.ValidationError as error:
            raise Problem("not-found", str(error.detail[0])) from error
        sheets.sheet_for(campaign, self.request.user, seat.pk, when)
        return SheetRequest(campaign, seat, when)

    def sheet_of(self, asked: SheetRequest) -> OrderSheet | None:
        """Return the stored sheet, or None."""
        return sheets.sheet_for(asked.campaign, self.request.user, asked.seat.pk, asked.month)

    def changed(self, slug: str, number: int, month: str, do: Writing) -> WriteResult:
        """Call `do` with the revision that If-Match names, and return the sheet it wrote.

        The answer is the row that was written, never a later read: another program may have written
        the sheet since, and its ETag is not the caller's.
        """
        asked = self.asked(slug, number, month)
        at: SheetAddress = {"month": asked.month, "expected_revision": revision_named(self.request)}
        written = unless_stale(
            lambda: do(asked.campaign.pk, self.request.user, asked.seat.pk, **at)
        )
        sheet = written.sheet if isinstance(written, Receipt) else written
        return WriteResult(
            200, sheet_document(asked.campaign, asked.seat, asked.month, sheet), tag=tag
        )


class OneSheet(SheetEndpoint):
    """The order sheet of your seat for the current or the next month."""

    @operation(SheetDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Retrieve the sheet.

        Send its ETag in `If-Match` when you write it.
        """
        asked = self.asked(slug, number, month)
        sheet = self.sheet_of(asked)
        document = EncodedDocument(sheet_document(asked.campaign, asked.seat, asked.month, sheet))
        document.etag = tag(document.body)
        return respond(request, document, ASK_AGAIN_ALONE)

    @operation(SheetDocument, takes=SheetInput, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Save the whole sheet as a draft."""

        def save(campaign: int, user: User, seat: int, **at: Any) -> Receipt:
            given = SheetInput.read(request)
            document = sheet_to_builtins(given["sheet"])
            return submission.save_sheet(campaign, user, seat, document, salt=given["salt"], **at)

        return self.changed(slug, number, month, save)


class SheetCheck(SheetEndpoint):
    """A check of a draft sheet."""

    @operation(CheckedSheet, takes=SheetDraftInput)
    def post(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Check a sheet.

        It is read back in sentences, with its errors; nothing is stored.
        """
        asked = self.asked(slug, number, month)
        document = sheet_to_builtins(SheetDraftInput.read(request)["sheet"])
        about = (asked.campaign, request.user, asked.seat.pk, document)
        found = sheets.check(*about, month=asked.month)
        return self.tell(checked_sheet(sheets.read_back(*about), found))


class Previous(SheetEndpoint):
    """The seat's previous orders."""

    @operation(PreviousSheet, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Retrieve the seat's latest orders before the month, to copy from."""
        asked = self.asked(slug, number, month)
        before = sheets.last_month(asked.campaign, asked.seat, asked.month)
        return self.tell(PreviousSheet(ORDERS_FORM.write(before)))


class Submission(SheetEndpoint):
    """The submission of a sheet."""

    @operation(SheetDocument, takes=Empty, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Submit the sheet."""
        Empty.read(request)
        return self.changed(slug, number, month, submission.submit)

    @operation(SheetDocument, once=True, match=True)
    def delete(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Withdraw the sheet: it is a draft again."""
        return self.changed(slug, number, month, submission.take_back)


class Readiness(SheetEndpoint):
    """The seat's readiness for the month to run."""

    @operation(SheetDocument, takes=Empty, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Mark the seat as ready, which submits the sheet too.

        The month need not wait for it any longer.
        """
        Empty.read(request)
        return self.changed(slug, number, month, partial(_say, ready=True))

    @operation(SheetDocument, once=True, match=True)
    def delete(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Mark the seat as not ready.

        The month waits for it again.
        """
        return self.changed(slug, number, month, partial(_say, ready=False))


class Receipts(OwnEndpoint):
    """The receipts of your seat."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[ReceiptDocument])
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """List the receipts of your submissions for the seat, the latest first."""
        campaign, seat = _own_seat(request, slug, number)
        pages = Newest()
        page = pages.paginate_queryset(_receipts(request, campaign, seat), request)
        told = (receipt_document(campaign, seat, one) for one in page)
        return self.tell(pages.document(told))


class OneReceipt(OwnEndpoint):
    """A receipt of your seat."""

    @operation(ReceiptDocument)
    def get(self, request: Request, slug: str, number: int, receipt: int) -> HttpResponse:
        """Retrieve a receipt.

        The answer has the sheet as received and as read, and the outcome of each order.
        """
        campaign, seat = _own_seat(request, slug, number)
        found = _receipts(request, campaign, seat).filter(pk=receipt).first()
        if found is None:
            raise Problem("not-found", "This seat has no such receipt of yours.")
        return self.tell(receipt_document(campaign, seat, found))


class Prospects(OwnEndpoint):
    """The prospects of a stack."""

    parameters: ClassVar[frozenset[str]] = frozenset({"units", "leader"})

    @operation(ProspectsDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Calculate the prospects of a stack.

        The answer has the hexes that three marches may reach, with their chances, and those by rail
        and boat.
        """
        campaign, seat = _own_seat(request, slug, number)
        told = prospects_document(campaign, seat, _units(request), _leader(request))
        return self.tell(told)


def tag(body: bytes) -> str:
    """Return the ETag of a sheet's document: its revision, and a hash of the whole."""
    return make_etag(decoder_for(Revision).decode(body).revision, body)


def _say(campaign: int, user: User, seat: int, *, ready: bool, **at: Any) -> OrderSheet:
    return submission.set_ready(campaign, user, seat, ready, **at)


def _own_seat(request: Request, slug: str, number: int) -> tuple[Campaign, Seat]:
    """Return the campaign and the seat. Problem if there is none, NotAllowed for others' seats."""
    campaign = selectors.campaign_for(request.user, slug)
    if not campaign.seats.filter(pk=number, role__in=SIDES).exists():
        raise Problem("not-found", f"This campaign has no seat {number} that gives orders.")
    return campaign, seat_for(campaign, request.user, number)


def _receipts(request: Request, campaign: Campaign, seat: Seat) -> Any:
    """Return the caller's receipts; a new holder does not read their predecessor's."""
    return sheets.receipts(campaign, request.user, seat.pk).filter(sheet__by=request.user)


def _units(request: Request) -> list[UnitId]:
    words = request.query_params.get("units", "").split(",")
    if not all(one.isascii() and one.isdigit() and len(one) < 7 for one in words):
        raise invalid_parameters(units="Name the units by their numbers, with commas between them.")
    return [UnitId(int(one)) for one in words[:MOST_UNITS]]


def _leader(request: Request) -> UnitId:
    """Return the leader that orders name: the best there is (0), nobody (-1), or a unit."""
    text = request.query_params.get("leader", "0")
    number = text.removeprefix("-")
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        raise invalid_parameters(
            leader="Name the leader by number; 0 the best there is, -1 nobody."
        )
    return max(UnitId(int(text)), NOBODY)
