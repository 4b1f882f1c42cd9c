"""Battles fought in the browser: by two people in two browsers, on the field and by lists."""

import re
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.streams.battle_stream import status_message
from battles import serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services.fights import COMPUTER, ME
from battles.web.battle import address_of_last_turn
from battles.web.fight_page import FightPage
from tests.battles_web.fights import BOOKS, EL_TEB, asked, begun, fight_as_drawn_up, mostly, player
from tests.browser.camp import Camp
from tests.browser.stage import UNMARKED
from tests.browser.test_accessible import unfold, violations
from tests.people import People, gather
from tests.servers import free_port
from tests.streams.served import served

Scheme = Literal["light", "dark"]
SHORT_LOOKS = [
    ("redcoats", "light", 1440),
    ("restless", "dark", 390),
    ("fuzzy-wuzzy", "light", 1024),
]
LOOKS = [
    pytest.param(*look, marks=() if look in SHORT_LOOKS else pytest.mark.long)
    for look in product(BOOKS, ("light", "dark"), (1440, 1024, 390))
]
"""Every book in light and in dark, at each width; a few of them in the short run."""
BEFORE_IT_STOPS = 20
"""Actions after which the server is started anew."""
SPOIL = """() => {
  const form = document.querySelector("#turn-form form[action$='/act/']");
  form.dataset.spoilt = "";
  form.querySelectorAll("input:not([type=hidden]), select, .sort").forEach((one) => one.remove());
  const unknown = { name: "choice", value: "99999" };
  form.querySelectorAll("button").forEach((one) => Object.assign(one, unknown));
}"""
"""Makes the first turn form ask for what is not offered."""
ADVICE = "Let the computer play this step"
SPOKEN = """() => {
  const words = (selector) => {
    const copy = document.querySelector(selector)?.cloneNode(true);
    copy?.querySelectorAll("[role=img], .step-number").forEach((one) => one.remove());
    return (copy?.textContent ?? "").trim().replace(/\\s+/g, " ");
  };
  const orders = "#turn-form:has(#ordering) #unit option:checked";
  return ["#said", "#result .entry", "#turn-form-title", orders].map(words);
}"""
"""Returns what is spoken, and of what it should consist, without the pictures of dice and cards."""


class Field(Camp):
    """The second El Teb on a server that is running, and people who fight it."""

    def __init__(self, live_server: Any) -> None:
        self.url = live_server.url
        self.people: People = gather()

    def of(self, battle: Battle) -> str:
        """Return the address at which the battle is fought."""
        return f"{self.url}/battles/{battle.uuid}/fight/"

    def against_the_computer(self, book: str, *, as_drawn_up: bool = True) -> Battle:
        """Begin the battle of the umpire of the tests, alone as the Anglo-Egyptian side."""
        chosen = find_ready_battle(EL_TEB)
        assert chosen is not None
        sides = {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER}
        wanted = services.NewFight(book, sides)
        battle = services.begin_fight(self.people.umpire, chosen.brief, wanted)
        if as_drawn_up:
            fight_as_drawn_up(battle, dict.fromkeys(Side, self.people.umpire))
        return Battle.objects.get(pk=battle.pk)

    def open_alone(self, page: Page, book: str, *, as_drawn_up: bool = True) -> Battle:
        """Log the umpire of the tests in, and open a battle of his against the computer."""
        self.log_in(page, self.people.umpire)
        battle = self.against_the_computer(book, as_drawn_up=as_drawn_up)
        page.goto(self.of(battle))
        return battle

    def sides(self, browser: Browser, battle: Battle) -> dict[Side, Page]:
        """Return a browser for each side, on the page of the battle."""
        found = {}
        for side in Side:
            found[side] = self.session(browser, player(self.people, side))
            found[side].goto(self.of(battle))
        return found


@pytest.fixture
def ground(live_server: Any) -> Field:
    return Field(live_server)


@pytest.fixture
def alone(ground: Field, page: Page) -> Page:
    ground.log_in(page, ground.people.umpire)
    return page


def waits(battle: Battle) -> Side | None:
    return None if Battle.objects.get(pk=battle.pk).reported else asked(battle)


def place(battle: Battle) -> str:
    return serialization.cursor_of(Battle.objects.get(pk=battle.pk))


