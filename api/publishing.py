"""Encode and compress the pages of a published month once, for all readers."""

from collections.abc import Iterator

from django.db import transaction

from api.http.responses import ENCODINGS, EncodedDocument
from api.models import Published
from api.resources.months import MapOfState, MonthPage, Page, StateOfMonth
from battles.contract.brief import Side
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.sight import Onlooker, Viewer

PAGES: tuple[type[MonthPage], ...] = (StateOfMonth, MapOfState)
"""The pages that every client reads as soon as a month is out."""


def publish(campaign_id: int) -> int:
    """Encode the pages of the campaign for every viewer; return their number.

    Pages published earlier are deleted. Safe to run twice; a page that is requested meanwhile is
    made by that request.
    """
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is None or campaign.published.filter(key=_first(campaign)).exists():
        return 0
    rows = list(_rows(campaign))
    with transaction.atomic():
        campaign.published.all().delete()
        Published.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _first(campaign: Campaign) -> str:
    """Return the key of the first page, whose existence shows that all pages have been made."""
    return Page(campaign, campaign.month, Onlooker.UMPIRE).place(PAGES[0].kind).digest


def _rows(campaign: Campaign) -> Iterator[Published]:
    for viewer in _eyes(campaign):
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


def _eyes(campaign: Campaign) -> tuple[Viewer, ...]:
    """Return the viewers whose pages differ; viewers who see everything share one."""
    hidden = not fog_of_war.sees_all(campaign, Onlooker.PUBLIC)
    return (Onlooker.UMPIRE, *Side, Onlooker.PUBLIC) if hidden else (Onlooker.UMPIRE,)
