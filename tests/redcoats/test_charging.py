"""Charging: who may, by what way, what is added, and every outcome."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import charging, offers
from battles.books.redcoats.casualties import retreat_direction
from battles.books.redcoats.field import (
    Aspect,
    E,
    Edge,
    Field,
    N,
    Obstacle,
    S,
    Terrain,
    W,
    parse_square,
)
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import Combat, State
from battles.books.redcoats.turn_form import turn_form
from battles.core.dice import Modifier, ScriptedDice
from battles.core.game import IllegalAction
from tests.redcoats.field import MAHDIST, act, activated, battle, kinds, leader, unit

FRONT, FLANK, REAR = Aspect.FRONT, Aspect.FLANK, Aspect.REAR


def total(modifiers: tuple[Modifier, ...]) -> int:
    return sum(modifier.value for modifier in modifiers)


def meeting(**more: Any) -> State:
    """Return a Dervish rub two squares before a British battalion in Line that faces it."""
    state = battle(
        unit(20, "dervish", "infantry", "D3", "S"), unit(1, "british", "infantry", "D5", **more)
    )
    return activated(state, 20, 8)


def test_charging_example_1_scores() -> None:
    charger = 6 + total(charging.charging_modifiers(4, disorganised=True))
    charged = 1 + total(charging.charged_modifiers(1))
    assert (charger, charged) == (11, 2)
    result = charging.outcome(charger, charged, disorganised=True)
    assert (result.difference, result.back, result.figures) == (9, 2, 2)
    assert result.enters
    assert result.disorganised


def test_charging_example_1_on_the_field() -> None:
    state = battle(
        unit(20, "dervish", "cavalry", "F5", "W"),
        unit(1, "egyptian", "infantry", "D5", "N", disorganised=True),
    )
    activated(state, 20, 12)
    attack = charging.charges(state, state.units[20], 12)[0]
    assert (attack.aspect, attack.plus, attack.against) == (FLANK, 5, 1)
    outcome = act(state, a.Charge(1), 6, 2)
    assert [roll.total for roll in outcome.rolls] == [11, 3]
    one = state.units[1]
    assert (one.figures, one.disorganised) == (2, True)
    assert (one.square, one.facing) == (parse_square("B5"), E)
    assert state.units[20].square == parse_square("D5")
    assert state.question == q.ToPursue(MAHDIST, 20, 1)
    act(state, a.Pursue())
    assert state.units[20].square == parse_square("C5")


def test_charging_1_a_charge_ends_in_the_enemys_square() -> None:
    state = meeting()
    assert [attack.path for attack in offers.attacks(state)] == [
        (parse_square("D4"), parse_square("D5"))
    ]


@pytest.mark.parametrize("formation", ["march column", "square"])
def test_charging_2_other_formations_may_not(formation: str) -> None:
    one = unit(1, "british", "infantry", "D5", formation=formation)
    assert not charging.may_charge(one)
    assert charging.may_charge(unit(1, "british", "infantry", "D5", formation="column"))


@pytest.mark.parametrize(
    ("kind", "formation", "told"),
    [
        ("infantry", "march column", "in march column"),
        ("artillery", "deployed", "while deployed"),
        ("artillery", "limbered", "while limbered"),
    ],
)
def test_charging_2_refused_in_words(kind: str, formation: str, told: str) -> None:
    state = battle(
        unit(1, "british", kind, "D5", formation=formation),
        unit(20, "dervish", "infantry", "D4", "S", disorganised=True),
    )
    activated(state, 1, 6)
    with pytest.raises(IllegalAction, match=rf"\(1\) may not charge {told}\."):
        rules.play(state, a.Charge(20), ScriptedDice())


@pytest.mark.parametrize(
    ("disorganised", "strikes", "allowed"),
    [(False, FRONT, False), (True, FRONT, True), (False, FLANK, True), (False, REAR, True)],
)
def test_charging_3_anglo_egyptian_foot(disorganised: bool, strikes: Aspect, allowed: bool) -> None:
    enemy = unit(20, "dervish", "infantry", "D4", disorganised=disorganised)
    for kind in ("infantry", "camelry"):
        one = unit(1, "british", kind, "D5", dismounted=kind == "camelry")
        assert charging.may_charge_so(one, enemy, strikes) is allowed


def test_charging_3_into_the_flank_on_the_field() -> None:
    state = battle(
        unit(1, "british", "infantry", "C5", "E"), unit(20, "dervish", "infantry", "D5", "S")
    )
    attacks = charging.charges(state, state.units[1], 4)
    assert [(attack.target, attack.aspect) for attack in attacks] == [(20, FLANK)]
    state.units[20].facing = W
    assert charging.charges(state, state.units[1], 4) == []


def test_charging_4_anglo_egyptian_horse_charges_anybody() -> None:
    enemy = unit(20, "dervish", "infantry", "D4")
    for kind in ("cavalry", "camelry"):
        assert charging.may_charge_so(unit(1, "egyptian", kind, "D5"), enemy, FRONT)


def test_charging_5_dervishes_charge_anybody() -> None:
    enemy = unit(1, "british", "infantry", "D4", formation="square")
    for kind in ("infantry", "cavalry", "camelry"):
        assert charging.may_charge_so(unit(20, "dervish", kind, "D5"), enemy, FRONT)


@pytest.mark.parametrize(("kind", "found"), [("cavalry", []), ("infantry", [True])])
def test_charging_6_cavalry_crosses_no_obstacle(kind: str, found: list[bool]) -> None:
    rows = tuple(Edge(300 + column, 400 + column, Obstacle.TRENCH) for column in range(12))
    state = battle(
        unit(20, "dervish", kind, "D3", "S"),
        unit(1, "british", "infantry", "D5"),
        field=Field(12, 8, edges=rows),
    )
    attacks = charging.charges(state, state.units[20], 12)
    assert [attack.obstacles for attack in attacks] == found


def test_charging_7_batteries_do_not_charge() -> None:
    for kind in ("artillery", "machine gun"):
        assert not charging.may_charge(unit(20, "dervish", kind, "D5"))


def test_charging_8_the_way_of_fewest_points() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D2", "S"),
        unit(1, "british", "infantry", "D5"),
        field=Field(12, 8, {parse_square("D3"): Terrain.ROCKS, parse_square("D4"): Terrain.ROCKS}),
    )
    attack = charging.charges(state, state.units[20], 12)[0]
    others = [3 + 2 + 3 + 3, 2 + 1 + 2 + 1 + 2 + 1]
    assert attack.cost == min(others)


def test_charging_8_no_charge_beyond_the_points() -> None:
    state = meeting()
    assert charging.charges(state, state.units[20], 3) == []
    assert charging.charges(state, state.units[20], 4) != []


def test_charging_9_a_d8_against_a_d6() -> None:
    outcome = act(meeting(), a.Charge(1), 8, 6)
    assert [roll.sides for roll in outcome.rolls] == [8, 6]


def test_charging_10_what_the_charging_unit_adds() -> None:
    assert total(charging.charging_modifiers(4)) == 4
    assert total(charging.charging_modifiers(4, disorganised=True)) == 5
    assert total(charging.charging_modifiers(4, obstacles=True)) == 3


def test_charging_10_what_the_charged_unit_adds() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "machine gun", "D5"),
        unit(3, "british", "infantry", "D6"),
        leader(40, "british", "D5"),
        unit(20, "dervish", "infantry", "D3", "S"),
    )
    attack = charging.charges(state, state.units[20], 8)[0]
    assert attack.against == 4 + 2 + 1 + 1
    assert total(charging.charged_modifiers(6, 2)) == 8


def test_charging_10_a_leader_is_one_of_the_bases_that_a_formation_lets_fight() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5", formation="column"), leader(40, "british", "D5")
    )
    assert charging.facing_charge(state, state.units[1], FRONT) == 2


def test_charging_11_the_formation_decides_how_many_face_it() -> None:
    state = meeting(formation="march column")
    assert [attack.against for attack in offers.attacks(state)] == [1]


@pytest.mark.parametrize(
    ("difference", "loser", "back", "figures", "disorganised", "enters"),
    [
        (-7, "charger", 3, 1, True, False),
        (-3, "charger", 3, 1, True, False),
        (-2, "charger", 2, 0, True, False),
        (-1, "charger", 2, 0, False, False),
        (0, "", 0, 0, False, False),
        (1, "", 0, 0, False, True),
        (2, "charged", 0, 0, True, True),
        (3, "charged", 2, 1, True, True),
        (8, "charged", 2, 1, True, True),
    ],
)
def test_charging_12_outcomes(  # noqa: PLR0917
    difference: int, loser: str, back: int, figures: int, disorganised: bool, enters: bool
) -> None:
    found = charging.outcome(10 + difference, 10)
    assert found == (difference, loser, back, figures, disorganised, enters)


def test_charging_12_repulsed_three_squares() -> None:
    state = battle(unit(20, "dervish", "infantry", "D4", "S"), unit(1, "british", "infantry", "D5"))
    activated(state, 20, 8)
    act(state, a.Charge(1), 1, 6)
    one = state.units[20]
    assert (one.square, one.facing, one.figures, one.disorganised) == (
        parse_square("D1"),
        S,
        3,
        True,
    )


def test_charging_12_halted_next_to_the_enemy() -> None:
    state = meeting()
    act(state, a.Charge(1), 3, 3)
    assert state.units[20].square == parse_square("D4")
    assert state.combats == []


def test_charging_12_in_the_enemys_square() -> None:
    state = meeting()
    act(state, a.Charge(1), 4, 3)
    assert state.units[20].square == parse_square("D5")
    assert state.combats == [Combat(20, 1, FRONT, 1)]
    assert not state.units[1].disorganised


def test_charging_12_and_the_enemy_disorganised() -> None:
    state = meeting()
    act(state, a.Charge(1), 5, 3)
    assert state.units[1].disorganised
    assert state.units[1].figures == 4


def test_charging_12_and_the_enemy_driven_back() -> None:
    state = meeting()
    act(state, a.Charge(1), 6, 3)
    one = state.units[1]
    assert (one.square, one.facing, one.figures, one.disorganised) == (
        parse_square("D7"),
        N,
        3,
        True,
    )
    assert state.units[20].square == parse_square("D5")


@pytest.mark.parametrize(("difference", "figures"), [(1, 0), (2, 1), (3, 2)])
def test_charging_13_a_charged_unit_disorganised_before_loses_one_more(
    difference: int, figures: int
) -> None:
    assert charging.outcome(5 + difference, 5, disorganised=True).figures == figures


def test_charging_14_driven_back_it_faces_its_enemy() -> None:
    one = unit(1, "british", "infantry", "D5", "N")
    assert retreat_direction(one, FRONT, S) == (S, N)
    assert retreat_direction(one, FLANK, W) == (W, E)
    assert retreat_direction(one, REAR, N) == (N, S)


def test_charging_15_a_friend_bars_the_way_and_a_figure_is_lost() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D4", "S"),
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "infantry", "D7"),
    )
    activated(state, 20, 8)
    act(state, a.Charge(1), 6, 3)
    assert (state.units[1].square, state.units[1].figures) == (parse_square("D6"), 2)


def test_charging_15_who_cannot_go_back_at_all_fights_on() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D4", "S"),
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "infantry", "D6"),
    )
    activated(state, 20, 8)
    act(state, a.Charge(1), 8, 3)
    assert state.units[1].square == state.units[20].square == parse_square("D5")
    assert state.units[1].figures == 2
    assert len(state.combats) == 1


def test_charging_16_pursuit_is_the_charging_sides_choice() -> None:
    state = meeting()
    act(state, a.Charge(1), 6, 3)
    assert state.question == q.ToPursue(MAHDIST, 20, 1)
    outcome = act(state, a.Done())
    assert "Pursued" not in kinds(outcome)
    assert state.units[20].square == parse_square("D5")


def test_charging_17_to_the_closest_square_next_to_the_pursued() -> None:
    state = meeting()
    act(state, a.Charge(1), 6, 3)
    assert charging.pursuit_square(state, state.units[20], state.units[1]) == parse_square("D6")
    act(state, a.Pursue())
    assert (state.units[20].square, state.units[20].facing) == (parse_square("D6"), S)


def test_a_charge_ends_the_activation_and_leaders_go_with_it() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D4", "S"),
        unit(1, "british", "infantry", "D5"),
        leader(41, "dervish", "D4"),
    )
    activated(state, 20, 8)
    act(state, a.Charge(1), 4, 3)
    assert state.acting is None
    assert state.leaders[41].square == parse_square("D5")
    assert state.units[20].formation is Formation.EN_MASSE


def test_charging_12_the_form_gives_the_chance_and_the_risk() -> None:
    state = battle(unit(20, "dervish", "infantry", "D4", "S"), unit(1, "british", "infantry", "D5"))
    activated(state, 20, 6)
    offered = turn_form(state, MAHDIST, 20)
    assert offered
    (charge,) = [one for one in offered.choices if one.kind == "charge"]
    assert charge.detail == "56% to break in, 31% to be beaten off (D8+4 against D6+4)"
    assert charge.chance == 27 / 48
