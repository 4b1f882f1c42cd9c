"""map.js in a real browser: pan, zoom, layers, hexes, stacks, and what is remembered."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from campaign.cartography import base_map, chart, overlay
from campaign.rules.map import sudan
from tests.browser.stage import at_rest, wait_for
from tests.positions import besieged_khartoum, el_teb

STATIC = files("campaign") / "static" / "campaign"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
)
PAGE = """<!doctype html><html lang="en-GB"><meta name="viewport" content="width=device-width">
<title>Map</title><link rel="stylesheet" href="/ink.css"><link rel="stylesheet" href="/map.css">
<link rel="stylesheet" href="/page.css"><script type="module" src="/map.js"></script>
<section class="map" aria-label="Map" data-key="test" data-panel="#hex">%s</section>
<div id="hex"></div>"""
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


EL_TEB = overlay(sudan(), el_teb())


@cache
def drawn() -> dict[str, str]:
    """Return the page and its drawings, by path."""
    drawing = chart(sudan(), besieged_khartoum(), "/sheet.svg", "/hex/0000/")
    return {
        "": PAGE % drawing,
        "page.css": "body{margin:0}.map{height:80vh}",
        "sheet.svg": base_map(sudan()),
    }


def answer(route: Route) -> None:
    """The page, its files, and a line about any hex but 0001, as a server would give them."""
    path = route.request.url.removeprefix("http://map.test/")
    if path.startswith("hex/"):
        status = 500 if path == "hex/0001/" else 200
        route.fulfill(status=status, body=f"<p>All about {path}</p>", content_type="text/html")
        return
    own = drawn()
    body = own[path] if path in own else (STATIC / path).read_text("utf-8")
    kind = TYPES.get(path.rpartition(".")[2], "text/html")
    route.fulfill(body=body, content_type=kind, headers={"Content-Security-Policy": POLICY})


def opened(page: Page) -> Page:
    faults: list[str] = []
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.route("http://map.test/**", answer)
    page.goto("http://map.test/")
    page.wait_for_selector(".map[data-ready]")
    assert faults == []
    return page


@pytest.fixture
def desk(page: Page) -> Page:
    return opened(page)


@pytest.fixture
def hand(phone: Page) -> Page:
    return opened(phone)


def view(page: Page) -> list[float]:
    at_rest(page)
    box = page.locator("svg.chart").get_attribute("viewBox") or ""
    return [float(number) for number in box.split()]


def khartoum(page: Page):
    return page.locator('.stack[data-hex="2042"]')


def whole(page: Page) -> None:
    """Show the whole map."""
    page.get_by_label("The whole map").click()


def test_a_desk_begins_with_the_map_as_wide_as_its_frame(desk: Page):
    first = view(desk)[2]
    whole(desk)
    assert first < view(desk)[2]


def test_the_whole_sheet_is_shown_by_a_button(desk: Page):
    whole(desk)
    x, y, wide, high = view(desk)
    assert x <= -190
    assert y <= -190
    assert wide >= 5990
    assert high >= 7088


def test_a_telephone_begins_near_enough_to_read_and_press(hand: Page):
    assert view(hand)[2] < 3000
    for button in hand.locator(".map-tools button, .map-layers summary").all():
        box = button.bounding_box()
        assert box is not None
        assert box["width"] >= 44
        assert box["height"] >= 44


def test_buttons_wheel_and_keys_zoom(desk: Page):
    whole(desk)
    wide = [view(desk)[2]]
    desk.get_by_label("Zoom in").click()
    wide.append(view(desk)[2])
    desk.mouse.move(700, 400)
    turn_wheel(desk, -300)
    wide.append(view(desk)[2])
    desk.locator(".map").focus()
    desk.keyboard.press("+")
    wide.append(view(desk)[2])
    assert wide == sorted(wide, reverse=True)
    assert len(set(wide)) == 4
    desk.keyboard.press("0")
    assert view(desk)[2] == pytest.approx(wide[0])


def turn_wheel(page: Page, by: int) -> None:
    """Turn the mouse's wheel, and wait until the map has felt it."""
    chart = page.locator("svg.chart")
    before = chart.get_attribute("viewBox") or ""
    page.mouse.wheel(0, by)
    expect(chart).not_to_have_attribute("viewBox", before)


