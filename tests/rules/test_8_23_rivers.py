"""8.23: boats, gunboats, wrecks and cataracts."""

import pytest

from battles.contract.brief import Side, TroopKind
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import month_from_text
from campaign.rules.core.state import InForce
from campaign.rules.map import sudan
from campaign.rules.march.fleet import REPAIR
from campaign.rules.march.river import voyages
from campaign.rules.tables.event_effects import RerollWreck
from tests.positions import hex_of, position
from tests.rules.helpers import (
    by_river,
    count,
    go,
    happen,
    holder,
    ids,
    march,
    offered,
    one,
    only,
    play,
    refused,
)

UP_THE_WHITE_NILE = (1943, 1944, 1945, 1946)
ABOVE_THE_FOURTH = (2020, 1921, 1821, 1722, 1723, 1623)
"""The left bank from the last seasonal hex down the unnavigable reach, the cataract third."""

DOWN_FROM_DONGOLA = (518, 517, 516)
"""The left bank down to the Third Cataract."""


def sail(state, where, what, path, dice=()):
    return play(state, a.Sail(ids(state, where, what), tuple(hex_of(hop) for hop in path)), dice)


def wreck_rolls(outcome):
    return [roll for roll in outcome.rolls if roll.table == "wrecks"]


def due(state, kind=TroopKind.GUNBOAT):
    (group,) = [group for group in state.due if group.units[0].kind is kind]
    return group


# carrying


def test_8_23_each_hull_carries_one_unit():
    state = position("Khartoum: 3 infantry egyptian L, boat egyptian, gunboat egyptian")
    everybody = ids(state, "Khartoum")
    refused(state, by_river(everybody, 1943), "8.23")
    sail(state, "Khartoum", "2 infantry egyptian L, boat egyptian, gunboat egyptian", [1942], [])
    assert len(ids(state, "Omdurman")) == 4


def test_8_23_leaders_are_carried_for_nothing():
    state = position("Khartoum: Gordon, J. Stewart, infantry egyptian L, gunboat egyptian")
    sail(state, "Khartoum", "Gordon, J. Stewart, infantry egyptian L, gunboat egyptian", [1943])
    assert len(ids(state, "1943")) == 4


def test_8_23_supply_is_carried():
    state = position("Khartoum: supply, gunboat egyptian")
    sail(state, "Khartoum", "supply, gunboat egyptian", [1943])


def test_8_23_civilians_are_not_carried_by_boat():
    state = position("Khartoum: civilians, 2 gunboats egyptian")
    refused(state, by_river(ids(state, "Khartoum"), 1943), "8.23")


def test_8_23_nothing_goes_by_river_without_a_hull():
    state = position("Khartoum: infantry egyptian L")
    refused(state, by_river(ids(state, "Khartoum"), 1943), "8.23")


def test_8_23_the_stack_is_together_with_its_hulls():
    state = position("Khartoum: infantry egyptian L", "1943: gunboat egyptian")
    refused(state, by_river((*ids(state, "Khartoum"), *ids(state, "1943")), 1944), "8.3")


def test_8_23_the_fleet_is_no_passenger():
    state = position("Souakim: fleet, gunboat egyptian")
    refused(state, by_river(ids(state, "Souakim"), 1943), "8.23")


# courses


def test_8_23_a_march_by_river_needs_no_roll_on_the_march_table_and_counts_as_one():
    state = position("Khartoum: infantry egyptian L, gunboat egyptian")
    outcome = sail(state, "Khartoum", "infantry egyptian L, gunboat egyptian", [1943])
    assert not outcome.rolls
    assert state.march.marches == 1


def test_8_23_only_along_the_river():
    state = position("Khartoum: gunboat egyptian")
    refused(state, by_river(ids(state, "Khartoum"), 1842), "8.23")
    refused(state, by_river(ids(state, "Khartoum"), 1944), "8.23")
    refused(state, a.Sail(ids(state, "Khartoum"), ()), "8.23")


