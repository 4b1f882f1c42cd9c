"""A campaign that people play in browsers, and the desk of its Egyptian player."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.camp import Camp


@pytest.fixture
def camp(live_server: Any) -> Camp:
    """A fresh campaign with a person in every seat."""
    return Camp(live_server)


@pytest.fixture
def egyptian(camp: Camp, browser: Browser) -> Iterator[Page]:
    """The page on which the Egyptian player writes orders."""
    page = camp.session(browser, camp.people.egyptian)
    camp.open(page, camp.orders())
    expect(page.locator("form[inert]")).to_have_count(0)
    yield page
    page.context.close()
