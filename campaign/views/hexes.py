"""The panel of a hex: a fragment for the page that shows the map, a whole page without scripts."""

import re
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from campaign.rules.map import HexId, MapError, sudan
from campaign.services.errors import Unfit
from campaign.views.chart import Chart, address, chart_of, show
from campaign.views.hex_report import hex_report

WRITE = "Write a place, or the four figures of a hex."
MOST_TYPED = 60
"""Letters of a place's name that are looked at."""


@require_safe
@vary_on_headers("HX-Request")
def hex_page(request: HttpRequest, slug: str, month: str, number: str) -> HttpResponse:
    chart = chart_of(request, slug, month)
    hex_id = hex_in(number)
    if "HX-Request" not in request.headers:
        return show(request, chart, hex_id)
    return render(request, "campaign/_hex.html", panel(chart, hex_id))


def panel(chart: Chart, hex_id: HexId) -> dict[str, object]:
    """What the template of the panel wants."""
    return {
        "chart": chart,
        "campaign": chart.campaign,
        "report": hex_report(chart.view, hex_id),
    }


@require_safe
def find(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Go to the hex of a place, by its name or number."""
    chart = chart_of(request, slug, month)
    wanted = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(wanted)
    except Unfit as unknown:
        messages.error(request, str(unknown))
        back = address(chart.campaign, chart.month)
        return redirect(f"{back}?{urlencode({'place': wanted[:MOST_TYPED]})}")
    return redirect("hex", slug, month, f"{hex_id:04d}")


def hex_named(text: str) -> HexId:
    """Return the hex of a place's name or a printed number.

    Unfit, naming the places that may be meant, when there is none.
    """
    wanted = text.strip()
    if not wanted:
        raise Unfit(f"No place is given. {WRITE}")
    try:
        return hex_in(wanted) if wanted.isdigit() else sudan().place(wanted[:MOST_TYPED]).hex
    except (MapError, Http404) as unknown:
        raise Unfit(f"{unknown} {WRITE}") from unknown


def hex_in(number: str) -> HexId:
    """The hex of a printed number. Http404, saying what is wrong, when there is none."""
    if not re.fullmatch(r"\d{4}", number):
        raise Http404(
            f"“{number}” is no hex: hexes are numbered by four figures, column then row, "
            "such as 2042."
        )
    hex_id = HexId(int(number))
    if hex_id not in sudan().hexes:
        raise Http404(f"There is no hex {number} on this map.")
    return hex_id