def test_the_wheel_keeps_what_is_under_it_in_place(desk: Page):
    def under() -> list[float]:
        x, y, wide, high = view(desk)
        return [x + wide * 900 / 1440, y + high * 300 / 720]

    before = under()
    desk.mouse.move(900, 300)
    turn_wheel(desk, -500)
    assert under() == pytest.approx(before, abs=2)


def test_dragging_and_arrows_move_it(desk: Page):
    first = view(desk)
    desk.mouse.move(700, 400)
    desk.mouse.down()
    desk.mouse.move(600, 350, steps=4)
    desk.mouse.up()
    second = view(desk)
    assert second[0] > first[0]
    assert second[1] > first[1]
    assert desk.locator("#hex").inner_text() == ""
    desk.locator(".map").focus()
    desk.keyboard.press("ArrowLeft")
    assert view(desk)[0] < second[0]


def test_a_layer_can_be_taken_off_and_stays_off(desk: Page):
    desk.locator(".map-layers summary").click()
    desk.get_by_label("Counters").uncheck()
    expect(khartoum(desk)).to_be_hidden()
    desk.reload()
    desk.wait_for_selector(".map[data-ready]")
    expect(khartoum(desk)).to_be_hidden()


def test_the_view_is_remembered(desk: Page):
    desk.get_by_label("Zoom in").click()
    before = view(desk)
    desk.reload()
    desk.wait_for_selector(".map[data-ready]")
    assert view(desk) == pytest.approx(before)


def heard(page: Page, times: int = 1) -> list[dict[str, Any]]:
    wait_for(page, f"window.told.length >= {times}")
    told: list[dict[str, Any]] = page.evaluate("window.told")
    return told


def listen(page: Page) -> None:
    page.evaluate("window.told = []; addEventListener('hex', (e) => window.told.push(e.detail))")


def test_pressing_a_stack_opens_it_and_tells_of_its_hex(desk: Page):
    listen(desk)
    khartoum(desk).click()
    assert heard(desk) == [{"hex": "2042", "side": "egyptian"}]
    desk.get_by_text("All about hex/2042/").wait_for()
    expect(khartoum(desk)).to_have_attribute("aria-expanded", "true")
    expect(desk.locator(".stack.open .fan")).to_be_visible()
    desk.locator(".map").focus()
    desk.keyboard.press("Escape")
    expect(khartoum(desk)).to_have_attribute("aria-expanded", "false")


def test_an_opened_stack_is_brought_wholly_into_view(desk: Page):
    middle = middle_of("2042")
    look_at(desk, middle["x"] - 1150, middle["y"] - 520, 0.6)
    desk.mouse.click(*on_screen(desk, "2042"))
    view(desk)
    fan, frame = (desk.locator(one).bounding_box() for one in (".open .fan", ".map"))
    assert fan is not None
    assert frame is not None
    assert fan["x"] + fan["width"] <= frame["width"] + 1
    assert fan["y"] + fan["height"] <= frame["height"] + 1


def test_a_stack_is_opened_by_key(desk: Page):
    khartoum(desk).focus()
    desk.keyboard.press("Enter")
    desk.get_by_text("All about hex/2042/").wait_for()
    expect(khartoum(desk)).to_have_attribute("aria-expanded", "true")


def test_the_hex_under_the_pointer_is_reckoned(desk: Page):
    for number in ("2642", "2743", "1000", "0600"):
        middle = middle_of(number)
        look_at(desk, middle["x"], middle["y"], 0.6)
        listen(desk)
        for dx, dy in ((0, 0), (30, 0), (-30, 0), (0, 28), (0, -28), (18, 24), (-18, -24)):
            desk.mouse.click(720 + dx, 360 + dy)
        assert {told["hex"] for told in heard(desk, 7)} == {number}


def on_screen(page: Page, number: str) -> tuple[float, float]:
    """Return where the middle of a hex is on the screen."""
    x, y, wide, _ = view(page)
    box = page.locator("svg.chart").bounding_box()
    assert box is not None
    scale, middle = box["width"] / wide, middle_of(number)
    return (box["x"] + scale * (middle["x"] - x), box["y"] + scale * (middle["y"] - y))


def look_at(page: Page, x: float, y: float, scale: float) -> None:
    """Open the page anew with that point of the sheet in the middle."""
    view(page)
    kept = json.dumps({"x": x, "y": y, "scale": scale, "off": []})
    page.evaluate("(kept) => sessionStorage.setItem('map:test', kept)", kept)
    page.reload()
    page.wait_for_selector(".map[data-ready]")