def test_8_23_not_up_and_downstream_in_one_march():
    state = position("1944: gunboat egyptian")
    refused(state, by_river(ids(state, "1944"), 1943, 1944), "8.23")


def test_8_23_not_down_one_river_and_up_another():
    state = position("1943: gunboat egyptian", month="1884-12")
    refused(state, by_river(ids(state, "1943"), 1942, 2041, 2142), "8.23")


def test_8_23_changing_bank_is_one_hex_and_neither_up_nor_down():
    for on, dice in ((2140, [1, 1]), (2238, [])):
        state = position("2138: boat british")
        sail(state, "2138", "boat", [2139, on], dice)
        assert state.march.route[-1] == on


def test_8_23_nobody_creeps_along_the_river_from_bank_to_bank():
    state = position("2138: boat british")
    refused(state, by_river(ids(state, "2138"), 2139, 2038), "8.23")
    assert voyages(state, hex_of("2138"))[hex_of("2038")] == (2038,)


def test_8_23_not_into_a_hex_the_enemy_holds():
    state = position("Khartoum: gunboat egyptian", "1943: spears disrupted")
    refused(state, by_river(ids(state, "Khartoum"), 1943), "8.23")


def test_8_23_one_march_of_the_three_by_river():
    state = position("Khartoum: infantry egyptian L, gunboat egyptian")
    crew = "infantry egyptian L, gunboat egyptian"
    sail(state, "Khartoum", crew, [1943])
    refused(state, by_river(ids(state, "1943", crew), 1944), "8.23")


def test_8_23_each_hull_is_used_once_a_turn():
    state = position("Khartoum: 2 infantry egyptian L, gunboat egyptian")
    sail(state, "Khartoum", "infantry egyptian L, gunboat egyptian", [1943])
    play(state, a.Halt())
    hull = one(state, "1943", "gunboat egyptian")
    refused(state, by_river((hull,), 2042), "8.3")


def test_8_23_a_stack_may_march_by_land_and_river_in_one_turn():
    state = position("Khartoum: infantry egyptian L, gunboat egyptian")
    sail(state, "Khartoum", "infantry egyptian L, gunboat egyptian", [1943])
    play(state, a.DropOff(ids(state, "1943", "gunboat egyptian")))
    march(state, "1943", "infantry egyptian L")
    go(state, "1842")
    assert state.march.marches == 2


def test_8_3_a_marching_stack_boards_hulls_that_lie_where_it_comes():
    state = position("2044: infantry egyptian L", "2043: gunboat egyptian")
    march(state, "2044")
    go(state, "2043")
    play(state, by_river((*state.march.units, one(state, "2043", "gunboat egyptian")), 2042))
    assert len(ids(state, "Khartoum")) == 2


def test_8_3_townsmen_who_join_march_from_the_next_turn_on():
    state = position("3226: 2 spears", side="mahdist", held={"Berber": "egyptian"})
    march(state, "3226")
    go(state, "Berber", dice=[4])
    play(state, a.Halt())
    joined = ids(state, "Berber", "6 spears")[2:]
    refused(state, a.March(joined), "8.3")
    assert all(stack.hex != hex_of("Berber") for stack in offered(state).stacks)


def test_8_3_a_hull_that_is_taken_is_not_boarded_in_the_same_phase():
    state = position("2045: 2 spears", "2044: gunboat", side="mahdist")
    march(state, "2045")
    go(state, "2044")
    play(state, a.Choose(hex_of("2043")), [6])
    prize = one(state, "2044", "gunboat mahdist")
    refused(state, by_river((*state.march.units, prize), 1945), "8.3")


def test_8_22_river_and_rail_in_one_turn():
    state = position("Sarras: infantry british, boat")
    play(state, a.Rail(ids(state, "Sarras"), hex_of("Wady Halfa")))
    sail(state, "Wady Halfa", "infantry british, boat", [1200])
    assert state.march.marches == 2


