"""What a worker does for the interface."""

from celery import shared_task

from api import publishing
from api.hand_over import PUBLISH


@shared_task(name=PUBLISH)
def publish(campaign: int) -> None:
    """Encode the pages of a campaign whose month has turned."""
    publishing.publish(campaign)
