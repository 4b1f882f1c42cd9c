"""A month by orders as three people live it: they write, read back, submit and walk the map."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from campaign.models import OrderSheet, Receipt, Seat
from campaign.services.order_sheets import document_of
from campaign.services.turns import advance
from campaign.services.umpire import invitations
from tests.browser.camp import Camp, begin_order, kept, march_to, ready_without_orders
from tests.browser.looks import Held
from tests.people import PASSWORD

BERBER, SHENDY, KHARTOUM = "3127", "2635", "2042"


@pytest.fixture
def egyptian(camp: Camp, page: Page) -> Page:
    """The Egyptian player at his order sheet."""
    camp.log_in(page, camp.people.egyptian)
    camp.open(page, camp.orders())
    expect(page.locator("form[inert]")).to_have_count(0)
    return page


@pytest.fixture
def another(camp: Camp, browser: Browser) -> Iterator[Page]:
    """A second browser, nobody's yet."""
    page = camp.session(browser)
    yield page
    page.context.close()


def sheet_of(camp: Camp, role: str = "egyptian") -> OrderSheet:
    return OrderSheet.objects.get(seat=camp.seat(role), month=camp.campaign.month)


def test_a_month_by_three_people_in_three_sessions(
    camp: Camp, page: Page, browser: Browser, another: Page
) -> None:
    invitations.leave(camp.campaign.pk, camp.people.mahdist, camp.seat("mahdist").pk)
    camp.log_in(page, camp.people.umpire)
    page.goto(f"{camp.page}seats/")
    page.get_by_label("Seat", exact=True).select_option("mahdist")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link").input_value()

    another.goto(link)
    another.locator("main").get_by_role("link", name="Register").click()
    another.get_by_label("Name").fill("Osman")
    another.get_by_label("Password", exact=True).fill(PASSWORD)
    another.get_by_label("Password confirmation").fill(PASSWORD)
    another.get_by_role("button", name="Register").click()
    another.get_by_role("button", name="Take the seat").click()
    expect(another.get_by_role("link", name="Your orders")).to_be_visible()
    assert Seat.objects.get(role="mahdist").user == User.objects.get(username="Osman")
    another.get_by_role("link", name="Your orders").click()
    march_to(another, "1853", "Duem")
    another.get_by_role("button", name="Ready").click()
    expect(another.locator("#state-words")).to_contain_text("you are ready")

    egyptian = camp.session(browser, camp.people.egyptian)
    camp.open(egyptian, camp.orders())
    expect(egyptian.locator("#new-order")).to_be_visible()
    expect(egyptian.locator("#copy-last")).to_have_count(0)
    march_to(egyptian, SHENDY, "Berber")
    egyptian.get_by_role("button", name="Submit").click()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted")

    advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)

    egyptian.goto(camp.orders() + "receipts/")
    expect(egyptian.locator(".fates li").first).to_contain_text("march by land to Berber")
    expect(egyptian.locator(".fate").first).to_be_visible()
    egyptian.goto(camp.orders())
    expect(egyptian.get_by_role("heading", level=1)).to_have_text("Orders, March 1884")
    egyptian.get_by_role("button", name="Copy from last month").click()
    expect(egyptian.locator(".order")).to_have_count(1)
    egyptian.context.close()


def test_a_stack_is_ordered_by_two_presses_on_the_map(egyptian: Page) -> None:
    egyptian.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    expect(egyptian.locator("#compose")).to_be_visible()
    expect(egyptian.locator("#outlook")).to_contain_text("movement points a march")
    expect(egyptian.locator(".prospects .band-1")).to_have_attribute("d", re.compile("."))
    egyptian.locator(f'.stack.egyptian[data-hex="{BERBER}"]').click()
    expect(egyptian.locator("#legs input[name=to]")).to_have_value("Berber")
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Berber")
    expect(egyptian.locator(".ordered .way.now")).not_to_have_count(0)