def follow(page: Page, battle: Battle) -> None:
    """Wait until the page shows where the battle stands; it is told to look now."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#fight")).to_have_attribute("data-place", place(battle))


def act(pages: dict[Side, Page], battle: Battle) -> None:
    """Act once in the browser of the asked side, as the book's commander would."""
    side, before = waits(battle), place(battle)
    assert side is not None
    follow(pages[side], battle)
    pages[side].get_by_role("button", name=ADVICE).click()
    moved_on(pages[side], before)


def moved_on(page: Page, before: str) -> None:
    """Wait until the page shows the battle further on than there, or as it ended."""
    page.locator(f'#fight[data-place="{before}"]').wait_for(state="detached")


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_two_people_fight_in_two_browsers_and_the_umpire_has_it_fought_out(
    ground: Field, browser: Browser, book: str
) -> None:
    battle = begun(ground.people, book)
    pages = ground.sides(browser, battle)
    for _ in range(4):
        act(pages, battle)
    umpire = ground.session(browser, ground.people.umpire)
    umpire.goto(ground.of(battle))
    umpire.get_by_text("As the umpire").click()
    umpire.get_by_role("button", name="Let the computer finish the battle").click()
    expect(umpire.get_by_role("heading", name="The casualty return")).to_be_visible()
    _is_over(ground, battle, [*pages.values(), umpire])


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("book", BOOKS)
def test_two_people_fight_the_second_el_teb_to_its_end_over_a_restart(
    tmp_path: Path, browser: Browser, book: str
) -> None:
    """On a server of its own, which is stopped in the middle and started again."""
    port = free_port()
    ground = Field(SimpleNamespace(url=f"http://127.0.0.1:{port}"))
    battle = begun(ground.people, book)
    with served(tmp_path, port=port, SIRDAR_DEBUG="1"):
        pages = ground.sides(browser, battle)
        for _ in range(BEFORE_IT_STOPS):
            act(pages, battle)
    with served(tmp_path, port=port, SIRDAR_DEBUG="1"):
        while waits(battle) is not None:
            act(pages, battle)
        _is_over(ground, battle, pages.values())


def _is_over(ground: Field, battle: Battle, pages: Iterable[Page]) -> None:
    """All are shown the last turn, and it comes out the same again."""
    for page in pages:
        expect(page.locator("#moment")).to_be_visible()
        over = Battle.objects.get(pk=battle.pk)
        expect(page).to_have_url(ground.url + address_of_last_turn(over))
        expect(page.locator("#later")).to_have_count(0)
        page.context.close()
    assert serialization.report_of(over)
    services.verify_battle(over)


def test_a_battle_is_two_clicks_from_the_front_page(ground: Field, alone: Page) -> None:
    alone.goto(ground.url)
    alone.get_by_role("link", name="Fight a battle").click()
    alone.get_by_role("button", name="Begin the battle").click()
    expect(alone.locator("#waits")).to_contain_text("Your turn.")


def test_the_second_to_press_is_told_what_has_happened(ground: Field, browser: Browser) -> None:
    battle = begun(ground.people, "redcoats")
    side = waits(battle)
    assert side is not None
    one, other = (ground.session(browser, player(ground.people, side)) for _ in range(2))
    other.route("**/follow/", lambda route: route.fulfill(status=304))
    other.route("**/stream/", lambda route: route.abort())
    for page in (one, other):
        page.goto(ground.of(battle))
    before = place(battle)
    one.get_by_role("button", name=ADVICE).click()
    moved_on(one, before)
    after = place(battle)
    other.get_by_role("button", name=ADVICE).click()
    expect(other.get_by_role("alert")).to_contain_text("Something else has happened")
    expect(other.locator("#fight")).to_have_attribute("data-place", after)
    assert place(battle) == after
    one.context.close()
    other.context.close()


