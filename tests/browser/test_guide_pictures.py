"""The pictures of the guides and of the front page, made from the pages that they show.

`SIRDAR_PICTURES=1 .venv/bin/python -m pytest tests/browser/test_guide_pictures.py` writes them into
campaign/static/help; otherwise the test makes them elsewhere, so that they can always be made.
"""

import os
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, ViewportSize, expect

from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.services import NewFight, begin_fight
from battles.web.battle_cards import FIRST, recommended_book
from campaign.services.turns import advance
from campaign.web.front_page import MONTH_IN_PICTURES
from campaign.web.help_pages import DOCS, PAGES
from tests.browser.camp import Camp, begin_order, march_to
from tests.browser.stage import at_rest

FOLDER = Path(__file__).parents[2] / "campaign" / "static" / "help"
SIZE = ViewportSize(width=1200, height=750)
SHENDY, KHARTOUM = "2635", "2042"
LARGEST = 150_000  # bytes


def pictures_named() -> set[str]:
    """Return the names of the pictures that guides and front page show."""
    guides = "".join((DOCS / page.file).read_text() for page in PAGES)
    found = set(re.findall(r"static/help/([\w-]+)\.jpg", guides))
    return found | {name for name, _ in MONTH_IN_PICTURES}


def test_every_picture_that_is_shown_is_there_and_is_small() -> None:
    assert {path.stem for path in FOLDER.glob("*.jpg")} == pictures_named()
    for path in FOLDER.glob("*.jpg"):
        assert path.stat().st_size <= LARGEST, path.name


def test_the_pictures_are_made_from_the_pages(
    live_server: Any, browser: Browser, tmp_path: Path
) -> None:
    folder = FOLDER if os.environ.get("SIRDAR_PICTURES") else tmp_path
    camp = Camp(live_server, fog=True)
    makers = {
        "orders": show_orders,
        "month": show_month,
        "gazette": show_gazette,
        "console": show_console,
        "battle": show_battle,
    }
    assert set(makers) == pictures_named()
    context = browser.new_context(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    for name, show in makers.items():
        show(camp, page)
        page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=64)
    context.close()
    assert {path.stem for path in folder.glob("*.jpg")} >= pictures_named()


def show_orders(camp: Camp, page: Page) -> None:
    """Show a stack with its reach, and an order read back; then let the month run."""
    camp.log_in(page, camp.people.egyptian)
    camp.open(page, camp.orders())
    march_to(page, SHENDY, "Berber")
    begin_order(page, KHARTOUM)
    page.get_by_role("button", name="Only the infantry").click()
    page.locator("#legs input[name=to]").fill("Metemmeh")
    expect(page.locator("#in-words")).to_contain_text("at Khartoum: march by land to Metemmeh")
    expect(page.locator(".half-built")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#outlook")).to_contain_text("movement points a march")
    expect(page.locator("#odds-told")).to_have_attribute("aria-busy", "false")
    at_rest(page)


def show_month(camp: Camp, page: Page) -> None:
    """Show the campaign's page a month later."""
    advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)
    camp.open(page, f"{camp.page}1884-02/")


def show_gazette(camp: Camp, page: Page) -> None:
    page.goto(f"{camp.page}papers/1884-02/egyptian/")


def show_console(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.umpire)
    camp.open(page, f"{camp.page}console/")


def show_battle(camp: Camp, page: Page) -> None:
    """Show the first battle that visitors are offered, before its first decision."""
    offer = find_ready_battle(FIRST)
    assert offer is not None
    sides = {Side.EGYPTIAN: "me", Side.MAHDIST: "computer"}
    battle = begin_fight(camp.people.umpire, offer.brief, NewFight(recommended_book(FIRST), sides))
    page.goto(f"{camp.url}/battles/{battle.uuid}/fight/")
    page.wait_for_selector("#turn-form")
