"""Limit the rate of requests; the rates are in the settings.

Throttles of passwords and secrets count every attempt. Throttles of creation count successes only:
correcting a refused body or repeating a request with its key costs nothing more.
"""

from typing import TYPE_CHECKING, Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from api.http.idempotency import is_repeated

if TYPE_CHECKING:
    from api.http.endpoint import Endpoint


class MadeThrottle(UserRateThrottle):
    """A limit per user on successful POST requests, which the endpoint counts afterwards."""

    counts = False

    def allow_request(self, request: Request, view: "Endpoint") -> bool:
        if request.method != "POST" or is_repeated(request):
            return True
        allowed: bool = super().allow_request(request, view)
        if self.counts:
            view.counters.append(self)
        return allowed

    def throttle_success(self) -> bool:
        """Allow the request without counting it: nothing has been created yet."""
        self.counts = True
        return True

    def count(self) -> None:
        """Count one success, keeping those that other requests have counted meanwhile."""
        history = [self.now, *self.cache.get(self.key, [])]
        self.cache.set(self.key, history, self.duration)


class AdvanceThrottle(MadeThrottle):
    """A limit on advancing campaigns."""

    scope = "advance"


class CreateThrottle(MadeThrottle):
    """A limit on new campaigns."""

    scope = "create"


class LongThrottle(MadeThrottle):
    """A limit on long computations."""

    scope = "long"


class HookThrottle(MadeThrottle):
    """A limit on creating and testing webhooks and channels."""

    scope = "webhooks"


class LogInThrottle(SimpleRateThrottle):
    """A limit on log-in attempts per client address; right and wrong passwords both count."""

    scope = "log-in"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)})


class LogInPageThrottle(LogInThrottle):
    """The same limit for the log-in page, where several people may share one address."""

    scope = "log-in-page"


class InvitationThrottle(SimpleRateThrottle):
    """A limit on guesses of invitation secrets per client address."""

    scope = "invitation"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)})
