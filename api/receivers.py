"""Signal receivers that wake followers and dispatch tasks, always after the commit."""

import logging
from collections.abc import Iterable
from functools import partial
from typing import Any

from celery import current_app
from django.db import connections, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.signals import post_delete, post_migrate, post_save
from django.dispatch import receiver

from api.models import CampaignChannel, Published, Webhook
from api.streams import NEWS_TOPIC
from battles.models import Battle, Command
from campaign.models import Campaign, CampaignLetter, Deadline, Job, LetterCopy, OrderSheet, Seat
from campaign.services.job_lease import QueueUnreachable, queue_task
from campaign.signals import campaign_restored, push_due, work_over
from ops.pubsub import wake


def is_published(campaign: Campaign) -> bool:
    """Return whether the campaign's month, or its end, has been published."""
    month = campaign.published.filter(month=campaign.month)
    return month.filter(finished=campaign.finished).exists()


def active_webhooks(campaign_ids: Iterable[int] | None = None) -> QuerySet[Webhook]:
    """Return the active webhooks; with campaigns, those that may receive their events.

    A campaign's webhook rests once its user is not an umpire of the campaign any more.
    """
    umpires = Seat.objects.filter(
        campaign=OuterRef("campaign"), user=OuterRef("user"), role=Seat.Role.UMPIRE
    )
    permitted = Q(campaign=None) | Exists(umpires)
    working = Webhook.objects.filter(permitted, disabled=None, user__is_active=True)
    if campaign_ids is None:
        return working
    ids = list(campaign_ids)
    holders = Seat.objects.filter(campaign__in=ids).exclude(user=None).values("user")
    return working.filter(Q(campaign__in=ids) | Q(campaign=None, user__in=holders))


def active_channels(campaign_ids: Iterable[int] | None = None) -> QuerySet[CampaignChannel]:
    """Return the active channels; with campaigns, those of these campaigns."""
    working = CampaignChannel.objects.filter(disabled=None)
    return working if campaign_ids is None else working.filter(campaign__in=list(campaign_ids))


PUBLISH_TASK = "api.tasks.publish"
DELIVER_TASK = "api.tasks.deliver"
PUSH_TASK = "api.tasks.send_push"

logger = logging.getLogger(__name__)


def dispatch_task(task: str, *args: object) -> bool:
    """Queue a task for the workers; return False, and log it, if the broker is unreachable."""
    try:
        queue_task(current_app.signature(task, args=args))
    except QueueUnreachable as error:
        logger.warning("No worker can be asked to do %s: %s", task, error)
        return False
    return True


def dispatch_deliveries() -> None:
    """Let a worker send the messages that are due to webhooks and channels."""
    dispatch_task(DELIVER_TASK)


@receiver(post_save, sender=Campaign)
def campaign_written(instance: Campaign, **_: Any) -> None:
    """Handle a saved campaign: wake its followers and dispatch tasks after the commit."""
    transaction.on_commit(partial(_gone_on, instance.pk), robust=True)


@receiver(post_save, sender=Job)
@receiver(post_save, sender=OrderSheet)
@receiver(post_save, sender=Deadline)
@receiver(post_save, sender=Command)
@receiver(post_save, sender=Seat)
@receiver(post_delete, sender=Seat)
@receiver(post_save, sender=CampaignLetter)
@receiver(post_save, sender=LetterCopy)
def followed_written(**_: Any) -> None:
    """Wake the followers: a job, sheet, deadline, seat, letter or side of a battle is saved."""
    transaction.on_commit(partial(wake, NEWS_TOPIC), robust=True)


@receiver(work_over)
def job_over(**_: Any) -> None:
    """Wake the followers when a job, or other work of the workers, has ended."""
    wake(NEWS_TOPIC)


@receiver(campaign_restored)
def restored(campaign: Campaign, **_: Any) -> None:
    """Send webhooks nothing again of a deleted campaign that is restored."""
    # Imported here: it imports this module.
    from api.webhooks import mark_past_events  # noqa: PLC0415

    for webhook in active_webhooks([campaign.pk]).select_related("user"):
        mark_past_events(webhook, campaign)


@receiver(push_due)
def push_announced(subscriptions: Iterable[int], notice: dict[str, str], **_: Any) -> None:
    """Let a worker send a notice to each of a user's browsers."""
    for subscription in subscriptions:
        dispatch_task(PUSH_TASK, subscription, notice)


@receiver(post_save, sender=Battle)
def battle_written(instance: Battle, **_: Any) -> None:
    """Wake the followers when a battle that players fight is saved."""
    if instance.way == Battle.Way.PLAYERS:
        transaction.on_commit(partial(wake, NEWS_TOPIC), robust=True)


def _gone_on(campaign_id: int) -> None:
    wake(NEWS_TOPIC)
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is not None and not is_published(campaign):
        dispatch_task(PUBLISH_TASK, campaign_id)
    if active_webhooks([campaign_id]).exists() or active_channels([campaign_id]).exists():
        dispatch_task(DELIVER_TASK, campaign_id)


@receiver(post_migrate)
def nothing_is_published(using: str, app_config: Any, **_: Any) -> None:
    """Delete published pages after a migration, so that they are encoded again.

    During the first migration their table may not exist yet.
    """
    tables = connections[using].introspection.table_names()
    if app_config.name == "api" and Published._meta.db_table in tables:
        Published.objects.using(using).all().delete()
