"""Delete campaigns, and restore them while their files are kept."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from battles import journal
from battles.models import Battle
from campaign.access import permissions, selectors
from campaign.access.saved_work import KEPT_FOR
from campaign.models import (
    Campaign,
    DeletedCampaign,
    InquiryPart,
    OwnScenario,
    Seat,
    Signature,
    UnfinishedRuling,
)
from campaign.services.errors import NotAllowed, Stale, UnderWay
from campaign.services.pending_battle import owner_of
from campaign.services.transfer import archive, archive_rows
from campaign.signals import campaign_restored
from ops.sweeps import sweep


@transaction.atomic
def delete_campaign(
    campaign_id: int, user: User, *, expected_head: int | None = None
) -> DeletedCampaign:
    """Delete the campaign, and keep its file and its battles for some days, seen by nobody.

    `expected_head` is the last entry that the user has seen (0: none). Raises NotAllowed, Stale
    when the campaign has gone on since, and UnderWay while workers play it.
    """
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    check_may_delete(campaign, user)
    if expected_head is not None and expected_head != (campaign.head_id or 0):
        raise Stale("The campaign has gone on since you looked; nothing was deleted.")
    parts = InquiryPart.objects.filter(inquiry__campaign=campaign)
    if (
        selectors.job_under_way(campaign)
        or parts.filter(status__in=InquiryPart.UNFINISHED).exists()
    ):
        raise UnderWay("Workers are still playing this campaign; wait until they are done.")
    deleted = _keep_file(campaign, user)
    Battle.objects.filter(owner=owner_of(campaign)).update(owner=owner_while_deleted(deleted))
    campaign.delete()
    return deleted


def delete_for_good(campaign_ids: Iterable[int]) -> None:
    """Delete the campaigns, of which no file is kept; one that is gone already is passed over.

    Each is locked first: a worker that plays it would otherwise write entries to a campaign whose
    entries have just been deleted, and the deletion would fail.
    """
    for campaign_id in campaign_ids:
        with suppress(journal.RecordGone), transaction.atomic():
            journal.lock_record(Campaign.objects.all(), campaign_id).delete()


def check_may_delete(campaign: Campaign, user: User) -> None:
    """Raise NotAllowed unless the user is an umpire of the campaign or plays it alone."""
    if not permissions.may_delete(user, campaign):
        raise NotAllowed(
            "Only an umpire of this campaign, or the one who plays it alone, may delete it."
        )


def _keep_file(campaign: Campaign, user: User) -> DeletedCampaign:
    """Keep the file for the campaign's umpires; without one, for the user who plays it alone."""
    file = BytesIO()
    archive.export_campaign(campaign, file, with_secret=True)
    seats = campaign.seats.order_by("pk")
    deleted = DeletedCampaign.objects.create(
        title=campaign.title,
        slug=campaign.slug,
        public=campaign.public,
        holders=[[seat.role, seat.name, seat.user_id] for seat in seats],
        signatures=[
            [signature.battle, signature.side, signature.by_id, bytes(signature.report).decode()]
            for signature in campaign.signatures.all()
        ],
        rulings=[[ruling.by_id, ruling.form] for ruling in campaign.unfinished_rulings.all()],
        file=file.getvalue(),
    )
    umpires = seats.filter(role=Seat.Role.UMPIRE).exclude(user=None)
    deleted.umpires.set(umpires.values_list("user", flat=True) or [user.pk])
    return deleted


def owner_while_deleted(deleted: DeletedCampaign) -> str:
    """Return the owner under which the battles of a deleted campaign are kept.

    A battle that was begun goes on when the campaign is restored: otherwise one that goes badly
    could be fought again from its beginning.
    """
    return f"deleted:{deleted.pk}"


def deleted_campaigns(user: User) -> QuerySet[DeletedCampaign]:
    """Return the deleted campaigns that the user can still restore."""
    recent = DeletedCampaign.objects.filter(deleted__gt=timezone.now() - KEPT_FOR)
    return recent.filter(umpires=user).defer("file")


@transaction.atomic
def restore_campaign(number: int, user: User) -> Campaign:
    """Create the deleted campaign again from its file, with its dice, players and battles.

    It has its old slug, with a number if another campaign has taken it. The user is its umpire
    again; nobody is if they played it alone. Raises NotVisible when it is not kept for this user.
    """
    deleted = selectors.first_visible(
        deleted_campaigns(user).select_for_update().filter(pk=number),
        "You have no such deleted campaign. It may have been restored already.",
    )
    was_umpire = any(
        (role, number) == (Seat.Role.UMPIRE.value, user.pk) for role, _, number in deleted.holders
    )
    campaign = archive.import_campaign(
        BytesIO(bytes(deleted.file)),
        umpire=user if was_umpire else None,
        public=deleted.public,
        restoration=archive.Restoration(user, partial(_bring_back, deleted, user)),
    )
    deleted.delete()
    campaign_restored.send(Campaign, campaign=campaign)
    return campaign


def _bring_back(deleted: DeletedCampaign, user: User, campaign: Campaign) -> None:
    """Give the campaign its battles, and users their seats, signatures and unfinished rulings.

    Those of users whose accounts are gone stay vacant and unsigned.

    The user who restores the campaign is seated already where they are its umpire, and gets the
    name of the office back.
    """
    Battle.objects.filter(owner=owner_while_deleted(deleted)).update(owner=owner_of(campaign))
    numbers = {number for _, _, number in deleted.holders if number is not None}
    numbers |= {number for _, _, number, _ in deleted.signatures}
    users = User.objects.in_bulk(numbers | {number for number, _ in deleted.rulings})
    vacant = iter(archive_rows.seats_of(campaign))
    for role, name, number in deleted.holders:
        holder = users.get(number)
        if role in Seat.SIDES:
            Seat.objects.filter(pk=next(vacant).pk).update(user=holder)
        elif holder is not None:
            Seat.objects.update_or_create(
                campaign=campaign, user=holder, role=role, defaults={"name": name}
            )
    Signature.objects.bulk_create(
        Signature(campaign=campaign, battle=battle, side=side, by_id=number, report=report.encode())
        for battle, side, number, report in deleted.signatures
        if number in users
    )
    UnfinishedRuling.objects.bulk_create(
        UnfinishedRuling(campaign=campaign, by_id=number, form=form)
        for number, form in deleted.rulings
        if number in users
    )


def forget_deleted() -> int:
    """Delete campaigns' files and scenarios that were kept long enough; return how many."""
    last = timezone.now() - KEPT_FOR
    campaigns = DeletedCampaign.objects.filter(deleted__lte=last).defer("file")
    scenarios = OwnScenario.objects.filter(deleted__lte=last)
    return sum(
        sum(sweep(kept.values_list("pk", flat=True), partial(_forget, kept)))
        for kept in (campaigns, scenarios)
    )


@transaction.atomic
def _forget(kept: "QuerySet[Any]", number: int) -> bool:
    """Delete that one of the rows, unless it is being restored at this moment."""
    row = kept.select_for_update().filter(pk=number).first()
    if row is None:
        return False
    row.delete()
    return True
