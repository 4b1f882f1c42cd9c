"""The order desk: an order's sentence and button stay in view, the map goes with the stack."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from battles.contract.brief import RIVER_CRAFT, Side
from campaign.access import selectors
from campaign.orders.order_sheet import FootLeg, LeaderRound, MarchOrder, RiverLeg
from campaign.rules import umpire_rulings
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import board
from campaign.rules.map import HexId, sudan
from campaign.services import order_sheets, order_submission
from campaign.services.journal import creation
from campaign.services.umpire import rulings
from tests.browser.camp import Camp, begin_order, kept, march_to
from tests.browser.stage import at_rest

KHARTOUM, BERBER, METEMMEH = "2042", "3127", "2635"
OPEN_NILE = "2138"
SCREENS = [(1440, 900), pytest.param(1024, 768, marks=pytest.mark.long), (390, 844)]


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of the card of a stack on the screen, once the map stands still."""
    card = place.locator('[href="#u-card"]').first
    box, before = card.bounding_box(), None
    while box != before:
        place.page.wait_for_timeout(300)
        box, before = card.bounding_box(), box
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stack(page: Page, hex_number: str) -> Locator:
    return page.locator(f'.stack.egyptian[data-hex="{hex_number}"]')


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_sentence_its_findings_and_the_button_are_in_view(
    egyptian: Page, width: int, height: int
) -> None:
    egyptian.set_viewport_size(ViewportSize(width=width, height=height))
    begin_order(egyptian, KHARTOUM)
    egyptian.locator("#legs input[name=to]").fill("Metemmeh")
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Metemmeh")
    egyptian.evaluate("document.querySelector('#units').scrollIntoView({ block: 'center' })")
    for shown in ("#in-words", "#in-words-findings li >> nth=0", "#keep-order", "#leave-order"):
        expect(egyptian.locator(shown)).to_be_in_viewport(ratio=0.9)
    assert egyptian.evaluate("document.scrollingElement.scrollTop") == 0 or width == 390


@pytest.mark.parametrize(("width", "height"), SCREENS)
def test_the_map_goes_to_the_stack_that_is_chosen_from_the_list(
    egyptian: Page, width: int, height: int
) -> None:
    egyptian.set_viewport_size(ViewportSize(width=width, height=height))
    egyptian.get_by_role("button", name="New order").click()
    for _ in range(3):
        egyptian.get_by_role("button", name="Zoom in").click()
    for hex_number in (KHARTOUM, BERBER):
        egyptian.locator("#stack").select_option(hex_number)
        at_rest(egyptian)
        expect(egyptian.locator(".prospects .start")).to_be_in_viewport()
        expect(stack(egyptian, hex_number)).to_be_in_viewport()


def test_units_are_picked_by_their_counters_and_by_arm(egyptian: Page) -> None:
    begin_order(egyptian, KHARTOUM)
    cards = egyptian.locator(".unit-card")
    expect(cards.first.locator("svg.counter")).to_be_visible()
    egyptian.get_by_role("button", name="Only the infantry").click()
    expect(egyptian.locator("#in-words")).to_contain_text(
        re.compile("battalions?[^:]* at Khartoum:")
    )
    expect(egyptian.locator("#in-words")).not_to_contain_text("gun")
    egyptian.get_by_role("button", name="Only the boats").click()
    expect(egyptian.locator("#legs select[name=by]")).to_have_value("river")
    egyptian.get_by_role("button", name="None", exact=True).click()
    expect(egyptian.locator("#units-count")).to_have_text(re.compile("^0 of"))
    cards.first.click()
    expect(egyptian.locator("#units-count")).to_have_text(re.compile("^1 of"))


def test_a_stack_is_dragged_to_its_destination(egyptian: Page) -> None:
    (x, y), (to_x, to_y) = middle(stack(egyptian, METEMMEH)), middle(stack(egyptian, BERBER))
    egyptian.mouse.move(x, y)
    egyptian.mouse.down()
    egyptian.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
    expect(egyptian.locator(".ordered .way.now").first).to_be_attached()
    egyptian.mouse.move(to_x, to_y, steps=4)
    egyptian.mouse.up()
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    expect(egyptian.locator(".ordered .order-number")).to_have_text("1")
    width = egyptian.locator(".ordered .way:not(.edge)").evaluate(
        "way => [getComputedStyle(way).strokeWidth, getComputedStyle(way).vectorEffect]"
    )
    assert width == ["5px", "non-scaling-stroke"]


