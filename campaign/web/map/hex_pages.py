"""The panel of a hex on the map page, and the walk over the map in words.

A hex in words is its ground, its neighbours, and the lines through it.
"""

import re
from collections.abc import Iterator, Sequence
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
from campaign.rules import sight
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.state import State
from campaign.rules.map import Hex, HexId, MapError, map_in_play
from campaign.rules.march.reach import barrier_costs, exits
from campaign.rules.prose.names import bearing_in_words, describe_hex
from campaign.rules.railways import railway_hexes
from campaign.rules.sight import View
from campaign.services.errors import UnfitRequest
from campaign.web.map.campaign_page import CampaignPage, address, page_of, show
from campaign.web.map.hex_report import (
    bar_of,
    ground_in_words,
    hex_report,
    navigation_in_words,
    plain_cost,
)
from campaign.web.map.situation import EnemyStack, OwnStack, enemies, ours, seen_in

BARRED = "barred by a siege, a gunboat or the scenario"


class GroundDescription(NamedTuple):
    """The ground of a hex in sentences, and its holder."""

    sentences: tuple[str, ...]
    holder: Side | None


class Neighbour(NamedTuple):
    """A neighbouring hex: its bearing and ground, and the cost or the bar of the way."""

    bearing: str
    direction: str
    hex: HexId
    place: str
    ground: str
    cost: int | None
    bar: str
    over: str
    along: str


class HexLine(NamedTuple):
    """A river, railway or road through the hex, with the next hexes along it."""

    title: str
    about: str
    on: tuple[tuple[str, HexId, str], ...]


def ground_of(state: State, hex_id: HexId) -> GroundDescription:
    """Return sentences about the ground of a hex."""
    field, ground_ = chart(state).hexes[hex_id], chart(state)
    sentences = [_ground(state, field)]
    if field.place:
        kind = ground_.places[field.place].kind
        sentences.append(f"{field.place} is {'an' if kind == 'oasis' else 'a'} {kind}.")
    if field.places[1:]:
        sentences.append(f"Also here: {', '.join(field.places[1:])}.")
    regions = [title for key, title in ground_.regions.items() if key in field.regions]
    if regions:
        sentences.append(f"It lies in {' and '.join(regions)}.")
    return GroundDescription(tuple(sentences), state.control.get(hex_id))


def _ground(state: State, field: Hex) -> str:
    words = ground_in_words(field)
    if field.sea:
        return "Sea."
    if field.closed:
        return f"{words.capitalize()}, closed to play."
    cost = laws(state).entry_cost(field.relief)
    return f"{words.capitalize()}: {cost} movement point{'s' * (cost > 1)} to enter."


def exits_of(state: State, side: Side | None, hex_id: HexId) -> list[Neighbour]:
    """Return the neighbours clockwise from the north, with bars as that side knows them."""
    ground_ = chart(state)
    open_to = dict(exits(barrier_costs(state, side), hex_id)) if side else {}
    return [
        _step(state, side, (hex_id, near), open_to.get(near)) for near in ground_.neighbours[hex_id]
    ]


def _step(state: State, side: Side | None, way: tuple[HexId, HexId], cost: int | None) -> Neighbour:
    origin, target = way
    ground_ = chart(state)
    field, river = ground_.hexes[target], ground_.sides.get(way)
    bearing = ground_.bearing(origin, target)
    return Neighbour(
        bearing,
        bearing_in_words(bearing),
        target,
        describe_hex(target),
        ground_in_words(field),
        cost if side else plain_cost(state, field, over_river=river is not None),
        bar_of(state, field, side, open_=cost is not None, fallback=BARRED),
        ground_.rivers[river.river].title if river else "",
        ", ".join(title for title, hexes in _tracks(state) if _next_to(hexes, origin, target)),
    )


def _tracks(state: State) -> Iterator[tuple[str, Sequence[HexId]]]:
    for track in chart(state).tracks.values():
        yield f"the railway {track.title}", track.hexes
    for road in chart(state).roads.values():
        yield f"the caravan road {road.title}", road.hexes


def _next_to(hexes: Sequence[HexId], first: HexId, other: HexId) -> bool:
    """Return whether the two hexes are adjacent on the line."""
    places = {hex_id: place for place, hex_id in enumerate(hexes)}
    return first in places and other in places and abs(places[first] - places[other]) == 1


