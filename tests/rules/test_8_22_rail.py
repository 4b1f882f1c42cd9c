"""3.4, 3.41, 8.22: building railways and going by them."""

import pytest

from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.map import HexId
from campaign.rules.railways import line_building, lines, railway_hexes
from tests.positions import hex_of, position
from tests.rules.helpers import (
    go,
    happen,
    has,
    ids,
    march,
    offered,
    one,
    only,
    play,
    refused,
    there,
)

BUILT = (HexId(1201), HexId(1102), HexId(1103), HexId(1003))


def building(*stacks, line="souakim", hexes=1, month="1885-01", **more):
    """A reinforcement phase in which the railhead stands so many hexes along a line."""
    state = position(*stacks, phase="reinforcement", month=month, **more)
    state.flags.append("railway may begin")
    state.railheads[line] = hexes
    return state


def rail_roll(outcome):
    (roll,) = [roll for roll in outcome.rolls if roll.table == "railway"]
    return roll


# 8.22: travelling


def test_8_22_any_number_of_hexes_for_one_march_and_no_roll():
    state = position("Wady Halfa: 3 infantry british, gun british")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))
    assert state.march.marches == 1
    assert there(state, 1) == hex_of("Sarras")


def test_8_3_a_train_drops_units_off_at_the_stations_it_passes():
    state = position("Wady Halfa: 3 infantry british")
    first, second, third = ids(state, "Wady Halfa")
    landings = (a.Landing((first,), BUILT[1]), a.Landing((second,), BUILT[2]))
    outcome = play(state, a.Rail((first, second, third), BUILT[3], landings))
    assert [there(state, unit) for unit in (first, second, third)] == list(BUILT[1:])
    assert [event.onward for event in only(outcome, e.WentByRail)] == [False, True, True]
    assert state.march.marches == 1
    assert state.march.units == [third]
    play(state, a.Halt())
    refused(state, a.Rail((first,), BUILT[0]), "8.3")


@pytest.mark.parametrize(
    ("left", "hex_id"), [((), BUILT[1]), ((1,), 641), ((9,), BUILT[1]), ((1, 2), BUILT[1])]
)
def test_8_3_units_leave_the_train_on_its_way_and_somebody_goes_on(left, hex_id):
    state = position("Wady Halfa: 2 infantry british", "Korti: 7 infantry british")
    stack = ids(state, "Wady Halfa")
    refused(state, a.Rail(stack, BUILT[3], (a.Landing(left, hex_id),)), "8.3")


def test_8_22_everything_travels_camels_boats_and_civilians_too():
    state = position(
        "Wady Halfa: civilians, supply, camel, 2 boats, gunboat british, Wolseley, cavalry"
    )
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Gemai")))
    assert len(ids(state, "Gemai")) == 8


def test_8_22_stacks_of_any_size_travel_together():
    state = position("Wady Halfa: 30 infantry british")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))


def test_8_22_a_stack_may_march_on_from_where_the_train_stops():
    state = position("Wady Halfa: 3 infantry british")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))
    march(state, "Sarras")
    go(state, "1004")
    assert state.march.marches == 2


def test_8_22_units_that_came_together_go_on_as_one_stack_but_may_be_dropped_off():
    state = position("Wady Halfa: 3 infantry british")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))
    refused(state, a.March(ids(state, "Sarras", "infantry british")), "8.1")
    play(state, a.DropOff(ids(state, "Sarras", "infantry british")))
    march_on = tuple(state.march.units)
    play(state, a.March(march_on), [6])


def test_8_22_a_journey_by_rail_counts_towards_three_marches():
    state = position("Wady Halfa: 3 infantry british")
    for stop in ("Sarras", "Wady Halfa", "Gemai"):
        play(state, a.Rail(ids(state, state.units[1].hex), hex_of(stop)))
    assert state.march is None
    refused(state, a.Rail(ids(state, "Gemai"), hex_of("Sarras")), "8.3")


def test_8_22_only_along_built_railway_hexes():
    state = position("Sarras: infantry british")
    refused(state, a.Rail(ids(state, "Sarras"), hex_of("1104")), "8.22")
    refused(state, a.Rail(ids(state, "Sarras"), hex_of("1203")), "8.22")
    assert railway_hexes(state) == frozenset(BUILT)


def test_8_22_not_from_beside_the_line():
    state = position("1302: infantry british")
    refused(state, a.Rail(ids(state, "1302"), hex_of("Sarras")), "8.22")


def test_8_22_not_through_a_hex_the_enemy_holds():
    state = position("Wady Halfa: infantry british disrupted", "1103: spears disrupted")
    refused(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")), "8.22")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("1102")))


def test_8_22_hills_on_the_line_cost_nothing():
    state = position("Wady Halfa: gun disrupted")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))


