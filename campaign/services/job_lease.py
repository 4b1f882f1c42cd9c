"""Run jobs under a lease, long ones in slices, so that a month is not kept waiting."""

import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Any, Generic, TypeVar
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, Error, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from battles import journal
from battles.access import GUEST
from battles.core.decoding import decoder_for, encode
from campaign.models import Job, Work
from campaign.services.errors import OUT_OF_REACH, Refused, describe_trouble
from campaign.signals import work_over
from ops.sweeps import sweep

# Lease jobs to workers: one worker holds a job, and another takes over when it has died.


LEASE = timedelta(seconds=10)
"""A job whose worker has neither written nor renewed its lease for this long may be taken over.

So may a job that was touched this far in the future: a machine's clock was set back.
"""
W = TypeVar("W", bound=Work)
logger = logging.getLogger(__name__)


class Claim(Enum):
    """The result of handing a job to a worker."""

    DONE = "done"
    MORE = "more to do"
    BUSY = "busy"
    NOTHING = "nothing to do"


class QueueUnreachable(Exception):
    """The task queue does not answer; the message is the broker's."""


class LeaseLost(Refused):
    """A job that another worker holds now, or that has been stopped."""


def queue_task(signature: Any) -> None:
    """Queue a task, or a chord of tasks, for the workers. Raises QueueUnreachable.

    It is tried once: a page does not wait for a broker that is away.
    """
    try:
        with current_app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
            signature.apply_async(connection=broker, retry=False)
    except (OperationalError, OSError) as error:
        raise QueueUnreachable(str(error)) from error


def send(task: str, work: Work, *more: int) -> None:
    """Send the job to the workers by the name of its task, with further arguments.

    The months of guests go into a queue of their own, so that no club waits for them. If the broker
    cannot be reached, the job stays queued with a message that says so, and the sweep sends it
    again.
    """
    signature = current_app.signature(task, args=[str(work.uuid), *more])
    if is_of_guest(work):
        signature.set(queue=settings.GUESTS_QUEUE)
    try:
        queue_task(signature)
    except QueueUnreachable as error:
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
    return len(sweep(unfinished, partial(send, task)))


def orphans(works: "QuerySet[W]") -> list[W]:
    """Return jobs whose lease has expired and whose message may be lost.

    They are touched, so that the next sweeps leave them alone for the length of a lease.
    """
    now = timezone.now()
    jobs = list(works.filter(lease_expired("touched", now), status__in=Work.UNFINISHED))
    pending_jobs = works.filter(pk__in=[work.pk for work in jobs], status=Work.Status.PENDING)
    pending_jobs.update(touched=now)
    return jobs


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


@contextmanager
def renewed_lease(work: Work) -> Iterator[None]:
    """Renew the lease in the background, because one step of the job may take longer than it.

    Otherwise two workers that are slow would take the job from each other and never finish a step.
    """
    over = Event()
    renewing = Thread(target=_renew_lease, args=(work, over), name="lease", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        renewing.join()


def _renew_lease(work: Work, over: Event) -> None:
    try:
        while not over.wait(LEASE.total_seconds() / 3):
            try:
                if not _touch(work):
                    return
            except Error as trouble:
                logger.warning("The lease of %s was not renewed: %s", work.uuid, trouble)
                connection.close()
    finally:
        connection.close()


def write_progress(work: Work, **written: object) -> None:
    """Write the job's progress. Raises LeaseLost if another worker holds the job now."""
    if not _touch(work, **written):
        raise LeaseLost("Another worker has taken the work over.")


def _touch(work: Work, **written: object) -> bool:
    """Renew the lease and write these columns; return False if the job is not held any more."""
    own_rows = type(work)._default_manager.filter(
        pk=work.pk, claim=work.claim, status=Work.Status.RUNNING
    )
    return bool(own_rows.update(touched=timezone.now(), **written))


def is_abandoned(work: Work) -> bool:
    """Return whether a worker began the job and let its lease expire.

    A job in the queue has no lease: it waits for as long as the workers are busy with others.
    """
    is_begun = work.status == Work.Status.RUNNING
    return is_begun and abs(timezone.now() - work.touched) > LEASE


def set_message(work: Work, message: str) -> None:
    """Set the message of an unfinished job."""
    type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED).update(
        message=message[:500]
    )


def leave_to_another(work: Work, trouble: Exception) -> None:
    """Leave the job to another worker, with a message, because the fault is not its own."""
    try:
        set_message(
            work, f"{describe_trouble(trouble)} What was done is kept, and the rest is done later."
        )
    except DatabaseError as worse:
        logger.warning("%s is left as it is: %s", work.uuid, worse)


