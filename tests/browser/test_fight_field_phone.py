"""The field of a battle on a telephone: units in sight, numbers to touch, and what it shows."""

from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.battles_web.fights import BOOKS, mostly
from tests.browser.stage import NEXT_FRAME, wait_for
from tests.browser.test_fight import Field, ground, moved_on, place
from tests.browser.test_fight_phone import take_advice, until_a_unit_may_go
from tests.browser.test_fight_shell import ONE_REPLAY, REPLAYED

__all__ = ["ground"]


COVERED = """() => {
  const tabs = [...document.querySelectorAll("#field .tab:not(.crowded-out)")]
    .map((tab) => tab.getBoundingClientRect());
  const shared = (one, other, start, end) =>
    Math.max(0, Math.min(one[end], other[end]) - Math.max(one[start], other[start]));
  let [all, hidden] = [0, 0];
  for (const base of document.querySelectorAll("#field .piece .base:not(.gone)")) {
    const box = base.getBoundingClientRect();
    all += box.width * box.height;
    for (const tab of tabs) {
      hidden += shared(box, tab, "left", "right") * shared(box, tab, "top", "bottom");
    }
  }
  return hidden / all;
}"""
"""Measures the share of the units that tabs cover."""


@pytest.mark.parametrize("book", BOOKS)
def test_on_a_phone_tabs_leave_their_units_in_sight(ground: Field, phone: Page, book: str) -> None:
    ground.open_alone(phone, book)
    phone.locator("#field .tab").first.wait_for()
    assert phone.evaluate(COVERED) < 0.12


RULER = """() => {
  const view = document.querySelector("#field svg").getBoundingClientRect();
  const pixels = document.querySelector("#field svg").getScreenCTM().a;
  const shown = [...document.querySelectorAll("#field .square-name:not(.start)")].filter((one) => {
    const at = one.getBoundingClientRect();
    const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
    const isIn = x > view.left && x < view.right && y > view.top && y < view.bottom;
    return isIn && getComputedStyle(one).visibility === "visible";
  });
  const heights = shown.map((one) => parseFloat(getComputedStyle(one).fontSize) * pixels);
  return {
    north: shown.filter((one) => Number((one.dataset.at ?? "").split(" ")[1]) < 0).length,
    west: shown.filter((one) => Number((one.dataset.at ?? "").split(" ")[0]) < 0).length,
    least: Math.min(...heights),
  };
}"""
"""Counts the numbers of the ruler in view, and measures the smallest in pixels."""


@pytest.mark.parametrize("book", BOOKS)
def test_on_a_phone_the_ruler_is_legible_and_stays_in_view(
    ground: Field, phone: Page, book: str
) -> None:
    ground.open_alone(phone, book)
    phone.keyboard.press("0")
    for _ in range(3):
        ruler = phone.evaluate(RULER)
        assert ruler["least"] > 10.9
        assert ruler["north"]
        assert ruler["west"]
        phone.get_by_role("button", name="Zoom in").tap()


def tap_tab(phone: Page, unit: int) -> None:
    """Touch the middle of a unit's tab, wherever it has been moved to."""
    box = phone.locator(f'#field [data-tab="{unit}"] .tab-number').bounding_box()
    assert box
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_on_a_phone_a_touch_of_its_tab_chooses_a_unit(ground: Field, phone: Page) -> None:
    ground.open_alone(phone, "fuzzy-wuzzy")
    acting = phone.locator("#turn-form [name=unit]").first
    units = phone.locator("#unit option").evaluate_all("all => all.map((one) => one.value)")
    for unit in reversed(units):
        tap_tab(phone, int(unit))
        expect(acting).to_have_value(unit)


def test_on_a_phone_a_touch_of_its_tab_activates_a_unit(ground: Field, phone: Page) -> None:
    battle = ground.open_alone(phone, "restless")
    before = place(battle)
    tap_tab(phone, 6)
    moved_on(phone, before)
    expect(phone.locator("#turn-form-title")).to_contain_text("(6)")
    tap_tab(phone, 3)  # not its turn
    expect(phone.locator("#touched")).to_contain_text("Black Watch")
    tap_tab(phone, 6)
    expect(phone.locator("#told-of")).to_contain_text("6. Irish Fusiliers")
    expect(phone.locator("#tried")).to_have_count(0)


VIEW = """() => {
  const svg = document.querySelector("#field svg"), whole = svg.querySelector(".neat");
  const [frame, ring] = [svg, svg.querySelector(".offers .acting")].map(
    (one) => one?.getBoundingClientRect());
  return {
    wide: Number(svg.getAttribute("viewBox").split(" ")[2]),
    shows: Boolean(ring) && ring.left >= frame.left - 1 && ring.right <= frame.right + 1
      && ring.top >= frame.top - 1 && ring.bottom <= frame.bottom + 1,
  };
}"""
"""Tells how much of the field is shown, and whether the unit that acts is."""


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_on_a_phone_the_field_goes_near_what_is_asked_about(
    ground: Field, phone: Page, book: str
) -> None:
    battle = ground.open_alone(phone, book)
    whole = phone.evaluate(VIEW)["wide"]
    until_a_unit_may_go(phone, battle)
    near = phone.evaluate(VIEW)
    assert near["wide"] < whole * 0.8
    assert near["shows"]
    phone.get_by_role("button", name="The whole field").tap()
    assert phone.evaluate(VIEW)["wide"] == whole
    take_advice(phone, battle)
    until_a_unit_may_go(phone, battle)
    assert phone.evaluate(VIEW)["wide"] == whole  # the player's own choice stays
    phone.get_by_role("button", name="Near the acting unit").tap()
    again = phone.evaluate(VIEW)
    assert again["wide"] < whole * 0.8
    assert again["shows"]


