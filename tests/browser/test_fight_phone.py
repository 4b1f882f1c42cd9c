"""A battle in progress on a telephone: room for fingers, two fingers at once, tabs to read."""

import pytest
from playwright.sync_api import Page, expect

from battles import services
from battles.models import Battle
from tests.battles_web.fights import advised, mostly
from tests.browser.stage import NEXT_FRAME, wait_for
from tests.browser.test_fight import ADVICE, Field, ground, moved_on, place
from tests.browser.test_fight_shell import bottom

__all__ = ["ground"]

SMALL = """() => [...document.querySelectorAll("#battle :is(button, select, summary, a[href])")]
  .filter((one) => !one.closest("svg") && one.checkVisibility())
  .map((one) => {
    const [box, more] = [one.getBoundingClientRect(), getComputedStyle(one, "::after")];
    const around = more.position === "absolute" ? Math.max(0, -2 * parseFloat(more.top)) : 0;
    return [Math.min(box.height, box.width) + around, one.outerHTML.slice(0, 120)];
  })
  .filter(([size]) => size && size < 43.5)"""
"""Finds what is too small for a finger; a term of the book within a sentence has room round it."""


def take_advice(phone: Page, battle: Battle) -> None:
    """Let the computer play the next step, and wait for the question after it."""
    before = place(battle)
    phone.get_by_role("button", name=ADVICE).tap()
    moved_on(phone, before)


def until_a_unit_may_go(phone: Page, battle: Battle) -> None:
    """Play on until the question is where a unit goes."""
    for _ in range(24):
        if phone.locator("#field .offer.go").count():
            return
        choose = phone.locator("#turn-form .of-next button:not(.more), #turn-form .of-go button")
        march = phone.get_by_role("button", name="March", exact=True)
        before = place(battle)
        if march.count():
            march.tap()
            phone.get_by_role("button", name="Give these orders").tap()
            moved_on(phone, before)
            before = place(battle)
            phone.get_by_role("button", name="All orders are given").tap()
        elif choose.count():
            choose.first.tap()
        else:
            phone.get_by_role("button", name=ADVICE).tap()
        moved_on(phone, before)
    pytest.fail("No unit was asked where it goes.")


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_on_a_phone_everything_that_is_pressed_has_room_for_a_finger(
    ground: Field, phone: Page, book: str
) -> None:
    battle = ground.open_alone(phone, book)
    for _ in range(4):
        assert phone.evaluate(SMALL) == []
        offers = phone.locator("#field .offer.go")
        if offers.count():
            offers.first.dispatch_event("click")
            phone.locator("#picked, #tried").first.wait_for()
            assert phone.evaluate(SMALL) == []
        take_advice(phone, battle)


@pytest.mark.parametrize("book", mostly("restless"))
def test_on_a_phone_the_field_stays_and_the_page_never_scrolls(
    ground: Field, phone: Page, book: str
) -> None:
    battle = ground.open_alone(phone, book)
    for _ in range(3):
        take_advice(phone, battle)
        assert phone.evaluate("scrollY") == 0
        assert bottom(phone, "#field svg") < 844 * 0.7
        title = phone.locator("#turn-form-title").bounding_box()
        assert title
        assert title["y"] < 844


TABS = """() => {
  const tabs = [...document.querySelectorAll("#field .tab:not(.crowded-out)")];
  const boxes = tabs.map((tab) => ({
    unit: tab.dataset.tab,
    cells: [...tab.querySelectorAll("rect")]
      .map((one) => one.getBoundingClientRect()).filter(({ height }) => height),
  }));
  const edges = ({ unit, cells }) => ({
    unit,
    high: Math.round(cells[0].height),
    left: Math.min(...cells.map((one) => one.left)),
    right: Math.max(...cells.map((one) => one.right)),
    top: cells[0].top,
    bottom: cells[0].bottom,
  });
  const all = boxes.map(edges);
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  return {
    low: Math.min(...all.map(({ high }) => high)),
    upon: all.flatMap((one, n) => all.slice(n + 1).filter((other) => meet(one, other))
      .map((other) => [one.unit, other.unit])),
    thin: document.querySelectorAll("#field .tab.thin").length,
    hidden: document.querySelectorAll("#field .tab.crowded-out").length,
    all: document.querySelectorAll("#field .tab").length,
  };
}"""
"""Finds the tabs that lie upon each other, and counts those that show less than all."""