def lines_through(state: State, hex_id: HexId) -> list[HexLine]:
    """Return the rivers, railways and roads through the hex, with the next hexes."""
    return [*_rivers(state, hex_id), *_railways(state, hex_id), *_roads(state, hex_id)]


def _rivers(state: State, hex_id: HexId) -> Iterator[HexLine]:
    ground_ = chart(state)
    words = {-1: "upstream", 1: "downstream", 0: "to the other bank"}
    for river in ground_.river_at(hex_id):
        about = navigation_in_words(state, hex_id, river)
        cataract = ground_.cataract_at(hex_id)
        moves = [move for move in ground_.river_moves.get(hex_id, ()) if move.river == river]
        on = [(words[move.direction], move.to, describe_hex(move.to)) for move in moves]
        title = f"the {ground_.rivers[river].title}"
        yield HexLine(title, f"{about}; {cataract}" if cataract else about, tuple(sorted(on)))


def _railways(state: State, hex_id: HexId) -> Iterator[HexLine]:
    runs = railway_hexes(state)
    for track in chart(state).tracks.values():
        if hex_id in track.hexes:
            about = "open to trains" if hex_id in runs else "surveyed, not built"
            yield HexLine(f"the railway {track.title}", about, _along(track.hexes, hex_id))


def _roads(state: State, hex_id: HexId) -> Iterator[HexLine]:
    for road in chart(state).roads.values():
        if hex_id in road.hexes:
            yield HexLine(f"the caravan road {road.title}", "", _along(road.hexes, hex_id))


def _along(hexes: Sequence[HexId], hex_id: HexId) -> tuple[tuple[str, HexId, str], ...]:
    """Return the next hexes of a line in both directions, with the ends they lead to."""
    place = hexes.index(hex_id)
    directions = []
    if place:
        directions.append(
            (f"towards {describe_hex(hexes[0])}", hexes[place - 1], describe_hex(hexes[place - 1]))
        )
    if place + 1 < len(hexes):
        directions.append(
            (f"towards {describe_hex(hexes[-1])}", hexes[place + 1], describe_hex(hexes[place + 1]))
        )
    return tuple(directions)


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
    return {"chart": page, "campaign": page.campaign, "report": hex_report(page.view, hex_id)}


@require_safe
def find_hex(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Go to the hex of a place, by its name or number."""
    page = page_of(request, slug, month)
    text = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(text)
    except UnfitRequest as unknown:
        messages.error(request, str(unknown))
        back = address(page.campaign, page.month)
        return redirect(f"{back}?{urlencode({'place': text[:MOST_TYPED]})}")
    return redirect("hex", slug, month, f"{hex_id:04d}")


def hex_named(text: str) -> HexId:
    """Return the hex of a place's name or a printed number.

    Raises UnfitRequest, naming the places that the user may mean.
    """
    name = text.strip()
    if not name:
        raise UnfitRequest(f"No place is given. {WRITE}")
    try:
        return hex_in(name) if name.isdigit() else map_in_play().place(name[:MOST_TYPED]).hex
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
    view = fog_of_war.view_for(request.user, campaign)
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


def _towns(view: View) -> list[tuple[HexId, str, Side | None]]:
    """Return the named places from north to south, with their known holders."""
    places = [place for place in chart(view.state).places_in_play if place.in_rules]
    northern = sorted(places, key=lambda place: (-place.lat, place.name))
    return [(place.hex, place.name, view.state.control.get(place.hex)) for place in northern]


@require_safe
@never_cache
def walk_page(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """Show a hex; only a fragment for the script that walks on without reloading."""
    campaign = selectors.campaign_for(request.user, slug)
    view = fog_of_war.view_for(request.user, campaign)
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
        [stack for side in Side for stack in ours(view.state, side) if stack.hex == hex_id],
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
    text = request.GET.get("place", "").strip()
    try:
        hex_id = hex_named(text)
    except UnfitRequest as unknown:
        messages.error(request, str(unknown))
        back = reverse("walk", args=[campaign.slug])
        return redirect(f"{back}?{urlencode({'place': text[:MOST_TYPED]})}")
    return redirect("walk-hex", slug, f"{hex_id:04d}")
