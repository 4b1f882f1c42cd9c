"""A month as a film: its page, the position after each scene, and a picture to share."""

from typing import Any

import msgspec
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from campaign.access.month_reports import FilmMove, FilmScene, MonthFilm, month_film
from campaign.cartography import NoLettering, above, png, with_arrows
from campaign.rules.core.state import Phase
from campaign.rules.map import map_in_play
from campaign.rules.sight import View
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import PHASES, CampaignPage, page_of

LONGEST = 60  # seconds
WIDTH = 1000  # pixels of the picture
PICTURE_SECONDS = 3600
"""The seconds for which a picture is cached."""
NO_PICTURE = "There is no picture: this machine has no font to letter the map with."


@require_safe
@never_cache
def film(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Show the film of a month; without scripts its scenes as stills."""
    chart = page_of(request, slug, month)
    shown = month_film(chart.campaign, chart.month, chart.viewer)
    scenes = [_scene(chart, number, scene) for number, scene in enumerate(shown.scenes, start=1)]
    address = [chart.campaign.slug, chart.slug]
    context = {
        "campaign": chart.campaign,
        "chart": chart,
        "opening": _opening_page(chart, shown),
        "sheet": printed_map.address(),
        "scenes": scenes,
        "data": {
            "seconds": LONGEST,
            "opening": reverse("film-scene", args=[*address, 0]),
            "scenes": [
                {name: scene[name] for name in ("title", "url", "moves")} for scene in scenes
            ],
        },
        "picture": reverse("film-picture", args=address),
        "link": request.build_absolute_uri(reverse("film", args=address)),
    }
    return render(request, "campaign/papers/film.html", context)


def _opening_page(chart: CampaignPage, shown: MonthFilm) -> CampaignPage:
    """Return the page whose drawing is the map as the month began."""
    opening = CampaignPage(chart.campaign, chart.month, chart.viewer)
    opening.view = _opening_view(chart, shown)
    return opening


def _opening_view(chart: CampaignPage, shown: MonthFilm) -> View:
    """Return the position as the month began, on a map with the month's own title."""
    state = msgspec.structs.replace(shown.opening.state, month=chart.month)
    return msgspec.structs.replace(shown.opening, state=state)


def _scene(chart: CampaignPage, number: int, scene: FilmScene) -> dict[str, Any]:
    turn = "" if scene.phase in (Phase.SET_UP, Phase.OVER) else f"{scene.side.title()} turn: "
    title = PHASES[scene.phase]
    return {
        "number": number,
        "title": f"{turn}{title.lower()}" if turn else title,
        "side": scene.side.value,
        "url": reverse("film-scene", args=[chart.campaign.slug, chart.slug, number]),
        "moves": [_move(move) for move in scene.moves],
        "news": scene.news,
    }


def _move(move: FilmMove) -> dict[str, Any]:
    return {"side": move.side.value, "path": [f"{hex_id:04d}" for hex_id in move.path]}


@require_safe
@cache_control(private=True, max_age=60)
def scene(request: HttpRequest, slug: str, month: str, number: int) -> HttpResponse:
    """Return the counters after a scene as a drawing; 0 is the beginning of the month."""
    chart = page_of(request, slug, month)
    shown = month_film(chart.campaign, chart.month, chart.viewer)
    if number > len(shown.scenes):
        raise Http404(f"The film of {chart.name} has {len(shown.scenes)} scenes.")
    view = shown.scenes[number - 1].view if number else _opening_view(chart, shown)
    return HttpResponse(
        above(map_in_play(), view.state, _visible_parts(view)),
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": printed_map.POLICY},
    )


@require_safe
@cache_control(private=True, max_age=60)
def picture(request: HttpRequest, slug: str, month: str) -> HttpResponse:
    """Return the map at the end of the month with an arrow for every move, as a PNG."""
    chart = page_of(request, slug, month)
    key = f"film:{chart.key}"
    cache = caches["template_fragments"]
    drawn: bytes | None = cache.get(key)
    if drawn is None:
        shown = month_film(chart.campaign, chart.month, chart.viewer)
        ways = list(dict.fromkeys((move.side, move.path) for move in shown.moves))
        try:
            drawn = png(
                with_arrows(map_in_play(), shown.last.state, ways, _visible_parts(shown.last)),
                WIDTH,
            )
        except NoLettering as error:
            raise Http404(NO_PICTURE) from error
        cache.set(key, drawn, PICTURE_SECONDS)
    return HttpResponse(
        drawn,
        content_type="image/png",
        headers={"Content-Disposition": f'inline; filename="{slug}-{chart.slug}.png"'},
    )


def _visible_parts(view: View) -> tuple[Any, ...]:
    return (*view.sightings, *view.markers)
