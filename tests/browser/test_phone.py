"""A telephone held upright: nothing wider than it, nothing too small for a finger."""

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.services import NewFight, begin_fight
from battles.services.fights import ME, OPEN
from campaign.models import Campaign, Seat
from campaign.services.umpire import invitations
from campaign.services.umpire.invitations import SeatOffer
from tests.battles_web.fights import EL_TEB
from tests.browser.stage import Stage
from tests.people import PASSWORD

PAGES = ("/", "/rules/", "/about/", "/accounts/login/", "/new-campaign/", "/nowhere/")
FINGER = 44  # pixels

TOO_SMALL = """least => {
  const inText = (element) => element.matches('a')
    && getComputedStyle(element).display.startsWith('inline')
    && element.closest('p, td, th, dd, li, caption, summary');
  return [...document.querySelectorAll('a, button, summary, input, select')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !inText(element))
    .filter((element) => !element.closest('label') && !element.matches('.skip, .unseen *'))
    .map((element) => [element.getBoundingClientRect(), element])
    .filter(([box]) => box.width && box.height && Math.min(box.width, box.height) < least - 0.5)
    .map(([box, element]) =>
      `${Math.round(box.width)} x ${Math.round(box.height)}: ${element.outerHTML.slice(0, 120)}`);
}"""


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server)


def is_too_wide(phone: Page) -> bool:
    """Return whether the page is wider than the screen; `innerWidth` grows with the page."""
    return bool(phone.evaluate("document.documentElement.scrollWidth > screen.width"))


def test_no_page_is_wider_than_the_telephone(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    for path in PAGES:
        phone.goto(stage.at(path))
        assert not is_too_wide(phone), path
        assert phone.evaluate(TOO_SMALL, FINGER) == [], path


def test_a_title_and_a_name_of_one_long_word_widen_no_page(stage: Stage, phone: Page) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenversicherungspolicenausgabestelle"
    stage.people.egyptian.username = f"{word}{word}"[:150]  # the longest there is
    stage.people.egyptian.save()
    Campaign.objects.update(title=word, mode=Campaign.Mode.ORDERS)
    Seat.objects.update(name=word[:60])
    stage.log_in(phone, stage.people.umpire)
    pages = ("", "console/", "letters/", "papers/", "seats/", "trace/", "walk/", "walk/2042/")
    for path in ("/", *(f"/campaigns/{stage.campaign.slug}/{page}" for page in pages)):
        phone.goto(stage.at(path))
        assert not is_too_wide(phone), path
    stage.log_in(phone, stage.people.egyptian)
    own = tuple(f"/campaigns/{stage.campaign.slug}/{page}" for page in ("", "orders/", "seats/"))
    for width in (390, 1440):
        phone.set_viewport_size({"width": width, "height": 844})
        for path in ("/", *own):
            phone.goto(stage.at(path))
            assert not is_too_wide(phone), (width, path)
        log_out = phone.get_by_role("button", name="Log out")
        expect(log_out).to_be_in_viewport(ratio=1)
        expect(phone.get_by_role("button", name="Leave this seat")).to_be_in_viewport(ratio=1)


def test_a_name_and_an_address_of_one_long_word_widen_no_page_of_an_account(
    stage: Stage, phone: Page
) -> None:
    player = stage.people.egyptian
    player.username, player.email = "n" * 150, f"{'a' * 60}@{'d' * 60}.{'e' * 60}.org"
    player.save()
    stage.log_in(phone, player)
    for path in ("", "name/", "email/", "password/"):
        phone.goto(stage.at(f"/accounts/{path}"))
        assert not is_too_wide(phone), path
    phone.goto(stage.at(reverse("confirm-email", args=["outlived"])))
    assert not is_too_wide(phone)
    phone.goto(stage.at("/accounts/email/"))
    phone.get_by_label("New address").fill(f"{'b' * 60}@{'d' * 60}.{'e' * 60}.org")
    phone.get_by_label("Your password").fill(PASSWORD)
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_role("status")).to_contain_text("is on its way")
    assert not is_too_wide(phone)


