"""Who asks, on the pages that lie behind the log-in.

How often somebody may ask for what costs others something. The rates stand in the settings.
"""

from hashlib import sha256
from math import ceil
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle


def visitor(request: HttpRequest) -> User:
    """The user; `login_required` has seen to it that there is one."""
    return cast("User", request.user)


EVERYBODY = "everybody"


class PageThrottle(SimpleRateThrottle):
    """So many in so long, as the rate of that name says, counted for whoever is named."""

    def __init__(self, scope: str, whom: str) -> None:
        self.scope = scope
        self.whom = sha256(whom.encode()).hexdigest()
        super().__init__()

    def get_cache_key(self, request: Any, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.whom})


def seconds_to_wait(request: HttpRequest, *counts: tuple[str, str]) -> int:
    """Return seconds until this may be done again; 0: it may be done now, and is counted.

    Each count is a rate's name and whom it is counted for. The first that is full refuses, and
    nothing is counted under those behind it: what one address does closes no door to the others.
    """
    for scope, whom in counts:
        throttle: Any = PageThrottle(scope, whom)
        if not throttle.allow_request(request, None):
            return ceil(throttle.wait() or 1)
    return 0


def address_of(request: HttpRequest) -> str:
    """Return the address that asks; behind a proxy, the one the proxy saw."""
    told: Any = BaseThrottle()
    return str(told.get_ident(request))


def duration_text(seconds: int) -> str:
    """`4 minutes`, `2 hours`: rounded up; nothing for no time at all."""
    if not seconds:
        return ""
    many, word = (ceil(seconds / 60), "minute")
    if many > 90:
        many, word = (ceil(seconds / 3600), "hour")
    return f"{many} {word}{'s' if many > 1 else ''}"
