"""Hand-to-hand combat: who fights, what is added, who gives way and how far."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import hand_to_hand
from battles.books.redcoats.charging import supports
from battles.books.redcoats.field import Aspect, N, parse_square
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.state import Combat, State
from battles.core.dice import Modifier
from tests.redcoats.field import EGYPTIAN, RED, act, battle, kinds, leader, on, unit

FRONT, FLANK, REAR = Aspect.FRONT, Aspect.FLANK, Aspect.REAR


def values(modifiers: tuple[Modifier, ...]) -> list[int]:
    return [modifier.value for modifier in modifiers]


def fight(state: State, charger: int, charged: int, *faces: int) -> list[str]:
    """Return the combat of these two fought with these dice; what happened."""
    ledger = on(state, *faces)
    hand_to_hand.fight_combat(ledger, charger, charged)
    return kinds(ledger.events)


def egyptians_charged(**more: int) -> State:
    """Egyptians in Line, one figure short, with Dervish cavalry from the north in their square."""
    state = battle(
        unit(1, "egyptian", "infantry", "D5", "N", figures=more.get("figures", 3)),
        unit(2, "sudanese", "infantry", "D6", "N"),
        unit(20, "dervish", "cavalry", "D4", "S"),
    )
    state.turn = 2
    state.units[20].square = parse_square("D5")
    state.combats = [Combat(20, 1, FRONT, 1)]
    return state


def test_hand_to_hand_combat_example_1_scores() -> None:
    assert 6 + sum(values(hand_to_hand.modifiers(4))) == 10
    assert 5 + sum(values(hand_to_hand.modifiers(3, 1))) == 9
    result = hand_to_hand.outcome(10, 9)
    assert (result.back, result.figures, result.disorganised) == (1, 0, False)


def test_hand_to_hand_combat_example_1_on_the_field_the_way_back_is_barred() -> None:
    state = egyptians_charged()
    happened = fight(state, 20, 1, 6, 5)
    assert happened == ["CombatJudged", "FellBack", "FigureLost"]
    assert (state.units[1].figures, state.units[1].square) == (2, parse_square("D5"))
    assert len(state.combats) == 1


def test_hand_to_hand_combat_example_1_the_other_way_round() -> None:
    state = egyptians_charged()
    fight(state, 20, 1, 3, 5)
    assert (state.units[20].square, state.units[20].facing) == (parse_square("D3"), 4)
    assert state.combats == []


def test_hand_to_hand_combat_example_2_scores() -> None:
    assert 1 + sum(values(hand_to_hand.modifiers(2, heroic=True))) == 5
    assert 4 + sum(values(hand_to_hand.modifiers(2, 2))) == 8
    result = hand_to_hand.outcome(8, 5)
    assert (result.back, result.figures, result.disorganised) == (2, 0, True)


def british_charging() -> State:
    """Return a British battalion in Column with its Leader in the flank of a Dervish rub."""
    state = battle(
        unit(1, "british", "infantry", "C5", "E", formation="column"),
        unit(20, "dervish", "infantry", "D5", "S"),
        unit(21, "dervish", "camelry", "D4", "S"),
        unit(22, "dervish", "artillery", "E4", "S", full=1),
        leader(40, "british", "C5"),
    )
    state.turn = 2
    state.units[1].square = state.leaders[40].square = parse_square("D5")
    state.combats = [Combat(1, 20, FLANK, 1)]
    state.hands[EGYPTIAN] = [Heroic.FIGHTING]
    state.pack = [RED]
    return state


def test_hand_to_hand_combat_example_2_on_the_field() -> None:
    state = british_charging()
    ledger = on(state)
    STEPS["combats"](ledger)
    ledger.advance(STEPS)
    outcome = act(state, a.PlayCard(Heroic.FIGHTING), 1, 4)
    assert [roll.total for roll in outcome.rolls] == [5, 8]
    assert state.units[1].disorganised
    assert state.units[1].square == state.leaders[40].square == parse_square("B5")
    assert state.discards == [Heroic.FIGHTING]


def test_hand_to_hand_combat_example_2_the_other_way_round() -> None:
    state = british_charging()
    state.inspired = [1]
    fight(state, 1, 20, 6, 3)
    assert (state.units[20].square, state.units[20].facing) == (parse_square("F5"), 6)
    assert state.units[20].disorganised


def test_hand_to_hand_1_only_what_began_before_this_turn_is_fought() -> None:
    state = egyptians_charged()
    state.turn = 1
    STEPS["combats"](on(state))
    assert state.agenda == []


def test_hand_to_hand_2_a_d6_and_a_d8() -> None:
    state = egyptians_charged()
    ledger = on(state, 8, 6)
    hand_to_hand.fight_combat(ledger, 20, 1)
    assert [roll.sides for roll in ledger.rolls] == [8, 6]


def test_hand_to_hand_3_modifiers() -> None:
    assert values(hand_to_hand.modifiers(4, 2, disorganised=True, heroic=True)) == [4, 2, -2, 2]


def test_hand_to_hand_3_friends_in_the_three_squares_behind() -> None:
    places = ("C6", "D6", "E6", "C5")
    state = battle(
        unit(1, "british", "infantry", "D5"),
        *(unit(2 + nth, "british", "transport", at) for nth, at in enumerate(places)),
    )
    assert supports(state, state.units[1]) == 3


def test_hand_to_hand_4_the_formation_decides_how_many_fight() -> None:
    state = egyptians_charged()
    assert hand_to_hand.figures_fighting(state, state.units[1], FLANK) == 1
    assert hand_to_hand.figures_fighting(state, state.units[1], REAR) == 0


def test_hand_to_hand_5_the_higher_score_wins() -> None:
    state = egyptians_charged(figures=4)
    ledger = on(state, 1, 6)
    hand_to_hand.fight_combat(ledger, 20, 1)
    assert state.units[20].square != state.units[1].square == parse_square("D5")


def test_hand_to_hand_6_equal_scores_fight_on() -> None:
    state = egyptians_charged(figures=4)
    assert fight(state, 20, 1, 2, 1) == ["CombatJudged"]
    assert len(state.combats) == 1


@pytest.mark.parametrize(
    ("difference", "back", "figures", "disorganised"),
    [
        (1, 1, 0, False),
        (2, 2, 0, False),
        (3, 2, 0, True),
        (4, 3, 0, True),
        (5, 3, 1, True),
        (9, 3, 1, True),
    ],
)
def test_hand_to_hand_7_outcomes(
    difference: int, back: int, figures: int, disorganised: bool
) -> None:
    result = hand_to_hand.outcome(3 + difference, 3)
    assert (result.back, result.figures, result.disorganised) == (back, figures, disorganised)


@pytest.mark.parametrize(("difference", "figures"), [(2, 0), (3, 1), (4, 1), (5, 2)])
def test_hand_to_hand_8_a_loser_disorganised_before_loses_one_more(
    difference: int, figures: int
) -> None:
    assert hand_to_hand.outcome(difference, 0, disorganised=True).figures == figures


def test_hand_to_hand_9_the_loser_goes_on_facing_his_enemy() -> None:
    state = egyptians_charged(figures=4)
    del state.units[2]
    fight(state, 20, 1, 6, 1)
    assert (state.units[1].square, state.units[1].facing) == (parse_square("D8"), N)


def test_hand_to_hand_10_part_of_the_way_is_gone_and_a_figure_lost() -> None:
    state = egyptians_charged(figures=4)
    state.units[2].square = parse_square("D7")
    fight(state, 20, 1, 4, 2)
    assert (state.units[1].square, state.units[1].figures) == (parse_square("D6"), 3)
    assert state.combats == []


def test_hand_to_hand_10_over_the_edge_a_unit_has_left_the_battle() -> None:
    state = egyptians_charged(figures=4)
    del state.units[2]
    state.units[1].square = state.units[20].square = parse_square("D8")
    happened = fight(state, 20, 1, 6, 1)
    assert "Left" in happened
    assert [one.id for one in state.left] == [1]


def test_gunners_fight_on_when_the_unit_before_them_is_destroyed() -> None:
    state = battle(
        unit(1, "egyptian", "infantry", "D5", figures=1, disorganised=True),
        unit(2, "egyptian", "artillery", "D5", full=1),
        unit(20, "dervish", "cavalry", "D4", "S"),
        leader(40, "egyptian", "D5"),
    )
    state.turn, state.units[20].square = 2, parse_square("D5")
    state.combats = [Combat(20, 1, FRONT, 1)]
    fight(state, 20, 1, 8, 1)
    assert [one.id for one in state.lost] == [1]
    assert state.combats == [Combat(20, 2, FRONT, 2)]
    assert 40 in state.leaders


def test_a_leader_alone_with_the_enemy_is_taken() -> None:
    state = battle(
        unit(1, "egyptian", "infantry", "D5", figures=1, disorganised=True),
        unit(20, "dervish", "cavalry", "D4", "S"),
        leader(40, "egyptian", "D5"),
    )
    state.turn, state.units[20].square = 2, parse_square("D5")
    state.combats = [Combat(20, 1, FRONT, 1)]
    fight(state, 20, 1, 8, 1)
    assert [one.id for one in state.fallen] == [40]
