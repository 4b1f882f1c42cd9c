"""The campaign page: the map of a month, how it stands, what happened, what is still to come."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from battles.contract.troops import Side
from campaign import fog, selectors
from campaign.cartography import chart as drawn
from campaign.models import Campaign
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import Month, month_from_text, month_name, month_number
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.rules.sight import Sighting, View, Viewer
from campaign.rules.tables.editions import shipped
from campaign.views import seen, sheet
from campaign.views.front import title_of
from campaign.views.gazette import Turn, turns_of
from campaign.views.hex_report import hex_report
from campaign.views.offices import awaited_in_words
from campaign.views.order_of_battle import Army, armies
from campaign.views.situation import Situation, situation

SET_UP = "set-up"


class Tick(NamedTuple):
    """A month on the timeline; one that is still to come has no address."""

    name: str
    short: str
    year: str
    url: str
    shown: bool
    current: bool
    new: bool


class Gazette(NamedTuple):
    """A month's despatches."""

    name: str
    turns: tuple[Turn, ...]


class Chart:
    """One month of a campaign as the page shows it. What is costly is worked out when asked for."""

    def __init__(self, campaign: Campaign, month: Month, viewer: Viewer) -> None:
        self.campaign = campaign
        self.month = month
        self.viewer = viewer
        self.current = month == campaign.month
        self.slug = month_slug_of(campaign, month)
        self.name = name_of(campaign, month)

    @property
    def key(self) -> str:
        """What the drawings and texts of this month are kept under: all they depend on."""
        at = self.campaign
        eyes = "all" if fog.sees_all(at, self.viewer) else self.viewer
        return f"{at.public_anchor}.{at.branch}.{at.head_id or 0}.{self.month}.{eyes}"

    @property
    def scenario(self) -> str:
        return title_of(self.campaign.scenario)

    @cached_property
    def view(self) -> View:
        """The month as whoever looks may see it."""
        return fog.view_at(self.campaign, self.month, self.viewer)

    @property
    def state(self) -> State:
        return self.view.state

    @property
    def seen(self) -> tuple[Sighting, ...]:
        """What is known of the enemy from afar, or from before."""
        return (*self.view.sightings, *self.view.markers)

    @property
    def sees_any(self) -> bool:
        return fog.sees_any(self.campaign, self.viewer)

    @property
    def waiting_for(self) -> str:
        return fog.waiting_for(self.campaign, self.viewer)

    @property
    def battle(self) -> str:
        """The number of the battle the campaign waits for, for those who know of it."""
        return self.campaign.battle if self.sees_any else ""

    @cached_property
    def rules(self) -> str:
        """The rules page that has this campaign's tables."""
        if self.state.book == shipped().digest:
            return reverse("rules")
        return reverse("campaign-rules", args=[self.campaign.slug])

    @cached_property
    def drawing(self) -> SafeString:
        """The map with all that stands on it, as an element of the page."""
        told = reverse("hex", args=[self.campaign.slug, self.slug, "0000"])
        return mark_safe(drawn(sudan(), self.state, sheet.address(), told, self.seen))  # noqa: S308

    @cached_property
    def situation(self) -> Situation:
        return situation(self.view)

    @cached_property
    def armies(self) -> tuple[Army, ...]:
        return armies(self.view)

    @cached_property
    def gazettes(self) -> tuple[Gazette, ...]:
        """The despatches of the month, and under one that has just begun those of the last."""
        return tuple(self._gazette(month) for month in self.read)

    @cached_property
    def read(self) -> tuple[Month, ...]:
        """The months whose despatches the page shows."""
        early = self.current and self.state.side is Side.EGYPTIAN and not self.campaign.finished
        before = Month(self.month - 1)
        return (
            (self.month, before) if early and before >= self.campaign.first_month else (self.month,)
        )

    def _gazette(self, month: Month) -> Gazette:
        turns = turns_of(fog.despatches(self.campaign, month, self.viewer))
        return Gazette(name_of(self.campaign, month), turns)


@require_safe
def now(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog.viewer_of(request.user, campaign)
    return show(request, Chart(campaign, Month(campaign.month), viewer))


@require_safe
def then(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    return show(request, chart_of(request, slug, month))


def chart_of(request: HttpRequest, slug: str, month: str) -> Chart:
    """The chart an address names. Http404, saying why, when there is none to see."""
    campaign = selectors.campaign_for(request.user, slug)
    return Chart(campaign, month_in(campaign, month), fog.viewer_of(request.user, campaign))


def month_in(campaign: Campaign, text: str) -> Month:
    """The month an address names. Http404 when it is none, or not one of this campaign."""
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
    """`March 1884`; `Set-up` for the month before the first."""
    return "Set-up" if month < campaign.first_month else month_name(month)


def month_slug_of(campaign: Campaign, month: Month) -> str:
    """How addresses write the month."""
    return SET_UP if month < campaign.first_month else f"{month // 12}-{month_number(month):02d}"


def show(request: HttpRequest, chart: Chart, hex_id: HexId | None = None) -> HttpResponse:
    """The page of that month, with the panel of a hex when one is chosen."""
    campaign, look = chart.campaign, seen.look(request, chart.campaign)
    ticks = list(timeline(chart, look))
    place = next(number for number, tick in enumerate(ticks) if tick.shown)
    past = [tick for tick in ticks if tick.url]
    report = None if hex_id is None else hex_report(chart.view, hex_id)
    response = render(
        request,
        "campaign/chart.html",
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
            "late": _awaited(campaign) if roles else "",
            "asked": _asked(campaign),
            "job": selectors.job_under_way(campaign),
        },
    )
    seen.note(response, campaign, look, chart.read)
    return response


def _asked(campaign: Campaign) -> str:
    """The side whose turn it is to answer in a campaign played live; nothing where none is."""
    if campaign.mode != Campaign.Mode.LIVE or campaign.adjourned:
        return ""
    question = selectors.state_now(campaign).question
    return question.side.value if question else ""


def _awaited(campaign: Campaign) -> str:
    """Whose orders for the month are still to come; nothing where none are waited for."""
    by_sheets = campaign.mode == Campaign.Mode.ORDERS and not campaign.finished
    return awaited_in_words(campaign) if by_sheets else ""


def timeline(chart: Chart, look: seen.Look) -> Iterator[Tick]:
    """The set-up, every month so far, and those to come until the scenario ends."""
    campaign = chart.campaign
    last = campaign.month if campaign.finished else scenario_of(chart.state).last_month
    for month in map(Month, range(campaign.first_month - 1, last + 1)):
        setting_up = month < campaign.first_month
        starts_year = month_number(month) == 1 and not setting_up
        yield Tick(
            name_of(campaign, month),
            "Set-up" if setting_up else month_name(month)[:3],
            str(month // 12) if month == campaign.first_month or starts_year else "",
            address(campaign, month) if month <= campaign.month else "",
            month == chart.month,
            month == campaign.month,
            month in look.unread,
        )


def address(campaign: Campaign, month: Month) -> str:
    """The address of the page of a month; of the present one, the campaign's own."""
    if month == campaign.month:
        return reverse("campaign", args=[campaign.slug])
    return reverse("month", args=[campaign.slug, month_slug_of(campaign, month)])
