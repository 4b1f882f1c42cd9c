"""The tasks of the workers for the API; a published month is encoded once for all readers."""

import logging
from collections.abc import Iterator
from typing import Any

from celery import shared_task
from django.db import transaction

from api import channel_posting, push, webhooks
from api.http.responses import ENCODINGS, EncodedDocument
from api.models import Published
from api.receivers import DELIVER_TASK, PUBLISH_TASK, PUSH_TASK
from api.resources.months import MapOfState, MonthPage, Page, StateOfMonth
from api.ssrf_guard import Undeliverable
from battles import journal
from battles.contract.brief import Side
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.sight import Onlooker, Viewer

logger = logging.getLogger(__name__)
MINUTE = 60.0
"""The seconds after which the task expires; it is queued again anyway."""


@shared_task(name=PUBLISH_TASK)
def publish(campaign: int) -> None:
    """Encode the pages of a campaign whose month has turned."""
    publish_pages(campaign)


@shared_task(name=DELIVER_TASK, expires=MINUTE)
def deliver(campaign: int | None = None) -> None:
    """Queue and deliver events to webhooks and channels, for one campaign or for all."""
    campaigns = None if campaign is None else [campaign]
    webhooks.queue_deliveries(campaigns)
    webhooks.deliver_due()
    channel_posting.queue_posts(campaigns)
    channel_posting.deliver_due()


@shared_task(name=PUSH_TASK, bind=True, max_retries=4)
def send_push(self: Any, subscription: int, notice: dict[str, str]) -> None:
    """Send a notice to a browser; an unreachable push service is tried again, for half an hour."""
    try:
        push.send(subscription, notice)
    except Undeliverable as failed:
        if self.request.retries < self.max_retries:
            raise self.retry(countdown=60 * 2**self.request.retries) from failed
        logger.warning("A push message is dropped: %s", failed)


PAGES: tuple[type[MonthPage], ...] = (StateOfMonth, MapOfState)
"""The pages that every client reads as soon as a month is out."""


def publish_pages(campaign_id: int) -> int:
    """Encode the pages of the campaign for every viewer; return their number.

    Pages published earlier are deleted. Safe to run twice; a page that is requested meanwhile is
    made by that request.
    """
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is None or campaign.published.filter(key=_first(campaign)).exists():
        return 0
    rows = list(_rows(campaign))
    try:
        with transaction.atomic():
            # Otherwise a deletion at the same time would leave these rows behind it.
            journal.lock_record(Campaign.objects.all(), campaign_id)
            campaign.published.all().delete()
            Published.objects.bulk_create(rows, ignore_conflicts=True)
    except journal.RecordGone:
        return 0
    return len(rows)


def _first(campaign: Campaign) -> str:
    """Return the key of the first page, whose existence shows that all pages have been made."""
    return Page(campaign, campaign.month, Onlooker.UMPIRE).place(PAGES[0].kind).digest


def _rows(campaign: Campaign) -> Iterator[Published]:
    for viewer in _viewers(campaign):
        page = Page(campaign, campaign.month, viewer)
        for kind in PAGES:
            yield _row(page, kind)


def _row(page: Page, kind: type[MonthPage]) -> Published:
    document = EncodedDocument(kind.document(page))
    return Published(
        campaign=page.campaign,
        month=page.month,
        finished=page.campaign.finished,
        key=page.place(kind.kind).digest,
        etag=document.etag,
        **{encoding: document.encoded(encoding) for encoding in ENCODINGS},
    )


def _viewers(campaign: Campaign) -> tuple[Viewer, ...]:
    """Return the viewers whose pages differ; viewers who see everything share one."""
    hidden = not fog_of_war.sees_all(campaign, Onlooker.PUBLIC)
    return (Onlooker.UMPIRE, *Side, Onlooker.PUBLIC) if hidden else (Onlooker.UMPIRE,)
