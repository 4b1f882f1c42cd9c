"""The debrief, the dice and the statistics of a campaign, as far as the viewer may see them.

Figures by month are line charts, whose lines differ by dashes and marks as well as by colour.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles import journal
from battles.contract.brief import Side
from battles.drawing.svg import element, group
from campaign.access import fog_of_war, journal_events, month_reports, selectors
from campaign.access.month_reports import MonthFigures
from campaign.cartography.counters import short_month
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.rules.prose.situation import describe_award
from campaign.rules.sight import Onlooker, View
from campaign.rules.tables.scenario_blocks import PointsCounted
from campaign.rules.victory import conditions, points_of
from campaign.services.journal import audit
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import month_in, month_slug_of, name_of
from campaign.web.month_pages import map_address

WIDE, HIGH = 640, 280
LEFT, RIGHT, TOP, FOOT = 44, 130, 18, 34
APART = 20
_STEPS = (1, 2, 5)


class Curve(NamedTuple):
    """A line: its name, its side, its value for each month (None: not known)."""

    name: str
    whose: str
    values: tuple[int | None, ...]


def curves(title: str, months: Sequence[Month], lines: Sequence[Curve]) -> str:
    """Return the lines as an SVG element; its title describes it for screen readers."""
    highest = max((value for line in lines for value in line.values if value), default=1)
    top = _round_up(highest)
    return element(
        "svg",
        element("title", title),
        *_scale(top),
        *_months(months),
        *_lines(lines, len(months), top),
        class_="curves",
        viewBox=f"0 0 {WIDE} {HIGH}",
        role="img",
        aria_label=title,
    )


def _round_up(least: int) -> int:
    """Return the least round number that is not less: 1, 2 or 5 times a power of ten."""
    unit = 1
    while True:
        for step in _STEPS:
            if step * unit >= least:
                return step * unit
        unit *= 10


def _scale(top: int) -> Iterator[str]:
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        yield element(
            "line", class_="rule" if part else "axis", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y
        )
        if value == int(value):
            words = f"{int(value)}"
            yield element("text", words, x=LEFT - 8, y=y + 4, text_anchor="end")


def _months(months: Sequence[Month]) -> Iterator[str]:
    every = ceil(len(months) / 6) or 1
    for place in range(0, len(months), every):
        x = _x(place, len(months))
        yield element("text", short_month(months[place]), x=x, y=HIGH - 10, text_anchor="middle")


def _lines(lines: Sequence[Curve], many: int, top: int) -> Iterator[str]:
    """Yield the lines from the top one down, their names at least a line of text apart."""
    lowest = 0
    for line in sorted(lines, key=lambda curve: -(_last(curve) or 0)):
        label_y = max(_y(_last(line) or 0, top) + 4, lowest)
        lowest = label_y + APART
        yield _line(line, many, top, label_y)


def _last(line: Curve) -> int | None:
    """Return the last value that is known."""
    return next((value for value in reversed(line.values) if value is not None), None)


def _line(line: Curve, many: int, top: int, label_y: int) -> str:
    vertices = [
        (_x(place, many), _y(value, top))
        for place, value in enumerate(line.values)
        if value is not None
    ]
    if not vertices:
        return ""
    points = " ".join(f"{x},{y}" for x, y in vertices)
    name = element("text", line.name, x=vertices[-1][0] + 9, y=label_y)
    return group(line.whose, element("polyline", points=points), *_marks(line, vertices), name)


def _marks(line: Curve, vertices: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a disc at every value; a square for a line of the Mahdists."""
    for x, y in vertices:
        if line.whose == "mahdist":
            yield element("rect", x=x - 4, y=y - 4, width=8, height=8)
        else:
            yield element("circle", cx=x, cy=y, r=4)


def _x(place: int, many: int) -> int:
    return round(LEFT + (WIDE - LEFT - RIGHT) * place / max(1, many - 1))


def _y(value: float, top: int) -> int:
    return round(HIGH - FOOT - (HIGH - TOP - FOOT) * value / top)


# The debrief after the end: each side's beliefs, month by month, beside the truth.


CACHED_MONTHS = 256
"""The months whose beliefs are cached; a debrief reads all months of its campaign."""
CLOSED = "The debrief opens when the campaign is over: until then it would tell what is hidden."


class Belief(NamedTuple):
    """A side's knowledge of the enemy's stacks: counted, sighted, and remembered wrongly."""

    side: Side
    counted: int
    seen: int
    wrong: int
    there: int


class DebriefMonth(NamedTuple):
    """A month of the debrief, with the URLs of its three maps."""

    name: str
    slug: str
    url: str
    maps: tuple[str, str, str]
    beliefs: tuple[Belief, ...]


