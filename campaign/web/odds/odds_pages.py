"""The odds pages of a campaign: odds of a sheet, rehearsals, forecasts, trial battles."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles import journal
from battles.contract import Brief
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Inquiry, Seat
from campaign.orders.order_sheet import MonthOrders
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.services import errors, inquiries, order_sheets
from campaign.services.order_sheets import brief_of_order, known_state, odds_of_sheet
from campaign.web import sheet_page
from campaign.web.battle_forms import book_title
from campaign.web.odds import odds_charts, simulation_results
from campaign.web.odds.book_comparison import say_stopped
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

RUNS = 200
HEADINGS = {
    Inquiry.Kind.BATTLE: "A battle fought many times over",
    Inquiry.Kind.REHEARSAL: "The month rehearsed",
    Inquiry.Kind.FORECAST: "Forecast",
}


class ForecastForm(forms.Form):
    """The form for a forecast."""

    runs = forms.IntegerField(
        min_value=inquiries.FEWEST,
        max_value=inquiries.MOST,
        initial=RUNS,
        label="How many times",
    )


@login_required
@require_safe
@never_cache
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the possible inquiries, and the user's own so far."""
    campaign = selectors.campaign_for(request.user, slug)
    return _show_index(request, campaign, ForecastForm())


def _show_index(request: HttpRequest, campaign: Campaign, form: ForecastForm) -> HttpResponse:
    roles = selectors.role_of(request.user, campaign)
    seats = campaign.seats.filter(user=visitor(request), role__in=Seat.SIDES)
    context = {
        "campaign": campaign,
        "form": form,
        "umpire": "umpire" in roles and not campaign.finished,
        "seats": [] if campaign.finished or campaign.mode != "orders" else list(seats),
        "asked": Inquiry.objects.filter(campaign=campaign, asked_by=visitor(request))[:20],
    }
    status = 400 if form.errors else 200
    return render(request, "campaign/odds/index.html", context, status=status)


@login_required
@require_safe
@never_cache
def of_sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the odds of the stored sheet as a fragment, or the reason why there are none."""
    page_request = sheet_page.sheet_request(request, slug, number)
    try:
        sheet_odds = odds_of_sheet(
            page_request.campaign,
            page_request.user,
            page_request.seat.pk,
            _kept_orders(page_request),
        )
    except (journal.TooLong, errors.UnfitRequest) as refused:
        return HttpResponse(str(refused), status=422, content_type="text/plain")
    state = known_state(page_request.campaign, page_request.seat)
    side = Side(page_request.seat.role)
    context = {
        "campaign": page_request.campaign,
        "seat": page_request.seat,
        "event": odds_charts.event_in_words(state, side),
        "book": book_title(_book_of(page_request.campaign)),
        "orders": [odds_charts.order_shown(state, side, order) for order in sheet_odds.orders],
        "assaults": [
            odds_charts.assault_shown(hex_id, odds, side)
            for hex_id, odds in sheet_odds.assaults.items()
        ],
    }
    return render(request, "campaign/odds/_orders.html", context)


def _book_of(campaign: Campaign) -> str:
    """Return how the campaign's battles are fought; for people, their book or the fallback."""
    agreed = selectors.state_now(campaign).hand_off
    if agreed is None:
        return COMBAT_TABLE
    if agreed.resolution == TABLETOP:
        return agreed.book or agreed.fallback
    return agreed.resolution


def _ask_and_redirect(
    ask: Callable[[], Inquiry], request: HttpRequest, back: tuple[Any, ...]
) -> HttpResponse:
    """Make an inquiry and redirect to its page; back, with the reason, if it is refused."""
    try:
        inquiry = ask()
    except errors.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except journal.Refused as refused:
        messages.error(request, str(refused))
        return redirect(*back)
    return redirect("inquiry", inquiry.campaign.slug, inquiry.uuid)


