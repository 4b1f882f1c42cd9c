"""Work given to the workers by the name of its task."""

import logging

from celery import current_app
from kombu.exceptions import OperationalError

PUBLISH = "api.tasks.publish"
TELL = "api.tasks.tell"

logger = logging.getLogger(__name__)


def hand_over(task: str, *told: object) -> bool:
    """Whether the workers have it; where their queue cannot be reached that is said in the log."""
    signature = current_app.signature(task, args=told)
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            signature.apply_async(connection=broker, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("No worker can be asked to do %s: %s", task, error)
        return False
    return True
