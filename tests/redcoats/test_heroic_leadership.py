"""Heroic Leadership cards, and how a battle begins."""

from collections import Counter

import msgspec
import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import casualties, hand_to_hand, leaders, offers
from battles.books.redcoats.actions import ToSetUp
from battles.books.redcoats.field import Field, parse_square
from battles.books.redcoats.pieces import Formation, Heroic
from battles.books.redcoats.play import rules, view
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.set_up import Deployment, begin_battle, drawn_up, new_game
from battles.books.redcoats.state import State
from battles.core.dice import Card, ScriptedDice, Suit
from battles.core.game import IllegalAction
from tests.redcoats.battles import brigade_square, line_of_battle
from tests.redcoats.field import (
    EGYPTIAN,
    MAHDIST,
    act,
    activated,
    battle,
    dice_of,
    kinds,
    leader,
    on,
    unit,
)


def led(card: Heroic, points: int = 4) -> State:
    """Return a battalion with its Leader in one square, and an enemy in range, the hand of one
    card.
    """
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(20, "dervish", "infantry", "D3"),
        leader(40, "british", "D5"),
    )
    state.hands[EGYPTIAN] = [card]
    return activated(state, 1, points)


def test_heroic_leadership_1_a_card_helps_the_unit_the_leader_is_with_and_is_discarded() -> None:
    state = led(Heroic.MOVEMENT)
    act(state, a.PlayCard(Heroic.MOVEMENT))
    assert state.hands[EGYPTIAN] == []
    assert state.discards == [Heroic.MOVEMENT]
    with pytest.raises(IllegalAction, match="cannot be played"):
        rules.play(state, a.PlayCard(Heroic.MOVEMENT), ScriptedDice())


def test_heroic_leadership_1_a_leader_next_to_the_unit_cannot_help_it() -> None:
    state = led(Heroic.MOVEMENT)
    state.leaders[40].square = parse_square("E5")
    assert offers.cards(state) == ()


def test_heroic_leadership_2_discards_are_shuffled_and_dealt_again() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    state.discards = [Heroic.RECOVER, Heroic.MOVEMENT]
    ledger = on(state, 2)
    leaders.deal_heroic(ledger, EGYPTIAN)
    assert kinds(ledger.events) == ["HeroicShuffled", "HeroicDealt"]
    assert (state.hands[EGYPTIAN], state.heroic) == ([Heroic.RECOVER], [Heroic.MOVEMENT])


def test_heroic_leadership_3_fifty_four_cards() -> None:
    counted = Counter(leaders.heroic_pack())
    assert sum(counted.values()) == 54
    assert [counted[card] for card in Heroic] == [12, 12, 12, 9, 9]


def test_heroic_leadership_3_faster_movement_adds_two() -> None:
    state = led(Heroic.MOVEMENT, points=2)
    act(state, a.PlayCard(Heroic.MOVEMENT))
    act(state, a.Move((parse_square("D4"),), 2))
    assert state.units[1].square == parse_square("D4")


def test_heroic_leadership_3_enhanced_firepower_is_one_more_shot_for_nothing() -> None:
    state = led(Heroic.FIREPOWER, points=2)
    act(state, a.Fire(20), 6)
    act(state, a.PlayCard(Heroic.FIREPOWER))
    outcome = act(state, a.Fire(20), 4)
    assert (outcome.events[0].cost, outcome.events[0].hit) == (0, True)
    assert state.question is None


def test_heroic_leadership_3_hand_to_hand_fighting_adds_two() -> None:
    added = hand_to_hand.modifiers(2, heroic=True)
    assert [one.value for one in added] == [2, 2]


def test_heroic_leadership_3_recover() -> None:
    state = led(Heroic.RECOVER)
    state.units[1].disorganised = True
    casualties.recovered_by_card(on(state), 1)
    assert not state.units[1].disorganised


def test_heroic_leadership_3_hard_luck_does_nothing_but_leave_the_hand() -> None:
    state = led(Heroic.HARD_LUCK, points=2)
    act(state, a.PlayCard(Heroic.HARD_LUCK))
    assert state.acting is not None
    assert (state.acting.bonus, state.acting.again, state.hands[EGYPTIAN]) == (0, 0, [])


def test_heroic_leadership_4_each_side_begins_with_three() -> None:
    state, _ = new_game(line_of_battle(), dice_of(1))
    assert [len(state.hands[side]) for side in (EGYPTIAN, MAHDIST)] == [3, 3]


def test_heroic_leadership_5_nobody_holds_more_than_three() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    state.heroic = [Heroic.RECOVER] * 2
    state.hands[EGYPTIAN] = [Heroic.MOVEMENT] * 2
    ledger = on(state)
    leaders.deal_heroic(ledger, EGYPTIAN)
    leaders.deal_heroic(ledger, EGYPTIAN)
    assert len(state.hands[EGYPTIAN]) == 3
    assert len(state.heroic) == 1


