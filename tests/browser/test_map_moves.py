"""The map is asked to move while it is moving: what is in view is measured by where it will be."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.stage import Stage

ASKED_TWICE = """([first, second]) => {
  const map = document.querySelector("#map");
  const ask = (hex, unless) =>
    map.dispatchEvent(new CustomEvent("look", { detail: { hexes: [hex], unless } }));
  ask(first, null);
  return new Promise((done) => setTimeout(() => {
    ask(second, second);
    setTimeout(done, 500);
  }, 0));
}"""
IN_VIEW = """(hex) => {
  const frame = document.querySelector("#map").getBoundingClientRect();
  const box = document.querySelector(`#map .stack[data-hex="${hex}"]`).getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return frame.left <= x && x <= frame.right && frame.top <= y && y <= frame.bottom;
}"""


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


def test_a_stack_that_is_about_to_leave_the_view_is_brought_back_into_it(
    stage: Stage, page: Page
) -> None:
    page.emulate_media(reduced_motion="no-preference")
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at(f"/campaigns/{stage.campaign.slug}/"))
    page.wait_for_selector("#map[data-ready]")
    stacks = page.locator("#map .stack").evaluate_all("all => all.map((one) => one.dataset.hex)")
    north, south = (
        min(stacks, key=lambda one: int(one) % 100),
        max(stacks, key=lambda one: int(one) % 100),
    )
    for _ in range(9):
        page.locator("#map").get_by_role("button", name="Zoom in").click()
    page.evaluate(ASKED_TWICE, [north, north])
    page.evaluate(ASKED_TWICE, [south, north])
    assert page.evaluate(IN_VIEW, north)
