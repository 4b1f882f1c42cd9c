"""Check what a token opens: its scopes, and the one campaign that it may be limited to.

A token limited to a campaign opens the addresses of that campaign and of its battles, jobs and
simulations. Anything else is answered as to a request without a token, or refused if that shows
nothing.
"""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.urls import reverse
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import Token
from api.http.problems import Problem, not_in_scope
from battles.access import selectors as battles
from battles.models import Battle
from campaign.access import saved_work, selectors
from campaign.models import Campaign, Inquiry, Job
from campaign.services.battles.pending_battle import OWNER

NOBODY = AnonymousUser()


class AddressOwner(NamedTuple):
    """The campaign an address belongs to, by its slug, and whether the public may read it."""

    campaign: str | None
    public: bool


def check_token(token: Token, view: APIView, needed: str) -> None:
    """Raise the problem `not-in-scope` if the token does not open the view to its request.

    A token limited to a campaign acts in it, and reads as nobody what is public elsewhere. Its
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
        if all(one.has_permission(request, view) for one in view.get_permissions()):
            return
    told = f"This token opens the campaign `{limit}` and what is public, and nothing else."
    raise Problem("not-in-scope", told, campaign=limit)


def _owner_of(request: Request) -> AddressOwner:
    """Return the owner of an address; one of no campaign's is left to the permissions.

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
        found = kind._default_manager.filter(uuid=UUID(number))
        slug = found.values_list("campaign__slug", flat=True).first()
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
