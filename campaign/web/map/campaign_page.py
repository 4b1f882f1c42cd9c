"""The campaign page: a month's map, situation and despatches, and the timeline.

Despatches are grouped by player turn and phase, with news before routine. A cookie for each
campaign keeps the months that the visitor has not read.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, month_reports, permissions, selectors
from campaign.access.selectors import Despatch
from campaign.cartography import chart as drawn
from campaign.models import Campaign, Seat
from campaign.rules.core.board import chart as ground
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import Month, month_from_text, month_name, month_number
from campaign.rules.core.state import Phase, State
from campaign.rules.map import HexId
from campaign.rules.prose.phase_report import ROUTINE, DespatchSentence
from campaign.rules.sight import Sighting, View, Viewer
from campaign.rules.tables.editions import shipped_edition
from campaign.serialization import scenario_title
from campaign.services.attendance import awaited_in_words, takes_sheets
from campaign.services.turns.live import may_set_up
from campaign.web.map import printed_map
from campaign.web.map.hex_report import hex_report
from campaign.web.map.situation import SideOrderOfBattle, Situation, armies, situation

PHASES = {
    Phase.SET_UP: "Set-up",
    Phase.EVENT: "Random event",
    Phase.REINFORCEMENT: "Reinforcements",
    Phase.MARCH: "Marches and combats",
    Phase.ATTRITION: "Supply and attrition",
    Phase.RECOVERY: "Recovery",
    Phase.OVER: "The end",
}


class PhaseReportView(NamedTuple):
    """The despatches of one phase."""

    title: str
    news: tuple[DespatchSentence, ...]
    routine: tuple[DespatchSentence, ...]


class PlayerTurn(NamedTuple):
    """The despatches of one player turn; the set-up belongs to no side."""

    side: Side
    title: str
    reports: tuple[PhaseReportView, ...]


def turns_of(despatches: Iterable[Despatch]) -> tuple[PlayerTurn, ...]:
    """Return the despatches grouped by player turn and phase."""
    turns = groupby(
        despatches, key=lambda despatch: (despatch.side, despatch.phase is Phase.SET_UP)
    )
    return tuple(
        PlayerTurn(
            side, "Set-up" if setting_up else f"{side.title()} turn", tuple(map(_report, phases))
        )
        for (side, setting_up), phases in turns
    )


def _report(despatch: Despatch) -> PhaseReportView:
    return PhaseReportView(
        PHASES[despatch.phase],
        tuple(sentence for sentence in despatch.sentences if sentence.weight > ROUTINE),
        tuple(sentence for sentence in despatch.sentences if sentence.weight <= ROUTINE),
    )


COOKIE = "seen"
A_YEAR = 365 * 24 * 3600  # seconds
MOST = 60
"""Unread months in the cookie; older marks are dropped."""


class LastVisit(NamedTuple):
    """The cursor of the campaign at the visitor's last visit, and their unread months."""

    campaign: int
    branch: int
    head: int
    month: int
    unread: frozenset[int]


def last_visit(request: HttpRequest, campaign: Campaign) -> LastVisit:
    """Return the campaign's cursor and the unread months; none on a first visit."""
    branch, head = campaign.branch, campaign.head_id or 0
    last = _last(request, campaign.pk)
    unread = last.unread if last else frozenset()
    if last and (last.branch, last.head) != (branch, head):
        unread |= set(range(last.month, campaign.month + 1))
    return LastVisit(campaign.pk, branch, head, campaign.month, unread)


def note_visit(
    response: HttpResponse, campaign: Campaign, at: LastVisit, read: Iterable[int]
) -> None:
    """Store the visit in the cookie, with these months as read."""
    left = sorted(at.unread - set(read))[-MOST:]
    numbers = (at.campaign, at.branch, at.head, at.month, *left)
    response.set_cookie(
        COOKIE,
        ".".join(map(str, numbers)),
        max_age=A_YEAR,
        path=reverse("campaign", args=[campaign.slug]),
        httponly=True,
        samesite="Lax",
    )


def _last(request: HttpRequest, campaign: int) -> LastVisit | None:
    """Return the last visit; None without a valid cookie."""
    parts = request.COOKIES.get(COOKIE, "").split(".")
    if not all(part.isdecimal() and len(part) < 12 for part in parts):
        return None
    numbers = [int(part) for part in parts]
    if len(numbers) < len(LastVisit._fields) - 1 or numbers[0] != campaign:
        return None
    return LastVisit(numbers[0], numbers[1], numbers[2], numbers[3], frozenset(numbers[4:]))


SET_UP = "set-up"


class TimelineMonth(NamedTuple):
    """A month of the timeline; `url` is empty for a month still to come."""

    name: str
    short: str
    year: str
    url: str
    shown: bool
    current: bool
    new: bool


