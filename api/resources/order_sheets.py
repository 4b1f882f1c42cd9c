"""Order sheets: read, checked, written, submitted, taken back, made ready; receipts; prospects."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.order_sheets import (
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
from api.http.problems import Problem, invalid
from api.http.responses import ASK_AGAIN_ALONE, EncodedDocument, respond
from battles.core.decoding import decoder_for
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import NOBODY, MonthOrders, as_builtins
from campaign.rules.core.pieces import UnitId
from campaign.services.orders import sheets, submission
from campaign.services.orders.sheets import SIDES, seat_for

if TYPE_CHECKING:
    from campaign.services.orders.submission import SheetAddress

MOST_UNITS = 400
SALTED = {"invalid": "Give 16 to 32 bytes in hexadecimal, or nothing."}


class SheetInput(Input):
    """The whole sheet as it shall be; `salt`, in hexadecimal, goes into the month's dice."""

    sheet = StructField(MonthOrders)
    salt = serializers.RegexField(
        "^([0-9a-fA-F]{2}){16,32}$", default="", allow_blank=True, error_messages=SALTED
    )


class SheetDraftInput(Input):
    """A sheet to be looked at; nothing is kept."""

    sheet = StructField(MonthOrders)


Writing = Callable[..., Receipt | OrderSheet]
"""A service that writes a sheet and returns it, or its receipt."""


class SheetRequest(NamedTuple):
    """The sheet that is asked about, and by whom."""

    campaign: Campaign
    seat: Seat
    month: int

    @property
    def about(self) -> tuple[int, int]:
        return self.campaign.pk, self.seat.pk


class Revision(msgspec.Struct):
    """What of a sheet's document its tag is made from, beside a hash of the whole."""

    revision: int


