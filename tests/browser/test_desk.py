"""A visitor and an umpire at a desk: from the register to a hex, a despatch, and a month on."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaign.models import Job
from campaign.services.turns import advance_jobs
from tests.browser.stage import Stage, at_rest


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server)


def test_from_the_register_to_a_month_gone_by_a_stack_and_a_despatch(
    stage: Stage, page: Page
) -> None:
    page.goto(stage.at("/"))
    page.get_by_role("link", name=stage.campaign.title).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("April 1884")
    page.wait_for_selector(".map[data-ready]")

    page.get_by_role("link", name="Back to March 1884").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    expect(page).to_have_url(re.compile("/1884-03/$"))
    expect(page.locator(".chart .month")).to_have_text("MARCH 1884")

    page.locator('.stack.egyptian[data-hex="2042"]').click()
    panel = page.locator("#hex")
    expect(panel.get_by_role("heading", name="Khartoum")).to_be_visible()
    expect(panel).to_contain_text("March 1884")

    told = page.locator(".despatch.has-dice:not(.routine .despatch)").first
    told.locator("summary").click()
    expect(told.locator(".roll").first).to_be_visible()
    expect(told.get_by_text("clause").first).to_be_visible()


def test_a_hex_that_cannot_be_had_is_said_to_be_so_in_words(stage: Stage, page: Page) -> None:
    stage.open(page)
    panel, khartoum = page.locator("#hex"), page.locator('.stack.egyptian[data-hex="2042"]')
    page.context.set_offline(True)
    khartoum.click()
    expect(panel).to_contain_text("there is no connection. Press it again once it is back.")
    page.context.set_offline(False)
    stage.campaign.public = False
    stage.campaign.save()
    khartoum.click()
    expect(panel).to_contain_text("you may not see it, or are logged out.")


def test_a_month_that_cannot_be_had_is_said_to_be_so_and_the_scrubber_goes_back(
    stage: Stage, page: Page
) -> None:
    stage.open(page)
    lost, scrub = page.locator("#offline"), page.locator("#scrub")
    shown = scrub.input_value()
    page.route("**/1884-03/", lambda route: route.abort("internetdisconnected"))
    page.get_by_role("link", name="Back to March 1884").click()
    expect(lost).to_contain_text("No connection.")
    page.unroute("**/1884-03/")
    page.route("**/1884-03/", lambda route: route.fulfill(status=503, body="busy"))
    scrub.press("ArrowLeft")
    expect(lost).to_contain_text("The server is busy")
    expect(scrub).to_have_value(shown)
    expect(page.get_by_role("heading", level=1)).to_have_text("April 1884")
    page.unroute("**/1884-03/")
    page.get_by_role("link", name="Back to March 1884").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    expect(lost).to_be_empty()


def test_the_map_keeps_its_place_while_the_months_go_by(stage: Stage, page: Page) -> None:
    stage.open(page)
    chart = page.locator("svg.chart")
    whole = chart.get_attribute("viewBox") or ""
    page.get_by_role("button", name="Zoom in").click()
    at_rest(page)
    before = chart.get_attribute("viewBox") or ""
    assert before != whole
    page.get_by_role("link", name="Back to March 1884").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    at_rest(page)
    expect(chart).to_have_attribute("viewBox", before)
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("April 1884")


def test_a_hex_named_in_the_papers_is_shown_on_the_map(stage: Stage, page: Page) -> None:
    stage.open(page)
    link = page.locator("#situation").get_by_role("link", name="Berber", exact=True)
    link.click()
    expect(page.locator("#hex").get_by_role("heading", name="Berber")).to_be_visible()
    expect(page.locator(".chosen")).to_have_attribute("d", re.compile("."))
    page.get_by_role("link", name="Close Berber").click()
    expect(page.locator("#hex")).to_be_empty()


def test_a_hex_that_was_chosen_is_told_of_again_in_another_month(stage: Stage, page: Page) -> None:
    stage.open(page, stage.page + "1884-03/hex/3127/")
    expect(page.locator("#hex")).to_contain_text("March 1884")
    page.get_by_role("link", name="Back to February 1884").click()
    expect(page.locator("#hex")).to_contain_text("February 1884")


def test_the_umpire_advances_a_month_and_sees_how_far_it_is(
    stage: Stage, page: Page, no_worker: None
) -> None:
    stage.log_in(page, stage.people.umpire)
    stage.open(page)
    page.get_by_role("button", name="Run the month").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("0 of 10 phases").last).to_be_visible()

    advance_jobs.run_job(str(Job.objects.get().uuid))

    expect(page.get_by_role("heading", level=1)).to_have_text("May 1884")
    expect(page.get_by_text("May 1884 has begun.")).to_be_visible()
    expect(page.get_by_text("since you last looked").last).to_be_visible()


def test_a_month_that_is_being_played_is_stopped(stage: Stage, page: Page, no_worker: None) -> None:
    stage.log_in(page, stage.people.umpire)
    stage.open(page)
    page.get_by_role("button", name="Run the month").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Stop here").click()
    expect(page.get_by_text("The month is stopped. What was played is kept.")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert Job.objects.get().status == Job.Status.FAILED


def test_the_scrubber_goes_to_the_month_it_is_drawn_to(stage: Stage, page: Page) -> None:
    stage.open(page)
    slider = page.get_by_role("slider", name="Month shown")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "March 1884")
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", level=1)).to_have_text("Set-up")


def test_the_keyboard_alone_reaches_timeline_and_map(stage: Stage, page: Page) -> None:
    stage.open(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page itself")).to_be_focused()
    page.keyboard.press("Enter")
    walk_to(page, page.get_by_role("link", name="Back to March 1884"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    expect(page.locator("#earlier")).to_be_focused()
    walk_to(page, page.locator("#map"))
    page.keyboard.press("Enter")
    expect(page.locator("#hex h2")).to_be_visible()
    walk_to(page, page.locator(".stack").first)
    page.keyboard.press("Enter")
    expect(page.locator("#hex .counters").first).to_be_visible()


def walk_to(page: Page, wanted: Any) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(80):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {wanted}")


def test_without_scripts_the_page_still_tells_everything(stage: Stage, page: Page) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(stage.page + "1884-03/hex/2042/")
    expect(plain.locator("#hex h2")).to_have_text("Khartoum")
    expect(plain.locator(".ruler a")).to_have_count(4)
    plain.locator(".ruler a").nth(1).click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("February 1884")
    plain.get_by_label("Look up a place or a hex").fill("Berber")
    plain.get_by_role("button", name="Look").click()
    expect(plain.locator("#hex h2")).to_have_text("Berber")
    context.close()
