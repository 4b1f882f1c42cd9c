"""Somebody who plays a campaign through its pages alone: registers, orders, answers, reads."""

import re

from playwright.sync_api import Page, expect

from campaign.rules.map import HexId, sudan
from tests.browser.camp import kept, ready_without_orders
from tests.people import PASSWORD

EL_OBEID, KHARTOUM = (sudan().place(name) for name in ("El Obeid", "Khartoum"))
COAST = 45  # columns of hexes: beyond it Osman Digma has a war of his own
NEAR = 3  # hexes: who stands so near to El Obeid keeps it shut


class Player:
    """A newcomer in a browser of his own, the Mahdi; the computer's staff has the other side."""

    def __init__(self, url: str, page: Page, name: str = "Slatin") -> None:
        self.url, self.page, self.name = url, page, name
        self.campaign = ""
        self.battles = 0

    def register(self) -> None:
        self.page.goto(self.url)
        self.page.get_by_role("link", name="Register").click()
        self.page.get_by_label("Name").fill(self.name)
        self.page.get_by_label("Password", exact=True).fill(PASSWORD)
        self.page.get_by_label("Password confirmation").fill(PASSWORD)
        self.page.get_by_role("button", name="Register").click()
        expect(self.page.locator(".who .name")).to_have_text(self.name)

    def begin(self, title: str) -> None:
        """Open a campaign in which each battle waits for a word, and set its own side up."""
        page = self.page
        page.get_by_role("link", name="New campaign").click()
        page.get_by_role("radio", name=re.compile("^The Relief of El Obeid")).check()
        page.get_by_label("Title").fill(title)
        page.get_by_label("The Mahdist side", exact=True).select_option(label="yourself")
        page.get_by_label("The Egyptian side", exact=True).select_option(
            label="the computer’s staff"
        )
        page.get_by_label("The month runs as soon as every seat is ready").check()
        page.get_by_label("Battles are fought").select_option("tabletop")
        page.get_by_role("button", name="Open the campaign").click()
        expect(page.locator("#status")).to_contain_text("set up its units")
        self.campaign = page.url
        page.get_by_role("link", name="Arrange the set-up").click()
        page.get_by_role("button", name="This side is ready").click()
        expect(page.locator("#status")).to_contain_text("Orders for")

    def look(self) -> str:
        """Return what the campaign waits for, or its outcome, once no job runs."""
        self.page.goto(self.campaign)
        expect(self.page.locator(".job")).to_have_count(0)
        return self.page.locator("#status").inner_text()

    @property
    def over(self) -> bool:
        return not self.page.get_by_text("Waiting for", exact=True).count()

    @property
    def month(self) -> str:
        return self.page.locator("h1.month").inner_text()

    def play_a_month(self) -> None:
        """Write the month's orders, say one is ready, and answer for battles until it is out."""
        self.look()
        month = self.month
        self.order()
        self.look()
        while not self.over and self.month == month:
            self.answer_for_battle()
            self.look()

    def order(self) -> None:
        """Everybody goes to lie before El Obeid or Khartoum; then the sheet is ready."""
        page = self.page
        page.get_by_role("link", name="Your orders for").click()
        expect(page.locator(".map[data-ready]")).to_be_attached()
        for hex_number in self.stacks():
            goal = goal_of(HexId(hex_number))
            if goal:
                self.march(hex_number, goal)
        with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            if page.locator(".order").count():
                page.get_by_role("button", name="Ready", exact=True).click()
            else:
                ready_without_orders(page)

    def stacks(self) -> list[int]:
        """Return the hexes of one's own stacks, from the table of them."""
        rows = self.page.locator("[id^=hex-]:has(.take-stack)")
        return [int((row.get_attribute("id") or "").removeprefix("hex-")) for row in rows.all()]

    def march(self, hex_number: int, place: str) -> None:
        """Order a stack there, unless the sheet says that it cannot be done."""
        page = self.page
        page.locator(f"#hex-{hex_number:04d} .take-stack").click()
        page.locator("#legs input[name=to]").fill(place)
        expect(page.locator("#in-words")).to_contain_text(place)
        if page.locator("#in-words-findings .impossible").count():
            page.locator("#leave-order").click()
            return
        page.get_by_role("button", name="Add this order").click()
        kept(page)

    def answer_for_battle(self) -> None:
        """The battle that is waited for is left to the campaign's own tables."""
        page = self.page
        page.get_by_role("link", name="To the battle").click()
        page.get_by_role("button", name="By the campaign’s own table").click()
        expect(page.locator(".notices")).to_be_visible()
        self.battles += 1


def goal_of(here: HexId) -> str:
    """Return the town that a stack in that hex goes to besiege; nothing where it lies before it."""
    if here // 100 >= COAST:
        return ""
    town = EL_OBEID if sudan().distance(here, EL_OBEID.hex) <= NEAR else KHARTOUM
    return town.name if sudan().distance(here, town.hex) > 1 else ""
