"""The turn sequence: who is dealt a card, whose turn it is, what ends a turn."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import dealing, offers, sequence
from battles.books.redcoats import events as e
from battles.books.redcoats.casualties import disorganise
from battles.books.redcoats.field import Aspect, parse_square
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.play import rules
from battles.books.redcoats.sequence import STEPS, TURN
from battles.books.redcoats.state import Combat, State
from battles.core.dice import Card, ScriptedDice, Suit
from battles.core.game import IllegalAction, Step
from tests.redcoats.field import (
    BLACK,
    EGYPTIAN,
    RED,
    act,
    battle,
    dice_of,
    kinds,
    leader,
    on,
    question,
    thrown,
    unit,
)


def two_sides() -> State:
    return battle(
        unit(1, "british", "infantry", "D7"),
        unit(2, "british", "cavalry", "F7"),
        unit(20, "dervish", "infantry", "D2", "S"),
        unit(21, "dervish", "cavalry", "F2", "S"),
        leader(40, "british", "H7"),
    )


def dealt(state: State) -> set[int]:
    STEPS["deal"](on(state))
    return set(state.cards)


def test_turn_sequence_1_a_card_to_each_unit_and_leader() -> None:
    assert dealt(two_sides()) == {1, 2, 20, 21, 40}


def test_turn_sequence_1_none_to_those_in_combat_impetuous_or_disorganised() -> None:
    state = two_sides()
    state.units[20].square = state.units[1].square
    state.combats = [Combat(20, 1, Aspect.FRONT, 0)]
    state.units[2].impetuous = True
    state.units[21].disorganised = True
    state.leaders[40].square = parse_square("D7")
    assert dealt(state) == set()


def test_turn_sequence_1_a_leaders_card_serves_for_units_near_him() -> None:
    state = battle(
        unit(1, "british", "infantry", "D7"),
        unit(2, "british", "infantry", "E6"),
        unit(3, "british", "infantry", "G7"),
        leader(40, "british", "D7"),
    )
    assert dealing.could_coordinate(state, state.leaders[40]) == (1, 2)
    dealing.ask_to_coordinate(on(state), 40)
    act(state, a.Coordinate((1, 2)))
    assert dealt(state) == {3, 40}


def test_turn_sequence_1_units_further_away_cannot_be_coordinated() -> None:
    state = battle(
        unit(1, "british", "infantry", "D7"),
        unit(3, "british", "infantry", "G7"),
        leader(40, "british", "D7"),
    )
    dealing.ask_to_coordinate(on(state), 40)
    with pytest.raises(IllegalAction, match="cannot co-ordinate these"):
        rules.play(state, a.Coordinate((1, 3)), ScriptedDice())


def test_turn_sequence_2_the_undealt_cards_are_turned_over_from_the_top() -> None:
    state = two_sides()
    state.pack = [RED, BLACK]
    assert dealing.turn_over(on(state), "cover", state.units[1]) == "hit"
    assert state.pack == [BLACK]


def test_turn_sequence_2_when_none_is_left_those_turned_over_are_shuffled() -> None:
    state = two_sides()
    state.pack, state.turned = [], [BLACK]
    ledger = on(state)
    assert dealing.turn_over(ledger, "cover", state.units[1]) == "saved"
    assert kinds(ledger.events) == ["Repacked", "CardTurned"]


def test_turn_sequence_4_combats_of_the_last_turn_are_fought() -> None:
    state = two_sides()
    state.turn = 2
    state.combats = [Combat(20, 1, Aspect.FRONT, 1), Combat(21, 2, Aspect.FRONT, 2)]
    STEPS["combats"](on(state))
    assert state.agenda == [Step("combat", (20, 1))]


@pytest.mark.parametrize(("card", "turn", "impetuous_now"), [(RED, 1, True), (BLACK, 1, False)])
def test_turn_sequence_5_red_cards_make_cavalry_impetuous(
    card: Card, turn: int, impetuous_now: bool
) -> None:
    state = two_sides()
    state.turn, state.cards = turn, {1: card, 2: card, 40: card}
    STEPS["impetuosity"](on(state))
    assert state.units[2].impetuous is impetuous_now
    assert not state.units[1].impetuous
    assert (2 in state.cards) is not impetuous_now


def test_turn_sequence_5_only_in_the_first_turn() -> None:
    one = unit(2, "british", "cavalry", "F7")
    assert sequence.becomes_impetuous(one, RED, 1)
    assert not sequence.becomes_impetuous(one, RED, 2)


def test_turn_sequence_5_two_d12_until_contact() -> None:
    state = battle(unit(2, "british", "cavalry", "F8"), unit(21, "dervish", "infantry", "F1", "S"))
    state.units[2].impetuous = True
    ledger = on(state, 4, 4)
    sequence.ride(ledger, 2)
    assert state.units[2].square == parse_square("F4")
    assert state.units[2].impetuous
    ledger = on(state, 6, 6, 1, 8)
    sequence.ride(ledger, 2)
    assert "Charged" in kinds(ledger.events)
    assert not state.units[2].impetuous


def test_turn_sequence_5_the_nearest_enemy_is_charged() -> None:
    state = battle(
        unit(2, "british", "cavalry", "F6"),
        unit(20, "dervish", "infantry", "F3", "S"),
        unit(21, "dervish", "infantry", "A6", "S"),
    )
    state.units[2].impetuous = True
    ledger = on(state, 6, 6, 6, 1)
    sequence.ride(ledger, 2)
    assert e.Charged(unit=2, target=20, aspect=Aspect.FRONT) in ledger.events


def test_turn_sequence_5_one_that_has_been_charged_itself_has_come_into_contact() -> None:
    state = battle(unit(2, "british", "cavalry", "F6"), unit(20, "dervish", "cavalry", "F5", "S"))
    state.units[2].impetuous, state.units[20].square = True, parse_square("F6")
    state.combats = [Combat(20, 2, Aspect.FRONT, 1)]
    ledger = on(state)
    sequence.ride(ledger, 2)
    assert ledger.events == [e.Calmed(unit=2)]


def test_turn_sequence_6_impetuous_cavalry_moves_before_activations() -> None:
    assert TURN.index("impetuous rides") < TURN.index("activate")
    state = two_sides()
    state.units[2].impetuous = True
    STEPS["impetuous rides"](on(state))
    assert state.agenda == [Step("impetuous ride", (2,))]


def test_turn_sequence_7_the_lowest_card_is_activated_first() -> None:
    state = two_sides()
    state.cards = {1: Card(3, Suit.HEARTS), 20: Card(1, Suit.SPADES), 2: Card(10, Suit.CLUBS)}
    ledger = on(state, 6)
    STEPS["activate"](ledger)
    ledger.advance(STEPS)
    assert question(state) == q.ToAct(state.units[20].side, 20)


def test_turn_sequence_7_ties_go_by_suit() -> None:
    cards = [Card(7, suit) for suit in (Suit.SPADES, Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS)]
    ranked = sorted(cards, key=dealing.activation_order)
    assert [card.suit for card in ranked] == list(Suit)


def test_turn_sequence_7_a_leader_decides_who_goes_first() -> None:
    state = battle(
        unit(1, "british", "infantry", "D7"),
        unit(2, "british", "infantry", "E6"),
        leader(40, "british", "D7"),
    )
    state.coordinated, state.cards = {40: [1, 2]}, {40: Card(4, Suit.HEARTS)}
    ledger = on(state)
    STEPS["activate"](ledger)
    ledger.advance(STEPS)
    assert question(state) == q.ToChooseNext(EGYPTIAN, 40, (1, 2))
    act(state, a.Activate(2), 3)
    assert question(state) == q.ToAct(EGYPTIAN, 2)
    act(state, a.Done(), 5)
    assert question(state) == q.ToAct(EGYPTIAN, 1)


def test_turn_sequence_7_a_card_is_played_when_the_unit_is_activated() -> None:
    state = battle(unit(1, "british", "infantry", "D7"), leader(40, "british", "D7"))
    state.hands[EGYPTIAN] = [Heroic.MOVEMENT]
    thrown(state, 1, 3)
    assert offers.cards(state) == (Heroic.MOVEMENT,)


def test_turn_sequence_7_those_who_fight_hand_to_hand_pass() -> None:
    state = two_sides()
    state.units[20].square = state.units[1].square
    state.combats = [Combat(20, 1, Aspect.FRONT, 1)]
    state.cards = {1: RED}
    assert kinds(thrown(state, 1)) == ["CardTaken"]


def test_turn_sequence_8_the_next_lowest_follows() -> None:
    state = two_sides()
    state.cards = {1: Card(3, Suit.HEARTS), 20: Card(1, Suit.SPADES)}
    ledger = on(state, 6)
    STEPS["activate"](ledger)
    ledger.advance(STEPS)
    act(state, a.Done(), 4)
    assert question(state) == q.ToAct(EGYPTIAN, 1)
    act(state, a.Done())
    assert question(state) is None


def test_turn_sequence_9_disorganised_units_may_recover() -> None:
    state = two_sides()
    disorganise(on(state), state.units[1], "fire")
    STEPS["recovery"](on(state))
    assert state.agenda == [Step("recover", (1,))]


def test_turn_sequence_10_the_limit_is_looked_at_after_recovery() -> None:
    assert TURN.index("recovery") + 1 == TURN.index("judge")
    state = two_sides()
    state.units[1].disorganised = True
    ledger = on(state)
    STEPS["judge"](ledger)
    assert kinds(ledger.events) == ["BrokeOff"]


def test_turn_sequence_11_all_cards_are_shuffled_for_the_next_turn() -> None:
    state = two_sides()
    state.turned, state.cards = [RED], {1: BLACK}
    ledger = on(state)
    ledger._dice = dice_of(5)
    STEPS["turn begins"](ledger)
    assert (state.turn, len(state.pack), state.turned, state.cards) == (2, 52, [], {})
