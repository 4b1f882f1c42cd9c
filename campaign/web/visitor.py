"""The user of a request, the head that its form was shown at, and rate limits.

The rates are in the settings.
"""

import logging
from hashlib import sha256
from math import ceil
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle

from campaign.services.errors import QUEUE_ERRORS


def visitor(request: HttpRequest) -> User:
    """Return the user; `login_required` has made sure that there is one."""
    return cast("User", request.user)


def is_number(text: str) -> bool:
    """Return whether the text of a field is a whole number of at most nine figures."""
    return text.isdecimal() and len(text) < 10


def head_seen(form_data: QueryDict) -> int | None:
    """Return the number of the last entry at which the form was shown; None if it has none."""
    head = form_data.get("head", "")
    return int(head) if is_number(head) else None


log = logging.getLogger("sirdar.web")
EVERYBODY = "everybody"
OF_ALL_REQUESTS = ("anon", "user")
"""Limits that keep a site quick; the others guard passwords, secrets and long work."""
COUNT_ERRORS: tuple[type[Exception], ...] = (OSError, *QUEUE_ERRORS)
"""The errors of a count that cannot be kept: of a disk, and of a Redis that does not answer."""


class PageThrottle(SimpleRateThrottle):
    """A throttle of the named rate, counted for one key: a user, an address, everybody."""

    def __init__(self, scope: str, whom: str) -> None:
        self.scope = scope
        self.whom = sha256(whom.encode()).hexdigest()
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.whom})


def is_allowed(throttle: Any, request: Any, view: Any = None) -> bool:
    """Return whether the throttle allows the request, and count it.

    A site without Redis counts in files: if the disk is full, nothing is counted and reading goes
    on. If Redis does not answer, only the limits on all requests let everything through, so that
    orders can be read and saved. Raises the error of Redis for any other limit.
    """
    try:
        return bool(throttle.allow_request(request, view))
    except COUNT_ERRORS as error:
        if not isinstance(error, OSError) and throttle.scope not in OF_ALL_REQUESTS:
            raise
        log.warning("Requests are not counted: %s", error)
        return True


def seconds_to_wait(request: HttpRequest, *counts: tuple[str, str]) -> int:
    """Return the seconds until this is allowed; 0 means allowed now, and counted.

    Each count is the name of a rate and its key. The first full one refuses, and those after it
    are not counted: an attacker at one address cannot use up the limits of everybody.
    """
    for scope, client in counts:
        throttle: Any = PageThrottle(scope, client)
        if not is_allowed(throttle, request):
            return ceil(throttle.wait() or 1)
    return 0


def address_of(request: HttpRequest) -> str:
    """Return the client's IP address; behind a proxy, the one the proxy saw."""
    throttle: Any = BaseThrottle()
    return str(throttle.get_ident(request))


def duration_text(seconds: int) -> str:
    """Return `4 minutes` or `2 hours`, rounded up; empty for 0."""
    if not seconds:
        return ""
    count, word = (ceil(seconds / 60), "minute")
    if count > 90:
        count, word = (ceil(seconds / 3600), "hour")
    return f"{count} {word}{'s' if count > 1 else ''}"
