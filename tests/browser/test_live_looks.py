"""The live page looks again for all that it hears, and shows every answer to what is sent."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.questions import ToMarch
from campaign.services.journal import campaign_session, creation
from campaign.staff import answer
from tests.browser.camp import Camp
from tests.browser.looks import OPEN_LINE, Held, hears, is_look
from tests.people import SIEGE


@pytest.fixture
def camp(live_server: Any) -> Camp:
    """A campaign in which the Egyptian side is asked for its marches."""
    camp = Camp(live_server, mode=Campaign.Mode.LIVE)
    camp.play_to(ToMarch)
    return camp


@pytest.fixture
def mahdist(camp: Camp, browser: Browser) -> Iterator[Page]:
    page = camp.session(browser, camp.people.mahdist)
    yield page
    page.context.close()


def at_table(camp: Camp, page: Page) -> None:
    """Open the live page, and wait until it has looked for what was new as it was opened."""
    page.add_init_script(OPEN_LINE)
    with page.expect_response(lambda response: is_look(response.request)):
        camp.open(page, f"{camp.page}live/")


def goes_on(camp: Camp) -> str:
    """Somebody answers; return the head there is now."""
    camp.campaign.refresh_from_db()
    campaign_session.perform(camp.campaign.pk, "test", answer(selectors.state_now(camp.campaign)))
    camp.campaign.refresh_from_db()
    return str(camp.campaign.head_id)


def test_news_that_come_during_a_look_are_looked_at_after_it(camp: Camp, mahdist: Page) -> None:
    at_table(camp, mahdist)
    looks = Held(mahdist, "/live/", "GET")
    goes_on(camp)
    hears(mahdist)
    looks.wait(1)
    answered = looks.routes[0].fetch()
    head = goes_on(camp)
    hears(mahdist)
    hears(mahdist)
    looks.routes[0].fulfill(response=answered)
    looks.wait(2)
    looks.let_go(1)
    expect(mahdist.locator("#live")).to_have_attribute("data-head", head)


def test_what_is_said_to_an_answer_is_shown_whatever_is_heard_meanwhile(
    camp: Camp, page: Page
) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    answers, looks = Held(page, "/live/act/", "POST"), Held(page, "/live/", "GET")
    hears(page)
    looks.wait(1)
    page.locator("#which").select_option(index=0)
    party = page.locator(".party:not([hidden])")
    party.locator("summary", has_text="By train or boat instead").click()
    party.get_by_label("To", exact=True).fill("9999")
    party.get_by_role("button", name="By train").click()
    answers.wait(1)
    hears(page)
    answers.let_go(0)
    expect(page.locator(".wrong-answer")).to_be_visible()
    looks.wait(2)
    looks.let_go(1)


EDGES = """words => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const box = (element) => element.getBoundingClientRect();
  const button = box(all('a.button').find((one) => one.textContent === words));
  const text = box(all('.papers .paper h2').find((one) => one.checkVisibility()));
  return [button.left - text.left, box(document.querySelector('.papers')).top - button.top];
}"""


@pytest.mark.parametrize("mode", [Campaign.Mode.LIVE, Campaign.Mode.ORDERS])
def test_an_umpire_who_plays_finds_the_console_s_button_in_line_with_the_text(
    live_server: Any, browser: Browser, mode: str
) -> None:
    camp = Camp(live_server, mode=mode)
    camp.campaign.seats.filter(role="egyptian").update(user=camp.people.umpire)
    page = camp.session(browser, camp.people.umpire)
    live = mode == Campaign.Mode.LIVE
    camp.open(page, f"{camp.page}live/" if live else camp.orders())
    beside, above = page.evaluate(EDGES, "Your console")
    assert beside == 0
    assert above < 0
    page.context.close()


def test_the_way_to_the_set_up_touches_no_rule(live_server: Any, browser: Browser) -> None:
    camp = Camp(live_server)
    seats = {"egyptian": camp.people.egyptian}
    terms = creation.NewCampaignTerms(SIEGE, mode=Campaign.Mode.LIVE, seats=seats)
    begun = creation.create_campaign(terms)
    page = camp.session(browser, camp.people.egyptian)
    page.goto(camp.at(f"/campaigns/{begun.slug}/live/"))
    way = page.get_by_role("link", name="Arrange the set-up").bounding_box()
    answers = page.locator(".answer").first.bounding_box()
    assert way is not None
    assert answers is not None
    assert way["y"] + way["height"] + 8 <= answers["y"]
    page.context.close()
