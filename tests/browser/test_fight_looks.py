"""The page of a battle looks for all that it hears, and shows every answer to what is sent."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from battles import serialization, services
from battles.models import Battle
from tests.battles_web.fights import BOOKS, advised, asked, begun, player
from tests.browser.looks import OPEN_LINE, Held, hears, is_look
from tests.browser.test_fight import SPOIL, Field


@pytest.fixture
def ground(live_server: Any) -> Field:
    return Field(live_server)


@pytest.fixture
def battle(ground: Field) -> Battle:
    return begun(ground.people, BOOKS[0])


@pytest.fixture
def mine(ground: Field, battle: Battle, browser: Browser) -> Iterator[Page]:
    """The page of the side that is asked, once it has looked for what was new as it was opened."""
    side = asked(battle)
    assert side is not None
    page = ground.session(browser, player(ground.people, side))
    page.add_init_script(OPEN_LINE)
    with page.expect_response(lambda response: is_look(response.request)):
        page.goto(ground.of(battle))
    yield page
    page.context.close()


def goes_on(ground: Field, battle: Battle) -> str:
    """Return the side that is asked acts from elsewhere; return the place where the battle then
    stands.
    """
    side, now = asked(battle), Battle.objects.get(pk=battle.pk)
    assert side is not None
    user = player(ground.people, side)
    return serialization.cursor_of(
        services.act(battle.pk, user, advised(battle), expected=serialization.cursor_of(now))
    )


def test_news_that_come_during_a_look_are_looked_at_after_it(
    ground: Field, battle: Battle, mine: Page
) -> None:
    looks = Held(mine, "/fight/", "GET")
    goes_on(ground, battle)
    hears(mine)
    looks.wait(1)
    answered = looks.routes[0].fetch()
    place = goes_on(ground, battle)
    hears(mine)
    hears(mine)
    looks.routes[0].fulfill(response=answered)
    looks.wait(2)
    looks.let_go(1)
    expect(mine.locator("#fight")).to_have_attribute("data-place", place)


NEXT_PICTURE = """() => {
  const isBusy = () => document.querySelector("#fight").getAttribute("aria-busy") === "true";
  const next = () => requestAnimationFrame(() => (window.shownAtOnce = isBusy()));
  addEventListener("click", next, { capture: true });
}"""
"""Notes whether the page shows in the first picture after a press that it works."""


def test_what_is_said_to_an_action_is_shown_whatever_is_heard_meanwhile(
    battle: Battle, mine: Page
) -> None:
    answers, looks = Held(mine, "/fight/act/", "POST"), Held(mine, "/fight/", "GET")
    hears(mine)
    looks.wait(1)
    mine.evaluate(SPOIL)
    mine.evaluate(NEXT_PICTURE)
    button = mine.locator("#turn-form form[data-spoilt] button").first
    button.click()
    answers.wait(1)
    expect(mine.locator("#fight")).to_have_attribute("aria-busy", "true")
    mine.wait_for_function("window.shownAtOnce !== undefined")
    assert mine.evaluate("shownAtOnce")
    ink = mine.evaluate("getComputedStyle(document.body).color")
    expect(button).to_have_css("background-color", ink)
    hears(mine)
    answers.let_go(0)
    expect(mine.locator("#why")).to_be_visible()
    looks.wait(2)
    looks.let_go(1)


CUT = """(cards) => cards.filter((card) => {
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const seen = (x, y) => card.contains(document.elementFromPoint(x, y));
  return !seen(left + 3, (top + bottom) / 2) || !seen(right - 3, (top + bottom) / 2);
}).map((card) => card.textContent)"""
"""Returns the cards of which an end is hidden."""


def test_an_umpire_sees_every_card_of_both_hands(
    ground: Field, battle: Battle, browser: Browser
) -> None:
    page = ground.session(browser, ground.people.umpire)
    page.goto(ground.of(battle))
    for width, height in ((1440, 900), (1280, 720), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".hand")).to_have_count(2)
        assert page.locator(".in-hand").evaluate_all(CUT) == []
    page.set_viewport_size({"width": 390, "height": 844})
    waits = page.locator("#waits")
    assert waits.evaluate("line => line.getBoundingClientRect().right <= innerWidth")
    page.context.close()


def test_what_an_umpire_has_begun_to_write_outlives_the_news(
    ground: Field, battle: Battle, browser: Browser
) -> None:
    page = ground.session(browser, ground.people.umpire)
    page.add_init_script(OPEN_LINE)
    with page.expect_response(lambda response: is_look(response.request)):
        page.goto(ground.of(battle))
    goes_on(ground, battle)
    page.get_by_text("As the umpire").click()
    page.get_by_text("How to read the field").click()
    fusiliers = page.locator("#corrected option", has_text="Irish Fusiliers")
    unit = fusiliers.get_attribute("value") or ""
    page.locator("#corrected").select_option(unit)
    page.locator("#left").fill("2")
    page.locator("#why-corrected").fill("Miscounted")
    place = goes_on(ground, battle)
    hears(page)
    expect(page.locator("#fight")).to_have_attribute("data-place", place)
    expect(page.locator(".key")).to_have_attribute("open", "")
    expect(page.locator("#corrected")).to_have_value(unit)
    expect(page.locator("#why-corrected")).to_have_value("Miscounted")
    assert page.locator("#entry").evaluate("list => list.selectedIndex") == 0
    page.get_by_role("button", name="Save the correction").click()
    expect(page.locator(".fight-log")).to_contain_text("Miscounted")
    expect(page.locator("#why-corrected")).to_have_value("")
    page.get_by_role("button", name="Pause the battle").click()
    page.get_by_role("button", name="Let the battle go on").click()
    expect(page.locator("#waits")).not_to_contain_text("paused")
    page.context.close()
