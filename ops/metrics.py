"""Prometheus metrics of all processes of a machine, and the middleware that measures requests.

Each process writes its numbers to its own files in PROMETHEUS_MULTIPROC_DIR, which the settings set
before this is imported; the metrics page adds them up.
"""

import logging
import os
import re
import socket
from collections.abc import Callable
from time import monotonic
from typing import Any
from uuid import uuid4

from django.http import HttpRequest, HttpResponseBase
from prometheus_client import Counter, Histogram, values

from ops import logging_setup


def process_identifier() -> Any:
    """Return what the files of this process are named after.

    Containers share the folder, and each has a process 1 of its own.
    """
    return f"{socket.gethostname()}-{os.getpid()}"


values.ValueClass = values.MultiProcessValue(process_identifier)

REQUEST_SECONDS = Histogram(
    "sirdar_request_seconds",
    "Requests answered, by the name of the address.",
    ["route", "method", "status"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
)
TASK_SECONDS = Histogram(
    "sirdar_task_seconds",
    "Tasks carried out by workers: months, slices of a bench, looks at the clock.",
    ["task", "state"],
    buckets=(0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0),
)
ENTRIES = Counter("sirdar_entries", "Entries written to journals.")
MONTHS = Counter("sirdar_months_advanced", "Months of campaigns that have come to their end.")

_begun: dict[str, float] = {}


def task_began(task_id: str) -> None:
    _begun[task_id] = monotonic()


def task_ended(task_id: str, name: str, state: str | None) -> None:
    """Count the task, with the time since it began."""
    begun = _begun.pop(task_id, None)
    if begun is not None:
        TASK_SECONDS.labels(name, state or "UNKNOWN").observe(monotonic() - begun)


def count_answered(request: Any, status: int, seconds: float) -> None:
    """Count a request; requests for unknown URLs share one label."""
    match = request.resolver_match
    route = (match.view_name or "unnamed") if match else "no address"
    REQUEST_SECONDS.labels(route, request.method, str(status)).observe(seconds)


logger = logging.getLogger(__name__)


REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""An id that a client or a proxy may give to its request."""


class RequestMetricsMiddleware:
    """The outermost middleware, so that answers of the others are counted and logged too.

    The id of a request is in its log lines and in `X-Request-ID` of the answer: the one that came
    with it, or a new one.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        header = request.headers.get("X-Request-ID", "")
        number = header if REQUEST_ID.fullmatch(header) else uuid4().hex
        with logging_setup.about(**{**logging_setup.NOTHING, "request": number}):
            begun = monotonic()
            response = self._answer(request)
            response.headers["X-Request-ID"] = number
            seconds = monotonic() - begun
            count_answered(request, response.status_code, seconds)
            logger.info(
                "%s %s %s in %.0f ms",
                request.method, request.path, response.status_code, seconds * 1000,
            )  # fmt: skip
            return response

    def process_view(
        self, _request: HttpRequest, _view: Any, _args: Any, named: dict[str, Any]
    ) -> None:
        """Set the log context to the campaign in the URL, if there is one."""
        if "slug" in named:
            logging_setup.set_log_context(campaign=str(named["slug"]))