def test_8_23_a_place_entered_by_river_changes_hands():
    state = position("2141: infantry egyptian L, gunboat", held={"Halfaya": "mahdist"})
    sail(state, "2141", "infantry egyptian L, gunboat", [2041])
    assert holder(state, "Halfaya") is Side.EGYPTIAN


def test_8_3_a_voyage_drops_units_off_where_it_passes():
    state = position("Khartoum: 2 infantry egyptian L, 2 gunboats egyptian")
    first, second = ids(state, "Khartoum", "2 infantry egyptian L")
    way = (hex_of("2043"), hex_of("2044"), hex_of("2045"))
    landing = a.Landing((first,), way[0])
    outcome = play(state, a.Sail(ids(state, "Khartoum"), way, (landing,)))
    assert count(state, "2043", "infantry egyptian L") == 1
    assert count(state, "2045", "infantry egyptian L") == 1
    assert [event.path for event in only(outcome, e.Sailed)] == [way[:1], way[1:]]
    assert first not in state.march.units
    assert second in state.march.units


def test_8_3_units_are_dropped_off_only_where_the_voyage_passes():
    state = position("Khartoum: 2 infantry egyptian L, 2 gunboats egyptian")
    units, battalions = ids(state, "Khartoum"), ids(state, "Khartoum", "2 infantry egyptian L")
    way = (hex_of("2043"),)
    beyond = a.Landing(battalions[:1], hex_of("2044"))
    refused(state, a.Sail(units, way, (beyond,)), "8.3")
    hull = a.Landing(ids(state, "Khartoum", "gunboat egyptian"), way[0])
    refused(state, a.Sail(units, way, (hull,)), "8.23")


def test_8_3_units_of_a_voyage_that_is_stopped_short_stay_aboard():
    """The dice give the boat nine hexes; the landing is the tenth."""
    path = (620, 621, 722, 723, 823, 824, 825, 926, 1026, 1126, 1226, 1326)
    state = position("0619: infantry british, Wolseley, boat")
    infantry = ids(state, "0619", "infantry british")
    voyage = by_river(ids(state, "0619"), *path)
    landing = a.Landing(infantry, voyage.path[9])
    play(state, a.Sail(voyage.units, voyage.path, (landing,)), [1, 2])
    assert state.units[infantry[0]].hex == path[8]
    assert infantry[0] in state.march.units


def test_8_23_a_place_where_land_units_are_dropped_off_changes_hands():
    held = {"Omdurman": "mahdist"}
    state = position("Khartoum: infantry egyptian L, gunboat egyptian, Gordon", held=held)
    battalion = ids(state, "Khartoum", "infantry egyptian L")
    way = (hex_of("Omdurman"), hex_of("1943"))
    play(state, a.Sail(ids(state, "Khartoum"), way, (a.Landing(battalion, way[0]),)))
    assert holder(state, "Omdurman") == "egyptian"
    assert count(state, "Omdurman", "infantry egyptian L") == 1


def test_8_23_craft_alone_take_no_place():
    state = position("2141: Gordon, gunboat", held={"Halfaya": "mahdist"})
    sail(state, "2141", "Gordon, gunboat", [2041])
    assert holder(state, "Halfaya") is Side.MAHDIST


def test_8_23_the_voyages_offered_to_mahdist_boats_keep_off_unnavigable_water():
    state = position("1722: boat mahdist, gunboat mahdist", side="mahdist")
    boat, gunboat = state.units.values()
    assert not voyages(state, hex_of("1722"), [boat, gunboat])
    assert 1723 in voyages(state, hex_of("1722"), [gunboat])


# I. navigable rivers


def test_8_23_i_downstream_any_number_of_hexes_without_dice():
    state = position("1946: boat, gunboat")
    outcome = sail(state, "1946", "boat, gunboat", [1945, 1944, 1943, 1942, 1941, 2040])
    assert not outcome.rolls
    assert state.march.route[-1] == 2040


def test_8_23_i_gunboats_go_upstream_any_number_of_hexes():
    state = position("Khartoum: gunboat")
    assert not sail(state, "Khartoum", "gunboat", UP_THE_WHITE_NILE).rolls