def test_a_name_of_one_long_word_widens_no_invitation_and_no_battle(
    stage: Stage, phone: Page
) -> None:
    owner, friend = stage.people.umpire, stage.people.stranger
    for user in (owner, friend):
        user.username = user.username.ljust(150, "n")
        user.save()
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN}
    battle = begin_fight(owner, chosen.brief, NewFight("redcoats", sides))
    secret = battle.commands.get(side=Side.MAHDIST).invitation
    _, seat = invitations.invite(stage.campaign.pk, owner, SeatOffer("observer"))
    stage.log_in(phone, friend)
    for page in (
        reverse("invitation", args=[seat]),
        reverse("fight-join", args=[battle.uuid, secret]),
    ):
        phone.goto(stage.at(page))
        assert not is_too_wide(phone), page
    phone.get_by_role("button", name="Take the Dervish side").click()
    phone.get_by_text("Aim and sides").click()
    expect(phone.get_by_text("nnn (you)")).to_be_visible()
    assert not is_too_wide(phone)


def test_no_page_of_a_campaign_is_either(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    for path in ("", "1884-02/", "1884-03/hex/2042/", "dice/", "trace/"):
        stage.visit(phone, stage.page + path)
        assert not is_too_wide(phone), path
        assert phone.evaluate(TOO_SMALL, FINGER) == [], path


def test_the_set_up_fits_too(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    phone.goto(stage.to_set_up() + "set-up/arrange/")
    assert not is_too_wide(phone)
    assert phone.evaluate(TOO_SMALL, FINGER) == []


def test_the_map_fills_the_screen_and_the_sheet_is_drawn_up_over_it(
    stage: Stage, phone: Page
) -> None:
    stage.open(phone)
    box = phone.locator("#map").bounding_box()
    assert box is not None
    assert box["width"] == 390
    assert box["height"] > 0.8 * 844
    phone.get_by_role("link", name="Despatches").tap()
    expect(phone.get_by_role("heading", name="Despatches")).to_be_in_viewport()
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()


def test_a_stack_that_is_tapped_is_told_of_in_the_sheet(stage: Stage, phone: Page) -> None:
    stage.open(phone, stage.page + "set-up/")
    phone.locator('.stack[data-hex="3127"]').first.tap()
    heading = phone.locator("#hex").get_by_role("heading", name="Berber")
    expect(heading).to_be_in_viewport()


def test_the_scrubber_is_at_hand(stage: Stage, phone: Page) -> None:
    stage.open(phone)
    expect(phone.get_by_role("slider", name="Month shown")).to_be_in_viewport()
    phone.get_by_role("link", name="Back to March 1884").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("March 1884")


def test_the_banner_is_one_row_for_a_visitor_and_for_a_user(stage: Stage, phone: Page) -> None:
    banner = phone.locator(".banner")
    for user, width in ((None, 390), (None, 360), (stage.people.umpire, 390), (None, 360)):
        if user is not None:
            stage.log_in(phone, user)
        phone.set_viewport_size({"width": width, "height": 844})
        phone.goto(stage.url)
        box = banner.bounding_box()
        assert box is not None
        assert box["height"] < 2 * FINGER
        for link in banner.get_by_role("link").all():
            expect(link).to_be_in_viewport(ratio=1)


def test_a_seat_can_be_left_with_a_finger(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.egyptian)
    phone.goto(stage.page + "seats/")
    leave = phone.get_by_role("button", name="Leave this seat")
    expect(leave).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("cell", name="the whole side").first).to_be_visible()
    leave.tap()
    asked = phone.get_by_role("dialog")
    expect(asked).to_contain_text("only an umpire gives it back to you")
    asked.get_by_role("button", name="Leave this seat").tap()
    expect(leave).to_have_count(0)


def test_the_console_says_the_phase_and_leads_on(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    stage.open(phone, stage.page + "console/")
    month, phase = phone.locator("h1.month"), phone.locator(".campaign-line .turn")
    above, below = month.bounding_box(), phase.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1
    phone.get_by_role("link", name="The campaign’s page").tap()
    expect(phone.get_by_role("heading", name="Despatches")).to_be_attached()
