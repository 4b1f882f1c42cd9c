"""What is told of a campaign beside its state: hexes, briefs, figures, debrief, trace.

Hexes, briefs, figures, the debrief and the trace of a campaign, to whoever may know.
"""

import re
from collections.abc import Iterator

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.maps import printed
from api.documents.order_sheets import ModifierLine
from api.documents.rulebook import month_part
from api.documents.scalars import HexName, MonthOrSetUp, SideName
from api.documents.state import SpotPart, spot
from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, operation
from api.http.problems import Problem
from api.resources.months import page_of
from battles.contract.brief import Side
from battles.core.decoding import convert_to
from campaign.access import fog_of_war, selectors, statistics
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.situation import describe_marker, situation
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.web.map import hex_report
from campaign.web.papers import debrief
from campaign.web.papers.debrief import CLOSED
from campaign.web.seats import handover_brief


class WaterPart(msgspec.Struct, frozen=True):
    """A river beside the hex.

    `navigation` says, in words, how it can be sailed this month, and when otherwise: `navigable`,
    `unnavigable`, or one of them now where that changes with the season.
    """

    name: str
    navigation: str
    cataract: str | None


class RailPart(msgspec.Struct, frozen=True):
    """A railway through the hex; `runs`: trains do."""

    title: str
    runs: bool


class StackThirstPart(msgspec.Struct, frozen=True):
    """What the attrition table asks of a stack here (10.3), unless `supply` feeds it.

    `units` may suffer; `spared` are as many of them as are not affected, on each face of the die.
    """

    units: int
    spared: str
    supply: str
    modifiers: tuple[ModifierLine, ...]


class PresencePart(msgspec.Struct, frozen=True):
    """A side's stack in the hex: its units in words, and the points it marches with.

    `strength` is in strength points, `allowance` in movement points.
    """

    side: SideName
    units: tuple[str, ...]
    strength: int
    allowance: int
    besieged: bool
    thirst: StackThirstPart | None


class ExitPart(msgspec.Struct, frozen=True):
    """A way out of the hex: for how many movement points, or, where `cost` is null, what bars it.

    `direction` is a bearing such as N or SW, `hex` and `where` what lies there, `ground` in words;
    `river` and `rail`: one runs there.
    """

    direction: str
    hex: HexName
    where: str
    ground: str
    cost: int | None
    bar: str
    river: bool
    rail: bool


class GoalPart(msgspec.Struct, frozen=True):
    """A place that a march from here can come to, for how many movement points."""

    hex: HexName
    name: str
    cost: int


class HexDocument(msgspec.Struct, frozen=True):
    """Everything there is to say of a hex in a month, as far as whoever asks may know it.

    `cost` is in movement points, to enter it. `holder` is who was the last in its place; `reports`
    are sightings, in words.
    """

    campaign: str
    month: MonthOrSetUp
    at: SpotPart
    ground: str
    cost: int
    regions: tuple[str, ...]
    places: tuple[str, ...]
    holder: SideName | None
    waters: tuple[WaterPart, ...]
    rails: tuple[RailPart, ...]
    standing: tuple[PresencePart, ...]
    reports: tuple[str, ...]
    exits: tuple[ExitPart, ...]
    goals: tuple[GoalPart, ...]


class PostPart(msgspec.Struct, frozen=True):
    """Where a stack stands, what it is, and what is the matter with it: so many units disrupted."""

    at: SpotPart
    words: str
    size: int
    disrupted: int
    besieged: bool


class BriefDocument(msgspec.Struct, frozen=True):
    """How it stands for a side, as it may know it: for whoever takes a seat over.

    `sheet_left`: somebody who has gone had written orders for this month.
    """

    campaign: str
    side: SideName
    month: MonthOrSetUp
    situation: tuple[str, ...]
    waiting_for: str | None
    own: tuple[PostPart, ...]
    enemy: tuple[PostPart, ...]
    reports: tuple[str, ...]
    news: tuple[str, ...]
    sheet_left: bool


class FiguresPart(msgspec.Struct, frozen=True):
    """A month's figures by side; null where they are hidden.

    `strength` are the strength points on the map at its end, `lost` the units lost in it, `places`
    the towns, villages and oases held, `besieged` the towns under siege at its end.
    """

    month: MonthOrSetUp
    month_name: str
    strength: dict[str, int | None]
    lost: dict[str, int | None]
    places: dict[str, int]
    besieged: int | None


class BeliefPart(msgspec.Struct, frozen=True):
    """What a side knew of the other's stacks: counted, seen from afar, believed wrongly.

    `there` is how many stacks there were.
    """

    side: SideName
    counted: int
    seen: int
    wrong: int
    there: int


class DebriefPart(msgspec.Struct, frozen=True):
    """A month of the debrief."""

    month: MonthOrSetUp
    month_name: str
    beliefs: tuple[BeliefPart, ...]


