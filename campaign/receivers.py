"""Receive signals: bring in battle reports, resume stopped months, follow up deletions."""

import logging
from typing import Any

from django.contrib.auth.models import User
from django.core.signals import request_started
from django.db.models.signals import post_delete, pre_delete
from django.dispatch import receiver

from battles import journal
from battles import services as battles
from battles.core.game import IllegalAction
from battles.models import Battle
from battles.serialization import report_of
from battles.signals import battle_reported
from campaign.models import Campaign, DeletedCampaign, MailSent
from campaign.rules.map import play_on
from campaign.services import battle_reports, mail, push_notices
from campaign.services.pending_battle import OWNER, owner_of
from campaign.services.transfer.deletion import owner_while_deleted
from campaign.services.turns import advance_jobs
from campaign.services.umpire import invitations
from campaign.signals import all_ready, battle_moved_on, campaign_restored

logger = logging.getLogger(__name__)


@receiver(battle_reported, dispatch_uid="campaign.receivers.bring_in")
def bring_in(battle: Battle, **_about: Any) -> None:
    """Report a finished battle to its campaign; a repeated report changes nothing."""
    kind, _, slug = battle.owner.partition(":")
    campaign = Campaign.objects.filter(slug=slug).first() if kind == OWNER else None
    report = report_of(battle)
    if campaign is None or report is None:
        return
    try:
        battle_reports.report_battle(campaign.pk, battle_reports.reporter(battle), report)
    except (journal.Refused, IllegalAction) as refused:
        logger.info("The report of battle %s changes nothing: %s", battle.brief_id, refused)


@receiver(request_started, dispatch_uid="campaign.receivers.forget_the_map")
def forget_the_map(**_about: Any) -> None:
    """Name hexes by the shipped map until the request loads a campaign of another."""
    play_on(None)


@receiver(battle_moved_on, dispatch_uid="campaign.receivers.go_on")
def go_on(campaign_id: int, battle: str, **_about: Any) -> None:
    """Resume the months that a battle has stopped."""
    advance_jobs.resume_after_battle(campaign_id, battle)


@receiver(all_ready, dispatch_uid="campaign.receivers.run_when_ready")
def run_when_ready(campaign_id: int, month: int, **_about: Any) -> None:
    """Run the month when everybody is ready, unless somebody was quicker or it cannot run now."""
    try:
        advance_jobs.request_advance(campaign_id, None, expected_month=month)
    except journal.Refused as refused:
        logger.info("Campaign %s does not run though all are ready: %s", campaign_id, refused)


@receiver(campaign_restored, dispatch_uid="campaign.receivers.told_before")
def told_before(campaign: Campaign, **_about: Any) -> None:
    """Note every letter of a deleted campaign that is restored as sent: the notes went with it."""
    sent = (
        MailSent(user=letter.user, campaign=campaign, kind=kind, key=letter.key)
        for letter in mail.letters(campaign)
        for kind in (letter.kind, f"{push_notices.KIND}{letter.kind}")
    )
    MailSent.objects.bulk_create(sent, ignore_conflicts=True)


@receiver(pre_delete, sender=User, dispatch_uid="campaign.receivers.vacate")
def vacate(instance: User, **_about: Any) -> None:
    """Vacate the seats and commands of a deleted account: its campaigns and battles can go on."""
    invitations.vacate_seats_of(instance)
    battles.vacate_commands_of(instance)


@receiver(post_delete, sender=Campaign, dispatch_uid="campaign.receivers.forget")
def forget(instance: Campaign, **_about: Any) -> None:
    """Delete a deleted campaign's battles, because another may take its slug."""
    journal.delete_locked(Battle.objects.filter(owner=owner_of(instance)))


@receiver(post_delete, sender=DeletedCampaign, dispatch_uid="campaign.receivers.forget_kept")
def forget_kept(instance: DeletedCampaign, **_about: Any) -> None:
    """Delete the battles that were kept with a deleted campaign, unless it was restored."""
    journal.delete_locked(Battle.objects.filter(owner=owner_while_deleted(instance)))
