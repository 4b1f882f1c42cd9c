"""Long work that a worker does a slice at a time, so that a month somebody waits for comes first.

Every piece is written as it is finished: killed anywhere, the work goes on from there.
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
    note,
    notify_finished,
    orphans,
    send,
)

SLICE = 2.0
"""Seconds after which a worker gives way to other work."""

W = TypeVar("W", bound=Work)
Piece = TypeVar("Piece")


@dataclass(frozen=True)
class ResumableJob(Generic[W, Piece]):
    """A kind of such work: the name of its task, and the field its pieces are kept in.

    `one(work, place)` does the piece that comes in that place; `done` is said at the end.
    """

    model: type[W]
    task: str
    field: str
    pieces: type[list[Piece]]
    one: Callable[[W, int], Piece]
    done: str

    def pieces_of(self, work: W) -> list[Piece]:
        """Return every piece done so far, in their order."""
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
        """Claim the work and do a slice of it; MORE when it has been handed over again.

        `told` is called with the work after every piece. `expected`: pieces done when it was
        handed over; NOTHING if there are more by now, for then the same order has come twice.
        `hand_on` gets the work that is not finished; the queue does where there is none.
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
            note(work, status=Work.Status.ASKED)
            hand_on(work)
            return Claim.MORE
        note(work, status=Work.Status.DONE, finished=timezone.now(), message=self.done)
        notify_finished(work)
        return Claim.DONE

    def _queue(self, work: W) -> None:
        send(self.task, work, work.progress)

    def _write(self, work: W, pieces: list[Piece]) -> None:
        work.progress = len(pieces)
        setattr(work, self.field, journal.pack(encode(pieces)))
        note(work, progress=work.progress, **{self.field: getattr(work, self.field)})

    def resume(self) -> int:
        """Hand over again all that is not finished; gives back how many. Harmless twice."""
        return self._send(self.model._default_manager.filter(status__in=Work.UNFINISHED))

    def take_up(self) -> int:
        """Hand over again what no worker is about; gives back how many. Harmless twice."""
        return self._send(orphans(self.model._default_manager.all()))

    def _send(self, works: Iterable[W]) -> int:
        found = list(works)
        for work in found:
            self._queue(work)
        return len(found)


def _is_repeated(work: Work, expected: int | None) -> bool:
    """Return whether the work has been handed on since: a lost worker's order is not repeated."""
    return work.status == Work.Status.ASKED and expected not in (None, work.progress)
