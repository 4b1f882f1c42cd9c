"""An order sheet that loses its connection, log-in or month, or is open twice, loses no order."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from battles.access import display_name
from campaign.models import Campaign
from campaign.services import order_submission
from campaign.services.order_sheets import document_of
from campaign.services.turns import advance
from tests.browser.camp import Camp, begin_order, kept, march_to
from tests.browser.test_players import BERBER, SHENDY, another, egyptian, sheet_of
from tests.people import PASSWORD

__all__ = ["another", "egyptian"]


def unless(refused: Callable[[str], bool]) -> Callable[[Route], None]:
    """Return what to do with a page's requests: those of these methods are lost."""

    def handle(route: Route) -> None:
        if refused(route.request.method):
            route.abort()
        else:
            route.continue_()

    return handle


def look_after_writing(page: Page, writes: int = 1) -> None:
    """Let the page look at its sheet again only after it has tried to write it so many times."""
    written: list[str] = []

    def unseen(method: str) -> bool:
        written.extend([method] * (method == "PUT"))
        return method == "GET" and len(written) < writes

    page.route("**/sheets/*/", unless(unseen))


def test_a_lost_connection_loses_no_order(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    egyptian.context.set_offline(True)
    begin_order(egyptian, BERBER)
    egyptian.locator("#legs input[name=to]").fill("Abou Hamed")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#kept")).to_contain_text("put by in this browser")
    expect(egyptian.locator(".order")).to_have_count(2)
    assert len(document_of(sheet_of(camp)).orders) == 1

    egyptian.context.set_offline(False)
    kept(egyptian)
    expect(egyptian.locator(".order").nth(1)).to_contain_text("Abou Hamed")
    assert len(document_of(sheet_of(camp)).orders) == 2


def test_a_press_without_a_connection_is_said_not_to_be_done(camp: Camp, egyptian: Page) -> None:
    """An order that is not sent yet is sent later; what was pressed is not."""
    march_to(egyptian, SHENDY, "Berber")
    egyptian.context.set_offline(True)
    ready = egyptian.get_by_role("button", name="Ready", exact=True)
    ready.click()
    line = egyptian.locator("#kept")
    expect(line).to_contain_text("Not done: there is no connection.")
    begin_order(egyptian, BERBER)
    egyptian.locator("#legs input[name=to]").fill("Abou Hamed")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator(".order")).to_have_count(2)
    ready.click()
    expect(line).to_contain_text("press again once it is back")
    egyptian.context.set_offline(False)
    kept(egyptian)
    assert len(document_of(sheet_of(camp)).orders) == 2
    assert not sheet_of(camp).ready
    ready.click()
    expect(egyptian.get_by_role("button", name="Not ready")).to_be_visible()


def log_in_by_form(camp: Camp, page: Page, user: User) -> None:
    page.goto(camp.at("/accounts/login/"))
    page.get_by_label("Name").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.locator(".banner .name")).to_have_text(display_name(user))


def test_orders_are_sent_after_logging_in_again_in_another_tab(camp: Camp, egyptian: Page) -> None:
    """The log-in gives the browser another token for forms than the open page has."""
    other = egyptian.context.new_page()
    other.goto(camp.at("/help/"))
    other.get_by_role("button", name="Log out").click()
    begin_order(egyptian, SHENDY)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#kept")).to_contain_text("you have been logged out")
    log_in_by_form(camp, other, camp.people.egyptian)
    kept(egyptian)
    assert len(document_of(sheet_of(camp)).orders) == 1


@pytest.mark.parametrize("public", [False, True])
def test_an_open_sheet_says_who_has_logged_in_in_another_tab_and_waits_for_its_own_player(
    camp: Camp, egyptian: Page, *, public: bool
) -> None:
    Campaign.objects.update(public=public)
    other = egyptian.context.new_page()
    log_in_by_form(camp, other, camp.people.mahdist)
    begin_order(egyptian, SHENDY)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    line = egyptian.locator("#kept")
    expect(line).to_contain_text(f"{display_name(camp.people.mahdist)} has logged in in another")
    expect(line).to_contain_text(f"log in as {camp.people.egyptian.username} again")
    expect(line.get_by_role("link", name="Log in")).to_be_visible()
    expect(egyptian.locator("#trouble")).to_be_empty()
    camp.open(other, camp.orders("mahdist"))
    expect(other.locator("form[inert]")).to_have_count(0)
    expect(other.locator(".order")).to_have_count(0)
    log_in_by_form(camp, other, camp.people.egyptian)
    kept(egyptian)
    assert len(document_of(sheet_of(camp)).orders) == 1


def test_a_sheet_on_which_nothing_was_written_goes_on_once_its_player_is_back(
    camp: Camp, egyptian: Page
) -> None:
    look = "document.dispatchEvent(new Event('visibilitychange'))"
    other = egyptian.context.new_page()
    log_in_by_form(camp, other, camp.people.mahdist)
    egyptian.evaluate(look)
    expect(egyptian.locator("#kept")).to_contain_text("has logged in in another tab")
    log_in_by_form(camp, other, camp.people.egyptian)
    egyptian.evaluate(look)
    expect(egyptian.locator("#kept")).to_be_empty()
    march_to(egyptian, SHENDY, "Berber")


