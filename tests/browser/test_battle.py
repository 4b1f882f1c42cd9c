"""A battle in the browser: its turns by slider, keys and links, and what everybody can read."""

from collections import Counter
from typing import Any, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from battles import replay, services
from battles.drawing.scene import Piece
from battles.models import Battle
from campaign.rules.core.state import TABLETOP
from tests.battles_web.field import BOOK, fought_out, small_brief
from tests.browser.stage import Stage
from tests.browser.test_accessible import unfold, violations
from tests.campaign.battlefield import before_battle, brief
from tests.people import PASSWORD, People, gather

Scheme = Literal["light", "dark"]


class Ground(Stage):
    """A battle that has been fought, and one that waits, on a server that is running."""

    def __init__(self, live_server: Any) -> None:
        self.url: str = live_server.url
        self.people: People = gather()
        self.battle = fought_out(public=True)
        self.waiting = services.create_waiting_battle("person:0", small_brief("waits"), BOOK)
        Battle.objects.filter(pk=self.waiting.pk).update(public=True)

    def of(self, battle: Battle, path: str = "") -> str:
        return f"{self.url}/battles/{battle.uuid}/{path}"


@pytest.fixture
def ground(live_server: Any) -> Ground:
    return Ground(live_server)


def turn(page: Page) -> Any:
    return page.get_by_role("heading", level=2).first


def test_turns_are_stepped_through_by_slider_keys_and_buttons(ground: Ground, page: Page) -> None:
    page.goto(ground.of(ground.battle))
    expect(turn(page)).to_have_text("The sides are drawn up")
    page.get_by_label("Turn shown").press("ArrowRight")
    expect(turn(page)).to_have_text("Turn 1")
    expect(page).to_have_url(ground.of(ground.battle, "turn/1/"))
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(turn(page)).to_have_text("Turn 2")
    page.get_by_role("link", name="Back to Turn 1").click()
    expect(turn(page)).to_have_text("Turn 1")
    page.go_back()
    expect(turn(page)).to_have_text("Turn 2")


def test_a_turn_that_cannot_be_had_is_said_to_be_so_and_can_be_pressed_again(
    ground: Ground, page: Page
) -> None:
    page.goto(ground.of(ground.battle))
    page.route("**/*", lambda route: route.abort("internetdisconnected"))
    another, lost = page.locator("#earlier, #later").first, page.locator("#offline")
    before = page.locator("#turn-title").inner_text()
    another.click()
    expect(lost).to_contain_text("No connection.")
    page.unroute("**/*")
    another.click()
    expect(page.locator("#turn-title")).not_to_have_text(before)
    expect(lost).to_be_empty()


def test_a_new_turn_is_said_to_those_who_cannot_see_it(ground: Ground, page: Page) -> None:
    page.goto(ground.of(ground.battle))
    page.get_by_role("link", name="On to Turn 1").click()
    expect(page.locator("#said")).to_have_text("Turn 1")


def test_the_field_in_words_stays_open_from_turn_to_turn(ground: Ground, page: Page) -> None:
    page.goto(ground.of(ground.battle))
    page.get_by_text("The field in words").click()
    page.get_by_role("link", name="On to Turn 1").click()
    expect(turn(page)).to_have_text("Turn 1")
    expect(page.get_by_role("group", name="Dervish units, Turn 1")).to_be_visible()


def test_a_unit_that_is_pressed_says_what_it_is(ground: Ground, page: Page) -> None:
    pieces = [
        one for one in replay.pictures(ground.battle)[0].scene.pieces if isinstance(one, Piece)
    ]
    squares = Counter(piece.square for piece in pieces)
    alone = next(piece for piece in pieces if squares[piece.square] == 1)
    page.goto(ground.of(ground.battle))
    on_field = page.locator(f"#piece-{alone.number}")
    on_field.click()
    expect(page.locator("#told-of")).to_have_text(f"{alone.number}. {alone.words}")
    expect(on_field).to_have_class(f"piece {alone.nation} shown")


def test_the_dice_behind_a_sentence_are_opened(ground: Ground, page: Page) -> None:
    page.goto(ground.of(ground.battle, "turn/1/"))
    sentence = page.locator("details.despatch").first
    sentence.locator("summary").click()
    expect(sentence.get_by_role("img").first).to_be_visible()
    expect(sentence.locator(".from").first).not_to_be_empty()


def test_it_plays_by_itself_and_stops(ground: Ground, page: Page) -> None:
    page.clock.install()
    page.goto(ground.of(ground.battle))
    page.get_by_role("button", name="Play").click()
    expect(turn(page)).to_have_text("Turn 1")
    page.clock.run_for(4_000)
    expect(turn(page)).to_have_text("Turn 2")
    page.get_by_role("button", name="Stop").click()
    page.clock.run_for(10_000)
    expect(turn(page)).to_have_text("Turn 2")


def test_on_a_phone_it_plays_in_view_from_the_beginning_after_the_last_turn(
    ground: Ground, phone: Page
) -> None:
    phone.clock.install()
    last = len(replay.pictures(ground.battle)) - 1
    phone.goto(ground.of(ground.battle, f"turn/{last}/"))
    field = phone.locator("#field")
    expect(field).not_to_be_in_viewport(ratio=0.9)
    phone.get_by_role("button", name="Play").tap()
    expect(turn(phone)).to_have_text("The sides are drawn up")
    for number in (1, 2):
        phone.clock.run_for(4_000)
        expect(turn(phone)).to_have_text(f"Turn {number}")
        expect(field).to_be_in_viewport(ratio=0.9)


