"""The stage of the page tests: the people, their campaign some months on, and ways about it."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from playwright.sync_api import Error, Page

from tests.patience import wait_until
from tests.people import People, gather, logged_in, sit_down


class Stage:
    """A campaign that everybody may look at, on a server that is running."""

    def __init__(self, live_server: Any, *, months: int = 2) -> None:
        self.url: str = live_server.url
        self.people: People = gather()
        self.campaign = sit_down(self.people, months=months, public=True)

    @property
    def page(self) -> str:
        """Return the address of the campaign as it stands."""
        return f"{self.url}/campaigns/{self.campaign.slug}/"

    def to_set_up(self) -> str:
        """Return the address of a new campaign, whose forces are still to be set up."""
        campaign = sit_down(self.people)
        return f"{self.url}/campaigns/{campaign.slug}/"

    def at(self, path: str) -> str:
        """Return the address of a page of the site."""
        return self.url + path

    def open(self, page: Page, address: str = "") -> None:
        """Go to a page of the campaign and wait until its map is alive."""
        page.goto(address or self.page)
        page.wait_for_selector(".map[data-ready]")
        at_rest(page)

    def visit(self, page: Page, address: str) -> None:
        """Go to any page, and wait for its map if it has one."""
        page.goto(address)
        if page.locator(".map svg.chart").count():
            page.wait_for_selector(".map[data-ready]")
            at_rest(page)

    def log_in(self, page: Page, user: User) -> None:
        """Let the browser be that user's."""
        session = logged_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": self.url}]
        )


NEXT_FRAME = (
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
)
UNMARKED = """() => [...document.querySelectorAll("summary")]
  .filter((one) => getComputedStyle(one).display !== "list-item" && !one.matches(".about > *"))
  .filter((one) => getComputedStyle(one, "::before").content === "none")
  .filter((one) => getComputedStyle(one, "::after").content === "none")
  .map((one) => one.textContent.trim())"""
"""The disclosures without a chevron; one in the bar of a fight is underlined as a link."""
AT_REST = """() => {
  const map = document.querySelector(".map");
  const { x, y, scale } = JSON.parse(sessionStorage.getItem(`map:${map.dataset.key}`) ?? "{}");
  const [left, top, wide, high] =
    map.querySelector("svg.chart").getAttribute("viewBox").split(" ").map(Number);
  const off = [x - left - wide / 2, y - top - high / 2, scale - map.clientWidth / wide];
  return off.every((one) => Math.abs(one) < 0.001);
}"""


def at_rest(page: Page) -> None:
    """Wait until the map is drawn where it was last moved to, and remembered there."""
    wait_for(page, NEXT_FRAME)
    wait_for(page, AT_REST)


def wait_for(page: Page, condition: str) -> None:
    """Wait until the condition holds in the page.

    Page.wait_for_function() evaluates a condition that does not hold at once a second time from
    within the page, whose Content-Security-Policy forbids that. A page that goes to another address
    at that moment answers nothing, and the next one is asked.
    """

    def holds() -> bool:
        try:
            return bool(page.evaluate(condition))
        except Error as error:
            if "Execution context was destroyed" not in error.message:
                raise
            return False

    wait_until(holds, condition)
