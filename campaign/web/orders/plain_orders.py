"""The order sheet without scripts, and the receipts of a seat's sheets."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles.core.decoding import DocumentError
from battles.history import journal
from campaign.access import selectors
from campaign.models import Campaign, Receipt, Seat
from campaign.orders.findings import Finding, worst_first
from campaign.orders.order_sheet import ContactPolicy, MonthOrders, sheet_to_builtins
from campaign.rules.core.pieces import Month, month_name
from campaign.services import errors
from campaign.services.orders import sheets, submission
from campaign.services.orders.order_status import office_of, sheet_status_text
from campaign.web.map.hex_pages import hex_named
from campaign.web.orders import sheet_page
from campaign.web.orders.sheet_page import SheetPageRequest, sheet_request
from campaign.web.visitor import visitor

# The order sheet without scripts: marches of whole stacks, one form after another.


WAYS = (
    ("foot", "on foot"),
    ("rail", "by train"),
    ("river", "by boat"),
    ("sea", "with the fleet"),
)
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
    wanted = sheet_request(request, slug, number)
    if wanted.campaign.mode != Campaign.Mode.ORDERS:
        return redirect("order-sheet", slug, number)
    if request.method != "POST":
        return _show(request, wanted)
    try:
        messages.success(request, _carry_out(wanted, request.POST))
    except errors.UnfitRequest as unfit:
        messages.error(request, str(unfit))
        return _show(request, wanted, request.POST, status=400)
    except (journal.Refused, DocumentError) as refused:
        messages.error(request, str(refused))
    return redirect("plain-orders", slug, number)


def _show(
    request: HttpRequest,
    wanted: SheetPageRequest,
    typed: QueryDict | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the page; `typed` is a refused form, which stays filled in."""
    form, sheet = sheet_page.order_form(wanted.campaign, wanted.seat, wanted.month), wanted.sheet
    written = sheets.document_of(sheet)
    context = {
        "campaign": wanted.campaign,
        "seat": wanted.seat,
        "form": form,
        "month": month_name(wanted.month),
        "number": wanted.month,
        "revision": sheet.revision if sheet else 0,
        "sheet": sheet,
        "status": sheet_status_text(sheet),
        "reading": _read_sheet_back(wanted, written),
        "due": sheet_page.due_in_words(wanted.campaign),
        "ways": WAYS,
        "contacts": CONTACTS,
        "after_combat": AFTER_COMBAT,
        "taken": typed.get("stack", "") if typed else request.GET.get("from", ""),
        "typed": typed or {},
    }
    return render(request, "campaign/orders/plain.html", context, status=status)


def _read_sheet_back(wanted: SheetPageRequest, orders: MonthOrders) -> SheetReading:
    """Return the sheet read back, with its findings unless the user's quota prevents them now."""
    about = wanted.campaign, wanted.user, wanted.seat.pk, orders
    read = sheets.read_back(*about)
    try:
        found, unchecked = sheets.check(*about, month=wanted.month), ""
    except journal.Busy as busy:
        found, unchecked = [], str(busy)
    by_order = [
        worst_first(one for one in found if (one.part, one.number) == ("order", number))
        for number in range(len(read.orders))
    ]
    return SheetReading(
        tuple(map(OrderLine, read.orders, by_order)),
        [one for one in found if one.part == "sheet"],
        unchecked,
    )


def _carry_out(wanted: SheetPageRequest, given: QueryDict) -> str:
    """Do what the pressed button says; return a message. Raises as `save_sheet`."""
    do, _, about = given.get("do", "").partition(" ")
    at: Any = {"month": _whole(given, "month"), "expected_revision": _whole(given, "revision")}
    who = wanted.campaign.pk, wanted.user, wanted.seat.pk
    if do == "submit":
        return f"Submitted. Receipt {submission.submit(*who, **at).hash[:12]}."
    if do == "take-back":
        return f"Taken back. Receipt {submission.take_back(*who, **at).hash[:12]}."
    if do in ("ready", "not-ready"):
        submission.set_ready(*who, do == "ready", **at)
        return "You are ready." if do == "ready" else "You are not ready any more."
    if do not in _CHANGES:
        raise errors.UnfitRequest("The form does not say what to do: load the page again.")
    written: Any = sheet_to_builtins(sheets.document_of(wanted.sheet))
    orders: Orders = list(written.get("orders", ()))
    _CHANGES[do](wanted, orders, given, about)
    written["orders"] = orders
    return f"Kept. Receipt {submission.save_sheet(*who, written, **at).hash[:12]}."


