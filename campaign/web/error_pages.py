"""Show a page in words when a request fails; the details go to the log."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string

from battles.journal import Damaged
from campaign.rules.tables.editions import UnknownEdition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.services.errors import OUT_OF_REACH, Busy, describe_trouble

UNREADABLE = (Damaged, UnknownEdition, UnknownScenario)
"""Errors of a stored campaign whose message may be shown as it is."""

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
        is_own_view = match is not None and match.func.__module__.startswith(OURS)
        if not is_own_view or not isinstance(failure, UNREADABLE):
            return None
        logger.error("%s cannot be shown: %s", request.path, failure, exc_info=failure)
        return render(request, "unreadable.html", {"reason": str(failure)}, status=500)


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
