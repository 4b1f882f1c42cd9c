"""3.1 to 3.3: who comes, who is lost on the way, the Mahdists' pile, replacements, withdrawal."""

from typing import Any

import pytest

from battles.contract.brief import Side, TroopKind
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month, UnitId, month_from_text
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase
from campaign.rules.map import HexId, sudan
from campaign.rules.tables.book import book
from tests.positions import OPEN, RELIEF, add, hex_of, position, units_of
from tests.rules.helpers import (
    count,
    fight,
    go,
    happen,
    has,
    holder,
    ids,
    march,
    offered,
    one,
    only,
    play,
    refused,
)

DRAW: Any = {"side": "mahdist", "phase": "reinforcement", "held": {"Berber": "mahdist"}}
"""A Mahdist reinforcement phase in which nothing modifies the die of 3.21."""


def expecting(what, *at, stacks=(), month="1884-09", **more):
    """A reinforcement phase in which these units are due at these places."""
    state = position(*stacks, phase="reinforcement", month=month, **more)
    units = tuple(units_of(what, HexId(0), state.next_unit))
    for unit in units:
        unit.hex = OFF_MAP
    state.next_unit += len(units)
    state.due.append(DueUnits(state.month, "reinforcement", tuple(map(hex_of, at)), units))
    return state


def mahdist_phase(*stacks, dice, **more):
    """A Mahdist reinforcement phase; the first die is that of 3.21."""
    state = position(*stacks, side="mahdist", phase="reinforcement", **more)
    return state, happen(state, "reinforcement", dice)


def drawn(outcome):
    return [unit.kind for event in only(outcome, e.Waited) for unit in event.due.units]


# 3.1


def test_3_1_new_units_are_placed_in_the_reinforcement_phase_where_their_owner_says():
    state = expecting("2 infantry british, Wolseley", "Wady Halfa", "Sarras", "Souakim")
    happen(state, "reinforcement")
    choice = offered(state).arrivals[0]
    assert set(choice.hexes) == {hex_of("Wady Halfa"), hex_of("Sarras"), hex_of("Souakim")}
    play(state, a.Place(0, hex_of("Sarras")))
    assert len(ids(state, "Sarras")) == 3
    assert not state.due


def test_3_1_a_group_may_be_divided_among_its_places():
    state = expecting("2 infantry british", "Wady Halfa", "Sarras")
    happen(state, "reinforcement")
    first, second = (unit.id for unit in state.due[0].units)
    play(state, a.Place(0, hex_of("Sarras"), (first,)))
    play(state, a.Place(0, hex_of("Wady Halfa"), (second,)))
    assert ids(state, "Sarras") == (first,)


def test_3_1_units_due_at_a_hex_the_enemy_holds_are_lost_for_good():
    state = expecting("2 infantry british", "Wady Halfa", stacks=["Wady Halfa: spears"])
    outcome = happen(state, "reinforcement")
    assert only(outcome, e.Settled)[0].lost
    assert not state.due


def test_3_1_they_are_not_lost_while_one_of_their_places_is_free():
    state = expecting("2 infantry british", "Wady Halfa", "Sarras", stacks=["Wady Halfa: spears"])
    happen(state, "reinforcement")
    refused(state, a.Place(0, hex_of("Wady Halfa")), "3.1")
    play(state, a.Place(0, hex_of("Sarras")))


def test_3_1_a_besieged_place_is_not_occupied_and_units_arrive_in_it():
    state = expecting(
        "2 infantry british", "Souakim", stacks=["Souakim: infantry egyptian L", "5418: spears"]
    )
    happen(state, "reinforcement")
    play(state, a.Place(0, hex_of("Souakim")))
    assert count(state, "Souakim", "infantry british 3V") == 2


def test_5_2_ii_available_units_must_be_placed():
    state = expecting("2 infantry british", "Wady Halfa")
    happen(state, "reinforcement")
    refused(state, a.Done(), "5.2 II")
    play(state, a.Place(0, hex_of("Wady Halfa")))
    play(state, a.Done())


