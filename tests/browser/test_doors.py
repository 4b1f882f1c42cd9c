"""A visitor without an account goes through each door by clicks alone, and takes wrong turns."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from accounts import guests
from campaign.models import Campaign
from campaign.services.turns import showcase
from tests.browser.camp import march_to, ready_without_orders
from tests.browser.stage import NEXT_FRAME, UNMARKED, at_rest, wait_for
from tests.browser.test_accessible import violations
from tests.patience import wait_until
from tests.people import PASSWORD

KORTI = "1426"


@pytest.fixture
def site(live_server: Any) -> str:
    url: str = live_server.url
    return url


def opened_map(page: Page) -> None:
    page.wait_for_selector(".map[data-ready]")
    at_rest(page)


def begin_alone(page: Page, site: str, *, guided: bool, side: str = "As the Egyptians") -> None:
    page.goto(site)
    page.get_by_label("Show me the first month").set_checked(guided)
    page.get_by_role("button", name=side).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Orders, December 1884")
    opened_map(page)


def test_watch_a_siege_in_progress_and_one_that_is_over(
    site: str, page: Page, monkeypatch: pytest.MonkeyPatch, shown_before: None
) -> None:
    monkeypatch.setattr(showcase, "MONTHS_BEHIND", 1)
    showcase.make_showcase()
    page.goto(site)
    page.get_by_role("link", name="Watch the siege").click()
    opened_map(page)
    expect(page.locator(".stack.egyptian").first).to_be_visible()
    expect(page.locator("#despatches .despatch").first).to_be_attached()
    page.goto(site)
    page.get_by_role("link", name="Read one that is over").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("figure", name="The truth")).to_be_visible()
    assert not guests.guests().exists()


def test_fight_a_battle_to_its_first_decision_in_one_click(site: str, page: Page) -> None:
    page.goto(site)
    page.get_by_role("button", name="Fight a battle now").click()
    expect(page).to_have_title(re.compile(r"^(\(\d+\) )?Your turn"))
    expect(page.locator("#turn-form")).to_be_visible()
    expect(page.locator(".banner")).to_contain_text("Guest")
    page.goto(f"{site}/battles/")
    page.get_by_role("button", name="Fight Tamai").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tamai")
    page.goto(site)
    expect(page).to_have_title(re.compile(r"^\(2\) "))


def test_play_a_month_alone_with_the_guide_and_keep_it_by_registering(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=True)
    guide = page.locator("#guide")
    expect(guide).to_contain_text("Step 1 of 6")
    page.locator(f'.stack.egyptian[data-hex="{KORTI}"]').click()
    expect(guide).to_contain_text("Step 2 of 6")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("Step 3 of 6")
    where = page.locator("#legs input[name=to]")
    where.fill("Atlantis")
    where.press("Tab")
    expect(guide).to_contain_text("Step 4 of 6")
    expect(page.locator("#in-words-findings")).not_to_be_empty()
    guide.get_by_role("button", name="Back").click()
    where.fill("Gakdul Wells")
    where.press("Tab")
    expect(page.locator("#in-words")).to_contain_text("march by land to Gakdul Wells")
    expect(guide).to_contain_text("Step 3 of 6")
    guide.get_by_role("button", name="Next").click()
    page.locator("#keep-order").click()
    expect(guide).to_contain_text("Step 5 of 6")
    page.get_by_role("button", name="Ready", exact=True).click()
    expect(guide).to_contain_text("Step 6 of 6")
    guide.get_by_role("link", name="Open the despatches").click()
    opened_map(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("January 1885")
    page.locator("#guide").get_by_role("button", name="Done").click()
    expect(page.locator("#guide")).to_have_count(0)

    page.locator(".banner").get_by_role("link", name="Register").click()
    page.get_by_label("Name").fill("a guest")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".errorlist")).to_be_visible()
    page.get_by_label("Name").fill("Slatin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".banner")).to_contain_text("Slatin")
    opened_map(page)
    assert Campaign.objects.get().seats.get(staff=False).user.username == "Slatin"  # type: ignore[union-attr]


VEIL = """() => {
  const places = document.querySelector(".layer-places");
  const following = Node.DOCUMENT_POSITION_FOLLOWING;
  const open = places.querySelectorAll(".place:not(.veiled) .book");
  const veils = [...document.querySelectorAll(".chart .veil")]
    .filter((one) => !one.closest(".cartouche"));
  return {
    below: veils.filter((one) => one.parentNode === places.parentNode).length,
    above: veils.filter((one) => places.compareDocumentPosition(one) & following).length,
    names: [...open].map((one) => one.textContent),
  };
}"""
"""The veils below the names of places and above them, and the names that stand in open country."""


def test_no_name_is_half_under_the_veil_of_a_scenario(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False)
    shown = page.evaluate(VEIL)
    assert shown["below"] == 1
    assert shown["above"] == 0
    assert sorted(shown["names"]) == ["KHARTOUM", "KORTI", "METEMMEH", "OMDURMAN"]
    page.goto(page.url.partition("orders/")[0])
    opened_map(page)
    page.get_by_role("link", name="Back to Set-up").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set-up")
    at_rest(page)
    assert page.evaluate(VEIL) == shown


def test_the_guide_catches_up_with_a_visitor_who_is_ahead_of_it(site: str, page: Page) -> None:
    begin_alone(page, site, guided=True)
    guide = page.locator("#guide")
    page.locator(".take-stack").first.click()
    expect(guide).to_contain_text("Step 2 of 6")
    page.locator("#legs input[name=to]").fill("Metemmeh")
    expect(guide).to_contain_text("Step 4 of 6")
    guide.get_by_role("button", name="Back").click()
    expect(guide).to_contain_text("Step 3 of 6")


def test_the_form_comes_into_view_on_a_telephone_beside_the_step_of_the_guide(
    site: str, phone: Page
) -> None:
    begin_alone(phone, site, guided=True)
    phone.locator(".take-stack").first.tap()
    expect(phone.locator("#guide")).to_contain_text("Step 2 of 6")
    expect(phone.locator("#guide")).to_be_in_viewport(ratio=1)
    expect(phone.locator("#compose-title")).to_be_in_viewport(ratio=1)
    step, title = (phone.locator(one).bounding_box() for one in ("#guide", "#compose-title"))
    assert step
    assert title
    assert step["y"] + step["height"] <= title["y"]


def test_the_guide_goes_on_to_the_despatches_after_a_month_without_orders(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=True)
    expect(page.locator("#guide")).to_contain_text("Step 1 of 6")
    ready_without_orders(page)
    expect(page.locator("#guide")).to_contain_text("Step 6 of 6", timeout=20_000)


def test_the_guide_goes_on_by_what_is_done_while_the_answer_to_next_is_on_its_way(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=True)
    guide = page.locator("#guide")
    page.locator(f'.stack.egyptian[data-hex="{KORTI}"]').click()
    page.locator("#legs input[name=to]").fill("Gakdul Wells")
    expect(guide).to_contain_text("Step 4 of 6")
    guide.get_by_role("button", name="Back").click()
    expect(guide).to_contain_text("Step 3 of 6")
    held: list[Route] = []
    page.route("**/guide/", partial(list.append, held), times=1)
    guide.get_by_role("button", name="Next").click()
    page.locator("#keep-order").click()
    expect(page.locator("#order-list > li")).to_have_count(1)
    held[0].continue_()
    expect(guide).to_contain_text("Step 5 of 6")


def test_a_step_of_the_guide_that_is_lost_is_said_to_be_so_and_can_be_pressed_again(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=True)
    guide = page.locator("#guide")
    page.route("**/guide/", lambda route: route.abort("internetdisconnected"))
    guide.get_by_role("button", name="Next").click()
    expect(guide.get_by_role("alert")).to_contain_text("There is no answer. Press again")
    expect(guide).to_contain_text("Step 1 of 6")
    page.unroute("**/guide/")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("Step 2 of 6")
    expect(guide.get_by_role("alert")).to_have_count(0)


def test_a_guide_that_is_skipped_while_it_goes_on_stays_skipped(site: str, page: Page) -> None:
    begin_alone(page, site, guided=True)
    guide = page.locator("#guide")
    held: list[Route] = []
    page.route("**/guide/", partial(list.append, held))
    page.locator(f'.stack.egyptian[data-hex="{KORTI}"]').click()
    wait_for(page, "document.querySelector('#compose').checkVisibility()")
    guide.get_by_role("button", name="Skip the guide").click()
    wait_for(page, NEXT_FRAME)
    for route in reversed(held):  # the worst order in which a line can deliver them
        with page.expect_response(route.request.url):
            route.continue_()
    page.unroute("**/guide/")
    expect(guide).to_have_count(0)
    page.reload()
    opened_map(page)
    expect(guide).to_have_count(0)


def test_an_open_sheet_and_its_guide_go_on_once_the_guest_has_registered_in_another_tab(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=True)
    other = page.context.new_page()
    other.goto(f"{site}/accounts/register/")
    other.get_by_label("Name").fill("Slatin")
    other.get_by_label("Password", exact=True).fill(PASSWORD)
    other.get_by_label("Password confirmation").fill(PASSWORD)
    other.get_by_role("main").get_by_role("button", name="Register").click()
    expect(other.locator(".banner")).to_contain_text("Slatin")
    page.locator(".take-stack").first.click()
    expect(page.locator("#guide")).to_contain_text("Step 2 of 6")
    page.locator("#legs input[name=to]").fill("Metemmeh")
    expect(page.locator("#guide")).to_contain_text("Step 4 of 6")
    page.locator("#keep-order").click()
    expect(page.locator("#kept")).to_contain_text("Kept at")


def test_the_guide_is_skipped_and_taken_up_again(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False, side="As the Mahdists")
    expect(page.locator("#guide")).to_have_count(0)
    page.get_by_role("button", name="Show me round").click()
    expect(page.locator("#guide")).to_contain_text("Step 1 of 6")
    page.get_by_role("button", name="Skip the guide").click()
    expect(page.locator("#guide")).to_have_count(0)
    expect(page.locator("#main")).to_be_focused()


def test_what_needs_an_account_says_so_and_leads_on(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False)
    page.goto(site)
    page.get_by_role("link", name="Run a campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Register")
    expect(page.locator("main, .notices").first).to_be_visible()
    page.get_by_label("Name").fill("Hicks")
    page.get_by_label("Password", exact=True).fill("123")
    page.get_by_label("Password confirmation").fill("123")
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".errorlist").first).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New campaign")


def test_a_card_says_what_a_counter_is(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False)
    stack = page.locator(f'.stack.egyptian[data-hex="{KORTI}"]')
    card = page.locator("#counter-card")
    stack.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text("Rides far and fires")
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    page.keyboard.press("Tab")
    stack.focus()
    expect(card).to_be_visible()
    expect(stack).to_have_attribute("aria-describedby", "counter-card")
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_a_clause_opens_in_plain_words_with_a_case(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False)
    march_to(page, KORTI, "Gakdul Wells")
    page.get_by_role("button", name="Ready", exact=True).click()
    begun = Campaign.objects.get()
    wait_until(lambda: Campaign.objects.get().month > begun.month, "the next month")
    page.goto(f"{site}/campaigns/{begun.slug}/1884-12/")
    opened_map(page)
    told = page.locator(".despatch.has-dice:not(.routine .despatch)").first
    link = told.locator(".from a[href*='/rules/clauses/']").first.get_attribute("href")
    shown = page.context.new_page()  # the campaign's own page may be renewing itself
    shown.goto(f"{site}{link}")
    expect(shown.get_by_role("heading", name="For example")).to_be_visible()
    shown.locator(".cases a").first.click()
    expect(shown.locator(".case h1")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_no_serious_violation_at_the_doors_and_in_the_help(
    site: str, page: Page, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    paths = (
        *("/", "/play/campaign/", "/battles/", "/help/", "/help/players/", "/help/umpires/"),
        *("/help/glossary/", "/help/keys/", "/rules/clauses/8_21/"),
    )
    for path in paths:
        page.goto(site + path)
        assert violations(page) == [], path
    begin_alone(page, site, guided=True)
    assert violations(page) == []
    page.goto(site)
    assert violations(page) == []


def test_the_doors_are_used_on_a_telephone(site: str, phone: Page) -> None:
    phone.goto(site)
    wide = phone.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    phone.get_by_role("button", name="As the Egyptians").tap()
    opened_map(phone)
    expect(phone.locator("#guide")).to_contain_text("Step 1 of 6")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.locator(f'.stack.egyptian[data-hex="{KORTI}"]').tap()
    expect(phone.locator("#guide")).to_contain_text("Step 2 of 6")


UNCOVERED = """(one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 4, y + height / 2));
}"""
"""Returns whether an element is on the screen, with no bar over it."""


def clear_of_bars(page: Page, selector: str) -> None:
    """Wait until the element is on the screen with no bar over it: pages scroll smoothly."""
    wait_until(lambda: bool(page.locator(selector).first.evaluate(UNCOVERED)), selector)


def test_on_a_telephone_the_guided_month_is_written_and_read_clear_of_every_bar(
    site: str, phone: Page
) -> None:
    phone.goto(site)
    phone.get_by_role("button", name="As the Egyptians").tap()
    opened_map(phone)
    guide = phone.locator("#guide")
    phone.get_by_role("link", name="What wins").tap()
    clear_of_bars(phone, "#goals-title")
    phone.locator(f'.stack.egyptian[data-hex="{KORTI}"]').tap()
    expect(phone.locator("#in-words-findings")).to_contain_text("Choose the destination")
    expect(phone.locator("#in-words-findings .impossible")).to_have_count(0)
    expect(phone.locator(".prospects .start")).to_be_attached()
    at_rest(phone)
    clear_of_bars(phone, f'.stack[data-hex="{KORTI}"]')
    phone.locator("#legs input[name=to]").fill("Gakdul Wells")
    expect(phone.locator("#in-words")).to_contain_text("march by land to Gakdul Wells")
    phone.get_by_role("button", name="Add this order").tap()
    expect(guide).to_contain_text("Step 5 of 6")
    expect(phone.locator("#kept")).to_contain_text("Kept at")
    clear_of_bars(phone, "#guide-title")
    # The month has run when this is answered: a page opened before would be loaded again.
    with phone.expect_response(lambda told: told.request.method == "PATCH"):
        phone.get_by_role("button", name="Ready", exact=True).tap()
    guide.get_by_role("link", name="Open the despatches").tap()
    opened_map(phone)
    expect(phone.get_by_role("heading", level=1)).to_have_text("January 1885")
    for heading in ("#guide-title", "#despatches-title"):
        clear_of_bars(phone, heading)


SLOW_FRAMES = """
const drawn = requestAnimationFrame;
window.requestAnimationFrame = (act) => setTimeout(() => drawn(act), 500);
"""
"""Draws the map as late as a telephone does that has much else to do."""


def test_a_stack_tapped_on_a_slow_telephone_stays_in_view_beside_its_form(
    site: str, phone: Page
) -> None:
    phone.add_init_script(SLOW_FRAMES)
    phone.goto(site)
    phone.get_by_role("button", name="As the Egyptians").tap()
    opened_map(phone)
    phone.locator(f'.stack.egyptian[data-hex="{KORTI}"]').tap()
    expect(phone.locator(".prospects .start")).to_be_attached()
    at_rest(phone)
    clear_of_bars(phone, f'.stack[data-hex="{KORTI}"]')


def test_every_disclosure_shows_that_it_opens(site: str, page: Page) -> None:
    begin_alone(page, site, guided=False)
    assert page.evaluate(UNMARKED) == []
    page.goto(f"{site}/rules/trace/")
    assert page.evaluate(UNMARKED) == []


def test_by_keyboard_the_focus_goes_from_a_button_that_has_gone_to_what_comes_next(
    site: str, page: Page
) -> None:
    begin_alone(page, site, guided=False)
    page.get_by_role("button", name="Submit", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Withdraw")).to_be_focused()
    page.get_by_role("button", name="Ready", exact=True).press("Enter")
    page.get_by_role("button", name="Ready without orders").press("Enter")
    expect(page.get_by_role("link", name="Read the despatches")).to_be_focused()
