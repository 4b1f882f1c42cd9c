"""The panel of a hex on the map page, and the walk over the map in words.

The panel is a fragment for htmx, and a whole page without scripts.
"""

import re
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core.board import board, chart
from campaign.rules.map import HexId, MapError, map_in_play
from campaign.rules.prose.names import describe_hex
from campaign.rules.sight import View
from campaign.services.errors import UnfitRequest
from campaign.web.map.campaign_page import CampaignPage, address, page_of, show
from campaign.web.map.hex_in_words import (
    GroundDescription,
    HexLine,
    Neighbour,
    exits_of,
    ground_of,
    lines_through,
)
from campaign.web.map.hex_report import hex_report
from campaign.web.map.situation import EnemyStack, OwnStack, enemies, ours, seen_in

WRITE = "Write a place, or the four figures of a hex."
MOST_TYPED = 60
"""Characters of a place's name that are looked up."""


@require_safe
@vary_on_headers("HX-Request")
def hex_page(request: HttpRequest, slug: str, month: str, number: str) -> HttpResponse:
    page = page_of(request, slug, month)
    hex_id = hex_in(number)
    if "HX-Request" not in request.headers:
        return show(request, page, hex_id)
    return render(request, "campaign/_hex.html", panel(page, hex_id))


def panel(page: CampaignPage, hex_id: HexId) -> dict[str, object]:
    """Return the context of the panel's template."""
    return {
        "chart": page,
        "campaign": page.campaign,
        "report": hex_report(page.view, hex_id),
    }


@require_safe
def find_hex(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Go to the hex of a place, by its name or number."""
    page = page_of(request, slug, month)
    wanted = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(wanted)
    except UnfitRequest as unknown:
        messages.error(request, str(unknown))
        back = address(page.campaign, page.month)
        return redirect(f"{back}?{urlencode({'place': wanted[:MOST_TYPED]})}")
    return redirect("hex", slug, month, f"{hex_id:04d}")


def hex_named(text: str) -> HexId:
    """Return the hex of a place's name or a printed number.

    Raises UnfitRequest, naming the places that the user may mean.
    """
    wanted = text.strip()
    if not wanted:
        raise UnfitRequest(f"No place is given. {WRITE}")
    try:
        return hex_in(wanted) if wanted.isdigit() else map_in_play().place(wanted[:MOST_TYPED]).hex
    except (MapError, Http404) as unknown:
        raise UnfitRequest(f"{unknown} {WRITE}") from unknown


def hex_in(number: str) -> HexId:
    """Return the hex of a printed number. Raises Http404."""
    if not re.fullmatch(r"\d{4}", number):
        raise Http404(
            f"“{number}” is no hex: hexes are numbered by four figures, column then row, "
            "such as 2042."
        )
    hex_id = HexId(int(number))
    if hex_id not in map_in_play().hexes:
        raise Http404(f"There is no hex {number} on this map.")
    return hex_id


# The keys are on the keyboard where the neighbours are on the map.
KEYS = {"N": "w", "NE": "e", "SE": "d", "S": "s", "SW": "a", "NW": "q"}


class WalkExit(NamedTuple):
    """A neighbour, and the key that leads there."""

    step: Neighbour
    key: str


class WalkHex(NamedTuple):
    """A hex as the viewer may know it."""

    hex: HexId
    title: str
    ground: GroundDescription
    doors: list[WalkExit]
    lines: list[HexLine]
    ours: list[OwnStack]
    enemy: list[EnemyStack]


@require_safe
@never_cache
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the stacks and towns as tables, with links into the walk."""
    campaign = selectors.campaign_for(request.user, slug)
    view = view_for(request, campaign)
    sides = [side for side in Side if side == view.viewer or not view.fogged]
    context = {
        "campaign": campaign,
        "waits": fog_of_war.waiting_for(campaign, view.viewer),
        "armies": [(side, ours(view.state, side)) for side in sides],
        "seen": enemies(view),
        "towns": _towns(view),
        "fogged": view.fogged,
        "side": view.viewer if isinstance(view.viewer, Side) else None,
    }
    return render(request, "campaign/walk/begin.html", context)


def view_for(request: HttpRequest, campaign: Campaign) -> View:
    """Return the campaign as the user may see it now."""
    return fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))


def _towns(view: View) -> list[tuple[HexId, str, Side | None]]:
    """Return the named places from north to south, with their known holders."""
    known = [place for place in chart(view.state).places_in_play if place.in_rules]
    northern = sorted(known, key=lambda place: (-place.lat, place.name))
    return [(place.hex, place.name, view.state.control.get(place.hex)) for place in northern]


@require_safe
@never_cache
def walk_page(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """Show a hex; only a fragment for the script that walks on without reloading."""
    campaign = selectors.campaign_for(request.user, slug)
    view = view_for(request, campaign)
    context = {"campaign": campaign, "look": walk_hex(view, hex_in(number)), "side": _side(view)}
    name = "_hex" if "HX-Request" in request.headers else "hex"
    return render(request, f"campaign/walk/{name}.html", context)


def _side(view: View) -> Side | None:
    return view.viewer if isinstance(view.viewer, Side) else None


def walk_hex(view: View, hex_id: HexId) -> WalkHex:
    """Return the hex as the viewer may know it."""
    state = sight.supposed_state(view)
    side = _side(view) or _side_in_hex(view, hex_id)
    return WalkHex(
        hex_id,
        describe_hex(hex_id),
        ground_of(state, hex_id),
        [WalkExit(step, KEYS.get(step.bearing, "")) for step in exits_of(state, side, hex_id)],
        lines_through(state, hex_id),
        [one for side in Side for one in ours(view.state, side) if one.hex == hex_id],
        seen_in(view, hex_id),
    )


def _side_in_hex(view: View, hex_id: HexId) -> Side | None:
    """Return the side of a stack in the hex, for viewers without a side."""
    return next((side for side in Side if board(view.state).stack(side, hex_id)), None)


@require_safe
@never_cache
def find_on_walk(request: HttpRequest, slug: str) -> HttpResponse:
    """Set out from a place, by its name or number."""
    campaign = selectors.campaign_for(request.user, slug)
    wanted = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(wanted)
    except UnfitRequest as unknown:
        messages.error(request, str(unknown))
        back = reverse("walk", args=[campaign.slug])
        return redirect(f"{back}?{urlencode({'place': wanted[:MOST_TYPED]})}")
    return redirect("walk-hex", slug, f"{hex_id:04d}")
