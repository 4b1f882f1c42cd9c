"""The months of a campaign with state, map and despatches, and the maps by name or digest."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from api.documents.events import DespatchesDocument, despatch_part
from api.documents.geojson import MapFeatures, StateFeatures, TimelineFeatures, atlas, over_time
from api.documents.maps import MapDocument, MapLine, map_document, map_line
from api.documents.state import (
    SET_UP,
    MonthDocument,
    MonthLinks,
    StateContext,
    StateDocument,
    month_addresses,
    month_document,
    state_document,
)
from api.http.encoding import JSON, GeoJSON
from api.http.endpoint import (
    Listed,
    OpenEndpoint,
    PublicEndpoint,
    ReadyEndpoint,
    operation,
    reader_of,
)
from api.http.problems import Problem
from api.http.responses import (
    ASK_AGAIN,
    ASK_AGAIN_ALONE,
    FOR_EVER,
    CacheKey,
    EncodedDocument,
    document_at,
    respond,
    shelf,
)
from api.resources.rulebooks import is_for_everybody, set_of_query
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_from_text, month_name, month_slug
from campaign.rules.map import Map, is_printed, sudan
from campaign.rules.map.geojson import features
from campaign.rules.sight import Onlooker, Viewer
from campaign.rules.tables.scenario_loader import UnknownScenario

# The months of a campaign: state, map and despatches at the end of each, and at present.


CURRENT = "current"
"""The month that is being played, in addresses."""


@dataclass(frozen=True)
class Page:
    """A campaign at its head, the month requested, and the viewer."""

    campaign: Campaign
    month: int
    viewer: Viewer

    def place(self, kind: str) -> CacheKey:
        """Return the cache key of that document; viewers who see everything share one."""
        return CacheKey(kind, self.campaign.version, self.month, self.viewer)

    @property
    def current(self) -> bool:
        return self.month == self.campaign.month

    @property
    def slug(self) -> str:
        """Return the month as addresses write it."""
        return SET_UP if self._is_set_up else month_slug(Month(self.month))

    @property
    def name(self) -> str:
        """Return the month in words."""
        return "Set-up" if self._is_set_up else month_name(Month(self.month))

    @property
    def _is_set_up(self) -> bool:
        return self.month < self.campaign.first_month


class Months(OpenEndpoint):
    """The months of a campaign."""

    @operation(Listed[MonthDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the set-up and the months of a campaign so far, the oldest first."""
        campaign = selectors.campaign_for(request.user, slug)
        sees_all = fog_of_war.may_see_all(request.user, campaign)
        lines = selectors.months(campaign)
        return self.answer_list(month_document(slug, line, counted=sees_all) for line in lines)


