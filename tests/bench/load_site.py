"""The site with what it is measured beside: a trivial view, and the same data by serializers."""

from functools import cache
from typing import Any, ClassVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.documents.maps import map_document
from api.http.authentication import BearerToken
from api.http.endpoint import OpenEndpoint
from api.resources.months import CURRENT, StateOfMonth, page_of
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.map import sudan
from campaign.rules.sight import Onlooker
from sirdar.urls import urlpatterns as ours


def trivial(request: HttpRequest) -> HttpResponse:
    """Return the least that a Django view can do, behind the same middleware."""
    return HttpResponse(b"hello world")


def caller(request: HttpRequest) -> HttpResponse:
    """Return the least of a view that reads whose token was sent."""
    found = BearerToken().authenticate(request)
    return HttpResponse(b"hello world" if found else b"hello nobody")


def serializer_of(kind: Any) -> serializers.BaseSerializer[Any]:
    """Return a serializer for a type as a careful hand would write it, field by field."""
    told = msgspec.inspect.type_info(kind)
    return _field(told)


def _field(told: Any) -> Any:
    inspect = msgspec.inspect
    if isinstance(told, inspect.StructType):
        made = {one.name: _field(one.type) for one in told.fields}
        return type(f"{told.cls.__name__}Serializer", (serializers.Serializer,), made)()
    if isinstance(told, inspect.VarTupleType | inspect.ListType):
        return serializers.ListField(child=_field(told.item_type))
    if isinstance(told, inspect.DictType):
        return serializers.DictField(child=_field(told.value_type))
    if isinstance(told, inspect.UnionType):
        (known,) = (one for one in told.types if not isinstance(one, inspect.NoneType))
        field = _field(known)
        field.allow_null = True
        return field
    plain: dict[type, type[serializers.Field[Any, Any, Any, Any]]] = {
        inspect.IntType: serializers.IntegerField,
        inspect.BoolType: serializers.BooleanField,
        inspect.FloatType: serializers.FloatField,
    }
    return plain.get(type(told), serializers.CharField)()


class Serialized(APIView):
    """A document by a serializer and a renderer, each time it is asked for."""

    authentication_classes: ClassVar[list[Any]] = []
    permission_classes: ClassVar[list[Any]] = []
    throttle_classes: ClassVar[list[Any]] = []
    renderer_classes = [JSONRenderer]


class InMemory(Serialized):
    """One that lies in memory as objects, and never changes."""

    def get(self, request: Request, what: str) -> Response:
        return Response(_serializer(what).to_representation(_document(what)))


class AsItStands(OpenEndpoint):
    """The state as an endpoint that keeps nothing encoded would answer: the caller is known and
    counted, the campaign is read, and a serializer and a renderer make the answer."""

    renderer_classes = [JSONRenderer]

    def get(self, request: Request, slug: str) -> Response:
        campaign = selectors.campaign_for(request.user, slug)
        page = page_of(campaign, CURRENT, fog_of_war.viewer_of(request.user, campaign))
        return Response(_serializer("state").to_representation(StateOfMonth.document(page)))


@cache
def _document(what: str) -> Any:
    if what == "map":
        return map_document(sudan())
    campaign = Campaign.objects.get(slug="load")
    return StateOfMonth.document(page_of(campaign, CURRENT, Onlooker.UMPIRE))


@cache
def _serializer(what: str) -> Any:
    return serializer_of(type(_document(what)))


urlpatterns = [
    path("bench/trivial/", trivial),
    path("bench/caller/", caller),
    *ours,
    path("bench/state/<slug:slug>/", AsItStands.as_view()),
    path("bench/<str:what>/", InMemory.as_view()),
]
