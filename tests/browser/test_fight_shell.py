"""The frame of a battle in progress: everything in view, on a desktop and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.battles_web.fights import BOOKS
from tests.browser.test_fight import ADVICE, Field, alone, ground, moved_on, place

__all__ = ["alone", "ground"]

SIZES = [(1440, 900), (1024, 768)]
IN_VIEW = ("#waits", ".tally", "#field svg", "#turn-form-title", "#turn-form button:visible")


def bottom(page: Page, part: str) -> float:
    shown = page.locator(part).first
    shown.wait_for()  # the page may be putting in what has changed
    box = shown.bounding_box()
    assert box, part
    return box["y"] + (box["height"] if part != "#turn-form" else 0)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_field_question_and_tally_lie_above_the_fold(
    ground: Field, alone: Page, book: str, size: tuple[int, int]
) -> None:
    alone.set_viewport_size({"width": size[0], "height": size[1]})
    battle = ground.against_the_computer(book)
    alone.goto(ground.of(battle))
    for _ in range(3):
        for part in IN_VIEW:
            assert bottom(alone, part) <= size[1], part
        before = place(battle)
        alone.get_by_role("button", name=ADVICE).click()
        moved_on(alone, before)


@pytest.mark.parametrize("book", BOOKS)
def test_on_a_phone_the_field_stays_and_the_page_never_scrolls(
    ground: Field, phone: Page, book: str
) -> None:
    ground.log_in(phone, ground.people.umpire)
    battle = ground.against_the_computer(book)
    phone.goto(ground.of(battle))
    for _ in range(3):
        before = place(battle)
        phone.get_by_role("button", name=ADVICE).tap()
        moved_on(phone, before)
        assert phone.evaluate("scrollY") == 0
        assert bottom(phone, "#field svg") < 844 * 0.7
        title = phone.locator("#turn-form-title").bounding_box()
        assert title
        assert title["y"] < 844


def test_a_field_is_magnified_and_keeps_its_view(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    whole = alone.locator("#field svg").get_attribute("viewBox")
    alone.get_by_role("button", name="Nearer").click()
    near = alone.locator("#field svg").get_attribute("viewBox")
    assert near != whole
    before = place(battle)
    alone.get_by_role("button", name=ADVICE).click()
    moved_on(alone, before)
    wide = [float(box.split()[2]) for box in (whole or "", near or "")]
    assert float((alone.locator("#field svg").get_attribute("viewBox") or "").split()[2]) == wide[1]
    alone.keyboard.press("0")
    expect(alone.locator("#field svg")).to_have_attribute("viewBox", whole or "")


def test_a_turn_by_keys_speaks_the_result_before_the_question(ground: Field, alone: Page) -> None:
    battle = ground.against_the_computer("redcoats")
    alone.goto(ground.of(battle))
    for _ in range(3):
        before = place(battle)
        alone.keyboard.press("c")
        moved_on(alone, before)
    assert alone.evaluate("document.activeElement.id") == "turn-form"
    said, result, question = (
        " ".join((alone.locator(part).first.text_content() or "").split())
        for part in ("#said", "#result .entry", "#turn-form-title")
    )
    assert said.startswith(result)
    assert said.endswith(question)
    alone.keyboard.press("f")
    assert alone.evaluate("document.activeElement.id") == "field"
    alone.keyboard.press("q")
    assert alone.evaluate("document.activeElement.id") == "turn-form"
    before = place(battle)
    alone.keyboard.press("u")
    moved_on(alone, before)
    expect(alone.locator("#why")).to_have_count(0)


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
