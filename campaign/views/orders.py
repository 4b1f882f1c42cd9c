"""The order sheet of a seat for a month: the page, and what its script asks and sends."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from battles.core.document import DocumentError
from campaign import selectors, services
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.document import as_builtins
from campaign.rules.pieces import Month, Side, UnitId, month_name
from campaign.views import order_desk
from campaign.views.offices import awaited_in_words
from campaign.views.receipts import address_of
from campaign.views.visitor import visitor

LARGEST = 400_000  # bytes
SIDES = {side.value for side in Side}


class Asked(NamedTuple):
    """Who asks about the sheet of which seat, and for which month."""

    campaign: Campaign
    seat: Seat
    user: User
    month: Month

    @property
    def sheet(self) -> OrderSheet | None:
        """What is written so far."""
        return services.sheet_for(self.campaign, self.user, self.seat.pk, self.month)


Door = Callable[[HttpRequest, Asked], HttpResponse]


@login_required
@require_safe
@never_cache
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """To the order sheet of whoever asks."""
    campaign = selectors.campaign_for(request.user, slug)
    if campaign.mode == Campaign.Mode.LIVE:
        return redirect("live", slug)
    seat = campaign.seats.filter(user=visitor(request), role__in=SIDES).order_by("pk").first()
    if seat is None:
        raise PermissionDenied("You have no seat in this campaign that gives orders.")
    return redirect("order-sheet", slug, seat.pk)


def asked(request: HttpRequest, slug: str, number: int) -> Asked:
    """What is asked for. Http404 for no such seat, PermissionDenied for somebody else's."""
    campaign = selectors.campaign_for(request.user, slug)
    seat = campaign.seats.filter(pk=number, role__in=SIDES).first()
    if seat is None:
        raise Http404("This campaign has no such seat.")
    if seat.user_id != request.user.pk:
        raise PermissionDenied("A seat’s orders are read and written by whoever holds it alone.")
    return Asked(campaign, seat, visitor(request), _month(request, campaign))


def _month(request: HttpRequest, campaign: Campaign) -> Month:
    """This month, or the next, for which one may write ahead."""
    ahead = request.GET.get("month") == "next"
    return Month(campaign.month + ahead)


@login_required
@require_safe
@never_cache
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    wanted = asked(request, slug, number)
    if wanted.campaign.mode != Campaign.Mode.ORDERS:
        return redirect("live" if wanted.campaign.mode == Campaign.Mode.LIVE else "campaign", slug)
    desk = order_desk.desk(wanted.campaign, wanted.seat, wanted.month)
    context = {
        "campaign": wanted.campaign,
        "seat": wanted.seat,
        "desk": desk,
        "month": month_name(wanted.month),
        "ahead": wanted.month > wanted.campaign.month,
        "data": {**desk.data, **_sheet_now(wanted), "salted": _salted(wanted.sheet)},
        "places": desk.places,
        "due": order_desk.due_in_words(wanted.campaign),
    }
    return render(request, "campaign/orders/sheet.html", context)


def _salted(sheet: OrderSheet | None) -> bool:
    return sheet is not None and sheet.salt_chosen


def _sheet_now(wanted: Asked) -> dict[str, Any]:
    """The sheet as it is kept: what the script begins with, or is told when it is stale."""
    sheet = wanted.sheet
    written = services.document_of(sheet) if sheet else None
    return {
        "sheet": as_builtins(written) if written else {},
        "revision": sheet.revision if sheet else 0,
        "state": state_of(sheet),
        "awaited": awaited_in_words(wanted.campaign),
        "reading": reading_of(wanted, as_builtins(written)) if written else None,
    }


def state_of(sheet: OrderSheet | None) -> dict[str, Any]:
    """How far the sheet has come, in words and for the buttons."""
    if sheet is None:
        return {"words": "Nothing is written yet.", "submitted": False, "ready": False}
    words = "A draft: nothing is submitted."
    if sheet.ready:
        words = "Submitted, and you are ready: the month may run."
    elif sheet.submitted:
        words = "Submitted. Say that you are ready when the month may run without waiting."
    if sheet.begun:
        words = "It is being carried out, and can be changed no more."
    return {
        "words": words,
        "submitted": sheet.submitted is not None,
        "ready": sheet.ready,
        "begun": sheet.begun is not None,
        "at": sheet.updated.isoformat(),
    }


def reading_of(wanted: Asked, document: object) -> dict[str, Any]:
    """The sheet read back, each sentence with what is found wrong in it."""
    campaign, user, seat = wanted.campaign, wanted.user, wanted.seat.pk
    read = services.reading(campaign, user, seat, document)
    found = services.check(campaign, user, seat, document, month=wanted.month)
    return {
        "orders": _told(read.orders, found, "order"),
        "reinforcements": _told(read.reinforcements, found, "reinforcement"),
        "standing": _told(read.standing, found, "standing"),
        "sheet": [_finding(one) for one in found if one.part == "sheet"],
    }