@pytest.mark.parametrize("as_drawn_up", [False, True], ids=["deployment", "battle"])
@pytest.mark.parametrize("book", mostly("fuzzy-wuzzy"))
def test_on_a_phone_no_tab_lies_upon_another(
    ground: Field, phone: Page, book: str, *, as_drawn_up: bool
) -> None:
    ground.open_alone(phone, book, as_drawn_up=as_drawn_up)
    far = phone.evaluate(TABS)
    assert far["all"]
    assert far["upon"] == []
    assert far["low"] >= 12
    assert far["hidden"] == 0
    for _ in range(4):
        phone.get_by_role("button", name="Zoom in").tap()
    near = phone.evaluate(TABS)
    assert (near["thin"], near["hidden"]) == (0, 0)


class Fingers:
    """Two fingers on the screen of a page, side by side about a point."""

    def __init__(self, page: Page, x: float, y: float) -> None:
        self.client = page.context.new_cdp_session(page)
        self.x, self.y = x, y

    def spread(self, start: float, end: float) -> None:
        """Put both fingers down `start` pixels apart, and move them until they are `end` apart."""
        self._send("touchStart", start)
        for share in range(1, 9):
            self._send("touchMove", start + (end - start) * share / 8)
        self._send("touchEnd", None)

    def _send(self, kind: str, apart: float | None) -> None:
        places = [] if apart is None else [self.x - apart / 2, self.x + apart / 2]
        points = [{"x": x, "y": self.y, "id": number} for number, x in enumerate(places)]
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_magnify_the_field_and_leave_the_page_where_it_is(
    ground: Field, phone: Page
) -> None:
    battle = ground.open_alone(phone, "redcoats")
    svg = phone.locator("#field svg")
    whole, box = svg.get_attribute("viewBox") or "", svg.bounding_box()
    assert box
    before = place(battle)
    fingers = Fingers(phone, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    fingers.spread(60, 240)
    expect(svg).not_to_have_attribute("viewBox", whole)
    wide = [float(one.split()[2]) for one in (whole, svg.get_attribute("viewBox") or "")]
    assert 3 < wide[0] / wide[1] <= 4.01
    view = "[scrollX, scrollY, document.querySelector('#rest').scrollTop, visualViewport.scale]"
    assert phone.evaluate(view) == [0, 0, 0, 1]
    fingers.spread(240, 40)
    expect(svg).to_have_attribute("viewBox", whole)
    assert phone.evaluate(view) == [0, 0, 0, 1]
    assert place(battle) == before  # a pinch presses nothing


CUT = """() => {
  const box = document.querySelector("#result .entries");
  const foot = box.getBoundingClientRect().bottom;
  const words = [...box.querySelectorAll("p")].flatMap((one) => {
    const found = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), boxes = [];
    while (found.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(found.currentNode);
      boxes.push(...range.getClientRects());
    }
    return boxes;
  });
  const dice = [...box.querySelectorAll(".die, .card-face")]
    .map((one) => one.getBoundingClientRect());
  return words.filter(({ top, bottom }) => top < foot - 4 && bottom > foot + 4).length
    + dice.filter(({ top, bottom }) => top < foot - 4 && bottom > foot + 0.5).length;
}"""
"""Counts the words, dice and cards of the last result that its edge cuts."""


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_on_a_phone_the_last_result_ends_between_two_lines(
    ground: Field, phone: Page, book: str
) -> None:
    battle = ground.open_alone(phone, book)
    for _ in range(8):
        take_advice(phone, battle)
        wait_for(phone, NEXT_FRAME)
        if phone.locator("#result .entries").count():
            assert phone.evaluate(CUT) == 0


def test_on_a_phone_a_hint_that_is_cut_is_read_whole_after_a_touch(
    ground: Field, phone: Page
) -> None:
    battle = ground.open_alone(phone, "redcoats")
    until_a_unit_may_go(phone, battle)
    hint = phone.locator("#hint")
    expect(hint).to_have_attribute("aria-expanded", "false")
    hint.tap()
    expect(hint).to_have_attribute("aria-expanded", "true")
    assert hint.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    hint.press("Enter")
    expect(hint).to_have_attribute("aria-expanded", "false")


def test_on_a_phone_a_list_has_its_whole_choice_beneath(ground: Field, phone: Page) -> None:
    ground.open_alone(phone, "restless")
    group = phone.locator("#turn-form .group", has=phone.locator(".ways.of-at-once"))
    choices = group.locator("option").all_text_contents()
    for number in (0, 1):
        group.locator("select").select_option(index=number)
        expect(group.locator(".in-full")).to_have_text(choices[number].strip())
        expect(group.locator(".in-full")).to_be_visible()


def test_a_lost_connection_is_said_and_the_press_can_be_made_again(
    ground: Field, phone: Page
) -> None:
    battle = ground.open_alone(phone, "restless")
    before = place(battle)
    lost = phone.locator("#offline")
    phone.route("**/act/", lambda route: route.abort("internetdisconnected"))
    phone.get_by_role("button", name=ADVICE).tap()
    expect(lost).to_contain_text("No connection.")
    assert place(battle) == before
    phone.unroute("**/act/")
    phone.route("**/act/", lambda route: route.fulfill(status=502, body="Bad gateway"))
    phone.get_by_role("button", name=ADVICE).tap()
    expect(lost).to_contain_text("The server is busy or being restarted.")
    assert place(battle) == before
    phone.unroute("**/act/")
    take_advice(phone, battle)
    expect(lost).to_be_empty()
    phone.context.set_offline(True)
    expect(lost).to_contain_text("No connection.")
    before = place(battle)
    services.act(battle.pk, ground.people.umpire, advised(battle), expected=before)
    phone.context.set_offline(False)
    moved_on(phone, before)  # what has happened meanwhile
    expect(lost).to_be_empty()


def test_the_line_of_a_lost_connection_goes_once_the_server_is_back_and_a_choice_stays(
    ground: Field, phone: Page
) -> None:
    battle = ground.open_alone(phone, "restless")
    before = place(battle)
    choice = phone.locator("#turn-form .ways.of-at-once select")
    choice.select_option(index=1)
    lost = phone.locator("#offline")
    phone.route("**/fight/**", lambda route: route.abort("connectionrefused"))
    with phone.expect_request(lambda request: request.method == "HEAD"):
        phone.locator("#turn-form .ways.of-at-once button").tap()
        expect(lost).to_contain_text("No connection.")
    expect(lost).to_contain_text("No connection.")
    phone.unroute("**/fight/**")
    expect(lost).to_be_empty()
    assert choice.evaluate("one => one.selectedIndex") == 1
    assert place(battle) == before


LOW = [(844, 390), (667, 375)]


@pytest.mark.parametrize(("wide", "high"), LOW)
def test_on_its_side_a_phone_shows_the_question_beside_the_whole_field(
    ground: Field, phone: Page, wide: int, high: int
) -> None:
    ground.log_in(phone, ground.people.umpire)
    phone.set_viewport_size({"width": wide, "height": high})
    phone.goto(ground.of(ground.against_the_computer("restless")))
    field = phone.locator("#field svg").bounding_box()
    rest = phone.locator("#rest").bounding_box()
    assert field
    assert rest
    assert field["y"] + field["height"] <= high
    assert field["height"] > high * 0.55
    assert rest["x"] >= field["x"] + field["width"] - 1
    assert rest["height"] > high * 0.55
    phone.get_by_role("button", name=ADVICE).scroll_into_view_if_needed()
    expect(phone.get_by_role("button", name=ADVICE)).to_be_in_viewport(ratio=1)


def test_with_letters_of_double_size_everything_is_reached(ground: Field, phone: Page) -> None:
    """Half the pixels in each direction, as a browser has that shows the page at 200%."""
    ground.log_in(phone, ground.people.umpire)
    phone.set_viewport_size({"width": 195, "height": 422})
    battle = ground.against_the_computer("restless")
    phone.goto(ground.of(battle))
    assert phone.evaluate("document.documentElement.scrollWidth") == 195
    skip = phone.locator(".skip").bounding_box()
    assert skip
    assert skip["y"] + skip["height"] <= 0  # out of sight until it has the focus
    for button in phone.locator("#turn-form button:visible").all():
        button.scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=0.9)
    take_advice(phone, battle)
