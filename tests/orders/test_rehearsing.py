"""A month rehearsed: what it says of ends of the campaign, of wrecks, and of no way back."""

from battles.contract.brief import Side
from campaign.orders.headquarters import SeatCommand
from campaign.orders.monte_carlo import MonthRun, Rehearsal, run_month, summarise_runs
from campaign.orders.order_sheet import MonthOrders
from campaign.rules import sight
from campaign.rules.core.state import CampaignResult, State
from campaign.rules.map import HexId, sudan
from tests.orders.helpers import SEAT, foot, march, sheet
from tests.positions import OPEN, position
from tests.rules.helpers import ids

RUNS = 12


def rehearsed(state: State, what: MonthOrders) -> Rehearsal:
    """Return the month rehearsed by the side whose turn it is, with the map open."""
    side = state.side
    view = sight.visible_campaign(state, side, None)
    mine = SeatCommand(SEAT, side, what)
    return summarise_runs([run_month(view, [mine], b"key %d" % number) for number in range(RUNS)])


def test_4_2_a_rehearsal_tells_in_how_many_runs_the_campaign_ended_and_how() -> None:
    state = position(f"{OPEN}: H. Stewart, infantry egyptian R", "0640: 9 spears 2F")
    there = HexId(640)
    of = rehearsed(state, sheet(march(ids(state, OPEN), int(OPEN), foot(there), contact="attack")))
    (end,) = of.endings
    assert end.result.winner is Side.MAHDIST
    assert end.result.clause == "4.2"
    assert 0 < end.times <= RUNS


def test_8_23_a_rehearsal_counts_the_craft_that_are_wrecked() -> None:
    state = position("Dongola: 4 gunboats egyptian", month="1884-05")
    order = march(ids(state, "Dongola"), sudan().place("Dongola").hex, {"type": "river", "to": 516})
    of = rehearsed(state, sheet(order))
    assert 0 < of.wrecked < 4
    assert of.lost == (1.0,)


def test_9_8_a_rehearsal_counts_those_lost_for_want_of_a_way_back() -> None:
    khartoum = sudan().place("Khartoum").hex
    ring = [near for near in sudan().neighbours[HexId(2043)] if near != khartoum]
    state = position(
        "2043: 6 spears 1R",
        "Khartoum: 9 infantry egyptian V",
        *(f"{near}: infantry egyptian L" for near in ring),
        side="mahdist",
    )
    order = march(ids(state, "2043"), 2043, foot(0, 2043, khartoum), contact="attack")
    of = rehearsed(state, sheet(order))
    assert of.cornered > 0


def test_a_rehearsal_puts_the_most_frequent_end_first() -> None:
    won = CampaignResult(Side.EGYPTIAN, "One way.", "4.1")
    lost = CampaignResult(Side.MAHDIST, "Another.", "4.2")
    runs = [MonthRun((), 0, 0, 0, 0, 0, 0, result=one) for one in (won, lost, lost, None)]
    assert [(one.result, one.times) for one in summarise_runs(runs).endings] == [
        (lost, 2),
        (won, 1),
    ]
