"""No serious violation that axe knows of on the players' pages, light and dark, wide and narrow."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from campaign.models import Campaign
from tests.browser.camp import Camp, begin_order, march_to
from tests.browser.test_accessible import unfold, violations

Scheme = Literal["light", "dark"]
PATHS = ("seats/", "walk/", "walk/2042/")


@pytest.fixture
def camp(live_server: Any) -> Camp:
    return Camp(live_server, fog=True)


def ready(camp: Camp, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    camp.log_in(page, camp.people.egyptian)


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_papers(camp: Camp, page: Page, scheme: Scheme) -> None:
    ready(camp, page, scheme)
    for path in PATHS:
        page.goto(camp.page + path)
        assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_order_sheet_half_written_and_its_receipt(
    camp: Camp, page: Page, scheme: Scheme
) -> None:
    ready(camp, page, scheme)
    camp.open(page, camp.orders())
    march_to(page, "2635", "Berber")
    begin_order(page, "3127")
    expect(page.locator("#in-words")).not_to_be_empty()
    unfold(page)
    assert violations(page) == []
    page.goto(camp.orders() + "receipts/")
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_order_sheet_on_a_telephone(camp: Camp, phone: Page, scheme: Scheme) -> None:
    ready(camp, phone, scheme)
    camp.open(phone, camp.orders())
    begin_order(phone, "2635")
    unfold(phone)
    phone.get_by_role("button", name="Leave units behind…").click()
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 390


def test_live(camp: Camp, page: Page) -> None:
    Campaign.objects.update(mode=Campaign.Mode.LIVE)
    ready(camp, page, "light")
    camp.open(page, f"{camp.page}live/")
    unfold(page)
    assert violations(page) == []


def test_every_target_on_a_telephone_is_wide_enough(camp: Camp, phone: Page) -> None:
    ready(camp, phone, "light")
    camp.open(phone, camp.orders())
    begin_order(phone, "2635")
    small = phone.evaluate(
        """[...document.querySelectorAll("main button, main select, main label.choice")]
        .filter((one) => one.checkVisibility())
        .filter((one) => one.getBoundingClientRect().height < 43.5)
        .map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert small == []