def test_a_seat_is_not_called_lost_while_somebody_logs_in(camp: Camp, egyptian: Page) -> None:
    """The sheet is refused to the user before, whose session has gone when the account is read."""
    look = "document.dispatchEvent(new Event('visibilitychange'))"
    other = egyptian.context.new_page()
    log_in_by_form(camp, other, camp.people.mahdist)
    egyptian.route("**/api/v1/account/", lambda route: route.fulfill(status=401))
    with egyptian.expect_response("**/api/v1/account/"):
        egyptian.evaluate(look)
    egyptian.unroute("**/api/v1/account/")
    egyptian.evaluate(look)
    expect(egyptian.locator("#kept")).to_contain_text("has logged in in another tab")
    log_in_by_form(camp, other, camp.people.egyptian)
    egyptian.evaluate(look)
    march_to(egyptian, SHENDY, "Berber")


def test_a_sheet_on_which_nothing_was_written_says_that_its_player_is_logged_out(
    camp: Camp, egyptian: Page
) -> None:
    look = "document.dispatchEvent(new Event('visibilitychange'))"
    egyptian.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    egyptian.evaluate(look)
    line = egyptian.locator("#kept")
    expect(line).to_contain_text("You have been logged out.")
    expect(line.get_by_role("link", name="Log in")).to_be_visible()
    camp.log_in(egyptian, camp.people.egyptian)
    egyptian.evaluate(look)
    expect(line).to_be_empty()
    march_to(egyptian, SHENDY, "Berber")


def test_a_draft_outlives_the_page_that_could_not_send_it(camp: Camp, egyptian: Page) -> None:
    egyptian.route("**/sheets/*/", unless(lambda method: method == "PUT"))
    begin_order(egyptian, SHENDY)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#kept")).to_contain_text("put by in this browser")
    egyptian.unroute("**/sheets/*/")
    camp.open(egyptian, camp.orders())
    expect(egyptian.locator(".order")).to_have_count(1)
    kept(egyptian)
    assert len(document_of(sheet_of(camp)).orders) == 1


def test_two_tabs_do_not_overwrite_each_other_unseen(camp: Camp, egyptian: Page) -> None:
    other = egyptian.context.new_page()
    camp.open(other, camp.orders())
    look_after_writing(other)
    march_to(egyptian, SHENDY, "Berber")

    begin_order(other, BERBER)
    other.locator("#legs input[name=to]").fill("Abou Hamed")
    other.get_by_role("button", name="Add this order").click()
    panel = other.locator("#trouble")
    expect(panel).to_contain_text("written elsewhere")
    expect(panel).to_contain_text("to Berber")
    assert [order.hex for order in _orders(camp)] == [int(SHENDY)]

    panel.get_by_role("button", name="Put mine in its place").click()
    kept(other)
    assert [order.hex for order in _orders(camp)] == [int(BERBER)]
    other.close()


def test_a_draft_of_a_sheet_that_was_meanwhile_submitted_is_not_lost(
    camp: Camp, egyptian: Page
) -> None:
    look_after_writing(egyptian, writes=2)
    march_to(egyptian, SHENDY, "Berber")
    order_submission.submit(camp.campaign.pk, camp.people.egyptian, camp.seat("egyptian").pk)
    begin_order(egyptian, BERBER)
    egyptian.locator("#legs input[name=to]").fill("Abou Hamed")
    egyptian.get_by_role("button", name="Add this order").click()
    panel = egyptian.locator("#trouble")
    panel.get_by_role("button", name="Put mine in its place").click()
    expect(egyptian.locator("#kept")).to_contain_text("Not kept. This sheet has been submitted")
    egyptian.get_by_role("button", name="Withdraw").click()
    expect(egyptian.locator(".order")).to_have_count(2)


@pytest.mark.parametrize("ahead", [False, True])
def test_a_page_whose_month_has_run_is_closed(camp: Camp, egyptian: Page, ahead: bool) -> None:
    if ahead:
        camp.open(egyptian, f"{camp.orders()}?month=next")
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)
    egyptian.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(egyptian.locator("#trouble")).to_contain_text("The month has run.")
    expect(egyptian.locator("#state button:visible")).to_have_count(0)


def test_a_page_of_a_branch_that_was_left_is_closed(camp: Camp, egyptian: Page) -> None:
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    Campaign.objects.update(branch=camp.campaign.branch + 1)
    egyptian.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(egyptian.locator("#trouble")).to_contain_text("The umpire has rewound the campaign.")


def test_the_other_tab_shows_what_was_kept_in_the_first(camp: Camp, egyptian: Page) -> None:
    other = egyptian.context.new_page()
    camp.open(other, camp.orders())
    march_to(egyptian, SHENDY, "Berber")
    expect(other.locator(".order")).to_have_count(1)
    expect(other.locator(".order").first).to_contain_text("to Berber")
    other.close()


def _orders(camp: Camp) -> tuple[Any, ...]:
    return document_of(sheet_of(camp)).orders
