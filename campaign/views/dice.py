"""The dice of a campaign: what is public of where they come from, and how to recompute them."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import fog, selectors, services
from campaign.models import Campaign
from campaign.rules.core.pieces import month_name
from campaign.views.front import title_of


class Check(NamedTuple):
    """Either the proof, or what is wrong."""

    proof: services.Proof | None
    wrong: str


@require_safe
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog.sees_all(campaign, fog.viewer_of(request.user, campaign))
    seals = selectors.seals_of(campaign)
    return render(
        request,
        "campaign/dice.html",
        {
            "campaign": campaign,
            "scenario": title_of(campaign.scenario),
            "branches": campaign.branches.all(),
            "seals": [(month_name(seal.month), seal) for seal in seals],
            "hidden": hidden,
            "check": _recomputed(campaign) if "recompute" in request.GET and not hidden else None,
        },
    )


def _recomputed(campaign: Campaign) -> Check:
    """What recomputing every die of the closed months gives."""
    try:
        return Check(services.verify_dice(campaign), "")
    except services.Damaged as damaged:
        return Check(None, str(damaged))
