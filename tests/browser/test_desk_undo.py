"""The order desk loses nothing: deletions are undone, half-written orders outlive what comes."""

from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_slug
from campaign.services import order_sheets, order_submission
from campaign.services.turns import advance
from tests.browser.camp import Camp, begin_order, kept, march_to
from tests.browser.stage import wait_for

BERBER, METEMMEH, KHARTOUM = "3127", "2635", "2042"

IS_CLEAR = """(element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""True when nothing lies over the middle of an element."""


def orders_of(camp: Camp) -> list[Any]:
    """Return the orders as the server has them."""
    seat = camp.seat("egyptian")
    return list(
        order_sheets.document_of(
            order_sheets.sheet_of(camp.campaign, seat, camp.campaign.month)
        ).orders
    )


def write_order(page: Page, hex_number: str, place: str) -> None:
    """Write an order for the stack in that hex, and do not add it."""
    begin_order(page, hex_number)
    page.locator("#legs input[name=to]").fill(place)
    expect(page.locator("#in-words")).to_contain_text(place)


def test_a_deleted_order_is_put_back_in_its_place(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    march_to(egyptian, BERBER, "Abou Hamed")
    first = orders_of(camp)[0]
    for undo in (
        lambda: egyptian.get_by_role("button", name="Undo").click(),
        lambda: egyptian.keyboard.press("Control+z"),
    ):
        egyptian.get_by_role("button", name="Delete, order 1").click()
        expect(egyptian.locator("#undo")).to_contain_text("Order 1 is deleted.")
        expect(egyptian.locator("#undo")).to_be_in_viewport()
        undo()
        expect(egyptian.locator(".order")).to_have_count(2)
        expect(egyptian.locator("#undo")).to_be_hidden()
        expect(egyptian.locator(".order .strike").first).to_be_focused()
    kept(egyptian)
    egyptian.reload()
    expect(egyptian.locator(".order")).to_have_count(2)
    assert orders_of(camp)[0] == first


def test_undo_is_offered_until_the_next_change(egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    egyptian.get_by_role("button", name="Delete, order 1").click()
    march_to(egyptian, BERBER, "Abou Hamed")
    expect(egyptian.locator("#undo")).to_be_hidden()
    egyptian.keyboard.press("Control+z")
    expect(egyptian.locator(".order")).to_have_count(1)


def test_deleted_instructions_and_marches_are_put_back(egyptian: Page) -> None:
    egyptian.get_by_role("button", name="Add an exception…").click()
    egyptian.locator("[name=local-hexes]").fill("Khartoum")
    egyptian.locator("#local .strike").click()
    expect(egyptian.locator("#local > li")).to_have_count(0)
    egyptian.get_by_role("button", name="Undo").click()
    expect(egyptian.locator("[name=local-hexes]")).to_have_value("Khartoum")

    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.locator("#legs .strike").click()
    expect(egyptian.locator("#legs input[name=to]")).to_have_value("")
    egyptian.get_by_role("button", name="Undo").click()
    expect(egyptian.locator("#legs input[name=to]")).to_have_count(1)
    expect(egyptian.locator("#legs input[name=to]")).to_have_value("Berber")
    expect(egyptian.locator("#in-words")).to_contain_text("to Berber")


def test_copied_orders_are_removed_again(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    camp.open(egyptian, f"{camp.orders()}?month=next")
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    egyptian.get_by_role("button", name="Copy from last month").click()
    expect(egyptian.locator("#undo")).to_contain_text("1 order copied.")
    egyptian.get_by_role("button", name="Undo").click()
    expect(egyptian.locator(".order")).to_have_count(0)


def test_standing_instructions_are_copied_without_the_orders(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    egyptian.locator("#standing-form [name=retreat]").fill("Korti")
    egyptian.keyboard.press("Tab")
    expect(egyptian.locator("#standing-read")).to_contain_text("towards Korti")
    kept(egyptian)
    camp.open(egyptian, f"{camp.orders()}?month=next")
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    egyptian.get_by_role("button", name="Copy last month’s instructions").click()
    expect(egyptian.locator("#undo")).to_contain_text("Last month’s standing instructions copied.")
    expect(egyptian.locator("#standing-read")).to_contain_text("towards Korti")
    expect(egyptian.locator(".order")).to_have_count(0)


def test_two_presses_copy_the_orders_once(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    camp.open(egyptian, f"{camp.orders()}?month=next")
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    egyptian.get_by_role("button", name="Copy from last month").dblclick()
    expect(egyptian.locator("#undo")).to_contain_text("1 order copied.")
    kept(egyptian)
    expect(egyptian.locator(".order")).to_have_count(1)


@pytest.mark.parametrize(("answer", "count"), [("Add it and go on", 1), ("Go on without it", 0)])
def test_an_order_that_is_not_added_is_asked_about_before_the_sheet_is_submitted(
    camp: Camp, egyptian: Page, answer: str, count: int
) -> None:
    write_order(egyptian, METEMMEH, "Berber")
    egyptian.get_by_role("button", name="Submit", exact=True).click()
    asked = egyptian.get_by_role("dialog", name="This order is not on the sheet yet")
    expect(asked).to_contain_text("at Metemmeh: march by land to Berber")
    asked.get_by_role("button", name="Back to the order").click()
    expect(egyptian.locator("#compose-title")).to_be_focused()
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")

    egyptian.get_by_role("button", name="Ready", exact=True).click()
    asked.get_by_role("button", name=answer).click()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted, and you are ready")
    assert len(orders_of(camp)) == count


def test_an_unfinished_order_that_cannot_be_added_keeps_the_sheet_open(egyptian: Page) -> None:
    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Nowhere")
    egyptian.get_by_role("button", name="Ready", exact=True).click()
    egyptian.get_by_role("button", name="Add it and go on").click()
    expect(egyptian.locator("#legs input[name=to]")).to_be_focused()
    expect(egyptian.locator("#in-words-findings")).to_contain_text("There is no place “Nowhere”.")
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")


def test_a_form_in_which_nothing_is_written_is_not_asked_about(egyptian: Page) -> None:
    begin_order(egyptian, METEMMEH)
    egyptian.get_by_role("button", name="Submit", exact=True).click()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted.")


def test_an_empty_sheet_is_ready_only_after_a_question(camp: Camp, egyptian: Page) -> None:
    """The press may be an accident, and against the computer it runs the month."""
    asked = egyptian.get_by_role("dialog", name="You have given no orders")
    for answer in (
        lambda: egyptian.keyboard.press("Enter"),
        lambda: asked.get_by_role("button", name="Back to the orders").click(),
        lambda: egyptian.keyboard.press("Escape"),
    ):
        egyptian.get_by_role("button", name="Ready", exact=True).click()
        expect(asked).to_contain_text("Stacks without an order stay where they are.")
        answer()
        expect(asked).to_be_hidden()
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    egyptian.get_by_role("button", name="Ready", exact=True).click()
    asked.get_by_role("button", name="Ready without orders").click()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted, and you are ready")


def test_a_half_written_order_outlives_escape_another_stack_and_a_reload(egyptian: Page) -> None:
    write_order(egyptian, METEMMEH, "Berber")
    egyptian.locator("#legs input[name=to]").press("Escape")
    expect(egyptian.locator("#compose")).to_be_hidden()
    egyptian.get_by_role("button", name="Undo").click()
    expect(egyptian.locator("#in-words")).to_contain_text("at Metemmeh: march by land to Berber")

    begin_order(egyptian, BERBER)
    expect(egyptian.locator("#in-words")).to_contain_text("at Berber")
    egyptian.get_by_role("button", name="Undo").click()
    expect(egyptian.locator("#in-words")).to_contain_text("at Metemmeh: march by land to Berber")

    egyptian.reload()
    expect(egyptian.locator("#in-words")).to_contain_text("at Metemmeh: march by land to Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    egyptian.reload()
    expect(egyptian.locator(".order")).to_have_count(1)
    expect(egyptian.locator("#compose")).to_be_hidden()


def test_a_change_that_is_refused_is_said_where_it_is_seen(camp: Camp, egyptian: Page) -> None:
    egyptian.get_by_role("button", name="Submit", exact=True).click()
    expect(egyptian.locator("#state-words")).to_contain_text("Submitted.")
    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    said = egyptian.locator("#kept")
    expect(said).to_have_text(
        "Not kept. This sheet has been submitted. Withdraw it, then change it."
    )
    expect(said).to_be_in_viewport(ratio=1)
    expect(egyptian.locator("#odds-busy")).to_be_hidden()
    assert orders_of(camp) == []


def test_who_has_been_logged_out_is_led_to_the_log_in_and_back(camp: Camp, egyptian: Page) -> None:
    egyptian.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator("#kept")).to_contain_text("you have been logged out")
    egyptian.locator("#kept").get_by_role("link", name="Log in").click()
    camp.log_in(egyptian, camp.people.egyptian)
    here = quote(reverse("order-sheet", args=[camp.campaign.slug, camp.seat("egyptian").pk]), "")
    assert egyptian.url == camp.at(f"{reverse('login')}?next={here}")
    egyptian.goto(camp.orders())
    kept(egyptian)
    assert len(orders_of(camp)) == 1


def test_an_open_desk_says_in_view_that_its_month_has_run(camp: Camp, egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    begin_order(egyptian, KHARTOUM)
    advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)
    egyptian.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    said = egyptian.locator("#trouble")
    expect(said).to_contain_text("The month has run.")
    expect(said.get_by_role("link", name="Read the despatches")).to_be_in_viewport(ratio=1)
    expect(egyptian.locator("#state-words")).to_have_text("The month has run.")
    expect(said.get_by_role("link", name="Write the next month’s orders")).to_be_visible()
    expect(egyptian.locator("#awaited")).to_be_empty()  # not "are being carried out"
    expect(egyptian.locator("#compose")).to_be_hidden()
    wait_for(egyptian, "document.querySelector('#orders').inert")


def test_a_desk_that_hears_of_the_next_month_asks_for_no_sheet_of_the_last(
    camp: Camp, egyptian: Page
) -> None:
    """The sheet cannot be read any more: asking for it is an error in the browser's console."""
    expect(egyptian.locator("#state-words")).to_contain_text("Nothing is written yet")
    refused: list[str] = []
    egyptian.on("response", lambda answer: refused.append(answer.url) if not answer.ok else None)
    campaign = advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)
    egyptian.evaluate(
        "month => document.body.dispatchEvent(new CustomEvent('gone-on', { detail: { month } }))",
        month_slug(Month(campaign.month)),
    )
    expect(egyptian.locator("#trouble")).to_contain_text("The month has run.")
    assert refused == []


def test_a_telephone_shows_that_the_month_has_run_clear_of_the_map(camp: Camp, phone: Page) -> None:
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    begin_order(phone, KHARTOUM)
    advance.run_month(camp.campaign.pk, until=camp.campaign.month + 1)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#trouble p").first).to_have_text("The month has run.")
    for said in ("#trouble p", "#trouble a"):
        wait_for(phone, f"({IS_CLEAR})(document.querySelector({said!r}))")


def test_the_desk_says_that_the_campaign_is_over_and_leads_to_its_debrief(
    camp: Camp, egyptian: Page
) -> None:
    outcome = "The Mahdists win the campaign. Khartoum has fallen (4.1)."
    march_to(egyptian, METEMMEH, "Berber")
    seat = camp.seat("egyptian")
    order_submission.submit(camp.campaign.pk, camp.people.egyptian, seat.pk)
    order_sheets.sheets_of(camp.campaign, camp.campaign.month).update(begun=timezone.now())
    Campaign.objects.update(finished=True, outcome=outcome)
    egyptian.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    said = egyptian.locator("#trouble")
    expect(said).to_contain_text(f"The campaign is over. {outcome}")
    expect(egyptian.locator("#state-words")).to_have_text("The campaign is over.")
    debrief = said.get_by_role("link", name="Read the debrief")
    expect(debrief).to_be_in_viewport(ratio=1)
    assert debrief.get_attribute("href") == reverse("debrief", args=[camp.campaign.slug])
    expect(egyptian.locator("#state button:visible")).to_have_count(0)
    wait_for(egyptian, "document.querySelector('#orders').inert")
