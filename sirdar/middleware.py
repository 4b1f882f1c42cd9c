"""Around every request: what its lines in the log are about, a line of its own, and its time."""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from sirdar import logs, metrics

logger = logging.getLogger(__name__)


class Watched:
    """The first of all, so that what the others answer is counted too."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with logs.about(**logs.NOTHING):
            begun = monotonic()
            response = self._answer(request)
            seconds = monotonic() - begun
            metrics.answered(request, response.status_code, seconds)
            logger.info(
                "%s %s %s in %.0f ms",
                request.method, request.path, response.status_code, seconds * 1000,
            )  # fmt: skip
            return response

    def process_view(
        self, _request: HttpRequest, _view: Any, _args: Any, named: dict[str, Any]
    ) -> None:
        """The address names the campaign, if it is about one."""
        if "slug" in named:
            logs.knows(campaign=str(named["slug"]))
