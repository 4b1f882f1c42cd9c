"""Maps as JSON for programs and as GeoJSON for atlases, by name or, immutable, by digest."""

from functools import cache

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.geojson import MapFeatures
from api.documents.maps import MapDocument, MapLine, map_document, map_line
from api.http.encoding import JSON, GeoJSON
from api.http.endpoint import Listed, PublicEndpoint, operation
from api.http.problems import Problem
from api.http.responses import ASK_AGAIN, FOR_EVER, EncodedDocument, respond
from campaign.rules.map import sudan
from campaign.rules.map.geojson import features


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

    @operation(MapDocument)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map: its cells (hexes), places, rivers, tracks and roads."""
        return respond(request, as_json(), caching_of(name))


class MapAsGeoJSON(PublicEndpoint):
    """A map as GeoJSON."""

    renderer_classes = [GeoJSON, JSON]

    @operation(MapFeatures, media=GeoJSON.media_type)
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a map as GeoJSON (RFC 7946)."""
        return respond(request, as_geojson(), caching_of(name))


def caching_of(name: str) -> str:
    """Return the Cache-Control for a map's name or digest; Problem for anything else."""
    chart = sudan()
    if name == chart.name:
        return ASK_AGAIN
    if name == chart.digest:
        return FOR_EVER
    raise Problem(
        "not-found",
        f"There is no map {name!r}; there is {chart.name!r}, and {chart.digest!r} is its digest.",
    )
