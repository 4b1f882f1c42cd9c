"""A battle in progress: everything in view, the enemy's steps, and plans of two people."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from battles import services
from battles.models import Battle
from battles.web.fight_page import NOT_ITS_TURN, FightPage
from tests.battles_web.fights import BOOKS, advised, begun, mostly, player
from tests.browser.stage import NEXT_FRAME, wait_for
from tests.browser.test_fight import (
    ADVICE,
    SPOKEN,
    Field,
    alone,
    follow,
    ground,
    moved_on,
    place,
    waits,
)
from tests.browser.test_fight_clicks import Fighter

__all__ = ["alone", "ground"]

SIZES = [(1440, 900), (1024, 768)]
BELOW = """() => {
  const column = [...document.querySelectorAll(".beside, .turn-panel")].find(
    (one) => one.getClientRects().length && getComputedStyle(one).overflowY === "auto",
  ).getBoundingClientRect();
  const foot = Math.min(innerHeight, column.bottom) + 0.5;
  const parts = "#waits, .tally, #field svg, #turn-form-title, #why, .result .tools > *," +
    "#turn-form :is(button, select, input, summary)";
  return [...document.querySelectorAll(parts)].filter((one) => {
    const at = one.getBoundingClientRect();
    const out = at.bottom > foot || at.right > innerWidth + 0.5 || at.top < 0;
    return one.checkVisibility() && at.width && out;
  }).concat([...document.querySelectorAll("#turn-form .why-not")].filter(
    (one) => one.scrollHeight > one.clientHeight + 1,
  )).map((one) => one.outerHTML.slice(0, 120));
}"""
"""Finds what can be pressed or has to be read, and is not in view without a scroll."""
SOME_TURNS = 2
RESTLESS_CARDS = 8


def bottom(page: Page, part: str) -> float:
    shown = page.locator(part).first
    shown.wait_for()  # the page may be putting in what has changed
    box = shown.bounding_box()
    assert box, part
    return box["y"] + (box["height"] if part != "#turn-form" else 0)


def nothing_below_the_fold(page: Page) -> None:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        wait_for(page, NEXT_FRAME)
        where = page.locator("#turn-form-title").inner_text()
        assert page.evaluate(BELOW) == [], f"{where}, at {width} by {height}"


@pytest.mark.parametrize("book", mostly("fuzzy-wuzzy"))
def test_nothing_lies_below_the_fold_in_any_stage(ground: Field, alone: Page, book: str) -> None:
    battle = ground.against_the_computer(book, as_drawn_up=False)
    alone.goto(ground.of(battle))
    nothing_below_the_fold(alone)  # deployment
    alone.get_by_role("button", name="Fight as drawn up").click()
    alone.get_by_role("button", name="Fight as drawn up").wait_for(state="detached")
    fighter = Fighter(alone, battle, lambda target: target.click())
    turns: set[str] = set()
    while len(turns) < (RESTLESS_CARDS if book == "restless" else SOME_TURNS):
        if fighter.is_over:
            break
        turns.add(fighter.turn)
        nothing_below_the_fold(alone)
        offers = alone.locator("#field .offer.go, #field .offer.fire, #field .offer.charge")
        if offers.count():
            offers.last.dispatch_event("click")
            alone.locator("#picked, #tried").first.wait_for()
            nothing_below_the_fold(alone)  # a place of the field
            alone.get_by_role("link", name="All that can be done").click()
            alone.locator("#picked, #tried").first.wait_for(state="detached")
        fighter.decide()
    battle = fresh(fighter.battle)
    if not fighter.is_over:
        alone.goto("about:blank")  # which would go on to the end by itself
        services.finish(battle, ground.people.umpire)
    alone.goto(ground.of(battle))
    for width, height in SIZES:
        alone.set_viewport_size({"width": width, "height": height})
        for shown in (".lead", ".why", ".after", "#play"):
            box = alone.locator(shown).first.bounding_box()
            assert box
            assert box["y"] + box["height"] <= height, shown


@pytest.mark.parametrize("book", BOOKS[1:])
def test_a_refused_exact_place_stays_in_view(ground: Field, alone: Page, book: str) -> None:
    battle, user = ground.against_the_computer(book), ground.people.umpire
    while not (form := FightPage(battle, user, {}).turn_form) or not form.free:
        chosen = [one.action for one in form.choices if one.kind == "next"] if form else []
        action = chosen[0] if chosen else advised(battle)
        services.act(battle.pk, user, action, expected=place(battle))
        battle = fresh(battle)
    alone.goto(f"{ground.of(battle)}?unit={form.free.unit}&x=far&y=1")
    expect(alone.locator("#tried.wrong")).to_be_visible()
    expect(alone.locator("#free")).to_be_visible()
    nothing_below_the_fold(alone)


@pytest.mark.parametrize("book", mostly("restless"))
def test_in_a_high_window_the_log_stands_right_below_the_field(
    ground: Field, alone: Page, book: str
) -> None:
    alone.set_viewport_size({"width": 1024, "height": 768})
    alone.goto(ground.of(ground.against_the_computer(book)))
    frame, log, form = (
        alone.locator(part).bounding_box() for part in ("#field", ".fight-log", "#turn-form")
    )
    assert frame
    assert log
    assert form
    assert frame["height"] < frame["width"] * 0.85  # no strips above and below the drawing
    assert frame["y"] + frame["height"] <= log["y"] < frame["y"] + frame["height"] + 100
    assert log["x"] + log["width"] < form["x"]
    assert log["height"] > 64
    assert log["y"] + log["height"] <= 768


def test_a_field_is_magnified_and_keeps_its_view(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    whole = alone.locator("#field svg").get_attribute("viewBox")
    alone.get_by_role("button", name="Zoom in").click()
    near = alone.locator("#field svg").get_attribute("viewBox")
    assert near != whole
    before = place(battle)
    alone.get_by_role("button", name=ADVICE).click()
    moved_on(alone, before)
    wide = [float(box.split()[2]) for box in (whole or "", near or "")]
    assert float((alone.locator("#field svg").get_attribute("viewBox") or "").split()[2]) == wide[1]
    alone.keyboard.press("0")
    expect(alone.locator("#field svg")).to_have_attribute("viewBox", whole or "")


PRESS = """() => new Promise((done) => {
  const button = document.querySelector(".advice button"), fight = document.querySelector("#fight");
  new MutationObserver(() => requestAnimationFrame(() => done({
    busy: fight.getAttribute("aria-busy"),
    looks: getComputedStyle(button).backgroundColor,
  }))).observe(fight, { attributes: true, attributeFilter: ["aria-busy"] });
  button.click();
})"""
"""Presses a button, and reports how the page shows that it works in the frame after that."""


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_a_press_shows_that_it_works_before_the_server_answers(
    ground: Field, alone: Page, book: str
) -> None:
    alone.goto(ground.of(ground.against_the_computer(book)))
    alone.route("**/fight/act/", lambda route: None)  # a server that does not answer
    before = alone.locator(".advice button").evaluate(
        "one => getComputedStyle(one).backgroundColor"
    )
    seen = alone.evaluate(PRESS)
    assert seen["busy"] == "true"
    assert seen["looks"] != before
    alone.unroute("**/fight/act/")


def test_a_turn_by_keys_speaks_the_result_before_the_question(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    for _ in range(3):
        before = place(battle)
        alone.keyboard.press("c")
        moved_on(alone, before)
    assert alone.evaluate("document.activeElement.id") == "turn-form"
    said, result, question, _ = alone.evaluate(SPOKEN)
    assert result
    assert said.startswith(result)
    assert said.endswith(question)
    assert not set("♠♥♦♣★") & set(said)
    alone.keyboard.press("f")
    assert alone.evaluate("document.activeElement.id") == "field"
    alone.keyboard.press("q")
    assert alone.evaluate("document.activeElement.id") == "turn-form"
    before = place(battle)
    alone.keyboard.press("u")
    moved_on(alone, before)
    expect(alone.locator("#why")).to_have_count(0)


def test_shortcuts_are_switched_off_where_they_are_explained(ground: Field, alone: Page) -> None:
    """The browser keeps the choice; within the field its own keys still act."""
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    alone.get_by_text("Keyboard", exact=True).click()
    alone.get_by_label("Act on shortcuts of a single key").uncheck()
    before, whole = place(battle), alone.locator("#field svg").get_attribute("viewBox") or ""
    alone.reload()
    for key in "qcea1u+":
        alone.keyboard.press(key)
    assert alone.evaluate("document.activeElement === document.body")
    expect(alone.locator("#field svg")).to_have_attribute("viewBox", whole)
    alone.locator("#field").focus()
    alone.keyboard.press("+")
    expect(alone.locator("#field svg")).not_to_have_attribute("viewBox", whole)
    alone.get_by_text("Keyboard", exact=True).click()
    assert place(battle) == before
    alone.get_by_label("Act on shortcuts of a single key").check()
    alone.get_by_text("Keyboard", exact=True).focus()
    alone.keyboard.press("c")
    moved_on(alone, before)


def test_a_place_chosen_by_keys_is_spoken_with_what_can_be_done_there(
    ground: Field, alone: Page
) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    offer = alone.locator("#field a.offer.go").first
    for _ in range(24):
        if offer.count():
            break
        before = place(battle)
        alone.keyboard.press("c")
        moved_on(alone, before)
    offer.focus()
    alone.keyboard.press("Enter")
    at_place = alone.locator("#picked")
    first = at_place.locator("option:checked, .do .one > button:first-child").first
    words = " ".join((first.text_content() or "").split())
    assert words
    expect(alone.locator("#said")).to_contain_text(words)


def test_after_a_press_of_a_key_below_the_fold_the_question_is_in_view(
    ground: Field, alone: Page
) -> None:
    battle = ground.against_the_computer("restless")
    alone.set_viewport_size({"width": 1440, "height": 600})
    alone.goto(ground.of(battle))
    before = place(battle)
    alone.locator("#umpire summary").scroll_into_view_if_needed()
    alone.locator(".advice button").focus()
    alone.keyboard.press("End")
    expect(alone.locator("#turn-form-title")).not_to_be_in_viewport()
    alone.keyboard.press("c")
    moved_on(alone, before)
    expect(alone.locator("#turn-form")).to_be_focused()
    expect(alone.locator("#turn-form-title")).to_be_in_viewport(ratio=1)


def test_a_touched_unit_that_cannot_be_chosen_says_why(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("restless")
    alone.goto(ground.of(battle))
    before = place(battle)
    alone.locator("#turn-form .of-next button:not(.more)").first.click()  # the unit that acts
    moved_on(alone, before)
    page = FightPage(fresh(battle), ground.people.umpire, {})
    assert page.turn_form
    idle = next(
        line.number
        for army in page.armies
        for line in army.lines
        if army.side is page.turn_form.side
        and FightPage(
            fresh(battle), ground.people.umpire, {"unit": str(line.number)}
        ).unavailable_unit
    )
    alone.locator(f"#piece-{idle}").dispatch_event("click")
    expect(alone.locator("#touched")).to_contain_text(NOT_ITS_TURN)
    expect(alone.locator("#said")).to_contain_text(NOT_ITS_TURN)


def test_the_unit_that_acts_is_named_without_asking_the_server(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    form = FightPage(battle, ground.people.umpire, {}).turn_form
    assert form
    alone.goto(ground.of(battle))
    fetched: list[str] = []
    alone.on("request", lambda request: fetched.append(request.url))
    alone.locator(f"#piece-{form.unit}").dispatch_event("click")
    expect(alone.locator("#told-of")).not_to_be_empty()
    wait_for(alone, NEXT_FRAME)
    assert [url for url in fetched if "unit=" in url] == []


def test_orders_are_given_by_rows_of_buttons_and_to_all_at_once(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("fuzzy-wuzzy")
    alone.goto(ground.of(battle))
    rows = alone.locator("#ordering .sort")
    expect(alone.locator("#order")).to_be_hidden()
    charge, march, square = (
        rows.get_by_role("button", name=name, exact=True) for name in ("Charge", "March", "Square")
    )
    charge.click()
    expect(charge).to_have_attribute("aria-pressed", "true")
    square.click()  # not together with a charge
    expect(square).to_have_attribute("aria-pressed", "true")
    expect(charge).to_have_attribute("aria-pressed", "false")
    square.click()
    expect(square).to_have_attribute("aria-pressed", "false")
    march.click()
    expect(march).to_have_attribute("aria-pressed", "true")
    before = place(battle)
    alone.get_by_role("button", name="The same for all").click()
    moved_on(alone, before)
    expect(alone.locator("#why")).to_have_count(0)
    given = alone.locator("#unit option").all_text_contents()
    assert sum("march" in one for one in given) > 2


WATCH = """() => {
  window.shown = [];
  window.moving = 0;
  new MutationObserver(() => {
    const now = document.querySelector("#result .entry.step-now");
    if (now && window.shown.at(-1) !== now.dataset.step) window.shown.push(now.dataset.step);
    const pieces = document.getAnimations().filter(({ effect }) => effect.target.closest("#field"));
    window.moving = Math.max(window.moving, pieces.length);
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
"""Notes the steps that are shown, in their order, and how many pieces move at once."""
REPLAYED = "!document.querySelector('#field svg.replaying')"


ONE_REPLAY = 8_000
"""Milliseconds in which a replay is over; the page's clock is turned on, so that nobody waits."""


A_STILL = 1_500


def until_the_enemy_has_moved(ground: Field, page: Page, battle: Battle) -> list[str]:
    """Act until the other side has moved a unit that is left; return the steps, as listed.

    The page is open from the beginning, and sees the last of it alone.
    """
    user, elsewhere = ground.people.umpire, re.compile("/fight/(stream|follow)/")
    page.route(elsewhere, lambda route: route.abort())
    page.goto(ground.of(battle))
    page.evaluate(WATCH)
    seen = FightPage(battle, user, {})
    while not any(
        track.step in seen.steps and f'data-piece="{track.unit}"' in seen.drawing
        for track in seen.scene.tracks
    ):
        services.act(battle.pk, user, advised(battle), expected=place(battle))
        seen = FightPage(fresh(battle), user, {})
    page.unroute(elsewhere)
    follow(page, battle)
    listed = page.locator("#result .entry[data-step]")
    return listed.evaluate_all("all => all.map((one) => one.dataset.step)")


@pytest.mark.parametrize("book", mostly("restless"))
def test_the_enemys_turn_moves_step_by_step_and_is_replayed(
    ground: Field, alone: Page, book: str
) -> None:
    alone.emulate_media(reduced_motion="no-preference")
    alone.clock.install()
    steps = until_the_enemy_has_moved(ground, alone, ground.against_the_computer(book))
    numbers = alone.locator("#result .step-number").all_text_contents()
    assert [int(number) for number in numbers] == sorted(map(int, numbers))
    alone.clock.run_for(ONE_REPLAY)
    wait_for(alone, REPLAYED)
    assert alone.evaluate("shown")[-len(steps) :] == steps
    assert alone.evaluate("moving")
    expect(alone.locator("#field [style*='translate']")).to_have_count(0)
    alone.evaluate("shown.length = 0")
    alone.keyboard.press("r")
    alone.clock.run_for(ONE_REPLAY)
    wait_for(alone, f"shown.length === {len(steps)} && {REPLAYED}")
    assert alone.evaluate("shown") == steps
    alone.get_by_role("button", name="Replay these steps").click()
    expect(alone.locator("#field svg.replaying")).to_have_count(1)
    alone.keyboard.press("f")
    expect(alone.locator("#field svg.replaying")).to_have_count(0)


def test_steps_are_stills_where_motion_is_not_wanted(ground: Field, alone: Page) -> None:
    alone.emulate_media(reduced_motion="reduce")
    alone.clock.install()
    steps = until_the_enemy_has_moved(ground, alone, ground.against_the_computer("redcoats"))
    assert alone.evaluate("shown") == []
    alone.get_by_role("button", name="Replay these steps").click()
    for _ in steps:
        alone.clock.run_for(A_STILL)
    wait_for(alone, f"shown.length === {len(steps)} && {REPLAYED}")
    assert alone.evaluate("shown") == steps
    assert alone.evaluate("moving") == 0


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def test_two_people_press_plans_and_hidden_orders_stay_hidden(
    ground: Field, browser: Browser
) -> None:
    battle = begun(ground.people, "fuzzy-wuzzy")
    pages = ground.sides(browser, battle)
    for _ in range(2):
        side = waits(battle)
        assert side is not None
        page, other = pages[side], pages[side.enemy]
        follow(page, battle)
        page.get_by_role("button", name="March", exact=True).click()
        before = place(battle)
        page.get_by_role("button", name="The same for all").click()
        moved_on(page, before)
        assert "march" in " ".join(page.locator("#unit option").all_text_contents())
        follow(other, battle)
        expect(other.locator("#turn-form-title")).to_have_text("Not your turn")
        seen = FightPage(fresh(battle), player(ground.people, side.enemy), {})
        assert {seen.state.units[one].side for one in seen.state.orders} >= {side}
        assert side not in {seen.state.units[one].side for one in seen.known.orders}
        before = place(battle)
        page.get_by_role("button", name="All orders are given").click()
        moved_on(page, before)
    for _ in range(4):
        side = waits(battle)
        assert side is not None
        page, other = pages[side], pages[side.enemy]
        follow(page, battle)
        before = place(battle)
        plan = page.locator(".of-all button, .of-done button").first
        plan.click()
        moved_on(page, before)
        follow(other, battle)
        expect(other.locator("#why")).to_have_count(0)
    for page in pages.values():
        page.context.close()
    services.verify_battle(fresh(battle))


@pytest.mark.parametrize("width", [1440, 390])
def test_a_card_in_hand_opens_its_meaning_beside_it(ground: Field, alone: Page, width: int) -> None:
    alone.set_viewport_size({"width": width, "height": 844})
    alone.goto(ground.of(ground.against_the_computer("redcoats")))
    card = alone.locator(".in-hand button").first
    card.click()  # the field must not lie over the cards
    means = alone.locator(".term-means:popover-open")
    expect(means).to_contain_text("a card")
    at, box = card.bounding_box(), means.bounding_box()
    assert at
    assert box
    assert 0 <= box["x"] <= width - box["width"]
    assert min(abs(box["y"] - at["y"] - at["height"]), abs(at["y"] - box["y"] - box["height"])) < 24


def test_the_panel_of_aim_and_sides_closes_by_escape_and_by_a_press_beside_it(
    ground: Field, alone: Page
) -> None:
    alone.goto(ground.of(ground.against_the_computer("redcoats")))
    panel = alone.locator(".about-panel")
    for close in (
        lambda: alone.keyboard.press("Escape"),
        lambda: alone.locator("#turn-form-title").dispatch_event("click"),
    ):
        alone.get_by_text("Aim and sides").click()
        expect(panel).to_be_visible()
        close()
        expect(panel).to_be_hidden()
