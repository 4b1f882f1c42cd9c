"""6.0, 6.1, 7.0, 7.2: stacks, craft driven away and captured, leaders and their end."""

import pytest

from battles.contract.brief import Side
from campaign.rules import umpire_rulings
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from tests.positions import OPEN, RELIEF, hex_of, position
from tests.rules.helpers import (
    by_river,
    count,
    fight,
    go,
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

SAFE = (6, 6)


def driven(*craft, side="mahdist", others=(), hunter="2 spears"):
    """Land units have entered the hex of these craft, whose owner is asked where they go."""
    state = position(f"2045: {hunter}", f"2044: {', '.join(craft)}", *others, side=side)
    march(state, "2045")
    go(state, "2044")
    return state


def flee(state, where, dice):
    return play(state, a.Choose(hex_of(where)), dice)


def driven_on_rough_water(craft, *others):
    """At Hamdab, on the unnavigable reach below the Fourth Cataract."""
    stacks = ["1724: 2 spears", f"1723: {craft}", *others]
    state = position(*stacks, side="mahdist", month="1884-05")
    march(state, "1724")
    go(state, "1723")
    return state


# 6.0


def test_6_0_any_number_of_units_stand_in_a_hex():
    state = position(f"{OPEN}: 40 infantry british, 12 supply", "0640: 10 infantry british")
    march(state, "0640")
    go(state, OPEN)
    assert len(ids(state, OPEN)) == 62


# 6.1


def test_6_1_land_units_entering_drive_craft_one_hex_where_their_owner_chooses():
    state = driven("gunboat")
    assert isinstance(state.question, q.ToChooseHex)
    assert state.question.side is Side.EGYPTIAN
    assert set(state.question.choices) == {2043, 1944, 1945, 2045}
    refused(state, a.Choose(hex_of("2042")), "6.1")
    flee(state, "2043", [5])
    assert count(state, "2043", "gunboat") == 1
    assert isinstance(state.question, q.OnMarch)


def test_6_1_craft_that_a_ruling_has_taken_away_are_driven_off_no_more():
    state = driven("gunboat")
    play(
        state, a.Ruled("Sunk already.", umpire_rulings.remove(state, ids(state, "2044", "gunboat")))
    )
    play(state, a.Choose(hex_of("2043")))
    assert isinstance(state.question, q.OnMarch)


@pytest.mark.parametrize(("die", "captured"), [(5, False), (6, True)])
def test_6_1_each_is_captured_on_a_six(die, captured):
    state = driven("gunboat")
    outcome = flee(state, "2043", [die])
    assert bool(only(outcome, e.Captured)) is captured
    assert count(state, "2044", "gunboat mahdist") == captured
    assert count(state, "2043", "gunboat") == (not captured)


def test_6_1_every_craft_rolls_for_itself():
    state = driven("2 gunboats", "boat")
    outcome = flee(state, "2043", [6, 1, 6])
    assert len(only(outcome, e.Captured)) == 2
    assert count(state, "2043", "gunboat") == 1


def test_6_1_captured_craft_need_a_counter_of_the_new_owner():
    state = driven("gunboat", others=["Khartoum: 4 gunboats mahdist"])
    flee(state, "2043", [6])
    assert count(state, "2044", "gunboat mahdist") == 0
    assert count(state, "2043", "gunboat") == 0


def test_6_1_the_egyptian_player_drives_mahdist_craft_away_too():
    state = driven("boat mahdist", side="egyptian", hunter="2 infantry british")
    assert state.question.side is Side.MAHDIST
    flee(state, "2043", [1])
    assert count(state, "2043", "boat mahdist") == 1


def test_6_1_the_egyptian_player_mans_a_gunboat_he_takes_if_he_has_a_counter():
    crew = "2 infantry british"
    state = driven("gunboat mahdist", side="egyptian", hunter=crew)
    flee(state, "2043", [6])
    assert count(state, "2044", "gunboat egyptian") == 1
    listed = ["Khartoum: 10 gunboats"]
    state = driven("gunboat mahdist", side="egyptian", hunter=crew, others=listed)
    flee(state, "2043", [6])
    assert count(state, "2044", "gunboat egyptian") == 0


def test_6_1_not_into_a_hex_that_its_enemy_holds():
    state = driven("gunboat", others=["2043: spears"])
    assert set(state.question.choices) == {1944, 1945, 2045}


def test_6_1_craft_with_nowhere_to_go_are_captured():
    ring = ["2043: spears", "1944: spears", "1945: spears"]
    state = position("2045: 3 spears", "2044: gunboat, boat, Gordon", *ring, side="mahdist")
    march(state, "2045", "2 spears")
    go(state, "2044")
    assert isinstance(state.question, q.OnMarch)
    assert count(state, "2044", "gunboat mahdist") == 1
    assert not [unit for unit in state.units.values() if unit.nation != "mahdist"]


def test_6_1_a_marching_stack_drives_the_same_craft_on_and_on():
    state = driven("gunboat")
    flee(state, "2043", [5])
    go(state, "2043")
    flee(state, "2042", [4])
    assert count(state, "Khartoum", "gunboat") == 1


def test_6_1_the_water_wrecks_before_the_enemy_captures():
    state = driven_on_rough_water("boat, gunboat")
    outcome = flee(state, "1722", [1, 1, 5, 6, 2, 3, 5])
    clauses = [roll.clause for roll in outcome.rolls]
    assert clauses == ["8.23 II", "6.1", "8.23 II", "8.23 II", "6.1"]
    assert count(state, "1722", "boat") == 1
    (group,) = state.due
    assert (group.units[0].nation, group.month - state.month) == ("egyptian", 5)


def test_6_1_a_gunboat_wrecked_and_then_captured_comes_back_as_the_captors():
    state = driven_on_rough_water("gunboat")
    flee(state, "1722", [6, 2, 3, 6])
    (group,) = state.due
    assert (group.units[0].nation, group.units[0].kind) == ("mahdist", "gunboat")
    assert group.month - state.month == 5
    assert group.at == (hex_of("Khartoum"),)


def test_6_1_a_gunboat_wrecked_for_good_is_nobodys():
    state = driven_on_rough_water("gunboat")
    flee(state, "1722", [6, 3, 3])
    assert not state.due


def test_6_1_a_gunboat_wrecked_and_captured_needs_a_counter():
    state = driven_on_rough_water("gunboat", "Khartoum: 4 gunboats mahdist")
    flee(state, "1722", [6, 2, 3, 6])
    assert not state.due


def test_6_1_a_cataract_that_displaced_craft_come_beside_endangers_them():
    state = position("1922: 2 spears", "1921: boat", side="mahdist", month="1884-12")
    march(state, "1922")
    go(state, "1921")
    outcome = flee(state, "1821", [6, 5, 1, 1, 6])
    assert [roll.reason.partition(" at ")[2] for roll in outcome.rolls] == [
        "Fourth Cataract",
        "an unnavigable reach",
        "",
    ]
    assert count(state, "1921", "boat mahdist") == 1


def test_6_1_mahdist_boats_do_not_get_away_over_unnavigable_water():
    state = position("1724: 2 infantry british", "1723: boat mahdist, gunboat mahdist")
    march(state, "1724")
    go(state, "1723")
    flee(state, "1722", [1, 1])
    assert count(state, "1722", "gunboat mahdist") == 1
    assert not count(state, "1722", "boat mahdist")
    state = position("1724: 2 infantry british", "1723: boat mahdist")
    march(state, "1724")
    go(state, "1723")
    assert isinstance(state.question, q.OnMarch)
    assert count(state, "1723", "boat british") == 1


def test_6_1_both_sides_capture_boats_by_one_rule():
    """His scenario lists five boats: one that is off the map takes the place of the prize."""
    crew = "2 infantry british"
    state = driven("boat mahdist", side="egyptian", hunter=crew)
    flee(state, "2043", [6])
    assert count(state, "2044", "boat british") == 1
    state = driven("boat mahdist", side="egyptian", hunter=crew, others=["Khartoum: 5 boats"])
    flee(state, "2043", [6])
    assert count(state, "2044", "boat british") == 0


def test_6_1_a_gunboat_attacks_craft_that_lie_alone_along_the_river():
    state = position("1942: gunboat, boat", "2044: boat mahdist", "2142: boat mahdist")
    play(state, by_river(ids(state, "1942", "gunboat"), 2042))
    assert offered(state).targets == (2142,)
    refused(state, a.Attack(hex_of("2044")), "9.1")


def test_6_1_boats_never_attack():
    state = position("1942: boat, infantry british", "2142: boat mahdist")
    play(state, by_river(ids(state, "1942"), 2042))
    assert not offered(state).targets


def test_6_1_land_units_never_attack_craft():
    state = position("2041: 2 infantry british, gun british", "2142: boat mahdist")
    march(state, "2041")
    assert not offered(state).targets
    refused(state, a.Attack(hex_of("2142")), "9.1")


def test_6_1_gunboats_make_craft_test_and_boats_do_not_answer():
    state = position("1942: gunboat", "2142: 2 boats mahdist")
    play(state, by_river(ids(state, "1942"), 2042))
    outcome = fight(state, "2142", [3, 4])
    (roll,) = outcome.rolls
    assert (roll.total, roll.side, has(roll, "fire.gunboat")) == (6, "mahdist", True)
    assert [event.winner for event in only(outcome, e.CombatEnded)] == [None]
    assert count(state, "2142", "boat mahdist disrupted") == 1
    assert state.march is None


def test_6_1_gunboats_that_are_attacked_fight_back():
    state = position("2042: 2 gunboats", "2044: gunboat mahdist")
    play(state, by_river(ids(state, "2042"), 2043))
    outcome = fight(state, "2044", [6, 6, 6, 6])
    assert [roll.side for roll in outcome.rolls] == ["egyptian", "mahdist"]
    assert len(ids(state, "2043")) == 2


def test_6_1_the_last_hull_sunk_is_a_fight_won():
    state = position("1942: gunboat, Gordon", "2142: boat mahdist, Osman Digma")
    play(state, by_river(ids(state, "1942"), 2042))
    outcome = fight(state, "2142", [1, 1])
    assert [event.winner for event in only(outcome, e.CombatEnded)] == [Side.EGYPTIAN]
    assert not ids(state, "2142")
    assert state.result is None


def test_6_1_who_is_aboard_the_last_hull_is_lost_with_it():
    state = position("2042: gunboat, Gordon", "2044: gunboat mahdist")
    play(state, by_river(ids(state, "2042"), 2043))
    fight(state, "2044", [1, 1, 6, 6], guides={})
    assert state.result.winner is Side.MAHDIST


def test_6_1_units_that_come_by_river_displace_nobody():
    state = position("1944: infantry british, gunboat british", "2044: boat mahdist")
    play(state, a.Sail(ids(state, "1944"), (hex_of("2044"),)))
    assert count(state, "2044", "boat mahdist") == 1


def test_6_1_craft_beside_their_own_troops_are_not_displaced_but_fought_with():
    state = position("2045: 2 spears", "2044: infantry egyptian L, gunboat", side="mahdist")
    march(state, "2045")
    refused(state, a.Move((hex_of("2044"),)), "8.2")


def test_6_1_leaders_alone_displace_nobody():
    state = position("2045: Mahdi", "2044: boat egyptian", side="mahdist")
    march(state, "2045")
    go(state, "2044")
    assert count(state, "2044", "boat egyptian") == 1


def test_6_1_leaders_aboard_go_with_the_craft():
    state = driven("Gordon", "gunboat")
    flee(state, "2043", [2])
    assert count(state, "2043", "Gordon") == 1


def test_7_2_leaders_aboard_are_lost_with_the_last_hull():
    state = driven("Gordon", "gunboat")
    flee(state, "2043", [6])
    assert not [unit for unit in state.units.values() if unit.name == "Gordon"]


# 7.0, 7.2


def test_7_0_leaders_march_alone_eight_hexes():
    state = position("0648: Baker")
    march(state, "0648")
    go(state, *(f"{hex_id:04d}" for hex_id in range(647, 639, -1)))
    assert there(state, UnitId(1)) == 640


def test_7_2_leaders_are_removed_when_all_other_units_in_the_hex_are_destroyed():
    state = position(
        f"{OPEN}: 9 spears",
        "0640: Earle, J. Stewart, spears egyptian disrupted",
        side="mahdist",
        scenario=RELIEF,
    )
    march(state, OPEN)
    play(state, a.Attack(hex_of("0640")))
    play(state, a.Lead(UnitId(0)), [*SAFE, 1, 1])
    assert ids(state, "0640") == ()


def test_7_2_not_while_another_unit_of_theirs_stands_in_the_hex():
    state = position(
        f"{OPEN}: Graham, 2 spears egyptian disrupted, infantry british",
        "0640: 9 spears",
        scenario=RELIEF,
    )
    march(state, OPEN, "Graham, 2 spears egyptian disrupted")
    play(state, a.Attack(hex_of("0640")))
    play(state, a.Lead(UnitId(0)), [1, 1, *SAFE])
    assert count(state, OPEN, "Graham") == 1


def test_7_2_a_leader_left_alone_is_not_removed_until_somebody_comes():
    state = position(f"{OPEN}: Baker, infantry egyptian L", "0639: 2 spears")
    march(state, OPEN, "infantry egyptian L")
    go(state, "0742")
    play(state, a.Halt())
    assert count(state, OPEN, "Baker") == 1
    state.side, state.question = Side.MAHDIST, q.ToMarch(Side.MAHDIST)
    march(state, "0639")
    outcome = go(state, "0640", OPEN)
    assert [event.cause for event in only(outcome, e.Removed)] == ["leader lost"]


def mahdi_falls(*others, scenario="siege-of-khartoum"):
    state = position(
        "0640: Mahdi, spears disrupted, spears disrupted",
        f"{OPEN}: 8 infantry british",
        *others,
        scenario=scenario,
    )
    march(state, OPEN)
    play(state, a.Attack(hex_of("0640")))
    play(state, a.Lead(UnitId(0)), [1, 1])
    return state


def test_7_2_the_khalifa_follows_the_mahdi_with_a_stack_of_his_sides_choice():
    state = mahdi_falls("El Obeid: 3 spears", "Duem: 2 spears")
    assert isinstance(state.question, q.ToChooseHex)
    assert state.question.side is Side.MAHDIST
    assert set(state.question.choices) == {hex_of("El Obeid"), hex_of("Duem")}
    play(state, a.Choose(hex_of("Duem")))
    assert count(state, "Duem", "Khalifa") == 1
    assert isinstance(state.question, q.OnMarch)


def test_7_2_he_is_not_placed_where_a_ruling_has_left_no_stack():
    state = mahdi_falls("El Obeid: 3 spears", "Duem: 2 spears", "Dongola: infantry british")
    there, others = ids(state, "Duem"), ids(state, "Dongola")
    moves = umpire_rulings.move(state, there, hex_of("El Obeid"))
    moves += umpire_rulings.move(state, others, hex_of("Duem"))
    play(state, a.Ruled("They met on the way.", moves))
    play(state, a.Choose(hex_of("Duem")))
    assert state.question.choices == (hex_of("El Obeid"),)
    play(state, a.Choose(hex_of("El Obeid")))
    assert count(state, "El Obeid", "Khalifa") == 1


def test_7_2_he_stands_with_a_stack_of_the_main_map_only():
    state = mahdi_falls("Tamanieb: 3 spears", "Duem: 2 spears")
    assert state.question.choices == (hex_of("Duem"),)


def test_7_2_without_such_a_stack_he_is_killed_too():
    state = mahdi_falls("Tamanieb: 3 spears")
    assert not [unit for unit in state.units.values() if unit.kind == "leader"]
    assert isinstance(state.question, q.OnMarch)


def test_4_1_and_that_wins_the_relief_of_el_obeid():
    state = mahdi_falls("Tamanieb: 3 spears", scenario=RELIEF)
    assert state.result.winner is Side.EGYPTIAN


def test_7_2_a_leader_once_lost_does_not_come_back():
    state = mahdi_falls("Duem: 2 spears")
    play(state, a.Choose(hex_of("Duem")))
    assert not [due for due in state.due for unit in due.units if unit.kind == "leader"]
    assert not any(kind == "leader" for kind in state.pool)


def test_7_0_several_leaders_may_be_in_a_hex():
    state = position(f"{OPEN}: Wolseley, Earle, H. Stewart, 3 infantry british")
    march(state, OPEN)
    assert len(offered(state).leaders) == 1
    assert offered(state).leaders == (one(state, OPEN, "Wolseley"),)


def test_7_3_a_dead_leader_helps_nobody():
    state = position(
        f"{OPEN}: 9 infantry british 3V", "0640: Osman Digma, 2 spears disrupted, boat mahdist"
    )
    state.units[one(state, "0640", "boat mahdist")].hex = hex_of("2043")
    march(state, OPEN)
    outcome = fight(state, "0640", [1, 1], guides={"mahdist": "melee"})
    assert not [roll for roll in outcome.rolls if "melee" in roll.reason]
