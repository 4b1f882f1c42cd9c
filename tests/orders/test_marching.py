"""Orders to march: by land, rail, river and sea, to contact and through it."""

from typing import Any

import pytest

from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from campaign.orders.dry_run import rehearse
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters
from campaign.orders.order_sheet import OrderOutcome, Progress
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from tests.orders.helpers import commander, foot, found, march, obeyed, sheet
from tests.positions import OPEN, position
from tests.rules.helpers import carry_out, ids

HERE = int(OPEN)
SOUTH = [HERE + step for step in range(1, 12)]
SOUAKIM, TRINKITAT = sudan().place("Souakim").hex, sudan().place("Trinkitat").hex
KHARTOUM, HALFA = sudan().place("Khartoum").hex, sudan().place("Wady Halfa").hex


def spears(*more: str) -> State:
    """Four bands in open desert, in their turn, and whoever else."""
    return position(f"{OPEN}: 4 spears", *more, side="mahdist")


def where(state: State, units: tuple[int, ...]) -> set[int]:
    return {state.units[unit].hex for unit in units if unit in state.units}  # type: ignore[index]


def test_a_stack_comes_to_its_destination_by_the_cheapest_way() -> None:
    state = spears()
    units = ids(state, OPEN)
    account = obeyed(state, sheet(march(units, HERE, foot(SOUTH[2]))), dice=(6,))
    assert where(state, units) == {SOUTH[2]}
    assert account.orders[0].outcome is OrderOutcome.DONE


def test_a_far_destination_takes_another_march() -> None:
    state = spears()
    units = ids(state, OPEN)
    account = obeyed(state, sheet(march(units, HERE, foot(SOUTH[10]))), dice=(6, 6))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {SOUTH[10]}


def test_no_more_marches_are_thrown_for_than_the_order_allows() -> None:
    state = spears()
    units = ids(state, OPEN)
    account = obeyed(state, sheet(march(units, HERE, foot(SOUTH[10]), marches=1)), dice=(6,))
    told = account.orders[0]
    assert (told.outcome, told.clause) == (OrderOutcome.PARTLY, "8.3")
    assert "no march left" in told.said


def test_a_throw_that_fails_is_told() -> None:
    state = position(f"{OPEN}: 2 infantry egyptian L")
    units = ids(state, OPEN)
    account = obeyed(state, sheet(march(units, HERE, foot(SOUTH[1]))), dice=(1,))
    told = account.orders[0]
    assert told.outcome is OrderOutcome.NOT
    assert "throw" in told.said
    assert where(state, units) == {HERE}


