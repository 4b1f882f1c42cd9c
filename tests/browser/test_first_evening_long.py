"""A club's first evening: five people in five browsers, by clicks, taps and typing alone.

A visitor without an account, an umpire, two commanders and a subordinate on a phone play four
months of a campaign in the fog of war. Nothing is read or changed beside the pages. Each task's
clicks, typed fields and seconds are printed at the end of the run.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.camp import DESK
from tests.browser.stage import at_rest
from tests.browser.test_fight_clicks import Fighter
from tests.patience import PATIENCE, wait_until
from tests.people import PASSWORD

pytestmark = pytest.mark.long

PHONE = {"width": 390, "height": 844}
KORTI, METEMMEH, KHARTOUM, SOUAKIM, EL_TEB, TAMANIEB = (
    "1426",
    "2635",
    "2042",
    "5419",
    "5723",
    "5321",
)
DECISIONS = 8
"""Decisions of each battle that people take before the computer finishes it."""
VISITORS_DECISIONS = 12
TITLE = "Thursday Night Khartoum"
Report = Callable[[str, Any], None]


class Person:
    """Somebody with a browser of their own, whose presses and typed fields are counted."""

    def __init__(self, browser: Browser, url: str, name: str, *, phone: bool = False) -> None:
        context = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            has_touch=phone,
            is_mobile=phone,
            locale="en-GB",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE * 1000)
        self.page: Page = context.new_page()
        self.url, self.name, self.phone = url, name, phone
        self.presses = self.fields = 0
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(f"{name}: {error.stack}"))
        self.home = ""

    def press(self, target: Locator) -> None:
        self.presses += 1
        if self.phone:
            target.tap()
        else:
            target.click()

    def button(self, name: str, *, within: Locator | None = None) -> None:
        where = self.page if within is None else within
        self.press(where.get_by_role("button", name=name, exact=True).first)

    def link(self, name: str, *, within: Locator | None = None) -> None:
        where = self.page if within is None else within
        self.press(where.get_by_role("link", name=name).first)

    def write(self, field: Locator, text: str) -> None:
        self.fields += 1
        field.fill(text)

    def choose(self, field: Locator, value: str) -> None:
        self.presses += 2  # open the list, take the row
        field.select_option(value)

    def register(self) -> None:
        """Fill in the form of registration, which is open."""
        self.write(self.page.get_by_label("Name"), self.name)
        self.write(self.page.get_by_label("Password", exact=True), PASSWORD)
        self.write(self.page.get_by_label("Password confirmation"), PASSWORD)
        self.button("Register")

    def go_home(self) -> None:
        """Come to the campaign's page, as by a bookmark, and wait until nothing runs."""
        self.page.goto(self.home)
        expect(self.page.locator(".job")).to_have_count(0)

    @property
    def month(self) -> str:
        return self.page.locator("h1.month").inner_text()

    def wait_for_map(self) -> None:
        self.page.wait_for_selector(".map[data-ready]")
        at_rest(self.page)


