"""The dice page: anchors, seals and salts, and the recomputation of every die."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.history import journal
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.pieces import month_name
from campaign.services.journal import audit
from campaign.web.front.front_page import title_of


class DiceCheck(NamedTuple):
    """The proof of the dice, or an error."""

    proof: audit.DiceAudit | None
    wrong: str


@require_safe
def dice(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
    seals = selectors.seals_of(campaign)
    return render(
        request,
        "campaign/papers/dice.html",
        {
            "campaign": campaign,
            "scenario": title_of(campaign.scenario),
            "branches": campaign.branches.all(),
            "seals": [(month_name(seal.month), seal) for seal in seals],
            "hidden": hidden,
            "check": _recomputed(campaign) if "recompute" in request.GET and not hidden else None,
        },
    )


def _recomputed(campaign: Campaign) -> DiceCheck:
    """Recompute every die of the closed months."""
    try:
        return DiceCheck(audit.verify_dice(campaign), "")
    except journal.Damaged as damaged:
        return DiceCheck(None, str(damaged))