def test_8_22_mahdists_go_by_rail_as_well_but_not_through_their_enemies():
    held = {"Gemai": "mahdist", "Sarras": "mahdist"}
    state = position("Wady Halfa: 2 spears", side="mahdist", held=held)
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))
    assert state.march.marches == 1
    state = position("Wady Halfa: spears", "1103: camel", side="mahdist", held=held)
    refused(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")), "8.22")


def test_8_22_the_fleet_does_not_travel_by_rail():
    state = building("Souakim: infantry british, fleet", hexes=5, side="egyptian")
    state.question = q.ToMarch(state.side)
    refused(state, a.Rail(ids(state, "Souakim"), hex_of("Handub")), "8.25")
    play(state, a.Rail(ids(state, "Souakim", "infantry british"), hex_of("Handub")))


def test_8_22_the_stations_offered_are_those_that_are_allowed():
    state = position("Wady Halfa: infantry british")
    march(state, "Wady Halfa")
    assert set(offered(state).stations) == set(BUILT) - {1201}


def test_8_22_a_place_entered_by_rail_changes_hands():
    state = position("Wady Halfa: infantry british", held={"Sarras": "mahdist"})
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")))
    assert state.control[hex_of("Sarras")] == "egyptian"


# 3.4, 3.41: building


def test_3_4_the_line_from_wady_halfa_to_sarras_is_built_from_the_start():
    assert railway_hexes(rules.new_game("siege-of-khartoum")) == frozenset(BUILT)


def test_3_41_nothing_is_built_before_the_second_field_force_was_called():
    state = position("Souakim: infantry british", phase="reinforcement", month="1885-01")
    outcome = happen(state, "reinforcement")
    assert not [roll for roll in outcome.rolls if roll.table == "railway"]


@pytest.mark.parametrize(("place", "line"), [("Souakim", "souakim"), ("Sarras", "sarras")])
def test_3_41_the_railhead_is_placed_in_souakim_or_sarras_as_the_player_chooses(place, line):
    state = position("Souakim: infantry british", phase="reinforcement", month="1885-01")
    state.flags.append("railway may begin")
    happen(state, "reinforcement")
    assert set(state.question.choices) == {hex_of("Souakim"), hex_of("Sarras")}
    refused(state, a.Choose(hex_of("Berber")), "3.41")
    play(state, a.Choose(hex_of(place)), [4])
    assert line_building(state) == line


def test_3_41_once_placed_it_is_not_placed_again():
    state = building("Souakim: infantry british", hexes=3)
    happen(state, "reinforcement", [1])
    assert isinstance(state.question, q.ToReinforce)


@pytest.mark.parametrize(("die", "laid"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_3_41_hexes_built_by_the_die(die, laid):
    state = building("Souakim: infantry british", hexes=20)
    happen(state, "reinforcement", [die])
    assert state.railheads["souakim"] == 20 + laid


def test_3_41_a_roll_under_one_builds_nothing():
    state = building("Souakim: infantry british", "5321: Osman Digma, spears", hexes=3)
    outcome = happen(state, "reinforcement", [1])
    assert rail_roll(outcome).total == -1
    assert state.railheads["souakim"] == 3
    assert not only(outcome, e.RailBuilt)


def test_3_41_minus_one_with_osman_and_the_railhead_both_on_the_extension():
    state = building("Souakim: infantry british", "5321: Osman Digma, spears", hexes=1)
    assert has(rail_roll(happen(state, "reinforcement", [4])), "railway.osman")
    state = building("Souakim: infantry british", "El Obeid: Osman Digma, spears", hexes=1)
    assert not has(rail_roll(happen(state, "reinforcement", [4])), "railway.osman")
    state = building("Souakim: infantry british", "5321: Osman Digma, spears", line="sarras")
    assert not has(rail_roll(happen(state, "reinforcement", [4])), "railway.osman")


def test_3_41_minus_one_with_the_railhead_in_a_hill_hex():
    state = building("Souakim: infantry british", hexes=3)
    assert has(rail_roll(happen(state, "reinforcement", [4])), "railway.hill")
    state = building("Souakim: infantry british", hexes=1)
    assert not has(rail_roll(happen(state, "reinforcement", [4])), "railway.hill")


@pytest.mark.parametrize("where", ["5418", "5319"])
def test_3_4_no_building_with_a_mahdist_on_the_line_or_the_railhead(where):
    state = building("Souakim: infantry british", f"{where}: spears", hexes=3)
    outcome = happen(state, "reinforcement")
    assert not outcome.rolls
    assert railway_hexes(state) >= {5418, 5319}


def test_3_4_a_mahdist_leader_alone_on_the_line_is_a_unit_too():
    state = building("Souakim: infantry british", "Handub: Osman Digma", hexes=4)
    assert not happen(state, "reinforcement").rolls


def test_3_4_mahdists_on_the_track_ahead_do_not_hinder():
    state = building("Souakim: infantry british", "5219: spears", hexes=3)
    happen(state, "reinforcement", [4])
    assert state.railheads["souakim"] == 5


def test_3_4_a_mahdist_on_the_built_line_behind_sarras_stops_the_building_from_there():
    state = building("Sarras: infantry british", "Gemai: spears", line="sarras")
    assert not happen(state, "reinforcement").rolls


def test_3_4_the_line_follows_the_printed_track_and_ends_at_berber():
    state = building("Souakim: infantry british", hexes=26)
    track = lines(state)["souakim"]
    assert track[0] == hex_of("Souakim")
    assert track[-1] == hex_of("Berber")
    happen(state, "reinforcement", [6])
    assert state.railheads["souakim"] == len(track) == 27
    assert not happen(state, "reinforcement").rolls


def test_3_41_trains_run_on_what_has_been_built():
    state = building("Souakim: infantry british", hexes=5)
    state.question = q.ToMarch(state.side)
    refused(state, a.Rail(ids(state, "Souakim"), hex_of("5120")), "8.22")
    play(state, a.Rail(ids(state, "Souakim"), hex_of("5219")))
    assert there(state, one(state, "5219", "infantry british")) == 5219


def test_8_25_a_train_to_the_harbour_is_no_march_to_sail_with():
    state = building(
        "Handub: infantry british", "Souakim: fleet, infantry egyptian L", hexes=5, side="egyptian"
    )
    state.question = q.ToMarch(state.side)
    play(state, a.Rail(ids(state, "Handub"), hex_of("Souakim")))
    refused(state, a.Move((hex_of("Trinkitat"),)), "8.2")
