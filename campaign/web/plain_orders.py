"""The order sheet without scripts, and the receipts of a seat's sheets."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.core.decoding import DocumentError
from campaign.access import selectors
from campaign.models import Campaign, Receipt, Seat
from campaign.orders.findings import Finding, worst_first
from campaign.orders.order_sheet import ContactPolicy, MonthOrders, sheet_to_builtins
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.map import HexId
from campaign.services import errors, order_sheets, order_submission
from campaign.services.attendance import office_of, sheet_status_text
from campaign.services.turns import timetable
from campaign.web import sheet_page
from campaign.web.map.hex_pages import hex_named
from campaign.web.sheet_page import SheetPageRequest, redirect_from_closed, sheet_request
from campaign.web.visitor import visitor

# The order sheet without scripts: marches of whole stacks, one form after another.


WAYS = (("foot", "on foot"), ("rail", "by train"), ("river", "by boat"), ("sea", "with the fleet"))
CONTACTS = (
    (ContactPolicy.STOP.value, "halt before them"),
    (ContactPolicy.ATTACK.value, "attack"),
    (ContactPolicy.ROUND.value, "go round them"),
)
AFTER_COMBAT = (
    ("drive_off", "first drive off everybody who besieges it"),
    ("go_on", "go on after a win"),
    ("storm", "storm: attack the same place again until it falls or the combat is not won"),
)
Orders = list[dict[str, Any]]
DELETED = "deleted order"
"""The key of the session: a sheet, its revision, and the place and text of the deleted order."""


class OrderLine(NamedTuple):
    """An order read back, with its findings, the worst first."""

    words: str
    found: list[Finding]


class SheetReading(NamedTuple):
    """A sheet read back; `unchecked` says why there are no findings now."""

    orders: tuple[OrderLine, ...]
    sheet: list[Finding]
    unchecked: str


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plain_order_sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the sheet read back, with forms to add, move, delete and submit orders."""
    page_request = sheet_request(request, slug, number)
    if page_request.campaign.mode != Campaign.Mode.ORDERS:
        return redirect("order-sheet", slug, number)
    if page_request.campaign.finished:
        return redirect_from_closed(request, page_request.campaign)
    if request.method != "POST":
        return _show(request, page_request)
    try:
        messages.success(request, _carry_out(request, page_request))
    except errors.UnfitRequest as unfit:
        messages.error(request, str(unfit))
        return _show(request, page_request, request.POST, status=400)
    except (journal.Refused, DocumentError) as refused:
        messages.error(request, str(refused))
    return redirect("plain-orders", slug, number)


