"""By which rules a campaign is played, what this program makes of it, and the umpire's choice."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign import services
from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services import played
from campaign.views.console import campaign_of
from campaign.views.visitor import visitor


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rules_version(request: HttpRequest, slug: str) -> HttpResponse:
    """The difference in words, and three ways to go on."""
    campaign = campaign_of(request, slug)
    if request.method != "POST":
        return _show(request, campaign)
    try:
        way = _way(request.POST.get("way", ""))
        played.choose(campaign.pk, visitor(request), way, reason=request.POST.get("reason", ""))
    except services.Refused as refused:
        return _show(request, campaign, str(refused))
    messages.success(request, "Chosen, and written in the minutes.")
    return redirect("console", slug)


def _way(wanted: str) -> played.Way:
    try:
        return played.Way(wanted)
    except ValueError as error:
        raise services.Unfit("Choose whether it is kept, migrated or pinned.") from error


def _show(request: HttpRequest, campaign: Campaign, wrong: str = "") -> HttpResponse:
    verdict = played.verdict_on(campaign)
    context = {
        "campaign": campaign,
        "ours": RULES,
        "verdict": verdict,
        "ways": played.ways(verdict),
        "wrong": wrong,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "campaign/console/rules.html", context)
