"""A telephone held upright: nothing wider than it, nothing too small for a finger."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import Stage

PAGES = ("/", "/rules/", "/about/", "/accounts/login/", "/new-campaign/", "/nowhere/")
FINGER = 44  # pixels

TOO_SMALL = """least => {
  const inText = (element) => element.matches('a')
    && getComputedStyle(element).display.startsWith('inline')
    && element.closest('p, td, th, dd, li, caption, summary');
  return [...document.querySelectorAll('a, button, summary, input, select')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !inText(element))
    .filter((element) => !element.closest('label') && !element.matches('.skip, .unseen *'))
    .map((element) => [element.getBoundingClientRect(), element])
    .filter(([box]) => box.width && box.height && Math.min(box.width, box.height) < least - 0.5)
    .map(([box, element]) =>
      `${Math.round(box.width)} x ${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`);
}"""


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server)


def is_too_wide(phone: Page) -> bool:
    return bool(phone.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_no_page_is_wider_than_the_telephone(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    for path in PAGES:
        phone.goto(stage.at(path))
        assert not is_too_wide(phone), path
        assert phone.evaluate(TOO_SMALL, FINGER) == [], path


def test_no_page_of_a_campaign_is_either(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    for path in ("", "1884-02/", "1884-03/hex/2042/", "dice/", "trace/"):
        stage.visit(phone, stage.page + path)
        assert not is_too_wide(phone), path
        assert phone.evaluate(TOO_SMALL, FINGER) == [], path


def test_the_set_up_fits_too(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    phone.goto(stage.to_set_up() + "set-up/arrange/")
    assert not is_too_wide(phone)
    assert phone.evaluate(TOO_SMALL, FINGER) == []


def test_the_map_fills_the_screen_and_the_sheet_is_drawn_up_over_it(
    stage: Stage, phone: Page
) -> None:
    stage.open(phone)
    box = phone.locator("#map").bounding_box()
    assert box is not None
    assert box["width"] == 390
    assert box["height"] > 0.8 * 844
    phone.get_by_role("link", name="Despatches").tap()
    expect(phone.get_by_role("heading", name="Despatches")).to_be_in_viewport()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()


def test_a_stack_that_is_tapped_is_told_of_in_the_sheet(stage: Stage, phone: Page) -> None:
    stage.open(phone, stage.page + "set-up/")
    phone.locator('.stack[data-hex="3127"]').first.tap()
    heading = phone.locator("#hex").get_by_role("heading", name="Berber")
    expect(heading).to_be_in_viewport()


def test_the_scrubber_is_at_hand(stage: Stage, phone: Page) -> None:
    stage.open(phone)
    expect(phone.get_by_role("slider", name="Month shown")).to_be_in_viewport()
    phone.get_by_role("link", name="Back to March 1884").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("March 1884")
