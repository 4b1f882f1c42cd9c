"""A campaign that people play in their browsers: three sessions, and ways about the order sheet."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from campaign.access import selectors
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import Done
from campaign.services.journal import campaign_session, creation
from campaign.staff import answer
from tests.browser.stage import Stage
from tests.patience import PATIENCE
from tests.people import SIEGE, People, gather
from tests.played_once import play_once

DESK = ViewportSize(width=1440, height=900)


class Camp(Stage):
    """The siege of Khartoum, played by orders or live, its set-up left as it is printed."""

    def __init__(self, live_server: Any, *, mode: str = Campaign.Mode.ORDERS, **more: Any) -> None:
        self.url = live_server.url
        self.people: People = gather()
        seats = {
            Seat.Role.UMPIRE.value: self.people.umpire,
            Seat.Role.EGYPTIAN.value: self.people.egyptian,
            Seat.Role.MAHDIST.value: self.people.mahdist,
        }
        wanted = creation.NewCampaignTerms(SIEGE, mode=mode, seats=seats, **more)
        self.campaign = play_once(("camp", repr(wanted)), lambda: past_set_up(wanted))

    def play_to(self, question: type) -> None:
        """Let the staff answer for both sides until that is asked."""
        while not isinstance((state := selectors.state_now(self.campaign)).question, question):
            campaign_session.perform(self.campaign.pk, "test", answer(state))
            self.campaign.refresh_from_db()

    def seat(self, role: str) -> Seat:
        return self.campaign.seats.get(role=role)

    def orders(self, role: str = "egyptian") -> str:
        """Return the address of the order sheet of that side."""
        return f"{self.page}orders/{self.seat(role).pk}/"

    def session(self, browser: Browser, user: Any = None) -> Page:
        """Return a browser of somebody's own, logged in where a user is given."""
        context: BrowserContext = browser.new_context(
            viewport=DESK, locale="en-GB", reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        if user is not None:
            self.log_in(page, user)
        return page


def past_set_up(wanted: creation.NewCampaignTerms) -> Campaign:
    campaign = creation.create_campaign(wanted)
    for _ in range(2):
        campaign_session.perform(campaign.pk, "test", Done())
    campaign.refresh_from_db()
    return campaign


def begin_order(page: Page, hex_number: str) -> None:
    """Take the stack in that hex from the list of stacks."""
    page.locator(f"#hex-{hex_number} .take-stack").click()
    expect(page.locator("#compose")).to_be_visible()


def march_to(page: Page, hex_number: str, place: str) -> None:
    """Order the stack in that hex to march to a place, and wait until the order is kept."""
    begin_order(page, hex_number)
    page.locator("#legs input[name=to]").fill(place)
    expect(page.locator("#in-words")).to_contain_text(place)
    page.get_by_role("button", name="Add this order").click()
    kept(page)


def kept(page: Page) -> None:
    """Wait until the server has the sheet."""
    expect(page.locator("#kept")).to_contain_text("Kept at")


def ready_without_orders(page: Page) -> None:
    """Be ready with an empty sheet, which is asked about."""
    page.get_by_role("button", name="Ready", exact=True).click()
    page.get_by_role("button", name="Ready without orders").click()
