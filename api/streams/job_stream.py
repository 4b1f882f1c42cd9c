"""The streams of jobs: their progress, whenever it changes.

A job is found by its id, whatever its kind: an advance of a campaign, a simulation, a comparison of
the books, a rehearsal, a trial or a forecast.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet

from api.documents.jobs import ProgressPart
from api.documents.scalars import StatusName
from api.http.encoding import encode
from api.streams.followers import (
    Follower,
    Head,
    MessageBatch,
    News,
    Subject,
    message,
    news_of,
    person,
)
from campaign.access import fog_of_war, saved_work, selectors
from campaign.access.selectors import Anybody
from campaign.models import Bench, Comparison, InquiryPart, Job, Work
from campaign.services import inquiries
from campaign.services.inquiries import InquiryProgress

_COLUMNS = "status", "progress", "message"


class JobStatusDocument(msgspec.Struct, frozen=True):
    """The progress of a job or a simulation, by its `uuid`."""

    uuid: UUID
    status: StatusName
    progress: ProgressPart
    message: str | None


@dataclass(frozen=True)
class JobFeed:
    """All jobs of one kind, by primary key.

    `parts` are the rows that workers process, each naming its job in the field `key`. `seen`
    returns the jobs that a user may see, `far` the progress of one in words for that user.
    """

    parts: type[Work]
    key: str
    seen: Callable[[Anybody], QuerySet[Any]]
    far: Callable[[Any, Anybody], InquiryProgress]

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        by_number: dict[int, list[Head]] = defaultdict(list)
        parts = self.parts._default_manager.filter(**{f"{self.key}__in": numbers}).order_by("pk")
        for number, *head in parts.values_list(self.key, *_COLUMNS):
            by_number[number].append(tuple(head))
        return {number: tuple(job_heads) for number, job_heads in by_number.items()}

    def readers(self, numbers: Collection[int]) -> Mapping[int, "JobReader"]:
        return {number: JobReader(self, number) for number in numbers}


class JobReader:
    """A job at one moment, as it is read to its followers."""

    def __init__(self, works: JobFeed, number: int) -> None:
        self._works, self._number = works, number
        self._messages: dict[int | None, bytes | None] = {}

    def news(self, follower: Follower) -> News | None:
        """Return the follower's news; None if they may not see the job."""
        standing = self._standing(follower.who.user)
        if standing is None:
            return None
        return news_of(follower, MessageBatch(b"", follower.place, more=False), lambda: (standing,))

    def _standing(self, number: int | None) -> bytes | None:
        if number not in self._messages:
            self._messages[number] = self._message_for(person(number))
        return self._messages[number]

    def _message_for(self, user: Anybody) -> bytes | None:
        work = self._works.seen(user).filter(pk=self._number).first()
        return status_message(work.uuid, self._works.far(work, user)) if work else None


def status_message(job: UUID, far: InquiryProgress) -> bytes:
    """Return the message with the job's progress."""
    done = ProgressPart(far.progress, far.total)
    part = JobStatusDocument(job, far.status, done, far.message or None)
    return message(encode(part), str(far.progress), kind="status")


def subject_of(user: Anybody, job: UUID) -> Subject | None:
    """Return the subject of that id; None if there is no such job that the user may see."""
    for works in _ALL:
        number = works.seen(user).filter(uuid=job).values_list("pk", flat=True).first()
        if number is not None:
            return Subject(works, number)
    return None


def _far_of(work: Work, _user: Anybody) -> InquiryProgress:
    return InquiryProgress(work.status, work.progress, work.total, work.message)


def _far_of_months(job: Job, user: Anybody) -> InquiryProgress:
    words = fog_of_war.job_message(job, fog_of_war.viewer_of(user, job.campaign))
    return InquiryProgress(job.status, job.progress, job.total, words)


_ALL = (
    JobFeed(Job, "pk", selectors.jobs_for, _far_of_months),
    JobFeed(Bench, "pk", saved_work.benches, _far_of),
    JobFeed(Comparison, "pk", saved_work.comparisons_seen, _far_of),
    JobFeed(
        InquiryPart,
        "inquiry",
        saved_work.inquiries,
        lambda inquiry, _user: inquiries.inquiry_progress(inquiry),
    ),
)
