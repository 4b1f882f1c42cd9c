"""The workers' tasks for accounts."""

import logging

from celery import shared_task

from accounts import guests

HOUR = 3600.0
"""The seconds after which the task expires; it is queued again anyway."""
logger = logging.getLogger(__name__)


@shared_task(name="accounts.tasks.forget_guests", expires=HOUR)
def forget_guests() -> None:
    """Delete the guests who have had their time."""
    if forgotten := guests.forget_guests():
        logger.info("%s guests have had their time and are deleted.", forgotten)
