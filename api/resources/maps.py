"""Maps as JSON for programs and as GeoJSON for atlases, by name or, immutable, by digest."""

from functools import cache
from typing import ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.geojson import MapFeatures
from api.documents.maps import MapDocument, MapLine, map_document, map_line
from api.http.encoding import JSON, GeoJSON
from api.http.endpoint import Listed, PublicEndpoint, operation
from api.http.problems import Problem
from api.http.responses import ASK_AGAIN, FOR_EVER, EncodedDocument, respond
from api.resources.table_sets import set_of_query
from campaign.rules.map import Map, sudan
from campaign.rules.map.geojson import features
from campaign.rules.tables.scenario_loader import UnknownScenario

LAYERS = frozenset({"scenario", "table_set"})
"""The parameters that name a scenario, whose layer the map then has."""


@cache
def as_json() -> EncodedDocument:
    return EncodedDocument(map_document(sudan()))


@cache
def as_geojson() -> EncodedDocument:
    return EncodedDocument(features(sudan()))


@cache
def listed() -> EncodedDocument:
    chart = sudan()
    return EncodedDocument({"results": [map_line(chart)]})


class Maps(PublicEndpoint):
    """The maps."""

    @operation(Listed[MapLine])
    def get(self, request: Request) -> HttpResponse:
        """List the maps."""
        return respond(request, listed(), ASK_AGAIN)


class MapAsJSON(PublicEndpoint):
    """A map as JSON."""

    parameters: ClassVar[frozenset[str]] = LAYERS

    @operation(MapDocument)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map: its cells (hexes), places, rivers, tracks and roads.

        With `scenario`, and `table_set` if it is not shipped, it has the scenario's own layer.
        """
        chart = chart_of(request)
        found = as_json() if chart is sudan() else EncodedDocument(map_document(chart))
        return respond(request, found, caching_of(name, chart))


class MapAsGeoJSON(PublicEndpoint):
    """A map as GeoJSON."""

    renderer_classes = [GeoJSON, JSON]
    parameters: ClassVar[frozenset[str]] = LAYERS

    @operation(MapFeatures, media=GeoJSON.media_type)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map as GeoJSON (RFC 7946).

        With `scenario`, and `table_set` if it is not shipped, it has the scenario's own layer.
        """
        chart = chart_of(request)
        found = as_geojson() if chart is sudan() else EncodedDocument(features(chart))
        return respond(request, found, caching_of(name, chart))


def chart_of(request: Request) -> Map:
    """Return the map that the query asks for: the shipped, or that of a scenario.

    Raises the problem `not-found` for a scenario that the caller may not see.
    """
    slug = request.query_params.get("scenario")
    if slug is None:
        return sudan()
    try:
        return set_of_query(request).edition.scenario(slug[:60]).chart
    except UnknownScenario as error:
        raise Problem("not-found", str(error)) from error


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
