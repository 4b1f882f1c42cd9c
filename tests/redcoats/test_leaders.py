"""Leaders in combat, and dismounted Anglo-Egyptian camelry."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import casualties, hand_to_hand, leaders, movement, offers
from battles.books.redcoats.book import book
from battles.books.redcoats.dealing import JOKER
from battles.books.redcoats.field import Aspect, parse_square
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import Combat, State
from battles.core.dice import Card, Suit
from battles.core.game import IllegalAction
from tests.redcoats.field import RED, act, activated, acts, battle, kinds, leader, on, unit

QUEEN_OF_DIAMONDS = Card(12, Suit.DIAMONDS)
QUEEN_OF_CLUBS = Card(12, Suit.CLUBS)
KING_OF_SPADES = Card(13, Suit.SPADES)
FIVE_OF_CLUBS = Card(5, Suit.CLUBS)


def shelled(card: Card, *, disorganised: bool = True) -> State:
    """Return a rub with its Leader is hit by British artillery, and this card turned."""
    state = battle(
        unit(1, "british", "artillery", "D8"),
        unit(20, "dervish", "infantry", "D3", disorganised=disorganised),
        leader(41, "dervish", "D3"),
    )
    state.pack = [card, RED]
    activated(state, 1, 2)
    act(state, a.Fire(20), 4)
    return state


def test_leaders_in_combat_example_queen_of_diamonds() -> None:
    state = shelled(QUEEN_OF_DIAMONDS)
    assert 41 in state.leaders
    assert state.units[20].figures == 3


def test_leaders_in_combat_example_queen_of_clubs() -> None:
    state = shelled(QUEEN_OF_CLUBS)
    assert [one.id for one in state.fallen] == [41]
    assert state.fallen[0].wounded
    assert state.units[20].figures == 4


def test_leaders_1_a_card_for_a_hit_none_for_a_miss() -> None:
    state = battle(
        unit(1, "british", "artillery", "D8"),
        unit(20, "dervish", "infantry", "D3"),
        leader(41, "dervish", "D3"),
    )
    activated(state, 1, 2)
    assert "CardTurned" not in kinds(act(state, a.Fire(20), 5))


def test_leaders_1_a_card_for_each_leader_in_a_combat() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(20, "dervish", "infantry", "D4", "S"),
        leader(40, "british", "D5"),
    )
    state.turn, state.units[20].square = 2, parse_square("D5")
    state.combats = [Combat(20, 1, Aspect.FRONT, 1)]
    state.pack = [KING_OF_SPADES]
    ledger = on(state, 1, 1)
    hand_to_hand.fight_combat(ledger, 20, 1)
    assert [event.cause for event in ledger.events if hasattr(event, "cause")] == ["killed"]
    assert state.leaders == {}


@pytest.mark.parametrize(
    ("card", "result"),
    [
        (KING_OF_SPADES, "killed"),
        (QUEEN_OF_CLUBS, "wounded"),
        (FIVE_OF_CLUBS, "hurt"),
        (Card(1, Suit.SPADES), "hurt"),
        (QUEEN_OF_DIAMONDS, "unharmed"),
        (Card(2, Suit.HEARTS), "unharmed"),
    ],
)
def test_leaders_2_what_the_card_says(card: Card, result: str) -> None:
    assert book().turned("leader", card) == result


def test_leaders_2_a_wounded_leader_goes_on_and_his_unit_is_hit() -> None:
    state = shelled(FIVE_OF_CLUBS)
    assert state.leaders[41].wounded
    assert state.units[20].figures == 3


def test_leaders_2_a_hit_that_removes_him_does_not_disorganise_either() -> None:
    assert not shelled(KING_OF_SPADES, disorganised=False).units[20].disorganised


def test_leaders_2_a_joker_says_nothing_and_the_next_card_is_turned() -> None:
    state = shelled(JOKER)
    assert state.units[20].figures == 3
    assert state.pack == []


def test_a_leader_without_troops_is_taken() -> None:
    state = battle(unit(20, "dervish", "infantry", "D5", "S"), leader(40, "british", "D6"))
    activated(state, 20, 2)
    act(state, a.Move((parse_square("D6"),), 4))
    assert state.leaders == {}
    assert [one.id for one in state.fallen] == [40]


def test_a_leader_rides_without_turning() -> None:
    state = battle(unit(1, "british", "infantry", "A1"), leader(40, "british", "D6"))
    found = leaders.ride(state, state.leaders[40], 5)
    assert found.cost(parse_square("E7"), 0) == 3
    assert found.cost(parse_square("D4"), 0) == 4


def test_restrictions_4_a_leader_does_not_ride_through_a_disorganised_friend() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5", disorganised=True), leader(40, "british", "D6")
    )
    found = leaders.ride(state, state.leaders[40], 6)
    assert found.cost(parse_square("D5"), 0) == 2
    assert found.cost(parse_square("D4"), 0) is None
    state.units[1].disorganised = False
    assert leaders.ride(state, state.leaders[40], 6).cost(parse_square("D4"), 0) == 6


def test_movement_3_a_leader_does_not_ride_between_two_units() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(2, "british", "infantry", "E6"),
        leader(40, "british", "D6"),
    )
    assert leaders.step_cost(state, state.leaders[40], parse_square("D6"), 1) is None


def camels(**more: Any) -> State:
    return activated(battle(unit(1, "egyptian", "camelry", "D5", **more)), 1, 4)


def test_dismounted_anglo_egyptian_camelry_example_1() -> None:
    state = camels()
    act(state, a.Dismount())
    one = state.units[1]
    assert (one.formation, one.dismounted, one.on_foot) == (Formation.LINE, True, True)
    assert book().faces("action points", one) == 6


def test_dismounted_anglo_egyptian_camelry_example_2() -> None:
    state = camels(dismounted=True, formation="square")
    with pytest.raises(IllegalAction, match="cannot mount now"):
        rules.check(state, a.Mount())
    acts(state, a.Form(Formation.LINE), a.Mount())
    assert state.units[1].mounted
    assert state.question is None


def test_dismounted_camelry_1_british_and_egyptian_camelry_alone() -> None:
    assert offers.may_dismount(camels())
    others = (("dervish", "camelry"), ("british", "cavalry"), ("british", "infantry"))
    for troops, kind in others:
        state = activated(battle(unit(1, troops, kind, "D5")), 1, 4)
        assert not offers.may_dismount(state)


def test_dismounted_camelry_2_it_costs_a_change_of_formation() -> None:
    state = camels()
    assert act(state, a.Dismount()).events[0].cost == 2


def test_dismounted_camelry_3_it_fights_as_infantry() -> None:
    one = unit(1, "british", "camelry", "D5", dismounted=True)
    assert movement.may_take(one, Formation.SQUARE)
    assert movement.may_take(one, Formation.MARCH_COLUMN)
    assert casualties.weapon_range(one) == 3