@login_required
@posts_to("order-sheet", "slug", "number")
@sent_once
def rehearse(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Rehearse the month by the stored sheet."""
    page_request = sheet_page.sheet_request(request, slug, number)

    def ask() -> Inquiry:
        return inquiries.rehearse_month(
            page_request.campaign,
            page_request.user,
            page_request.seat.pk,
            _kept_orders(page_request),
            runs=RUNS,
        )

    return _ask_and_redirect(ask, request, ("odds", slug))


def _kept_orders(page_request: sheet_page.SheetPageRequest) -> MonthOrders:
    return order_sheets.document_of(page_request.sheet)


@login_required
@posts_to("order-sheet", "slug", "number")
@sent_once
def of_order(request: HttpRequest, slug: str, number: int, order: int) -> HttpResponse:
    """Fight the battle that an order leads to many times by the campaign's book."""
    page_request = sheet_page.sheet_request(request, slug, number)

    def ask() -> Inquiry:
        about = page_request.campaign, page_request.user
        brief = brief_of_order(*about, page_request.seat.pk, _kept_orders(page_request), order - 1)
        return inquiries.try_battle(*about, brief, way=_book_of(page_request.campaign), runs=RUNS)

    return _ask_and_redirect(ask, request, ("order-sheet", slug, number))


@login_required
@posts_to("battle-result", "slug", "battle")
@sent_once
def of_battle(request: HttpRequest, slug: str, battle: str) -> HttpResponse:
    """Fight the pending battle many times by a book."""
    campaign = selectors.campaign_for(request.user, slug)
    brief = awaited_brief(request, campaign, battle)

    def ask() -> Inquiry:
        way = request.POST.get("way", "")
        return inquiries.try_battle(campaign, visitor(request), brief, way=way, runs=RUNS)

    return _ask_and_redirect(ask, request, ("battle-result", slug, battle))


def awaited_brief(request: HttpRequest, campaign: Campaign, battle: str) -> Brief:
    """Return the brief of the pending battle.

    Raises Http404 for another battle, and for a user who may not know of it.
    """
    waiting = fog_of_war.battle_awaited(campaign, fog_of_war.viewer_of(request.user, campaign))
    if waiting is None or waiting.brief.id != battle:
        raise Http404("The campaign does not wait for that battle.")
    return waiting.brief


@login_required
@posts_to("odds", "slug")
@sent_once
def forecast(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the campaign on from here, for the umpire alone."""
    campaign = selectors.campaign_for(request.user, slug)
    if "umpire" not in selectors.role_of(request.user, campaign):
        raise PermissionDenied("Only the campaign’s umpire can have it played on from here.")
    form = ForecastForm(request.POST)
    if not form.is_valid():
        return _show_index(request, campaign, form)

    def ask() -> Inquiry:
        runs = form.cleaned_data["runs"]
        return inquiries.forecast_campaign(campaign, visitor(request), runs=runs)

    return _ask_and_redirect(ask, request, ("odds", slug))


@login_required
@require_safe
@never_cache
def inquiry_page(request: HttpRequest, slug: str, number: UUID) -> HttpResponse:
    """Show the progress of an inquiry, and its results so far."""
    campaign = selectors.campaign_for(request.user, slug)
    inquiry = _inquiry(request, campaign, number)
    kind = Inquiry.Kind(inquiry.kind)
    context = {
        "campaign": campaign,
        "inquiry": inquiry,
        "heading": HEADINGS[kind],
        "far": inquiries.inquiry_progress(inquiry),
        "told": simulation_results.describe_results(inquiry),
        "template": f"campaign/odds/_{kind.value}.html",
    }
    return render(request, "campaign/odds/one.html", context)


@login_required
@posts_to("inquiry", "slug", "number")
def stop(request: HttpRequest, slug: str, number: UUID) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    inquiry = _inquiry(request, campaign, number)
    is_stopped = inquiries.stop_inquiry(visitor(request), inquiry)
    say_stopped(request, is_stopped, "It is stopped; what was played is kept.")
    return redirect("inquiry", slug, inquiry.uuid)


def _inquiry(request: HttpRequest, campaign: Campaign, number: UUID) -> Inquiry:
    inquiry = inquiries.inquiry_for(visitor(request), campaign, number)
    if inquiry is None:
        raise Http404("You have no forecast or rehearsal of that number in this campaign.")
    return inquiry
