"""Keep, migrate or pin a campaign whose rules version differs from the program's.

A program plays one version (RULES). A campaign of another does not go on by itself. Its umpire
keeps it on its version, if everything played so far gives the same result here; migrates it, and
what was played stays as it was; or pins it, and only a program of its version goes on with it.
"""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction

from battles import journal
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.errors import CampaignOver, Damaged, UnderWay, UnfitRequest
from campaign.services.journal.audit import ReplayDiffers, replay_check
from campaign.services.umpire.rulings import log_entry, reason_given, umpire_of

KEEPER = "keeper"


class MigrationChoice(StrEnum):
    """The umpire's choice: keep, migrate or pin."""

    KEEP = "keep"
    MIGRATE = "migrate"
    PIN = "pin"


@dataclass(frozen=True)
class ReplayCheck:
    """The result of replaying a campaign's journal in this program.

    `differs` names the first entry with another result, `damaged` a fault of the journal itself;
    both are empty where all is as written.
    """

    campaign: Campaign
    entries: int
    differs: str = ""
    damaged: str = ""

    @property
    def same(self) -> bool:
        return not (self.differs or self.damaged)


def check_replay(campaign: Campaign) -> ReplayCheck:
    """Replay the campaign: every entry of its rules version, on every branch."""
    entries = campaign.entries.count()
    try:
        replay_check(campaign)
    except ReplayDiffers as differs:
        return ReplayCheck(campaign, entries, differs=str(differs))
    except Damaged as damaged:
        return ReplayCheck(campaign, entries, damaged=str(damaged))
    return ReplayCheck(campaign, entries)


def migration_choices(verdict: ReplayCheck) -> tuple[MigrationChoice, ...]:
    """Return the choices its umpire has; none once the campaign is over."""
    campaign = verdict.campaign
    if campaign.finished:
        return ()
    kept = (MigrationChoice.KEEP,) if verdict.same else ()
    return (
        (*kept, MigrationChoice.PIN)
        if campaign.rules == RULES
        else (*kept, MigrationChoice.MIGRATE, MigrationChoice.PIN)
    )


def choose(campaign_id: int, user: User, way: MigrationChoice, *, reason: str) -> Campaign:
    """Carry out the umpire's choice and log it.

    Raises NotAllowed, CampaignOver, UnderWay while a month runs, and UnfitRequest for a choice that
    is not possible.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    return decide(campaign, umpire_of(campaign, user), way, reason=reason)


def decide(campaign: Campaign, by: str, way: MigrationChoice, *, reason: str) -> Campaign:
    """Carry out the choice for the keeper of the site, without a check of rights."""
    reason_text = reason_given(reason)
    if campaign.finished:
        raise CampaignOver("The campaign is over: its rules version can no longer be changed.")
    if way is MigrationChoice.KEEP:
        _check_kept(campaign)
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign.pk)
        if selectors.job_under_way(campaign):
            raise UnderWay("The month is being advanced; wait until that is done.")
        note = _TAKEN[way](campaign)
        campaign.save(update_fields=["rules", "rules_kept", "rules_pinned"])
        log_entry(campaign, by, f"{note} {reason_text}")
    return campaign


def _check_kept(campaign: Campaign) -> None:
    """Raise UnfitRequest unless everything played so far gives the same result here."""
    verdict = check_replay(campaign)
    if not verdict.same:
        raise UnfitRequest(
            "It cannot be kept on its version here, because this program gives other results. "
            f"{verdict.differs or verdict.damaged} Migrate it, or pin it.",
            "rules_version",
        )


def _keep(campaign: Campaign) -> str:
    campaign.rules_pinned = False
    campaign.rules_kept = "" if campaign.rules == RULES else campaign.rules
    return f"Kept on version {campaign.rules} of the rules."


def _migrate(campaign: Campaign) -> str:
    if campaign.rules == RULES:
        message = f"It is played by version {RULES} of the rules already."
        raise UnfitRequest(message, "rules_version")
    before, campaign.rules = campaign.rules, RULES
    campaign.rules_kept, campaign.rules_pinned = "", False
    return f"Migrated from version {before} of the rules to version {RULES}."


def _pin(campaign: Campaign) -> str:
    campaign.rules_kept, campaign.rules_pinned = campaign.rules, True
    return f"Pinned to version {campaign.rules} of the rules."


_TAKEN = {MigrationChoice.KEEP: _keep, MigrationChoice.MIGRATE: _migrate, MigrationChoice.PIN: _pin}
