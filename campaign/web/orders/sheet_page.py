"""The order sheet of a seat for a month: the page, and the JSON views of its script."""

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
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from battles.core.decoding import DocumentError
from battles.history import journal
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.findings import judgement, worst_first
from campaign.orders.order_sheet import sheet_to_builtins
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.services import errors
from campaign.services.orders import sheets, submission
from campaign.services.orders.order_status import awaited_in_words
from campaign.web.orders import order_form
from campaign.web.orders.receipts import address_of
from campaign.web.visitor import visitor
from ops.http_methods import posts_to

LARGEST = 400_000  # bytes
SIDES = {side.value for side in Side}


class SheetPageRequest(NamedTuple):
    """A request about the sheet of a seat for a month."""

    campaign: Campaign
    seat: Seat
    user: User
    month: Month

    @property
    def sheet(self) -> OrderSheet | None:
        """Return the stored sheet; None before the first."""
        return sheets.sheet_for(self.campaign, self.user, self.seat.pk, self.month)


Door = Callable[[HttpRequest, SheetPageRequest], HttpResponse]


@login_required
@require_safe
@never_cache
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the user's own order sheet."""
    campaign = selectors.campaign_for(request.user, slug)
    if campaign.mode == Campaign.Mode.LIVE:
        return redirect("live", slug)
    seat = campaign.seats.filter(user=visitor(request), role__in=SIDES).order_by("pk").first()
    if seat is None:
        raise PermissionDenied("You have no seat in this campaign that gives orders.")
    return redirect("order-sheet", slug, seat.pk)


def sheet_request(request: HttpRequest, slug: str, number: int) -> SheetPageRequest:
    """Return the request. Raises Http404 or PermissionDenied for a foreign seat."""
    campaign = selectors.campaign_for(request.user, slug)
    seat = campaign.seats.filter(pk=number, role__in=SIDES).first()
    if seat is None:
        raise Http404("This campaign has no such seat.")
    if seat.user_id != request.user.pk:
        raise PermissionDenied("Only the holder of a seat reads and writes its orders.")
    return SheetPageRequest(campaign, seat, visitor(request), _month(request, campaign))


def _month(request: HttpRequest, campaign: Campaign) -> Month:
    """Return the month of the request: the current one, or the next to write ahead."""
    ahead = request.GET.get("month") == "next"
    return Month(campaign.month + ahead)


@login_required
@require_safe
@never_cache
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    wanted = sheet_request(request, slug, number)
    if wanted.campaign.mode != Campaign.Mode.ORDERS:
        return redirect("live" if wanted.campaign.mode == Campaign.Mode.LIVE else "campaign", slug)
    form, sheet = order_form.order_form(wanted.campaign, wanted.seat, wanted.month), wanted.sheet
    context = {
        "campaign": wanted.campaign,
        "seat": wanted.seat,
        "form": form,
        "month": month_name(wanted.month),
        "ahead": wanted.month > wanted.campaign.month,
        "data": {**form.data, **_sheet_data(wanted, sheet), "salted": _salted(sheet)},
        "places": form.places,
        "due": order_form.due_in_words(wanted.campaign),
    }
    return render(request, "campaign/orders/sheet.html", context)


def _salted(sheet: OrderSheet | None) -> bool:
    return sheet is not None and sheet.salt_chosen


def _sheet_data(wanted: SheetPageRequest, sheet: OrderSheet | None) -> dict[str, Any]:
    """Return a sheet for the script, all of it from this one row."""
    written = sheets.document_of(sheet) if sheet and sheet.revision else None
    return {
        "sheet": sheet_to_builtins(written) if written else {},
        "revision": sheet.revision if sheet else 0,
        "state": state_of(sheet),
        "awaited": awaited_in_words(wanted.campaign),
        "reading": reading_of(wanted, written) if written else None,
    }


def state_of(sheet: OrderSheet | None) -> dict[str, Any]:
    """Return the sheet's state, in words and for the buttons."""
    if sheet is None or not sheet.revision:
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


def reading_of(wanted: SheetPageRequest, document: object) -> dict[str, Any]:
    """Return the sheet read back, each sentence with its findings.

    `unchecked` are the seconds until the client may ask for findings, if the user's other
    computation prevents them now.
    """
    campaign, user, seat = wanted.campaign, wanted.user, wanted.seat.pk
    read = sheets.read_back(campaign, user, seat, document)
    try:
        found = sheets.check(campaign, user, seat, document, month=wanted.month)
    except journal.Busy as busy:
        told = {"verdict": "not checked yet", "said": str(busy), "remedy": "", "clause": ""}
        rest: dict[str, Any] = {"unchecked": busy.seconds, "sheet": [told]}
        found = []
    else:
        rest = {"sheet": [_finding(one) for one in found if one.part == "sheet"]}
    return {
        "orders": _told(read.orders, found, "order"),
        "reinforcements": _told(read.reinforcements, found, "reinforcement"),
        "standing": _told(read.standing, found, "standing"),
        **rest,
    }


def _told(sentences: tuple[str, ...], found: Any, part: str) -> list[dict[str, Any]]:
    told = []
    for number, words in enumerate(sentences):
        mine = worst_first(one for one in found if (one.part, one.number) == (part, number))
        verdict = str(judgement(mine) or "")
        told.append({"words": words, "verdict": verdict, "found": [_finding(one) for one in mine]})
    return told


