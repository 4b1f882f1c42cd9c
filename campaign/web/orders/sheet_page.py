"""The order sheet's page; its script reads and writes the sheet by the REST interface."""

from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Seat
from campaign.rules.core.pieces import Month, UnitId, month_name, month_slug
from campaign.services import errors
from campaign.services.orders import sheets
from campaign.web.orders import order_form
from campaign.web.visitor import visitor

SIDES = {side.value for side in Side}
MOST_UNITS = 400


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


@login_required
@require_safe
@never_cache
def own_order_sheets(request: HttpRequest, slug: str) -> HttpResponse:
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
    form = order_form.order_form(wanted.campaign, wanted.seat, wanted.month)
    context = {
        "campaign": wanted.campaign,
        "seat": wanted.seat,
        "form": form,
        "month": month_name(wanted.month),
        "month_slug": month_slug(wanted.month),
        "ahead": wanted.month > wanted.campaign.month,
        "places": form.places,
        "due": order_form.due_in_words(wanted.campaign),
    }
    return render(request, "campaign/orders/sheet.html", context)


@login_required
@require_safe
@never_cache
def outlook(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the prospects of units that stand together, as a fragment: reach, odds, attrition."""
    wanted = sheet_request(request, slug, number)
    given = request.GET.get("unit_ids", "").split(",")
    units = [UnitId(int(one)) for one in given if one.isdecimal()][:MOST_UNITS]
    leader = request.GET.get("leader_id", "")
    guide = UnitId(int(leader)) if leader.isdecimal() else None
    if request.GET.get("without_leader") == "true":
        guide = UnitId(0)
    side = Side(wanted.seat.role)
    known = order_form.supposed_for(wanted.campaign, side)
    try:
        context = order_form.outlook_in_words(
            known, *order_form.outlook_of(known, side, units, guide)
        )
    except errors.UnfitRequest as unfit:
        return HttpResponse(str(unfit), status=422, content_type="text/plain")
    return render(request, "campaign/orders/_outlook.html", context)
