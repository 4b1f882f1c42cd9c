"""The workers' tasks for the API."""

import logging
from typing import Any

from celery import shared_task

from api import publishing, push, webhooks
from api.channels import posting
from api.receivers import DELIVER_TASK, PUBLISH_TASK, PUSH_TASK
from api.ssrf_guard import Undeliverable

logger = logging.getLogger(__name__)
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


@shared_task(name=PUSH_TASK, bind=True, max_retries=4)
def send_push(self: Any, subscription: int, notice: dict[str, str]) -> None:
    """Send a notice to a browser; an unreachable push service is tried again, for half an hour."""
    try:
        push.send(subscription, notice)
    except Undeliverable as failed:
        if self.request.retries < self.max_retries:
            raise self.retry(countdown=60 * 2**self.request.retries) from failed
        logger.warning("A push message is dropped: %s", failed)
