"""The schema: complete, kept in the repository, and never changed without a note."""

import json
from typing import Any

import pytest
from django.test import Client

from api.examples import EXAMPLES
from api.problems import TYPES
from api.published import KEPT, NOTES, drawn, mark_of
from api.schema import addresses

METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return schema


def operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        operation
        for path in schema["paths"].values()
        for method, operation in path.items()
        if method in METHODS
    ]


def test_the_schema_in_the_repository_is_the_one_the_program_has() -> None:
    assert drawn() == KEPT.read_text(encoding="utf-8"), "Run `manage.py openapi`."


def test_the_schema_does_not_change_without_a_note_in_the_changelog() -> None:
    mark = mark_of(KEPT.read_text(encoding="utf-8"))
    assert mark in NOTES.read_text(encoding="utf-8"), f"Say what has changed, with ({mark})."


def test_every_address_is_in_the_schema(kept: dict[str, Any]) -> None:
    assert set(kept["paths"]) == set(addresses())


def test_every_operation_says_what_it_does_and_who_may(kept: dict[str, Any]) -> None:
    for operation in operations(kept):
        assert operation["summary"]
        assert operation["security"]
        assert any(status.startswith("2") for status in operation["responses"])
    names = [operation["operationId"] for operation in operations(kept)]
    assert len(names) == len(set(names))


def test_every_operation_tells_of_its_errors_with_an_example(kept: dict[str, Any]) -> None:
    for operation in operations(kept):
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")):
                (content,) = answer["content"].values()
                assert content["examples"]
    told = {
        example["value"]["type"].split("/")[-2]
        for example in kept["components"]["examples"].values()
    }
    assert set(TYPES) - told == {"damaged", "unforeseen", "method-not-allowed"}


def test_every_body_that_is_json_has_an_example(kept: dict[str, Any]) -> None:
    bare = {
        operation["operationId"]
        for operation in operations(kept)
        for content in [operation.get("requestBody", {}).get("content", {}).get("application/json")]
        if content and content["schema"].get("$ref", "") != "#/components/schemas/Empty"
        if "examples" not in content
    }
    assert not bare
    assert set(EXAMPLES) <= {operation["operationId"] for operation in operations(kept)}


def test_the_schema_is_read_at_its_address_and_shown_on_a_page(db: None) -> None:
    told = Client().get("/api/v1/schema/")
    assert told.json()["openapi"].startswith("3.1")
    page = Client().get("/api/")
    assert page.status_code == 200
    assert b'data-url="/api/v1/schema/"' in page.content