def test_without_scripts_the_turns_are_links(ground: Ground, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(ground.of(ground.battle))
    page.get_by_role("link", name="Turn 3", exact=True).click()
    expect(page).to_have_url(ground.of(ground.battle, "turn/3/"))
    expect(turn(page)).to_have_text("Turn 3")
    context.close()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_grave(ground: Ground, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in ("turn/2/", "kit/"):
        page.goto(ground.of(ground.battle, path))
        unfold(page)
        assert violations(page) == [], path


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_nor_on_the_pages_about_battles(ground: Ground, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in ("", "books/redcoats/", "books/redcoats/trace/"):
        page.goto(f"{ground.url}/battles/{path}")
        assert violations(page) == [], path


def test_nothing_is_wider_than_a_telephone(ground: Ground, phone: Page) -> None:
    for path in ("", "turn/2/", "kit/"):
        phone.goto(ground.of(ground.battle, path))
        assert phone.evaluate("document.documentElement.scrollWidth") == 390, path


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_result_is_entered_on_a_telephone(ground: Ground, phone: Page, scheme: Scheme) -> None:
    Battle.objects.filter(pk=ground.waiting.pk).update(owner=f"person:{ground.people.umpire.pk}")
    ground.log_in(phone, ground.people.umpire)
    phone.emulate_media(color_scheme=scheme)
    phone.goto(ground.of(ground.waiting, "table/"))
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(phone) == []
    phone.get_by_label("Sussex").select_option("3")
    phone.get_by_label("Anglo-Egyptian", exact=True).check()
    phone.get_by_label("Turns it lasted").fill("5")
    phone.get_by_role("button", name="Preview the result").tap()
    expect(phone.get_by_role("heading", name="Preview of the result")).to_be_visible()
    assert violations(phone) == []
    phone.get_by_role("button", name="Confirm this result").tap()
    expect(phone.get_by_text("The Anglo-Egyptian side won after 5 turns.")).to_be_visible()


def test_what_is_counted_at_the_table_outlives_a_reload_and_a_log_in(
    ground: Ground, phone: Page
) -> None:
    """A phone reloads a page that was in its pocket; by then the session may be over."""
    umpire = ground.people.umpire
    Battle.objects.filter(pk=ground.waiting.pk).update(owner=f"person:{umpire.pk}")
    ground.log_in(phone, umpire)
    phone.goto(ground.of(ground.waiting, "table/"))
    phone.get_by_label("Sussex").select_option("3")
    phone.reload()
    expect(phone.get_by_label("Sussex")).to_have_value("3")
    phone.get_by_label("Anglo-Egyptian", exact=True).check()
    phone.get_by_label("Turns it lasted").fill("5")
    phone.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    phone.get_by_role("button", name="Preview the result").tap()
    phone.get_by_label("Name").fill(umpire.username)
    phone.get_by_label("Password").fill(PASSWORD)
    phone.get_by_role("button", name="Log in").tap()
    expect(phone.get_by_label("Sussex")).to_have_value("3")
    expect(phone.get_by_label("Turns it lasted")).to_have_value("5")
    phone.get_by_role("button", name="Preview the result").tap()
    expect(phone.get_by_role("heading", name="Preview of the result")).to_be_visible()
    expect(phone.locator(".kept-back")).to_have_count(0)
    phone.get_by_role("button", name="Confirm this result").tap()
    expect(phone.get_by_text("The Anglo-Egyptian side won after 5 turns.")).to_be_visible()


def test_at_the_table_one_side_reports_and_the_other_agrees(
    ground: Ground, browser: Browser
) -> None:
    """From the address of the printed kit, with three models for each figure, on two telephones."""
    campaign = before_battle(ground.people, TABLETOP)
    battle = Battle.objects.get(brief_id=brief(campaign).id)
    pages = {}
    for user in (ground.people.egyptian, ground.people.mahdist):
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        pages[user] = context.new_page()
        ground.log_in(pages[user], user)
    one, other = pages.values()
    one.goto(ground.of(battle, "kit/"))
    one.get_by_label("Models for each").select_option("3")
    one.get_by_role("button", name="Use this scale").tap()
    expect(one.locator(".result-at svg")).to_be_visible()
    address = one.locator(".result-at .address").inner_text()
    one.goto(address)
    one.get_by_role("button", name="Preview the result").tap()
    expect(one.get_by_text("Choose who won, or nobody.")).to_be_visible()
    one.get_by_label("Anglo-Egyptian", exact=True).check()
    one.get_by_label("Turns it lasted").fill("5")
    one.get_by_role("button", name="Preview the result").tap()
    one.get_by_role("button", name="Confirm this result").tap()
    expect(one.locator(".notices")).to_contain_text("when the other side has signed")
    other.goto(address)
    signed = other.locator(".signed")
    expect(signed).to_contain_text("egyptian reports")
    signed.get_by_role("link", name="That is not right").tap()
    expect(other.locator("#otherwise .party").first).to_be_in_viewport()
    signed.get_by_role("button", name="Agree").tap()
    expect(other.get_by_text("The Anglo-Egyptian side won after 5 turns.")).to_be_visible()
    for page in pages.values():
        page.context.close()