def _told(sentences: tuple[str, ...], found: Any, part: str) -> list[dict[str, Any]]:
    return [
        {
            "words": words,
            "found": [_finding(one) for one in found if (one.part, one.number) == (part, number)],
        }
        for number, words in enumerate(sentences)
    ]


def _finding(one: Any) -> dict[str, Any]:
    return {
        "verdict": str(one.verdict),
        "clause": one.clause,
        "said": one.said,
        "remedy": one.remedy,
        "hex": one.hex,
    }


def door(answer: Door) -> Callable[..., HttpResponse]:
    """A view for the script: what is refused is told as JSON, with what there is instead."""

    @login_required
    @never_cache
    def view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        wanted = asked(request, slug, number)
        try:
            return answer(request, wanted)
        except services.Stale as stale:
            wanted.campaign.refresh_from_db()
            told = {"said": str(stale), "why": "stale", **_sheet_now(wanted)}
            return JsonResponse(told, status=409)
        except (services.UnderWay, services.CampaignOver) as late:
            return JsonResponse({"said": str(late), "why": "over"}, status=409)
        except (services.Refused, DocumentError) as refused:
            return JsonResponse({"said": str(refused), "why": "refused"}, status=400)

    return view


def _body(request: HttpRequest) -> dict[str, Any]:
    """The JSON that was sent; Refused for anything else."""
    if len(request.body) > LARGEST:
        raise services.Unfit("The sheet is too long to be read.")
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise services.Unfit("What was sent is no JSON.") from error
    if not isinstance(sent, dict):
        raise services.Unfit("What was sent is no sheet.")
    return sent


def _revision(sent: dict[str, Any]) -> int | None:
    found = sent.get("revision")
    return found if isinstance(found, int) else None


def _this_month(wanted: Asked, sent: dict[str, Any]) -> Asked:
    """Stale where the page was made for a month that is over."""
    month = sent.get("month")
    if month not in (wanted.campaign.month, wanted.campaign.month + 1):
        raise services.UnderWay("That month is over: load the page again to write for this one.")
    return wanted._replace(month=Month(month))


@require_POST
@door
def read(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """The sheet that was sent, read back and checked; nothing is kept."""
    sent = _body(request)
    return JsonResponse(reading_of(_this_month(wanted, sent), sent.get("sheet")))


@require_POST
@door
def save(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """Keep the sheet, if it is still the one that the script has seen; the receipt comes back."""
    sent = _body(request)
    wanted = _this_month(wanted, sent)
    receipt = services.save_sheet(
        wanted.campaign.pk,
        wanted.user,
        wanted.seat.pk,
        sent.get("sheet"),
        month=wanted.month,
        expected_revision=_revision(sent),
        salt=str(sent.get("salt") or ""),
    )
    return _kept(request, wanted, receipt)


@require_POST
@door
def state(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """Submit the sheet, take it back, be ready for the month or not."""
    sent = _body(request)
    wanted = _this_month(wanted, sent)
    about = wanted.campaign.pk, wanted.user, wanted.seat.pk
    options: Any = {"month": wanted.month, "expected_revision": _revision(sent)}
    if sent.get("do") in ("ready", "not ready"):
        services.set_ready(*about, sent["do"] == "ready", **options)
        return _kept(request, wanted, None)
    if sent.get("do") not in ("submit", "take back"):
        raise services.Unfit("Say what is to be done with the sheet.")
    act = services.submit if sent["do"] == "submit" else services.take_back
    return _kept(request, wanted, act(*about, **options))


def _kept(request: HttpRequest, wanted: Asked, receipt: Receipt | None) -> HttpResponse:
    told: dict[str, Any] = _sheet_now(wanted)
    if receipt is not None:
        told["receipt"] = {
            "kind": receipt.kind,
            "hash": receipt.hash,
            "created": receipt.created.isoformat(),
            "url": address_of(wanted.campaign, wanted.seat, receipt),
        }
    return JsonResponse(told)


@require_safe
@door
def now(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """The sheet as it is kept now, for a page that was opened some time ago."""
    return JsonResponse({"month": wanted.month, **_sheet_now(wanted)})


@require_safe
@door
def last(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """The sheet of the month before, to be copied from."""
    before = services.last_month(wanted.campaign, wanted.seat, wanted.month)
    return JsonResponse({"sheet": as_builtins(before)})


@require_safe
@door
def outlook(request: HttpRequest, wanted: Asked) -> HttpResponse:
    """What some units that stand together may hope for: reach, odds, thirst, trains, boats."""
    given = [UnitId(int(one)) for one in request.GET.getlist("unit") if one.isdecimal()][:400]
    leader = request.GET.get("leader", "0")
    guide = UnitId(int(leader)) if leader.lstrip("-").isdecimal() else UnitId(0)
    side = Side(wanted.seat.role)
    known = order_desk.supposed_for(wanted.campaign, side)
    units, found = order_desk.outlook_of(known, side, given, guide)
    context = order_desk.outlook_in_words(known, units, found)
    told = order_desk.outlook_data(known, units, found)
    told["html"] = render_to_string("campaign/orders/_outlook.html", context)
    return JsonResponse(told)