def _finding(one: Any) -> dict[str, Any]:
    return {
        "verdict": str(one.verdict),
        "clause": one.clause,
        "said": one.said,
        "remedy": one.remedy,
        "hex": one.hex,
    }


def json_view(answer: Door) -> Callable[..., HttpResponse]:
    """Return a view for the script that answers refusals as JSON.

    A Stale answer carries the sheet as it is stored now.
    """

    @login_required
    @never_cache
    def view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        wanted = sheet_request(request, slug, number)
        try:
            return answer(request, wanted)
        except journal.Stale as stale:
            wanted.campaign.refresh_from_db()
            told = {"said": str(stale), "why": "stale", **_sheet_data(wanted, wanted.sheet)}
            return JsonResponse(told, status=409)
        except (errors.UnderWay, errors.CampaignOver) as late:
            return JsonResponse({"said": str(late), "why": "over"}, status=409)
        except journal.Busy as busy:
            headers = {"Retry-After": str(busy.seconds)}
            return JsonResponse({"said": str(busy), "why": "busy"}, status=429, headers=headers)
        except (journal.Refused, DocumentError) as refused:
            return JsonResponse({"said": str(refused), "why": "refused"}, status=400)

    return view


def body_of(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON body. Raises Refused for anything else."""
    if len(request.body) > LARGEST:
        raise errors.UnfitRequest("The sheet is too long to be read.")
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise errors.UnfitRequest("What was sent is no JSON.") from error
    if not isinstance(sent, dict):
        raise errors.UnfitRequest("What was sent is no sheet.")
    return sent


def _revision(sent: dict[str, Any]) -> int | None:
    found = sent.get("revision")
    return found if isinstance(found, int) else None


def _this_month(wanted: SheetPageRequest, sent: dict[str, Any]) -> SheetPageRequest:
    """Return the request for the month of the page. Raises UnderWay if it is over."""
    month = sent.get("month")
    if month not in (wanted.campaign.month, wanted.campaign.month + 1):
        raise errors.UnderWay("That month is over: load the page again to write for this one.")
    return wanted._replace(month=Month(month))


@posts_to("order-sheet", "slug", "number")
@json_view
def read(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Read the submitted sheet back and check it; store nothing."""
    sent = body_of(request)
    return JsonResponse(reading_of(_this_month(wanted, sent), sent.get("sheet")))


@posts_to("order-sheet", "slug", "number")
@json_view
def save(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Save the sheet if the script has seen the latest revision; answer with the receipt."""
    sent = body_of(request)
    wanted = _this_month(wanted, sent)
    receipt = submission.save_sheet(
        wanted.campaign.pk,
        wanted.user,
        wanted.seat.pk,
        sent.get("sheet"),
        month=wanted.month,
        expected_revision=_revision(sent),
        salt=str(sent.get("salt") or ""),
    )
    return _kept(wanted, receipt)


@posts_to("order-sheet", "slug", "number")
@json_view
def state(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Submit the sheet or take it back; set whether the seat is ready."""
    sent = body_of(request)
    wanted = _this_month(wanted, sent)
    about = wanted.campaign.pk, wanted.user, wanted.seat.pk
    options: Any = {"month": wanted.month, "expected_revision": _revision(sent)}
    if sent.get("do") in ("ready", "not ready"):
        return _kept(wanted, submission.set_ready(*about, sent["do"] == "ready", **options))
    if sent.get("do") not in ("submit", "take back"):
        raise errors.UnfitRequest("Say what is to be done with the sheet.")
    act = submission.submit if sent["do"] == "submit" else submission.take_back
    return _kept(wanted, act(*about, **options))


def _kept(wanted: SheetPageRequest, written: Receipt | OrderSheet) -> HttpResponse:
    """Answer with the sheet as this request wrote it.

    The script takes the revision from here as seen. A second read could return another request's
    revision, and the next save would overwrite it unseen.
    """
    if isinstance(written, OrderSheet):
        return JsonResponse(_sheet_data(wanted, written))
    told = _sheet_data(wanted, written.sheet)
    told["receipt"] = {
        "kind": written.kind,
        "hash": written.hash,
        "created": written.created.isoformat(),
        "url": address_of(wanted.campaign, wanted.seat, written),
    }
    return JsonResponse(told)


@require_safe
@json_view
def now(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Return the sheet as it is stored now, for a page opened some time ago."""
    here = {"branch": wanted.campaign.branch, "month": wanted.month}
    return JsonResponse({**here, **_sheet_data(wanted, wanted.sheet)})


@require_safe
@json_view
def last(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Return last month's sheet, to copy from."""
    before = sheets.last_month(wanted.campaign, wanted.seat, wanted.month)
    return JsonResponse({"sheet": sheet_to_builtins(before)})


@require_safe
@json_view
def outlook(request: HttpRequest, wanted: SheetPageRequest) -> HttpResponse:
    """Return the prospects of units that stand together: reach, odds, attrition, transport."""
    given = [UnitId(int(one)) for one in request.GET.getlist("unit") if one.isdecimal()][:400]
    leader = request.GET.get("leader", "")
    named = UnitId(int(leader)) if leader.isdecimal() else None
    guide = UnitId(0) if leader == "nobody" else named
    side = Side(wanted.seat.role)
    known = order_form.supposed_for(wanted.campaign, side)
    units, found = order_form.outlook_of(known, side, given, guide)
    context = order_form.outlook_in_words(known, units, found)
    told = order_form.outlook_data(known, units, found)
    told["html"] = render_to_string("campaign/orders/_outlook.html", context)
    return JsonResponse(told)
