"""The order desk on a bad line: answers that come late or never, and presses made meanwhile."""

from typing import Any

from playwright.sync_api import Page, expect

from campaign.orders.order_sheet import MarchOrder
from campaign.services.order_sheets import document_of
from tests.browser.camp import Camp, begin_order, kept, march_to
from tests.browser.looks import OPEN_LINE, Late, hears
from tests.browser.test_players import BERBER, KHARTOUM, SHENDY, egyptian, sheet_of

__all__ = ["egyptian"]

SHEET = "**/sheets/*/"


def add_march(page: Page, hex_number: str, place: str) -> None:
    """Add the order to march there, and do not wait until it is kept."""
    begin_order(page, hex_number)
    page.locator("#legs input[name=to]").fill(place)
    expect(page.locator("#in-words")).to_contain_text(f"to {place}")
    page.get_by_role("button", name="Add this order").click()


def destinations(camp: Camp) -> list[Any]:
    """Return where each order of the server's sheet leads."""
    marches = document_of(sheet_of(camp)).orders
    return [order.legs[-1].to for order in marches if isinstance(order, MarchOrder)]


def test_a_change_while_a_press_is_under_way_is_no_conflict(camp: Camp, egyptian: Page) -> None:
    egyptian.add_init_script(OPEN_LINE)
    camp.open(egyptian, camp.orders())
    march_to(egyptian, SHENDY, "Berber")
    late = Late(egyptian, SHEET, "PATCH")
    egyptian.get_by_role("button", name="Submit", exact=True).click()
    late.wait()
    add_march(egyptian, BERBER, "Abou Hamed")
    hears(egyptian)
    egyptian.wait_for_timeout(1000)  # longer than the sheet waits before a change is sent
    late.arrive()
    line = egyptian.locator("#kept")
    expect(line).to_contain_text("Not kept. This sheet has been submitted. Withdraw it")
    expect(egyptian.locator("#trouble")).to_be_empty()
    egyptian.get_by_role("button", name="Withdraw").click()
    kept(egyptian)
    assert len(destinations(camp)) == 2


def test_two_presses_are_both_done_however_late_the_first_is_answered(
    camp: Camp, egyptian: Page
) -> None:
    march_to(egyptian, SHENDY, "Berber")
    late = Late(egyptian, SHEET, "PATCH")
    egyptian.get_by_role("button", name="Submit", exact=True).click()
    late.wait()
    egyptian.get_by_role("button", name="Ready", exact=True).click()
    egyptian.wait_for_timeout(300)  # in which the second press could overtake the first
    late.arrive()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted, and you are ready")
    assert sheet_of(camp).ready


def test_a_sheet_whose_answer_was_lost_is_known_again_as_ones_own(
    camp: Camp, egyptian: Page
) -> None:
    late = Late(egyptian, SHEET, "PUT")
    add_march(egyptian, SHENDY, "Berber")
    late.wait()
    add_march(egyptian, BERBER, "Abou Hamed")
    late.get_lost()
    kept(egyptian)
    expect(egyptian.locator("#trouble")).to_be_empty()
    expect(egyptian.locator(".order")).to_have_count(2)
    assert len(destinations(camp)) == 2


def test_a_press_whose_answer_was_lost_is_shown_as_done(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, SHENDY, "Berber")
    late = Late(egyptian, SHEET, "PATCH")
    egyptian.get_by_role("button", name="Ready", exact=True).click()
    late.wait()
    late.get_lost()
    egyptian.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted, and you are ready")
    expect(egyptian.locator("#kept")).to_contain_text("Submitted, and you are ready")


def test_what_is_being_typed_stays_when_the_sheet_is_written_elsewhere(
    camp: Camp, egyptian: Page
) -> None:
    other = egyptian.context.new_page()
    camp.open(other, camp.orders())
    near = egyptian.locator("#standing-form [name=near]")
    near.press_sequentially("Khart")
    march_to(other, SHENDY, "Berber")
    expect(egyptian.locator(".order")).to_have_count(1)
    expect(near).to_have_value("Khart")
    near.press_sequentially("oum")
    kept(egyptian)
    written = document_of(sheet_of(camp))
    assert (len(written.orders), list(written.standing.near)) == (1, [int(KHARTOUM)])
    other.close()


def test_an_order_that_is_changed_keeps_its_place_when_others_are_deleted(
    camp: Camp, egyptian: Page
) -> None:
    march_to(egyptian, SHENDY, "Berber")
    march_to(egyptian, BERBER, "Abou Hamed")
    orders = egyptian.locator(".order")
    orders.nth(1).get_by_role("button", name="Change").click()
    orders.first.get_by_role("button", name="Delete").click()
    expect(egyptian.locator("#compose-title")).to_have_text("Order 1")
    egyptian.locator("#legs input[name=to]").fill("Khartoum")
    egyptian.get_by_role("button", name="Change the order").click()
    kept(egyptian)
    assert destinations(camp) == [int(KHARTOUM)]


def test_an_order_that_was_deleted_elsewhere_while_it_was_changed_is_added_again(
    camp: Camp, egyptian: Page
) -> None:
    march_to(egyptian, SHENDY, "Berber")
    march_to(egyptian, BERBER, "Abou Hamed")
    other = egyptian.context.new_page()
    camp.open(other, camp.orders())
    orders = egyptian.locator(".order")
    orders.nth(1).get_by_role("button", name="Change").click()
    for left in (1, 0):
        other.locator(".order").first.get_by_role("button", name="Delete").click()
        expect(orders).to_have_count(left)
        title = "Order 1" if left else "A new order"
        expect(egyptian.locator("#compose-title")).to_have_text(title)
    egyptian.locator("#legs input[name=to]").fill("Khartoum")
    expect(egyptian.locator("#in-words")).to_contain_text("to Khartoum")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    assert destinations(camp) == [int(KHARTOUM)]
    other.close()
