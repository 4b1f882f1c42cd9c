"""The statistics page: curves over the months, each beside its table."""

from itertools import accumulate
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors, statistics
from campaign.access.statistics import MonthFigures
from campaign.cartography.line_charts import Curve, curves
from campaign.rules.core.pieces import month_name

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
def figures(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    counted = list(statistics.figures(campaign, viewer))
    context = {
        "campaign": campaign,
        "figures": _figures(counted),
        "hidden": not fog_of_war.sees_all(campaign, viewer),
    }
    return render(request, "campaign/papers/statistics.html", context)


def _figures(counted: list[MonthFigures]) -> list[MonthlyFigure]:
    by_side = [
        ("strength", "Strength", "Strength points on the map at the end of the month.", "strength"),
        ("losses", "Losses", "Units lost in the month, in battle and by hardship.", "lost"),
        ("territory", "Territory", "Towns, villages and oases held at its end.", "places"),
    ]
    found = [_of_sides(counted, *about) for about in by_side]
    return [*found, _sieges(counted)]


def _of_sides(
    counted: list[MonthFigures], slug: str, title: str, about: str, name: str
) -> MonthlyFigure:
    lines = [
        Curve(side.value.title(), side.value, tuple(getattr(one, name)[side] for one in counted))
        for side in Side
    ]
    return _figure(counted, slug, title, about, lines)


def _sieges(counted: list[MonthFigures]) -> MonthlyFigure:
    now = tuple(one.besieged for one in counted)
    all_told = tuple(accumulate(value or 0 for value in now)) if None not in now else now
    lines = [Curve("Towns", "egyptian", now), Curve("Siege months", "neither", all_told)]
    about = "Towns under siege at the end of the month, and the months of siege all told."
    return _figure(counted, "sieges", "Siege months", about, lines)


def _figure(
    counted: list[MonthFigures], slug: str, title: str, about: str, lines: list[Curve]
) -> MonthlyFigure:
    drawn = curves(f"{title}, month by month", [one.month for one in counted], lines)
    rows = [
        FigureRow(month_name(one.month), tuple(line.values[place] for line in lines))
        for place, one in enumerate(counted)
    ]
    heads = tuple(line.name for line in lines)
    return MonthlyFigure(slug, title, about, mark_safe(drawn), heads, tuple(rows))  # noqa: S308