def test_a_route_is_kept_hex_by_hex() -> None:
    state = spears()
    units, way = ids(state, OPEN), (HERE + 100, HERE + 101)
    assert way[0] in sudan().neighbours[HERE]  # type: ignore[index]
    assert way[1] in sudan().neighbours[way[0]]  # type: ignore[index]
    account = obeyed(state, sheet(march(units, HERE, foot(0, *way))), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {way[1]}


def test_on_contact_it_stops_before_the_enemy() -> None:
    state = spears(f"0{SOUTH[1]}: infantry egyptian L")
    units = ids(state, OPEN)
    account = obeyed(state, sheet(march(units, HERE, foot(0, *SOUTH[:3]))), dice=(6,))
    assert where(state, units) == {SOUTH[0]}
    assert account.orders[0].outcome is OrderOutcome.PARTLY
    assert account.orders[0].clause == "9.1"


def test_on_contact_it_goes_round_the_enemy() -> None:
    state = spears(f"0{SOUTH[1]}: infantry egyptian L")
    units = ids(state, OPEN)
    order = march(units, HERE, foot(0, *SOUTH[:3]), contact="go_round")
    account = obeyed(state, sheet(order), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {SOUTH[2]}


def test_on_contact_it_attacks_and_halts_after_a_win() -> None:
    state = spears(f"0{SOUTH[1]}: infantry egyptian R")
    units = ids(state, OPEN)
    order = march(units, HERE, foot(0, *SOUTH[:3]), contact="attack")
    account = obeyed(state, sheet(order), dice=(6, 6, 6, 6, 6, 1, 1, 6))
    assert "won the combat" in account.orders[0].said
    assert where(state, units) == {SOUTH[0]}


def test_after_a_win_it_goes_on_if_it_shall() -> None:
    state = spears(f"0{SOUTH[1]}: infantry egyptian R")
    units = ids(state, OPEN)
    order = march(units, HERE, foot(0, *SOUTH[:3]), contact="attack", go_on=True)
    account = obeyed(state, sheet(order), dice=(6, 6, 6, 6, 6, 1, 1, 6))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {SOUTH[2]}


def besieged_khartoum() -> State:
    """Gordon with ten battalions, and a band in each of two hexes beside him."""
    return position("Khartoum: 10 infantry british 3V, Gordon", "2043: spears", "2142: spears")


def test_9_12_it_drives_off_everybody_round_the_place_and_then_marches() -> None:
    state = besieged_khartoum()
    units = ids(state, "Khartoum")
    order = march(units, KHARTOUM, foot(1943), drive_off=True)
    account = obeyed(state, sheet(order), dice=(6, 3, 3, 3, 3))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {1943}
    assert not board(state).hexes(Side.MAHDIST)


def test_9_12_it_drives_them_off_and_stays_without_a_leg() -> None:
    state = besieged_khartoum()
    units = ids(state, "Khartoum")
    account = obeyed(state, sheet(march(units, KHARTOUM, drive_off=True)), dice=(6, 3, 3, 3, 3))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert "driven off everybody" in account.orders[0].said
    assert where(state, units) == {KHARTOUM}


def test_9_12_a_leg_to_a_besieger_is_over_when_he_is_beaten_and_others_remain() -> None:
    state = besieged_khartoum()
    units = ids(state, "Khartoum")
    legs = (foot(2142), foot(2043), foot(1943))
    order = march(units, KHARTOUM, *legs, contact="attack", go_on=True)
    account = obeyed(state, sheet(order), dice=(6, 3, 3, 3, 3))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {1943}


def test_9_12_nobody_is_driven_off_below_the_odds_ordered() -> None:
    state = position("Khartoum: infantry egyptian L", "2043: 20 spears")
    units = ids(state, "Khartoum")
    order = march(units, KHARTOUM, drive_off=True, least_odds=60)
    (report,) = obeyed(state, sheet(order), dice=(6,)).orders.values()
    assert report.outcome is OrderOutcome.NOT
    assert "chance to win" in report.said


def test_9_12_an_order_to_drive_off_nobody_is_refused() -> None:
    state = position("Khartoum: infantry egyptian L")
    order = march(ids(state, "Khartoum"), KHARTOUM, drive_off=True)
    (report,) = obeyed(state, sheet(order)).orders.values()
    assert (report.outcome, report.clause) == (OrderOutcome.NOT, "9.12")


def test_9_12_the_sheet_shows_the_combat_with_each_besieger() -> None:
    state = besieged_khartoum()
    order = march(ids(state, "Khartoum"), KHARTOUM, drive_off=True)
    seat = commander(state, sheet(order))
    run = rehearse(state, Headquarters((seat,)), state.side)
    assert {fight.hex for fight in run.fights[seat.seat, 0]} == {2043, 2142}


def test_9_1_it_attacks_one_enemy_after_another_from_where_it_stands() -> None:
    north, south, home = HERE - 1, HERE + 1, HERE + 2
    state = spears(f"0{north}: infantry egyptian R", f"0{south}: infantry egyptian R")
    units = ids(state, OPEN)
    strikes = ({**foot(hex_id), "attack_only": True} for hex_id in (north, south))
    won = (6, 6, 6, 6, 1, 1, 1)
    (report,) = obeyed(
        state, sheet(march(units, HERE, *strikes)), dice=(6, *won, *won)
    ).orders.values()
    assert report.outcome is OrderOutcome.DONE
    assert where(state, units) == {HERE}
    assert not board(state).hexes(Side.EGYPTIAN)
    nobody = {**foot(home), "attack_only": True}
    (report,) = obeyed(spears(), sheet(march(units, HERE, nobody)), dice=(6,)).orders.values()
    assert (report.outcome, "found nobody" in report.said) == (OrderOutcome.DONE, True)


STORM_DICE = (6, 6, 1, 6, 6, 6, 3, 3, 3, 3, 3, 3, 3, 3, 3)


@pytest.mark.parametrize(("storm", "attacks"), [(False, 1), (True, 2)])
def test_9_1_it_storms_a_garrison_that_stands_fast_as_long_as_it_wins(
    storm: bool, attacks: int
) -> None:
    stacks = ("El Obeid: 2 infantry egyptian R", "0257: 20 spears, Mahdi")
    state: State = position(*stacks, side="mahdist")
    goal = sudan().place("El Obeid").hex
    order = march(ids(state, "0257"), 257, foot(goal), contact="attack", go_on=True, storm=storm)
    seats, progress, dice = (commander(state, sheet(order)),), Progress(), ScriptedDice(*STORM_DICE)
    fought = 0
    while not isinstance(state.question, q.ToMarch) or not fought:
        action, progress = answer(state, Headquarters(seats), progress)
        fought += isinstance(action, a.Attack)
        carry_out(state, action, dice)
    assert fought == attacks


@pytest.mark.parametrize(
    ("where_from", "leg", "left_at"),
    [
        ("Wady Halfa", {"type": "rail", "to": 1003}, 1102),
        ("Khartoum", {"type": "river", "to": 2045}, 2043),
    ],
)
def test_8_3_units_are_dropped_off_on_the_way_by_rail_and_river(
    where_from: str, leg: dict[str, Any], left_at: int
) -> None:
    state = position(f"{where_from}: 2 infantry egyptian L, 2 gunboats egyptian")
    units = ids(state, where_from)
    (first, *_) = battalions = ids(state, where_from, "2 infantry egyptian L")
    start = sudan().place(where_from).hex
    order = march(units, start, leg, drops=[{"units": [first], "at": left_at}])
    account = obeyed(state, sheet(order))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert [state.units[unit].hex for unit in battalions] == [left_at, leg["to"]]


def test_a_march_has_as_many_legs_as_it_needs() -> None:
    state = spears()
    units = ids(state, OPEN)
    legs = [foot(hex_id) for hex_id in SOUTH[:6]]
    account = obeyed(state, sheet(march(units, HERE, *legs)), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {SOUTH[5]}


def test_it_does_not_attack_at_worse_odds_than_ordered() -> None:
    state = position(f"{OPEN}: spears", f"0{SOUTH[0]}: 9 infantry british V", side="mahdist")
    units = ids(state, OPEN)
    order = march(units, HERE, foot(SOUTH[0]), contact="attack", least_odds=60)
    account = obeyed(state, sheet(order), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.NOT
    assert "chance to win" in account.orders[0].said


def test_units_are_dropped_off_on_the_way_and_at_its_end() -> None:
    state = spears()
    units = ids(state, OPEN)
    drops = [{"units": [units[0]], "at": SOUTH[0]}, {"units": [units[1]]}]
    obeyed(state, sheet(march(units, HERE, foot(SOUTH[2]), drops=drops)), dice=(6,))
    assert where(state, units[:1]) == {SOUTH[0]}
    assert where(state, units[1:]) == {SOUTH[2]}


def test_only_part_of_a_stack_goes_if_only_that_is_named() -> None:
    state = spears()
    units = ids(state, OPEN)
    obeyed(state, sheet(march(units[:2], HERE, foot(SOUTH[1]))), dice=(6,))
    assert where(state, units[:2]) == {SOUTH[1]}
    assert where(state, units[2:]) == {HERE}


def test_a_stack_goes_by_rail() -> None:
    state = position("Wady Halfa: 3 infantry british")
    units, line = ids(state, "Wady Halfa"), sudan().tracks["wady_halfa_sarras"].hexes
    order = march(units, HALFA, {"type": "rail", "to": line[-1]})
    account = obeyed(state, sheet(order))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {line[-1]}


def test_a_stack_boards_what_it_needs_and_goes_by_river() -> None:
    state = position("Khartoum: 2 infantry egyptian L, 3 boats egyptian")
    units = ids(state, "Khartoum", "2 infantry egyptian L")
    metemmeh = sudan().place("Metemmeh").hex
    order = march(units, KHARTOUM, {"type": "river", "to": metemmeh})
    account = obeyed(state, sheet(order), dice=(1, 1, 1, 1))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {metemmeh}
    assert len(ids(state, "Khartoum")) == 1


def test_a_stack_boards_the_boats_it_names_and_no_others() -> None:
    state = position("Khartoum: 2 infantry egyptian L, 3 boats egyptian")
    units = ids(state, "Khartoum", "2 infantry egyptian L")
    chosen = ids(state, "Khartoum", "3 boats egyptian")[1:]
    metemmeh = sudan().place("Metemmeh").hex
    river = {"type": "river", "to": metemmeh, "hulls": list(chosen)}
    obeyed(state, sheet(march(units, KHARTOUM, river)), dice=(1, 1, 1, 1))
    assert where(state, (*units, *chosen)) == {metemmeh}
    assert len(ids(state, "Khartoum")) == 1


def test_boats_that_do_not_lie_there_are_refused_by_name() -> None:
    state = position("Khartoum: 2 infantry egyptian L, boat egyptian", "1941: boat egyptian")
    units, elsewhere = ids(state, "Khartoum", "2 infantry egyptian L"), ids(state, "1941")
    river = {"type": "river", "to": sudan().place("Metemmeh").hex, "hulls": list(elsewhere)}
    (refused,) = [one for one in found(state, sheet(march(units, KHARTOUM, river))) if one.remedy]
    assert (refused.verdict, refused.clause) == ("impossible", "8.23")
    assert refused.said == "None of the boats named is ready at Khartoum."


def test_gunboats_sail_up_to_the_craft_of_the_enemy_and_attack_them() -> None:
    state = position("Khartoum: 2 gunboats egyptian", "1941: boat mahdist")
    units = ids(state, "Khartoum")
    river = {"type": "river", "to": 1941}
    order = march(units, KHARTOUM, river, contact="attack", least_odds=60)
    assert [one.clause for one in found(state, sheet(order))] == ["6.1"]
    account = obeyed(state, sheet(order), dice=(6, 6))
    assert "combat" in account.orders[0].said
    assert where(state, units) != {KHARTOUM}


def test_more_than_the_craft_can_carry_do_not_sail() -> None:
    state = position("Khartoum: 3 infantry egyptian L, boat egyptian")
    units = ids(state, "Khartoum", "3 infantry egyptian L")
    order = march(units, KHARTOUM, {"type": "river", "to": sudan().place("Metemmeh").hex})
    refused = [one for one in found(state, sheet(order)) if one.verdict == "impossible"]
    account = obeyed(state, sheet(order))
    assert [one.clause for one in refused] == [account.orders[0].clause] == ["8.23"]
    assert refused[0].said == account.orders[0].said
    assert refused[0].remedy


def test_a_stack_sails_with_the_fleet() -> None:
    state = position("Souakim: 2 infantry british, fleet")
    units = ids(state, "Souakim", "2 infantry british")
    order = march(units, SOUAKIM, {"type": "sea", "to": TRINKITAT})
    account = obeyed(state, sheet(order), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, units) == {TRINKITAT}


def test_after_the_sea_it_goes_on_by_land_without_the_fleet() -> None:
    state = position("Souakim: 2 infantry british, fleet")
    units, fleet = ids(state, "Souakim", "2 infantry british"), ids(state, "Souakim", "fleet")
    inland = sudan().place("El Teb").hex
    order = march(units, SOUAKIM, {"type": "sea", "to": TRINKITAT}, foot(inland))
    account = obeyed(state, sheet(order), dice=(6,))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert where(state, fleet) == {TRINKITAT}
    assert where(state, units) == {inland}


@pytest.mark.parametrize(
    ("battles", "outcome"),
    [
        ({"b": Side.MAHDIST}, OrderOutcome.DONE),
        ({"b": Side.EGYPTIAN}, OrderOutcome.NOT),
        ({"b": None}, OrderOutcome.NOT),
        ({}, OrderOutcome.NOT),
    ],
)
def test_an_order_for_after_a_battle_counts_only_if_it_came_so(
    battles: dict[str, Side | None], outcome: OrderOutcome
) -> None:
    state = spears()
    order = march(ids(state, OPEN), HERE, foot(SOUTH[0]), if_battle={"battle": "b", "came": "won"})
    dice = (6,) if outcome is OrderOutcome.DONE else ()
    assert obeyed(state, sheet(order), dice=dice, battles=battles).orders[0].outcome is outcome


def test_the_second_order_for_a_stack_that_has_marched_is_told_by_its_clause() -> None:
    state = spears()
    units = ids(state, OPEN)
    one = march(units, HERE, foot(SOUTH[0]))
    again = march(units, SOUTH[0], foot(SOUTH[1]))
    account = obeyed(state, sheet(one, again), dice=(6,))
    assert (account.orders[1].outcome, account.orders[1].clause) == (OrderOutcome.NOT, "8.3")


def test_orders_are_carried_out_in_the_order_of_the_sheet() -> None:
    state = spears(f"0{SOUTH[5]}: 2 spears")
    first, second = ids(state, f"0{SOUTH[5]}"), ids(state, OPEN)
    orders = march(first, SOUTH[5], foot(SOUTH[6])), march(second, HERE, foot(SOUTH[0]))
    obeyed(state, sheet(*orders), dice=(6, 6))
    assert state.marched == [*first, *second]


def test_units_that_are_gone_are_left_out_and_nobody_else_is_taken() -> None:
    state = spears()
    units = ids(state, OPEN)
    order = march((*units[:2], 9_999), HERE, foot(SOUTH[0]))
    obeyed(state, sheet(order), dice=(6,))
    assert where(state, units[:2]) == {SOUTH[0]}
    assert where(state, units[2:]) == {HERE}