def test_3_1_units_are_not_placed_before_their_month():
    state = expecting("2 infantry british", "Wady Halfa")
    state.due[0] = DueUnits(Month(state.month + 1), "reinforcement", *_rest(state.due[0]))
    happen(state, "reinforcement")
    assert not offered(state).arrivals
    refused(state, a.Place(0, hex_of("Wady Halfa")), "3.1")
    play(state, a.Done())


def _rest(due):
    return due.at, due.units


def test_3_1_only_where_they_are_due():
    state = expecting("2 infantry british", "Wady Halfa")
    happen(state, "reinforcement")
    refused(state, a.Place(0, hex_of("Khartoum")), "3.1")
    refused(state, a.Place(3, hex_of("Wady Halfa")), "3.1")
    refused(state, a.Place(0, hex_of("Wady Halfa"), (UnitId(77),)), "3.1")


def test_3_1_either_player_may_withdraw_units_which_count_as_destroyed():
    for side, unit in (("egyptian", "infantry egyptian L"), ("mahdist", "spears")):
        state = position(f"{OPEN}: 3 {unit}", side=side, phase="reinforcement")
        play(state, a.Withdraw(ids(state, OPEN, f"2 {unit}")))
        assert len(state.units) == 1


def test_3_1_options_name_the_units_that_may_be_withdrawn():
    state = position(f"{OPEN}: 2 infantry british", "0640: spears", phase="reinforcement")
    assert offered(state).withdraw == ids(state, OPEN)


def test_3_1_only_ones_own_units_are_withdrawn():
    state = position(f"{OPEN}: infantry british", "0640: spears", phase="reinforcement")
    refused(state, a.Withdraw(ids(state, "0640")), "3.1")
    refused(state, a.Withdraw(()), "3.1")


def test_2_3_the_expedition_is_due_in_september_1884_and_its_craft_not_at_souakim():
    state = rules.new_game("siege-of-khartoum")
    groups = [due for due in state.due if due.month == month_from_text("1884-09")]
    assert sum(len(due.units) for due in groups) == 30
    for due in groups:
        afloat = {unit.kind for unit in due.units} & {TroopKind.BOAT, TroopKind.GUNBOAT}
        assert (hex_of("Souakim") in due.at) is not bool(afloat)


# 3.2


@pytest.mark.parametrize("die", [1, 4, 6])
def test_3_2_a_town_last_held_by_the_enemy_gives_as_many_spears_as_the_die_says(die):
    state = position("0257: 2 spears", side="mahdist", held={"El Obeid": "egyptian"})
    march(state, "0257")
    go(state, "El Obeid", dice=[die])
    assert count(state, "El Obeid", "spears") == 2 + die


@pytest.mark.parametrize(("visited", "joined"), [(False, 0), (True, 4)])
def test_3_2_a_town_that_no_enemy_was_ever_in_gives_none(visited, joined):
    """Shendi stands empty at the start of the siege."""
    start = next(
        near for near in sudan().neighbours[hex_of("Shendi")] if near != hex_of("Metemmeh")
    )
    state = position(f"{start:04d}: 2 spears", "0641: infantry egyptian L", side="mahdist")
    assert hex_of("Shendi") in state.vacant
    if visited:
        evolve(state, e.ControlChanged(hex_of("Shendi"), Side.EGYPTIAN))
    march(state, f"{start:04d}")
    go(state, "Shendi", dice=[4] if visited else [])
    assert count(state, "Shendi", "spears") == 2 + joined


def test_3_2_a_village_or_oasis_gives_none():
    for place, near in (("Duem", "1854"), ("Abu Klea Wells", "2334")):
        state = position(f"{near}: 2 spears", side="mahdist", held={place: "egyptian"})
        march(state, near)
        go(state, place)
        assert count(state, place, "spears") == 2


def test_3_2_a_town_of_ones_own_gives_none():
    state = position("0257: 2 spears", side="mahdist", held={"El Obeid": "mahdist"})
    march(state, "0257")
    go(state, "El Obeid")
    assert count(state, "El Obeid", "spears") == 2


def test_3_2_a_town_rises_again_when_it_was_lost_and_retaken():
    state = position("0257: 2 spears", side="mahdist", held={"El Obeid": "egyptian"})
    march(state, "0257")
    go(state, "El Obeid", dice=[1])
    go(state, "0457")
    state.control[hex_of("El Obeid")] = Side.EGYPTIAN
    go(state, "El Obeid", dice=[2])
    assert count(state, "El Obeid", "spears") == 1 + 2 + 2


