"""Bearer tokens of programs: create, look up and revoke them, and the page of a user's tokens."""

from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256
from typing import Any, Literal, get_args

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import BooleanField, CharField, F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.models import Scope, Token
from battles import journal
from campaign.models import Campaign, Seat
from campaign.services.errors import Refused, UnfitRequest, visible
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.prepared_queries import PreparedQuery
from ops.sent_once import sent_once

# Create, look up and revoke the bearer tokens of programs; only their hashes are stored.
#
# Browsers authenticate with Django's session instead.


LENGTH = 40
MOST_TOKENS = 20
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
    nothing else of the user's. The user's expired tokens are removed. Raises UnfitRequest without a
    name or a known scope, Refused beyond 20 tokens, and RecordGone for a campaign deleted since.
    """
    name = visible(name, "name of the token", "name")
    if not name:
        raise UnfitRequest("Give the token a name by which you recognise it.", "name")
    if not scopes or set(scopes) - set(Scope.values):
        message = f"A token has one or more of the scopes {', '.join(Scope.values)}."
        raise UnfitRequest(message, "scopes")
    if days is not None and days not in LIFETIMES:
        listed = ", ".join(map(str, LIFETIMES))
        message = f"A token is good for {listed} days, or does not expire."
        raise UnfitRequest(message, "days")
    key = get_random_string(LENGTH)
    with transaction.atomic():
        if campaign is not None:  # which may be deleted at the same time
            journal.lock_record(Campaign.objects.all(), campaign.pk)
        # The lock keeps two requests at once from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        now = timezone.now()
        Token.objects.filter(user=user, expires_at__lte=now).delete()
        if tokens_of(user).count() >= MOST_TOKENS:
            raise Refused(
                f"You have {MOST_TOKENS} tokens already. Revoke one that you no longer need, on "
                "the page /accounts/ or by DELETE /api/v1/tokens/ID/, and ask again."
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
    if tokens_of(user).count() >= MOST_TOKENS:
        alike = tokens_of(user).filter(name=name.strip(), expires_at__isnull=False)
        oldest = alike.order_by("created_at", "pk").first()
        if oldest is not None:
            oldest.delete()


def tokens_of(user: User) -> QuerySet[Token]:
    """Return the user's tokens that have not expired, the newest first."""
    tokens = valid_tokens().filter(user=user).select_related("campaign")
    return tokens.defer("campaign__document", "campaign__secret_seed")


def valid_tokens() -> QuerySet[Token]:
    """Return the tokens that have not expired."""
    return Token.objects.exclude(expires_at__lte=timezone.now())


def find_token(key: str) -> Token | None:
    """Return the token with this secret, even if it has expired; None if there is none.

    The time of use is stored if the token is still valid.
    """
    token = next(iter(_BY_HASH.run(hash_token(key))), None)
    if token is None:
        return None
    values = [token.user_id, *(getattr(token, f"of_user_{name}") for name in _USER_COLUMNS)]
    token.user = User.from_db(token._state.db, ["id", *_USER_COLUMNS], values)
    if not token.has_expired:
        _note_use(token)
    return token


_USER_COLUMNS = tuple(
    column.attname
    for column in User._meta.concrete_fields
    if isinstance(column, CharField | BooleanField) and column.attname != "password"
)
"""The columns of a user that are read with a token: texts and booleans. Others come when used."""
_BY_HASH = PreparedQuery(
    Token,
    lambda digest: (
        Token.objects.filter(key_hash=digest)
        .annotate(**{f"of_user_{name}": F(f"user__{name}") for name in _USER_COLUMNS})
        .order_by()
    ),
    str,
)


def _note_use(token: Token) -> None:
    """Store the time of use, at most once an hour."""
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > TO_THE_HOUR:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)


def hash_token(key: str) -> str:
    return sha256(key.encode(errors="surrogateescape")).hexdigest()


# The page of a user's tokens: make one, see those in use, revoke them.


NEVER = "never"
_LIFETIMES = [
    *((str(days), f"{days} day{'s' if days > 1 else ''}") for days in LIFETIMES),
    (NEVER, "until it is revoked"),
]


class TokenForm(forms.Form):
    """The name, scopes, lifetime and campaign of a new token."""

    name = forms.CharField(max_length=60, label="Name")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.ORDERS],
        label="Permissions",
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(choices=_LIFETIMES, initial=str(DEFAULT_LIFETIME), label="Valid for")
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        to_field_name="slug",
        label="Campaigns",
        empty_label="all your campaigns",
    )

    def __init__(self, user: User, *args: Any) -> None:
        super().__init__(*args)
        sits_in = Seat.objects.filter(user=user).values("campaign")
        own = Campaign.objects.filter(pk__in=sits_in).defer("document", "secret_seed")
        self.fields["campaign"].queryset = own  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
@sent_once
def tokens_page(request: HttpRequest) -> HttpResponse:
    """Show the visitor's tokens; the secret of a new one is shown only once."""
    user = visitor(request)
    form = TokenForm(user, request.POST or None)
    token, secret = None, ""
    if form.is_valid():
        token, secret = _create_token(user, form)
    context = {
        "form": TokenForm(user) if token else form,
        "made": token,
        "secret": secret,
        "tokens": tokens_of(user),
    }
    status = 400 if form.errors else 200
    return render(request, "accounts/tokens.html", context, status=status)


def _create_token(user: User, form: TokenForm) -> tuple[Token | None, str]:
    """Return the token and its secret; None and "" if it is refused, with a form error."""
    values = form.cleaned_data
    days = None if values["days"] == NEVER else int(values["days"])
    try:
        return create_token(
            user, values["name"], values["scopes"], days=days, campaign=values["campaign"]
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, ""


@login_required
@posts_to("account")
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token of the visitor."""
    gone, _ = tokens_of(visitor(request)).filter(pk=number).delete()
    if gone:
        messages.success(request, "The token is revoked: requests with it are refused.")
    return redirect("account")
