"""Jobs of the workers, and the advance of a campaign, which is one."""

from typing import Annotated, Any

from django.contrib.auth.models import User
from django.http import HttpResponse
from msgspec import Meta
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from accounts.models import Scope
from api.documents.jobs import JobDocument, job_document, job_link
from api.http.encoding import RequestBody
from api.http.endpoint import OpenEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import head_named, unless_stale
from api.http.problems import Problem
from api.http.throttles import AdvanceThrottle
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job
from campaign.services import errors
from campaign.services.turns import advance_jobs


class AdvanceBody(RequestBody, frozen=True):
    """The distance to play: a number of months, or one phase."""

    months: Annotated[int, Meta(ge=1, le=advance_jobs.MOST_MONTHS)] = 1
    one_phase: bool = False


class CampaignAdvance(UmpireEndpoint):
    """The progress of a campaign, by order sheets and the staff."""

    throttle_classes = [*UmpireEndpoint.throttle_classes, AdvanceThrottle]

    @operation(JobDocument, status=202, takes=AdvanceBody, once=True, may_match=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Advance a campaign by months, or by a phase (umpire).

        The months are played by the order sheets and by the staff. The answer is a job. With the
        campaign's ETag in `If-Match` nothing happens if the campaign has gone on since.
        """
        campaign = selectors.campaign_for(request.user, slug)
        body = AdvanceBody.read(request)
        seen = head_named(request, campaign) if "If-Match" in request.headers else None
        if seen not in (None, campaign.head_id or 0):
            raise Problem("precondition-failed", "The campaign has gone on since you looked.")
        expected = None if seen is None else campaign.month
        return unless_stale(lambda: _request(campaign, request.user, body, expected))


class OneJob(OpenEndpoint):
    """A job."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    scope = Scope.UMPIRE

    @operation(JobDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve a job and its progress.

        Poll every second until it is finished, or follow its stream.
        """
        job = _job(request, id)
        response = self.answer(job_document(job, _message(job, request.user)))
        if job.finished is None:
            response["Retry-After"] = "1"
        return response

    @operation(JobDocument)
    def delete(self, request: Request, id: str) -> HttpResponse:
        """Stop a job.

        What has been played stands. A job that is finished stays as it is.
        """
        advance_jobs.stop_job(request.user, _job(request, id))
        job = _job(request, id)
        return self.answer(job_document(job, _message(job, request.user)))


def _job(request: Request, number: str) -> Job:
    try:
        return selectors.job_for(request.user, number)
    except selectors.NotVisible as error:
        raise Problem("not-found", f"There is no job {number} that you may see.") from error


def _message(job: Job, user: Any) -> str:
    return fog_of_war.job_message(job, fog_of_war.viewer_of(user, job.campaign))


def _request(
    campaign: Campaign, user: User, body: AdvanceBody, expected_month: int | None
) -> WriteResult:
    try:
        job = advance_jobs.request_advance(
            campaign.pk,
            user,
            months=body.months,
            phase=body.one_phase,
            expected_month=expected_month,
        )
    except errors.UnderWay as error:
        under_way = selectors.job_under_way(campaign)
        link = job_link(under_way) if under_way else None
        raise Problem("under-way", str(error), job=link) from error
    return WriteResult(202, job_document(job, job.message), job_link(job))
