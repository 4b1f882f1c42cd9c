"""Jobs of the workers as documents: how far they are."""

from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.scalars import Moment, StatusName
from api.http.rule_json import MonthName
from campaign.models import Job
from campaign.rules.core.pieces import Month, month_slug


class ProgressPart(msgspec.Struct, frozen=True):
    """The completed steps and their total: phases, campaigns, battles or runs."""

    completed: int
    total: int


class JobLinks(msgspec.Struct, frozen=True):
    """The addresses of a job, of its stream, and of the campaign it advances."""

    self: str
    stream: str
    campaign: str


class JobDocument(msgspec.Struct, frozen=True):
    """A job that advances a campaign until the month `until_month` begins.

    `message` says how it ended, or why it failed.
    """

    uuid: UUID
    kind: str
    campaign: str
    status: StatusName
    months: int
    until_month: MonthName
    progress: ProgressPart
    message: str | None
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None
    links: JobLinks


def job_document(job: Job, message: str) -> JobDocument:
    """Return the job; `message` is as the caller may read it."""
    return JobDocument(
        uuid=job.uuid,
        kind=job.kind,
        campaign=job.campaign.slug,
        status=job.status,
        months=job.months,
        until_month=month_slug(Month(job.until)),
        progress=ProgressPart(job.progress, job.total),
        message=message or None,
        created_at=job.created,
        started_at=job.started,
        finished_at=job.finished,
        links=JobLinks(
            job_link(job), stream_link(job.uuid), reverse("api:campaign", args=[job.campaign.slug])
        ),
    )


def job_link(job: Job) -> str:
    """Return the address of the job."""
    return reverse("api:job", args=[job.uuid])


def stream_link(number: UUID) -> str:
    """Return the address of the stream of a job or a simulation."""
    return reverse("api:job-stream", args=[number])
