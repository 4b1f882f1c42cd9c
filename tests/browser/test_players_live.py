"""Live mode: one side marches and sees its dice, the other's page moves by itself."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.questions import ToMarch
from campaign.services.journal import campaign_session
from campaign.staff import answer
from tests.browser.camp import Camp

SHENDY = "2635"


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
    camp.open(page, f"{camp.page}live/")


def test_a_march_is_thrown_for_seen_and_carried_on(camp: Camp, page: Page, mahdist: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    at_table(camp, mahdist)
    expect(mahdist.locator("#asked")).to_have_text("Waiting")
    expect(page.locator("#asked")).to_have_text("You are asked")

    page.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    party = page.locator(f'.party[data-hex="{int(SHENDY)}"]')
    party.get_by_role("button", name="Throw for a march").click()
    for seen in (page, mahdist):
        expect(seen.locator(".thrown-now")).to_contain_text("March table, Egyptian")

    if page.get_by_role("button", name="Move", exact=True).is_visible():
        page.get_by_label("Move to").fill("2634")
        page.get_by_role("button", name="Move", exact=True).click()
        expect(page.locator('.stack.egyptian[data-hex="2634"]')).to_be_visible()
        expect(mahdist.locator('.stack.egyptian[data-hex="2634"]')).to_be_visible()


def test_the_other_side_is_asked_when_the_turn_is_its_own(
    camp: Camp, page: Page, mahdist: Page
) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    at_table(camp, mahdist)
    done = page.get_by_role("button", name="No more marches this turn")
    done.click()
    expect(done).to_have_count(0)
    camp.campaign.refresh_from_db()
    while selectors.state_now(camp.campaign).question.side == "egyptian":  # type: ignore[union-attr]
        state = selectors.state_now(camp.campaign)
        campaign_session.perform(camp.campaign.pk, "test", answer(state))
        camp.campaign.refresh_from_db()
    expect(mahdist.locator("#asked")).to_have_text("You are asked")
    expect(mahdist.locator("#asked")).to_be_focused()
    expect(mahdist).to_have_title(re.compile(r"^(\(\d+\) )?Your turn"))
    expect(page.locator("#asked")).to_have_text("Waiting")


def test_what_the_rules_forbid_is_told_with_its_clause(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    page.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    party = page.locator(f'.party[data-hex="{int(SHENDY)}"]')
    party.get_by_text("By train or boat instead").click()
    party.get_by_label("To").fill("Berber")
    party.get_by_role("button", name="By train").click()
    expect(page.get_by_role("alert")).to_contain_text("(8.22)")


def test_a_half_filled_form_stays_while_nothing_happens(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    page.locator("#which").select_option(str(int(SHENDY)))
    box = page.locator(f'.party[data-hex="{int(SHENDY)}"] input[name=unit]').first
    box.uncheck()
    page.wait_for_timeout(4000)
    expect(box).not_to_be_checked()