class SheetEndpoint(OwnEndpoint):
    """Something about the sheet of one's own seat for a month."""

    largest_body: ClassVar[int] = 400_000

    def asked(self, slug: str, number: int, month: str) -> SheetRequest:
        """What is asked about. Problem for what there is not, NotAllowed for another's."""
        campaign, seat = _own_seat(self.request, slug, number)
        try:
            when = MonthField().run_validation(month)
        except serializers.ValidationError as error:
            raise Problem("not-found", str(error.detail[0])) from error
        sheets.sheet_for(campaign, self.request.user, seat.pk, when)
        return SheetRequest(campaign, seat, when)

    def sheet_of(self, asked: SheetRequest) -> OrderSheet | None:
        """Return the sheet as it is kept now."""
        return sheets.sheet_for(asked.campaign, self.request.user, asked.seat.pk, asked.month)

    def changed(self, slug: str, number: int, month: str, do: Writing) -> WriteResult:
        """Do what is asked with the revision that If-Match names, and return the sheet it wrote.

        The row that was written is what the answer tells, and never a later read of it: another
        program may have written the sheet since, and the ETag of what it wrote is not the caller's.
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
    """The order sheet of your seat for a month: the present one, or the next."""

    @operation(SheetDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Return the sheet as it is kept; its ETag is what `If-Match` names when it is written."""
        asked = self.asked(slug, number, month)
        sheet = self.sheet_of(asked)
        document = EncodedDocument(sheet_document(asked.campaign, asked.seat, asked.month, sheet))
        document.etag = tag(document.body)
        return respond(request, document, ASK_AGAIN_ALONE)

    @operation(SheetDocument, takes=SheetInput, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Keep the whole sheet as a draft."""

        def save(campaign: int, user: User, seat: int, **at: Any) -> Receipt:
            given = SheetInput.read(request)
            document = as_builtins(given["sheet"])
            return submission.save_sheet(campaign, user, seat, document, salt=given["salt"], **at)

        return self.changed(slug, number, month, save)


class SheetCheck(SheetEndpoint):
    """A sheet looked at before it is kept."""

    @operation(CheckedSheet, takes=SheetDraftInput)
    def post(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Read a sheet back in sentences and say what is wrong in it; nothing is kept."""
        asked = self.asked(slug, number, month)
        document = as_builtins(SheetDraftInput.read(request)["sheet"])
        about = (asked.campaign, request.user, asked.seat.pk, document)
        found = sheets.check(*about, month=asked.month)
        return self.tell(checked_sheet(sheets.read_back(*about), found))


class Previous(SheetEndpoint):
    """What the seat ordered last."""

    @operation(PreviousSheet, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """What the seat ordered last before the month, to copy from."""
        asked = self.asked(slug, number, month)
        return self.tell(PreviousSheet(sheets.last_month(asked.campaign, asked.seat, asked.month)))


class Submission(SheetEndpoint):
    """Whether the sheet has been submitted."""

    @operation(SheetDocument, takes=Empty, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Submit the sheet as it stands."""
        Empty.read(request)
        return self.changed(slug, number, month, submission.submit)

    @operation(SheetDocument, once=True, match=True)
    def delete(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Take the sheet back: it is a draft again."""
        return self.changed(slug, number, month, submission.take_back)


class Readiness(SheetEndpoint):
    """Whether the seat is ready for the month to run."""

    @operation(SheetDocument, takes=Empty, once=True, match=True)
    def put(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Say that the month need not wait for you; that submits the sheet as well."""
        Empty.read(request)
        return self.changed(slug, number, month, partial(_say, ready=True))

    @operation(SheetDocument, once=True, match=True)
    def delete(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Say that the month must wait for you again."""
        return self.changed(slug, number, month, partial(_say, ready=False))


class Receipts(OwnEndpoint):
    """The receipts of your seat."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[ReceiptDocument])
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the receipts of what you have written in that seat, the latest first."""
        campaign, seat = _own_seat(request, slug, number)
        pages = Newest()
        page = pages.paginate_queryset(_receipts(request, campaign, seat), request)
        told = (receipt_document(campaign, seat, one) for one in page)
        return self.tell(pages.document(told))


class OneReceipt(OwnEndpoint):
    """One receipt of your seat."""

    @operation(ReceiptDocument)
    def get(self, request: Request, slug: str, number: int, receipt: int) -> HttpResponse:
        """What was received, how it was read, and what became of each order."""
        campaign, seat = _own_seat(request, slug, number)
        found = _receipts(request, campaign, seat).filter(pk=receipt).first()
        if found is None:
            raise Problem("not-found", "This seat has no such receipt of yours.")
        return self.tell(receipt_document(campaign, seat, found))


class Prospects(OwnEndpoint):
    """What a stack of yours may hope for."""

    parameters: ClassVar[frozenset[str]] = frozenset({"units", "leader"})

    @operation(ProspectsDocument, problems=("unfit",))
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Where three marches take units that stand together, how likely, and by rail and boat."""
        campaign, seat = _own_seat(request, slug, number)
        told = prospects_document(campaign, seat, _units(request), _leader(request))
        return self.tell(told)


def tag(body: bytes) -> str:
    """Return the tag of a sheet's document: its revision, and what else is told of it there."""
    return make_etag(decoder_for(Revision).decode(body).revision, body)


def _say(campaign: int, user: User, seat: int, *, ready: bool, **at: Any) -> OrderSheet:
    return submission.set_ready(campaign, user, seat, ready, **at)


def _own_seat(request: Request, slug: str, number: int) -> tuple[Campaign, Seat]:
    """Return the campaign and the seat. Problem for no such seat, NotAllowed for another's."""
    campaign = selectors.campaign_for(request.user, slug)
    if not campaign.seats.filter(pk=number, role__in=SIDES).exists():
        raise Problem("not-found", f"This campaign has no seat {number} that gives orders.")
    return campaign, seat_for(campaign, request.user, number)


def _receipts(request: Request, campaign: Campaign, seat: Seat) -> Any:
    """Of this holder of the seat: a newcomer does not read his forerunner's."""
    return sheets.receipts(campaign, request.user, seat.pk).filter(sheet__by=request.user)


def _units(request: Request) -> list[UnitId]:
    words = request.query_params.get("units", "").split(",")
    if not all(one.isascii() and one.isdigit() and len(one) < 7 for one in words):
        raise invalid(units="Name the units by their numbers, with commas between them.")
    return [UnitId(int(one)) for one in words[:MOST_UNITS]]


def _leader(request: Request) -> UnitId:
    """Who leads, as orders name him: the best there is (0), nobody (-1), or that one."""
    text = request.query_params.get("leader", "0")
    number = text.removeprefix("-")
    if not (number.isascii() and number.isdigit() and len(number) < 7):
        raise invalid(leader="Name the leader by his number; 0 the best there is, -1 nobody.")
    return max(UnitId(int(text)), NOBODY)
