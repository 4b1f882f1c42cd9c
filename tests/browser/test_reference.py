"""The reference of the interface in a browser: a request is sent from its page, refusals too."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import Late
from tests.browser.stage import Stage

GOOD = '{"scenario": "siege-of-khartoum", "title": "Tried"}'


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


def test_an_operation_is_tried_and_a_refusal_is_shown(stage: Stage, page: Page) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/api/operations/get-campaign/"))
    page.get_by_label("slug").fill("none-of-that-name")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").last).to_contain_text("404")
    page.get_by_label("slug").fill(stage.campaign.slug)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").last).to_contain_text("200")
    expect(page.locator(".try pre")).to_contain_text(f'"slug": "{stage.campaign.slug}"')


def test_a_late_answer_does_not_replace_that_of_the_request_sent_after_it(
    stage: Stage, page: Page
) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/api/operations/get-campaign/"))
    late = Late(page, "**/api/v1/campaigns/**", "GET")
    page.get_by_label("slug").fill("none-of-that-name")
    page.get_by_role("button", name="Send").click()
    late.wait()
    page.get_by_label("slug").fill(stage.campaign.slug)
    page.get_by_role("button", name="Send").click()
    status = page.get_by_role("status").last
    expect(status).to_contain_text("200")
    with page.expect_response(lambda answer: answer.status == 404):
        late.arrive()
    page.wait_for_timeout(100)
    expect(status).to_contain_text("200")
    expect(page.locator(".try pre")).to_contain_text(f'"slug": "{stage.campaign.slug}"')


def test_a_body_is_sent_from_its_page(stage: Stage, page: Page) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/api/operations/post-campaigns/"))
    page.get_by_role("textbox", name="Body").fill('{"scenari": "siege-of-khartoum"}')
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").last).to_contain_text("400")
    page.get_by_role("textbox", name="Body").fill(GOOD)
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".try pre")).to_contain_text('"title": "Tried"')


def test_the_pages_fit_a_phone(stage: Stage, phone: Page) -> None:
    for path in ("/api/", "/api/operations/post-campaigns/", "/api/components/MarchOrder/"):
        phone.goto(stage.at(path))
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, path