def test_8_23_i_boats_go_upstream_two_dice_and_six():
    path = (620, 621, 722, 723, 823, 824, 825, 926, 1026, 1126, 1226, 1326)
    state = position("0619: boat")
    outcome = sail(state, "0619", "boat", path, [1, 2])
    assert outcome.rolls[0].total == 9
    assert state.march.route[-1] == path[8]


def test_8_23_a_voyage_may_be_shorter_than_the_dice():
    state = position("0619: boat")
    sail(state, "0619", "boat", (620, 621), [6, 6])
    assert state.march.route[-1] == 621


def test_8_23_the_slowest_hull_of_the_stack_sets_the_pace():
    state = position("0619: boat, gunboat")
    path = (620, 621, 722, 723, 823, 824, 825, 926, 1026, 1126, 1226, 1326)
    sail(state, "0619", "boat, gunboat", path, [1, 1])
    assert state.march.route[-1] == path[7]
    assert len(ids(state, path[7])) == 2


# II. unnavigable rivers


def test_8_23_ii_downstream_any_number_and_then_a_roll_for_wrecking():
    state = position("1722: gunboat")
    outcome = sail(state, "1722", "gunboat", (1723, 1623), [5])
    (roll,) = wreck_rolls(outcome)
    assert roll.result == "safe"


@pytest.mark.parametrize("craft", ["boat", "gunboat"])
def test_8_23_ii_upstream_one_die_and_six(craft):
    state = position(f"1623: {craft}")
    safe = [1, 1] if craft == "boat" else [1]
    outcome = sail(state, "1623", craft, (1723,), [3, *safe])
    assert outcome.rolls[0].dice == (3,)
    assert outcome.rolls[0].total == 9


@pytest.mark.parametrize(("die", "wrecked"), [(5, False), (6, True)])
def test_8_23_ii_a_gunboat_is_wrecked_on_a_six(die, wrecked):
    state = position("1722: gunboat")
    outcome = sail(state, "1722", "gunboat", (1723,), [die, *([2, 3] if wrecked else [])])
    assert bool(only(outcome, e.Wrecked)) is wrecked
    assert bool(ids(state, "1723")) is not wrecked


@pytest.mark.parametrize(("dice", "wrecked"), [((5, 6), False), ((6, 6), True)])
def test_8_23_ii_a_boat_is_wrecked_on_a_twelve(dice, wrecked):
    state = position("1722: boat")
    outcome = sail(state, "1722", "boat", (1723,), dice)
    assert bool(only(outcome, e.Wrecked)) is wrecked


def test_8_23_ii_a_wrecked_boat_returns_in_two_turns_at_wady_halfa():
    state = position("1722: boat", month="1885-01")
    sail(state, "1722", "boat", (1723,), [6, 6])
    group = due(state, TroopKind.BOAT)
    assert group.month == month_from_text("1885-03")
    assert group.at == (hex_of("Wady Halfa"),)


def test_8_23_ii_a_wrecked_gunboat_is_gone_for_as_many_turns_as_two_dice_say():
    state = position("1722: gunboat british", month="1885-01")
    sail(state, "1722", "gunboat british", (1723,), [6, 2, 3])
    group = due(state)
    assert group.month == month_from_text("1885-06")
    assert group.reason == REPAIR


def test_8_23_ii_on_a_double_it_is_destroyed():
    state = position("1722: gunboat", month="1885-01")
    sail(state, "1722", "gunboat", (1723,), [6, 3, 3])
    assert not state.due


@pytest.mark.parametrize(("nation", "home"), [("british", "Wady Halfa"), ("egyptian", "Khartoum")])
def test_8_23_ii_where_repaired_gunboats_return(nation, home):
    state = position(f"1722: gunboat {nation}", month="1885-01")
    sail(state, "1722", f"gunboat {nation}", (1723,), [6, 1, 2])
    assert due(state).at == (hex_of(home),)