def test_3_2_the_die_gives_no_more_than_there_are_counters():
    state = position(
        "0257: 2 spears", f"{OPEN}: 67 spears", side="mahdist", held={"El Obeid": "egyptian"}
    )
    march(state, "0257")
    go(state, "El Obeid", dice=[6])
    assert count(state, "El Obeid", "spears") == 3


def test_3_2_leaders_alone_enter_no_town():
    state = position("0257: Mahdi", side="mahdist", held={"El Obeid": "egyptian"})
    march(state, "0257")
    go(state, "El Obeid")
    assert holder(state, "El Obeid") is Side.EGYPTIAN


@pytest.mark.parametrize(
    ("place", "near", "boats"),
    [
        ("Berber", "3126", 1),
        ("Abou Hamed", "2615", 1),
        ("Dongola", "0520", 1),
        ("Khartoum", "2043", 2),
    ],
)
def test_3_2_boats_fall_to_the_mahdists_when_they_first_enter(place, near, boats):
    state = position(f"{near}: 2 spears", side="mahdist", held={place: "egyptian"})
    march(state, near)
    rises = [] if place == "Abou Hamed" else [1]
    go(state, place, dice=rises)
    assert count(state, place, "boat mahdist") == boats
    state.control[hex_of(place)] = Side.EGYPTIAN
    go(state, near)
    go(state, place, dice=rises)
    assert count(state, place, "boat mahdist") == boats


def test_3_2_the_egyptian_player_gets_neither_spears_nor_boats():
    state = position("3126: infantry british", held={"Berber": "mahdist"})
    march(state, "3126")
    go(state, "Berber")
    assert len(ids(state, "Berber")) == 1
    assert holder(state, "Berber") is Side.EGYPTIAN


def test_3_2_dead_mahdists_go_to_the_pile():
    state = position(
        f"{OPEN}: 8 infantry british 3V", "0640: spears disrupted, cavalry mahdist disrupted"
    )
    before = dict(state.pool)
    march(state, OPEN)
    fight(state, "0640", [1, 1])
    assert state.pool[TroopKind.SPEARS] == before[TroopKind.SPEARS] + 1
    assert state.pool[TroopKind.CAVALRY] == before[TroopKind.CAVALRY] + 1


# 3.21


@pytest.mark.parametrize("die", [2, 3])
def test_3_21_on_two_or_three_nothing_happens(die):
    state, outcome = mahdist_phase(f"{OPEN}: 8 spears", dice=[die], held={"Berber": "mahdist"})
    assert len(outcome.rolls) == 1
    assert not state.due


def test_3_21_on_one_units_are_removed():
    state, _ = mahdist_phase(
        f"{OPEN}: 8 spears, 2 cavalry mahdist", dice=[1, 3], held={"Berber": "mahdist"}
    )
    assert isinstance(state.question, q.ToChooseUnits)
    assert state.question.count == 3
    refused(state, a.Pick(ids(state, OPEN, "2 spears")), "3.21")
    play(state, a.Pick(ids(state, OPEN, "3 spears")))
    assert count(state, OPEN, "spears") == 5


def test_3_21_nobody_is_removed_with_less_than_seven_on_the_map():
    state, outcome = mahdist_phase(f"{OPEN}: 6 spears, Mahdi", dice=[1], held={"Berber": "mahdist"})
    assert len(state.units) == 7
    assert len(outcome.rolls) == 1
    state, _ = mahdist_phase(f"{OPEN}: 7 spears, Mahdi", dice=[1, 1], held={"Berber": "mahdist"})
    assert isinstance(state.question, q.ToChooseUnits)


def test_3_21_boats_are_units_too_and_may_go_home():
    stack = "2143: 6 spears, boat mahdist, Mahdi"
    state, _ = mahdist_phase(stack, dice=[1, 2], held={"Berber": "mahdist"})
    assert state.question.count == 2
    play(state, a.Pick(ids(state, "2143", "boat mahdist, spears")))
    assert count(state, "2143", "boat mahdist") == 0