def test_a_stack_that_is_chosen_is_not_fanned_out_over_the_map(egyptian: Page) -> None:
    stack(egyptian, KHARTOUM).click()
    expect(egyptian.locator("#compose")).to_be_visible()
    expect(egyptian.locator(".stack .fan:visible")).to_have_count(0)


def test_a_misspelt_place_is_refused_with_a_suggestion_then_read(egyptian: Page) -> None:
    begin_order(egyptian, METEMMEH)
    to = egyptian.locator("#legs input[name=to]")
    to.fill("Berbr")
    expect(egyptian.locator("#in-words-findings")).to_contain_text("Did you mean Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(to).to_be_focused()
    to.fill("Berber")
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Berber")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    expect(egyptian.locator(".order")).to_have_count(1)


COVERED = """() => {
  const cards = [...document.querySelectorAll('.stack')].map((stack) => {
    const card = stack.querySelector(':scope > .c > .unit > use, :scope > .c > rect');
    return [stack, card.getBoundingClientRect()];
  });
  const hidden = ([one, box]) => cards.some(([other, over]) => other !== one
    && Math.min(box.right, over.right) - Math.max(box.left, over.left) > 0.5 * box.width
    && Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 0.5 * box.height);
  return cards.filter(hidden).map(([stack]) => stack.getAttribute('aria-label'));
}"""
"""The stacks whose counters lie under another's."""


def test_no_counter_covers_another_at_any_zoom(egyptian: Page) -> None:
    egyptian.get_by_role("button", name="The whole map").click()
    for _ in range(6):
        at_rest(egyptian)
        assert egyptian.evaluate(COVERED) == []
        egyptian.get_by_role("button", name="Zoom in").click()


def test_a_second_order_for_units_that_have_one_says_which(egyptian: Page) -> None:
    march_to(egyptian, METEMMEH, "Berber")
    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Shendy")
    refusal = egyptian.locator("#in-words-findings .impossible")
    expect(refusal).to_contain_text("The units of this stack have orders already. Change order 1")


def test_an_order_with_no_unit_ticked_is_refused_then_added(egyptian: Page) -> None:
    begin_order(egyptian, KHARTOUM)
    egyptian.locator("#legs input[name=to]").fill("Metemmeh")
    egyptian.get_by_role("button", name="None", exact=True).click()
    refusal = egyptian.locator("#in-words-findings .impossible")
    expect(refusal).to_contain_text("No unit is ticked. Tick the units that are to go. (8.3)")
    egyptian.get_by_role("button", name="Add this order").click()
    expect(egyptian.locator(".unit-card input").first).to_be_focused()
    expect(egyptian.locator(".order")).to_have_count(0)
    with egyptian.expect_popup() as opened:
        refusal.get_by_role("link", name="8.3").click()
    expect(opened.value.get_by_role("heading", level=1)).to_contain_text("8.3")
    opened.value.close()
    egyptian.get_by_role("button", name="Only the infantry").click()
    expect(egyptian.locator("#in-words")).to_contain_text("march by land to Metemmeh")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    expect(egyptian.locator(".order")).to_have_count(1)


class Finger:
    """A finger on a phone's screen: real touches, by the browser's own protocol."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.client = page.context.new_cdp_session(page)

    def put(self, kind: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_stack_is_dragged_by_a_finger(camp: Camp, phone: Page) -> None:
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    (x, y), (to_x, to_y) = middle(stack(phone, METEMMEH)), middle(stack(phone, BERBER))
    finger = Finger(phone)
    finger.put("touchStart", x, y)
    for step in range(1, 9):
        finger.put("touchMove", x + (to_x - x) * step / 8, y + (to_y - y) * step / 8)
    expect(phone.locator(".ordered .way.now").first).to_be_attached()
    finger.put("touchEnd")
    expect(phone.locator("#in-words")).to_contain_text("march by land to Berber")
    expect(phone.locator("#counter-card")).to_be_hidden()
    # A tap so soon after a drag may do no more than stop the page's scrolling.
    phone.get_by_role("button", name="Add this order").click()
    kept(phone)


def test_a_tap_presses_nothing_that_comes_under_the_finger(camp: Camp, phone: Page) -> None:
    """The form makes the map lower: a link is then where the stack was touched."""
    phone.emulate_media(reduced_motion="no-preference")
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    phone.touchscreen.tap(*middle(stack(phone, METEMMEH)))
    expect(phone.locator("#compose")).to_be_visible()
    phone.wait_for_timeout(500)
    assert phone.url.endswith(camp.orders())


def test_what_is_told_of_a_hex_stands_below_the_form_on_a_telephone(
    camp: Camp, phone: Page
) -> None:
    """Above it, it moves the form out of view, with the button that adds the order."""
    phone.emulate_media(reduced_motion="no-preference")
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    told, form = phone.locator("#hex-title"), phone.locator("#compose-title")
    names: list[str] = []
    for north in (0, 60):  # pixels: the stack, then a hex within its reach
        x, y = middle(stack(phone, METEMMEH))
        phone.touchscreen.tap(x, y - north)
        expect(told).not_to_have_text("".join(names[:1]))
        names += told.all_text_contents()
        expect(phone.locator(".prospects .start")).to_be_in_viewport()
        at_rest(phone)
        expect(form).to_be_in_viewport()
        below, above = (one.evaluate("it => it.getBoundingClientRect().y") for one in (told, form))
        assert below > above
    expect(phone.locator("#in-words")).to_contain_text("march by land to")
    expect(phone.locator("#keep-order")).to_be_in_viewport()


def test_a_long_press_shows_the_card_of_a_counter_and_orders_nothing(
    camp: Camp, phone: Page
) -> None:
    camp.log_in(phone, camp.people.egyptian)
    camp.open(phone, camp.orders())
    finger = Finger(phone)
    finger.put("touchStart", *middle(stack(phone, METEMMEH)))
    card = phone.locator("#counter-card")
    expect(card).to_be_visible()
    expect(card).to_contain_text("strength point")
    finger.put("touchEnd")
    expect(phone.locator("#compose")).to_be_hidden()
    expect(card).to_be_visible()
    stack(phone, METEMMEH).tap()
    expect(phone.locator("#compose")).to_be_visible()
    expect(card).to_be_hidden()


def test_an_order_says_who_is_attacked_and_left_behind_and_the_sheet_who_suffers_last(
    camp: Camp, egyptian: Page
) -> None:
    begin_order(egyptian, KHARTOUM)
    egyptian.locator("#legs input[name=to]").fill("2043")
    egyptian.get_by_label("only attack the enemy there, and do not move in").check()
    expect(egyptian.locator("#in-words")).to_contain_text("without entering the hex")
    egyptian.get_by_text("Leaders, losses on the way, units left behind").click()
    for place in ("Berber", ""):
        egyptian.get_by_role("button", name="Leave units behind…").click()
        row = egyptian.locator("#drops li").last
        row.get_by_role("checkbox").nth(2 if place else 3).check()
        row.get_by_label("Where").fill(place)
    egyptian.get_by_role("button", name="Add this order").click()
    egyptian.get_by_text("Units that suffer last").first.click()
    egyptian.locator("#spare input").first.check()
    expect(egyptian.locator("#standing-read")).to_contain_text("last")
    kept(egyptian)
    document = order_sheets.document_of(camp.seat("egyptian").sheets.get())
    (order,) = document.orders
    assert isinstance(order, MarchOrder)
    assert order.legs == (FootLeg(HexId(2043), attack_only=True),)
    assert [drop.at for drop in order.drops] == [int(BERBER), 0]
    assert len(document.standing.spare) == 1


def test_a_march_by_boat_names_its_boats_and_too_few_are_refused(
    camp: Camp, egyptian: Page
) -> None:
    begin_order(egyptian, METEMMEH)
    egyptian.locator("#legs input[name=to]").fill("Khartoum")
    egyptian.get_by_role("button", name="And then…").click()
    leg = egyptian.locator("#legs li").last
    leg.get_by_label("Goes").select_option("river")
    leg.get_by_label("To").fill("Berber")
    leg.get_by_text("In these boats").click()
    leg.get_by_role("checkbox", name=re.compile("boat")).nth(1).check()
    expect(leg.locator(".hulls-count")).to_have_text("1")
    expect(egyptian.locator("#in-words")).to_contain_text("aboard")
    egyptian.get_by_role("button", name="Add this order").click()
    kept(egyptian)
    (order,) = order_sheets.document_of(camp.seat("egyptian").sheets.get()).orders
    assert isinstance(order, MarchOrder)
    foot, river = order.legs
    assert isinstance(foot, FootLeg)
    assert isinstance(river, RiverLeg)
    assert len(river.hulls) == 1
    units = selectors.state_now(camp.campaign).units
    assert all(units[hull].kind in RIVER_CRAFT for hull in river.hulls)
    begin_order(egyptian, KHARTOUM)
    egyptian.get_by_role("button", name="Only the infantry").click()
    egyptian.locator("#legs select[name=by]").select_option("river")
    egyptian.locator("#legs input[name=to]").fill("Berber")
    egyptian.get_by_text("In these boats").click()
    egyptian.locator("#legs [name=hull]").first.check()
    expect(egyptian.locator("#in-words-findings")).to_contain_text("Take fewer, or more boats.")


def test_a_stack_of_boats_alone_goes_by_boat(camp: Camp, egyptian: Page) -> None:
    state = selectors.state_now(camp.campaign)
    stack_there = board(state).stack(Side.EGYPTIAN, HexId(int(KHARTOUM)))
    craft = [unit.id for unit in stack_there if unit.kind in RIVER_CRAFT]
    events = umpire_rulings.move(state, craft, HexId(int(OPEN_NILE)))
    rulings.rule(camp.campaign.pk, camp.people.umpire, Ruled("Downstream.", events))
    camp.open(egyptian, camp.orders())
    begin_order(egyptian, OPEN_NILE)
    expect(egyptian.locator("#units-count")).to_have_text(f"{len(craft)} of {len(craft)}")
    egyptian.locator("#legs input[name=to]").fill("Khartoum")
    expect(egyptian.locator("#in-words")).to_contain_text("go by river to Khartoum")
    expect(egyptian.locator("#in-words-findings")).not_to_contain_text("impossible")


def test_instructions_for_one_unit_are_kept_and_shown_again(camp: Camp, egyptian: Page) -> None:
    egyptian.get_by_role("button", name="Add an exception…").click()
    row = egyptian.locator("#local li")
    row.get_by_text("or with one of these units").click()
    row.get_by_role("checkbox").nth(1).check()
    row.get_by_role("checkbox").nth(2).check()
    row.get_by_label("Leaders help").select_option("fire")
    expect(row.locator(".local-count")).to_have_text("2")
    expect(egyptian.locator("#standing-read")).to_contain_text("For stacks with")
    kept(egyptian)
    (part,) = order_sheets.document_of(camp.seat("egyptian").sheets.get()).standing.local
    assert (len(part.units), part.hexes, part.helps) == (2, (), LeaderRound.FIRE)
    camp.open(egyptian, camp.orders())
    ticked = egyptian.locator("#local [name=local-unit]:checked")
    expect(ticked).to_have_count(2)
    ticked.first.uncheck()
    expect(egyptian.locator(".local-count")).to_have_text("1")
    row.get_by_label("Stacks at").fill("Nowhere")
    row.get_by_label("Stacks at").blur()
    expect(egyptian.locator("#standing-wrong")).to_contain_text("There is no place “Nowhere”.")


def test_some_of_the_arrivals_are_sent_elsewhere(camp: Camp, egyptian: Page) -> None:
    seats = {"umpire": camp.people.umpire, "egyptian": camp.people.egyptian}
    terms = creation.NewCampaignTerms("relief-of-el-obeid", mode="orders", seats=seats)
    camp.campaign = creation.create_campaign(terms)
    camp.open(egyptian, f"{camp.orders()}?month=next")
    egyptian.get_by_role("button", name="Some of them elsewhere…").click()
    part = egyptian.locator("#due-parts li")
    part.get_by_role("checkbox").first.check()
    part.get_by_label("At").fill("Tokar")
    expect(egyptian.locator("#arrivals-read")).to_contain_text("at Tokar")
    kept(egyptian)
    sheet = camp.seat("egyptian").sheets.get()
    (placed,) = order_sheets.document_of(sheet).reinforcements
    assert (len(placed.units), placed.hexes) == (1, (sudan().place("Tokar").hex,))
    there = {"units": [*placed.units, 9003], "hexes": list(placed.hexes)}
    at = camp.campaign.pk, camp.people.egyptian, sheet.seat_id
    order_submission.save_sheet(*at, {"reinforcements": [there]}, month=sheet.month)
    camp.open(egyptian, f"{camp.orders()}?month=next")
    part.get_by_label("a unit that is not due (9003)").uncheck()
    expect(egyptian.locator("#arrivals-read")).not_to_contain_text("9003")
    kept(egyptian)
    assert order_sheets.document_of(camp.seat("egyptian").sheets.get()).reinforcements == (placed,)


def test_units_that_are_lost_can_be_left_out_of_what_names_them(camp: Camp, egyptian: Page) -> None:
    """Boat 9001 and unit 9002 are not in play any more, for the sheet was written before."""
    state = selectors.state_now(camp.campaign)
    boats = [one.id for one in state.units.values() if one.kind in RIVER_CRAFT]
    men = [one.id for one in board(state).stack(Side.EGYPTIAN, HexId(int(KHARTOUM)))]
    leg = {"type": "river", "to": int(BERBER), "hulls": [9001, boats[0]]}
    order = {"type": "march", "hex": int(KHARTOUM), "units": men[:1], "legs": [leg]}
    standing = {"spare": [9002], "local": [{"units": [9002], "helps": "fire"}]}
    document = {"orders": [order], "standing": standing}
    seat = camp.seat("egyptian")
    order_submission.save_sheet(camp.campaign.pk, camp.people.egyptian, seat.pk, document)
    camp.open(egyptian, camp.orders())
    egyptian.get_by_role("button", name="Change, order 1").click()
    gone = egyptian.locator("#legs").get_by_label("a boat not in play (9001)")
    expect(gone).to_be_checked()
    gone.uncheck()
    expect(egyptian.locator(".hulls-count")).to_have_text("1")
    expect(egyptian.locator("#in-words")).not_to_contain_text("not in play")
    egyptian.get_by_role("button", name="Change the order").click()
    lost = "a unit that you do not command (9002)"
    egyptian.locator("#local").get_by_label(lost).uncheck()
    egyptian.get_by_text("Units that suffer last").first.click()
    egyptian.locator("#spare").get_by_label(lost).uncheck()
    expect(egyptian.locator("#spare-count")).to_have_text("none")
    expect(egyptian.locator("#standing-read")).not_to_contain_text("9002")
    kept(egyptian)
    saved = order_sheets.document_of(seat.sheets.get())
    (march,) = saved.orders
    assert isinstance(march, MarchOrder)
    (river,) = march.legs
    assert isinstance(river, RiverLeg)
    assert river.hulls == (boats[0],)
    assert (saved.standing.spare, saved.standing.local) == ((), ())


def test_without_scripts_orders_are_written_submitted_and_ready(
    camp: Camp, browser: Browser
) -> None:
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    camp.log_in(page, camp.people.egyptian)
    page.goto(camp.page)
    page.get_by_role("link", name="Your orders for").click()
    page.get_by_role("link", name="The plain sheet").click()
    stack_here = page.locator("#stack option", has_text="Metemmeh").get_attribute("value")
    page.get_by_label("Stack").select_option(stack_here)
    page.get_by_label("To", exact=True).fill("Kartoum")
    page.get_by_role("button", name="Add this order").click()
    expect(page.locator(".notices")).to_contain_text("Khartoum")
    page.get_by_label("To", exact=True).fill("Berber")
    page.get_by_role("button", name="Add this order").click()
    expect(page.locator("ol.orders > li")).to_contain_text("march by land to Berber")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
    page.get_by_role("button", name="Ready", exact=True).click()
    assert camp.seat("egyptian").sheets.get().ready
    context.close()
