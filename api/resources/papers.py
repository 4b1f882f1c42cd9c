"""The campaign's newspapers: the issues that the viewer may read."""

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.documents.scalars import MonthName, Perspective, SideName
from api.http.endpoint import Listed, OpenEndpoint, operation
from api.http.problems import Problem
from api.resources.months import page_of
from campaign.access import fog_of_war, month_reports, selectors
from campaign.gazette.newspapers import NEWSPAPERS
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Viewer


class PaperLinks(msgspec.Struct, frozen=True):
    """The addresses of an issue: as a document, and as a page for people."""

    self: str
    page: str


class PaperLine(msgspec.Struct, frozen=True):
    """An issue of a newspaper that you may read."""

    month: MonthName
    month_name: str
    perspective: Perspective
    title: str
    links: PaperLinks


class ArticlePart(msgspec.Struct, frozen=True):
    """An article of a newspaper: its heading and its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


class CausePart(msgspec.Struct, frozen=True):
    """The number of units lost by a cause."""

    cause: str
    unit_count: int


class ReturnOfLossesPart(msgspec.Struct, frozen=True):
    """The losses of a side in the month, by cause and in total."""

    side: SideName
    causes: tuple[CausePart, ...]
    unit_count: int


class PaperDocument(msgspec.Struct, frozen=True):
    """An issue of a newspaper, with what its readers knew at the time."""

    campaign: str
    month: MonthName
    month_name: str
    perspective: Perspective
    title: str
    motto: str
    city: str
    issue_number: int
    leading_article: tuple[str, ...]
    articles: tuple[ArticlePart, ...]
    return_of_losses: tuple[ReturnOfLossesPart, ...]
    closing_words: str
    links: PaperLinks


def paper_line(campaign: Campaign, issue: month_reports.GazetteIssue) -> PaperLine:
    perspective, month = issue.edition.whose, issue.month
    return PaperLine(
        month=month_reports.slug_of(month),
        month_name=month_name(Month(month)),
        perspective=perspective,
        title=issue.edition.title,
        links=_links(campaign, month, perspective),
    )


def paper_document(campaign: Campaign, month: int, viewer: Viewer) -> PaperDocument:
    """Return the month's paper of that side, or of the public."""
    issue = month_reports.gazette_issue(campaign, month, viewer)
    edition = NEWSPAPERS[viewer]
    return PaperDocument(
        campaign=campaign.slug,
        month=month_reports.slug_of(month),
        month_name=month_name(Month(month)),
        perspective=viewer,
        title=edition.title,
        motto=edition.motto,
        city=edition.place,
        issue_number=issue.number,
        leading_article=issue.leader,
        articles=tuple(
            ArticlePart(article.heading, article.paragraphs) for article in issue.articles
        ),
        return_of_losses=tuple(
            ReturnOfLossesPart(
                losses.side, tuple(CausePart(*cause) for cause in losses.by_cause), losses.total
            )
            for losses in issue.losses
        ),
        closing_words=issue.close,
        links=_links(campaign, month, viewer),
    )


def _links(campaign: Campaign, month: int, viewer: Viewer) -> PaperLinks:
    args = [campaign.slug, month_reports.slug_of(month), viewer.value]
    return PaperLinks(reverse("api:month-paper", args=args), reverse("paper", args=args))


class Papers(OpenEndpoint):
    """The newspapers of a campaign."""

    @operation(Listed[PaperLine])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the issues you may read, the newest month first."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        issues = month_reports.gazette_issues(campaign, viewer)
        return self.answer_list(paper_line(campaign, issue) for issue in issues)


class OnePaper(OpenEndpoint):
    """An issue of a newspaper."""

    @operation(PaperDocument)
    def get(self, request: Request, slug: str, month: str, perspective: str) -> HttpResponse:
        """Retrieve an issue: its leader, articles and return of losses."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        page = page_of(campaign, month, viewer)
        readers = {reader.value: reader for reader in NEWSPAPERS}
        out = month_reports.papers(campaign, viewer, page.month)
        if readers.get(perspective) not in out:
            raise Problem(
                "not-found",
                f"No paper {perspective!r} has come out for you in {month}: those of that month "
                f"are {', '.join(out) or 'none'}.",
            )
        return self.answer(paper_document(campaign, page.month, readers[perspective]))
