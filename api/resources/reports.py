"""Reports on a campaign: hexes, briefs, figures, the debrief and the trace."""

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

    `navigation` says in words whether it can be sailed this month, and when that changes:
    `navigable`, `unnavigable`, or one of them for now if that changes with the season.
    """

    name: str
    navigation: str
    cataract: str | None


class RailPart(msgspec.Struct, frozen=True):
    """A railway through the hex; `runs` says whether trains do."""

    title: str
    runs: bool


class StackThirstPart(msgspec.Struct, frozen=True):
    """The attrition roll of a stack here (10.3), unless `supply` feeds it.

    `units` may suffer; `spared` is how many of them are not affected, for each face of the die.
    """

    units: int
    spared: str
    supply: str
    modifiers: tuple[ModifierLine, ...]


class PresencePart(msgspec.Struct, frozen=True):
    """A side's stack in the hex, with its units in words.

    `strength` is in strength points, `allowance` in movement points.
    """

    side: SideName
    units: tuple[str, ...]
    strength: int
    allowance: int
    besieged: bool
    thirst: StackThirstPart | None


class ExitPart(msgspec.Struct, frozen=True):
    """An exit from the hex: its cost in movement points or, if `cost` is null, the bar to it.

    `direction` is a bearing such as N or SW; `hex`, `where` and `ground` describe the neighbour;
    `river` and `rail` say whether one runs there.
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
    """A place that a march from here can reach, with the cost in movement points."""

    hex: HexName
    name: str
    cost: int


class HexDocument(msgspec.Struct, frozen=True):
    """A hex in a month, as far as the viewer may know it.

    `cost` is in movement points, to enter it. `holder` is the last side in its place; `reports` are
    sightings, in words.
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
    """The position of a stack, its composition, and the number of disrupted units."""

    at: SpotPart
    words: str
    size: int
    disrupted: int
    besieged: bool


class BriefDocument(msgspec.Struct, frozen=True):
    """The situation of a side as it may know it, for a player who takes over a seat.

    `sheet_left`: a former holder has written orders for this month.
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

    `strength` is the strength points on the map at its end, `lost` the units lost in it, `places`
    the towns, villages and oases held, `besieged` the towns under siege at its end.
    """

    month: MonthOrSetUp
    month_name: str
    strength: dict[str, int | None]
    lost: dict[str, int | None]
    places: dict[str, int]
    besieged: int | None


class BeliefPart(msgspec.Struct, frozen=True):
    """A side's knowledge of the enemy's stacks: counted, seen from afar, wrongly assumed.

    `there` is the true number of stacks.
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
    """The number of times a clause, or a part of one, has been applied."""

    clause: str
    times: int


def hex_document(campaign: Campaign, month: str, view: View, here: HexId) -> HexDocument:
    """Return the hex as the view shows it. KeyError for one that is not on the map."""
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
    """Yield the beliefs of each side, month by month."""
    for line in selectors.months(campaign):
        beliefs = debrief.beliefs(campaign, Month(line.month))
        told = (BeliefPart(one.side, *one[1:]) for one in beliefs)
        yield DebriefPart(line.slug, line.name, tuple(told))


def applied_parts(campaign: Campaign) -> list[AppliedPart]:
    """Return the clauses applied in the campaign with counts, by the clauses' names."""
    counted = selectors.clauses_applied(campaign)
    return [AppliedPart(clause, times) for clause, times in sorted(counted.items())]


class OneHex(OpenEndpoint):
    """A hex in a month."""

    @operation(HexDocument)
    def get(self, request: Request, slug: str, month: str, hex: str) -> HttpResponse:  # noqa: A002
        """Retrieve a hex: its ground, rivers, railways, stacks and exits."""
        campaign = selectors.campaign_for(request.user, slug)
        page = page_of(campaign, month, fog_of_war.viewer_of(request.user, campaign))
        here = HexId(int(hex)) if re.fullmatch("[0-9]{4}", hex) else None
        if here not in sudan().hexes or here is None:
            raise Problem("not-found", f"{hex!r} is no hex of this map: write it like 2042.")
        view = fog_of_war.view_at(campaign, page.month, page.viewer)
        return self.tell(hex_document(campaign, page.part.month, view, here))


class SeatBrief(OwnEndpoint):
    """The brief of a side."""

    @operation(BriefDocument)
    def get(self, request: Request, slug: str, role: str) -> HttpResponse:
        """Retrieve a side's situation, as its player or as the umpire."""
        campaign = selectors.campaign_for(request.user, slug)
        roles = selectors.role_of(request.user, campaign)
        if role not in {side.value for side in Side} or not roles & {role, Seat.Role.UMPIRE.value}:
            raise Problem("not-found", "There is no such brief that you may see.")
        return self.tell(brief_document(campaign, Side(role)))


class CampaignFigures(OpenEndpoint):
    """The figures of a campaign."""

    @operation(Listed[FiguresPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the figures of a campaign, month by month.

        They are strength, losses, places and sieges, as far as you may know them.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        return self.tell({"results": list(figures_parts(campaign, viewer))})


class Debrief(OpenEndpoint):
    """The debrief of a campaign."""

    @operation(Listed[DebriefPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List what each side believed, month by month.

        Before the end of the campaign only umpires may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        if not campaign.finished and viewer is not Onlooker.UMPIRE:
            raise Problem("not-found", CLOSED)
        return self.tell({"results": list(debrief_parts(campaign))})


class CampaignTrace(OpenEndpoint):
    """The clauses that a campaign has applied."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the clauses that a campaign has applied, with counts.

        The list is empty while the fog of war hides anything from you.
        """
        campaign = selectors.campaign_for(request.user, slug)
        shown = fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
        return self.tell({"results": applied_parts(campaign) if shown else []})
