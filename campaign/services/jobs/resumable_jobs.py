"""Run long jobs in slices, so that a month somebody waits for is not kept waiting.

Every piece is written as it is finished: after a crash the job resumes from there.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar
from uuid import UUID

from django.utils import timezone

from battles.core.decoding import decoder_for, encode
from battles.history import journal
from campaign.models import Work
from campaign.services.errors import OUT_OF_REACH
from campaign.services.jobs.job_lease import (
    Claim,
    LeaseLost,
    claim,
    fail,
    interrupted,
    notify_finished,
    orphans,
    send,
    write_progress,
)

SLICE = 2.0
"""Seconds after which a worker returns the job to the queue, so that others get a turn."""

W = TypeVar("W", bound=Work)
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
        found: list[Piece] = decoder_for(self.pieces).decode(
            journal.unpack(getattr(work, self.field))
        )
        return found

    def run(
        self,
        uuid: str | UUID,
        told: Callable[[W], None] = lambda work: None,
        *,
        expected: int | None = None,
        hand_on: Callable[[W], None] | None = None,
    ) -> Claim:
        """Claim the job and do a slice of it; return MORE when it has been sent on unfinished.

        `told` is called with the job after every piece. `expected` is the number of pieces done
        when the message was sent; NOTHING is returned if there are more by now, because then the
        message was delivered twice. `hand_on` receives the unfinished job; by default it is sent to
        the queue.
        """
        unfinished = self.model._default_manager.filter(uuid=uuid, status__in=Work.UNFINISHED)
        work = unfinished.first()
        if work is None or _is_repeated(work, expected):
            return Claim.NOTHING
        if not claim(work):
            return Claim.BUSY
        try:
            return self._slice(work, told, hand_on or self._queue)
        except LeaseLost:
            return Claim.BUSY
        except OUT_OF_REACH as trouble:
            interrupted(work, trouble)
            raise
        except Exception as error:
            fail(work, f"The staff failed ({type(error).__name__}: {error}); tell its keeper.")
            raise

    def _slice(self, work: W, told: Callable[[W], None], hand_on: Callable[[W], None]) -> Claim:
        pieces, began = self.pieces_of(work), monotonic()
        while len(pieces) < work.total and monotonic() - began < SLICE:
            pieces.append(self.one(work, len(pieces)))
            self._write(work, pieces)
            told(work)
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
        found = list(works)
        for work in found:
            self._queue(work)
        return len(found)


def _is_repeated(work: Work, expected: int | None) -> bool:
    """Return whether the message came twice: the job has made progress since it was sent."""
    return work.status == Work.Status.PENDING and expected not in (None, work.progress)
