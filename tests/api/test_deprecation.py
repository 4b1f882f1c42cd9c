"""A deprecated operation announces its end, in every answer and in the schema."""

from datetime import date
from typing import Any

import msgspec
import pytest
from django.http import HttpResponse
from django.urls import include, path
from rest_framework.request import Request

from api.http.endpoint import PublicEndpoint, operation
from api.http.responses import Deprecation
from sirdar.urls import urlpatterns as site


class OldDocument(msgspec.Struct):
    """Something that will go."""

    title: str


class Old(PublicEndpoint):
    """An address that will go."""

    @operation(
        OldDocument,
        deprecation=Deprecation(date(2027, 1, 15), date(2027, 7, 15), "GET /api/v1/new/"),
    )
    def get(self, request: Request) -> HttpResponse:
        """Retrieve what will go."""
        return self.answer(OldDocument("Old"))

    @operation(OldDocument)
    def post(self, request: Request) -> HttpResponse:
        """Make something that stays."""
        return self.answer(OldDocument("New"))


urlpatterns = [path("old/", Old.as_view()), path("", include(site))]


@pytest.mark.urls(__name__)
def test_the_end_of_an_operation_is_announced_in_its_answers(client: Any, db: None) -> None:
    answer = client.get("/old/")
    assert answer.json() == {"title": "Old"}
    assert answer["Deprecation"] == "@1799971200"
    assert answer["Sunset"] == "Thu, 15 Jul 2027 00:00:00 GMT"
    assert answer["Link"] == '<http://testserver/api/>; rel="deprecation"; type="text/html"'


@pytest.mark.urls(__name__)
def test_other_operations_of_the_address_announce_nothing(client: Any, db: None) -> None:
    assert "Deprecation" not in client.post("/old/")
