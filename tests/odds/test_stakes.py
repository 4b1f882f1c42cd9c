"""What is at stake: each risk in words and with its chance, beside the order and in a rehearsal."""

import re
from typing import Any, NamedTuple

import pytest

from campaign.odds.forecast import rest_of_month
from campaign.orders.headquarters import SeatCommand
from campaign.orders.monte_carlo import run_month, summarise_runs
from campaign.rules import sight
from campaign.rules.map import HexId, sudan
from campaign.web.odds.simulation_results import rehearsal_stakes
from tests.orders.helpers import SEAT, foot, found, march, sheet
from tests.positions import OPEN, RELIEF, position
from tests.rules.helpers import ids

RUNS = 12
HERE = int(OPEN)
KHARTOUM, DONGOLA = sudan().place("Khartoum").hex, sudan().place("Dongola").hex
RING = tuple(near for near in sudan().neighbours[HexId(2043)] if near != KHARTOUM)
SIZE = r"(certain|almost certain|likely|as likely as not|unlikely)"


class Risk(NamedTuple):
    """A position, its order, and what is said of it: beside the order, and in the rehearsal."""

    stacks: tuple[str, ...]
    start: str
    leg: dict[str, Any]
    beside: str
    rehearsed: str
    more: dict[str, Any] = {}
    contact: str = "stop"


RISKS = {
    "a British leader's attack": Risk(
        (f"{OPEN}: H. Stewart, infantry egyptian R", "0640: 9 spears 2F"),
        OPEN,
        foot(HERE - 1),
        r"^If this stack is destroyed in combat, the Mahdists win at once\. "
        r"The chance of that in its own attack is \d+%\.$",
        rf"^Losing the campaign is {SIZE}: \d+% of the runs end so\. "
        r"A stack with a British leader is wholly eliminated in combat \(4\.2\)\.$",
        contact="attack",
    ),
    "the townsfolk outside the walls": Risk(
        ("2043: civilians, infantry egyptian R", "2143: 9 spears 2F", "2044: 9 spears 2F"),
        "2043",
        foot(2041),
        r"^If the civilians are lost, this way to win is lost: The civilians are in Wady Halfa or ",
        r"^In (over )?\d+% of the runs the civilians are lost, and with them a way to win: ",
    ),
    "a wreck at a cataract": Risk(
        ("Dongola: 4 gunboats egyptian",),
        "Dongola",
        {"type": "river", "to": 516},
        rf"^A wreck is {SIZE}: by river it passes the Third Cataract \(Hannek\) and unnavigable "
        r"water; the chance that one or more of its four craft are wrecked is \d+%, \d\.\d ",
        rf"^A wreck is {SIZE}: in (over )?\d+% of the runs craft are wrecked, \d\.\d on "
        r"average \(8\.23\)\.$",
    ),
    "no way back": Risk(
        (
            "2043: 6 spears 1R",
            "Khartoum: 9 infantry egyptian V",
            *(f"{near}: infantry egyptian L" for near in RING),
        ),
        "2043",
        foot(0, 2043, KHARTOUM),
        r"beaten, it has no way back; .* The chance of that is (over )?\d+%, and that the whole ",
        rf"^A defeat without a way back is {SIZE}: in (over )?\d+% of the runs units are lost for "
        r"want of a way back, \d\.\d on average \(9\.8\)\.$",
        {"side": "mahdist"},
        "attack",
    ),
    "thirst": Risk(
        (f"{OPEN}: 9 infantry egyptian L",),
        OPEN,
        foot(HERE + 1),
        r"^Thirst is certain: of the 9 units eight hexes SW of Elai Wells 5\.7 are lost on "
        r"average, at most 9\.$",
        rf"^Thirst is {SIZE}: in (over )?\d+% of the runs units suffer by it, \d\.\d on average "
        r"\(10\.3\)\.$",
    ),
    "British units that thirst": Risk(
        (f"{OPEN}: 9 infantry british V",),
        OPEN,
        foot(HERE + 1),
        r"^If attrition eliminates one of its British units, the Egyptian side can at best draw\. "
        r"Without supply that is certain\.$",
        r"^In \d+% of the runs attrition eliminates a British unit, and the Egyptian side can at ",
        {"month": "1884-12"},
    ),
    "a leader by whose loss the enemy wins": Risk(
        (f"{OPEN}: Khalifa, spears 1R", "0640: 9 infantry british V, 3 guns british"),
        OPEN,
        foot(HERE - 1),
        r"^If the Khalifa is lost, the Egyptian side wins at once\.$",
        rf"^Losing the campaign is {SIZE}: (over )?\d+% of the runs end so\. The Khalifa is ",
        {"scenario": RELIEF, "month": "1883-03", "side": "mahdist"},
        "attack",
    ),
}


@pytest.mark.parametrize("risk", RISKS.values(), ids=RISKS)
def test_a_risk_stands_beside_the_order_and_in_the_rehearsal(risk: Risk) -> None:
    state = position(*risk.stacks, **risk.more)
    side, start = state.side, int(position_hex(risk.start))
    order = march(ids(state, risk.start), start, risk.leg, contact=risk.contact)
    orders = sheet(order)
    beside = [one.said for one in found(state, orders)]
    assert any(re.search(risk.beside, one) for one in beside), beside
    view, mine = sight.visible_campaign(state, side, None), SeatCommand(SEAT, side, orders)
    view.state.agenda = rest_of_month(view.state)
    runs = [run_month(view, [mine], b"key %d" % number) for number in range(RUNS)]
    rehearsed = list(rehearsal_stakes(summarise_runs(runs), side))
    assert any(re.search(risk.rehearsed, one) for one in rehearsed), rehearsed


def position_hex(name: str) -> HexId:
    return HexId(int(name)) if name.isdigit() else sudan().place(name).hex


def test_a_rehearsal_in_which_nothing_is_at_stake_says_that_the_campaign_goes_on() -> None:
    state = position("Khartoum: 2 infantry egyptian L")
    view = sight.visible_campaign(state, state.side, None)
    mine = SeatCommand(SEAT, state.side, sheet())
    runs = [run_month(view, [mine], b"key %d" % number) for number in range(2)]
    said = list(rehearsal_stakes(summarise_runs(runs), state.side))
    assert said == ["The campaign ends in none of the runs."]
