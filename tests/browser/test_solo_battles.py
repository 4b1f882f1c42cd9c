"""A visitor fights the battles of a campaign alone: from the door to the next month."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from campaign.models import Campaign
from campaign.services import order_submission
from tests.browser.camp import ready_without_orders
from tests.browser.test_accessible import violations
from tests.browser.test_doors import opened_map, site

__all__ = ["site"]


def before_battle(page: Page, site: str, *, scrolled_to: str = "") -> None:
    """Begin at the door, and send the orders of a month that waits for a battle."""
    page.goto(site)
    page.get_by_label("Show me the first month").set_checked(False)
    book = page.locator("select[name=book]")
    expect(book).to_be_hidden()
    page.get_by_label("Battles are settled").select_option("by you, in the browser")
    book.select_option("Redcoats and Dervishes")
    page.get_by_role("button", name="As the Egyptians").click()
    opened_map(page)
    seat = Campaign.objects.get().seats.get(staff=False)
    assert seat.user is not None
    # The salt of the month's dice, which the browser would draw.
    order_submission.save_sheet(
        seat.campaign_id, seat.user, seat.pk, {}, salt="5a" * order_submission.SALT
    )
    page.reload()
    opened_map(page)
    if scrolled_to:
        page.evaluate("to => document.querySelector(to).scrollIntoView()", scrolled_to)
    ready_without_orders(page)
    expect(page.locator("#battle-awaited")).to_contain_text("is to be fought. The month waits")


@pytest.mark.parametrize("width", [1440, 390])
def test_a_battle_that_the_month_waits_for_comes_into_view(
    site: str, page: Page, width: int
) -> None:
    """The player has scrolled down to write orders, and sent them."""
    page.set_viewport_size(ViewportSize(width=width, height=844))
    before_battle(page, site, scrolled_to="#standing-orders")
    expect(page.get_by_role("link", name="To the battle")).to_be_in_viewport(ratio=1)
    expect(page.locator("#state-words")).to_contain_text("It is being carried out")
    expect(page.locator("#kept")).to_have_text("")


def test_a_campaign_alone_from_the_door_over_a_battle_to_the_next_month(
    site: str, page: Page
) -> None:
    before_battle(page, site)
    page.get_by_role("link", name="To the battle").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("battle of")
    expect(page.locator(".hand-off")).to_contain_text("defend, led by you")
    assert violations(page) == []
    other = page.context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Take the field").click()
    expect(page.locator("#turn-form")).to_contain_text("Place your units")

    other.get_by_role("button", name="By the campaign’s own table").click()
    expect(other.get_by_role("alert")).to_contain_text("has begun in the browser")
    other.get_by_role("link", name="To the field").click()
    expect(other.locator("#turn-form")).to_contain_text("Place your units")
    other.close()

    page.get_by_role("button", name="Fight as drawn up").click()
    expect(page.locator("#waits")).not_to_contain_text("Before the battle")
    page.get_by_text("Aim and sides").click()
    page.get_by_role("button", name="Hand this side to the computer").click()
    expect(page.get_by_role("heading", name="The casualty return")).to_be_visible()
    page.get_by_role("link", name="On with the campaign").click()
    opened_map(page)
    heading = page.get_by_role("heading", level=1)
    while (heading.text_content() or "") == "December 1884":
        page.get_by_role("link", name="To the battle").click()
        page.get_by_role("button", name="By the campaign’s own table").click()
        opened_map(page)
        expect(page.locator(".job")).to_have_count(0)
    expect(heading).to_have_text("January 1885")
    expect(page.locator("#status")).to_contain_text("Orders for January 1885")


def test_the_month_is_fought_on_a_telephone_and_the_choice_is_changed(
    site: str, phone: Page
) -> None:
    before_battle(phone, site)
    phone.goto(phone.url.partition("orders/")[0])
    opened_map(phone)
    phone.get_by_role("link", name="To the battle").tap()
    expect(phone.get_by_role("button", name="Take the field")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("link", name="Choose how the next battles are settled").tap()
    phone.get_by_label(re.compile("By the computer, with a book")).check()
    expect(phone.get_by_label("Book of battles")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator(".notices")).to_contain_text("From now on battles are settled that way.")
    phone.get_by_role("link", name=re.compile("the battle of")).tap()
    phone.get_by_role("button", name="Take the field").tap()
    expect(phone.locator("#turn-form")).to_be_visible()
