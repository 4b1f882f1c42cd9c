"""The umpire's minute book: what he does beside the journal is written down for everybody."""

from django.contrib.auth.models import User

from campaign.access import selectors
from campaign.models import Campaign, Minute
from campaign.services.errors import NotAllowed, Unfit, visible

LONGEST = 500


def umpire_of(campaign: Campaign, user: User) -> str:
    """Return the user as the umpire he is, as entries are signed. NotAllowed when he is none."""
    if not selectors.may_advance(user, campaign):
        raise NotAllowed("Only an umpire of this campaign may do that.")
    return f"umpire:{user.get_username()}"


def reason_given(reason: str) -> str:
    """Return the reason, tidied. Unfit without one, or when it is too long for the book."""
    words = " ".join(visible(reason, "reason").split())
    if not words:
        raise Unfit("Give the reason: everybody can read it.")
    if len(words) > LONGEST - 200:
        raise Unfit(f"Give the reason in {LONGEST - 200} letters or fewer.")
    return words


def log_entry(campaign: Campaign, by: str, said: str) -> Minute:
    """Write it down; everybody who sees the campaign can read it."""
    return Minute.objects.create(campaign=campaign, by=by, said=said, month=campaign.month)
