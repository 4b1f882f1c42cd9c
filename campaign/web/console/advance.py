"""Advance the campaign, and show the progress of the job."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.messages.storage.base import BaseStorage
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.history import journal
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job
from campaign.services import errors
from campaign.services.turns.advance import request_advance
from ops.http_methods import posts_to

MOST = 12
FIGURES = 6
"""Figures of the longest number that is read."""


@posts_to("campaign", "slug")
def advance(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    if not isinstance(request.user, User) or not selectors.may_advance(request.user, campaign):
        raise PermissionDenied("Only the umpire of this campaign may advance it.")
    try:
        job = _ask(request, campaign, request.user)
    except journal.Refused as refused:
        messages.error(request, str(refused))
        return _go(request, reverse("campaign", args=[slug]))
    if "HX-Request" in request.headers:
        return _progress(request, job)
    return redirect("job", slug, job.uuid)


def _ask(request: HttpRequest, campaign: Campaign, user: User) -> Job:
    months, month = request.POST.get("months", "1"), request.POST.get("month", "")
    if not (months.isdecimal() and len(months) <= FIGURES and 1 <= int(months) <= MOST):
        raise errors.UnfitRequest(f"Advance by 1 to {MOST} months at a time.")
    if not (month.isdecimal() and len(month) <= FIGURES):
        raise errors.UnfitRequest("The form does not say which month you saw: load the page again.")
    return request_advance(campaign.pk, user, months=int(months), expected_month=int(month))


@require_safe
@never_cache
def progress(request: HttpRequest, slug: str, number: UUID) -> HttpResponse:
    job = selectors.job_for(request.user, number)
    if job.campaign.slug != slug:
        raise selectors.NotVisible("This campaign has no such job.")
    return _progress(request, job)


def _progress(request: HttpRequest, job: Job) -> HttpResponse:
    """Return the fragment while the page polls; redirect to the campaign after the job."""
    if job.status in Job.UNFINISHED:
        name = "_job.html" if "HX-Request" in request.headers else "console/job.html"
        return render(request, f"campaign/{name}", {"job": job, "campaign": job.campaign})
    level = messages.SUCCESS if job.status == Job.Status.SUCCEEDED else messages.ERROR
    _tell_once(
        request,
        level,
        fog_of_war.job_message(job, fog_of_war.viewer_of(request.user, job.campaign)),
    )
    return _go(request, reverse("campaign", args=[job.campaign.slug]))


def _tell_once(request: HttpRequest, level: int, words: str) -> None:
    """Add a message, unless it is waiting already: two polls may see the job's end."""
    waiting = messages.get_messages(request)
    told = {str(one) for one in waiting}
    # Iterating marked the messages as read: keep them for the next page.
    if isinstance(waiting, BaseStorage):
        waiting.used = False
    if words not in told:
        messages.add_message(request, level, words)


def _go(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect the browser, by a header if htmx sent the request."""
    if "HX-Request" in request.headers:
        return HttpResponse(status=204, headers={"HX-Redirect": url})
    return redirect(url)