class PageGazette(NamedTuple):
    """A month's despatches, and the URL of its film."""

    name: str
    film: str
    turns: tuple[PlayerTurn, ...]


class CampaignPage:
    """A month of a campaign as its page shows it; costly parts are computed on demand."""

    def __init__(self, campaign: Campaign, month: Month, viewer: Viewer) -> None:
        self.campaign = campaign
        self.month = month
        self.viewer = viewer
        self.current = month == campaign.month
        self.slug = month_slug_of(campaign, month)
        self.name = name_of(campaign, month)

    @property
    def key(self) -> str:
        """Return the cache key of the month's drawings and texts: all they depend on.

        They name the campaign and the printed map in their links. The cache outlives a program
        that prints another map, and a copy of a campaign has its anchor.
        """
        campaign = self.campaign
        eyes = "all" if fog_of_war.sees_all(campaign, self.viewer) else self.viewer
        links = f"{campaign.slug}.{printed_map.address()}"
        head = f"{campaign.public_anchor}.{campaign.branch}.{campaign.head_id or 0}"
        return f"{links}.{head}.{self.month}.{campaign.public_delay}.{eyes}"

    @property
    def scenario(self) -> str:
        return scenario_title(self.campaign)

    @cached_property
    def view(self) -> View:
        """Return the month as the viewer may see it."""
        return fog_of_war.view_at(self.campaign, self.month, self.viewer)

    @property
    def state(self) -> State:
        return self.view.state

    @property
    def seen(self) -> tuple[Sighting, ...]:
        """Return enemy stacks that are sighted from afar or remembered."""
        return (*self.view.sightings, *self.view.markers)

    @property
    def is_late(self) -> bool:
        """Return whether the viewer plays neither side and learns of the months late."""
        return fog_of_war.hears_late(self.campaign, self.viewer)

    @property
    def sees_any(self) -> bool:
        """Return whether the viewer sees stacks in this month."""
        has_full_view = fog_of_war.sees_month(self.campaign, self.viewer, self.month)
        return has_full_view or not self.is_late

    @property
    def spectators_map(self) -> str:
        """Return the URL of the newest public paper; "" for players and before the first."""
        issues = month_reports.gazette_issues(self.campaign, self.viewer) if self.is_late else ()
        newest = next(iter(issues), None)
        if newest is None:
            return ""
        out = month_reports.slug_of(newest.month), newest.edition.whose.value
        return reverse("paper", args=[self.campaign.slug, *out])

    @property
    def waiting_for(self) -> str:
        return fog_of_war.waiting_for(self.campaign, self.viewer)

    @property
    def battle(self) -> str:
        """Return the pending battle's number for viewers who may know of it."""
        return "" if self.is_late else self.campaign.battle

    @cached_property
    def rules(self) -> str:
        """Return the URL of the rules page with this campaign's tables."""
        if self.state.edition == shipped_edition().digest:
            return reverse("rules")
        return reverse("campaign-rules", args=[self.campaign.slug])

    @cached_property
    def drawing(self) -> SafeString:
        """Return the map with its counters, as an SVG element."""
        hex_url = reverse("hex", args=[self.campaign.slug, self.slug, "0000"])
        sheet = printed_map.address()
        return mark_safe(drawn(ground(self.state), self.state, sheet, hex_url, self.seen))  # noqa: S308

    @cached_property
    def situation(self) -> Situation:
        return situation(self.view)

    @cached_property
    def armies(self) -> tuple[SideOrderOfBattle, ...]:
        return armies(self.view)

    @cached_property
    def gazettes(self) -> tuple[PageGazette, ...]:
        """Return the month's despatches; early in a month, the last month's too."""
        return tuple(self._gazette(month) for month in self.read)

    @cached_property
    def read(self) -> tuple[Month, ...]:
        """Return the months whose despatches the page shows."""
        early = self.current and self.state.side is Side.EGYPTIAN and not self.campaign.finished
        before = Month(self.month - 1)
        return (
            (self.month, before) if early and before >= self.campaign.first_month else (self.month,)
        )

    def _gazette(self, month: Month) -> PageGazette:
        turns = turns_of(fog_of_war.despatches(self.campaign, month, self.viewer))
        film = reverse("film", args=[self.campaign.slug, month_slug_of(self.campaign, month)])
        return PageGazette(name_of(self.campaign, month), film, turns)


