"""A campaign that cannot be read is answered in words; the log has the rest."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from battles.journal import Damaged
from campaign.rules.editions import UnknownEdition
from campaign.rules.scenario import UnknownScenario

UNREADABLE = (Damaged, UnknownEdition, UnknownScenario)
"""What is wrong with a stored campaign and says so in words of its own."""

OURS = ("campaign.views.", "battles.views.")

logger = logging.getLogger(__name__)


class SpokenFailures:
    """Middleware for the pages: the interface for programs answers by itself."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_exception(self, request: HttpRequest, failure: Exception) -> HttpResponse | None:
        match = request.resolver_match
        ours = match is not None and match.func.__module__.startswith(OURS)
        if not ours or not isinstance(failure, UNREADABLE):
            return None
        logger.error("%s cannot be shown: %s", request.path, failure, exc_info=failure)
        return render(request, "unreadable.html", {"reason": str(failure)}, status=500)