def test_on_a_telephone_a_stack_is_tapped_then_its_destination(camp: Camp, phone: Page) -> None:
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    stack = phone.locator(f'.stack.egyptian[data-hex="{SHENDY}"]')
    stack.tap()
    expect(phone.locator("#compose")).to_be_visible()
    expect(phone.locator("#map")).to_be_in_viewport()
    phone.get_by_role("button", name="Zoom out").tap()  # Berber lay under a button of the map
    phone.locator(f'.stack.egyptian[data-hex="{BERBER}"]').tap()
    expect(phone.locator("#in-words")).to_contain_text("march by land to Berber")


def test_on_a_telephone_no_button_lies_on_the_month(camp: Camp, phone: Page) -> None:
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    ready_without_orders(phone)
    expect(phone.get_by_role("button", name="Not ready")).to_be_visible()
    heading = phone.locator("h1.month").evaluate(
        """(one) => {
          const words = document.createRange();
          words.selectNodeContents(one);
          return words.getBoundingClientRect().right;
        }"""
    )
    buttons = phone.locator(".state-buttons").bounding_box()
    assert buttons
    assert heading <= buttons["x"]


def test_where_arrivals_cannot_stand_is_named(egyptian: Page) -> None:
    field = egyptian.get_by_label("All other arrivals")
    field.fill("Souakim, Nowhere")
    field.press("Tab")
    expect(egyptian.locator("#arrivals-wrong")).to_contain_text("There is no place “Nowhere”")
    field.fill("Souakim, 2042")
    field.press("Tab")
    expect(egyptian.locator("#arrivals-wrong")).to_be_empty()
    expect(egyptian.locator("#arrivals-read")).to_contain_text("at Souakim, or else at Khartoum")


def test_orders_are_moved_changed_and_struck_out(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    march_to(egyptian, BERBER, "Abou Hamed")
    items = egyptian.locator(".order")
    expect(items).to_have_count(2)
    expect(items.nth(0)).to_contain_text("to Berber")
    items.nth(1).get_by_role("button", name="Up").click()
    expect(items.nth(0)).to_contain_text("to Abou Hamed")
    items.nth(0).get_by_role("button", name="Change").click()
    egyptian.locator("#legs input[name=to]").fill("Shendy")
    egyptian.get_by_role("button", name="Change the order").click()
    expect(items.nth(0)).to_contain_text("to Shendi")
    items.nth(1).get_by_role("button", name="Delete").click()
    expect(items).to_have_count(1)
    kept(egyptian)
    assert len(document_of(sheet_of(camp)).orders) == 1


def test_an_order_is_drawn_up_by_its_grip(egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    march_to(egyptian, BERBER, "Abou Hamed")
    expect(egyptian.locator("#order-list")).to_have_attribute("aria-busy", "false")
    grasp_second_order(egyptian)
    egyptian.mouse.up()
    expect(egyptian.locator(".order").nth(0)).to_contain_text("to Abou Hamed")


def test_an_order_in_the_hand_is_not_lost_when_the_sheet_is_read_back(egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    expect(egyptian.locator("#order-list")).to_have_attribute("aria-busy", "false")
    begin_order(egyptian, BERBER)
    egyptian.locator("#legs input[name=to]").fill("Abou Hamed")
    expect(egyptian.locator("#in-words")).to_contain_text("Abou Hamed")
    held: list[Route] = []
    egyptian.route("**/check/", lambda route: held.append(route))  # noqa: PLW0108  no builtin
    with egyptian.expect_request("**/check/"):
        egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#order-list")).to_have_attribute("aria-busy", "true")
    grasp_second_order(egyptian)
    for reading in held:
        reading.continue_()
    egyptian.unroute("**/check/")
    expect(egyptian.locator("#order-list")).to_have_attribute("aria-busy", "false")
    egyptian.mouse.up()
    expect(egyptian.locator(".order").nth(0)).to_contain_text("to Abou Hamed")
    expect(egyptian.locator(".order")).to_have_count(2)


SECOND_GRIP = """() => {
    const [first, second] = document.querySelectorAll(".order");
    const grip = second.querySelector(".grip");
    grip.scrollIntoView({block: "center"});
    const box = grip.getBoundingClientRect();
    return [box.x + 5, box.y + box.height / 2, first.getBoundingClientRect().y + 4];
}"""
"""Scroll to the second order; return the place to grasp it, and the height of the first."""


def grasp_second_order(page: Page) -> None:
    """Press the grip of the second order and carry it above the first.

    The list may be written again at any time, so all is measured at once.
    """
    expect(page.locator(".order .grip")).to_have_count(2)
    x, y, above = page.evaluate(SECOND_GRIP)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, above, steps=8)


def test_what_is_impossible_says_which_clause_and_what_to_do(egyptian: Page) -> None:
    begin_order(egyptian, SHENDY)
    egyptian.get_by_role("button", name="None", exact=True).click()
    egyptian.locator("#legs input[name=to]").fill("Berber")
    wrong = egyptian.locator("#in-words-findings .impossible")
    expect(wrong).to_contain_text(re.compile(r"\(\d+\.\d+"))


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("Atlantis", "There is no place “Atlantis”."),
        ("Berlin", "There is no place “Berlin”. Write a place, or the four figures of a hex."),
        ("Kartoom", "There is no place “Kartoom”. Did you mean Khartoum"),
        ("Khartoum, please!!", "There is no place “Khartoum, please!!”. Did you mean Khartoum?"),
    ],
)
def test_a_misspelt_place_stays_and_is_answered_with_those_it_may_mean(
    egyptian: Page, typed: str, hint: str
) -> None:
    begin_order(egyptian, SHENDY)
    field = egyptian.locator("#legs input[name=to]")
    field.fill(typed)
    expect(egyptian.locator("#in-words")).to_contain_text(typed)
    expect(egyptian.locator("#in-words-findings")).to_contain_text(hint)
    egyptian.get_by_role("button", name="Add this order").click()
    expect(field).to_be_focused()
    expect(field).to_have_value(typed)
    expect(egyptian.locator(".order")).to_have_count(0)
    field.fill("Berber")
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator(".order")).to_have_count(1)


