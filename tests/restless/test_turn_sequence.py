"""The turn sequence: cards by colour, court cards, jokers, the end; the second joker."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import activation, special
from battles.books.restless_natives import events as e
from battles.books.restless_natives.actions import ToCommand
from battles.books.restless_natives.board import post_of
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Special, Weapon
from battles.books.restless_natives.set_up import new_game
from battles.books.restless_natives.state import PACK_ONCE, State
from battles.books.restless_natives.turn_form import turn_form
from battles.core.dice import Card, Suit
from battles.core.game import IllegalAction
from tests.restless.field import (
    BLACK,
    BLACK_JACK,
    BRITISH_CHIEF,
    EAST,
    EGYPTIAN,
    MAHDIST,
    NATIVE_CHIEF,
    RED,
    RED_KING,
    SUBORDINATE,
    act,
    at,
    battle,
    british,
    deployment,
    dice_of,
    kinds,
    natives,
    step,
)

JOKER, OTHER_JOKER = activation.JOKERS


def before(*cards: Card, **more: object) -> State:
    """Return a battle with these cards on top of the pack; a British subordinate has a unit of his
    own.
    """
    state = battle(
        british(1, at(24, 30)),
        british(3, at(34, 30), command=SUBORDINATE),
        natives(2, at(24, 4)),
        **more,  # type: ignore[arg-type]
    )
    state.pack = list(cards)
    state.special = [Special.MOVEMENT] * 20
    return state


def hands(state: State) -> dict[int, int]:
    return {number: len(one.hand) for number, one in state.commanders.items()}


def test_turn_sequence_1_the_top_card_is_turned_over() -> None:
    state = before(RED, BLACK)
    step(state, "turn over")
    assert (state.card, state.pack, state.turn) == (RED, [BLACK], 1)


def test_turn_sequence_1_units_come_on_from_where_they_stand_at_the_first_card() -> None:
    state = before(RED, BLACK, BLACK)
    assert state.line_up == {}
    step(state, "turn over")
    posts = {number: post_of(unit) for number, unit in state.units.items()}
    assert state.line_up == posts
    state.units[1].at = at(24, 20)
    state.turn = 1
    step(state, "turn over")
    assert state.line_up == posts


def test_turn_sequence_2_red_is_for_the_british_chief() -> None:
    state = before(RED, BLACK)
    step(state, "turn over")
    assert state.question == ToCommand(EGYPTIAN, BRITISH_CHIEF)
    offered = options(state)
    assert offered is not None
    assert (offered.units, offered.commanders, offered.done) == ((1,), (SUBORDINATE,), True)
    with pytest.raises(IllegalAction, match="not this commander’s to activate"):
        act(state, a.Activate(3))


def test_turn_sequence_2_he_may_pass_the_initiative_on() -> None:
    state = before(RED, BLACK)
    step(state, "turn over")
    act(state, a.PassOn(SUBORDINATE))
    assert state.question == ToCommand(EGYPTIAN, SUBORDINATE)
    with pytest.raises(IllegalAction, match="Only the Commander-in-Chief passes it on"):
        act(state, a.PassOn(BRITISH_CHIEF))
    act(state, a.Activate(3))
    assert state.acting is not None
    assert state.acting.unit == 3


def test_turn_sequence_2_the_card_is_discarded_when_the_unit_is_done() -> None:
    state = before(RED, BLACK)
    step(state, "turn over")
    act(state, a.Activate(1))
    assert state.turned == []
    outcome = act(state, a.Done())
    assert state.turned == [RED]
    assert kinds(outcome)[-3:] == ["CardDiscarded", "CardTurned", "AgendaRecorded"]


def test_turn_sequence_2_nobody_need_be_activated() -> None:
    state = before(RED, BLACK)
    step(state, "turn over")
    act(state, a.Done())
    assert state.card == BLACK


def test_turn_sequence_2_a_unit_may_be_activated_by_card_after_card() -> None:
    state = before(RED, RED, RED)
    step(state, "turn over")
    for _ in range(2):
        act(state, a.Activate(1))
        act(state, a.Done())
    assert state.turn == 3


def test_turn_sequence_3_a_red_court_card_deals_to_every_british_player() -> None:
    state = before(RED_KING, BLACK)
    step(state, "turn over")
    assert hands(state) == {BRITISH_CHIEF: 1, NATIVE_CHIEF: 0, SUBORDINATE: 1}


def test_turn_sequence_3_nobody_holds_more_than_three() -> None:
    state = before(RED_KING, BLACK)
    state.commanders[BRITISH_CHIEF].hand = [Special.HARD_LUCK] * 3
    step(state, "turn over")
    assert hands(state) == {BRITISH_CHIEF: 3, NATIVE_CHIEF: 0, SUBORDINATE: 1}


@pytest.mark.parametrize("rank", [1, 10])
def test_turn_sequence_3_other_cards_deal_nothing(rank: int) -> None:
    state = before(Card(rank, Suit.HEARTS), BLACK)
    step(state, "turn over")
    assert set(hands(state).values()) == {0}


def test_turn_sequence_4_black_is_for_the_native_chief() -> None:
    state = before(BLACK, RED)
    step(state, "turn over")
    assert state.question == ToCommand(MAHDIST, NATIVE_CHIEF)


def test_turn_sequence_4_a_side_without_a_unit_lets_the_card_go_by() -> None:
    state = before(BLACK, RED)
    state.waiting = {2: state.units.pop(2)}
    state.waiting[2].command = 99
    working = step(state, "turn over")
    assert any(isinstance(event, e.NobodyActivated) for event in working.events)
    assert state.card == RED


def test_turn_sequence_5_a_black_court_card_deals_to_the_native_players() -> None:
    state = before(BLACK_JACK, RED)
    step(state, "turn over")
    assert hands(state) == {BRITISH_CHIEF: 0, NATIVE_CHIEF: 1, SUBORDINATE: 0}


def test_turn_sequence_6_the_first_joker_returns_all_hands_for_one_card_each() -> None:
    state = before(JOKER, RED, one_off=True)
    state.commanders[BRITISH_CHIEF].hand = [Special.HARD_LUCK, Special.COMBAT]
    state.commanders[NATIVE_CHIEF].hand = [Special.RALLY]
    step(state, "turn over")
    assert hands(state) == {BRITISH_CHIEF: 1, NATIVE_CHIEF: 1, SUBORDINATE: 1}
    assert state.discards == [Special.HARD_LUCK, Special.COMBAT, Special.RALLY]
    assert (state.turned, state.card) == ([JOKER], RED)


def test_turn_sequence_7_the_second_joker_ends_a_one_off_battle() -> None:
    state = before(JOKER, OTHER_JOKER, RED, one_off=True)
    step(state, "turn over")
    assert state.result is not None
    assert state.result.how == "second joker"
    assert (state.question, state.agenda) == (None, [])


def test_turn_sequence_7_a_side_alone_on_the_field_has_won() -> None:
    state = before(RED, BLACK)
    state.lost = {2: state.units.pop(2)}
    step(state, "turn over")
    assert state.result is not None
    assert (state.result.how, state.result.winner) == ("destroyed", EGYPTIAN)


def test_turn_sequence_7_who_cannot_fight_does_not_hold_the_field() -> None:
    state = battle(
        british(1, at(24, 30)),
        natives(2, at(24, 4), kind=Kind.COMMANDER, weapon=Weapon.NONE, stands=1, formation="line"),
    )
    state.pack = [RED]
    step(state, "turn over")
    assert state.result is not None
    assert state.result.winner is EGYPTIAN


def test_turn_sequence_3_who_acts_is_asked_by_name_and_after_a_fall_by_side() -> None:
    """A march straight ahead says where to: a unit may face away from the enemy."""
    graham = british(
        4, at(24, 33), kind=Kind.COMMANDER, weapon=Weapon.NONE, stands=1, name="Graham"
    )
    state = battle(british(1, at(24, 30), EAST), graham, natives(2, at(24, 4)))
    state.commanders[BRITISH_CHIEF].unit = 4
    state.commanders[BRITISH_CHIEF].name = "Graham"
    state.pack = [RED]
    step(state, "turn over")
    asked = turn_form(state, EGYPTIAN)
    assert asked is not None
    assert asked.title == "Graham: which unit acts on this card?"
    assert any("straight ahead to the east, two moves" in one.label for one in asked.choices)
    state.lost[4] = state.units.pop(4)
    asked = turn_form(state, EGYPTIAN)
    assert asked is not None
    assert asked.title == "The British side: which unit acts on this card?"


def test_second_joker_1_in_a_campaign_every_joker_returns_the_hands() -> None:
    state = before(JOKER, OTHER_JOKER, RED)
    working = step(state, "turn over")
    assert sum(isinstance(event, e.HandsReturned) for event in working.events) == 2
    assert (state.result, state.card) == (None, RED)


def test_second_joker_2_a_campaign_battle_ends_with_the_pack() -> None:
    state = before(RED)
    state.turn = PACK_ONCE
    step(state, "turn over")
    assert state.result is not None
    assert (state.result.how, state.card) == ("cards", None)


def test_second_joker_3_before_the_time_agreed_on_the_pack_is_shuffled_again() -> None:
    state = before(cards=60)
    state.turn, state.turned = PACK_ONCE, [RED] * PACK_ONCE
    working = step(state, "turn over", faces=(1,) * 53)
    shuffled = next(event for event in working.events if isinstance(event, e.PackShuffled))
    assert sorted(map(str, shuffled.cards)) == sorted(map(str, activation.whole_pack()))
    assert state.turn == PACK_ONCE + 1


def test_turn_sequence_1_a_battle_begins_with_packs_shuffled_and_a_card_each() -> None:
    units = british(1, at(24, 30)), natives(2, at(24, 4))
    state, outcome = new_game(deployment(*units), dice_of(1))
    assert kinds(outcome)[:4] == ["PackShuffled", "SpecialShuffled", "SpecialDealt", "SpecialDealt"]
    assert len(state.pack) + len(state.turned) + (state.card is not None) == 54
    held = sum(hands(state).values())
    assert len(state.special) + len(state.discards) + held == len(special.whole_pack())
