"""What a worker does for the interface."""

from celery import shared_task

from api import publishing
from api.receivers import DELIVER_TASK, PUBLISH_TASK
from api.webhooks import registry

MINUTE = 60.0
"""Seconds; then it is asked for again anyway."""


@shared_task(name=PUBLISH_TASK)
def publish(campaign: int) -> None:
    """Encode the pages of a campaign whose month has turned."""
    publishing.publish(campaign)


@shared_task(name=DELIVER_TASK, expires=MINUTE)
def tell(campaign: int | None = None) -> None:
    """Tell the webhooks what is new in the campaign, or in all, and what could not be told yet."""
    registry.queue_deliveries(None if campaign is None else [campaign])
    registry.deliver_due()
