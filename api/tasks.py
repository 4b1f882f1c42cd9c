"""The workers' tasks for the API."""

from celery import shared_task

from api import publishing, webhooks
from api.channels import posting
from api.receivers import DELIVER_TASK, PUBLISH_TASK

MINUTE = 60.0
"""The seconds after which the task expires; it is queued again anyway."""


@shared_task(name=PUBLISH_TASK)
def publish(campaign: int) -> None:
    """Encode the pages of a campaign whose month has turned."""
    publishing.publish(campaign)


@shared_task(name=DELIVER_TASK, expires=MINUTE)
def deliver(campaign: int | None = None) -> None:
    """Queue and deliver events to webhooks and channels, for one campaign or for all."""
    campaigns = None if campaign is None else [campaign]
    webhooks.queue_deliveries(campaigns)
    webhooks.deliver_due()
    posting.queue_posts(campaigns)
    posting.deliver_due()
