"""9.12: what is besieged, what that forbids, and how a siege is broken."""

import pytest

from battles.contract.brief import Side
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.map import sudan
from tests.positions import OPEN, besieged_khartoum, hex_of, position
from tests.rules.helpers import (
    changed_by,
    count,
    fight,
    go,
    happen,
    ids,
    march,
    offered,
    only,
    play,
    refused,
    rolls_of,
    there,
)

SAFE = (6, 6)


def is_besieged(state, place, side=Side.EGYPTIAN):
    return board(state).besieged(side, hex_of(place))


@pytest.mark.parametrize("place", ["El Obeid", "Duem", "Abu Klea Wells"])
def test_9_12_a_town_village_or_oasis_is_besieged_by_one_enemy_beside_it(place):
    near = next(
        hex_id for hex_id in sudan().neighbours[hex_of(place)] if not sudan().hexes[hex_id].places
    )
    assert is_besieged(position(f"{place}: infantry british", f"{near:04d}: spears"), place)
    assert not is_besieged(position(f"{place}: infantry british"), place)


def test_9_12_an_enemy_two_hexes_away_besieges_nothing():
    state = position("El Obeid: infantry british", "0356: spears")
    assert not is_besieged(state, "El Obeid")


@pytest.mark.parametrize("enemy", ["Mahdi", "boat mahdist", "gunboat mahdist"])
def test_9_12_only_a_fighting_land_unit_besieges(enemy):
    state = position("Khartoum: infantry egyptian L", f"2043: {enemy}")
    assert not is_besieged(state, "Khartoum")


def test_9_12_a_disrupted_enemy_besieges_but_10_3_has_him_starve_nobody():
    state = position("Khartoum: infantry egyptian L", "2043: spears disrupted", phase="attrition")
    assert is_besieged(state, "Khartoum")
    assert not board(state).starved(Side.EGYPTIAN, hex_of("Khartoum"))
    assert not happen(state, "attrition").rolls


@pytest.mark.parametrize("enemy", ["supply", "camel", "civilians"])
def test_9_12_train_and_civilians_besiege_nothing(enemy):
    state = position("El Obeid: spears", f"0357: {enemy}")
    assert not is_besieged(state, "El Obeid", Side.MAHDIST)


def test_9_12_an_enemy_over_the_river_besieges_too():
    state = position("Khartoum: infantry egyptian L", "2143: spears")
    assert (2042, 2143) in sudan().sides
    assert is_besieged(state, "Khartoum")


def test_9_12_units_under_siege_do_not_march_out():
    state = besieged_khartoum()
    march(state, "Khartoum", "3 infantry egyptian L", dice=[5])
    for way in ("1943", "Omdurman", "2043"):
        refused(state, a.Move((hex_of(way),)), "9.12")
    assert set(offered(state).reach.costs) == {hex_of("Khartoum")}


def test_9_12_units_under_siege_do_not_leave_by_river():
    state = besieged_khartoum()
    boat = ids(state, "Khartoum", "gunboat egyptian, infantry egyptian L")
    refused(state, a.Sail(boat, (hex_of("1943"),)), "9.12")


def test_9_12_a_gunboat_with_nobody_but_leaders_aboard_slips_out():
    state = besieged_khartoum()
    crew = ids(state, "Khartoum", "gunboat egyptian, J. Stewart")
    play(state, a.Sail(crew, (hex_of("1943"),)))
    assert there(state, crew[1]) == hex_of("1943")


