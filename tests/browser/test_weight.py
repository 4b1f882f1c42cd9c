"""The bytes of the campaign page when it is fetched for the first time."""

import gzip
from typing import Any

import pytest
from playwright.sync_api import Page, Response

from tests.browser.stage import Stage

MOST = 250_000  # bytes, as a server sends them that compresses
KINDS = ("html", "css", "javascript", "svg")


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server)


def test_a_first_visit_fetches_little_and_from_nobody_else(stage: Stage, page: Page) -> None:
    fetched: list[Response] = []
    page.on("response", lambda one: fetched.append(one))  # noqa: PLW0108  it marks what it is given
    stage.open(page)
    assert {one.url.startswith(stage.url) for one in fetched} == {True}
    whole = [one for one in fetched if one.ok and one.request.resource_type != "eventsource"]
    bodies = [one.body() for one in whole]
    assert sum(len(gzip.compress(body)) for body in bodies) < MOST