def test_a_misspelt_place_in_the_standing_orders_is_said_not_to_be_kept(egyptian: Page) -> None:
    field = egyptian.get_by_label("Beaten stacks retreat towards")
    field.fill("Kartoom")
    field.press("Tab")
    wrong = egyptian.locator("#standing-wrong")
    expect(wrong).to_contain_text("There is no place “Kartoom”. Did you mean Khartoum")
    expect(wrong).to_contain_text("not kept until it is put right")
    expect(field).to_have_value("Kartoom")


def test_numbers_and_lists_of_the_standing_orders_are_taken_as_they_are_meant(
    camp: Camp, egyptian: Page
) -> None:
    points, near = egyptian.locator("#from-points"), egyptian.locator("#near")
    for typed, meant in (("5000", "999"), ("-3", "0"), ("2.4", "2")):
        points.fill(typed)
        points.blur()
        expect(points).to_have_value(meant)
    near.fill("Khartoum; berber")
    near.blur()
    kept(egyptian)
    egyptian.reload()
    expect(points).to_have_value("2")
    expect(near).to_have_value("Khartoum, Berber")


def test_standing_orders_are_not_written_before_the_stored_sheet_is_here(
    camp: Camp, egyptian: Page
) -> None:
    egyptian.locator("#from-points").fill("7")
    egyptian.locator("#from-points").blur()
    kept(egyptian)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    egyptian.route("**/sheets/**", hold, times=1)
    with egyptian.expect_request("**/sheets/**"):
        egyptian.reload()
    expect(egyptian.locator("#standing-form[inert]")).to_have_count(1)
    held[0].continue_()
    expect(egyptian.locator("#standing-form[inert]")).to_have_count(0)
    expect(egyptian.locator("#from-points")).to_have_value("7")


