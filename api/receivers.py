"""What the interface does when something has gone on: once it is committed, never before."""

from functools import partial
from typing import Any

from django.db import connections, transaction
from django.db.models.signals import post_delete, post_migrate, post_save
from django.dispatch import receiver

from api.hand_over import PUBLISH, TELL, hand_over
from api.models import Published
from api.selectors import concerned, is_published
from api.streams import GOING_ON
from battles.models import Battle, Command
from campaign.models import Campaign, Job, OrderSheet, Seat
from campaign.signals import work_over
from ops.pubsub import wake


@receiver(post_save, sender=Campaign)
def campaign_written(instance: Campaign, **_: Any) -> None:
    """A campaign has been written, by whomever and however."""
    transaction.on_commit(partial(_gone_on, instance.pk), robust=True)


@receiver(post_save, sender=Job)
@receiver(post_save, sender=OrderSheet)
@receiver(post_save, sender=Command)
@receiver(post_save, sender=Seat)
@receiver(post_delete, sender=Seat)
def followed_written(**_: Any) -> None:
    """Wake the followers: a job, a sheet, a seat or a side of a battle has been written."""
    transaction.on_commit(partial(wake, GOING_ON), robust=True)


@receiver(work_over)
def job_over(**_: Any) -> None:
    """A job, or other work of the workers, is done or has failed."""
    wake(GOING_ON)


@receiver(post_save, sender=Battle)
def battle_written(instance: Battle, **_: Any) -> None:
    """A battle has been written: whoever fights it waits for that."""
    if instance.way == Battle.Way.PLAYERS:
        transaction.on_commit(partial(wake, GOING_ON), robust=True)


def _gone_on(campaign_id: int) -> None:
    wake(GOING_ON)
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is not None and not is_published(campaign):
        hand_over(PUBLISH, campaign_id)
    if concerned([campaign_id]).exists():
        hand_over(TELL, campaign_id)


@receiver(post_migrate)
def nothing_is_published(using: str, app_config: Any, **_: Any) -> None:
    """Pages made by an older program are made again; a database on its way may have none yet."""
    tables = connections[using].introspection.table_names()
    if app_config.name == "api" and Published._meta.db_table in tables:
        Published.objects.using(using).all().delete()