class AppliedPart(msgspec.Struct, frozen=True):
    """How often a clause, or a part of one, has been applied in the campaign or battle."""

    clause: str
    times: int


def hex_document(campaign: Campaign, month: str, view: View, here: HexId) -> HexDocument:
    """Return the hex as whoever has that view sees it. KeyError for one that is not on the map."""
    told = hex_report.hex_report(view, here)
    return HexDocument(
        campaign=campaign.slug,
        month=month,
        at=spot(view.state, here),
        ground=told.ground,
        cost=told.cost,
        regions=tuple(told.regions),
        places=tuple(told.hex.places),
        holder=told.holder,
        waters=tuple(WaterPart(*one) for one in told.waters),
        rails=tuple(RailPart(*one) for one in told.rails),
        standing=tuple(map(_standing, told.stacks)),
        reports=tuple(told.reports),
        exits=tuple(map(_exit, told.ways)),
        goals=tuple(GoalPart(printed(one.hex), one.name, one.cost) for one in told.goals),
    )


def _standing(stack: hex_report.HexStack) -> PresencePart:
    return PresencePart(
        side=stack.side,
        units=tuple(stack.labels),
        strength=stack.strength,
        allowance=stack.allowance,
        besieged=stack.besieged,
        thirst=_thirst(stack.thirst) if stack.thirst else None,
    )


def _thirst(asked: hex_report.HexAttrition) -> StackThirstPart:
    changes = tuple(ModifierLine(one.value, one.reason, one.clause) for one in asked.modifiers)
    return StackThirstPart(asked.units, asked.spared, asked.supply, changes)


def _exit(way: hex_report.HexExit) -> ExitPart:
    return ExitPart(
        direction=way.direction,
        hex=printed(way.hex),
        where=way.place,
        ground=way.ground,
        cost=way.cost,
        bar=way.bar,
        river=way.river,
        rail=way.rail,
    )


def brief_document(campaign: Campaign, side: Side) -> BriefDocument:
    """Return the brief of a side."""
    view = fog_of_war.view_now(campaign, side)
    before = max(campaign.first_month - 1, campaign.month - 1)
    seen = (*view.sightings, *view.markers)
    return BriefDocument(
        campaign=campaign.slug,
        side=side,
        month=month_slug(Month(campaign.month)),
        situation=situation(view.state, view.counted),
        waiting_for=fog_of_war.waiting_for(campaign, side) or None,
        own=tuple(_posts(view, side)),
        enemy=tuple(_posts(view, side.enemy)),
        reports=tuple(describe_marker(one, view.state.month) for one in seen),
        news=tuple(handover_brief.news(campaign, before, side)),
        sheet_left=handover_brief.left_a_sheet(campaign, side),
    )


def _posts(view: View, side: Side) -> Iterator[PostPart]:
    for one in handover_brief.posts(view.state, side):
        at = spot(view.state, one.hex)
        yield PostPart(at, one.units, one.size, one.disrupted, one.besieged)


def figures_parts(campaign: Campaign, viewer: Viewer) -> Iterator[FiguresPart]:
    """Yield the figures of every month so far."""
    for one in statistics.figures(campaign, viewer):
        month = month_part(one.month)
        counted = (one.strength, one.lost, one.places)
        strength, lost, places = ({str(side): n for side, n in by.items()} for by in counted)
        yield FiguresPart(
            month.month,
            month.name,
            strength=strength,
            lost=lost,
            places=convert_to(places, dict[str, int]),
            besieged=one.besieged,
        )


def debrief_parts(campaign: Campaign) -> Iterator[DebriefPart]:
    """What each side believed, month by month."""
    for line in selectors.months(campaign):
        beliefs = debrief.beliefs(campaign, Month(line.month))
        told = (BeliefPart(one.side, *one[1:]) for one in beliefs)
        yield DebriefPart(line.slug, line.name, tuple(told))


def applied_parts(campaign: Campaign) -> list[AppliedPart]:
    """What of the book has been applied in the campaign, in the order of the clauses' names."""
    counted = selectors.clauses_applied(campaign)
    return [AppliedPart(clause, times) for clause, times in sorted(counted.items())]


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


class SeatBrief(OwnEndpoint):
    """How it stands for a side: for its own players, and for the umpire."""

    @operation(BriefDocument)
    def get(self, request: Request, slug: str, role: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        roles = selectors.role_of(request.user, campaign)
        if role not in {side.value for side in Side} or not roles & {role, Seat.Role.UMPIRE.value}:
            raise Problem("not-found", "There is no such brief that you may see.")
        return self.tell(brief_document(campaign, Side(role)))


class CampaignFigures(OpenEndpoint):
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


class CampaignTrace(OpenEndpoint):
    """How often each clause has been applied; nothing while the fog hides anything from you."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        shown = fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
        return self.tell({"results": applied_parts(campaign) if shown else []})
