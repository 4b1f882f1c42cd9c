"""The reference of the interface as pages: every operation and every component, and light."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from api.openapi.info import stored_schema

MOST_BYTES = 200_000


def operations() -> list[str]:
    paths: dict[str, Any] = stored_schema()["paths"]
    return [one["operationId"] for item in paths.values() for one in item.values()]


def test_the_index_lists_every_operation_once_and_is_light(db: None) -> None:
    page = Client().get("/api/")
    assert page.status_code == 200
    html = page.content.decode()
    for name in operations():
        assert html.count(f'href="{reverse("api-operation", args=[name])}"') == 1
    assert len(page.content) < MOST_BYTES
    assert "<script" not in html


def test_every_operation_has_a_page_with_its_parameters_answers_and_problems(db: None) -> None:
    client = Client()
    for path, item in stored_schema()["paths"].items():
        for method, operation in item.items():
            page = client.get(reverse("api-operation", args=[operation["operationId"]]))
            html = page.content.decode()
            assert page.status_code == 200, operation["operationId"]
            assert f"<code>{path}</code>" in html
            assert f">{method.upper()}</span>" in html
            assert len(page.content) < MOST_BYTES
            for status in operation["responses"]:
                assert f"<h3>{status}</h3>" in html or f"<dt>{status}</dt>" in html


def test_every_component_has_a_page_with_every_property(db: None) -> None:
    client = Client()
    for name, part in stored_schema()["components"]["schemas"].items():
        page = client.get(reverse("api-component", args=[name]))
        html = page.content.decode()
        assert page.status_code == 200, name
        for known in part.get("properties", {}):
            assert f"<dt><code>{known}</code>" in html, f"{name}.{known}"


@pytest.mark.parametrize("path", ["operations/get-nothing/", "components/Nothing/"])
def test_what_the_interface_does_not_have_is_not_found(db: None, path: str) -> None:
    assert Client().get(f"/api/{path}").status_code == 404


def test_the_schema_is_read_at_its_address(db: None) -> None:
    answer = Client().get("/api/v1/schema/")
    assert json.loads(answer.content) == stored_schema()
