"""What is looked up whenever something has gone on, light enough for commands that never answer."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from api.models import Webhook
from campaign.models import Campaign, Seat


def is_published(campaign: Campaign) -> bool:
    """Whether the month it is in has been published; the end of a campaign is a month too."""
    month = campaign.published.filter(month=campaign.month)
    return month.filter(finished=campaign.finished).exists()


def concerned(campaign_ids: Iterable[int] | None = None) -> QuerySet[Webhook]:
    """The webhooks that work; with campaigns, those that may be told of them."""
    working = Webhook.objects.filter(disabled=None, user__is_active=True)
    if campaign_ids is None:
        return working
    ids = list(campaign_ids)
    sitting = Seat.objects.filter(campaign__in=ids).exclude(user=None).values("user")
    return working.filter(Q(campaign__in=ids) | Q(campaign=None, user__in=sitting))
