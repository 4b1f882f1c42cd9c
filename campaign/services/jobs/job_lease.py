"""Lease jobs to workers: one worker holds a job, and another takes over when it has died."""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import TypeVar

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from battles.access.owners import GUEST
from campaign.models import Job, Work
from campaign.services.errors import Refused, describe_trouble
from campaign.signals import work_over

LEASE = timedelta(seconds=10)
"""A job whose worker has written nothing for this long may be taken over.

So may a job that was touched this far in the future: somebody's clock was set back.
"""
W = TypeVar("W", bound=Work)
logger = logging.getLogger(__name__)


class Claim(Enum):
    """The result of handing a job to a worker."""

    DONE = "done"
    MORE = "more to do"
    BUSY = "busy"
    NOTHING = "nothing to do"


class LeaseLost(Refused):
    """A job that another worker holds now, or that has been stopped."""


def send(task: str, work: Work, *more: int) -> None:
    """Send the job to the workers by the name of its task, with further arguments.

    The months of guests go into a queue of their own, so that no club waits for them. If the
    broker cannot be reached, the job stays asked for, says so, and the sweep sends it again.
    """
    signature = current_app.signature(task, args=[str(work.uuid), *more])
    if is_of_guest(work):
        signature.set(queue=settings.GUESTS_QUEUE)
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            signature.apply_async(connection=broker, retry=False)
    except (OperationalError, OSError) as error:
        logger.warning("%s was not sent to the workers: %s", work.uuid, error)
        set_message(
            work,
            "No worker can be told: the task queue does not answer. It is kept, and begun "
            "as soon as the queue is back.",
        )


def is_of_guest(work: Work) -> bool:
    """Return whether the job advances a campaign that a guest plays alone."""
    if not isinstance(work, Job) or work.campaign.umpire_id is not None:
        return False
    return work.campaign.seats.filter(user__username__startswith=GUEST).exists()


def send_again(task: str, unfinished: Iterable[Work]) -> int:
    """Send all of them again; return how many. Idempotent."""
    works = list(unfinished)
    for work in works:
        send(task, work)
    return len(works)


def orphans(works: "QuerySet[W]") -> list[W]:
    """Return jobs whose lease has expired and whose message may be lost.

    They are touched, so that the next sweeps leave them alone for the length of a lease.
    """
    now = timezone.now()
    found = list(works.filter(lease_expired("touched", now), status__in=Work.UNFINISHED))
    asked = works.filter(pk__in=[work.pk for work in found], status=Work.Status.PENDING)
    asked.update(touched=now)
    return found


def claim(work: Work) -> bool:
    """Claim the job unless another worker holds it and its lease has not expired."""
    work.claim = secrets.token_hex(16)
    now = timezone.now()
    free = Q(status=Work.Status.PENDING) | lease_expired("touched", now)
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
    """Return the condition that a lease, touched at the moment in that column, has expired."""
    return Q((f"{column}__lt", now - LEASE)) | Q((f"{column}__gt", now + LEASE))


def write_progress(work: Work, **written: object) -> None:
    """Write the job's progress. Raises LeaseLost if another worker holds the job now."""
    mine = type(work)._default_manager.filter(
        pk=work.pk, claim=work.claim, status=Work.Status.RUNNING
    )
    if not mine.update(touched=timezone.now(), **written):
        raise LeaseLost("Another worker has taken the work over.")


def abandoned(work: Work) -> bool:
    """Return whether the job is unfinished and its lease has expired."""
    return work.status in Work.UNFINISHED and abs(timezone.now() - work.touched) > LEASE


def set_message(work: Work, message: str) -> None:
    """Set the message of an unfinished job."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        message=message[:500]
    )


def interrupted(work: Work, trouble: Exception) -> None:
    """Leave the job to another worker, with a message, because the fault is not its own."""
    try:
        set_message(
            work, f"{describe_trouble(trouble)} What was done is kept, and the rest is done later."
        )
    except DatabaseError as worse:
        logger.warning("%s is left as it is: %s", work.uuid, worse)


def fail(work: Work, message: str) -> None:
    """Mark the job as failed, with a message."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        status=Work.Status.FAILED, message=message[:500], finished=timezone.now()
    )
    notify_finished(work)


def notify_finished(work: Work) -> None:
    """Notify those who wait for the job that it is over, once that is committed."""
    transaction.on_commit(partial(work_over.send, sender=type(work), work=work), robust=True)