@pytest.mark.parametrize("die", [4, 6])
def test_3_21_on_four_or_more_units_are_drawn_at_random_from_the_pile(die):
    state = position(f"{OPEN}: 8 spears", **DRAW)
    pile = [kind for kind in sorted(state.pool) for _ in range(state.pool[kind])]
    outcome = happen(state, "reinforcement", [die, 3, 1, 1, len(pile) - 2])
    assert drawn(outcome) == [pile[0], pile[1], pile[-1]]
    group = state.due[0]
    assert hex_of(OPEN) in group.at
    play(state, a.Place(0, hex_of(OPEN)))
    assert len(state.units) == 11


def test_3_21_new_units_are_placed_in_any_friendly_stack():
    state = position(f"{OPEN}: 8 spears", "El Obeid: Mahdi, spears", "2143: 2 spears", **DRAW)
    happen(state, "reinforcement", [4, 1, 1])
    assert set(offered(state).arrivals[0].hexes) == {641, 358, 2143}
    refused(state, a.Place(0, hex_of("0640")), "3.1")


def test_3_21_new_units_do_not_join_a_stack_that_was_withdrawn_before_they_came():
    state = position(f"{OPEN}: 8 spears", "2143: 2 spears", **DRAW)
    happen(state, "reinforcement", [4, 1, 1])
    play(state, a.Withdraw(ids(state, "2143")))
    assert set(offered(state).arrivals[0].hexes) == {641}
    refused(state, a.Place(0, hex_of("2143")), "3.1")


def test_3_21_plus_one_with_the_mahdists_in_khartoum():
    _, outcome = mahdist_phase("Khartoum: 8 spears", dice=[2], held={"Berber": "mahdist"})
    assert has(outcome.rolls[0], "draw.khartoum")
    assert outcome.rolls[0].total == 3


def test_3_21_minus_one_with_the_egyptians_in_berber():
    _, outcome = mahdist_phase(f"{OPEN}: 8 spears", "Berber: spears egyptian", dice=[3])
    assert has(outcome.rolls[0], "draw.berber")
    assert outcome.rolls[0].total == 2


def test_3_21_when_the_pile_is_empty_no_more_come():
    state = position(f"{OPEN}: 8 spears", **DRAW)
    for kind in state.pool:
        state.box[kind] = state.box.get(kind, 0) + state.pool[kind]
        state.pool[kind] = 0
    state.pool[TroopKind.SPEARS], state.box[TroopKind.SPEARS] = 2, state.box[TroopKind.SPEARS] - 2
    outcome = happen(state, "reinforcement", [4, 6, 1, 1])
    assert drawn(outcome) == [TroopKind.SPEARS, TroopKind.SPEARS]


def test_2_2_when_el_obeid_falls_osman_rises_on_the_souakim_extension():
    state, _ = mahdist_phase(
        "El Obeid: 8 spears", dice=[3, 4, 5], held={"Berber": "mahdist"}, scenario=RELIEF
    )
    (group,) = [due for due in state.due if due.reason == "rising"]
    assert [unit.name for unit in group.units if unit.kind is TroopKind.LEADER] == ["Osman Digma"]
    assert len(group.units) == 1 + 9
    play(state, a.Place(0, hex_of("Tamanieb")))
    assert count(state, "Tamanieb", "spears") == 9
    assert not only(happen(state, "reinforcement", [3]), e.Waited)


def test_2_2_osman_rises_though_el_obeid_was_retaken_meanwhile():
    state = position("0357: 4 spears", scenario=RELIEF, side="mahdist", month="1883-02")
    march(state, "0357")
    go(state, "El Obeid", dice=[2])
    state.control[hex_of("El Obeid")] = Side.EGYPTIAN
    state.march = None
    state.phase = Phase.REINFORCEMENT
    happen(state, "reinforcement", [3, 4, 5])
    assert [due.reason for due in state.due] == ["rising"]


def test_2_2_before_el_obeid_falls_nobody_rises():
    state, _ = mahdist_phase(
        "0357: 8 spears", "El Obeid: infantry egyptian L", dice=[3], scenario=RELIEF
    )
    assert not state.due


# 3.3


def losing(what, *, month="1885-01", **more):
    """A reinforcement phase in which everything named is destroyed at once."""
    state = position(f"{OPEN}: {what}", phase="reinforcement", month=month, **more)
    play(state, a.Withdraw(ids(state, OPEN)))
    return state


