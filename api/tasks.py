"""What a worker does for the interface."""

from celery import shared_task

from api import publishing
from api.hand_over import PUBLISH, TELL
from api.hooks import keeping

MINUTE = 60.0
"""Seconds; then it is asked for again anyway."""


@shared_task(name=PUBLISH)
def publish(campaign: int) -> None:
    """Encode the pages of a campaign whose month has turned."""
    publishing.publish(campaign)


@shared_task(name=TELL, expires=MINUTE)
def tell(campaign: int | None = None) -> None:
    """Tell the webhooks what is new in the campaign, or in all, and what could not be told yet."""
    keeping.collect(None if campaign is None else [campaign])
    keeping.deliver_due()
