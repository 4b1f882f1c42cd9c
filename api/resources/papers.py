"""The campaign's newspapers: the issues that the viewer may read."""

from typing import ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.documents.scalars import MonthName, SideName, WhoseName
from api.http.endpoint import Listed, OpenEndpoint, operation
from api.http.problems import Problem
from api.resources.months import page_of
from campaign.access import fog_of_war, gazette_access, selectors
from campaign.gazette import NEWSPAPERS
from campaign.gazette.issue import Article, Gazette
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Viewer


class PaperLine(msgspec.Struct, frozen=True):
    """An issue of a newspaper that you may read."""

    month: MonthName
    month_name: str
    whose: WhoseName
    title: str
    links: dict[str, str]


class LossesPart(msgspec.Struct, frozen=True):
    """The losses of a side in the month, in units, by cause."""

    side: SideName
    by_cause: dict[str, int]
    total: int


class PaperDocument(msgspec.Struct, frozen=True):
    """An issue of a newspaper, with what its readers knew at the time."""

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
    """Return the month's paper of that side, or of the public."""
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


UNREAD = "No such paper has come out for you."


class Papers(OpenEndpoint):
    """The newspapers of a campaign."""

    parameters: ClassVar[frozenset[str]] = frozenset()

    @operation(Listed[PaperLine])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the issues you may read, the newest month first."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        told = [
            paper_line(campaign, one) for one in gazette_access.gazette_issues(campaign, viewer)
        ]
        return self.tell({"results": told})


class OnePaper(OpenEndpoint):
    """An issue of a newspaper."""

    @operation(PaperDocument)
    def get(self, request: Request, slug: str, month: str, whose: str) -> HttpResponse:
        """Retrieve an issue: its leader, articles and return of losses."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        page = page_of(campaign, month, viewer)
        readers = {one.value: one for one in NEWSPAPERS}
        if readers.get(whose) not in gazette_access.papers(campaign, viewer, page.month):
            raise Problem("not-found", UNREAD)
        return self.tell(paper_document(campaign, page.month, readers[whose]))