def test_a_sortie_and_a_storm_in_as_many_legs_as_are_wanted(egyptian: Page) -> None:
    begin_order(egyptian, SHENDY)
    more = egyptian.get_by_role("button", name="And then…")
    for place in ("Berber", "Abou Hamed", "Berber", "Shendi", "Berber"):
        egyptian.locator("#legs .leg:last-child input[name=to]").fill(place)
        if place != "Berber" or egyptian.locator("#legs .leg").count() < 5:
            more.click()
    expect(egyptian.locator("#at-odds")).to_be_hidden()
    egyptian.get_by_role("checkbox", name="first drive off everybody").check()
    expect(egyptian.locator("#at-odds")).to_be_visible()
    expect(egyptian.locator("#after-win")).to_be_hidden()
    egyptian.get_by_label("attack", exact=True).check()
    egyptian.get_by_label("storm: attack the same place again").check()
    words = egyptian.locator("#in-words")
    expect(words).to_contain_text("first drive off everybody who besieges it")
    expect(words).to_contain_text("attack the same hex again until it falls")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator(".order")).to_have_count(1)
    egyptian.reload()
    egyptian.locator(".order").get_by_role("button", name="Change").click()
    expect(egyptian.locator("#legs .leg")).to_have_count(5)
    expect(egyptian.get_by_role("checkbox", name="first drive off everybody")).to_be_checked()
    expect(egyptian.get_by_label("storm: attack the same place again")).to_be_checked()


def test_a_sortie_against_nobody_is_refused_in_words(egyptian: Page) -> None:
    begin_order(egyptian, SHENDY)
    egyptian.get_by_role("checkbox", name="first drive off everybody").check()
    wrong = egyptian.locator("#in-words-findings .impossible")
    expect(wrong).to_contain_text("Nobody besieges the stack")
    expect(wrong).to_contain_text("(9.12)")


def test_stacks_are_instructed_one_by_one(egyptian: Page) -> None:
    egyptian.get_by_role("button", name="Add an exception…").click()
    row = egyptian.get_by_role("listitem", name="Instructions 1")
    field = row.get_by_label("Stacks at")
    field.fill("Kartoom")
    field.press("Tab")
    expect(egyptian.locator("#standing-wrong")).to_contain_text("Did you mean Khartoum")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("Khartoum")
    row.get_by_label("Leaders help").select_option("fire")
    row.get_by_label("Retreat towards").fill("Berber")
    row.get_by_label("Supply from this many points on").fill("12")
    egyptian.get_by_label("First the supply at").fill("Dongola, Korti")
    read = egyptian.locator("#standing-read")
    expect(read).to_contain_text("For stacks at Khartoum: beaten stacks retreat towards Berber")
    expect(read).to_contain_text("twelve strength points on; leaders help in fire")
    expect(read).to_contain_text("first that at Dongola, then that at Korti")
    expect(egyptian.locator("#standing-wrong")).to_be_empty()
    kept(egyptian)
    egyptian.reload()
    expect(row.get_by_label("Stacks at")).to_have_value("Khartoum")
    expect(row.get_by_label("Leaders help")).to_have_value("fire")
    row.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    expect(read).not_to_contain_text("For stacks at Khartoum")


def test_what_is_shown_of_another_sheet_is_marked_until_the_answer_comes(egyptian: Page) -> None:
    """Neither the odds nor the sentence of the sheet before are left to be read as true."""
    expect(egyptian.locator("#odds-told")).to_have_attribute("aria-busy", "false")
    odds = Held(egyptian, "/orders/*/odds/", "GET")
    march_to(egyptian, SHENDY, "Berber")
    expect(egyptian.locator("#odds-told")).to_have_attribute("aria-busy", "true")
    expect(egyptian.locator("#odds-busy")).to_be_visible()
    expect(egyptian.locator("#order-list")).to_have_attribute("aria-busy", "false")
    odds.wait(1)
    odds.let_go(0)
    egyptian.unroute("**/orders/*/odds/")
    expect(egyptian.locator("#odds-told .order-odds")).to_have_count(1)
    expect(egyptian.locator("#odds-told")).to_have_attribute("aria-busy", "false")
    expect(egyptian.locator("#odds-busy")).to_be_hidden()


