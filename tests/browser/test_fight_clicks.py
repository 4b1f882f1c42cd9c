"""A battle played by clicks, by taps and by keys alone, with its clicks counted turn by turn."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from battles import services
from battles.models import Battle
from battles.web.fight_page import FightPage
from tests.battles_web.fights import mostly
from tests.browser.test_fight import SPOKEN, Field, ground

__all__ = ["ground"]

MOST = 12
"""Clicks that a turn of eight units takes at most."""
UNITS = 8
TURNS = {"redcoats": 1, "restless": 5, "fuzzy-wuzzy": 2}
"""Turns of the short test; a turn of Restless Natives is a card, which a unit acts on."""
TWELVE = 12
AS_LONG = [pytest.param(TURNS, id="short"), pytest.param({}, id="twelve", marks=pytest.mark.long)]
WRONG = """() => {
  const form = document.querySelector("#turn-form form[action$='/act/']");
  form.querySelectorAll("input:not([type=hidden]), select, .sort").forEach((one) => one.remove());
  const unknown = { name: "choice", value: "99999" };
  form.querySelectorAll("button").forEach((one) => Object.assign(one, unknown));
  form.id = "spoilt";
}"""
"""Makes the first form ask for what is not offered."""


class Fighter:
    """Somebody who plays with a mouse or a finger, and never by the computer's advice."""

    def __init__(self, page: Page, battle: Battle, press: Callable[[Locator], None]) -> None:
        self.page, self.battle, self._press = page, battle, press
        page.set_default_timeout(30_000)
        self.clicks = 0
        self.acted: set[str] = set()

    @property
    def turn(self) -> str:
        """Return the turn as the head of the page has it; "" when the battle is over."""
        head = self.page.locator("#waits")
        return (head.text_content() or "").split(".")[0].strip() if head.count() else ""

    @property
    def is_over(self) -> bool:
        return not Battle.objects.filter(pk=self.battle.pk, reported=None).exists()

    def again(self) -> None:
        """Fight the battle once more from its page, with sides changed and as it is drawn up."""
        services.verify_battle(Battle.objects.get(pk=self.battle.pk))
        self._press(self.page.get_by_role("button", name="Again, with sides changed"))
        self.page.locator("#fight").wait_for()
        self.battle = Battle.objects.get(uuid=urlparse(self.page.url).path.split("/")[2])
        self._press(self.page.get_by_role("button", name="Fight as drawn up"))
        self.page.get_by_role("button", name="Fight as drawn up").wait_for(state="detached")

    def press(self, target: Locator) -> None:
        """Press what is in the page, and wait until the page has answered."""
        self.clicks += 1
        shown = self.page.locator("#fight")
        before = shown.get_attribute("data-key")
        self._press(target)
        self.page.locator(f'#fight[data-key="{before}"]').wait_for(state="detached")
        expect(self.page.locator("#why")).to_have_count(0)

    def decide(self) -> None:
        """Answer the question as a player in a hurry does, with as few clicks as the page takes."""
        form = self.page.locator("#turn-form")
        for wanted in (
            ".of-all button",
            ".of-at-once button",
            ".of-fire button:not(.more)",
            ".of-charge button",
            ".of-next button",
            ".of-go.do button",
        ):
            found = form.locator(wanted)
            if found.count():
                self.press(found.last if wanted.startswith(".of-go") else found.first)
                return
        if form.locator("#ordering").count() and self.clicks < TWELVE and self._orders(form):
            return
        goes = self.page.locator("#field .offer.go")
        if goes.count() and not form.locator("#free").count():
            self.press(goes.first)
            everybody = form.locator(".of-all button")
            self.press(
                everybody if everybody.count() else self.page.locator("#field .offer.chosen")
            )
            return
        self.press(form.locator(".of-done button").first)

    def _orders(self, form: Locator) -> bool:
        """Let all units march that have no orders yet."""
        march = form.get_by_role("button", name="March", exact=True)
        everybody = form.get_by_role("button", name="The same for all without orders")
        if not march.count() or "no orders yet" not in (form.locator("#unit").inner_text() or ""):
            return False
        self._press(march)
        self.clicks += 1
        self.press(everybody)
        return True


def played(fighter: Fighter, turns: int) -> list[int]:
    """Play so many turns; return the clicks of each.

    A side that breaks off ends its battle early: then it is fought again, with sides changed.
    """
    clicks: dict[tuple[int, str], int] = {}
    while True:
        if fighter.is_over:
            fighter.again()
        turn, before = (fighter.battle.pk, fighter.turn), fighter.clicks
        if turn not in clicks and len(clicks) == turns:
            return list(clicks.values())
        fighter.decide()
        clicks[turn] = clicks.get(turn, 0) + fighter.clicks - before


def units_of(battle: Battle, user: Any) -> int:
    """Return how many of the user's units stand on the field."""
    page = FightPage(Battle.objects.get(pk=battle.pk), user, {})
    return sum(
        line.fate == "on the field"
        for army in page.armies
        if army.side in page.own_sides
        for line in army.lines
    )


def tap(target: Locator) -> None:
    target.tap()


