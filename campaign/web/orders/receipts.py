"""Receipts of a seat's sheets: the orders received, as they were read, and their outcomes."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.access import selectors
from campaign.models import Campaign, Receipt, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.services.orders.order_status import office_of
from campaign.web.visitor import visitor

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
def index(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign, seat = _seat(request, slug, number)
    months = list(_months(campaign, seat, visitor(request).pk))
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


def _months(campaign: Campaign, seat: Seat, user: int) -> Iterator[MonthReceipts]:
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
