"""Keep the ruling that an umpire is composing until it is given or discarded.

It outlives the session, and another tab or machine goes on with it.
"""

from typing import NamedTuple

from django.contrib.auth.models import User

from battles.core.game import IllegalAction
from battles.history import journal
from campaign.models import Campaign, UnfinishedRuling
from campaign.rules.core.actions import Ruled
from campaign.rules.core.events import AnyEvent
from campaign.services.umpire import rulings

UNSAID = "Not said yet."
"""The placeholder for the reason while a ruling is previewed."""


class PossibleRuling(NamedTuple):
    """The events of a ruling that are possible now, their preview, and the others by number."""

    events: tuple[AnyEvent, ...]
    seen: rulings.PreviewedRuling | None = None
    left_out: tuple[tuple[int, IllegalAction], ...] = ()


def save(campaign: Campaign, user: User, form: str) -> None:
    """Store the form of the umpire's ruling, URL-encoded. Raises NotAllowed."""
    rulings.umpire_of(campaign, user)
    UnfinishedRuling.objects.update_or_create(campaign=campaign, by=user, defaults={"form": form})


def find(campaign: Campaign, user: User) -> UnfinishedRuling | None:
    """Return the ruling that the user has not yet given in the campaign, if there is one."""
    return UnfinishedRuling.objects.filter(campaign=campaign, by=user).first()


def discard(campaign: Campaign, user: User) -> None:
    """Forget the ruling that the user has not yet given."""
    UnfinishedRuling.objects.filter(campaign=campaign, by=user).delete()


def preview_possible(
    campaign: Campaign, user: User, events: tuple[AnyEvent, ...]
) -> PossibleRuling:
    """Preview the events, without those that are no longer possible.

    The campaign may have gone on since they were added, by another umpire's ruling or a month.
    """
    try:
        seen = rulings.preview(campaign, user, Ruled(UNSAID, events)) if events else None
        return PossibleRuling(events, seen)
    except journal.Refused:
        return PossibleRuling(events)
    except IllegalAction:
        possible = PossibleRuling(())
    for number, event in enumerate(events):
        more = (*possible.events, event)
        try:
            seen = rulings.preview(campaign, user, Ruled(UNSAID, more))
            possible = possible._replace(events=more, seen=seen)
        except IllegalAction as reason:
            possible = possible._replace(left_out=(*possible.left_out, (number, reason)))
    return possible
