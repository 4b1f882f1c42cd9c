"""Show a page in words when a request fails; the details go to the log."""

import logging
from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import ResolverMatch
from django.views.defaults import page_not_found

from battles.journal import Damaged, RecordGone
from campaign.models import Campaign
from campaign.rules.tables.editions import UnknownEdition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.services.errors import OUT_OF_REACH, Busy, describe_trouble

UNREADABLE = (Damaged, UnknownEdition, UnknownScenario)
"""Errors of a stored campaign whose message may be shown as it is."""

CAMPAIGN_GONE = RecordGone("This campaign has been deleted meanwhile.")
CAMPAIGN_ROUTE = "campaigns/<slug:slug>/"
ANSWERED = (Http404, PermissionDenied, SuspiciousOperation, BadRequest)
"""Exceptions for which Django has an answer: they are no failures of the program."""

OURS = ("accounts.", "campaign.web.", "battles.web.")
AGAIN = "30"
"""Seconds (Retry-After) when the database or Redis is unreachable."""

logger = logging.getLogger(__name__)


class ErrorPagesMiddleware:
    """Middleware that answers failures of pages; the REST interface has its own."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        if isinstance(failure, OUT_OF_REACH):
            logger.error("%s: %s", request.path, failure, exc_info=failure)
            return out_of_reach(failure)
        if isinstance(failure, Busy):
            return busy(failure)
        if isinstance(failure, UnreadablePostError):
            return HttpResponse("The form arrived incomplete or too slowly.\n", status=400)
        match = request.resolver_match
        if not isinstance(failure, ANSWERED) and is_deleted(match):
            return page_not_found(request, CAMPAIGN_GONE)
        is_own_view = match is not None and match.func.__module__.startswith(OURS)
        if not is_own_view or not isinstance(failure, UNREADABLE):
            return None
        logger.error("%s cannot be shown: %s", request.path, failure, exc_info=failure)
        return render(request, "unreadable.html", {"reason": str(failure)}, status=500)


def is_deleted(match: ResolverMatch | None) -> bool:
    """Return whether the campaign at the address of a request that has failed is gone.

    A campaign may be deleted between any two queries of a request, and the second then fails in any
    way. This is asked afterwards, so that no reader has to expect it at each of its queries.
    """
    if match is None or CAMPAIGN_ROUTE not in match.route:
        return False
    return not Campaign.objects.filter(slug=match.kwargs["slug"]).exists()


def busy(failure: Busy) -> HttpResponse:
    """Return the 429 page, with the seconds to wait."""
    page = render_to_string("429.html", {"reason": str(failure), "seconds": failure.seconds})
    headers = {"Retry-After": str(failure.seconds), "Cache-Control": "no-store"}
    return HttpResponse(page, status=429, headers=headers)


def out_of_reach(trouble: BaseException) -> HttpResponse:
    """Return the 503 page. It is rendered without the user, who is in the database."""
    page = render_to_string("503.html", {"reason": describe_trouble(trouble)})
    headers = {"Retry-After": AGAIN, "Cache-Control": "no-store"}
    return HttpResponse(page, status=503, headers=headers)