@pytest.mark.parametrize("turns", AS_LONG)
@pytest.mark.parametrize("book", mostly("redcoats"))
def test_turns_are_played_by_clicks_alone_and_few_of_them(
    ground: Field, page: Page, book: str, turns: dict[str, int]
) -> None:
    ground.log_in(page, ground.people.umpire)
    battle = ground.against_the_computer(book)
    units = units_of(battle, ground.people.umpire)
    page.goto(ground.of(battle))
    fighter = Fighter(page, battle, lambda target: target.click())
    clicks = played(fighter, turns.get(book, TWELVE))
    each = sum(clicks) / len(clicks)
    print(f"{book}: {units} units, clicks a turn {clicks}")  # noqa: T201
    acting = 1 if book == "restless" else units
    assert each * UNITS / acting <= MOST
    services.verify_battle(Battle.objects.get(pk=fighter.battle.pk))


@pytest.mark.parametrize("turns", AS_LONG)
@pytest.mark.parametrize("book", mostly("restless"))
def test_turns_are_played_by_taps_alone_and_a_refused_one_leads_nowhere(
    ground: Field, phone: Page, book: str, turns: dict[str, int]
) -> None:
    battle = ground.open_alone(phone, book)
    phone.evaluate(WRONG)
    phone.locator("#spoilt button").first.tap()
    expect(phone.locator("#why")).to_be_in_viewport()
    assert phone.url.partition("?")[0] == ground.of(battle)
    phone.goto(ground.of(battle))
    fighter = Fighter(phone, battle, tap)
    played(fighter, turns.get(book, TWELVE))
    assert phone.evaluate("scrollY") == 0


BY_KEY = """kinds => {
  const all = [...document.querySelectorAll(
    "#turn-form :is(.do, .ways, .several, .sort) button:not(.more)")];
  for (const kind of kinds) {
    const at = all.findIndex((one) => one.matches(`.of-${kind} button`));
    if (at >= 0 && at < 9) return String(at + 1);
  }
  return "e";
}"""
"""Finds the key of the first button of these kinds that has one; that of the end otherwise."""
KINDS = ["at-once", "fire", "charge", "next", "go", "done"]
MOST_TABS = 60
STEPS_OF_A_UNIT = 4
"""The presses after which the player ends a unit's turn, because it may march many times."""


class Typist(Fighter):
    """A person who plays with the keyboard alone, and hears the page."""

    def __init__(self, page: Page, battle: Battle) -> None:
        super().__init__(page, battle, self.tab_to)
        self._since_end = 0
        self._heard = self._told

    @property
    def _told(self) -> str | None:
        """Return which result the page shows; None without any."""
        result = self.page.locator("#result")
        return result.get_attribute("data-told") if result.count() else None

    def again(self) -> None:
        super().again()
        self._since_end, self._heard = 0, self._told

    def tab_to(self, target: Locator) -> None:
        """Go to what is in the page from the question on by Tab, and press Enter there."""
        self.page.keyboard.press("q")
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if target.evaluate("one => one === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
        pytest.fail(f"{target} cannot be reached by Tab.")

    def key(self, key: str) -> None:
        """Press a key, and hear the result before the question that follows."""
        before = self.page.locator("#fight").get_attribute("data-key")
        self.clicks += 1
        self.page.keyboard.press(key)
        self.page.locator(f'#fight[data-key="{before}"]').wait_for(state="detached")
        expect(self.page.locator("#why")).to_have_count(0)
        self.hear()

    def hear(self) -> None:
        """Hold that the focus is on the question, and that the result is spoken before it."""
        if not self.page.locator("#fight").count():
            return  # the battle is over
        expect(self.page.locator("#turn-form")).to_be_focused()
        said, result, question, orders = self.page.evaluate(SPOKEN)
        assert said.startswith(result if self._told != self._heard else question)
        self._heard = self._told
        assert said.endswith(f"{question} {orders}".strip())

    def decide(self) -> None:
        form = self.page.locator("#turn-form")
        if form.locator(".of-all button").count():
            return self.key("a")
        if "no orders yet" in "".join(form.locator("#unit").all_inner_texts()) and not (
            self._since_end
        ):
            self.page.keyboard.press("1")
            march = form.get_by_role("button", name="March", exact=True)
            expect(march).to_have_attribute("aria-pressed", "true")
            self._since_end += 1
            return self.key("a")
        kinds = KINDS if self._since_end < STEPS_OF_A_UNIT else ["at-once", "next", "done"]
        key = self.page.evaluate(BY_KEY, kinds)
        ends = form.locator(".of-done button").count() and key == "e"
        self._since_end = 0 if ends else self._since_end + 1
        return self.key(key)


@pytest.mark.parametrize("turns", AS_LONG)
@pytest.mark.parametrize("book", mostly("fuzzy-wuzzy"))
def test_turns_are_played_by_keys_alone_and_a_refused_one_is_heard(
    ground: Field, page: Page, book: str, turns: dict[str, int]
) -> None:
    battle = ground.open_alone(page, book)
    page.evaluate(WRONG)
    typist = Typist(page, battle)
    typist.tab_to(page.locator("#spoilt button").first)
    expect(page.locator("#why")).to_be_in_viewport()
    expect(page.locator("#said")).to_contain_text("not offered")
    expect(page.locator("#turn-form")).to_be_focused()
    assert page.url.partition("?")[0] == ground.of(battle)
    keys = played(typist, turns.get(book, TWELVE))
    print(f"{book}: keys a turn {keys}")  # noqa: T201
    services.verify_battle(Battle.objects.get(pk=typist.battle.pk))
