"""The way from a despatch to the battle it tells of."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from battles.selectors import addresses
from campaign import fog, selectors
from campaign.awaited import owner_of


@require_safe
def fought(request: HttpRequest, slug: str, battle: str) -> HttpResponse:
    """To the page of the battle that the campaign knows by that number, on its present line.

    Where it has been fought on several branches of the line, the last counts. Http404 when it
    has no page.
    """
    campaign = selectors.campaign_for(request.user, slug)
    if not fog.sees_any(campaign, fog.viewer_of(request.user, campaign)):
        raise Http404(fog.UNHEARD)
    branches = [stretch.branch for stretch in selectors.line_of(campaign)]
    found = addresses(owner_of(campaign), [f"{battle}-{branch}" for branch in branches])
    for branch in reversed(branches):
        if f"{battle}-{branch}" in found:
            return redirect("battle", found[f"{battle}-{branch}"])
    raise Http404(f"The campaign tells of no battle {battle!r}.")