def _whole(given: QueryDict, name: str) -> int:
    text = given.get(name, "")
    if not (text.isdecimal() and len(text) <= 9):
        raise errors.UnfitRequest("The form does not say what you saw: load the page again.")
    return int(text)


def _add(wanted: SheetPageRequest, orders: Orders, given: QueryDict, _about: str) -> None:
    """Add a march of a hex's whole stack to a place or a hex."""
    form = sheet_page.order_form(wanted.campaign, wanted.seat, wanted.month)
    stack = next((one for one in form.stacks if str(one.hex) == given.get("stack")), None)
    if stack is None:
        raise errors.UnfitRequest("You have no such stack: choose one from the list.")
    leg = {"by": given.get("by", "foot"), "to": hex_named(given.get("to", ""))}
    orders.append(
        {
            "order": "march",
            "hex": stack.hex,
            "units": [unit for unit, _ in stack.labels],
            "legs": [leg],
            "contact": given.get("contact", ContactPolicy.STOP.value),
            **{name: name in given for name, _ in AFTER_COMBAT},
        }
    )


def _strike(_wanted: SheetPageRequest, orders: Orders, _given: QueryDict, about: str) -> None:
    del orders[_place(orders, about)]


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
    found = _of(seat, visitor(request).pk).filter(pk=receipt).first()
    if found is None:
        raise Http404("This seat has no such receipt.")
    context = {
        "campaign": campaign,
        "seat": seat,
        "receipt": found,
        "office": office_of(seat),
        "month": month_name(Month(found.sheet.month)),
        "lines": _lines(found),
    }
    return render(request, "campaign/receipts/one.html", context)


def _seat(request: HttpRequest, slug: str, number: int) -> tuple[Campaign, Seat]:
    campaign = selectors.campaign_for(request.user, slug)
    seat = campaign.seats.filter(pk=number).first()
    if seat is None:
        raise Http404("This campaign has no such seat.")
    if seat.user_id != request.user.pk:
        raise PermissionDenied("Receipts are for the user who gave the orders.")
    return campaign, seat


def _of(seat: Seat, user: int) -> QuerySet[Receipt]:
    """Return the receipts of the user in this seat, without those of earlier holders."""
    mine = Receipt.objects.filter(sheet__seat=seat, sheet__by=user)
    return mine.select_related("sheet").order_by("-sheet__month", "-pk")


def _months(seat: Seat, user: int) -> Iterator[MonthReceipts]:
    found = _of(seat, user)[:MOST]
    for month, group in groupby(found, key=lambda one: one.sheet.month):
        receipts = list(group)
        carried = next((one for one in receipts if one.kind == Receipt.Kind.CARRIED_OUT), None)
        yield MonthReceipts(
            month_name(Month(month)),
            carried,
            _lines(carried) if carried else (),
            tuple(one for one in receipts if one is not carried),
        )


def _lines(receipt: Receipt) -> tuple[ReceiptLine, ...]:
    """Return the orders in words, with their outcomes if known."""
    fates = {place: one for place, one in enumerate(receipt.carried) if isinstance(one, dict)}
    return tuple(
        ReceiptLine(
            words,
            fates.get(place, {}).get("outcome", ""),
            fates.get(place, {}).get("said", ""),
            fates.get(place, {}).get("clause", ""),
        )
        for place, words in enumerate(receipt.reading)
    )
