"""Requests of a page that a test holds back, and news that it lets the page hear."""

import pytest
from playwright.sync_api import APIResponse, Page, Request, Route

from tests.patience import PATIENCE, wait_until

OPEN_LINE = """
window.EventSource = class extends EventTarget {
  constructor() {
    super();
    window.line = this;
    setTimeout(() => this.tell());
  }
  tell() {
    this.dispatchEvent(new MessageEvent("status", { data: "{}" }));
  }
  close() {}
};
"""
"""A line that stays open, so that the page looks when the test says so, and at no other time."""


def is_look(request: Request) -> bool:
    return request.method == "GET" and bool(request.headers.get("hx-request"))


def hears(page: Page) -> None:
    """Let the page hear that something has gone on."""
    page.evaluate("window.line.tell()")


class Held:
    """Requests of a page that are kept back until they are let go."""

    def __init__(self, page: Page, address: str, method: str) -> None:
        self.page, self.method = page, method
        self.routes: list[Route] = []
        page.route(f"**{address}", self._take)

    def _take(self, route: Route) -> None:
        if route.request.method == self.method and route.request.headers.get("hx-request"):
            self.routes.append(route)
        else:
            route.fallback()

    def wait(self, number: int) -> None:
        """Wait until so many are held."""
        for _ in range(int(PATIENCE * 1000) // 20):
            if len(self.routes) >= number:
                return
            self.page.wait_for_timeout(20)
        pytest.fail(f"The page sent {len(self.routes)} of {number} requests that were awaited.")

    def let_go(self, number: int) -> None:
        self.routes[number].continue_()


class Late:
    """The first request of that method, carried out by the server, whose answer is held back."""

    def __init__(self, page: Page, address: str, method: str) -> None:
        self.page, self.method = page, method
        self.held: list[tuple[Route, APIResponse]] = []
        page.route(address, self._take)

    def _take(self, route: Route) -> None:
        if self.held or route.request.method != self.method:
            route.continue_()
            return
        self.held.append((route, route.fetch()))

    def wait(self) -> None:
        """Wait until the server has answered."""

        def answered() -> bool:
            self.page.wait_for_timeout(20)
            return bool(self.held)

        wait_until(answered, "the server's answer")

    def arrive(self) -> None:
        route, answer = self.held[0]
        route.fulfill(response=answer)

    def get_lost(self) -> None:
        self.held[0][0].abort()
