"""Authenticate programs by the header `Authorization: Bearer TOKEN` (RFC 6750).

Browsers authenticate with Django's session instead.
"""

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.formats import date_format
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts import tokens
from accounts.guests import REGISTER_FIRST, is_closed_to_guests
from accounts.models import Token
from api.http.problems import Problem
from battles.access.viewers import is_guest

SCHEME = "Bearer"
CHALLENGE = 'Bearer realm="sirdar"'
NOT_UNDERSTOOD = (
    "The header `Authorization` is not understood: send `Authorization: Bearer TOKEN` with a token "
    "of POST /api/v1/tokens/, or leave the header out."
)


class BearerToken(BaseAuthentication):
    """Authentication by a bearer token; any other `Authorization` is refused, never ignored."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[User, Token] | None:
        """Return the user and the token; None for a request without the header.

        Raises AuthenticationFailed for another scheme, and for a token that is unknown, has
        expired, or belongs to a closed account.
        """
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        scheme, _, key = header.partition(" ")
        if scheme.lower() != SCHEME.lower() or not key.strip() or " " in key.strip():
            raise AuthenticationFailed(NOT_UNDERSTOOD)
        return self._user_of(key.strip())

    def _user_of(self, key: str) -> tuple[User, Token]:
        token = tokens.find_token(key)
        if token is None:
            raise AuthenticationFailed(
                "There is no such token: it is not one of ours, or it has been revoked."
            )
        if token.expires_at is not None and token.has_expired:
            day = date_format(token.expires_at, "j F Y")
            raise AuthenticationFailed(
                f"This token expired on {day}: get another by POST /api/v1/tokens/, or on the page "
                "/accounts/tokens/."
            )
        if not token.user.is_active:
            raise AuthenticationFailed("The account of that token is closed.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the challenge of a 401, with the error of RFC 6750 if a token was sent."""
        sent = request.META.get("HTTP_AUTHORIZATION", "").lower()
        return CHALLENGE + (', error="invalid_token"' if sent.startswith("bearer ") else "")


class BrowserSession(SessionAuthentication):
    """Authentication by the browser's session; guests may change only what they play alone."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Return the user of the session, or None. Raises PermissionDenied for a guest's write."""
        found: tuple[User, None] | None = super().authenticate(request)
        match = request.resolver_match
        if (
            found
            and match
            and is_guest(found[0])
            and is_closed_to_guests(request.method, match.view_name)
        ):
            raise PermissionDenied(REGISTER_FIRST)
        return found


def refuse_if_locked_out(request: Request) -> None:
    """Raise the problem `throttled` after too many wrong passwords for a name."""
    if getattr(request, "axes_locked_out", False):
        raise Problem(
            "throttled",
            "Too many wrong passwords for that name: come back later.",
            headers={"Retry-After": str(int(settings.AXES_COOLOFF_TIME.total_seconds()))},
        )
