"""How often one may ask. The rates stand in the settings.

Guards of passwords and secrets count every try. Guards of what is made, or worked at, count what
has come about: whoever corrects a body that was refused, or sends one again with its key, pays for
one.
"""

from typing import TYPE_CHECKING, Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle

from api.http.idempotency import is_repeated

if TYPE_CHECKING:
    from api.http.endpoint import Endpoint


class MadeThrottle(UserRateThrottle):
    """What POST has made or begun, by user; the endpoint counts it once it has been done."""

    counts = False

    def allow_request(self, request: Request, view: "Endpoint") -> bool:
        if request.method != "POST" or is_repeated(request):
            return True
        allowed: bool = super().allow_request(request, view)
        if self.counts:
            view.counters.append(self)
        return allowed

    def throttle_success(self) -> bool:
        """It may be tried: nothing has been made yet."""
        self.counts = True
        return True

    def count(self) -> None:
        """Count what has been made, beside whatever others have been counting meanwhile."""
        history = [self.now, *self.cache.get(self.key, [])]
        self.cache.set(self.key, history, self.duration)


class AdvanceThrottle(MadeThrottle):
    """Campaigns advanced."""

    scope = "advance"


class CreateThrottle(MadeThrottle):
    """New campaigns."""

    scope = "create"


class LongThrottle(MadeThrottle):
    """What takes long."""

    scope = "long"


class HookThrottle(MadeThrottle):
    """Webhooks made and tried."""

    scope = "webhooks"


class LogInThrottle(SimpleRateThrottle):
    """Names and passwords tried, by address: every try counts, right or wrong."""

    scope = "log-in"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)})


class LogInPageThrottle(LogInThrottle):
    """The same on the page for people, of whom several may sit behind one address."""

    scope = "log-in-page"


class InvitationThrottle(SimpleRateThrottle):
    """Secrets of invitations tried, by address."""

    scope = "invitation"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return str(self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)})