def _show(
    request: HttpRequest,
    page_request: SheetPageRequest,
    typed: QueryDict | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page; `typed` is a refused form, which stays filled in."""
    form, sheet = (
        sheet_page.order_form(page_request.campaign, page_request.seat, page_request.month),
        page_request.sheet,
    )
    written = order_sheets.document_of(sheet)
    context = {
        "campaign": page_request.campaign,
        "seat": page_request.seat,
        "form": form,
        "month": month_name(page_request.month),
        "number": page_request.month,
        "revision": sheet.revision if sheet else 0,
        "sheet": sheet,
        "status": sheet_status_text(sheet),
        "reading": _read_sheet_back(page_request, written),
        "empty": not (written.orders or written.reinforcements),
        "ahead": page_request.ahead,
        "hold": timetable.hold_notice(page_request.campaign, page_request.seat),
        "ways": WAYS,
        "contacts": CONTACTS,
        "after_combat": AFTER_COMBAT,
        "taken": typed.get("stack", "") if typed else request.GET.get("from", ""),
        "typed": typed or {},
        "deleted": _deleted_order(request, page_request),
    }
    return render(request, "campaign/orders/plain.html", context, status=status)


def _read_sheet_back(page_request: SheetPageRequest, orders: MonthOrders) -> SheetReading:
    """Return the sheet read back, with its findings unless the user's quota prevents them now."""
    about = page_request.campaign, page_request.user, page_request.seat.pk, orders
    read = order_sheets.read_back(*about, month=page_request.month)
    try:
        findings, unchecked = order_sheets.check(*about, month=page_request.month), ""
    except journal.Busy as busy:
        findings, unchecked = [], str(busy)
    by_order = [
        worst_first(
            finding for finding in findings if (finding.part, finding.number) == ("order", number)
        )
        for number in range(len(read.orders))
    ]
    return SheetReading(
        tuple(map(OrderLine, read.orders, by_order)),
        [finding for finding in findings if finding.part == "sheet"],
        unchecked,
    )


def _carry_out(request: HttpRequest, page_request: SheetPageRequest) -> str:
    """Do what the pressed button says; return a message. Raises as `save_sheet`."""
    form_data = request.POST
    do, _, about = form_data.get("do", "").partition(" ")
    version: Any = {
        "month": _whole(form_data, "month"),
        "expected_revision": _whole(form_data, "revision"),
    }
    sheet_key = page_request.campaign.pk, page_request.user, page_request.seat.pk
    if do == "submit":
        return f"Submitted. Receipt {order_submission.submit(*sheet_key, **version).hash[:12]}."
    if do == "take-back":
        return f"Taken back. Receipt {order_submission.take_back(*sheet_key, **version).hash[:12]}."
    if do in ("ready", "not-ready"):
        order_submission.set_ready(*sheet_key, do == "ready", **version)
        return "You are ready." if do == "ready" else "You are not ready any more."
    if do not in (*_CHANGES, "put-back"):
        raise errors.UnfitRequest("The form does not say what to do: load the page again.")
    written: Any = sheet_to_builtins(order_sheets.document_of(page_request.sheet))
    orders: Orders = list(written.get("orders", ()))
    before = list(orders)
    if do == "put-back":
        _put_back(orders, _deleted_order(request, page_request))
    else:
        _CHANGES[do](page_request, orders, form_data, about)
    written["orders"] = orders
    receipt = order_submission.save_sheet(*sheet_key, written, **version)
    if do == "strike":
        place = int(about)
        request.session[DELETED] = [receipt.sheet_id, receipt.revision, place, before[place]]
    return f"Kept. Receipt {receipt.hash[:12]}."


def _whole(form_data: QueryDict, name: str) -> int:
    text = form_data.get(name, "")
    if not (text.isdecimal() and len(text) <= 9):
        raise errors.UnfitRequest("The form does not say what you saw: load the page again.")
    return int(text)


def _add(page_request: SheetPageRequest, orders: Orders, form_data: QueryDict, _about: str) -> None:
    """Add a march of a hex's whole stack, but for units that cannot go that way."""
    form = sheet_page.order_form(page_request.campaign, page_request.seat, page_request.month)
    stack = next(
        (candidate for candidate in form.stacks if str(candidate.hex) == form_data.get("stack")),
        None,
    )
    if stack is None:
        raise errors.UnfitRequest("You have no such stack: choose one from the list.")
    way = form_data.get("by", "foot")
    orders.append(
        {
            "type": "march",
            "hex": stack.hex,
            "units": _units_going(form.data, stack.hex, way),
            "legs": [{"type": way, "to": hex_named(form_data.get("to", ""))}],
            "contact": form_data.get("contact", ContactPolicy.STOP.value),
            **{name: name in form_data for name, _ in AFTER_COMBAT},
        }
    )


def _units_going(data: dict[str, Any], hex_id: HexId, way: str) -> list[UnitId]:
    """Return the units of the stack that can go that way; all of them if none can."""
    (units,) = (stack["units"] for stack in data["stacks"] if stack["hex"] == f"{hex_id:04d}")
    left = {"fleet", "civilians" if way == "river" else "boats"}
    going = [unit["id"] for unit in units if unit["arm"] not in left]
    return going or [unit["id"] for unit in units]


def _strike(_wanted: SheetPageRequest, orders: Orders, _given: QueryDict, about: str) -> None:
    del orders[_place(orders, about)]


def _deleted_order(
    request: HttpRequest, page_request: SheetPageRequest
) -> tuple[int, dict[str, Any]] | None:
    """Return the order deleted last, with its place, until the sheet is changed again."""
    sheet = page_request.sheet
    sheet_id, revision, place, order = request.session.get(DELETED, (None, None, 0, None))
    is_latest = sheet is not None and (sheet_id, revision) == (sheet.pk, sheet.revision)
    return (place, order) if is_latest else None


def _put_back(orders: Orders, deleted: tuple[int, dict[str, Any]] | None) -> None:
    if deleted is None:
        raise errors.UnfitRequest("The sheet has been changed since: nothing can be put back.")
    orders.insert(*deleted)


def _up(_wanted: SheetPageRequest, orders: Orders, _given: QueryDict, about: str) -> None:
    place = _place(orders, about)
    orders.insert(max(place - 1, 0), orders.pop(place))


def _place(orders: Orders, about: str) -> int:
    if not (about.isdecimal() and len(about) <= 4 and int(about) < len(orders)):
        raise errors.UnfitRequest("The sheet has no such order any more: look at it as it is now.")
    return int(about)


_CHANGES: dict[str, Callable[[SheetPageRequest, Orders, QueryDict, str], None]] = {
    "add": _add,
    "strike": _strike,
    "up": _up,
}


# Receipts of a seat's sheets: the orders received, as they were read, and their outcomes.


MOST = 200


class ReceiptLine(NamedTuple):
    """An order as it was read, with its outcome after the month."""

    words: str
    outcome: str
    said: str
    clause: str


class MonthReceipts(NamedTuple):
    """The receipts of a month, the latest first; `carried` is that of the execution."""

    name: str
    carried: Receipt | None
    lines: tuple[ReceiptLine, ...]
    others: tuple[Receipt, ...]


@login_required
@require_safe
@never_cache
def receipt_list(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign, seat = _seat(request, slug, number)
    months = list(_months(seat, visitor(request).pk))
    context = {"campaign": campaign, "seat": seat, "months": months}
    return render(request, "campaign/receipts/index.html", context)


@login_required
@require_safe
@never_cache
def receipt_page(request: HttpRequest, slug: str, number: int, receipt: int) -> HttpResponse:
    campaign, seat = _seat(request, slug, number)
    own_receipts = _of(seat, visitor(request).pk).filter(pk=receipt)
    own_receipt = selectors.first_visible(own_receipts, "This seat has no such receipt.")
    context = {
        "campaign": campaign,
        "seat": seat,
        "receipt": own_receipt,
        "office": office_of(seat),
        "month": month_name(Month(own_receipt.sheet.month)),
        "lines": _lines(own_receipt),
    }
    return render(request, "campaign/receipts/one.html", context)


def _seat(request: HttpRequest, slug: str, number: int) -> tuple[Campaign, Seat]:
    campaign = selectors.campaign_for(request.user, slug)
    seats = campaign.seats.filter(pk=number)
    seat = selectors.first_visible(seats, "This campaign has no such seat.")
    if seat.user_id != request.user.pk:
        raise PermissionDenied("Receipts are for the user who gave the orders.")
    return campaign, seat


def _of(seat: Seat, user: int) -> QuerySet[Receipt]:
    """Return the receipts of the user in this seat, without those of earlier holders."""
    receipts = Receipt.objects.filter(sheet__seat=seat, sheet__by=user)
    return receipts.select_related("sheet").order_by("-sheet__month", "-pk")


def _months(seat: Seat, user: int) -> Iterator[MonthReceipts]:
    all_receipts = _of(seat, user)[:MOST]
    for month, group in groupby(all_receipts, key=lambda receipt: receipt.sheet.month):
        receipts = list(group)
        carried = next(
            (receipt for receipt in receipts if receipt.kind == Receipt.Kind.CARRIED_OUT), None
        )
        yield MonthReceipts(
            month_name(Month(month)),
            carried,
            _lines(carried) if carried else (),
            tuple(receipt for receipt in receipts if receipt is not carried),
        )


def _lines(receipt: Receipt) -> tuple[ReceiptLine, ...]:
    """Return the orders in words, with their outcomes if known."""
    fates = {place: fate for place, fate in enumerate(receipt.carried) if isinstance(fate, dict)}
    return tuple(
        ReceiptLine(
            words,
            fates.get(place, {}).get("outcome", ""),
            fates.get(place, {}).get("said", ""),
            fates.get(place, {}).get("clause", ""),
        )
        for place, words in enumerate(receipt.reading)
    )