def test_a_rehearsal_shows_how_far_it_is_and_is_stopped(egyptian: Page, no_worker: None) -> None:
    march_to(egyptian, SHENDY, "Berber")
    kept(egyptian)
    egyptian.get_by_role("button", name="Rehearse the month 200 times").click()
    expect(egyptian.get_by_role("progressbar")).to_have_attribute("max", "200")
    egyptian.get_by_role("button", name="Stop here").click()
    expect(egyptian.get_by_role("alert")).to_contain_text("of 200 were played")
    expect(egyptian.get_by_role("progressbar")).to_have_count(0)


def test_odds_that_take_long_are_stopped_and_asked_for_again_at_the_next_change(
    egyptian: Page,
) -> None:
    expect(egyptian.locator("#odds-told")).to_have_attribute("aria-busy", "false")
    odds = Held(egyptian, "/orders/*/odds/", "GET")
    march_to(egyptian, SHENDY, "Berber")
    expect(egyptian.locator("#odds-busy")).to_contain_text("The odds are being worked out.")
    odds.wait(1)
    with egyptian.expect_event("requestfailed", lambda one: one.url.endswith("/odds/")):
        egyptian.get_by_role("button", name="Stop", exact=True).click()
    expect(egyptian.locator("#odds-busy")).to_be_hidden()
    expect(egyptian.locator("#odds-told")).to_contain_text("Stopped.")
    egyptian.unroute("**/orders/*/odds/")
    march_to(egyptian, KHARTOUM, "Berber")
    expect(egyptian.locator("#odds-told .order-odds")).to_have_count(2)


def test_an_order_shows_one_judgement_however_much_is_said_of_it(egyptian: Page) -> None:
    march_to(egyptian, KHARTOUM, "Berber")
    said = egyptian.locator(".order .findings")
    expect(said.locator("li").nth(1)).to_be_visible()
    expect(said.locator("b")).to_have_count(1)
    expect(said.locator("b")).to_have_text("uncertain")