def test_a_square_is_pressed_and_gone_to(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    while not alone.locator("#field .offer.go").count():
        before = place(battle)
        alone.get_by_role("button", name=ADVICE).click()
        moved_on(alone, before)
    before = place(battle)
    alone.locator("#field .offer.go").first.press("Enter")
    alone.locator("#picked button").first.click()
    moved_on(alone, before)


def at_a_move(page: Page, battle: Battle) -> str:
    """Play as advised until a unit may go anywhere on an open table; return where that is."""
    while not page.locator("#free input[name=facing]").count():
        before = place(battle)
        choice = page.get_by_role("button", name=re.compile("^Throw for a move"))
        (choice if choice.count() else page.get_by_role("button", name=ADVICE)).click()
        moved_on(page, before)
    return place(battle)


@pytest.mark.parametrize("book", ["restless", "fuzzy-wuzzy"])
def test_any_place_of_an_open_table_is_pressed(ground: Field, alone: Page, book: str) -> None:
    battle = ground.against_the_computer(book)
    alone.goto(ground.of(battle))
    before = at_a_move(alone, battle)
    alone.locator("#field svg").click(position={"x": 60, "y": 60})
    expect(alone.locator("#tried.wrong")).to_be_visible()
    alone.keyboard.press("d")  # there is nothing to do
    via = alone.locator("#free input[name=via]")
    if book == "restless":  # its moves may bend
        expect(via).to_have_value("")
        east, south = (alone.locator(f"#free input[name={name}]") for name in "xy")
        alone.get_by_role("button", name="Bend here").click()
        expect(via).to_have_value(f"{east.input_value()} {south.input_value()}")
    expect(via).to_have_count(int(book == "restless"))
    alone.locator("#field .offer.go").first.press("Enter")
    expect(alone.locator("#picked")).to_be_visible()
    do_it = alone.locator("#tried").get_by_role("button", name="Do it")
    east = alone.locator("#free input[name=x]")
    alone.locator(".exact summary").click()
    offered = float(east.input_value())
    for beside in (-0.5, 0.5, 0):  # the dice say how far it comes
        east.fill(str(offered + beside))
        alone.get_by_role("button", name="Check this move").click()
        expect(do_it.or_(alone.locator("#tried.wrong"))).to_be_visible()
        if do_it.count():
            break
    do_it.click()
    moved_on(alone, before)


def refused(page: Page, battle: Battle) -> None:
    """Send what a book refuses, by a turn form spoilt as no page offers it."""
    page.evaluate(SPOIL)
    page.locator("#turn-form form[data-spoilt] button").first.click()
    expect(page.locator("#why")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/battles/{battle.uuid}/fight/(\?.*)?$"))


@pytest.mark.parametrize("book", mostly("restless"))
def test_a_refused_action_is_followed_by_a_right_one_and_by_reloading(
    ground: Field, alone: Page, book: str
) -> None:
    battle = ground.against_the_computer(book)
    alone.goto(ground.of(battle))
    for number in range(4):
        before = place(battle)
        refused(alone, battle)
        if number % 2:
            alone.reload()
            expect(alone.locator("#why")).to_have_count(0)
        alone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        alone.get_by_role("button", name=ADVICE).click()
        moved_on(alone, before)
        expect(alone.locator("#waits")).to_contain_text("Your turn.")
    refused(alone, battle)
    services.pause(battle, ground.people.umpire, paused=True)  # what the stream tells of
    expect(alone.locator("#waits")).to_contain_text("has paused the battle")


def test_nobody_ticked_cannot_be_taken_along(ground: Field, alone: Page) -> None:
    alone.goto(ground.of(ground.against_the_computer("redcoats")))
    assert alone.evaluate(UNMARKED) == []
    alone.get_by_text("Lead only some of them").click()
    take = alone.locator(".several button")
    boxes = alone.locator("input[name=several]")
    expect(take).to_be_enabled()
    for box in boxes.all():
        expect(box).to_be_checked()
        box.uncheck()
    expect(take).to_be_disabled()
    boxes.first.check()
    take.click()
    expect(alone.locator(".fight-log")).to_contain_text("on one card")


def test_the_page_is_read_again_only_where_the_stream_tells_another_version(
    ground: Field, alone: Page
) -> None:
    battle = ground.against_the_computer("redcoats")
    told = status_message(FightPage(battle, ground.people.umpire, {}))
    alone.route(
        "**/fight/stream/", lambda route: route.fulfill(content_type="text/event-stream", body=told)
    )
    asked_for: list[str] = []
    alone.on("request", lambda request: asked_for.append(request.url))
    with alone.expect_response("**/fight/stream/"):
        alone.goto(ground.of(battle))
    with alone.expect_request("**/fight/stream/"):  # the browser takes the stream up again
        pass
    assert asked_for.count(ground.of(battle)) == 1
    battle = services.pause(battle, ground.people.umpire, paused=True)
    told = status_message(FightPage(battle, ground.people.umpire, {}))
    expect(alone.locator("#fight")).to_contain_text("paused")


def test_what_lies_upon_each_other_on_the_field_is_chosen_from_a_list(
    ground: Field, phone: Page
) -> None:
    """Pointed at in the list it is lit and comes to the top; it is chosen by keyboard or finger."""
    battle = ground.open_alone(phone, "redcoats")
    while phone.locator("#field .offer").count() < 2:
        before = place(battle)
        phone.get_by_role("button", name=ADVICE).tap()
        moved_on(phone, before)
    phone.locator("#on-field summary").tap()
    listed = phone.locator(".listed")
    expect(listed).to_have_count(phone.locator("#field .offer").count())
    listed.first.focus()
    lit = phone.locator("#field .offers > :last-child")
    expect(lit).to_have_class(re.compile(r"\blit\b"))
    expect(lit).to_have_attribute("href", listed.first.get_attribute("href") or "")
    assert all(box and box["height"] >= 43.5 for box in map(Locator.bounding_box, listed.all()))
    listed.first.press("Enter")
    expect(phone).to_have_url(re.compile(r"unit="))


def test_without_scripts_it_is_fought_by_lists(ground: Field, browser: Browser) -> None:
    battle = ground.against_the_computer("fuzzy-wuzzy")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    ground.log_in(page, ground.people.umpire)
    page.goto(ground.of(battle))
    page.get_by_label("Orders for the").select_option("march")
    page.get_by_role("button", name="Give these orders").click()
    expect(page.locator("#unit")).to_contain_text("march")
    page.get_by_role("button", name="All orders are given").click()
    page.locator("select[name=choice]").first.select_option(index=1)
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator(".fight-log")).to_contain_text("marches")
    context.close()


def test_the_umpire_pauses_and_goes_back_and_both_read_why(ground: Field, browser: Browser) -> None:
    battle = begun(ground.people, "redcoats")
    pages = ground.sides(browser, battle)
    for _ in range(3):
        act(pages, battle)
    umpire = ground.session(browser, ground.people.umpire)
    umpire.goto(ground.of(battle))
    umpire.get_by_text("As the umpire").click()
    umpire.locator("#reason").fill("The card was misread.")
    umpire.get_by_role("button", name="Go back").click()
    expect(umpire.locator("#waits")).to_contain_text("umpire has paused the battle.")
    for page in pages.values():
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator(".fight-log")).to_contain_text("The card was misread.")
        page.context.close()
    umpire.context.close()


