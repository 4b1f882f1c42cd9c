"""8.1, 8.2, 8.21: movement points, terrain, rivers crossed and guarded."""

import pytest

from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.map import sudan
from campaign.rules.tables.book import book
from tests.positions import OPEN, hex_of, position
from tests.rules.helpers import go, ids, march, offered, one, only, play, refused, said, there

CROSSED = 1 + book().number("river.crossing")
"""Points to enter a flat hex across a river."""

HILL = "0458"
"""A hill beside El Obeid, in open country."""

MOUNTAIN = "0662"
"""A mountain of Kordofan, with open country to the north-east of it."""


def points(state):
    return state.march.points


def spent(outcome):
    return sum(event.cost for event in only(outcome, e.Moved))


def test_8_2_clear_desert_and_cultivated_hexes_cost_one():
    for start, end in ((OPEN, "0640"), ("El Obeid", "0257"), ("Khartoum", "2043")):
        state = position(f"{start}: infantry british")
        march(state, start)
        assert spent(go(state, end)) == 1


def test_8_21_hill_costs_two():
    state = position("El Obeid: infantry british")
    march(state, "El Obeid")
    assert spent(go(state, HILL)) == 2


def test_8_21_mountain_costs_three():
    state = position("0762: infantry british")
    march(state, "0762")
    assert spent(go(state, MOUNTAIN)) == 3


def test_8_2_hexes_may_not_be_skipped():
    state = position(f"{OPEN}: infantry british")
    march(state, OPEN)
    refusal = refused(state, a.Move((hex_of("0639"),)), "8.2")
    assert "skipped" in refusal.remedy


def test_8_2_no_unit_enters_a_hex_with_too_few_points():
    state = position("0762: gun disrupted")
    march(state, "0762")
    assert points(state) == 2
    refusal = refused(state, a.Move((hex_of(MOUNTAIN),)), "8.2")
    assert "3 movement points" in refusal.reason


def test_8_2_the_way_is_paid_for_hex_by_hex_and_what_is_left_can_be_spent_later():
    state = position(f"{OPEN}: infantry british")
    march(state, OPEN)
    go(state, "0640", "0639")
    assert points(state) == 4
    go(state, "0638")
    assert points(state) == 3
    assert there(state, 1) == hex_of("0638")


def test_8_2_sea_hexes_may_not_be_entered():
    state = position("Souakim: infantry british")
    march(state, "Souakim", dice=[6])
    refusal = refused(state, a.Move((hex_of("5519"),)), "8.2")
    assert "sea" in refusal.reason


def test_8_2_land_closed_to_play_may_not_be_entered():
    ground = sudan()
    here, closed = next(
        (one.id, near)
        for one in ground.hexes.values()
        for near in ground.neighbours[one.id]
        if not one.closed and not one.sea and ground.hexes[near].closed
    )
    state = position(f"{here:04d}: infantry british")
    march(state, here)
    assert "closed" in refused(state, a.Move((closed,)), "8.2").reason


def test_8_2_a_hex_held_by_the_enemy_is_not_entered():
    state = position(f"{OPEN}: infantry british", "0640: spears")
    march(state, OPEN)
    refusal = refused(state, a.Move((hex_of("0640"),)), "8.2")
    assert "9.1" in refusal.remedy


def test_8_1_points_are_not_kept_for_the_next_march():
    state = position(f"{OPEN}: infantry british")
    march(state, OPEN)
    go(state, "0640")
    march(state, "0640")
    assert points(state) == 6


def test_8_1_a_stack_that_let_another_march_is_finished():
    state = position(f"{OPEN}: infantry british", "El Obeid: infantry british")
    march(state, OPEN)
    go(state, "0640")
    refused(state, a.March(ids(state, "El Obeid")), "8.1")
    play(state, a.Halt())
    march(state, "El Obeid")
    play(state, a.Halt())
    refused(state, a.March(ids(state, "0640")), "8.3")


def test_8_21_a_river_hexside_costs_more():
    state = position("2043: infantry egyptian L")
    march(state, "2043")
    assert spent(go(state, "1943")) == CROSSED
    refusal = refused(state, a.Move((hex_of("2043"),)), "8.2")
    assert f"{CROSSED} movement points" in refusal.reason


@pytest.mark.parametrize("moored", ["2043", "1943"])
@pytest.mark.parametrize("craft", ["boat egyptian", "gunboat egyptian"])
def test_8_21_a_friendly_craft_where_the_stack_comes_from_or_goes_to_waives_the_cost(moored, craft):
    state = position("2043: infantry egyptian L", f"{moored}: {craft}")
    march(state, "2043", "infantry egyptian L")
    assert spent(go(state, "1943")) == 1


def test_8_21_a_craft_further_off_waives_nothing():
    state = position("2043: infantry egyptian L", "Khartoum: boat egyptian")
    march(state, "2043")
    assert spent(go(state, "1943")) == CROSSED


def test_8_21_an_enemy_boat_waives_nothing_and_guards_nothing():
    state = position("2043: infantry egyptian L", "1944: boat mahdist")
    march(state, "2043")
    assert spent(go(state, "1943")) == CROSSED


@pytest.mark.parametrize("moored", ["Khartoum", "1944", "1943"])
def test_8_21_an_enemy_gunboat_beside_either_hex_bars_the_crossing(moored):
    state = position("2043: 2 spears", f"{moored}: gunboat egyptian", side="mahdist")
    march(state, "2043", "2 spears")
    refusal = refused(state, a.Move((hex_of("1943"),)), "8.2")
    assert "8.21" in refusal.reason


