"""The map of a month as the public may see it, as a PNG with an address of its own.

Chat services fetch the picture without logging in, also of a campaign that is not public. So the
address is signed: only those have it who have been sent it.
"""

import logging

from django.core import signing
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from api.channels.news import headline_month
from campaign.access import gazette_access
from campaign.cartography import NoLettering, png, whole
from campaign.models import Campaign
from campaign.rules.core.board import chart
from campaign.rules.sight import Onlooker
from campaign.services.mail.notifications import site_url

WIDTH = 1200  # pixels
KEPT = 3600
"""The seconds for which a drawn picture is cached."""
A_DAY = 24 * 3600  # seconds
NO_PICTURE = "There is no such picture, or not any more."

logger = logging.getLogger(__name__)
_signer = signing.Signer(salt="api.channels.picture")


def picture_url(campaign: Campaign, month: int) -> str:
    """Return the full address of the month's picture."""
    token = _signer.sign_object([campaign.pk, campaign.branch, month])
    return site_url(reverse("channel-picture", args=[token]))


def month_picture(campaign: Campaign, month: int) -> bytes | None:
    """Return the picture as a PNG; None on a machine without fonts to letter it with."""
    key = f"channel-picture:{campaign.pk}:{campaign.branch}:{month}:{campaign.finished}"
    cache = caches["template_fragments"]
    drawn: bytes | None = cache.get(key)
    if drawn is None:
        view = gazette_access.month_as_told(campaign, month, Onlooker.PUBLIC)
        try:
            drawn = png(whole(chart(view.state), view.state), WIDTH)
        except NoLettering as error:
            logger.warning("A channel gets no map: %s", error)
            return None
        cache.set(key, drawn, KEPT)
    return drawn


@require_safe
@cache_control(public=True, max_age=A_DAY)
def picture(request: HttpRequest, token: str) -> HttpResponse:
    """Return the picture with that signed address, while the public may know of its month."""
    try:
        number, branch, month = _signer.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Http404(NO_PICTURE) from error
    campaign = Campaign.objects.filter(pk=number, branch=branch).first()
    known = headline_month(campaign) if campaign else None
    if campaign is None or known is None or month > known:
        raise Http404(NO_PICTURE)
    drawn = month_picture(campaign, month)
    if drawn is None:
        raise Http404(NO_PICTURE)
    return HttpResponse(drawn, content_type="image/png")