def test_8_23_ii_a_repaired_hull_is_placed_when_its_turns_are_over():
    state = position("1722: gunboat, infantry egyptian L", "Khartoum: infantry egyptian L")
    sail(state, "1722", "gunboat", (1723,), [6, 1, 2])
    state.month = due(state).month
    happen(state, "reinforcement")
    play(state, a.Place(0, hex_of("Khartoum")))
    assert count(state, "Khartoum", "gunboat") == 1


def test_8_23_ii_an_egyptian_gunboat_is_lost_while_khartoum_is_the_mahdists():
    state = position("1722: gunboat", "Khartoum: spears", month="1885-01")
    sail(state, "1722", "gunboat", (1723,), [6, 1, 2])
    state.month = due(state).month
    outcome = happen(state, "reinforcement")
    assert only(outcome, e.Settled)[0].lost


def test_8_23_ii_a_mahdist_gunboat_returns_to_a_mahdist_khartoum():
    state = position("1722: gunboat mahdist", "Khartoum: spears", side="mahdist", month="1885-01")
    sail(state, "1722", "gunboat mahdist", (1723,), [6, 1, 2])
    assert due(state).at == (hex_of("Khartoum"),)


def test_8_23_ii_mahdist_boats_do_not_move_on_unnavigable_rivers():
    state = position("1722: boat mahdist, gunboat mahdist", side="mahdist")
    boat = one(state, "1722", "boat mahdist")
    assert "Mahdist boat" in str(refused(state, by_river((boat,), 1723), "8.23 II"))
    refused(state, by_river(ids(state, "1722"), 1723), "8.23 II")


def test_8_23_ii_mahdist_boats_move_on_seasonal_reaches_in_their_season():
    stack = "2617: boat mahdist"
    state = position(stack, side="mahdist", month="1884-12")
    sail(state, "2617", "boat mahdist", (2517,))
    assert count(state, "2517", "boat mahdist") == 1
    state = position(stack, side="mahdist", month="1884-06")
    refused(state, by_river(ids(state, "2617"), 2517), "8.23 II")


def test_8_23_ii_mahdist_gunboats_do():
    state = position("1722: gunboat mahdist", side="mahdist")
    sail(state, "1722", "gunboat mahdist", (1723,), [1])
    assert count(state, "1723", "gunboat mahdist") == 1


def test_8_23_passengers_of_a_hull_wrecked_in_the_open_reach_complete_their_voyage():
    state = position("1722: infantry british, gunboat")
    sail(state, "1722", "infantry british, gunboat", (1723,), [6, 1, 2])
    assert count(state, "1723", "infantry british 3V") == 1


# III. seasonal rivers


@pytest.mark.parametrize(
    ("month", "rolls"), [("1884-11", 0), ("1885-02", 0), ("1885-03", 1), ("1884-10", 1)]
)
def test_8_23_iii_seasonal_reaches_are_navigable_from_november_to_february(month, rolls):
    state = position("2617: gunboat", month=month)
    outcome = sail(state, "2617", "gunboat", (2517,), [1] * rolls)
    assert len(wreck_rolls(outcome)) == rolls


def test_8_23_iii_out_of_season_boats_go_upstream_as_on_unnavigable_water():
    state = position("2517: boat", month="1884-06")
    outcome = sail(state, "2517", "boat", (2617,), [2, 1, 1])
    assert outcome.rolls[0].total == 8
    state = position("2517: boat", month="1884-12")
    outcome = sail(state, "2517", "boat", (2617,), [2, 2])
    assert outcome.rolls[0].total == 10


# IV. cataracts


def test_8_23_iv_all_craft_stop_beside_a_cataract_and_roll():
    state = position("Dongola: gunboat, boat", month="1884-12")
    outcome = sail(state, "Dongola", "gunboat, boat", DOWN_FROM_DONGOLA, [5, 6, 5])
    assert [len(roll.dice) for roll in wreck_rolls(outcome)] == [1, 2]


