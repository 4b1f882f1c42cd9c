"""A month's pages: its gazettes, to read or to print, and its film with a picture to share."""

from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, month_reports, selectors
from campaign.access.month_reports import FilmMove, FilmScene, MonthFilm, month_film
from campaign.cartography import NoLettering, above, png, with_arrows
from campaign.gazette.newspapers import NEWSPAPERS, Newspaper
from campaign.models import Campaign
from campaign.rules.core.board import chart
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import Phase
from campaign.rules.map import map_in_play
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import PHASES, CampaignPage, month_in, month_slug_of, page_of

UNREAD = "No such paper has come out for you."


class IssueCopy(NamedTuple):
    """A published issue with its URL."""

    edition: Newspaper
    url: str


class MonthIssues(NamedTuple):
    """The issues of a month."""

    name: str
    copies: tuple[IssueCopy, ...]


@require_safe
@never_cache
def paper_index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every issue published for the viewer, the newest month first."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    out = groupby(month_reports.gazette_issues(campaign, viewer), key=lambda issue: issue.month)
    shelves = [
        MonthIssues(month_name(Month(month)), tuple(_copy(campaign, issue) for issue in numbers))
        for month, numbers in out
    ]
    return render(
        request, "campaign/papers/gazettes.html", {"campaign": campaign, "shelves": shelves}
    )


def _copy(campaign: Campaign, number: month_reports.GazetteIssue) -> IssueCopy:
    month = month_slug_of(campaign, Month(number.month))
    url = reverse("paper", args=[campaign.slug, month, number.edition.whose.value])
    return IssueCopy(number.edition, url)


def map_address(campaign: Campaign, month: int, reader: Viewer) -> str:
    """Return the URL of the map in the paper for those readers."""
    return _drawing("paper-map", CampaignPage(campaign, Month(month), reader), reader.value)


@require_safe
@never_cache
def paper(request: HttpRequest, slug: str, month: str, whose: str) -> HttpResponse:
    """Show an issue. Raises Http404 if it is not published for the viewer."""
    campaign = selectors.campaign_for(request.user, slug)
    when, reader = month_in(campaign, month), _reader(whose)
    if reader not in month_reports.papers(
        campaign, fog_of_war.viewer_of(request.user, campaign), when
    ):
        raise Http404(UNREAD)
    context = {
        "campaign": campaign,
        "paper": month_reports.gazette_issue(campaign, when, reader),
        "map": map_address(campaign, when, reader),
        "sheet": printed_map.address(),
        "view": month_reports.month_as_reported(campaign, when, reader),
    }
    return render(request, "campaign/papers/gazette.html", context)


@require_safe
@cache_control(private=True, max_age=60)
def paper_picture(request: HttpRequest, slug: str, month: str, whose: str) -> HttpResponse:
    """Return the map at the month's end as that paper's readers believed it to be.

    The umpire's map is the true one, for viewers who may see everything.
    """
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    when, reader = month_in(campaign, month), _reader(whose)
    allowed = month_reports.papers(campaign, viewer, when)
    if reader not in allowed and not fog_of_war.sees_all(campaign, viewer):
        raise Http404(UNREAD)
    view = month_reports.month_as_reported(campaign, when, reader)
    drawing = above(chart(view.state), view.state, (*view.sightings, *view.markers))
    return HttpResponse(
        drawing,
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": printed_map.POLICY},
    )


def _reader(name: str) -> Viewer:
    readers: dict[str, Viewer] = {reader.value: reader for reader in (*Side, *Onlooker)}
    if name not in readers:
        papers = ", ".join(edition.whose.value for edition in NEWSPAPERS.values())
        raise Http404(f"There is no paper {name!r}; there are {papers}.")
    return readers[name]


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
            "opening": _drawing("film-scene", chart, 0),
            "scenes": [
                {name: scene[name] for name in ("title", "url", "moves")} for scene in scenes
            ],
        },
        "picture": _drawing("film-picture", chart),
        "link": request.build_absolute_uri(reverse("film", args=address)),
    }
    return render(request, "campaign/papers/film.html", context)


def _drawing(name: str, chart: CampaignPage, *which: int | str) -> str:
    """Return the URL of a drawing of the month as it stands.

    A browser keeps the drawing for a while; another action or a rewind gives it another URL.
    """
    url = reverse(name, args=[chart.campaign.slug, chart.slug, *which])
    return f"{url}?as={sha256(chart.key.encode()).hexdigest()[:12]}"


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
        "url": _drawing("film-scene", chart, number),
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
def film_picture(request: HttpRequest, slug: str, month: str) -> HttpResponse:
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
