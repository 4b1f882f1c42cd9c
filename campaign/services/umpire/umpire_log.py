"""The umpire log: decisions outside the journal, readable by everybody."""

from django.contrib.auth.models import User

from campaign.access import selectors
from campaign.models import Campaign, UmpireLogEntry
from campaign.services.errors import NotAllowed, UnfitRequest, visible

LONGEST = 500


def umpire_of(campaign: Campaign, user: User) -> str:
    """Return the umpire's signature for entries. Raises NotAllowed for a user who is no umpire."""
    if not selectors.may_advance(user, campaign):
        raise NotAllowed("Only an umpire of this campaign may do that.")
    return f"umpire:{user.get_username()}"


def reason_given(reason: str) -> str:
    """Return the reason, tidied. Raises Unfit if it is missing or too long for the log."""
    words = " ".join(visible(reason, "reason").split())
    if not words:
        raise UnfitRequest("Give the reason: everybody can read it.")
    if len(words) > LONGEST - 200:
        raise UnfitRequest(f"Give the reason in {LONGEST - 200} letters or fewer.")
    return words


def log_entry(campaign: Campaign, by: str, said: str) -> UmpireLogEntry:
    """Write an entry into the umpire log; everybody who sees the campaign can read it."""
    return UmpireLogEntry.objects.create(campaign=campaign, by=by, said=said, month=campaign.month)
