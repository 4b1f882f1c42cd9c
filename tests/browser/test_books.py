"""Battles on an open table in the browser, and the books side by side."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import replay, services
from battles.contract.book import book
from battles.models import Battle
from battles.services import BattleRequest, record
from campaign.services.comparisons import ComparisonTerms, request_comparison
from campaign.simulations.battle_comparison import title_of, ways
from tests.battles_web.field import KEY, small_brief
from tests.browser.stage import wait_for
from tests.browser.test_accessible import unfold, violations
from tests.people import gather

Scheme = Literal["light", "dark"]
OPEN_TABLES = ("restless", pytest.param("fuzzy-wuzzy", marks=pytest.mark.long))


class Ground:
    """A battle by a book that has been fought, and one that waits, on a running server."""

    def __init__(self, live_server: Any, book: str) -> None:
        self.url: str = live_server.url
        self.people = gather()
        self.book = book
        self.battle = record(
            "person:0", small_brief(), book, KEY, battle_request=BattleRequest(True)
        )
        self.waiting = services.create_waiting_battle("person:0", small_brief("waits"), book)
        Battle.objects.filter(pk=self.waiting.pk).update(public=True)

    def at(self, battle: Battle, path: str = "") -> str:
        return f"{self.url}/battles/{battle.uuid}/{path}"


@pytest.fixture(params=OPEN_TABLES)
def ground(live_server: Any, request: pytest.FixtureRequest) -> Ground:
    return Ground(live_server, request.param)


def test_turns_are_stepped_through(ground: Ground, page: Page) -> None:
    first = replay.pictures(ground.battle)[1].title
    page.goto(ground.at(ground.battle))
    heading = page.get_by_role("heading", level=2).first
    expect(heading).to_have_text("The sides are drawn up")
    page.get_by_role("link", name=f"On to {first}").click()
    expect(heading).to_have_text(first)
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    expect(heading).to_have_text("The sides are drawn up")


def test_a_unit_that_is_pressed_says_what_it_is(ground: Ground, page: Page) -> None:
    block = replay.pictures(ground.battle)[0].scene.pieces[0]
    page.goto(ground.at(ground.battle))
    page.locator(f"#piece-{block.number} .base").first.click(force=True)
    expect(page.locator("#told-of")).to_contain_text(f"{block.number}. {block.words}; ")
    expect(page.locator("#told-of")).to_contain_text("the nearest enemy")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_grave(ground: Ground, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in ("turn/2/", "kit/"):
        page.goto(ground.at(ground.battle, path))
        unfold(page)
        assert violations(page) == [], path


def test_nothing_is_wider_than_a_telephone(ground: Ground, phone: Page) -> None:
    for path in ("", "turn/2/", "kit/"):
        phone.goto(ground.at(ground.battle, path))
        assert phone.evaluate("document.documentElement.scrollWidth") == 390, path


def test_a_wide_field_stays_where_it_was_moved_from_turn_to_turn(
    ground: Ground, phone: Page
) -> None:
    phone.goto(ground.at(ground.battle))
    off_middle = "Math.abs(field.scrollLeft - (field.scrollWidth - field.clientWidth) / 2)"
    wait_for(phone, f"{off_middle} <= 1")
    phone.evaluate("field.scrollLeft = 40")
    first = replay.pictures(ground.battle)[1].title
    phone.get_by_role("link", name=f"On to {first}").click()
    expect(phone.get_by_role("heading", level=2).first).to_have_text(first)
    wait_for(phone, "field.scrollLeft === 40")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_nor_on_the_pages_of_its_rules(ground: Ground, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    for path in ("", "trace/"):
        page.goto(f"{ground.url}/battles/books/{ground.book}/{path}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(book(ground.book).title)
        assert violations(page) == []


LOOKS = [
    (1440, "light"),
    (390, "dark"),
    pytest.param(1440, "dark", marks=pytest.mark.long),
    pytest.param(390, "light", marks=pytest.mark.long),
]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_the_books_stand_side_by_side(
    live_server: Any, page: Page, width: int, scheme: Scheme
) -> None:
    people = gather()
    comparison = request_comparison(people.umpire, ComparisonTerms(small_brief(), 2, "kirbekan"))
    assert comparison.status == "succeeded"
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    for path in ("", f"{comparison.uuid}/"):
        page.goto(f"{live_server.url}/battles/compared/{path}")
        table = page.get_by_role("table").first
        for way in ways():
            expect(table.get_by_role("rowheader", name=title_of(way))).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert violations(page) == []