def test_battle_begins_1_the_field_is_that_of_the_deployment() -> None:
    deployment = line_of_battle()
    assert drawn_up(deployment).field is deployment.field


def test_battle_begins_2_a_side_that_may_choose_stands_its_units_elsewhere() -> None:
    state, _ = new_game(brigade_square(), dice_of(1))
    assert isinstance(state.question, ToSetUp)
    act(state, a.Deploy(20, parse_square("L2"), 4))
    assert state.units[20].square == parse_square("L2")
    with pytest.raises(IllegalAction, match="cannot be set up at L2"):
        rules.play(state, a.Deploy(21, parse_square("L2"), 4), ScriptedDice())
    with pytest.raises(IllegalAction, match="no unit of yours"):
        rules.play(state, a.Deploy(1, parse_square("L1"), 4), ScriptedDice())


def placed_brigade() -> State:
    """Return the brigade Square before the battle, to be placed in the six southern rows."""
    southern = tuple(row * 100 + column for row in range(3, 8) for column in range(12))
    deployment = msgspec.structs.replace(brigade_square(), set_up={EGYPTIAN: southern})
    return new_game(deployment, dice_of(1))[0]


def test_battle_begins_2_a_brigade_square_is_placed_as_a_whole_with_its_leader() -> None:
    state = placed_brigade()
    before = {number: one.square for number, one in state.units.items()}
    act(state, a.Deploy(7, parse_square("H7"), 0))
    moved = {number for number, one in state.units.items() if one.square != before[number]}
    assert moved == {1, 2, 3, 4, 5, 6, 7}
    assert {state.units[one].square - before[one] for one in moved} == {3}
    assert state.leaders[40].square == parse_square("H7")
    with pytest.raises(IllegalAction, match="cannot be set up at A7"):
        rules.play(state, a.Deploy(7, parse_square("A7"), 0), ScriptedDice())
    act(state, a.Restore())
    assert {number: one.square for number, one in state.units.items()} == before
    assert state.leaders[40].square == parse_square("E7")


def test_battle_begins_2_a_unit_may_be_set_up_in_another_formation() -> None:
    one = unit(1, "british", "infantry", "D7")
    other = unit(20, "dervish", "infantry", "D2", "S")
    field = Field(12, 8)
    southern = tuple(600 + column for column in range(12))
    deployment = Deployment("A line", field, (one, other), set_up={EGYPTIAN: southern})
    state, _ = new_game(deployment, dice_of(1))
    act(state, a.Deploy(1, parse_square("F7"), 2, Formation.COLUMN))
    assert (state.units[1].formation, state.units[1].facing) == (Formation.COLUMN, 2)
    with pytest.raises(IllegalAction, match="in that formation"):
        rules.play(state, a.Deploy(1, parse_square("F7"), 2, Formation.EN_MASSE), ScriptedDice())


def test_battle_begins_3_the_pack_is_shuffled_and_nobody_sees_it() -> None:
    state, _ = new_game(line_of_battle(), dice_of(1))
    rules.play(state, a.Done(), dice_of(2))
    assert len(state.pack) + len(state.cards) <= 52
    assert view(state, EGYPTIAN).pack == []


def test_battle_begins_4_three_cards_of_the_top_to_each_side() -> None:
    state = drawn_up(Deployment("Two", Field(12, 8), (unit(1, "british", "infantry", "D5"),)))
    outcome = begin_battle(state, dice_of(3))
    order = list(outcome.events[0].cards)
    assert state.hands[EGYPTIAN] + state.hands[MAHDIST] == order[:6]
    assert state.heroic == order[6:]


def test_battle_begins_5_a_side_sees_its_own_cards_and_no_others() -> None:
    state, _ = new_game(line_of_battle(), dice_of(1))
    assert view(state, EGYPTIAN).hands == {EGYPTIAN: state.hands[EGYPTIAN]}
    assert view(state, None).hands == {}
    assert view(state, MAHDIST).heroic == []


def test_turn_sequence_3_a_leader_with_a_court_card_brings_one_more() -> None:
    state = battle(unit(1, "british", "infantry", "D5"), leader(40, "british", "D5"))
    state.heroic = [Heroic.RECOVER]
    state.cards = {1: Card(12, Suit.HEARTS), 40: Card(11, Suit.SPADES)}
    ledger = on(state)
    STEPS["heroic cards"](ledger)
    assert [type(event).__name__ for event in ledger.events] == ["HeroicDealt"]
    assert state.hands[EGYPTIAN] == [Heroic.RECOVER]