def test_8_21_a_gunboat_two_hexes_from_both_banks_does_not_bar_the_crossing():
    state = position("2045: 2 spears", "Khartoum: gunboat egyptian", side="mahdist")
    here = hex_of("2045")
    far = next(
        near
        for near in sudan().neighbours[here]
        if (here, near) in sudan().sides and sudan().distance(near, hex_of("Khartoum")) > 1
    )
    march(state, "2045")
    assert spent(go(state, far)) == CROSSED


def test_8_21_a_friendly_boat_does_not_open_a_guarded_crossing():
    state = position("2043: 2 spears, boat mahdist", "Khartoum: gunboat egyptian", side="mahdist")
    march(state, "2043", "2 spears")
    refused(state, a.Move((hex_of("1943"),)), "8.2")


def test_8_21_a_gunboat_does_not_hinder_movement_along_its_own_bank():
    state = position("2043: 2 spears", "1943: gunboat egyptian", side="mahdist")
    march(state, "2043")
    assert spent(go(state, "2044")) == 1


@pytest.mark.parametrize(
    ("unit", "allowance"),
    [
        ("infantry egyptian L", 6),
        ("spears egyptian", 6),
        ("cavalry", 8),
        ("camel corps", 8),
        ("gun", 5),
        ("engineers", 6),
        ("naval infantry", 6),
        ("supply", 4),
        ("camel", 8),
        ("civilians", 4),
        ("Baker", 8),
        ("infantry egyptian L disrupted", 3),
        ("gun disrupted", 2),
        ("camel disrupted", 4),
    ],
)
def test_8_31_movement_points_of_the_egyptian_players_pieces(unit, allowance):
    state = position(f"{OPEN}: {unit}")
    march(state, OPEN)
    assert points(state) == allowance


@pytest.mark.parametrize(
    ("unit", "allowance"),
    [
        ("spears", 7),
        ("rifles mahdist", 6),
        ("cavalry mahdist", 9),
        ("gun mahdist", 5),
        ("Mahdi", 8),
        ("spears disrupted", 3),
        ("cavalry mahdist disrupted", 4),
    ],
)
def test_8_31_movement_points_of_the_mahdists_pieces(unit, allowance):
    state = position(f"{OPEN}: {unit}", side="mahdist")
    march(state, OPEN)
    assert points(state) == allowance


def test_8_31_the_slowest_unit_sets_the_pace_even_when_it_is_dropped_off():
    state = position(f"{OPEN}: cavalry, infantry egyptian L, gun")
    march(state, OPEN)
    assert points(state) == 5
    play(state, a.DropOff((one(state, OPEN, "gun"),)))
    assert points(state) == 5


def test_8_24_supply_carried_by_a_camel_moves_as_the_camel():
    state = position(f"{OPEN}: supply, camel")
    march(state, OPEN)
    assert points(state) == 8


def test_8_24_one_camel_carries_one_supply_unit():
    state = position(f"{OPEN}: 2 supply, camel")
    march(state, OPEN)
    assert points(state) == 4


def test_8_2_the_reach_that_is_offered_costs_what_the_way_costs():
    state = position("2043: infantry egyptian L, boat egyptian", "2142: 3 spears")
    march(state, "2043", "infantry egyptian L")
    choice = offered(state)
    far = max(choice.reach.costs, key=lambda hex_id: choice.reach.costs[hex_id])
    outcome = go(state, *choice.reach.path(far))
    assert spent(outcome) == choice.reach.costs[far]


def test_8_2_a_stack_stops_in_a_place_that_changes_hands_and_goes_on_with_what_is_left():
    state = position("0057: 2 spears", side="mahdist", held={"El Obeid": "egyptian"})
    state = position("0257: 2 spears", side="mahdist", held={"El Obeid": "egyptian"})
    march(state, "0257")
    outcome = go(state, "El Obeid", "0457", dice=[1])
    assert said(outcome)[:3] == ["Moved", "ControlChanged", "Arrived"]
    assert there(state, 1) == hex_of("El Obeid")
    assert points(state) == 6
    go(state, "0457")
    assert there(state, 1) == hex_of("0457")


@pytest.mark.parametrize("ban", ["Abou Hamed", "Korti", "Wady Halfa"])
def test_2_2_no_mahdist_comes_beside_the_nile_below_abou_hamed(ban):
    near = next(
        hex_id
        for hex_id in sudan().within(hex_of(ban), 3)
        if not sudan().river_at(hex_id) and not sudan().hexes[hex_id].closed
    )
    state = position(f"{near:04d}: 2 spears", scenario="relief-of-el-obeid", side="mahdist")
    march(state, near)
    choice = offered(state)
    first = sudan().ordinals(hex_of("Abou Hamed"), "nile")[0]
    below = {
        hex_id
        for hex_id in sudan().river_hexes["nile"]
        if sudan().ordinals(hex_id, "nile")[1] >= first
    }
    assert min(sudan().distance(near, hex_id) for hex_id in below) <= 3
    assert not below & set(choice.reach.costs)


def test_2_2_the_ban_does_not_hold_in_the_siege_of_khartoum():
    state = position("2615: 2 spears", side="mahdist", held={"Abou Hamed": "mahdist"})
    march(state, "2615")
    go(state, "Abou Hamed")
    assert there(state, 1) == hex_of("Abou Hamed")
