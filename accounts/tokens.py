"""Create, look up and revoke the bearer tokens of programs; only their hashes are stored.

Browsers authenticate with Django's session instead.
"""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256
from typing import Literal, get_args

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Scope, Token
from campaign.models import Campaign
from campaign.services.errors import Refused, UnfitRequest, visible
from ops.prepared_queries import PreparedQuery

BYTES = 30
MOST = 20
"""The most tokens a user may have at a time, expired ones not counted."""
Lifetime = Literal[1, 7, 30, 90, 365]
"""The days for which a token may be good."""
LIFETIMES: tuple[int, ...] = get_args(Lifetime)
"""The lifetimes to choose from, in days."""
DEFAULT_LIFETIME: Lifetime = 30
TO_THE_HOUR = timedelta(hours=1)


def create_token(
    user: User,
    name: str,
    scopes: Collection[str],
    *,
    days: int | None = DEFAULT_LIFETIME,
    campaign: Campaign | None = None,
) -> tuple[Token, str]:
    """Create a token and return it with its secret, which cannot be read again.

    It expires after `days`, one of LIFETIMES, or never if that is None. With `campaign` it opens
    nothing else of the user's. The user's expired tokens are removed. Raises Unfit without a name
    or a known scope, and Refused beyond 20 tokens.
    """
    name = visible(name, "name of the token")
    if not name:
        raise UnfitRequest("Give the token a name, so that you know it again.")
    if not scopes or set(scopes) - set(Scope.values):
        raise UnfitRequest(f"A token opens one or more of {', '.join(Scope.values)}.")
    if days is not None and days not in LIFETIMES:
        listed = ", ".join(map(str, LIFETIMES))
        raise UnfitRequest(f"A token is good for {listed} days, or does not expire.")
    key = secrets.token_urlsafe(BYTES)
    with transaction.atomic():
        # The lock keeps two requests at once from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        now = timezone.now()
        Token.objects.filter(user=user, expires_at__lte=now).delete()
        if tokens_of(user).count() >= MOST:
            raise Refused(
                f"You have {MOST} tokens already. Revoke one that you no longer need, on the page "
                "/accounts/tokens/ or by DELETE /api/v1/tokens/ID/, and ask again."
            )
        token = Token.objects.create(
            user=user,
            name=name,
            key_hash=hash_token(key),
            scopes=[scope for scope in Scope.values if scope in scopes],
            campaign=campaign,
            expires_at=None if days is None else now + timedelta(days=days),
        )
    return token, key


def make_room(user: User, name: str) -> None:
    """Revoke the oldest expiring token of this name if the user has as many as allowed.

    A program that logs in at every start and revokes nothing never locks itself out.
    """
    if tokens_of(user).count() >= MOST:
        alike = tokens_of(user).filter(name=name.strip(), expires_at__isnull=False)
        oldest = alike.order_by("created_at", "pk").first()
        if oldest is not None:
            oldest.delete()


def tokens_of(user: User) -> QuerySet[Token]:
    """Return the user's tokens that have not expired, the newest first."""
    whole = valid_tokens().filter(user=user).select_related("campaign")
    return whole.defer("campaign__document", "campaign__secret_seed")


def valid_tokens() -> QuerySet[Token]:
    """Return the tokens that have not expired."""
    return Token.objects.exclude(expires_at__lte=timezone.now())


def find_token(key: str) -> Token | None:
    """Return the token with this secret, also if it has expired; None for an unknown one.

    The use of one that is still good is noted.
    """
    token = next(iter(_BY_HASH.run(hash_token(key))), None)
    user = next(iter(_USER.run(token.user_id)), None) if token is not None else None
    if token is None or user is None:
        return None
    token.user = user
    if not token.has_expired:
        _note_use(token)
    return token


_BY_HASH = PreparedQuery(
    Token, lambda digest: Token.objects.filter(key_hash=digest).order_by(), str
)
_USER = PreparedQuery(User, lambda pk: User.objects.filter(pk=pk), int)


def _note_use(token: Token) -> None:
    """Store the time of use, at most once an hour."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > TO_THE_HOUR:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)


def hash_token(key: str) -> str:
    return sha256(key.encode(errors="surrogateescape")).hexdigest()
