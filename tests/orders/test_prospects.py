"""A stack's prospects: three marches, the march table's chances, thirst (8.3, 8.31, 10.3)."""

from fractions import Fraction
from itertools import pairwise

import pytest

from battles.contract.brief import Nation, Side, TroopKind
from campaign import rules
from campaign.orders import prospects
from campaign.rules.core.board import board, forget, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.rules.march.reach import barrier_costs, reach
from campaign.rules.prose.phrases import judge_chance
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.rows import AttritionLine

METEMMEH, BERBER, KHARTOUM, SOUAKIM, SARRAS = (
    sudan().place(name).hex for name in ("Metemmeh", "Berber", "Khartoum", "Souakim", "Sarras")
)


@pytest.fixture
def state() -> State:
    return rules.new_game("siege-of-khartoum", shipped_edition())


def look(state: State, hex_id: int) -> prospects.Outlook:
    return prospects.find_outlook(state, board(state).stack(Side.EGYPTIAN, hex_id))  # type: ignore[arg-type]


def test_8_3_the_first_march_is_the_reach_of_the_rules(state: State) -> None:
    found = look(state, METEMMEH)
    once = {hex_id for hex_id, one in found.reached.items() if one.march == 1}
    assert once == set(reach(state, Side.EGYPTIAN, METEMMEH, found.points).costs) - {METEMMEH}


def test_8_3_a_further_march_begins_where_one_has_ended(state: State) -> None:
    found = look(state, METEMMEH)
    twice = [hex_id for hex_id, one in found.reached.items() if one.march == 2]
    once = [hex_id for hex_id, one in found.reached.items() if one.march == 1]
    for hex_id in twice[::40]:
        starts = (reach(state, Side.EGYPTIAN, start, found.points).costs for start in once)
        assert any(hex_id in costs for costs in starts)


def test_8_3_nobody_marches_four_times(state: State) -> None:
    assert {one.march for one in look(state, METEMMEH).reached.values()} == {1, 2, 3}


def test_8_2_the_way_goes_from_hex_to_hex(state: State) -> None:
    found = look(state, METEMMEH)
    way = (METEMMEH, *found.path(BERBER))
    assert way[-1] == BERBER
    for here, there in pairwise(way):
        assert there in sudan().neighbours[here]


def test_9_12_a_stack_under_siege_reaches_nothing(state: State) -> None:
    besieged = next(
        hex_id
        for hex_id in board(state).hexes(Side.EGYPTIAN)
        if board(state).besieged(Side.EGYPTIAN, hex_id)
    )
    assert look(state, besieged).reached == {}


def test_9_12_beside_the_enemy_at_a_place_a_march_ends(state: State) -> None:
    besieging = barrier_costs(state, Side.MAHDIST).besieging
    onward = [
        (one.march, found.reached[one.before].march)
        for hex_id in board(state).hexes(Side.MAHDIST)
        for found in [prospects.find_outlook(state, board(state).stack(Side.MAHDIST, hex_id))]
        for one in found.reached.values()
        if one.before in besieging and one.before in found.reached
    ]
    assert onward
    assert all(after > before for after, before in onward)


def test_8_31_the_odds_are_those_of_the_table(state: State) -> None:
    odds = look(state, METEMMEH).odds
    assert odds is not None
    marched = [laws(state).march(odds.column, face).march for face in range(1, 7)]
    assert odds.march == Fraction(sum(marched), 6)
    assert odds.of(1) == odds.march
    assert odds.of(3) < odds.march**3, "a unit that falls out twice is lost on the way"


def test_7_1_a_leader_changes_the_odds_and_nobody_does_not(state: State) -> None:
    stack = board(state).stack(Side.EGYPTIAN, KHARTOUM)
    led, alone = (
        prospects.find_outlook(state, stack),
        prospects.find_outlook(state, stack, UnitId(0)),
    )
    assert led.odds is not None
    assert alone.odds is not None
    assert any(one.clause == "7.1" for one in led.odds.modifiers)
    assert not any(one.clause == "7.1" for one in alone.odds.modifiers)


def test_8_31_the_slowest_nation_has_the_column(state: State) -> None:
    stack = board(state).stack(Side.EGYPTIAN, SOUAKIM)
    nations = {unit.nation for unit in stack if unit.kind is not TroopKind.LEADER}
    assert Nation.BRITISH in nations
    odds = look(state, SOUAKIM).odds
    assert odds is not None
    assert odds.column == "egyptian"


def test_10_3_the_share_is_the_average_of_six_faces(state: State) -> None:
    spared = [laws(state).attrition(AttritionLine.DESERT, face) or 0 for face in range(1, 7)]
    lost = Fraction(sum(max(0, 10 - one) for one in spared), 60)
    assert prospects.share_lost(laws(state), AttritionLine.DESERT, 10) == lost
    assert prospects.share_lost(laws(state), AttritionLine.TOWN, 10) == 0


def test_8_22_trains_run_where_rails_are_open(state: State) -> None:
    halfa = sudan().place("Wady Halfa").hex
    assert prospects.by_rail(state, Side.EGYPTIAN, halfa)
    assert prospects.by_rail(state, Side.EGYPTIAN, KHARTOUM) == ()


def test_8_23_boats_steer_along_the_river(state: State) -> None:
    stack = board(state).stack(Side.EGYPTIAN, KHARTOUM)
    ways = prospects.by_river(state, stack)
    assert ways
    assert all(sudan().river_at(hex_id) for hex_id in ways)
    assert prospects.by_river(state, board(state).stack(Side.EGYPTIAN, METEMMEH)) == {}


def test_8_25_the_fleet_puts_ashore_at_its_ports(state: State) -> None:
    assert prospects.by_sea(state, Side.EGYPTIAN, SOUAKIM)
    for unit in board(state).stack(Side.EGYPTIAN, SOUAKIM):
        if unit.kind is TroopKind.FLEET:
            unit.hex = METEMMEH
    forget(state)
    assert prospects.by_sea(state, Side.EGYPTIAN, SOUAKIM) == ()


def test_chances_are_named_by_their_size() -> None:
    chances = (1, 0.9999, 0.95, Fraction(2, 3), 0.5, Fraction(1, 4), 0)
    assert [judge_chance(one, "win") for one in chances] == [
        "Certain to win",
        "Almost certain to win",
        "Almost certain to win",
        "Likely to win",
        "A gamble to win",
        "Unlikely to win",
        "No chance to win",
    ]


def test_10_3_craft_alone_thirst_nowhere(state: State) -> None:
    desert = HexId(2138)
    stack = board(state).stack(Side.EGYPTIAN, KHARTOUM)
    craft = [unit for unit in stack if unit.kind is TroopKind.GUNBOAT]
    assert prospects.thirsts(state, stack, [desert])[desert].share
    assert not prospects.thirsts(state, craft, [desert])[desert].share
