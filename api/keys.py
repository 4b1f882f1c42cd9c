"""Tokens for programs: made, looked up, revoked. Only their hashes are kept."""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from api.models import Scope, Token
from campaign.services.errors import Refused, Unfit

BYTES = 30
MOST = 20
"""So many tokens somebody may have at a time."""
TO_THE_HOUR = timedelta(hours=1)


def make(user: User, name: str, scopes: Collection[str]) -> tuple[Token, str]:
    """A new token of the user, and what his program sends, which is to be had this once.

    Raises Unfit without a name or a known scope, and Refused beyond 20 tokens.
    """
    if not name.strip():
        raise Unfit("Give the token a name, so that you know it again.")
    if not scopes or set(scopes) - set(Scope.values):
        raise Unfit(f"A token opens one or more of {', '.join(Scope.values)}.")
    if tokens_of(user).count() >= MOST:
        raise Refused(f"You have {MOST} tokens already: revoke one first.")
    key = secrets.token_urlsafe(BYTES)
    token = Token.objects.create(
        user=user,
        name=name.strip(),
        key_hash=hash_of(key),
        scopes=[scope for scope in Scope.values if scope in scopes],
    )
    return token, key


def tokens_of(user: User) -> QuerySet[Token]:
    """The user's tokens, the newest first."""
    return Token.objects.filter(user=user)


def token_behind(key: str) -> Token | None:
    """The token that a program sends, if it is one and has not been revoked."""
    token = Token.objects.select_related("user").filter(key_hash=hash_of(key)).first()
    if token is not None:
        _note_use(token)
    return token


def _note_use(token: Token) -> None:
    """To the hour: not every request writes."""
    now = timezone.now()
    if token.used is None or now - token.used > TO_THE_HOUR:
        Token.objects.filter(pk=token.pk).update(used=now)


def hash_of(key: str) -> str:
    return sha256(key.encode(errors="surrogateescape")).hexdigest()
