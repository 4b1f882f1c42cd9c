"""What the interface does when a campaign has gone on: once it is committed, never before."""

from functools import partial
from typing import Any

from django.db import connections, transaction
from django.db.models.signals import post_migrate, post_save
from django.dispatch import receiver

from api.hand_over import PUBLISH, TELL, hand_over
from api.hooks.keeping import concerned
from api.models import Published
from api.shelf import is_published
from api.streams import CAMPAIGNS
from campaign.models import Campaign
from sirdar.wake import wake


@receiver(post_save, sender=Campaign)
def campaign_written(instance: Campaign, **_: Any) -> None:
    """A campaign has been written, by whomever and however."""
    transaction.on_commit(partial(_gone_on, instance.pk), robust=True)


def _gone_on(campaign_id: int) -> None:
    wake(CAMPAIGNS)
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
