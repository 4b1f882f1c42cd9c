"""An umpire invites players: the form follows the seat, and the link is copied with a press."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from campaign.models import Invitation
from tests.browser.camp import Camp


@pytest.fixture
def camp(live_server: Any) -> Camp:
    """A campaign whose Egyptian seat is vacant."""
    camp = Camp(live_server, fog=True)
    camp.campaign.seats.filter(role="egyptian").update(user=None)
    return camp


@pytest.fixture
def umpire(camp: Camp, page: Page) -> Page:
    camp.log_in(page, camp.people.umpire)
    page.goto(camp.page + "seats/")
    return page


@pytest.fixture
def guest(camp: Camp, browser: Browser) -> Iterator[Page]:
    page = camp.session(browser, camp.people.stranger)
    yield page
    page.context.close()


def test_the_form_shows_the_commands_of_the_chosen_side_alone(umpire: Page) -> None:
    expect(umpire.get_by_label("Seat", exact=True)).to_have_value("egyptian")
    umpire.get_by_label("General Gordon").check()
    expect(umpire.get_by_label("The Mahdi")).to_be_hidden()
    umpire.get_by_label("Seat", exact=True).select_option("mahdist")
    expect(umpire.get_by_label("The Mahdi")).to_be_visible()
    expect(umpire.get_by_label("General Gordon")).to_be_hidden()
    expect(umpire.locator("input[name=command]:checked")).to_have_count(0)
    umpire.get_by_label("Seat", exact=True).select_option("umpire")
    expect(umpire.locator(".posts")).to_be_hidden()


def test_the_link_says_for_whom_it_is_and_is_copied(camp: Camp, umpire: Page, guest: Page) -> None:
    umpire.context.grant_permissions(["clipboard-read", "clipboard-write"])
    umpire.get_by_role("button", name="Make a link").click()
    made = umpire.locator(".link-once")
    expect(made).to_contain_text(
        "It gives the seat of Egyptian commander-in-chief on the Egyptian side"
    )
    made.get_by_role("button", name="Copy").click()
    expect(umpire.locator("#copied")).to_have_text("Copied.")
    copied = umpire.evaluate("navigator.clipboard.readText()")
    assert copied == umpire.get_by_label("The link", exact=True).input_value()
    guest.goto(copied)
    expect(guest.locator("main")).to_contain_text("on the Egyptian side")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.locator(".notices")).to_contain_text("You have taken your seat")
    assert Invitation.objects.get().used_by == camp.people.stranger
