"""Authenticate programs by `Authorization: Bearer TOKEN` (RFC 6750), and check what a token opens.

Browsers authenticate with Django's session instead. A token has scopes, and may be limited to a
campaign: then it opens the addresses of that campaign and of its battles, jobs and simulations.
Other addresses answer as they do without a token, or refuse it if they then show nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts import tokens
from accounts.guests import REGISTER_FIRST, is_closed_to_guests
from accounts.models import Scope, Token
from api.http.problems import Problem, not_in_scope
from battles import access as battles
from battles.access import is_guest
from battles.models import Battle
from campaign.access import saved_work, selectors
from campaign.models import Campaign, Inquiry, Job
from campaign.services.pending_battle import OWNER

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module, by the settings

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
                "There is no such token: it is not one of ours, or it has been revoked. POST "
                "/api/v1/tokens/ gives you another."
            )
        if token.expires_at is not None and token.has_expired:
            day = date_format(token.expires_at, "j F Y")
            raise AuthenticationFailed(
                f"This token expired on {day}: get another by POST /api/v1/tokens/, or on the page "
                "/accounts/."
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
        user_auth: tuple[User, None] | None = super().authenticate(request)
        match = request.resolver_match
        if (
            user_auth
            and match
            and is_guest(user_auth[0])
            and is_closed_to_guests(request.method, match.view_name)
        ):
            raise PermissionDenied(REGISTER_FIRST)
        return user_auth


def refuse_if_locked_out(request: Request) -> None:
    """Raise the problem `throttled` after too many wrong passwords for a name."""
    if getattr(request, "axes_locked_out", False):
        raise Problem(
            "throttled",
            "Too many wrong passwords for that name: come back later.",
            headers={"Retry-After": str(int(settings.AXES_COOLOFF_TIME.total_seconds()))},
        )


NOBODY = AnonymousUser()


class AddressOwner(NamedTuple):
    """The campaign an address belongs to, by its slug, and whether the public may read it."""

    campaign: str | None
    public: bool


def check_token(token: Token, view: "APIView", needed: str) -> None:
    """Raise the problem `not-in-scope` if the token does not open the view to its request.

    A token limited to a campaign acts in that campaign and elsewhere reads only what is public. A
    refusal does not reveal whether the thing exists.
    """
    if needed not in token.scopes:
        raise not_in_scope(needed)
    if token.campaign_id is None:
        return
    request = view.request
    limit = Campaign.objects.filter(pk=token.campaign_id).values_list("slug", flat=True).get()
    owner = _owner_of(request)
    if owner.campaign == limit:
        return
    if request.method in SAFE_METHODS and owner.public:
        request.user = NOBODY
        if all(permission.has_permission(request, view) for permission in view.get_permissions()):
            return
    detail = f"This token opens the campaign `{limit}` and what is public, and nothing else."
    raise Problem("not-in-scope", detail, campaign=limit)


def check_umpire_scope(request: Request) -> None:
    """Raise the problem `not-in-scope` for a token that does not open the umpire's powers."""
    if isinstance(request.auth, Token) and Scope.UMPIRE not in request.auth.scopes:
        raise not_in_scope(Scope.UMPIRE)


def _owner_of(request: Request) -> AddressOwner:
    """Return the owner of an address; the permissions decide where no campaign owns it.

    A new simulation belongs to the campaign that its body names.
    """
    kind, _, rest = request.path.removeprefix(reverse("api:index")).partition("/")
    name = rest.partition("/")[0]
    if kind == "simulations" and request.method == "POST" and isinstance(request.data, dict):
        return AddressOwner(request.data.get("campaign"), public=False)
    find = _OWNERS.get(kind)
    return find(name) if find and name else AddressOwner(None, public=True)


def _of_campaign(slug: str) -> AddressOwner:
    return AddressOwner(slug, selectors.campaigns_for(NOBODY).filter(slug=slug).exists())


def _of_battle(number: str) -> AddressOwner:
    try:
        battle = Battle.objects.get(uuid=number)
    except ValidationError:  # a list below battles/, not a battle
        return AddressOwner(None, public=True)
    except Battle.DoesNotExist:
        return AddressOwner(None, public=False)
    kind, _, slug = battle.owner.partition(":")
    return AddressOwner(slug if kind == OWNER else None, battles.may_see(battle, NOBODY))


def _of_work(number: str) -> AddressOwner:
    for kind in (Job, Inquiry):
        rows = kind._default_manager.filter(uuid=UUID(number))
        slug = rows.values_list("campaign__slug", flat=True).first()
        if slug is not None:
            return _of_campaign(slug)
    public = saved_work.comparisons_seen(NOBODY).filter(uuid=UUID(number))
    return AddressOwner(None, public=public.exists())


_OWNERS: dict[str, Callable[[str], AddressOwner]] = {
    "campaigns": _of_campaign,
    "battles": _of_battle,
    "jobs": _of_work,
    "simulations": _of_work,
}
"""The functions that find the owner, by the first part of the address."""