def fail(work: Work, message: str) -> bool:
    """Mark an unfinished job as failed, with a message; return whether it was unfinished."""
    unfinished = type(work)._default_manager.filter(pk=work.pk, status__in=Work.UNFINISHED)
    failed = unfinished.update(
        status=Work.Status.FAILED, message=message[:500], finished=timezone.now()
    )
    if failed:
        notify_finished(work)
    return bool(failed)


def notify_finished(work: Work) -> None:
    """Notify those who wait for the job that it is over, once that is committed."""
    transaction.on_commit(partial(work_over.send, sender=type(work), work=work), robust=True)


# Run long jobs in slices, so that a month somebody waits for is not kept waiting.
#
# Every piece is written as it is finished: after a crash the job resumes from there.


SLICE = 2.0
"""Seconds after which a worker returns the job to the queue, so that others get a turn."""

Piece = TypeVar("Piece")


@dataclass(frozen=True)
class ResumableJob(Generic[W, Piece]):
    """A kind of resumable job: its task's name, and the field that stores its pieces.

    `one(work, place)` produces the piece in that place; `done` is the message at the end.
    """

    model: type[W]
    task: str
    field: str
    pieces: type[list[Piece]]
    one: Callable[[W, int], Piece]
    done: str

    def pieces_of(self, work: W) -> list[Piece]:
        """Return every piece done so far, in order."""
        if not work.progress:
            return []
        pieces: list[Piece] = decoder_for(self.pieces).decode(
            journal.unpack(getattr(work, self.field))
        )
        return pieces

    def run(
        self,
        uuid: str | UUID,
        on_progress: Callable[[W], None] = lambda work: None,
        *,
        expected: int | None = None,
        hand_on: Callable[[W], None] | None = None,
    ) -> Claim:
        """Claim the job and do a slice of it; return MORE when it has been sent on unfinished.

        `on_progress` is called with the job after every piece. `expected` is the number of pieces
        done when the message was sent; NOTHING is returned if there are more by now, because then
        the message was delivered twice. `hand_on` receives the unfinished job; by default it is
        sent to the queue.
        """
        unfinished = self.model._default_manager.filter(uuid=uuid, status__in=Work.UNFINISHED)
        work = unfinished.first()
        if work is None or _is_repeated(work, expected):
            return Claim.NOTHING
        if not claim(work):
            return Claim.BUSY
        try:
            with renewed_lease(work):
                return self._slice(work, on_progress, hand_on or self._queue)
        except LeaseLost:
            return Claim.BUSY
        except OUT_OF_REACH as trouble:
            leave_to_another(work, trouble)
            raise
        except Exception as error:
            fail(
                work, f"The staff failed ({type(error).__name__}: {error}); tell the administrator."
            )
            raise

    def _slice(
        self, work: W, on_progress: Callable[[W], None], hand_on: Callable[[W], None]
    ) -> Claim:
        pieces, end = self.pieces_of(work), monotonic() + SLICE
        # At least one piece is done, however late the worker gets the processor: otherwise the
        # job would circle in the queue of a busy machine without coming nearer to its end.
        before = len(pieces)
        while len(pieces) < work.total and (len(pieces) == before or monotonic() < end):
            pieces.append(self.one(work, len(pieces)))
            self._write(work, pieces)
            on_progress(work)
        if len(pieces) < work.total:
            write_progress(work, status=Work.Status.PENDING)
            hand_on(work)
            return Claim.MORE
        write_progress(
            work, status=Work.Status.SUCCEEDED, finished=timezone.now(), message=self.done
        )
        notify_finished(work)
        return Claim.DONE

    def _queue(self, work: W) -> None:
        send(self.task, work, work.progress)

    def _write(self, work: W, pieces: list[Piece]) -> None:
        work.progress = len(pieces)
        setattr(work, self.field, journal.pack(encode(pieces)))
        write_progress(work, progress=work.progress, **{self.field: getattr(work, self.field)})

    def resume(self) -> int:
        """Send all unfinished jobs again; return how many. Idempotent."""
        return self._send(self.model._default_manager.filter(status__in=Work.UNFINISHED))

    def take_up(self) -> int:
        """Send the jobs that no worker holds again; return how many. Idempotent."""
        return self._send(orphans(self.model._default_manager.all()))

    def _send(self, works: Iterable[W]) -> int:
        jobs = list(works)
        for work in jobs:
            self._queue(work)
        return len(jobs)


def _is_repeated(work: Work, expected: int | None) -> bool:
    """Return whether the message came twice: the job has made progress since it was sent."""
    return work.status == Work.Status.PENDING and expected not in (None, work.progress)
