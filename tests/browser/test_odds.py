"""The odds panel: what a player sees of his orders before he submits them, held against the rules.

The panel shows whole hundredths and, for means, tenths.
"""

from itertools import product
from math import sqrt
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, Dice, ScriptedDice, derive_key
from battles.core.game import Ledger
from campaign import rules
from campaign.access.selectors import state_now
from campaign.models import OrderSheet
from campaign.orders.headquarters import Headquarters
from campaign.orders.order_sheet import MonthOrders
from campaign.rules.core import actions as a
from campaign.rules.core.board import forget
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS
from campaign.rules.core.questions import OnMarch, ToMarch, ToShareAttrition
from campaign.rules.core.state import Phase, State
from campaign.rules.effects_in_force import hexes_barred_from_marching
from campaign.rules.map import HexId
from campaign.rules.supply import roll_attrition
from campaign.services.order_sheets import commander_of_seat, document_of
from campaign.staff import answer
from tests.browser.camp import DESK, Camp, begin_order, kept
from tests.browser.test_accessible import violations
from tests.odds.by_the_rules import Fray, simulated
from tests.odds.eventful import FACES, After, eventful, over_all_events

POST, ATTACKED = HexId(5723), HexId(5724)
"""At the beginning five Mahdist units stand beside a garrison here."""
CAMP, DESERT = HexId(5322), HexId(5422)
Scheme = Literal["light", "dark"]
ROUNDED = 0.005
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture
def mahdist(camp: Camp, page: Page) -> Page:
    """The Mahdist player at his order sheet."""
    camp.log_in(page, camp.people.mahdist)
    camp.open(page, camp.orders("mahdist"))
    return page


def compose(page: Page) -> Locator:
    """Return an attack and a march are composed and kept, not submitted; what the panel says of
    them.
    """
    _order(page, POST, ATTACKED, "attack")
    _order(page, CAMP, DESERT, "halt before them")
    told = page.locator("#odds-told .order-odds")
    expect(told).to_have_count(2)
    return told


def _order(page: Page, stack: HexId, to: HexId, contact: str) -> None:
    begin_order(page, f"{stack:04d}")
    page.locator("#legs input[name=to]").fill(f"{to:04d}")
    page.get_by_label(contact, exact=True).check()
    page.get_by_role("button", name="Add this order").click()
    kept(page)


def share(told: Locator, words: str) -> float:
    """Return the chance that the panel gives beside these words."""
    return _hundredths(told.locator(".chance-words li").filter(has_text=words))


def _hundredths(place: Locator) -> float:
    return int(place.locator(".figures").inner_text().removesuffix("%")) / 100


def phase(state: State, which: Phase, *places: HexId) -> State:
    """Return the same in that phase of the Mahdists, with nobody on the map but in those hexes."""
    there = [unit for unit in state.units.values() if unit.hex in places]
    turn = {"side": Side.MAHDIST, "phase": which, "question": ToMarch(Side.MAHDIST)}
    units = {unit.id: unit for unit in there}
    return msgspec.structs.replace(state, units=units, agenda=[], **turn)


def after_the_event(camp: Camp, dice: Dice, *places: HexId) -> State:
    """Return the campaign when the Mahdists may march, after their event; what it asks the sheet
    answers.

    Whoever it has brought to the post stays there.
    """
    ordered = commander_of_seat(camp.seat("mahdist"), written(camp))
    state, _ = eventful(state_now(camp.campaign), Headquarters((ordered,)), dice)
    return phase(state, Phase.MARCH, *places)


def written(camp: Camp) -> MonthOrders:
    """Return the sheet that the Mahdist player has written so far."""
    return document_of(OrderSheet.objects.get(seat=camp.seat("mahdist")))


def marched(state: State, units: tuple[UnitId, ...], dice: Dice) -> bool:
    """Return whether all of them may go on in good order after the throw for their march."""
    if POST in hexes_barred_from_marching(state, Side.MAHDIST):
        return False
    after, _ = rules.apply(state, a.March(units), dice)
    return isinstance(after.question, OnMarch)


def suffers(state: State, face: int) -> int:
    """Return how many units in the desert are disrupted or lost when that is thrown for
    attrition.
    """
    after = msgspec.structs.replace(decode(encode(state), State), question=None)
    ledger = Ledger(after, ScriptedDice(face), evolve)
    roll_attrition(ledger, Side.MAHDIST, DESERT)
    ledger.advance(STEPS)
    if isinstance(after.question, ToShareAttrition):
        rules.play(after, answer(after), ScriptedDice())
    well = {unit.id for unit in after.units.values() if not unit.disrupted}
    return sum(unit.id not in well and not unit.disrupted for unit in state.units.values())


@pytest.mark.parametrize("combats", [500, pytest.param(10_000, marks=pytest.mark.long)])
def test_orders_show_their_odds_before_they_are_submitted_and_the_rules_keep_to_them(
    camp: Camp, mahdist: Page, combats: int
) -> None:
    told = compose(mahdist)
    assert OrderSheet.objects.get(seat=camp.seat("mahdist")).submitted is None
    _holds_the_combat(camp, told.nth(0), combats)
    _holds_the_march(camp, told.nth(0))
    _holds_attrition(camp, told.nth(1))


def _holds_the_combat(camp: Camp, told: Locator, combats: int) -> None:
    dice = ChainedDice(derive_key(b"panel", combats))
    fought = [
        one
        for pair in product(FACES, repeat=2)
        for state in [after_the_event(camp, After(pair, dice), POST, ATTACKED)]
        if POST not in hexes_barred_from_marching(state, Side.MAHDIST)
        for one in simulated(Fray(state, (POST,), ATTACKED), combats // 36, dice)
    ]
    for won, words in ((True, "won by the attacker (Mahdist)"), (None, "drawn")):
        chance = share(told, words)
        often = sum(one.won is won for one in fought) / len(fought)
        assert abs(chance - often) < 5 * sqrt(chance * (1 - chance) / len(fought)) + ROUNDED


def _holds_the_march(camp: Camp, told: Locator) -> None:
    units = written(camp).orders[0].units
    chances = over_all_events(lambda dice: marched(after_the_event(camp, dice, POST), units, dice))
    whole = chances[True]
    in_order = told.locator("p", has_text="All there in good order")
    assert abs(_hundredths(in_order) - whole) <= ROUNDED


def _holds_attrition(camp: Camp, told: Locator) -> None:
    now = decode(encode(state_now(camp.campaign)), State)
    state = phase(now, Phase.ATTRITION, CAMP, DESERT)
    for unit in state.units.values():
        unit.hex = DESERT
    forget(state)
    mean = sum(suffers(state, face) for face in FACES) / len(FACES)
    expect(told).to_contain_text(f"Without supply {mean:.1f} units on average")


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "telephone"])
def test_the_panel_is_read_on_any_screen(
    mahdist: Page, size: ViewportSize, scheme: Scheme, tmp_path: Path
) -> None:
    told = compose(mahdist)
    mahdist.set_viewport_size(size)
    mahdist.emulate_media(color_scheme=scheme)
    panel = mahdist.locator("#odds")
    panel.scroll_into_view_if_needed()
    panel.screenshot(path=tmp_path / f"odds-{size['width']}-{scheme}.png")
    expect(told.first).to_be_visible()
    expect(mahdist.locator("html")).to_have_js_property("scrollWidth", size["width"])
    assert violations(mahdist) == []