def test_8_23_iv_who_is_not_wrecked_goes_on():
    state = position("Dongola: gunboat", month="1884-12")
    outcome = sail(state, "Dongola", "gunboat", (*DOWN_FROM_DONGOLA, 415, 414), [5])
    assert len(wreck_rolls(outcome)) == 1
    assert state.march.route[-1] == 414


def test_8_23_iv_a_wrecked_gunboat_goes_no_further():
    state = position("Dongola: gunboat", month="1884-12")
    sail(state, "Dongola", "gunboat", (*DOWN_FROM_DONGOLA, 415, 414), [6, 1, 2])
    assert not state.units
    assert due(state).month == month_from_text("1885-03")


def test_8_23_iv_cataracts_have_a_number_and_rapids_stop_nobody():
    side = {one.cataract: one.hexes[0] for one in sudan().sides.values() if one.cataract}
    numbered = {name for name, there in side.items() if sudan().cataract_at(there) == name}
    assert {sudan().cataracts[name].number for name in numbered} == {2, 3, 4, 5, 6}
    assert len(numbered) == 5


def test_8_23_iv_passengers_of_a_wrecked_hull_stop_beside_the_cataract():
    state = position("Dongola: infantry british, gunboat", month="1884-12")
    sail(state, "Dongola", "infantry british, gunboat", (*DOWN_FROM_DONGOLA, 415, 414), [6, 1, 2])
    assert count(state, "0516", "infantry british 3V") == 1


def test_8_23_ii_a_leader_whose_hull_is_wrecked_is_put_ashore():
    state = position("1722: Wolseley, gunboat", month="1884-12")
    sail(state, "1722", "Wolseley, gunboat", [1723], dice=[6, 1, 2])
    assert ids(state, "1723", "Wolseley")


def test_8_23_iv_the_hulls_left_carry_whom_their_owner_chooses_further():
    state = position("Dongola: 2 infantry british, 2 gunboats", month="1884-12")
    sail(
        state,
        "Dongola",
        "2 infantry british, 2 gunboats",
        (*DOWN_FROM_DONGOLA, 415, 414),
        [6, 1, 2, 3],
    )
    ashore = ids(state, "0516", "infantry british")
    assert isinstance(state.question, q.ToChooseUnits)
    play(state, a.Pick(ashore))
    assert count(state, "0516", "infantry british 3V") == 1
    assert count(state, "0414", "infantry british 3V") == 1
    assert count(state, "0414", "gunboat") == 1


def test_8_23_iv_a_cataract_comes_on_top_of_the_class_of_the_river():
    state = position("1921: gunboat")
    outcome = sail(state, "1921", "gunboat", (1821, 1722), [1, 1])
    assert len(wreck_rolls(outcome)) == 2


def test_8_23_iv_voyageurs_make_one_roll_that_wrecks_boats_again():
    state = position("Dongola: 2 boats", month="1884-12")
    state.in_force.append(InForce(Side.EGYPTIAN, RerollWreck(kind=TroopKind.BOAT), "Voyageurs"))
    outcome = sail(state, "Dongola", "2 boats", DOWN_FROM_DONGOLA, [6, 6, 2, 3, 6, 6])
    assert len(only(outcome, e.Wrecked)) == 1


# V. combined movement


def test_8_23_v_dice_are_counted_from_the_first_hex_of_each_class():
    state = position("1425: boat", month="1884-06")
    path = (1525, 1524, 1623, 1723, 1722)
    outcome = sail(state, "1425", "boat", path, [1, 1, 1, 2, 2])
    first, second = [roll for roll in outcome.rolls if roll.table == "rivers"]
    assert (first.total, second.total) == (8, 7)
    assert state.march.route[-1] == 1722


def test_8_23_the_voyages_offered_are_those_that_are_allowed():
    state = position("Khartoum: gunboat egyptian", "1944: spears")
    hull = ids(state, "Khartoum")
    for way in list(voyages(state, hex_of("Khartoum")).values())[::7]:
        rules.check(state, a.Sail(hull, way))
    assert 1945 not in {to for to, way in voyages(state, hex_of("Khartoum")).items() if 1944 in way}