@require_safe
def current_month(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    month = Month(fog_of_war.month_to_watch(campaign, viewer))
    return show(request, CampaignPage(campaign, month, viewer))


@require_safe
def past_month(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    return show(request, page_of(request, slug, month))


def page_of(request: HttpRequest, slug: str, month: str) -> CampaignPage:
    """Return the page of a month in the URL. Raises Http404."""
    campaign = selectors.campaign_for(request.user, slug)
    return CampaignPage(
        campaign, month_in(campaign, month), fog_of_war.viewer_of(request.user, campaign)
    )


def month_in(campaign: Campaign, text: str) -> Month:
    """Return the month in the URL. Raises Http404 for any other text or month."""
    if text == SET_UP:
        return Month(campaign.first_month - 1)
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
        raise Http404(f"“{text}” is no month: write it like 1884-03.")
    month = month_from_text(text)
    if not campaign.first_month <= month <= campaign.month:
        raise Http404(
            f"The campaign has no {month_name(month)}: it runs from "
            f"{month_name(Month(campaign.first_month))} and stands in "
            f"{month_name(Month(campaign.month))}."
        )
    return month


def name_of(campaign: Campaign, month: Month) -> str:
    """Return the month's name, `March 1884`, or `Set-up` for the month before the first."""
    return "Set-up" if month < campaign.first_month else month_name(month)


def month_slug_of(campaign: Campaign, month: Month) -> str:
    """Return the month as URLs write it."""
    return SET_UP if month < campaign.first_month else f"{month // 12}-{month_number(month):02d}"


def show(request: HttpRequest, chart: CampaignPage, hex_id: HexId | None = None) -> HttpResponse:
    """Show the page of the month, with the panel of a hex if one is chosen."""
    campaign, look = chart.campaign, last_visit(request, chart.campaign)
    ticks = list(timeline(chart, look))
    place = next(number for number, tick in enumerate(ticks) if tick.shown)
    past = [tick for tick in ticks if tick.url]
    report = None if hex_id is None else hex_report(chart.view, hex_id)
    response = render(
        request,
        "campaign/map/campaign_page.html",
        {
            "chart": chart,
            "campaign": campaign,
            "report": report,
            "ticks": ticks,
            "place": place,
            "last": len(past) - 1,
            "earlier": past[place - 1] if place else None,
            "later": past[place + 1] if place + 1 < len(past) else None,
            "unread": [tick for tick in ticks if tick.new and not tick.current],
            "roles": (roles := selectors.role_of(request.user, campaign)),
            "late": awaited_in_words(campaign) if roles and takes_sheets(campaign) else "",
            "awaits_orders": month_name(Month(campaign.month))
            if takes_sheets(campaign) and not roles.isdisjoint(Seat.SIDES)
            else "",
            "asked": _side_in_turn(campaign),
            "may_arrange": _may_arrange(request.user, campaign),
            "may_take_position": permissions.may_take_position(request.user, campaign),
            "job": selectors.job_under_way(campaign),
            "may_run": chart.current and "umpire" in roles and _can_run(campaign, chart.viewer),
            "failed": chart.current and permissions.may_restart(request.user, campaign),
        },
    )
    note_visit(response, campaign, look, chart.read)
    return response


def _can_run(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether the month gets on when it is run, as far as the viewer may know."""
    if campaign.finished or campaign.adjourned or campaign.awaited == "table":
        return False
    return not fog_of_war.awaits_dice(campaign, viewer)


def _side_in_turn(campaign: Campaign) -> str:
    """Return the side in turn in live play; empty otherwise."""
    if campaign.mode != Campaign.Mode.LIVE or campaign.adjourned:
        return ""
    question = selectors.state_now(campaign).question
    return question.side.value if question else ""


def _may_arrange(user: selectors.Anybody, campaign: Campaign) -> bool:
    """Return whether the user may move units in the set-up, or say there that their side is ready.

    By order sheets a side is ready with its sheet.
    """
    if campaign.phase != Phase.SET_UP:
        return False
    may = may_set_up(campaign, user, selectors.state_now(campaign))
    return bool(may.choices) or (may.side and not takes_sheets(campaign))


def timeline(chart: CampaignPage, look: LastVisit) -> Iterator[TimelineMonth]:
    """Yield the set-up, every month so far, and those to come until the scenario ends."""
    campaign = chart.campaign
    last = campaign.month if campaign.finished else scenario_of(chart.state).last_month
    for month in map(Month, range(campaign.first_month - 1, last + 1)):
        setting_up = month < campaign.first_month
        starts_year = month_number(month) == 1 and not setting_up
        yield TimelineMonth(
            name_of(campaign, month),
            "Set-up" if setting_up else month_name(month)[:3],
            str(month // 12) if month == campaign.first_month or starts_year else "",
            address(campaign, month) if month <= campaign.month else "",
            month == chart.month,
            month == campaign.month,
            month in look.unread and not chart.is_late,
        )


def address(campaign: Campaign, month: Month) -> str:
    """Return the URL of a month; the campaign's own for the current one."""
    if month == campaign.month:
        return reverse("campaign", args=[campaign.slug])
    return reverse("month", args=[campaign.slug, month_slug_of(campaign, month)])