class Evening:
    """The five people, and the tasks that they have done."""

    def __init__(self, browser: Browser, url: str, report: Report) -> None:
        self.report = report
        names = ("Wingate", "Hicks", "Slatin", "Baker", "Marchand")
        self.umpire, self.egyptian, self.mahdist, self.baker, self.visitor = self.all = [
            Person(browser, url, name, phone=name == "Baker") for name in names
        ]

    @contextmanager
    def task(self, words: str, *people: Person) -> Iterator[None]:
        """Count what the people press and type meanwhile, and for how long."""
        before = [(one.presses, one.fields) for one in people]
        begun = time.monotonic()
        yield
        presses = sum(one.presses - old[0] for one, old in zip(people, before, strict=True))
        fields = sum(one.fields - old[1] for one, old in zip(people, before, strict=True))
        seconds = time.monotonic() - begun
        self.report(
            "figure", f"evening: {words}: {presses} clicks, {fields} fields, {seconds:.1f} s"
        )

    def write_letter(self, by: Person, to: Person, text: str, place: str = "") -> None:
        page = by.page
        by.go_home()
        by.link("Letters", within=page.locator("#status"))
        by.press(page.get_by_label(re.compile(rf"\({to.name}\)")))
        by.write(page.get_by_label("Letter", exact=True), text)
        if place:
            by.write(page.get_by_label("Places"), place)
        by.button("Send the letter")

    def read_letter(self, by: Person, text: str) -> None:
        by.go_home()
        by.link("Letters", within=by.page.locator("#status"))
        letter = by.page.locator(".letter", has_text=text)
        expect(letter).to_contain_text("New")
        by.button("Mark as read", within=letter)
        expect(by.page.locator(".letter", has_text=text).locator(".mark")).to_have_count(0)

    def order(self, by: Person, stack: str, place: str, *, attack: bool = False) -> None:
        """Give one order on the sheet, which is open."""
        page = by.page
        by.press(page.locator(f"#hex-{stack} .take-stack"))
        expect(page.locator("#compose")).to_be_visible()
        by.write(page.locator("#legs input[name=to]"), place)
        if attack:
            by.press(page.locator("input[name=contact][value=attack]"))
        expect(page.locator("#in-words")).to_contain_text(place)
        by.button("Add this order")
        expect(page.locator("#kept")).to_contain_text("Kept at")

    def open_sheet(self, by: Person) -> None:
        by.go_home()
        by.link("Your orders")
        by.wait_for_map()

    def ready(self, by: Person) -> None:
        by.button("Ready")
        if not by.page.locator(".order").count():
            by.button("Ready without orders")
        expect(by.page.locator("#state-words")).to_contain_text("you are ready")

    def write_month(self, *given: tuple[Person, list[tuple[str, str, bool]]]) -> None:
        """Let each person write their orders and press Ready."""
        for by, orders in given:
            self.open_sheet(by)
            for stack, place, attack in orders:
                self.order(by, stack, place, attack=attack)
            self.ready(by)

    def run(self) -> None:
        """Run the month from the console."""
        self.umpire.go_home()
        self.umpire.link("Your console")
        self.umpire.button("Run the month")
        expect(self.umpire.page.locator(".notices")).to_contain_text("The month runs.")

    def until_battle_or_month(self, month: str) -> bool:
        """Return whether the campaign waits for a battle; False when that month has begun."""
        self.umpire.go_home()
        waits = self.umpire.page.get_by_role("link", name="To the battle").count() > 0
        if not waits:
            expect(self.umpire.page.locator("h1.month")).to_have_text(month)
        return waits

    def settle_other_battles(self, month: str) -> None:
        """Have the campaign's own table decide what battles the month still brings."""
        while self.until_battle_or_month(month):
            self.umpire.link("To the battle")
            self.umpire.button("By the campaign’s own tables")
            expect(self.umpire.page.locator(".notices")).to_be_visible()


@pytest.fixture
def evening(live_server: Any, browser: Browser, record_property: Report) -> Iterator[Evening]:
    people = Evening(browser, live_server.url, record_property)
    yield people
    for one in people.all:
        one.page.context.close()
    assert [error for one in people.all for error in one.errors] == []


def test_five_people_play_four_months_by_clicks_alone(evening: Evening) -> None:
    fight_and_play_as_a_visitor(evening)
    open_the_campaign(evening)
    take_the_seats(evening)
    set_up(evening)
    exchange_letters(evening)
    february(evening)
    march(evening)
    rewind(evening)
    replace_a_player(evening)
    march_again(evening)
    april_and_may(evening)
    look_back(evening)