def test_submitted_taken_back_ready_and_a_receipt_for_each(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    egyptian.get_by_role("button", name="Submit").click()
    expect(egyptian.locator("#kept")).to_contain_text("Submitted. Receipt")
    egyptian.get_by_role("button", name="Withdraw").click()
    expect(egyptian.locator("#state-words")).to_contain_text("A draft")
    egyptian.get_by_role("button", name="Ready", exact=True).click()
    expect(egyptian.locator("#state-words")).to_contain_text("you are ready")
    kinds = set(Receipt.objects.values_list("kind", flat=True))
    assert kinds >= {"saved", "submitted", "taken back"}
    egyptian.goto(camp.orders() + "receipts/")
    egyptian.get_by_role("link", name=re.compile("Saved")).first.click()
    expect(egyptian.get_by_role("heading", level=1)).to_have_text("Receipt")
    expect(egyptian.locator("code").first).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(egyptian.locator(".fates")).to_contain_text("march by land to Berber")


def test_a_whole_sheet_by_the_keyboard_alone(camp: Camp, egyptian: Page) -> None:
    tab_to(egyptian, egyptian.locator("#new-order"))
    egyptian.keyboard.press("Enter")
    expect(egyptian.locator("#compose-title")).to_be_focused()
    tab_to(egyptian, egyptian.locator("#stack"))
    egyptian.keyboard.type("Metemmeh")
    expect(egyptian.locator("#units-count")).to_contain_text("of")
    tab_to(egyptian, egyptian.locator("#legs input[name=to]"))
    egyptian.keyboard.type("Berber")
    expect(egyptian.locator("#in-words")).to_contain_text("Metemmeh: march by land to Berber")
    tab_to(egyptian, egyptian.locator("#keep-order"))
    egyptian.keyboard.press("Enter")
    kept(egyptian)
    expect(egyptian.locator(".order .change")).to_be_focused()
    egyptian.evaluate("document.querySelector('.wordmark').focus()")
    tab_to(egyptian, egyptian.get_by_role("button", name="Submit"))
    egyptian.keyboard.press("Enter")
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted")
    assert sheet_of(camp).submitted


def tab_to(page: Page, wanted: Any) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(120):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {wanted}")


UNANSWERED = """(link, key) =>
  link.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))"""
"""Presses a key on a link, and returns whether the page leaves it to the browser."""


def test_the_map_in_words_breaks_no_name_and_no_number(camp: Camp, egyptian: Page) -> None:
    egyptian.set_viewport_size(ViewportSize(width=390, height=844))
    egyptian.goto(f"{camp.page}walk/")
    heights = egyptian.locator(".walk th .aside").evaluate_all(
        "numbers => numbers.map(number => number.getBoundingClientRect().height)"
    )
    assert max(heights) < 2 * min(heights)
    link = egyptian.get_by_role("link", name=re.compile("^Khartoum")).first.bounding_box()
    assert link
    assert link["height"] < 2 * min(heights)


def test_the_map_is_walked_in_words_by_keys(camp: Camp, egyptian: Page) -> None:
    egyptian.goto(f"{camp.page}walk/")
    egyptian.get_by_role("link", name=re.compile("^Khartoum")).first.click()
    title = egyptian.get_by_role("heading", level=1)
    expect(title).to_contain_text("Khartoum")
    tab_to(egyptian, egyptian.locator("a.walk-on").first)
    egyptian.keyboard.press("w")
    expect(title).to_contain_text("2041")
    expect(title).to_be_focused()
    egyptian.go_back()
    expect(title).to_contain_text("Khartoum")
    egyptian.get_by_role("link", name=re.compile("^upstream")).first.click()
    expect(title).to_contain_text("One hex S of Khartoum")
    egyptian.get_by_label("Go to a place or a hex").fill("Berber")
    egyptian.get_by_role("button", name="Go").click()
    expect(title).to_contain_text("Berber")
    shortcuts, here = egyptian.get_by_label("Act on shortcuts of a single key"), egyptian.url
    shortcuts.uncheck()
    assert egyptian.locator("a.walk-on").first.evaluate(UNANSWERED, "w")
    egyptian.locator("a.walk-on").first.press("Enter")
    expect(egyptian).not_to_have_url(here)
    expect(shortcuts).not_to_be_checked()


def test_of_two_steps_on_a_slow_line_the_last_is_shown(camp: Camp, egyptian: Page) -> None:
    egyptian.goto(f"{camp.page}walk/{KHARTOUM}/")
    title = egyptian.get_by_role("heading", level=1)
    first = egyptian.locator("a.walk-on[data-key=w]").get_attribute("href")
    held: list[Route] = []
    egyptian.route(f"**{first}", partial(list.append, held))
    egyptian.locator("a.walk-on").first.focus()
    egyptian.keyboard.press("w")
    egyptian.keyboard.press("e")
    expect(title).to_contain_text("hex 2142")
    held[0].continue_()
    egyptian.wait_for_timeout(500)  # in which the first answer could arrive
    expect(title).to_contain_text("hex 2142")
    expect(egyptian).to_have_url(re.compile("/2142/$"))

    egyptian.unroute(f"**{first}")
    egyptian.context.set_offline(True)
    egyptian.locator("a.walk-on").first.click()
    expect(title).to_have_count(0)  # the browser says that there is no connection
    egyptian.context.set_offline(False)


def test_nobody_reads_the_sheet_of_another(camp: Camp, egyptian: Page) -> None:
    answer = egyptian.goto(camp.orders("mahdist"))
    assert answer
    assert answer.status == 403
