"""The campaign's papers: the numbers that have come out for whoever asks."""

from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from api.contract import Listed, operation
from api.documents.papers import PaperDocument, PaperLine, paper_document, paper_line
from api.endpoint import OpenEndpoint
from api.problems import Problem
from api.views.months import page_of
from campaign.access import fog_of_war, gazette_access, selectors
from campaign.gazette import NEWSPAPERS

UNREAD = "No such paper has come out for you."


class Papers(OpenEndpoint):
    """The papers of a campaign."""

    parameters: ClassVar[frozenset[str]] = frozenset()

    @operation(Listed[PaperLine])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Every number of a paper that has come out for you, the newest month first."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        told = [
            paper_line(campaign, one) for one in gazette_access.gazette_issues(campaign, viewer)
        ]
        return self.tell({"results": told})


class OnePaper(OpenEndpoint):
    """A number of a paper."""

    @operation(PaperDocument)
    def get(self, request: Request, slug: str, month: str, whose: str) -> HttpResponse:
        """One number of a paper: leader, articles, the return of losses."""
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        page = page_of(campaign, month, viewer)
        readers = {one.value: one for one in NEWSPAPERS}
        if readers.get(whose) not in gazette_access.papers(campaign, viewer, page.month):
            raise Problem("not-found", UNREAD)
        return self.tell(paper_document(campaign, page.month, readers[whose]))
