"""The debrief after the end: each side's beliefs, month by month, beside the truth."""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import State
from campaign.rules.sight import Onlooker, View
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import month_in, month_slug_of, name_of
from campaign.web.papers.gazette_pages import address

CLOSED = "The debrief opens when the campaign is over: until then it would tell what is hidden."


class Belief(NamedTuple):
    """A side's knowledge of the enemy's stacks: counted, sighted, and remembered wrongly."""

    side: Side
    counted: int
    seen: int
    wrong: int
    there: int


class DebriefMonth(NamedTuple):
    """A month of the debrief, with the URLs of its three maps."""

    name: str
    slug: str
    url: str
    maps: tuple[str, str, str]
    beliefs: tuple[Belief, ...]


@require_safe
@never_cache
def latest_debrief(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = _open_to(request, slug)
    return _show(request, campaign, Month(campaign.month))


@require_safe
@never_cache
def debrief_of_month(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    campaign = _open_to(request, slug)
    return _show(request, campaign, month_in(campaign, month))


def _open_to(request: HttpRequest, slug: str) -> Campaign:
    """Return the campaign if its debrief is open to the user. Raises Http404."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    if not (campaign.finished or viewer is Onlooker.UMPIRE):
        raise Http404(CLOSED)
    return campaign


def _show(request: HttpRequest, campaign: Campaign, month: Month) -> HttpResponse:
    months = map(Month, range(campaign.first_month - 1, campaign.month + 1))
    rows = [_row(campaign, one) for one in months]
    place = month - campaign.first_month + 1
    context = {
        "campaign": campaign,
        "rows": rows,
        "row": rows[place],
        "place": place,
        "earlier": rows[place - 1] if place else None,
        "later": rows[place + 1] if place + 1 < len(rows) else None,
        "sheet": printed_map.address(),
    }
    return render(request, "campaign/papers/debrief.html", context)


def _row(campaign: Campaign, month: Month) -> DebriefMonth:
    slug = month_slug_of(campaign, month)
    whose = (Side.EGYPTIAN, Onlooker.UMPIRE, Side.MAHDIST)
    west, middle, east = (address("paper-map", campaign, month, one) for one in whose)
    return DebriefMonth(
        name_of(campaign, month),
        slug,
        reverse("debrief-month", args=[campaign.slug, slug]),
        (west, middle, east),
        tuple(beliefs(campaign, month)),
    )


def beliefs(campaign: Campaign, month: Month) -> list[Belief]:
    truth = selectors.state_at(campaign, month)
    return [
        _belief(truth, fog_of_war.view_as_believed(campaign, month, side), side) for side in Side
    ]


def _belief(truth: State, view: View, side: Side) -> Belief:
    there = set(board(truth).hexes(side.enemy))
    counted = set(board(view.state).hexes(side.enemy))
    remembered = {seen.hex for seen in view.markers}
    return Belief(side, len(counted), len(view.sightings), len(remembered - there), len(there))