@require_safe
@never_cache
def latest_debrief(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = _open_to(request, slug)
    return _show(request, campaign, Month(campaign.month))


@require_safe
@never_cache
def debrief_of_month(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    campaign = _open_to(request, slug)
    return _show(request, campaign, month_in(campaign, month))


def _open_to(request: HttpRequest, slug: str) -> Campaign:
    """Return the campaign if its debrief is open to the user. Raises Http404."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    if not (campaign.finished or viewer is Onlooker.UMPIRE):
        raise Http404(CLOSED)
    return campaign


def _show(request: HttpRequest, campaign: Campaign, month: Month) -> HttpResponse:
    months = map(Month, range(campaign.first_month - 1, campaign.month + 1))
    key = fog_of_war.view_key(campaign, Onlooker.UMPIRE)
    rows = [_row(key, row_month) for row_month in months]
    place = month - campaign.first_month + 1
    context = {
        "campaign": campaign,
        "awards": list(_awards(selectors.state_now(campaign))),
        "rows": rows,
        "row": rows[place],
        "place": place,
        "earlier": rows[place - 1] if place else None,
        "later": rows[place + 1] if place + 1 < len(rows) else None,
        "sheet": printed_map.address(),
    }
    return render(request, "campaign/papers/debrief.html", context)


def _awards(state: State) -> Iterator[tuple[Side, str, int]]:
    """Yield what points were given for, in a campaign that they decide, as the position stands."""
    for condition in conditions(state, PointsCounted):
        for award in condition.award:
            yield award.side, describe_award(award), points_of(state, award)


def _row(key: fog_of_war.CampaignKey, month: Month) -> DebriefMonth:
    campaign = key.campaign
    slug = month_slug_of(campaign, month)
    viewers = (Side.EGYPTIAN, Onlooker.UMPIRE, Side.MAHDIST)
    west, middle, east = (map_address(campaign, month, viewer) for viewer in viewers)
    return DebriefMonth(
        name_of(campaign, month),
        slug,
        reverse("debrief-month", args=[campaign.slug, slug]),
        (west, middle, east),
        beliefs(key, month),
    )


@lru_cache(maxsize=CACHED_MONTHS)
def beliefs(view_key: fog_of_war.CampaignKey, month: Month) -> tuple[Belief, ...]:
    """Return both sides' beliefs at the end of the month of the campaign at its head."""
    campaign = view_key.campaign
    truth = selectors.state_at(campaign, month)
    return tuple(
        _belief(truth, fog_of_war.view_as_believed(campaign, month, side, truth), side)
        for side in Side
    )


def _belief(truth: State, view: View, side: Side) -> Belief:
    true_hexes = set(board(truth).hexes(side.enemy))
    known_hexes = set(board(view.state).hexes(side.enemy))
    remembered = {seen.hex for seen in view.markers}
    return Belief(
        side, len(known_hexes), len(view.sightings), len(remembered - true_hexes), len(true_hexes)
    )


# The dice page: anchors, seals and salts, and the recomputation of every die.


class DiceCheck(NamedTuple):
    """The proof of the dice, or an error."""

    proof: audit.DiceAudit | None
    wrong: str


@require_safe
def dice_page(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog_of_war.may_see_all(request.user, campaign)
    seals = journal_events.seals_of(campaign)
    return render(
        request,
        "campaign/papers/dice.html",
        {
            "campaign": campaign,
            "branches": campaign.branches.all(),
            "seals": [(month_name(seal.month), seal) for seal in seals],
            "hidden": hidden,
            "check": _recompute_dice(campaign)
            if "recompute" in request.GET and not hidden
            else None,
        },
    )


def _recompute_dice(campaign: Campaign) -> DiceCheck:
    """Recompute every die of the closed months."""
    try:
        return DiceCheck(audit.verify_dice(campaign), "")
    except journal.Damaged as damaged:
        return DiceCheck(None, str(damaged))


# The statistics page: curves over the months, each beside its table.


Value = int | None


class FigureRow(NamedTuple):
    """A row of the table, for one month."""

    name: str
    values: tuple[Value, ...]


class MonthlyFigure(NamedTuple):
    """A statistic with its drawing and its table."""

    slug: str
    title: str
    about: str
    drawing: SafeString
    heads: tuple[str, ...]
    rows: tuple[FigureRow, ...]


@require_safe
@never_cache
def statistics_page(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    figures = list(month_reports.monthly_figures(campaign, viewer))
    context = {
        "campaign": campaign,
        "figures": _figures(figures),
        "hidden": not fog_of_war.sees_all(campaign, viewer),
    }
    return render(request, "campaign/papers/statistics.html", context)


def _figures(months: list[MonthFigures]) -> list[MonthlyFigure]:
    by_side = [
        ("strength", "Strength", "Strength points on the map at the end of the month.", "strength"),
        ("losses", "Losses", "Units lost in the month, in battle and by hardship.", "lost"),
        ("territory", "Territory", "Towns, villages and oases held at its end.", "places"),
    ]
    side_figures = [_of_sides(months, *about) for about in by_side]
    return [*side_figures, _sieges(months)]


def _of_sides(
    months: list[MonthFigures], slug: str, title: str, about: str, name: str
) -> MonthlyFigure:
    lines = [
        Curve(
            side.value.title(),
            side.value,
            tuple(getattr(month_figures, name)[side] for month_figures in months),
        )
        for side in Side
    ]
    return _figure(months, slug, title, about, lines)


def _sieges(months: list[MonthFigures]) -> MonthlyFigure:
    now = tuple(month_figures.besieged for month_figures in months)
    all_told = tuple(accumulate(value or 0 for value in now)) if None not in now else now
    lines = [Curve("Towns", "egyptian", now), Curve("Siege months", "neither", all_told)]
    about = "Towns under siege at the end of the month, and the months of siege all told."
    return _figure(months, "sieges", "Siege months", about, lines)


def _figure(
    months: list[MonthFigures], slug: str, title: str, about: str, lines: list[Curve]
) -> MonthlyFigure:
    drawn = curves(
        f"{title}, month by month", [month_figures.month for month_figures in months], lines
    )
    rows = [
        FigureRow(month_name(month_figures.month), tuple(line.values[place] for line in lines))
        for place, month_figures in enumerate(months)
    ]
    heads = tuple(line.name for line in lines)
    return MonthlyFigure(slug, title, about, mark_safe(drawn), heads, tuple(rows))  # noqa: S308
