"""Limit the rate of requests; the rates are in the settings.

Throttles of passwords and secrets count every attempt. Throttles of creation count successes only:
correcting a refused body or repeating a request with its key costs nothing more.
"""

import logging
from collections.abc import Iterable
from math import ceil
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from api.http.idempotency import is_repeated

log = logging.getLogger("sirdar.api")


def rate_limit_headers(throttles: Iterable[Any]) -> dict[str, str]:
    """Return the headers RateLimit-Policy and RateLimit for the throttles that were counted.

    They are those of draft-ietf-httpapi-ratelimit-headers: a limit by its name, its quota `q` in a
    window of `w` seconds, the rest of it `r`, and the seconds `t` until the rest grows again.
    """
    policies, rests = [], []
    for throttle in throttles:
        history = getattr(throttle, "history", None)
        if history is None:  # the throttle does not apply to this request
            continue
        policies.append(f'"{throttle.scope}";q={throttle.num_requests};w={throttle.duration}')
        rest = max(throttle.num_requests - len(history), 0)
        reset = (
            ceil(throttle.duration - (throttle.now - history[-1])) if history else throttle.duration
        )
        rests.append(f'"{throttle.scope}";r={rest};t={max(reset, 0)}')
    if not policies:
        return {}
    return {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(rests)}


class MadeThrottle(UserRateThrottle):
    """A limit per user on successful POST requests, which the endpoint counts afterwards."""

    allowed = False

    def allow_request(self, request: Request, view: Any) -> bool:
        if request.method != "POST" or is_repeated(request):
            return True
        return bool(super().allow_request(request, view))

    def throttle_success(self) -> bool:
        """Allow the request without counting it: nothing has been created yet."""
        self.allowed = True
        return True

    def count(self) -> None:
        """Count one success, keeping those that other requests have counted meanwhile."""
        if self.allowed:
            self.history = [self.now, *self.cache.get(self.key, [])]
            try:
                self.cache.set(self.key, self.history, self.duration)
            except OSError as error:
                log.warning("A success is not counted: %s", error)


class AdvanceThrottle(MadeThrottle):
    """A limit on advancing campaigns."""

    scope = "advance"


class CreateThrottle(MadeThrottle):
    """A limit on new campaigns."""

    scope = "create"


class LetterThrottle(MadeThrottle):
    """A limit on letters to other players."""

    scope = "letters"


class LongThrottle(MadeThrottle):
    """A limit on long computations."""

    scope = "long"


class HookThrottle(MadeThrottle):
    """A limit on creating and testing webhooks and channels."""

    scope = "webhooks"


class AddressThrottle(SimpleRateThrottle):
    """A limit per client address, with or without a log-in."""

    def get_cache_key(self, request: Request, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)})


class LogInThrottle(AddressThrottle):
    """A limit on log-in attempts per client address; right and wrong passwords both count."""

    scope = "log-in"


class InvitationThrottle(AddressThrottle):
    """A limit on guesses of invitation secrets per client address."""

    scope = "invitation"
