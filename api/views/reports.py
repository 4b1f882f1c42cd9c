"""Hexes, briefs, figures, the debrief and the trace of a campaign, to whoever may know."""

import re

from django.http import HttpResponse
from rest_framework.request import Request

from api.contract import Listed, operation
from api.documents.reports import (
    AppliedPart,
    BriefDocument,
    DebriefPart,
    FiguresPart,
    HexDocument,
    applied_parts,
    brief_document,
    debrief_parts,
    figures_parts,
    hex_document,
)
from api.endpoint import OpenEndpoint, OwnEndpoint
from api.problems import Problem
from api.views.months import page_of
from battles.contract.troops import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Seat
from campaign.rules.map import HexId, sudan
from campaign.rules.sight import Onlooker
from campaign.web.papers.debrief import CLOSED


class OneHex(OpenEndpoint):
    """A hex in a month: ground, water, rails, who stands there, the ways out."""

    @operation(HexDocument)
    def get(self, request: Request, slug: str, month: str, hex: str) -> HttpResponse:  # noqa: A002
        campaign = selectors.campaign_for(request.user, slug)
        page = page_of(campaign, month, fog_of_war.viewer_of(request.user, campaign))
        here = HexId(int(hex)) if re.fullmatch("[0-9]{4}", hex) else None
        if here not in sudan().hexes or here is None:
            raise Problem("not-found", f"{hex!r} is no hex of this map: write it like 2042.")
        view = fog_of_war.view_at(campaign, page.month, page.viewer)
        return self.tell(hex_document(campaign, page.part.month, view, here))


class Brief(OwnEndpoint):
    """How it stands for a side: for its own players, and for the umpire."""

    @operation(BriefDocument)
    def get(self, request: Request, slug: str, role: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        roles = selectors.role_of(request.user, campaign)
        if role not in {side.value for side in Side} or not roles & {role, Seat.Role.UMPIRE.value}:
            raise Problem("not-found", "There is no such brief that you may see.")
        return self.tell(brief_document(campaign, Side(role)))


class Figures(OpenEndpoint):
    """Strength, losses, places and sieges, month by month, as far as you may know them."""

    @operation(Listed[FiguresPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        return self.tell({"results": list(figures_parts(campaign, viewer))})


class Debrief(OpenEndpoint):
    """What each side believed, month by month: when the campaign is over (the umpire: always)."""

    @operation(Listed[DebriefPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        if not campaign.finished and viewer is not Onlooker.UMPIRE:
            raise Problem("not-found", CLOSED)
        return self.tell({"results": list(debrief_parts(campaign))})


class Trace(OpenEndpoint):
    """How often each clause has been applied; nothing while the fog hides anything from you."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        shown = fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
        return self.tell({"results": applied_parts(campaign) if shown else []})