class MonthPage(ReadyEndpoint):
    """A document about a month of a campaign.

    Requests are counted against the caller's limit unless the document is in memory:
    sending that costs less than counting does.
    """

    kind: ClassVar[str]
    answers: ClassVar[Any]

    @staticmethod
    @abstractmethod
    def document(page: Page) -> object:
        """Return the document; it is encoded once for each version of the campaign."""

    def ready(self, request: HttpRequest, **kwargs: str) -> tuple[EncodedDocument, str] | None:
        user = reader_of(request)
        document = self._in_memory(user, **kwargs) if user is not None else None
        return (document, ASK_AGAIN_ALONE) if document else None

    @operation()
    def get(self, request: Request, slug: str, month: str = CURRENT) -> HttpResponse:
        try:
            document = self._in_memory(request.user, slug, month)
        except (selectors.NotVisible, Problem):
            document = None
        if document is None:
            super().check_throttles(request)
            campaign = selectors.campaign_for(request.user, slug)
            page = page_of(campaign, month, fog_of_war.viewer_of(request.user, campaign))
            document = self.published(page)
        return respond(request, document, ASK_AGAIN_ALONE)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: `get` counts the requests that memory cannot answer."""

    def _in_memory(
        self, user: selectors.Anybody, slug: str, month: str = CURRENT
    ) -> EncodedDocument | None:
        """Return the document if it is in memory. Raises NotVisible if the user may not see it."""
        return shelf.get(_place(self.kind, selectors.version_for(user, slug), month))

    @classmethod
    def published(cls, page: Page) -> EncodedDocument:
        """Return the encoded document, from the cache if it is there."""
        return document_at(page.place(cls.kind), lambda: cls.document(page))


class StateOfMonth(MonthPage):
    """Retrieve the state of the campaign at the end of a month, or at present."""

    kind = "state"
    answers = StateDocument

    @staticmethod
    def document(page: Page) -> StateDocument:
        return _state(page)


class MapOfState(MonthPage):
    """Retrieve the state of a month as GeoJSON.

    It has the stacks, railways, railheads, sieges and control.
    """

    kind = "map"
    answers = StateFeatures
    media = GeoJSON.media_type
    renderer_classes = [GeoJSON, JSON]

    @staticmethod
    def document(page: Page) -> object:
        return atlas(_state(page))


class Timeline(MonthPage):
    """Retrieve all months so far as GeoJSON, for a time slider.

    Features have `valid_from` and `valid_to`. A thing that did not change from one month to the
    next is one feature; `valid_to` is the first day on which it no longer holds, null if it still
    does.
    """

    kind = "timeline"
    answers = TimelineFeatures
    media = GeoJSON.media_type
    renderer_classes = [GeoJSON, JSON]

    @staticmethod
    def document(page: Page) -> object:
        run = range(page.campaign.first_month, page.campaign.month + 1)
        return over_time([_state(replace(page, month=month)) for month in run])


class Despatches(MonthPage):
    """Retrieve the despatches of a month, with the dice behind each."""

    kind = "despatches"
    answers = DespatchesDocument

    @staticmethod
    def document(page: Page) -> DespatchesDocument:
        despatches = fog_of_war.despatches(page.campaign, page.month, page.viewer)
        return DespatchesDocument(
            campaign=page.campaign.slug,
            month=page.slug,
            month_name=page.name,
            results=tuple(map(despatch_part, despatches)),
            links=MonthLinks(**month_addresses(page.campaign.slug, page.slug)),
        )


def page_of(campaign: Campaign, month: str, viewer: Viewer) -> Page:
    """Return the page of a month written `1884-02`, `set-up` or `current`.

    Raises the problem `not-found` for any other. All viewers who see everything share the umpire's
    page.
    """
    if fog_of_war.sees_all(campaign, viewer):
        viewer = Onlooker.UMPIRE
    return Page(campaign, _month(campaign, month), viewer)


@lru_cache(maxsize=256)
def _place(kind: str, version: selectors.CampaignVersion, month: str) -> CacheKey:
    """Return the cache key of the document that users of these roles see of this version."""
    viewer = fog_of_war.viewer_of_roles(version.roles)
    return page_of(version.campaign, month, viewer).place(kind)


def _month(campaign: Campaign, text: str) -> int:
    if text == CURRENT:
        return campaign.month
    if text == SET_UP:
        return campaign.first_month - 1
    try:
        month = month_from_text(text)
    except ValueError:
        month = Month(0)
    if month_slug(month) != text:
        raise Problem(
            "not-found", f"{text!r} is no month: write it like 1884-02, {SET_UP} or {CURRENT}."
        )
    if not campaign.first_month <= month <= campaign.month:
        first, last = month_slug(Month(campaign.first_month)), month_slug(Month(campaign.month))
        raise Problem("not-found", f"{text} is not a month of it: those are {first} to {last}.")
    return month


def _state(page: Page) -> StateDocument:
    campaign = page.campaign
    cursor = journal_events.cursor_of(campaign.head) if campaign.head else journal_events.BEGINNING
    context = StateContext(
        campaign=campaign.slug,
        month=page.slug,
        month_name=page.name,
        current=page.current,
        cursor=cursor if page.current else None,
        tables=campaign.tables_id,
    )
    return state_document(fog_of_war.view_at(campaign, page.month, page.viewer), context)


# Maps as JSON for programs and as GeoJSON for atlases, by name or, immutable, by digest.


LAYERS = frozenset({"scenario", "table_set"})
"""The parameters that name a scenario, whose layer the map then has."""


@cache
def as_json() -> EncodedDocument:
    return EncodedDocument(map_document(sudan()))


@cache
def as_geojson() -> EncodedDocument:
    return EncodedDocument(features(sudan()))


@cache
def encode_maps_list() -> EncodedDocument:
    chart = sudan()
    return EncodedDocument({"results": [map_line(chart)]})


class Maps(PublicEndpoint):
    """The maps."""

    @operation(Listed[MapLine])
    def get(self, request: Request) -> HttpResponse:
        """List the maps."""
        return respond(request, encode_maps_list(), ASK_AGAIN)


class MapPage(ReadyEndpoint, PublicEndpoint):
    """A map; the shipped one is in memory, in the form that `encoded` returns."""

    parameters: ClassVar[frozenset[str]] = LAYERS
    encoded: ClassVar[Callable[[], EncodedDocument]]

    def ready(self, request: HttpRequest, **kwargs: str) -> tuple[EncodedDocument, str] | None:
        if "HTTP_AUTHORIZATION" in request.META:
            return None
        return type(self).encoded(), caching_of(kwargs["name"], sudan())


class MapAsJSON(MapPage):
    """A map as JSON."""

    encoded = as_json

    @operation(MapDocument)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map: its cells (hexes), places, rivers, tracks and roads.

        With `scenario`, and `table_set` if it is not shipped, it has the scenario's own layer.
        """
        chart = chart_of(request)
        document = as_json() if is_printed(chart) else EncodedDocument(map_document(chart))
        return respond(request, document, _caching(request, name, chart))


class MapAsGeoJSON(MapPage):
    """A map as GeoJSON."""

    encoded = as_geojson
    renderer_classes = [GeoJSON, JSON]

    @operation(MapFeatures, media=GeoJSON.media_type)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map as GeoJSON (RFC 7946).

        With `scenario`, and `table_set` if it is not shipped, it has the scenario's own layer.
        """
        chart = chart_of(request)
        document = as_geojson() if is_printed(chart) else EncodedDocument(features(chart))
        return respond(request, document, _caching(request, name, chart))


def chart_of(request: Request) -> Map:
    """Return the map that the query asks for: the shipped, or that of a scenario.

    Raises the problem `not-found` for a scenario or a table set that the caller may not see.
    """
    slug = request.query_params.get("scenario")
    if slug is None and "table_set" not in request.query_params:
        return sudan()
    tables = set_of_query(request)
    if slug is None:
        return sudan()
    try:
        return tables.edition.scenario(slug[:60]).chart
    except UnknownScenario as error:
        raise Problem("not-found", str(error)) from error


def _caching(request: Request, name: str, chart: Map) -> str:
    """Return the Cache-Control of a map; no shared cache keeps one that not everybody may see."""
    caching = caching_of(name, chart)
    return caching if is_for_everybody(request) else caching.replace("public", "private")


def caching_of(name: str, chart: Map) -> str:
    """Return the Cache-Control for a map's name or digest; Problem for anything else."""
    if name == chart.name:
        return ASK_AGAIN
    if name == chart.digest:
        return FOR_EVER
    raise Problem(
        "not-found",
        f"There is no map {name!r}; there is {chart.name!r}, and {chart.digest!r} is its digest.",
    )
