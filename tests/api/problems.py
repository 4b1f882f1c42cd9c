"""Checks of every problem document."""

from typing import Any

from api.http.problems import TYPES, problem_address

USUAL = {"type", "title", "status", "detail", "instance", "request_id"}


def problem(response: Any, type_: str) -> dict[str, Any]:
    """Return the document of a response that must be a problem of that type, checked."""
    assert response["Content-Type"] == "application/problem+json", response.content
    document: dict[str, Any] = response.json()
    assert set(document) >= USUAL
    assert document["type"] == problem_address(type_)
    assert document["request_id"] == response["X-Request-ID"]
    assert document["status"] == response.status_code == TYPES[type_].status
    assert document["title"] == TYPES[type_].title
    assert document["instance"] == response.wsgi_request.path
    assert document["detail"]
    assert "Traceback" not in document["detail"]
    assert response["Cache-Control"] == "no-store"
    return document


def wrong_places(document: dict[str, Any]) -> set[str]:
    """Return the parameters, and the fields as `orders/0/hex`, that the problem names."""
    return {one.get("parameter") or one["pointer"].removeprefix("/") for one in document["errors"]}