@pytest.mark.parametrize(("book", "scheme", "width"), LOOKS)
def test_axe_finds_nothing_grave(
    ground: Field, alone: Page, book: str, scheme: Scheme, width: int
) -> None:
    alone.emulate_media(color_scheme=scheme)
    alone.set_viewport_size({"width": width, "height": 900})
    alone.goto(ground.of(ground.against_the_computer(book)))
    alone.get_by_role("button", name=ADVICE).click()
    unfold(alone)
    assert violations(alone) == []


@pytest.mark.parametrize("book", mostly("fuzzy-wuzzy"))
def test_nothing_is_wider_than_a_telephone(ground: Field, phone: Page, book: str) -> None:
    ground.open_alone(phone, book)
    for _ in range(2):
        assert phone.evaluate("document.documentElement.scrollWidth") == 390
        phone.get_by_role("button", name=ADVICE).tap()
        phone.wait_for_load_state("networkidle")


def test_a_side_is_taken_by_a_link(ground: Field, alone: Page, browser: Browser) -> None:
    alone.goto(f"{ground.url}/battles/new/")
    alone.get_by_label("Side and opponent").select_option("egyptian-invites")
    alone.get_by_role("button", name="Begin the battle").click()
    link = alone.get_by_role("link", name="/fight/join/").get_attribute("href")
    other = ground.session(browser, ground.people.stranger)
    other.goto(f"{ground.url}{link}")
    other.get_by_role("button", name="Take the").click()
    expect(other.locator(".led")).to_contain_text("stranger (you)")
    other.context.close()