def middle_of(number: str) -> dict[str, int]:
    column, row = divmod(int(number), 100)
    return {"x": 60 + 90 * column, "y": 104 * row + (52 if column % 2 else 104)}


def test_a_finger_beside_a_stack_means_the_stack(hand: Page):
    listen(hand)
    x, y = on_screen(hand, "2042")
    hand.touchscreen.tap(x - 18, y)
    assert heard(hand) == [{"hex": "2042", "side": "egyptian"}]


def test_a_hex_named_elsewhere_on_the_page_is_brought_into_view(desk: Page):
    desk.evaluate(
        "document.querySelector('.map')"
        ".dispatchEvent(new CustomEvent('show', { detail: { hex: '5419' } }))"
    )
    desk.get_by_text("All about hex/5419/").wait_for()
    expect(desk.locator(".map-told")).to_have_text("5419 · SOUAKIM")


def test_another_month_can_be_laid_over_the_same_sheet(desk: Page):
    stands_off = desk.locator('.place[data-hex="2042"] text').first
    before = stands_off.get_attribute("style") or ""
    desk.evaluate("(next) => { document.querySelector('#standing').outerHTML = next }", EL_TEB)
    expect(khartoum(desk)).to_have_count(0)
    whole(desk)
    graham = desk.locator('.stack[data-hex="5722"]')
    graham.click()
    expect(graham).to_have_attribute("aria-expanded", "true")
    expect(desk.locator(".layer-counters ~ .chosen, .chosen:has(~ .layer-counters)")).to_have_count(
        1
    )
    expect(stands_off).not_to_have_attribute("style", before)


def test_a_hex_that_cannot_be_told_about_is_said_so(page: Page):
    page.route("http://map.test/**", answer)
    page.goto("http://map.test/")
    page.wait_for_selector(".map[data-ready]")
    page.evaluate(
        "document.querySelector('.map')"
        ".dispatchEvent(new CustomEvent('show', { detail: { hex: '0001' } }))"
    )
    page.get_by_text("Hex 0001 cannot be shown: the server answers 500.").wait_for()


def test_lesser_names_are_shown_from_nearby_only(desk: Page):
    halfaya = desk.locator(".place", has_text="HALFAYA")
    expect(halfaya).to_be_hidden()
    for _ in range(3):
        desk.get_by_label("Zoom in").click()
        view(desk)
    expect(halfaya).not_to_have_css("display", "none")


def test_a_hex_out_of_sight_is_brought_into_view(desk: Page):
    for _ in range(3):
        desk.get_by_label("Zoom in").click()
        view(desk)
    desk.evaluate(
        "hex => document.querySelector('.map').dispatchEvent("
        "new CustomEvent('show', { detail: { hex } }))",
        "2143",
    )
    view(desk)
    expect(desk.locator(".map-told")).to_contain_text("2143")
    expect(desk.locator(".chosen")).to_be_in_viewport()


CROSSED = """() => {
  const hexOf = (one) => one.closest("[data-hex]").dataset.hex;
  const boxes = (which) => [...document.querySelectorAll(which)]
    .filter((one) => one.checkVisibility())
    .map((one) => ({ of: hexOf(one), box: one.getBoundingClientRect() }));
  const share = ({ box: a }, { box: b }) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 0 && high > 0 ? (wide * high) / (a.width * a.height) : 0;
  };
  const names = boxes(".place text");
  const under = [...names, ...boxes(".stack > .c > .unit")];
  return names.flatMap((one) => under.filter((other) => other !== one && share(one, other) > 0.1)
    .map((other) => `${one.of} ${other.of}`));
}"""
"""Names a tenth of which lies on another name or on a counter, by their hexes."""


def test_names_keep_clear_of_counters_and_each_other(desk: Page):
    for step in range(3):
        if step:
            desk.get_by_label("Zoom in").click()
            view(desk)
        assert desk.locator(".place text").evaluate_all(
            "(all) => all.some((one) => one.checkVisibility())"
        )
        wait_for(desk, f"({CROSSED})().length === 0")


def test_on_a_telephone_names_keep_clear_of_counters_and_each_other(hand: Page):
    wait_for(hand, f"({CROSSED})().length === 0")
    hand.get_by_label("The whole map").click()
    view(hand)
    wait_for(hand, f"({CROSSED})().length === 0")
