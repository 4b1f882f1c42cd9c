"""Rename, publish and delete a campaign as its umpire."""

from django.contrib.auth.models import User
from django.db import transaction

from battles.history import journal
from campaign.access import selectors
from campaign.models import Campaign, InquiryPart
from campaign.services.errors import Stale, UnderWay, UnfitRequest, visible
from campaign.services.journal.creation import known_level
from campaign.services.umpire.umpire_log import log_entry, umpire_of
from campaign.staff.levels import TEXTS, Level

LONGEST_TITLE = 100


@transaction.atomic
def rename(campaign_id: int, user: User, title: str) -> Campaign:
    """Give the campaign another title; its slug, and so its addresses, stay.

    Raises NotAllowed, and Unfit for an empty or overlong title or one with invisible characters.
    """
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    by, wanted = umpire_of(campaign, user), visible(title, "title")
    if not 1 <= len(wanted) <= LONGEST_TITLE:
        raise UnfitRequest(f"A title has 1 to {LONGEST_TITLE} letters.")
    if campaign.title != wanted:
        before, campaign.title = campaign.title, wanted
        campaign.save(update_fields=["title"])
        log_entry(campaign, by, f"The campaign “{before}” is called “{wanted}” from now on.")
    return campaign


@transaction.atomic
def set_public(campaign_id: int, user: User, *, public: bool) -> Campaign:
    """Let everyone watch the campaign, or only those with a seat. Raises NotAllowed."""
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    by = umpire_of(campaign, user)
    if campaign.public is not public:
        campaign.public = public
        campaign.save(update_fields=["public"])
        who = "everyone" if public else "only those with a seat"
        log_entry(campaign, by, f"From now on {who} may watch the campaign.")
    return campaign


@transaction.atomic
def set_staff_level(campaign_id: int, user: User, level: str) -> Campaign:
    """Let the computer's staff play at another level from now on. Raises NotAllowed and Unfit."""
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    by = umpire_of(campaign, user)
    if campaign.staff_level != known_level(level):
        campaign.staff_level = level
        campaign.save(update_fields=["staff_level"])
        title = TEXTS[Level(level)].title.lower()
        log_entry(campaign, by, f"From now on the computer’s staff plays as: {title}.")
    return campaign


@transaction.atomic
def delete_campaign(campaign_id: int, user: User, *, expected_head: int | None = None) -> None:
    """Delete the campaign with everything that belongs to it, its battles included.

    `expected_head` is the last entry that the umpire has seen (0: none). Raises NotAllowed, Stale
    when the campaign has gone on since, and UnderWay while workers play it.
    """
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    umpire_of(campaign, user)
    if expected_head is not None and expected_head != (campaign.head_id or 0):
        raise Stale("The campaign has gone on since you looked; nothing was deleted.")
    parts = InquiryPart.objects.filter(inquiry__campaign=campaign)
    if (
        selectors.job_under_way(campaign)
        or parts.filter(status__in=InquiryPart.UNFINISHED).exists()
    ):
        raise UnderWay("Workers are still playing this campaign; wait until they are done.")
    campaign.delete()
