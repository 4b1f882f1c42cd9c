"""Units placed before a battle, on the field and by the form."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from battles import serialization
from battles.books.redcoats.field import parse_square
from battles.contract import Side
from battles.drawing.squares import centre
from battles.models import Battle
from tests.battles_web.fights import BOOKS, asked, begun, mostly, player
from tests.browser.test_accessible import violations
from tests.browser.test_fight import Field

OPEN_TABLES = BOOKS[1:]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def ground(live_server: Any) -> Field:
    return Field(live_server)


def state_of(battle: Battle) -> Any:
    return serialization.state_of(Battle.objects.get(pk=battle.pk))


def opened(ground: Field, browser: Browser, battle: Battle) -> Page:
    """Return the page of the side that is asked to place its units."""
    side = asked(battle)
    assert side is not None
    page = ground.session(browser, player(ground.people, side))
    page.goto(ground.of(battle))
    expect(page.get_by_role("heading", name="Place your units")).to_be_visible()
    return page


def touch(page: Page, x: float, y: float) -> None:
    """Press the drawing at a point in its own units."""
    drawing = page.locator("#field svg")
    drawing.scroll_into_view_if_needed()
    across, down = drawing.evaluate(
        """(drawing, [x, y]) => {
          const point = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
          const box = drawing.getBoundingClientRect();
          return [point.x - box.x, point.y - box.y];
        }""",
        [x, y],
    )
    drawing.click(position={"x": across, "y": down}, force=True)


def free_corner(battle: Battle) -> tuple[float, float]:
    """Return a place in the south-west of the zone of the asked side, in the book's measure."""
    side = asked(battle)
    assert side is not None
    corners = state_of(battle).zones[side][0]
    return (corners[0].x + 700) / 100, (corners[2].y - 500) / 100


def placed(page: Page) -> None:
    """Wait until the page says that a unit no longer stands as drawn up."""
    expect(page.get_by_role("button", name="Put all back as drawn up")).to_be_visible()


@pytest.mark.parametrize("book", OPEN_TABLES)
def test_a_touch_of_an_open_table_places_the_chosen_unit_and_keeps_it_chosen(
    ground: Field, browser: Browser, book: str
) -> None:
    battle = begun(ground.people, book, as_drawn_up=False)
    page = opened(ground, browser, battle)
    unit = int(page.locator("#unit").input_value())
    before = state_of(battle).units[unit].at
    scale = float(page.locator("#field").get_attribute("data-scale") or 0)
    x, y = free_corner(battle)
    touch(page, x * scale, y * scale)
    placed(page)
    assert state_of(battle).units[unit].at != before
    expect(page.locator("#unit")).to_have_value(str(unit))
    page.get_by_role("button", name="Put all back as drawn up").click()
    expect(page.get_by_role("button", name="Fight as drawn up")).to_be_visible()
    assert state_of(battle).units[unit].at == before
    page.context.close()


def test_a_touch_of_a_square_places_the_chosen_unit(ground: Field, browser: Browser) -> None:
    battle = begun(ground.people, "redcoats", as_drawn_up=False)
    page = opened(ground, browser, battle)
    unit = int(page.locator("#unit").input_value())
    offered = page.locator("#place option").evaluate_all("all => all.map((one) => one.text)")
    free = next(
        name
        for name in reversed(offered)
        if parse_square(name) != state_of(battle).units[unit].square
    )
    x, y = centre((parse_square(free) % 100, parse_square(free) // 100))
    touch(page, x + 20, y - 20)
    placed(page)
    assert state_of(battle).units[unit].square == parse_square(free)
    touch(page, *centre((11, 0)))
    expect(page.locator("#told-of")).to_contain_text("It cannot stand there")
    page.context.close()


@pytest.mark.parametrize("book", OPEN_TABLES)
def test_a_refused_place_is_said_and_keeps_what_was_typed_and_what_was_placed(
    ground: Field, browser: Browser, book: str
) -> None:
    battle = begun(ground.people, book, as_drawn_up=False)
    page = opened(ground, browser, battle)
    second = page.locator("#unit option").nth(1).get_attribute("value") or ""
    page.locator("#unit").select_option(second)
    expect(page.locator("#deploy input[name=unit]")).to_have_value(second)
    page.locator("#deploy").get_by_label("East").fill("1.5")
    page.locator("#deploy").get_by_label("South").fill("0.2")
    address = page.url
    page.locator("#deploy").get_by_role("button", name="Place it").press("Enter")
    expect(page.locator("#why")).to_contain_text("not where this side may place")
    expect(page.locator("#deploy").get_by_label("East")).to_have_value("1.5")
    expect(page.locator("#deploy input[name=unit]")).to_have_value(second)
    assert page.url == address
    page.context.close()


@pytest.mark.parametrize("book", mostly("redcoats"))
def test_fighting_as_drawn_up_is_one_press_for_each_side(
    ground: Field, browser: Browser, book: str
) -> None:
    battle = begun(ground.people, book, as_drawn_up=False)
    for _ in Side:
        page = opened(ground, browser, battle)
        page.get_by_role("button", name="Fight as drawn up").click()
        expect(page.get_by_role("heading", name="Place your units")).to_have_count(0)
        page.context.close()
    assert type(state_of(battle).question).__name__ != "ToSetUp"


@pytest.mark.parametrize("book", mostly("restless"))
def test_the_page_of_deployment_is_accessible_on_a_phone(
    ground: Field, browser: Browser, book: str
) -> None:
    battle = begun(ground.people, book, as_drawn_up=False)
    page = opened(ground, browser, battle)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.context.close()


def test_nobody_sees_where_hidden_units_are_placed(ground: Field, browser: Browser) -> None:
    battle = begun(ground.people, "fuzzy-wuzzy", as_drawn_up=False)
    side = asked(battle)
    assert side is not None
    other = ground.session(browser, player(ground.people, side.enemy))
    other.goto(ground.of(battle))
    page = opened(ground, browser, battle)
    x, y = free_corner(battle)
    page.locator("#deploy").get_by_label("East").fill(str(x))
    page.locator("#deploy").get_by_label("South").fill(str(y))
    page.locator("#deploy").get_by_role("button", name="Place it").click()
    placed(page)
    other.reload()
    expect(other.locator(".fight-log")).not_to_contain_text("takes post")
    expect(other.locator("#field .offers .zone")).to_have_count(0)
    own = {unit.id for unit in state_of(battle).units.values() if unit.side is side}
    shown = other.locator("#field .piece").evaluate_all(
        "all => all.map((one) => one.dataset.piece)"
    )
    assert not own & set(map(int, shown))
    page.context.close()
    other.context.close()


def test_three_clicks_lead_from_the_list_of_battles_to_a_battle_that_dice_have_decided(
    ground: Field, browser: Browser
) -> None:
    page = ground.session(browser, ground.people.egyptian)
    page.goto(f"{ground.url}/battles/")
    page.get_by_role("link", name="Throw for a battle").click()
    page.get_by_role("button", name="Throw the dice").click()
    expect(page.locator("#thrown")).to_contain_text("You throw")
    page.get_by_role("button", name="Lead the").first.click()
    expect(page.get_by_text("The British Commander-in-Chief throws")).to_be_visible()
    expect(page.get_by_role("heading", name="Place your units")).to_be_visible()
    page.context.close()
