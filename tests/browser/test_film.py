"""A month as a film in the browser: played, paused, stepped, with reduced motion, and as stills."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.stage import Stage


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server)


@pytest.fixture
def film(stage: Stage, page: Page) -> Page:
    stage.open(page, stage.page + "1884-02/film/")
    return page


@pytest.fixture
def still(stage: Stage, browser: Browser) -> Iterator[Page]:
    """The page in a browser without scripts."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(stage.page + "1884-02/film/")
    yield page
    context.close()


DRAWN = """() => {
  const scene = (element) => element?.closest("[data-scene]").dataset.scene;
  const [shown, standing] = [".scenes [aria-current]", "#standing"].map(
    (selector) => scene(document.querySelector(selector)));
  return shown === standing;
}"""
"""Tells whether the counters stand as they do after the scene whose beat is shown."""


def test_the_despatches_lead_to_the_film(stage: Stage, page: Page) -> None:
    stage.open(page, stage.page + "1884-02/")
    page.get_by_role("link", name="Watch February 1884 as a film").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("February 1884")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_it_is_played_and_paused(film: Page) -> None:
    film.get_by_role("button", name="Play").click()
    expect(film.get_by_role("button", name="Pause")).to_be_visible()
    expect(film.locator(".scenes [aria-current]")).to_have_count(1)
    expect(film.locator("#reel")).not_to_have_value("0")
    film.get_by_role("button", name="Pause").click()
    place = film.locator("#reel").input_value()
    film.wait_for_timeout(1500)
    expect(film.locator("#reel")).to_have_value(place)


def test_it_is_stepped_on_and_back_with_its_arrows(film: Page) -> None:
    on = film.get_by_role("button", name="Step on")
    for _ in range(40):
        if film.locator(".ordered .head").count():
            break
        on.click()
        film.wait_for_function(DRAWN)
    expect(film.locator(".ordered .way").first).to_be_attached()
    film.get_by_role("button", name="Back to the start").click()
    expect(film.locator("#now-shown")).to_have_text("As the month began")
    expect(film.locator(".ordered .way")).to_have_count(0)


def test_a_scene_that_comes_late_does_not_replace_the_one_that_is_shown(film: Page) -> None:
    on = film.get_by_role("button", name="Step on")
    standing = film.locator("#standing")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    film.route("**/film/*.svg*", hold)
    while not held:
        on.click()
        film.wait_for_timeout(20)
    film.get_by_role("button", name="Back to the start").click()
    expect(standing).to_have_attribute("data-scene", "0")
    with film.expect_response("**/film/*.svg*") as late:
        held[0].continue_()
    late.value.finished()
    film.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    expect(standing).to_have_attribute("data-scene", "0")


def test_with_reduced_motion_no_counter_moves(film: Page) -> None:
    film.emulate_media(reduced_motion="reduce")
    film.evaluate(
        """() => {
          window.movers = 0;
          new MutationObserver((changes) => {
            for (const { addedNodes } of changes) {
              const added = [...addedNodes].map(({ classList }) => classList);
              const movers = added.filter((classes) => classes?.contains("mover"));
              window.movers += movers.length;
            }
          }).observe(document.querySelector("svg.chart"), { childList: true });
        }"""
    )
    for _ in range(4):
        film.get_by_role("button", name="Step on").click()
        film.wait_for_function(DRAWN)
    assert film.evaluate("window.movers") == 0


def test_a_scene_that_cannot_be_fetched_is_said_and_tried_again(film: Page) -> None:
    film.route("**/film/*.svg*", lambda route: route.abort())
    film.get_by_role("button", name="Step on").click()
    expect(film.locator("#now-shown")).to_contain_text("shown now: there is no connection.")
    film.unroute("**/film/*.svg*")
    film.get_by_role("button", name="Step back").click()
    film.get_by_role("button", name="Step on").click()
    expect(film.locator("#now-shown")).not_to_contain_text("cannot be shown now")


def test_without_scripts_there_are_stills(still: Page) -> None:
    expect(still.locator("#play")).to_be_hidden()
    expect(still.locator(".scenes img.standing").first).to_be_visible()


def test_a_counter_of_the_film_is_explained(film: Page) -> None:
    expect(film.get_by_text("How to read the counters")).to_be_visible()
    film.keyboard.press("Tab")
    film.locator('.stack.egyptian[data-hex="2042"]').focus()
    expect(film.locator("#counter-card")).to_be_visible()


def test_a_month_of_which_nothing_is_known_yet_says_so(stage: Stage, page: Page) -> None:
    stage.open(page, stage.page + "1884-04/film/")
    expect(page.get_by_text("Nothing of this month has reached you yet.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_have_count(0)