def fight_and_play_as_a_visitor(evening: Evening) -> None:
    visitor = evening.visitor
    page = visitor.page
    with evening.task("a visitor fights a battle to its end, without an account", visitor):
        page.goto(visitor.url)
        visitor.button("Fight a battle now")
        expect(page.locator("#turn-form")).to_be_visible()
        decide(visitor, VISITORS_DECISIONS)
        visitor.press(page.locator("#fight .about summary"))
        visitor.press(page.get_by_role("button", name="Hand this side to the computer"))
        expect(page.get_by_role("heading", name="The casualty return")).to_be_visible()
    with evening.task("a visitor plays a month alone, without an account", visitor):
        page.goto(visitor.url)
        visitor.press(page.get_by_label("Show me the first month"))
        visitor.button("As the Egyptians")
        expect(page.get_by_role("heading", level=1)).to_have_text("Orders, December 1884")
        visitor.wait_for_map()
        evening.order(visitor, KORTI, "Metemmeh")
        visitor.button("Ready")
        expect(page.locator("#trouble")).to_contain_text("The month has run.")
        visitor.link("Read the despatches")
        expect(page.locator("#despatches .despatch").first).to_be_attached()
        expect(page.get_by_role("heading", level=1)).to_have_text("December 1884")
    with evening.task("the visitor registers and keeps both", visitor):
        visitor.link("Register", within=page.locator(".banner"))
        visitor.register()
        expect(page.locator(".banner")).to_contain_text(visitor.name)
        page.goto(visitor.url)
        expect(page.locator(".register .entry", has_text="The Desert Column")).to_have_count(1)


def decide(by: Person, most: int) -> None:
    """Take so many decisions of a battle, or as many as it has."""
    fighter = Fighter(by.page, None, by.press)  # type: ignore[arg-type]
    for _ in range(most):
        if not by.page.locator("#turn-form form[action$='/act/']").count():
            return
        fighter.decide()


def open_the_campaign(evening: Evening) -> None:
    umpire = evening.umpire
    page = umpire.page
    with evening.task("an umpire registers and opens a campaign", umpire):
        page.goto(umpire.url)
        umpire.link("Run a campaign")
        umpire.link("Register", within=page.locator("main"))
        umpire.register()
        expect(page.get_by_role("heading", level=1)).to_have_text("New campaign")
        umpire.press(page.get_by_role("radio", name=re.compile("^The Siege of Khartoum")))
        umpire.write(page.get_by_label("Title"), TITLE)
        umpire.press(page.get_by_role("checkbox", name=re.compile("^Fog of war")))
        umpire.choose(page.get_by_label("Battles are fought"), "tabletop")
        umpire.button("Open the campaign")
        expect(page.get_by_role("heading", level=1)).to_have_text("Who sits where")
        umpire.home = page.url.removesuffix("seats/")


def take_the_seats(evening: Evening) -> None:
    umpire, page = evening.umpire, evening.umpire.page
    with evening.task("the umpire makes three links, and the players take their seats",
                      umpire, evening.egyptian, evening.mahdist, evening.baker):  # fmt: skip
        for person, role in (
            (evening.egyptian, "egyptian"), (evening.mahdist, "mahdist"), (evening.baker, ""),
        ):  # fmt: skip
            if role:
                expect(page.get_by_label("Seat", exact=True)).to_have_value(role)
            else:
                umpire.choose(page.get_by_label("Seat", exact=True), "egyptian")
                umpire.write(page.get_by_label("Office"), "Governor of the Red Sea")
                umpire.press(page.get_by_label("Baker", exact=False).first)
            umpire.button("Make a link")
            link = page.get_by_label("The link", exact=True).input_value()
            person.page.goto(link)
            person.link("Register", within=person.page.locator("main"))
            person.register()
            person.button("Take the seat")
            expect(person.page.locator(".notices")).to_contain_text("You have taken your seat")
            person.home = umpire.home


def set_up(evening: Evening) -> None:
    players = (evening.egyptian, evening.mahdist, evening.baker)
    with evening.task("everybody says that the set-up is ready", *players):
        for person in (evening.egyptian, evening.mahdist):
            person.go_home()
            person.link("Arrange the set-up")
            person.button("This side is ready")
        evening.umpire.go_home()
        expect(evening.umpire.page.locator("#status")).to_contain_text("Orders for February 1884")


