"""Work for the workers: claimed by one at a time, taken over when that one is gone."""

import secrets
from collections.abc import Iterable
from datetime import timedelta
from enum import Enum
from typing import TypeVar

from celery import current_app
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from campaign.models import Work
from campaign.services.errors import Refused

LEASE = timedelta(seconds=10)
"""Work whose worker has written nothing for so long may be taken over."""
W = TypeVar("W", bound=Work)


class Claim(Enum):
    """What became of work that a worker was handed."""

    DONE = "done"
    MORE = "more to do"
    BUSY = "busy"
    NOTHING = "nothing to do"


class TakenOver(Refused):
    """Another worker is about the work now, or it has been stopped."""


def send(task: str, work: Work, *more: int) -> None:
    """Hand the work to the workers by the name of its task, with what else the task is told."""
    signature = current_app.signature(task, args=[str(work.uuid), *more])
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            signature.apply_async(connection=broker, retry=False)
    except (OperationalError, OSError) as error:
        fail(
            work,
            "No worker can be asked: the task queue cannot be reached "
            f"({error}). Start it, then ask again; nothing is lost.",
        )


def send_again(task: str, unfinished: Iterable[Work]) -> int:
    """Hand over all of it again; gives back how many. Harmless twice."""
    works = list(unfinished)
    for work in works:
        send(task, work)
    return len(works)


def claimed(work: Work) -> bool:
    """Take the work unless another worker has it and is alive."""
    work.claim = secrets.token_hex(16)
    now = timezone.now()
    free = Q(status=Work.Status.ASKED) | Q(touched__lt=now - LEASE)
    return bool(
        type(work)
        ._default_manager.filter(free, pk=work.pk, status__in=Work.UNFINISHED)
        .update(
            status=Work.Status.RUNNING,
            claim=work.claim,
            touched=now,
            started=work.started or now,
        )
    )


def note(work: Work, **written: object) -> None:
    """Write how far the work has come; TakenOver if it is another worker's by now."""
    mine = type(work)._default_manager.filter(
        pk=work.pk, claim=work.claim, status=Work.Status.RUNNING
    )
    if not mine.update(touched=timezone.now(), **written):
        raise TakenOver("Another worker has taken the work over.")


def abandoned(work: Work) -> bool:
    """Whether no worker has been heard of for the length of a lease."""
    return work.status in Work.UNFINISHED and work.touched < timezone.now() - LEASE


def fail(work: Work, message: str) -> None:
    """The work is over, and why."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        status=Work.Status.FAILED, message=message[:500], finished=timezone.now()
    )
