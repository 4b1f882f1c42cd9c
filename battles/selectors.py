"""The only reader: battles as a user may see them."""

from collections.abc import Iterable
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import Http404

from battles import owners
from battles.models import Battle
from battles.owners import Anybody

_HEAVY = ("document", "beginning", "brief", "report", "key")


class NotVisible(Http404):
    """There is no such battle for this user to see; whether there is one is not said."""


def battles_for(user: Anybody) -> QuerySet[Battle]:
    """The battles the user may see: public ones, his own, those of owners he may see."""
    visible = Q(public=True)
    if user.is_authenticated:
        visible |= Q(owner=owners.person(user)) | Q(asked_by=user)
    for keeper in owners.keepers():
        visible |= Q(owner__in=keeper.seen_by(user))
    return Battle.objects.filter(visible).defer(*_HEAVY)


def battle_for(user: Anybody, number: str | UUID) -> Battle:
    """The battle of that number; NotVisible when there is none that the user may see."""
    try:
        return battles_for(user).defer(None).get(uuid=number)
    except (Battle.DoesNotExist, ValidationError) as error:
        raise NotVisible("There is no such battle that you may see.") from error


def battle_of(owner: str, brief_id: str) -> Battle | None:
    """The owner's battle of that brief, whoever asks."""
    return Battle.objects.filter(owner=owner, brief_id=brief_id).first()


def addresses(owner: str, brief_ids: Iterable[str]) -> dict[str, UUID]:
    """The numbers of the owner's battles by brief, as far as there are any."""
    found = Battle.objects.filter(owner=owner, brief_id__in=list(brief_ids))
    return dict(found.values_list("brief_id", "uuid"))
