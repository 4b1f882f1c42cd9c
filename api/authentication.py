"""Tokens as programs send them; browsers come with Django's session."""

from django.conf import settings
from django.contrib.auth.models import User
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api.keys import token_behind
from api.models import Token
from api.problems import Problem


class BearerToken(TokenAuthentication):
    """`Authorization: Bearer TOKEN` (RFC 6750)."""

    keyword = "Bearer"

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        token = token_behind(key)
        if token is None:
            raise AuthenticationFailed(
                "That token is none of ours, has expired, or has been revoked."
            )
        if not token.user.is_active:
            raise AuthenticationFailed("The account of that token is closed.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="sirdar"'


def refuse_whoever_guesses(request: Request) -> None:
    """Problem `throttled` where a name's password was guessed wrong too often from that address."""
    if getattr(request, "axes_locked_out", False):
        raise Problem(
            "throttled",
            "Too many wrong passwords for that name: come back later.",
            headers={"Retry-After": str(int(settings.AXES_COOLOFF_TIME.total_seconds()))},
        )
