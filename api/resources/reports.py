"""Reports on a campaign: briefs, figures, the debrief and the trace."""

from collections.abc import Iterator

import msgspec
from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.maps import LocationPart
from api.documents.scalars import MonthName, MonthOrSetUp, SideName
from api.documents.state import location
from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, operation
from api.http.problems import Problem
from battles.contract.brief import Side
from campaign.access import fog_of_war, journal_events, month_reports, selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.prose.situation import describe_marker, situation
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.web import debrief, seat_pages
from campaign.web.debrief import CLOSED


class PostPart(msgspec.Struct, frozen=True):
    """The position of a stack, its composition, and its condition."""

    location: LocationPart
    label: str
    unit_count: int
    disrupted_count: int
    besieged: bool


class HandoverBriefDocument(msgspec.Struct, frozen=True):
    """The situation of a side as it may know it, for a player who takes over a seat."""

    campaign: str
    side: SideName
    month: MonthOrSetUp
    month_name: str
    situation: tuple[str, ...]
    waiting_for: str | None
    own_posts: tuple[PostPart, ...]
    enemy_posts: tuple[PostPart, ...]
    reports: tuple[str, ...]
    news: tuple[str, ...]
    has_former_sheet: bool


class SideFiguresPart(msgspec.Struct, frozen=True):
    """The figures of a side in a month; null where they are hidden."""

    side: SideName
    strength_points: int | None
    lost_unit_count: int | None
    held_place_count: int


class FiguresPart(msgspec.Struct, frozen=True):
    """A month's figures, by side; null where they are hidden."""

    month: MonthName
    month_name: str
    by_side: tuple[SideFiguresPart, ...]
    besieged_town_count: int | None


class BeliefPart(msgspec.Struct, frozen=True):
    """A side's knowledge of the enemy's stacks, beside their true number."""

    side: SideName
    counted_stack_count: int
    seen_stack_count: int
    wrong_stack_count: int
    true_stack_count: int


class DebriefPart(msgspec.Struct, frozen=True):
    """A month of the debrief."""

    month: MonthOrSetUp
    month_name: str
    beliefs: tuple[BeliefPart, ...]


class AppliedPart(msgspec.Struct, frozen=True):
    """The number of times a clause, or a part of one, has been applied."""

    clause: str
    applied_count: int


def brief_document(campaign: Campaign, side: Side) -> HandoverBriefDocument:
    """Return the brief of a side."""
    view = fog_of_war.view_now(campaign, side)
    before = max(campaign.first_month - 1, campaign.month - 1)
    seen = (*view.sightings, *view.markers)
    return HandoverBriefDocument(
        campaign=campaign.slug,
        side=side,
        month=month_slug(Month(campaign.month)),
        month_name=month_name(Month(campaign.month)),
        situation=situation(view.state, view.counted),
        waiting_for=fog_of_war.waiting_for(campaign, side) or None,
        own_posts=tuple(_posts(view, side)),
        enemy_posts=tuple(_posts(view, side.enemy)),
        reports=tuple(describe_marker(sighting, view.state.month) for sighting in seen),
        news=tuple(seat_pages.news(campaign, before, side)),
        has_former_sheet=seat_pages.left_a_sheet(campaign, side),
    )


def _posts(view: View, side: Side) -> Iterator[PostPart]:
    for post in seat_pages.posts(view.state, side):
        yield PostPart(
            location=location(view.state, post.hex),
            label=post.units,
            unit_count=post.size,
            disrupted_count=post.disrupted,
            besieged=post.besieged,
        )


def figures_parts(campaign: Campaign, viewer: Viewer) -> Iterator[FiguresPart]:
    """Yield the figures of every month so far."""
    for figures in month_reports.monthly_figures(campaign, viewer):
        yield FiguresPart(
            month=month_slug(figures.month),
            month_name=month_name(figures.month),
            by_side=tuple(
                SideFiguresPart(
                    side, figures.strength[side], figures.lost[side], figures.places[side]
                )
                for side in Side
            ),
            besieged_town_count=figures.besieged,
        )


def debrief_parts(campaign: Campaign) -> Iterator[DebriefPart]:
    """Yield the beliefs of each side, month by month."""
    key = fog_of_war.view_key(campaign, Onlooker.UMPIRE)
    for line in selectors.months(campaign):
        beliefs = debrief.beliefs(key, Month(line.month))
        parts = (BeliefPart(belief.side, *belief[1:]) for belief in beliefs)
        yield DebriefPart(line.slug, line.name, tuple(parts))


def applied_parts(campaign: Campaign) -> list[AppliedPart]:
    """Return the clauses applied in the campaign with counts, by the clauses' names."""
    counts = journal_events.clauses_applied(campaign)
    return [AppliedPart(clause, times) for clause, times in sorted(counts.items())]


class SeatBrief(OwnEndpoint):
    """The brief of a side."""

    @operation(HandoverBriefDocument)
    def get(self, request: Request, slug: str, side: str) -> HttpResponse:
        """Retrieve a side's situation, as its player or as the umpire."""
        campaign = selectors.campaign_for(request.user, slug)
        roles = selectors.role_of(request.user, campaign)
        if side not in set(Side) or not roles & {side, Seat.Role.UMPIRE.value}:
            raise Problem(
                "not-found",
                f"There is no brief {side!r} that you may see: its player and the umpire read that "
                f"of a side, {' or '.join(Side)}.",
            )
        return self.answer(brief_document(campaign, Side(side)))


class CampaignFigures(OpenEndpoint):
    """The figures of a campaign."""

    @operation(Listed[FiguresPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the figures of a campaign, month by month.

        They are strength, losses, places and sieges, as far as you may know them.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        return self.answer_list(figures_parts(campaign, viewer))


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
        return self.answer_list(debrief_parts(campaign))


class CampaignTrace(OpenEndpoint):
    """The clauses that a campaign has applied."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the clauses that a campaign has applied, with counts.

        The list is empty while the fog of war hides anything from you.
        """
        campaign = selectors.campaign_for(request.user, slug)
        shown = fog_of_war.may_see_all(request.user, campaign)
        return self.answer_list(applied_parts(campaign) if shown else ())
