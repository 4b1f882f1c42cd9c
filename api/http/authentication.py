"""Create, look up and revoke the bearer tokens of programs; only their hashes are stored.

Browsers authenticate with Django's session instead.
"""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from api.http.problems import Problem
from api.models import Scope, Token
from campaign.services.errors import Refused, UnfitRequest, visible

BYTES = 30
MOST = 20
"""The most tokens a user may have at a time."""
LOGIN_TOKEN_LIFETIME = timedelta(days=90)
"""The lifetime of a token that a program was given for a name and password."""
TO_THE_HOUR = timedelta(hours=1)


def create_token(
    user: User, name: str, scopes: Collection[str], *, lasts: timedelta | None = None
) -> tuple[Token, str]:
    """Create a token and return it with its secret, which cannot be read again.

    With `lasts`, a user who has 20 tokens already loses the oldest expiring token of the same name:
    a program that logs in at every start never locks itself out. Raises Unfit without a name or a
    known scope, and Refused beyond 20 tokens.
    """
    name = visible(name, "name of the token")
    if not name:
        raise UnfitRequest("Give the token a name, so that you know it again.")
    if not scopes or set(scopes) - set(Scope.values):
        raise UnfitRequest(f"A token opens one or more of {', '.join(Scope.values)}.")
    now = timezone.now()
    # Expired tokens must not count towards the limit.
    Token.objects.filter(user=user, expires__lte=now).delete()
    if tokens_of(user).count() >= MOST:
        alike = tokens_of(user).filter(name=name.strip(), expires__isnull=False)
        oldest = alike.order_by("created", "pk").first() if lasts is not None else None
        if oldest is None:
            raise Refused(f"You have {MOST} tokens already: revoke one first.")
        oldest.delete()
    key = secrets.token_urlsafe(BYTES)
    token = Token.objects.create(
        user=user,
        name=name,
        key_hash=hash_token(key),
        scopes=[scope for scope in Scope.values if scope in scopes],
        expires=None if lasts is None else now + lasts,
    )
    return token, key


def tokens_of(user: User) -> QuerySet[Token]:
    """Return the user's tokens that have not expired, the newest first."""
    return good_tokens().filter(user=user)


def good_tokens() -> QuerySet[Token]:
    """Return the tokens that have not expired."""
    return Token.objects.exclude(expires__lte=timezone.now())


def find_token(key: str) -> Token | None:
    """Return the token with this secret and note its use.

    Returns None for one that is unknown, has expired or was revoked.
    """
    token = good_tokens().select_related("user").filter(key_hash=hash_token(key)).first()
    if token is not None:
        _note_use(token)
    return token


def _note_use(token: Token) -> None:
    """Store the time of use, at most once an hour."""
    now = timezone.now()
    if token.used is None or now - token.used > TO_THE_HOUR:
        Token.objects.filter(pk=token.pk).update(used=now)


def hash_token(key: str) -> str:
    return sha256(key.encode(errors="surrogateescape")).hexdigest()


class BearerToken(TokenAuthentication):
    """Authentication by the header `Authorization: Bearer TOKEN` (RFC 6750)."""

    keyword = "Bearer"

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        token = find_token(key)
        if token is None:
            raise AuthenticationFailed(
                "That token is none of ours, has expired, or has been revoked."
            )
        if not token.user.is_active:
            raise AuthenticationFailed("The account of that token is closed.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="sirdar"'


def refuse_if_locked_out(request: Request) -> None:
    """Raise the problem `throttled` after too many wrong passwords for a name."""
    if getattr(request, "axes_locked_out", False):
        raise Problem(
            "throttled",
            "Too many wrong passwords for that name: come back later.",
            headers={"Retry-After": str(int(settings.AXES_COOLOFF_TIME.total_seconds()))},
        )