def test_on_a_phone_a_replay_shows_the_whole_field_and_a_touch_ends_it_alone(
    ground: Field, phone: Page
) -> None:
    ground.log_in(phone, ground.people.umpire)
    phone.emulate_media(reduced_motion="no-preference")
    phone.clock.install()
    battle = ground.against_the_computer("redcoats")
    phone.goto(ground.of(battle))
    whole = phone.evaluate(VIEW)["wide"]
    replay = phone.get_by_role("button", name="Replay these steps")
    for _ in range(24):
        if phone.locator("#field .offer.go").count() and replay.count():
            break
        take_advice(phone, battle)
    phone.clock.run_for(ONE_REPLAY)
    wait_for(phone, REPLAYED)
    near = phone.evaluate(VIEW)["wide"]
    assert near < whole
    replay.tap()
    assert phone.evaluate(VIEW)["wide"] == whole
    before = phone.locator("#fight").get_attribute("data-key")
    target = phone.locator("#field .offer.go .shape").first.bounding_box()
    assert target
    phone.touchscreen.tap(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
    wait_for(phone, REPLAYED)
    assert phone.evaluate(VIEW)["wide"] == near
    wait_for(phone, NEXT_FRAME)
    assert phone.locator("#fight").get_attribute("data-key") == before


BESIDE = """() => {
  const svg = document.querySelector("#field svg"), frame = svg.getBoundingClientRect();
  const tabs = [...svg.querySelectorAll(".tab")].map((one) => one.getBoundingClientRect());
  const clear = (x, y) => !document.elementFromPoint(x, y).closest("a, .piece, button") &&
    tabs.every((one) => x < one.left || x > one.right || y < one.top || y > one.bottom);
  for (const ring of svg.querySelectorAll(".offers .look .shape")) {
    const box = ring.getBoundingClientRect();
    for (let turn = 0; turn < 360; turn += 15) {
      const [far, angle] = [box.width / 2 + 6, (turn * Math.PI) / 180];
      const x = (box.left + box.right) / 2 + far * Math.sin(angle);
      const y = (box.top + box.bottom) / 2 + far * Math.cos(angle);
      if (x > frame.left && x < frame.right && y < frame.bottom && clear(x, y)) return [x, y];
    }
  }
}"""
"""Finds a place close beside the ring of another unit, and on none."""


def test_on_a_phone_a_unit_is_placed_close_beside_another(ground: Field, phone: Page) -> None:
    ground.open_alone(phone, "restless", as_drawn_up=False)
    unit = phone.locator("#deploy [name=unit]").input_value()
    with phone.expect_request("**/act/") as sent:
        phone.touchscreen.tap(*phone.evaluate(BESIDE))
    assert f"unit={unit}&" in (sent.value.post_data or "")


UNDER_TOOLS = """() => {
  const tools = document.querySelector("#field-tools").getBoundingClientRect();
  return [...document.querySelectorAll("#field .offers a.offer .shape")].filter((shape) => {
    const { left, right, top, bottom } = shape.getBoundingClientRect();
    return left < tools.right && right > tools.left && top < tools.bottom && bottom > tools.top;
  }).length;
}"""
"""Counts the targets that the buttons of the view cover, whole or in part."""

MIDDLEMOST = """() => {
  const view = document.querySelector("#field svg").getBoundingClientRect();
  const middles = [...document.querySelectorAll("#field .offers a.offer .shape")].map((shape) => {
    const box = shape.getBoundingClientRect();
    return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  });
  const off = ([x, y]) => Math.hypot(
    x - (view.left + view.right) / 2, y - (view.top + view.bottom) / 2);
  return middles.sort((one, other) => off(one) - off(other))[0];
}"""
"""Returns the middle of the target nearest to the middle of the view."""


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_on_a_phone_no_target_lies_under_the_buttons_of_the_view(
    ground: Field, phone: Page, book: str
) -> None:
    battle = ground.open_alone(phone, book)
    until_a_unit_may_go(phone, battle)
    view = phone.locator("#field svg").bounding_box()
    assert view
    for across, down in product((40, view["width"] - 40), (22, view["height"] - 22)):
        phone.mouse.move(*phone.evaluate(MIDDLEMOST))
        phone.mouse.down()
        phone.mouse.move(view["x"] + across, view["y"] + down, steps=4)
        phone.mouse.up()
        assert phone.evaluate(UNDER_TOOLS) == 0
