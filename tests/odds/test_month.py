"""5.3 I: what a sheet may hope for is weighed by the random event that comes before its marches."""

from fractions import Fraction

import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Dice
from campaign import rules
from campaign.odds.march import MarchOutcome
from campaign.orders.checks import WITHOUT_EVENT, OrderChances, chances, check
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import EMPTY, ContactPolicy, FootLeg, MarchOrder, MonthOrders
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.state import State
from campaign.rules.effects_in_force import hexes_barred_from_marching
from campaign.rules.map import HexId
from campaign.rules.prose.phrases import format_percent
from tests.odds.by_the_rules import Fray
from tests.odds.by_the_rules import odds as by_the_table
from tests.odds.eventful import eventful, over_all_events
from tests.positions import position

HERE, THERE, TARGET = HexId(641), HexId(740), HexId(640)
SEAT = 7


def ordered(state: State, goal: HexId, contact: ContactPolicy = ContactPolicy.STOP) -> Headquarters:
    """The Mahdist stack is to go there, in one march."""
    units = tuple(unit.id for unit in board(state).stack(Side.MAHDIST, HERE))
    order = MarchOrder(HERE, units, (FootLeg(to=goal),), contact, marches=1)
    return Headquarters((SeatCommand(SEAT, Side.MAHDIST, MonthOrders(orders=(order,))),))


def reckoned(state: State, headquarters: Headquarters) -> OrderChances:
    (found,) = chances(state, headquarters.commanders[0], headquarters)
    return found


def marched(state: State, headquarters: Headquarters, dice: Dice) -> MarchOutcome:
    """Return the outcome of the order after the event and the march roll."""
    now, progress = eventful(state, headquarters, dice)
    men = [u for u in board(now).stack(Side.MAHDIST, HERE) if u.kind is not TroopKind.LEADER]
    shaken = {unit.id for unit in men if unit.disrupted}
    while isinstance(now.question, q.ToMarch | q.OnMarch | q.ToDisrupt):
        action, progress = answer(now, headquarters, progress)
        rules.play(now, action, dice)
    left = [now.units[unit.id] for unit in men if unit.id in now.units]
    hurt = sum(unit.disrupted and unit.id not in shaken for unit in left)
    gone = len(men) - len(left)
    return MarchOutcome(int(any(unit.hex == THERE for unit in left)), hurt, gone)


@pytest.mark.parametrize(
    "stack",
    [
        "4 spears 2F, 2 spears 1R disrupted",
        pytest.param("Mahdi, 5 spears 2F", marks=pytest.mark.long),
        pytest.param("6 spears 1R, cavalry", marks=pytest.mark.long),
    ],
)
def test_the_march_is_weighed_by_every_event(stack: str) -> None:
    state = position(f"0641: {stack}")
    headquarters = ordered(state, THERE)
    exact = over_all_events(lambda dice: marched(state, headquarters, dice))
    odds = reckoned(state, headquarters).marches
    assert odds is not None
    assert sum(odds.results.values()) == Fraction(1)
    assert set(odds.results) == set(exact)
    assert all(abs(float(odds.results[one]) - exact[one]) < 1e-12 for one in exact)


def test_so_is_the_combat_it_leads_to() -> None:
    """Over those events after which the stack may march at all."""
    state = position("0641: 9 spears 2F, 2 spears 1R disrupted", "0640: 5 infantry egyptian L")
    headquarters = ordered(state, TARGET, ContactPolicy.ATTACK)

    def won(dice: Dice) -> float | None:
        now, _ = eventful(state, headquarters, dice)
        if hexes_barred_from_marching(now, Side.MAHDIST):
            return None
        return by_the_table(Fray(now, (HERE,), TARGET)).win

    found = {win: chance for win, chance in over_all_events(won).items() if win is not None}
    whole = sum(found.values())
    expected = sum(win * chance / whole for win, chance in found.items())
    (fight,) = reckoned(state, headquarters).fights
    assert fight.odds is not None
    assert abs(fight.odds.win - expected) < 1e-12
    assert len(found) > 1
    assert abs(sum(fight.odds.results.values()) - 1) < 1e-12


def test_an_event_that_has_been_thrown_for_is_not_thrown_for_again() -> None:
    state = position("0641: 4 spears 2F", side="mahdist")
    odds = reckoned(state, ordered(state, THERE)).marches
    assert odds is not None
    assert {chance.denominator for chance in odds.results.values()} <= {1, 2, 3, 6}


@pytest.mark.parametrize("side", ["egyptian", "mahdist"])
def test_a_finding_says_where_chances_leave_out_an_event_that_the_odds_weigh(side: str) -> None:
    """The event of the Mahdist side is to come only while it is the turn of the other."""
    state = position("0641: 4 spears 2F", side=side)
    headquarters = ordered(state, THERE)
    (march, *others) = check(state, headquarters.commanders[0], headquarters)
    odds = reckoned(state, headquarters).marches
    assert odds is not None
    weighed = f"{format_percent(odds.whole)}." in march.said
    assert weighed == (side == "mahdist")
    assert (WITHOUT_EVENT in [finding.said for finding in others]) != weighed


def test_a_sheet_without_orders_hopes_for_nothing() -> None:
    state = position("0641: 4 spears 2F")
    commander = SeatCommand(SEAT, Side.MAHDIST, EMPTY)
    assert chances(state, commander, Headquarters((commander,))) == ()
