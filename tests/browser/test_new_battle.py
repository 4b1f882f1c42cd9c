"""A battle is chosen and begun without scrolling, with and without JavaScript; refusals too."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from battles.contract.brief_files import ready_battles
from battles.models import Battle
from tests.browser.test_accessible import violations
from tests.browser.test_fight import Field


@pytest.fixture
def ground(live_server: Any) -> Field:
    return Field(live_server)


BEGIN = "Begin the battle"


def _opened(ground: Field, browser: Browser, wide: int, high: int) -> Page:
    page = ground.session(browser, ground.people.umpire)
    page.set_viewport_size({"width": wide, "height": high})
    page.goto(f"{ground.url}/battles/new/")
    return page


@pytest.mark.parametrize(("wide", "high"), [(1440, 900), (390, 844)])
def test_a_battle_begins_without_scrolling(
    ground: Field, browser: Browser, wide: int, high: int
) -> None:
    page = _opened(ground, browser, wide, high)
    assert page.evaluate("document.documentElement.scrollWidth") == wide
    for name in ("Book", "Side and opponent"):
        expect(page.get_by_label(name, exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name=BEGIN)).to_be_in_viewport(ratio=1)
    page.get_by_role("radio").last.scroll_into_view_if_needed()
    expect(page.get_by_role("button", name=BEGIN)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("radio", name="First El Teb")).to_be_checked()
    page.get_by_role("button", name=BEGIN).click()
    expect(page.locator("#waits")).to_contain_text("Your turn.")
    begun = Battle.objects.get()
    assert (begun.title, begun.book) == ("First El Teb", "redcoats")
    page.context.close()


def test_on_a_phone_no_filter_is_cut(ground: Field, browser: Browser) -> None:
    page = _opened(ground, browser, 390, 844)
    for filter_ in page.locator(".filter").all():
        heading = filter_.locator("span").bounding_box()
        assert heading
        for link in filter_.get_by_role("link").all():
            box = link.bounding_box()
            assert box
            assert box["height"] >= 43.5
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            assert box["y"] >= heading["y"] + heading["height"] - 1
    page.context.close()


def test_filters_keep_each_other_and_their_book(ground: Field, browser: Browser) -> None:
    page = _opened(ground, browser, 1440, 900)
    assert page.get_by_role("radio").count() == len(ready_battles())
    page.get_by_role("link", name="Restless Natives", exact=True).click()
    expect(page.get_by_role("radio", name="The long patrol")).to_be_visible()
    expect(page.get_by_role("radio", name="Form Square!")).to_have_count(0)
    page.get_by_role("link", name="up to half an hour").click()
    expect(page.get_by_role("radio", name="Shekan")).to_have_count(0)
    page.get_by_role("radio", name="Kirbekan").check()
    page.get_by_role("button", name=BEGIN).click()
    expect(page.locator("#waits")).to_be_visible()
    assert Battle.objects.get().book == "restless"
    page.context.close()


def test_a_refused_battle_keeps_what_was_chosen(ground: Field, browser: Browser) -> None:
    page = _opened(ground, browser, 1440, 900)
    page.get_by_role("radio", name="Tamai").check()
    page.get_by_label("Side and opponent").select_option("mahdist")
    page.get_by_text("Time for a turn, who may watch").click()
    page.get_by_label("Or your own battle").fill("title =")
    page.get_by_role("button", name=BEGIN).click()
    expect(page.get_by_role("alert").first).to_contain_text("brief.toml")
    expect(page.get_by_role("radio", name="Tamai")).to_be_checked()
    expect(page.get_by_label("Side and opponent")).to_have_value("mahdist")
    assert not Battle.objects.exists()
    page.context.close()


def test_a_visitor_sees_the_battles_of_history_and_begins_one(
    ground: Field, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{ground.url}/battles/")
    expect(page.locator(".battle-card .thumb")).to_have_count(8)
    page.get_by_role("button", name="Fight Tamai").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tamai")
    expect(page.locator(".banner")).to_contain_text("Guest")
    context.close()
    Battle.objects.all().delete()
    logged_in = ground.session(browser, ground.people.umpire).context
    context = browser.new_context(
        java_script_enabled=False, storage_state=logged_in.storage_state()
    )
    page = context.new_page()
    page.goto(f"{ground.url}/battles/new/?battle=tamai")
    expect(page.get_by_role("radio", name="Tamai")).to_be_checked()
    page.get_by_role("button", name=BEGIN).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tamai")
    assert Battle.objects.get().book == "fuzzy-wuzzy"
    context.close()
    logged_in.close()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_nothing_is_amiss_for_whom_the_page_is_read_to(
    ground: Field, browser: Browser, scheme: str
) -> None:
    page = _opened(ground, browser, 1440, 900)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in ("/battles/new/", "/battles/"):
        page.goto(f"{ground.url}{path}")
        assert violations(page) == []
    page.get_by_role("link", name="Fight Tamai").click()
    page.get_by_role("button", name=BEGIN).click()
    page.get_by_text("How to read the field").click()
    assert violations(page) == []
    page.context.close()