@pytest.mark.parametrize(
    "unit",
    [
        "infantry british",
        "cavalry british",
        "camel corps",
        "gun british",
        "engineers",
        "supply",
        "camel",
        "boat",
        "supply egyptian",
        "boat egyptian",
    ],
)
def test_3_3_british_losses_supply_boats_and_camels_return_some_turns_later(unit):
    state = losing(unit)
    (group,) = state.due
    assert group.month == month_from_text("1885-01") + book().number("replacement.months")
    assert len(group.units) == 1


@pytest.mark.parametrize(
    "unit",
    [
        "infantry egyptian L",
        "spears egyptian",
        "cavalry",
        "gun egyptian",
        "infantry indian",
        "infantry australian",
        "gunboat egyptian",
        "gunboat british",
        "civilians",
        "Graham",
    ],
)
def test_3_3_leaders_egyptians_indians_and_australians_are_not_replaced(unit):
    assert not losing(unit).due


def test_3_3_mahdists_are_not_replaced():
    state = position(f"{OPEN}: 3 spears, boat mahdist", side="mahdist", phase="reinforcement")
    state.units[one(state, OPEN, "boat mahdist")].hex = hex_of("2043")
    play(state, a.Withdraw((*ids(state, OPEN), *ids(state, "2043"))))
    assert not state.due


def test_3_3_replacements_of_the_siege_come_to_wady_halfa():
    assert losing("infantry british").due[0].at == (hex_of("Wady Halfa"),)


def test_3_3_losses_of_a_souakim_field_force_come_back_to_souakim():
    state = position(f"{OPEN}: infantry british", phase="reinforcement", month="1885-01")
    state.units[UnitId(1)].origin = "souakim_1"
    play(state, a.Withdraw((UnitId(1),)))
    assert state.due[0].at == (hex_of("Souakim"),)


def test_3_3_replacements_of_the_relief_come_to_khartoum_or_souakim():
    state = losing("supply", month="1883-01", scenario=RELIEF)
    assert set(state.due[0].at) == {hex_of("Khartoum"), hex_of("Souakim")}


def test_3_3_but_not_to_a_besieged_khartoum():
    state = losing("supply", month="1883-01", scenario=RELIEF)
    state.month = state.due[0].month
    add(state, "2043: spears")
    happen(state, "reinforcement")
    assert offered(state).arrivals[0].hexes == (hex_of("Souakim"),)


def test_3_3_the_replacement_is_the_unit_that_was_lost_in_good_order():
    state = position(f"{OPEN}: infantry british 2V disrupted", phase="reinforcement")
    play(state, a.Withdraw(ids(state, OPEN)))
    (unit,) = state.due[0].units
    assert (unit.kind, unit.quality, unit.strength, unit.disrupted) == (
        TroopKind.INFANTRY,
        "V",
        2,
        False,
    )


@pytest.mark.parametrize(
    ("month", "comes"), [("1884-10", False), ("1884-11", True), ("1885-06", True)]
)
def test_3_3_a_supply_unit_a_turn_from_november_1884_at_wady_halfa_or_souakim(month, comes):
    state = position("Souakim: infantry british", phase="reinforcement", month=month)
    happen(state, "reinforcement")
    assert bool(state.due) is comes
    if comes:
        assert [unit.kind for unit in state.due[0].units] == [TroopKind.SUPPLY]
        assert set(state.due[0].at) == {hex_of("Wady Halfa"), hex_of("Souakim")}


def test_3_3_there_is_no_monthly_supply_in_the_relief_of_el_obeid():
    stack = "Souakim: infantry british"
    state = position(stack, phase="reinforcement", month="1884-01", scenario=RELIEF)
    happen(state, "reinforcement")
    assert not state.due


def test_3_1_monthly_supply_is_lost_while_the_enemy_holds_both_its_places():
    state = position(
        "Wady Halfa: spears", "Souakim: spears", "Korti: spears egyptian", month="1884-12"
    )
    outcome = happen(state, "reinforcement")
    assert [event.lost for event in only(outcome, e.Settled)] == [True]
    play(state, a.Done())