def exchange_letters(evening: Evening) -> None:
    umpire, egyptian, mahdist, baker = evening.all[:4]
    with evening.task("a letter to the subordinate, with a place misspelt at first",
                      egyptian, baker):  # fmt: skip
        text = "March on Tokar by the coast, and spare the wells."
        evening.write_letter(egyptian, baker, text, "Tokkar")
        wrong = egyptian.page.locator(".errorlist")
        expect(wrong).to_contain_text("Did you mean Tokar")
        egyptian.write(egyptian.page.get_by_label("Places"), "Tokar")
        egyptian.button("Send the letter")
        expect(egyptian.page.locator(".notices")).to_contain_text("Your letter is sent")
        evening.read_letter(baker, text)
    with evening.task("letters go by courier, and the umpire delays one",
                      umpire, mahdist):  # fmt: skip
        umpire.go_home()
        umpire.link("Letters", within=umpire.page.locator("#status"))
        umpire.press(umpire.page.locator("input[name=post][value=by_courier]"))
        umpire.button("Save")
        text = "Yield Sinkat, and your men go free."
        evening.write_letter(mahdist, egyptian, text)
        expect(mahdist.page.locator(".notices")).to_contain_text("It arrives in March 1884")
        umpire.go_home()
        umpire.link("Letters", within=umpire.page.locator("#status"))
        umpire.button("Delay a month", within=umpire.page.locator(".letter", has_text=text))
        expect(umpire.page.locator(".letter", has_text=text)).to_contain_text("April 1884")
        egyptian.go_home()
        egyptian.link("Letters", within=egyptian.page.locator("#status"))
        expect(egyptian.page.locator(".letter", has_text=text)).to_have_count(0)


def february(evening: Evening) -> None:
    umpire, egyptian, mahdist, baker = evening.all[:4]
    with evening.task("three players write their orders for February",
                      egyptian, mahdist, baker):  # fmt: skip
        evening.write_month(
            (egyptian, [(METEMMEH, "Berber", False)]),
            (mahdist, [(EL_TEB, "Tokar", True)]),
            (baker, [(SOUAKIM, "Trinkitat", False)]),
        )
    with evening.task("the umpire runs the month to its battle", umpire):
        evening.run()
        assert evening.until_battle_or_month("February 1884")
    with evening.task("two players fight the battle in their browsers",
                      umpire, egyptian, mahdist):  # fmt: skip
        for person in (mahdist, egyptian):
            person.go_home()
            person.link("To the battle")
            person.link("The field and the order of battle")
            if person is mahdist:
                person.button("Take the field")
        fight_together(evening)
        for person in (egyptian, mahdist, umpire):
            expect(person.page.get_by_role("heading", name="The casualty return")).to_be_visible()
        evening.settle_other_battles("March 1884")


def fight_together(evening: Evening) -> None:
    """Decide by turns in both browsers; then let the umpire have it finished."""
    umpire, egyptian, mahdist = evening.all[:3]
    address = mahdist.page.url
    egyptian.page.goto(address)
    decided = 0
    asked = "#turn-form form[action$='/act/']"
    while decided < DECISIONS:
        wait_until(
            lambda: egyptian.page.locator(asked).count() + mahdist.page.locator(asked).count(),
            "a player to be asked",
        )
        for person in (egyptian, mahdist):
            if person.page.locator(asked).count():
                decide(person, 1)
                decided += 1
    umpire.page.goto(address)
    umpire.press(umpire.page.get_by_text("As the umpire"))
    umpire.button("Let the computer finish the battle")


def march(evening: Evening) -> None:
    umpire, egyptian, mahdist, baker = evening.all[:4]
    with evening.task("orders for March", egyptian, mahdist, baker):
        evening.write_month((egyptian, []), (mahdist, [(TAMANIEB, "Sinkat", True)]), (baker, []))
    with evening.task("the umpire runs March to its battle", umpire):
        evening.run()
        assert evening.until_battle_or_month("March 1884")
    with evening.task("a battle at the table: one side reports, the other agrees",
                      egyptian, mahdist):  # fmt: skip
        mahdist.go_home()
        mahdist.link("To the battle")
        mahdist.button("Sign this result")
        expect(mahdist.page.locator("#otherwise:invalid")).to_have_count(1)
        mahdist.press(mahdist.page.get_by_role("radio", name="The Mahdists"))
        mahdist.button("Sign this result")
        expect(mahdist.page.locator(".notices")).to_contain_text("signed")
        egyptian.go_home()
        egyptian.link("To the battle")
        egyptian.button("Agree")
        evening.settle_other_battles("April 1884")


