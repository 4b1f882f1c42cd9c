"""The handover brief: a side's position, for a player who takes over a seat."""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack
from campaign.rules.prose.phase_report import NEWS
from campaign.rules.prose.situation import describe_marker, situation
from campaign.rules.stacks import countable_units
from campaign.services.order_status import name_of
from campaign.web.console.console import clockface
from campaign.web.map.campaign_page import CampaignPage

MOST_NEWS = 12


class BriefStack(NamedTuple):
    """A stack: its place, units and condition."""

    hex: HexId
    place: str
    units: str
    disrupted: int
    size: int
    besieged: bool


@require_safe
@never_cache
def brief(request: HttpRequest, slug: str, role: str) -> HttpResponse:
    """Show the brief of a side to its players and the umpire."""
    campaign = selectors.campaign_for(request.user, slug)
    side = _side(request, campaign, role)
    view = fog_of_war.view_now(campaign, side)
    chart = CampaignPage(campaign, Month(campaign.month), side)
    before = max(campaign.first_month - 1, campaign.month - 1)
    context = {
        "campaign": campaign,
        "chart": chart,
        "side": side,
        "seats": [(name_of(seat), seat) for seat in campaign.seats.filter(role=side)],
        "standing": situation(view.state, view.counted),
        "asked": fog_of_war.waiting_for(campaign, side),
        "posts": list(posts(view.state, side)),
        "enemy": list(posts(view.state, side.enemy)),
        "reports": [
            describe_marker(sighting, view.state.month)
            for sighting in (*view.sightings, *view.markers)
        ],
        "before": month_name(Month(before)) if before >= campaign.first_month else "the set-up",
        "news": list(news(campaign, before, side)),
        "clock": clockface(campaign),
        "left": left_a_sheet(campaign, side),
    }
    return render(request, "campaign/seats/handover_brief.html", context)


def _side(request: HttpRequest, campaign: Campaign, role: str) -> Side:
    """Return the side if the user may have its brief. Raises Http404."""
    roles = selectors.role_of(request.user, campaign)
    if role not in Seat.SIDES or not roles & {role, Seat.Role.UMPIRE.value}:
        raise Http404("There is no such brief that you may see.")
    return Side(role)


def left_a_sheet(campaign: Campaign, side: Side) -> bool:
    """Return whether a former holder left a sheet for this month."""
    of_side = campaign.sheets.filter(seat__role=side.value, withdrawn=True)
    return of_side.filter(branch=campaign.branch, month=campaign.month).exists()


def posts(state: State, side: Side) -> Iterator[BriefStack]:
    position = board(state)
    for hex_id in position.hexes(side):
        units = position.stack(side, hex_id)
        yield BriefStack(
            hex_id,
            describe_hex(hex_id),
            describe_stack(units),
            sum(unit.disrupted for unit in units),
            len(countable_units(units)),
            position.besieged(side, hex_id),
        )


def news(campaign: Campaign, month: int, side: Side) -> Iterator[str]:
    """Yield the important news of the month before, as the side knows it."""
    sentences = (
        sentence
        for despatch in fog_of_war.despatches(campaign, month, side)
        for sentence in despatch.sentences
        if sentence.weight >= NEWS
    )
    for _, sentence in zip(range(MOST_NEWS), sentences, strict=False):
        yield sentence.text
