"""Four months of live play by clicks alone: two people in two browsers, and nobody reloads."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from campaign.models import Campaign
from tests.browser.camp import Camp
from tests.patience import PATIENCE

MONTHS = 4
MOST_ANSWERS = 600
MARCHES = 3
"""Marches that each side begins in a month, before it says that there are no more."""
REFUSED_ONCE = "9999"
"""A hex off the map, sent before a right one."""

pytestmark = pytest.mark.long


class Player:
    """Somebody at the live page, who only clicks."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.marches, self.month, self.refused, self.before = 0, "", 0, ""

    @property
    def is_asked(self) -> bool:
        return self.page.locator("#live[data-mine=yes]").count() == 1

    def shown(self) -> str:
        """Return the page's content, which changes with every answer."""
        return self.page.locator("#live").inner_text()

    def answer(self) -> None:
        """Press what a person would, and wait until the page shows something else."""
        self._press()
        expect(self.page.locator("#live")).not_to_have_text(self.before, use_inner_text=True)
        refusal = self.page.locator(".wrong-answer")
        assert not refusal.count(), refusal.inner_text()

    def _press(self) -> None:
        month = self.page.locator("#masthead .month").inner_text()
        if month != self.month:
            self.month, self.marches = month, 0
        for name in ("Throw for a march", "Move", "Attack", "Halt for this turn"):
            if self._is_there(name) and self._try(name):
                return
        for name in ("No more marches this turn", "This side is ready", "End the phase"):
            if self._is_there(name):
                self._click(name)
                return
        pick = self.page.locator("form.pick")
        if pick.count():
            self._tick(pick.first)
        self._press_once(self.page.locator("#live form.answer button.urgent").first)

    def _try(self, name: str) -> bool:
        """Press a button of a march; False where something else is to be pressed instead."""
        if name == "Throw for a march":
            self.marches += 1
            if self.marches > MARCHES:
                return False
            throw = self.page.get_by_role("button", name=name, include_hidden=True)
            able = self.page.locator(".party").filter(has=throw)
            stack = able.nth(self.marches % able.count())
            self.page.locator("#which").select_option(stack.get_attribute("data-hex"))
            self._click(name)
        elif name == "Move":
            self._move()
        else:
            self._click(name)
        return True

    def _move(self) -> None:
        """Move to a hex that is offered; the first time to one that is refused before."""
        offered = self.page.locator("#within option").first.get_attribute("value")
        if not self.refused:
            self.refused = 1
            self.page.get_by_label("Move to").fill(REFUSED_ONCE)
            self._click("Move")
            expect(self.page.locator(".wrong-answer")).to_be_visible()
        self.page.get_by_label("Move to").fill(offered or "")
        self._click("Move")

    def _tick(self, form: Any) -> None:
        wanted = re.search(r"Choose (\d+) of", form.locator("legend").inner_text())
        assert wanted is not None
        for number in range(int(wanted[1])):
            form.locator("input[type=checkbox]").nth(number).check()

    def _is_there(self, name: str) -> bool:
        return self._button(name).count() > 0

    def _click(self, name: str) -> None:
        self._press_once(self._button(name))

    def _press_once(self, button: Any) -> None:
        """Click a button, once: Playwright clicks again where the page goes on at once."""
        self.before = self.shown()
        button.evaluate("button => button.click()")

    def _button(self, name: str) -> Any:
        buttons = self.page.locator("#live").get_by_role("button", name=name)
        return buttons.locator("visible=true").first


def next_asked(players: list[Player]) -> Player:
    """Return the player whose page asks him; fails where no page comes to ask anybody."""
    for _ in range(int(PATIENCE * 1000) // 100):
        for player in players:
            if player.is_asked:
                return player
        players[0].page.wait_for_timeout(100)
    shown = [player.shown() for player in players]
    return pytest.fail(f"Nobody is asked, and no page goes on by itself: {shown}")


def test_four_months_are_played_live_by_clicks_alone(live_server: Any, browser: Browser) -> None:
    camp = Camp(live_server, mode=Campaign.Mode.LIVE)
    loads: list[str] = []
    players = []
    for user in (camp.people.egyptian, camp.people.mahdist):
        page = camp.session(browser, user)
        camp.open(page, f"{camp.page}live/")
        page.on("framenavigated", lambda frame: loads.append(frame.url))
        players.append(Player(page))
    camp.campaign.refresh_from_db()
    last = camp.campaign.first_month + MONTHS
    for _ in range(MOST_ANSWERS):
        next_asked(players).answer()
        camp.campaign.refresh_from_db()
        if camp.campaign.month >= last or camp.campaign.finished:
            break
    assert camp.campaign.month >= last or camp.campaign.finished
    assert not loads
    assert any(player.refused for player in players)
    for player in players:
        player.page.context.close()
