"""What keeps a page from being shown is answered in words; the log has the rest."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import render
from django.template.loader import render_to_string

from battles.history.journal import Damaged
from campaign.rules.tables.editions import UnknownEdition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.services.errors import OUT_OF_REACH, Busy, describe_trouble

UNREADABLE = (Damaged, UnknownEdition, UnknownScenario)
"""What is wrong with a stored campaign and says so in words of its own."""

OURS = ("accounts.", "campaign.web.", "battles.web.")
AGAIN = "30"
"""Seconds after which to try again where the database or Redis is out of reach."""

logger = logging.getLogger(__name__)


class ErrorPagesMiddleware:
    """Middleware for the pages: the interface for programs answers by itself."""

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
            return HttpResponse("The form did not come whole, or too slowly.\n", status=400)
        match = request.resolver_match
        ours = match is not None and match.func.__module__.startswith(OURS)
        if not ours or not isinstance(failure, UNREADABLE):
            return None
        logger.error("%s cannot be shown: %s", request.path, failure, exc_info=failure)
        return render(request, "unreadable.html", {"reason": str(failure)}, status=500)


def busy(failure: Busy) -> HttpResponse:
    """Return the page for what has to wait until something else is done."""
    page = render_to_string("429.html", {"reason": str(failure), "seconds": failure.seconds})
    headers = {"Retry-After": str(failure.seconds), "Cache-Control": "no-store"}
    return HttpResponse(page, status=429, headers=headers)


def out_of_reach(trouble: BaseException) -> HttpResponse:
    """Return the page for what only time mends. It is drawn without asking who is looking."""
    page = render_to_string("503.html", {"reason": describe_trouble(trouble)})
    headers = {"Retry-After": AGAIN, "Cache-Control": "no-store"}
    return HttpResponse(page, status=503, headers=headers)
