"""The campaign's papers as documents."""

import msgspec
from django.urls import reverse

from api.documents.scalars import MonthName, SideName, WhoseName
from campaign.access import gazette_access
from campaign.gazette import NEWSPAPERS
from campaign.gazette.issue import Article, Gazette
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Viewer


class PaperLine(msgspec.Struct, frozen=True):
    """A number of a paper that has come out for whoever asks."""

    month: MonthName
    month_name: str
    whose: WhoseName
    title: str
    links: dict[str, str]


class LossesPart(msgspec.Struct, frozen=True):
    """What a side has lost in the month, in units, by cause."""

    side: SideName
    by_cause: dict[str, int]
    total: int


class PaperDocument(msgspec.Struct, frozen=True):
    """A number of a paper, as its readers knew things then."""

    campaign: str
    month: MonthName
    month_name: str
    whose: WhoseName
    title: str
    motto: str
    place: str
    number: int
    leader: tuple[str, ...]
    articles: tuple[Article, ...]
    losses: tuple[LossesPart, ...]
    close: str
    links: dict[str, str]


def paper_line(campaign: Campaign, number: gazette_access.GazetteIssue) -> PaperLine:
    whose, month = number.edition.whose, number.month
    return PaperLine(
        month=gazette_access.slug_of(month),
        month_name=month_name(Month(month)),
        whose=whose,
        title=number.edition.title,
        links=_links(campaign, month, whose),
    )


def paper_document(campaign: Campaign, month: int, whose: Viewer) -> PaperDocument:
    """The paper of that side, or of the public, for that month."""
    told: Gazette = gazette_access.gazette_issue(campaign, month, whose)
    edition = NEWSPAPERS[whose]
    return PaperDocument(
        campaign=campaign.slug,
        month=gazette_access.slug_of(month),
        month_name=month_name(Month(month)),
        whose=whose,
        title=edition.title,
        motto=edition.motto,
        place=edition.place,
        number=told.number,
        leader=told.leader,
        articles=told.articles,
        losses=tuple(LossesPart(one.side, dict(one.by_cause), one.total) for one in told.losses),
        close=told.close,
        links=_links(campaign, month, whose),
    )


def _links(campaign: Campaign, month: int, whose: Viewer) -> dict[str, str]:
    args = [campaign.slug, gazette_access.slug_of(month), whose.value]
    return {"self": reverse("api:month-paper", args=args), "page": reverse("paper", args=args)}