def test_9_12_units_under_siege_do_not_leave_by_rail():
    state = position("Wady Halfa: infantry british", "1302: spears")
    refused(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")), "8.22")


def test_9_12_units_under_siege_do_not_leave_by_sea():
    state = position("Souakim: infantry british, fleet", "5418: spears", month="1884-02")
    march(state, "Souakim")
    refused(state, a.Move((hex_of("Trinkitat"),)), "9.12")
    assert not offered(state).reach.before


def test_9_12_no_friend_enters_a_besieged_place_that_is_garrisoned():
    state = position("El Obeid: infantry british", "0257: spears", "0459: 2 infantry egyptian L")
    march(state, "0459")
    assert hex_of("El Obeid") not in offered(state).reach.costs
    refused(state, a.Move((hex_of("0458"), hex_of("El Obeid"))), "8.2")


def test_9_12_no_friend_passes_through_a_besieged_place():
    state = position("El Obeid: infantry british", "0257: spears", "0458: 2 infantry egyptian L")
    march(state, "0458")
    refused(state, a.Move((hex_of("El Obeid"), hex_of("0357"))), "8.2")


def test_9_12_no_friend_enters_by_river_or_rail():
    state = position(
        "Khartoum: infantry egyptian L", "2143: spears", "1943: infantry egyptian L, boat egyptian"
    )
    refused(state, a.Sail(ids(state, "1943"), (hex_of("Khartoum"),)), "9.12")
    state = position("Sarras: infantry british", "1104: spears", "Wady Halfa: infantry british")
    refused(state, a.Rail(ids(state, "Wady Halfa"), hex_of("Sarras")), "8.22")


def test_9_12_nor_do_boats_with_land_units_aboard_pass_a_besieged_garrison():
    state = position(
        "Khartoum: infantry egyptian L", "2143: spears", "1943: infantry egyptian L, boat egyptian"
    )
    way = (hex_of("Khartoum"), hex_of("2041"))
    refused(state, a.Sail(ids(state, "1943"), way), "9.12")
    play(state, a.Sail(ids(state, "1943", "boat egyptian"), way))


def test_9_12_a_sortie_attacks_a_besieger():
    state = position("Khartoum: 8 infantry egyptian L", "2043: 2 spears")
    march(state, "Khartoum")
    outcome = fight(state, "2043", [2, 2, *SAFE, *SAFE])
    assert only(outcome, e.CombatBegan)[0].sortie
    assert only(outcome, e.CombatEnded)[0].winner is Side.EGYPTIAN


def test_9_12_a_sortie_reaches_a_besieger_over_the_river():
    state = position("Khartoum: 8 infantry egyptian L", "2143: 2 spears")
    march(state, "Khartoum")
    fight(state, "2143", [2, 2, *SAFE, *SAFE])


def test_9_12_in_a_sortie_the_ground_helps_neither_side():
    state = position("El Obeid: 8 infantry egyptian L", "0458: 4 spears")
    march(state, "El Obeid")
    outcome = fight(state, "0458", [*SAFE] * 3)
    assert changed_by(rolls_of(outcome, "mahdist")[0]) == -1


def test_9_12_without_a_siege_the_ground_helps_as_ever():
    state = position("0457: 5 infantry egyptian L", "0458: 4 spears")
    march(state, "0457")
    outcome = fight(state, "0458", [*SAFE] * 3)
    assert changed_by(rolls_of(outcome, "mahdist")[0]) == 1


def test_9_12_who_comes_to_a_place_and_attacks_from_it_makes_no_sortie():
    state = position("0457: 5 infantry egyptian L", "0458: 4 spears", held={"El Obeid": "egyptian"})
    march(state, "0457")
    go(state, "El Obeid")
    assert is_besieged(state, "El Obeid")
    outcome = fight(state, "0458", [*SAFE] * 3)
    assert not only(outcome, e.CombatBegan)[0].sortie
    assert changed_by(rolls_of(outcome, "mahdist")[0]) == 1


def test_9_12_nor_over_the_river():
    held = {"Khartoum": "egyptian"}
    state = position("2141: 8 infantry egyptian L, gunboat", "2143: 2 spears", held=held)
    march(state, "2141", "8 infantry egyptian L")
    go(state, "2041", "Khartoum")
    assert is_besieged(state, "Khartoum")
    assert not offered(state).targets


def test_9_12_besiegers_beaten_in_a_sortie_go_back_from_where_they_stand():
    state = position("El Obeid: 12 infantry british", "0458: 4 spears")
    march(state, "El Obeid")
    fight(state, "0458", [2, 5, *SAFE, *SAFE])
    assert isinstance(state.question, q.ToRetreat)
    assert state.question.hex == hex_of("0458")
    play(state, a.Retreat((hex_of("0559"),)))
    assert ids(state, "0559")


def test_9_12_a_stack_that_has_driven_every_besieger_away_may_move_on():
    state = position("El Obeid: 12 infantry british", "0458: 4 spears", "0257: 4 spears")
    march(state, "El Obeid")
    fight(state, "0458", [2, 5, *SAFE, *SAFE])
    play(state, a.Retreat((hex_of("0559"),)))
    refused(state, a.Move((hex_of("0357"),)), "9.12")
    fight(state, "0257", [2, 5, *SAFE, *SAFE])
    play(state, a.Retreat((hex_of("0256"),)))
    go(state, "0357")
    assert there(state, ids(state, "0357")[0]) == hex_of("0357")


def test_9_12_besiegers_that_are_all_disrupted_have_to_be_driven_away_too():
    state = position("El Obeid: 12 infantry british", "0458: 4 spears disrupted")
    march(state, "El Obeid")
    refused(state, a.Move((hex_of("0357"),)), "9.12")
    assert hex_of("0458") in offered(state).targets


def test_9_12_nobody_comes_in_past_besiegers_that_are_all_disrupted():
    state = position(
        "El Obeid: infantry british", "0257: spears disrupted", "0459: infantry egyptian L"
    )
    march(state, "0459")
    refused(state, a.Move((hex_of("0458"), hex_of("El Obeid"))), "8.2")


@pytest.mark.parametrize("order", ["", " disrupted"])
def test_9_12_disrupted_attackers_take_a_town_no_defences(order):
    """Handub's wells and Souakim besiege each other: whatever order its men are in, no sortie."""
    state = position(f"Handub: 6 spears{order}", "Souakim: 6 infantry egyptian L", side="mahdist")
    march(state, "Handub")
    outcome = fight(state, "Souakim", [*SAFE] * 3)
    assert not only(outcome, e.CombatBegan)[0].sortie
    assert 2 in [one.value for one in rolls_of(outcome, "egyptian")[-1].modifiers]


def test_9_12_relievers_from_outside_fight_their_own_combat():
    state = position(
        "El Obeid: 4 infantry egyptian L", "0458: 4 spears", "0559: 12 infantry british"
    )
    march(state, "0559")
    outcome = fight(state, "0458", [2, 5, *SAFE, *SAFE])
    began = only(outcome, e.CombatBegan)[0]
    assert not began.sortie
    assert len(began.attacking) == 12


def test_9_12_a_relieved_place_may_be_entered():
    state = position(
        "El Obeid: 4 infantry egyptian L", "0458: 4 spears", "0559: 12 infantry british"
    )
    march(state, "0559")
    fight(state, "0458", [2, 5, *SAFE, *SAFE])
    play(state, a.Retreat((hex_of("0459"),)))
    assert not is_besieged(state, "El Obeid")
    go(state, "0458", "El Obeid")
    assert count(state, "El Obeid", "infantry british") == 12


def test_9_12_the_besiegers_storm_as_in_any_combat():
    state = besieged_khartoum(side="mahdist")
    march(state, "2043")
    assert hex_of("Khartoum") in offered(state).targets


def test_9_12_besieged_units_read_their_own_line_of_the_attrition_table():
    state = position("El Obeid: 3 infantry egyptian L", "0458: 4 spears", phase="attrition")
    outcome = happen(state, "attrition", [1])
    assert outcome.rolls[0].table == "attrition:besieged"


def test_9_12_an_empty_place_is_closed_to_nobody():
    state = position("0457: infantry egyptian L", "0257: spears", held={"El Obeid": "egyptian"})
    march(state, "0457")
    go(state, "El Obeid")
    assert is_besieged(state, "El Obeid")


def test_9_12_open_country_is_never_besieged():
    state = position(f"{OPEN}: infantry british", "0640: spears")
    assert not is_besieged(state, OPEN)
    march(state, OPEN)
    go(state, "0642")


def test_9_12_who_marches_into_a_place_beside_the_enemy_is_under_siege_there():
    """In one move as in two: El Obeid is empty, and a good-order enemy stands beside it."""
    held = {"El Obeid": "egyptian"}
    state = position("0359: infantry british", "0257: 4 spears", held=held)
    march(state, "0359")
    assert hex_of("El Obeid") in offered(state).reach.costs
    assert offered(state).reach.costs[hex_of("0357")] > 2
    refused(state, a.Move((hex_of("El Obeid"), hex_of("0357"))), "9.12")
    go(state, "El Obeid")
    refused(state, a.Move((hex_of("0357"),)), "9.12")


def test_9_12_the_beaten_may_go_back_through_a_place_beside_the_enemy():
    state = position(
        "0459: 20 spears",
        "0359: 4 infantry egyptian R",
        "0257: spears",
        side="mahdist",
        held={"El Obeid": "egyptian"},
    )
    march(state, "0459")
    fight(state, "0359", [*SAFE, 6, 6, 5, 5])
    assert isinstance(state.question, q.ToRetreat)
    assert offered(state).reach.costs[hex_of("0357")] == 2
