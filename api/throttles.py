"""How often one may ask. The rates stand in the settings."""

from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle, UserRateThrottle


class AdvanceThrottle(UserRateThrottle):
    """Advancing a campaign, by user."""

    scope = "advance"


class CreateThrottle(UserRateThrottle):
    """New campaigns, by user; reading the list of them is not counted here."""

    scope = "create"

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method != "POST" or bool(super().allow_request(request, view))


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


class LongThrottle(UserRateThrottle):
    """What takes long, by user; reading is not counted here."""

    scope = "long"

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method != "POST" or bool(super().allow_request(request, view))


class HookThrottle(UserRateThrottle):
    """Webhooks made and tried, by user; reading is not counted here."""

    scope = "webhooks"

    def allow_request(self, request: Request, view: Any) -> bool:
        return request.method != "POST" or bool(super().allow_request(request, view))