def rewind(evening: Evening) -> None:
    umpire, egyptian = evening.umpire, evening.egyptian
    page = umpire.page
    with evening.task("the umpire rewinds to the beginning of March", umpire):
        umpire.go_home()
        umpire.link("Your console")
        umpire.link("Rewind")
        umpire.press(page.locator(".months").get_by_role("link", name="March 1884"))
        entry = page.locator(".steps-of a").first
        if not entry.is_visible():
            umpire.press(page.locator(".coming:not([open]):has(a) > summary").first)
        umpire.press(entry)
        umpire.write(page.get_by_label("Reason"), "The table was counted wrong.")
        umpire.button("Rewind to here")
        expect(page.locator(".notices")).to_contain_text("Rewound.")
    egyptian.go_home()
    expect(egyptian.page.locator("main")).to_contain_text("The table was counted wrong.")
    expect(egyptian.page.locator("h1.month")).to_have_text("March 1884")


def replace_a_player(evening: Evening) -> None:
    umpire, mahdist, newcomer = evening.umpire, evening.mahdist, evening.visitor
    page = umpire.page
    with evening.task("the umpire gives the Mahdist seat to the visitor", umpire, newcomer):
        umpire.go_home()
        umpire.link("Your console")
        umpire.press(page.get_by_text("Change who plays the Mahdist commander"))
        chair = page.locator(".chair", has_text="Mahdist commander")
        umpire.write(chair.get_by_label("Reason"), "They have left the club.")
        umpire.write(chair.get_by_label("Newcomer’s account"), newcomer.name)
        umpire.button("Replace with the newcomer", within=chair)
        expect(page.locator(".notices")).to_contain_text(newcomer.name)
        newcomer.page.goto(newcomer.url)
        newcomer.link(TITLE)
        newcomer.home = newcomer.page.url
        expect(newcomer.page.get_by_role("link", name="Your orders")).to_be_visible()
    answer = mahdist.page.goto(mahdist.home)
    assert answer is not None
    assert answer.status == 404
    evening.mahdist, evening.visitor = newcomer, mahdist


def march_again(evening: Evening) -> None:
    umpire, egyptian, mahdist, baker = (
        evening.umpire, evening.egyptian, evening.mahdist, evening.baker,
    )  # fmt: skip
    with evening.task("March is played again by the newcomer", umpire, egyptian, mahdist, baker):
        evening.write_month((egyptian, []), (mahdist, []), (baker, []))
        evening.run()
        evening.settle_other_battles("April 1884")


def april_and_may(evening: Evening) -> None:
    umpire, egyptian, mahdist, baker = (
        evening.umpire, evening.egyptian, evening.mahdist, evening.baker,
    )  # fmt: skip
    with evening.task("the delayed letter has arrived", egyptian):
        evening.read_letter(egyptian, "Yield Sinkat")
    for this, following in (("April", "May"), ("May", "June")):
        with evening.task(f"{this} is played", umpire, egyptian, mahdist, baker):
            evening.write_month((egyptian, []), (mahdist, []), (baker, []))
            evening.run()
            evening.settle_other_battles(f"{following} 1884")


def look_back(evening: Evening) -> None:
    baker = evening.baker
    page = baker.page
    with evening.task("the subordinate reads what became of the months", baker):
        baker.go_home()
        expect(page.locator("#despatches .despatch").first).to_be_attached()
        page.goto(f"{baker.home}1884-02/film/")
        baker.wait_for_map()
        baker.button("Play")
        expect(page.locator("#now-shown")).not_to_be_empty()
        page.goto(f"{baker.home}papers/1884-02/egyptian/")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
