"""Advancing a campaign by the computer's staff, and the jobs that do it."""

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.contract import operation
from api.documents.campaigns import JobDocument, job_document, job_link
from api.endpoint import OpenEndpoint, UmpireEndpoint
from api.inputs import Input, MonthField, WholeNumber
from api.problems import Problem
from api.repeats import Done
from api.throttles import AdvanceThrottle
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job
from campaign.services import errors
from campaign.services.turns import advance


class Advance(Input):
    """How many months, and `from` which one (1884-02): a request that comes too late does nothing.

    With `phase` it is one phase instead.
    """

    months = WholeNumber(default=1)
    phase = serializers.BooleanField(default=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        return {**super().get_fields(), "from": MonthField(required=False)}


class CampaignAdvance(UmpireEndpoint):
    """Play months, or a phase, by sheets and by the staff (umpire); the answer is a job."""

    throttle_classes = [*UmpireEndpoint.throttle_classes, AdvanceThrottle]

    @operation(JobDocument, status=202, takes=Advance, once=True)
    def post(self, request: Request, slug: str) -> Done:
        campaign = selectors.campaign_for(request.user, slug)
        wanted = Advance.read(request)
        return _ask(campaign, request.user, wanted)


class OneJob(OpenEndpoint):
    """A job and how far it has come; ask again in a second while it is not finished."""

    @operation(JobDocument)
    def get(self, request: Request, job: str) -> HttpResponse:
        try:
            found = selectors.job_for(request.user, job)
        except selectors.NotVisible as error:
            raise Problem("not-found", "There is no such job that you may see.") from error
        response = self.tell(job_document(found, _message(found, request.user)))
        if found.finished is None:
            response["Retry-After"] = "1"
        return response


def _message(job: Job, user: Any) -> str:
    return fog_of_war.job_message(job, fog_of_war.viewer_of(user, job.campaign))


def _ask(campaign: Campaign, user: Any, wanted: dict[str, Any]) -> Done:
    try:
        job = advance.request_advance(
            campaign.pk,
            user,
            months=wanted["months"],
            phase=wanted["phase"],
            expected_month=wanted.get("from"),
        )
    except errors.UnderWay as error:
        under_way = selectors.job_under_way(campaign)
        link = job_link(under_way) if under_way else None
        raise Problem("under-way", str(error), job=link) from error
    return Done(202, job_document(job, job.message), job_link(job))
