"""The map without the picture: a hex in words, and the ways on from it, hex by hex."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.contract.troops import Side
from campaign import fog, selectors
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core.board import board
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.names import describe_hex
from campaign.rules.sight import View
from campaign.services.errors import Unfit
from campaign.views.hexes import MOST_TYPED, hex_in, hex_named
from campaign.views.muster import Enemy, Ours, enemies, ours, seen_in
from campaign.views.wayfaring import Ground, Line, Step, ground, lines, steps

KEYS = {"N": "w", "NE": "e", "SE": "d", "S": "s", "SW": "a", "NW": "q"}


class Door(NamedTuple):
    """A way on, and the key that takes it."""

    step: Step
    key: str


class Look(NamedTuple):
    """A hex as the visitor may know it."""

    hex: HexId
    title: str
    ground: Ground
    doors: list[Door]
    lines: list[Line]
    ours: list[Ours]
    enemy: list[Enemy]


@require_safe
@never_cache
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    """The stacks as tables, from each of which one can set out."""
    campaign = selectors.campaign_for(request.user, slug)
    view = view_for(request, campaign)
    sides = [side for side in Side if side == view.viewer or not view.fogged]
    context = {
        "campaign": campaign,
        "waits": fog.waiting_for(campaign, view.viewer),
        "armies": [(side, ours(view.state, side)) for side in sides],
        "seen": enemies(view),
        "towns": _towns(view),
        "fogged": view.fogged,
        "side": view.viewer if isinstance(view.viewer, Side) else None,
    }
    return render(request, "campaign/walk/begin.html", context)


def view_for(request: HttpRequest, campaign: Campaign) -> View:
    """The campaign as the visitor may see it now."""
    return fog.view_now(campaign, fog.viewer_of(request.user, campaign))


def _towns(view: View) -> list[tuple[HexId, str, Side | None]]:
    """The places of the rules from north to south, and who is known to hold them."""
    known = [place for place in sudan().places.values() if place.in_rules]
    northern = sorted(known, key=lambda place: -place.lat)
    return [(place.hex, place.name, view.state.control.get(place.hex)) for place in northern]


@require_safe
@never_cache
def at(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """One hex; a fragment for the script that walks on without loading the page anew."""
    campaign = selectors.campaign_for(request.user, slug)
    view = view_for(request, campaign)
    context = {"campaign": campaign, "look": look(view, hex_in(number)), "side": _side(view)}
    name = "_hex" if "HX-Request" in request.headers else "hex"
    return render(request, f"campaign/walk/{name}.html", context)


def _side(view: View) -> Side | None:
    return view.viewer if isinstance(view.viewer, Side) else None


def look(view: View, hex_id: HexId) -> Look:
    """What there is to say of the hex to this viewer."""
    state = sight.supposed_state(view)
    side = _side(view) or _standing(view, hex_id)
    return Look(
        hex_id,
        describe_hex(hex_id),
        ground(state, hex_id),
        [Door(step, KEYS.get(step.bearing, "")) for step in steps(state, side, hex_id)],
        lines(state, hex_id),
        [one for side in Side for one in ours(view.state, side) if one.hex == hex_id],
        seen_in(view, hex_id),
    )


def _standing(view: View, hex_id: HexId) -> Side | None:
    """For whoever is of no side, the side that stands here."""
    return next((side for side in Side if board(view.state).stack(side, hex_id)), None)


@require_safe
@never_cache
def find(request: HttpRequest, slug: str) -> HttpResponse:
    """Set out from a place, by its name or number."""
    campaign = selectors.campaign_for(request.user, slug)
    wanted = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(wanted)
    except Unfit as unknown:
        messages.error(request, str(unknown))
        back = reverse("walk", args=[campaign.slug])
        return redirect(f"{back}?{urlencode({'place': wanted[:MOST_TYPED]})}")
    return redirect("walk-hex", slug, f"{hex_id:04d}")
