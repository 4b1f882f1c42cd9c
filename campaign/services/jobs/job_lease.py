"""Work for the workers: claimed by one at a time, taken over when that one is gone."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import TypeVar

from celery import current_app
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from campaign.models import Work
from campaign.services.errors import Refused, describe_trouble
from campaign.signals import work_over

LEASE = timedelta(seconds=10)
"""Work whose worker has written nothing for so long may be taken over.

So may work that says it was touched later than that from now: somebody's clock was set back.
"""
W = TypeVar("W", bound=Work)
logger = logging.getLogger(__name__)


class Claim(Enum):
    """What became of work that a worker was handed."""

    DONE = "done"
    MORE = "more to do"
    BUSY = "busy"
    NOTHING = "nothing to do"


class LeaseLost(Refused):
    """Another worker is about the work now, or it has been stopped."""


def send(task: str, work: Work, *more: int) -> None:
    """Hand the work to the workers by the name of its task, with what else the task is told.

    Where no worker can be told the work stays asked for, says so, and is sent again by the sweep.
    """
    signature = current_app.signature(task, args=[str(work.uuid), *more])
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            signature.apply_async(connection=broker, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("%s was not sent to the workers: %s", work.uuid, error)
        say(
            work,
            "No worker can be told: the task queue does not answer. It is kept, and begun "
            "as soon as the queue is back.",
        )


def send_again(task: str, unfinished: Iterable[Work]) -> int:
    """Hand over all of it again; gives back how many. Harmless twice."""
    works = list(unfinished)
    for work in works:
        send(task, work)
    return len(works)


def orphans(works: "QuerySet[W]") -> list[W]:
    """Return those that nobody is about and whose order may be lost; not found again for a while."""
    now = timezone.now()
    found = list(works.filter(lease_expired("touched", now), status__in=Work.UNFINISHED))
    asked = works.filter(pk__in=[work.pk for work in found], status=Work.Status.ASKED)
    asked.update(touched=now)
    return found


def claim(work: Work) -> bool:
    """Take the work unless another worker has it and is alive."""
    work.claim = secrets.token_hex(16)
    now = timezone.now()
    free = Q(status=Work.Status.ASKED) | lease_expired("touched", now)
    return bool(
        type(work)
        ._default_manager.filter(free, pk=work.pk, status__in=Work.UNFINISHED)
        .update(
            status=Work.Status.RUNNING,
            claim=work.claim,
            touched=now,
            started=work.started or now,
            message="",
        )
    )


def lease_expired(column: str, now: datetime) -> Q:
    """That a claim of the moment in the column holds no longer."""
    return Q((f"{column}__lt", now - LEASE)) | Q((f"{column}__gt", now + LEASE))


def note(work: Work, **written: object) -> None:
    """Write how far the work has come; TakenOver if it is another worker's by now."""
    mine = type(work)._default_manager.filter(
        pk=work.pk, claim=work.claim, status=Work.Status.RUNNING
    )
    if not mine.update(touched=timezone.now(), **written):
        raise LeaseLost("Another worker has taken the work over.")


def abandoned(work: Work) -> bool:
    """Whether no worker has been heard of for the length of a lease."""
    return work.status in Work.UNFINISHED and abs(timezone.now() - work.touched) > LEASE


def say(work: Work, message: str) -> None:
    """What the work has to say while it waits."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        message=message[:500]
    )


def interrupted(work: Work, trouble: Exception) -> None:
    """The work is left to whoever takes it up, for the trouble is not its own."""
    try:
        say(work, f"{describe_trouble(trouble)} What was done is kept, and the rest is done later.")
    except DatabaseError as worse:
        logger.warning("%s is left as it is: %s", work.uuid, worse)


def fail(work: Work, message: str) -> None:
    """The work is over, and why."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        status=Work.Status.FAILED, message=message[:500], finished=timezone.now()
    )
    notify_finished(work)


def notify_finished(work: Work) -> None:
    """Whoever waits for the work hears that it is over, once that is committed."""
    transaction.on_commit(partial(work_over.send, sender=type(work), work=work), robust=True)
