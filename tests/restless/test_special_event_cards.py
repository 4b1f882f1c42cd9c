"""Special Event Cards: 51 of them, what each does, and units that rally."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import close_combat, special
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.close_combat import dice as combat_dice
from battles.books.restless_natives.firing import dice as fire_dice
from battles.books.restless_natives.movement import throw_for
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Special, Troops, Weapon
from battles.books.restless_natives.state import State
from battles.core.game import IllegalAction
from battles.tabletop.field import on_table
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import overlap
from tests.restless.field import (
    BRITISH_CHIEF,
    INCH,
    NATIVE_CHIEF,
    RED,
    act,
    activated,
    at,
    battle,
    british,
    ledger,
    natives,
    step,
)


def test_special_event_cards_example_1() -> None:
    state = activated(battle(british(1, at(24, 20)), natives(2, at(24, 11))), 1)
    commander = state.commanders[BRITISH_CHIEF]
    commander.hand = [Special.HARD_LUCK, Special.RALLY, Special.COMBAT]
    state.special = [Special.MOVEMENT]
    special.deal(ledger(state), commander)
    assert len(commander.hand) == 3
    act(state, a.PlayCard(Special.HARD_LUCK))
    outcome = act(state, a.Fire((2,)), 1, 1, 1, 1)
    assert len(outcome.rolls[0].dice) == 4
    special.deal(ledger(state), commander)
    assert commander.hand == [Special.RALLY, Special.COMBAT, Special.MOVEMENT]


def test_special_event_cards_example_2() -> None:
    assert combat_dice(6, initiates=True, first=True, card=Special.COMBAT_2) == 24
    state = battle(natives(2, at(24, 14)), british(1, at(24, 19.3)))
    activated(state, 2)
    state.commanders[NATIVE_CHIEF].hand = [Special.COMBAT_2]
    act(state, a.PlayCard(Special.COMBAT_2))
    act(state, a.March(), 6, 6, 6)
    outcome = act(state, a.Charge(1), *(1,) * 24, *(1,) * 4)
    assert [len(roll.dice) for roll in outcome.rolls] == [24, 4]


def runaway() -> State:
    """Return a cavalry regiment that has run away over the southern edge, and its commander's
    card.
    """
    horse = british(1, at(24, 36), kind=Kind.CAVALRY, weapon=Weapon.SPEARS, stands=2, full=4)
    state = battle(british(3, at(10, 30)), natives(2, at(24, 4)))
    state.away = {1: horse}
    state.commanders[BRITISH_CHIEF].hand = [Special.RALLY]
    state.pack = [RED, RED]
    step(state, "turn over")
    return state


def test_special_event_cards_example_3() -> None:
    state = runaway()
    offered = options(state)
    assert offered is not None
    assert offered.rallies == (1,)
    outcome = act(state, a.Rally(1))
    assert [type(event) for event in outcome.events][:3] == [e.SpecialPlayed, e.CameOn, e.Activated]
    unit = state.units[1]
    assert on_table(state.field, stands_of(unit))
    assert unit.at.y > 33 * INCH
    assert (unit.stands, state.discards) == (2, [Special.RALLY])
    act(state, a.March(2), 6, 6)


def test_special_event_cards_example_4() -> None:
    throw = throw_for(
        Troops.NATIVE, Kind.CAVALRY, TableFormation.COLUMN, moves=2, card=Special.MOVEMENT
    )
    assert (throw.dice + throw.open_only, throw.plus) == (6, 0)


def test_special_event_cards_example_5() -> None:
    assert fire_dice(Weapon.SMOOTHBORE, 1, 8 * INCH, volleys=2, card=Special.FIREPOWER_2) == 8


@pytest.mark.parametrize(
    ("card", "count"),
    [
        (Special.HARD_LUCK, 15),
        (Special.FIREPOWER, 9),
        (Special.FIREPOWER_2, 3),
        (Special.MOVEMENT, 9),
        (Special.MOVEMENT_2, 3),
        (Special.COMBAT, 6),
        (Special.COMBAT_2, 3),
        (Special.RALLY, 3),
    ],
)
def test_special_event_cards_1_how_many_there_are(card: Special, count: int) -> None:
    assert special.whole_pack().count(card) == count
    assert len(special.whole_pack()) == 51


def test_special_event_cards_2_hard_luck_helps_nothing_and_may_be_laid_down() -> None:
    helped = [special.adds(Special.HARD_LUCK, to) for to in ("move", "fire", "close combat")]
    assert helped == [0, 0, 0]
    state = activated(battle(british(1, at(24, 20)), natives(2, at(24, 11))), 1)
    state.commanders[BRITISH_CHIEF].hand = [Special.HARD_LUCK, Special.HARD_LUCK]
    offered = options(state)
    assert offered is not None
    assert offered.cards == (Special.HARD_LUCK,)


@pytest.mark.parametrize(("card", "more"), [(Special.FIREPOWER, 1), (Special.FIREPOWER_2, 2)])
def test_special_event_cards_3_enhanced_firepower(card: Special, more: int) -> None:
    assert fire_dice(Weapon.MAGAZINE, 3, 10 * INCH, card=card) == 3 * (2 + more)
    assert fire_dice(Weapon.MAGAZINE, 3, 10 * INCH, volleys=2, card=card) == 6 * (2 + more)
    assert special.adds(card, "move") == special.adds(card, "close combat") == 0


@pytest.mark.parametrize(("card", "more"), [(Special.MOVEMENT, 1), (Special.MOVEMENT_2, 2)])
def test_special_event_cards_4_faster_movement(card: Special, more: int) -> None:
    throw = throw_for(Troops.BRITISH, Kind.INFANTRY, TableFormation.LINE, moves=2, card=card)
    assert (throw.dice + throw.open_only, throw.plus) == (2 * (1 + more), 6)
    assert special.adds(card, "fire") == special.adds(card, "close combat") == 0


@pytest.mark.parametrize(("card", "more"), [(Special.COMBAT, 1), (Special.COMBAT_2, 2)])
def test_special_event_cards_5_heroic_close_combat(card: Special, more: int) -> None:
    assert combat_dice(5, initiates=True, first=True, card=card) == 5 * (2 + more)
    assert combat_dice(5, initiates=True, first=False, card=card) == 5 * (1 + more)
    assert special.adds(card, "fire") == special.adds(card, "move") == 0


def test_special_event_cards_6_rally_brings_a_unit_back_as_near_as_there_is_room() -> None:
    state = runaway()
    state.units[4] = british(4, at(24, 35.2))
    act(state, a.Rally(1))
    unit = state.units[1]
    assert on_table(state.field, stands_of(unit))
    assert not overlap(stands_of(unit), stands_of(state.units[4]))
    assert state.away == {}


def test_special_event_cards_6_it_takes_the_card_and_a_unit_that_ran_away() -> None:
    state = runaway()
    with pytest.raises(IllegalAction, match="Rally Once Again! in his hand"):
        act(state, a.Rally(3))
    state.commanders[BRITISH_CHIEF].hand = [Special.MOVEMENT]
    with pytest.raises(IllegalAction, match="cannot be rallied"):
        act(state, a.Rally(1))


def test_special_event_cards_6_its_card_is_the_one_for_this_activation() -> None:
    state = runaway()
    state.commanders[BRITISH_CHIEF].hand = [Special.RALLY, Special.MOVEMENT]
    act(state, a.Rally(1))
    with pytest.raises(IllegalAction, match="cannot be laid down now"):
        act(state, a.PlayCard(Special.MOVEMENT))


def test_special_event_cards_6_it_is_not_laid_down_for_who_is_there() -> None:
    state = activated(battle(british(1, at(24, 20)), natives(2, at(24, 11))), 1)
    state.commanders[BRITISH_CHIEF].hand = [Special.RALLY]
    assert special.playable(state.commanders[BRITISH_CHIEF]) == ()


def test_special_event_cards_7_used_cards_are_shuffled_again_when_the_pack_is_out() -> None:
    state = battle(british(1, at(24, 20)), natives(2, at(24, 11)))
    state.discards = [Special.HARD_LUCK, Special.COMBAT]
    special.deal(ledger(state, 1), state.commanders[BRITISH_CHIEF])
    assert len(state.special) + len(state.commanders[BRITISH_CHIEF].hand) == 2
    assert state.discards == []


def test_special_event_cards_7_with_all_cards_in_hands_nobody_is_dealt_one() -> None:
    state = battle(british(1, at(24, 20)), natives(2, at(24, 11)))
    working = ledger(state)
    special.deal(working, state.commanders[BRITISH_CHIEF])
    assert working.events == []


def test_special_event_cards_6_a_unit_that_waits_comes_on_when_it_is_activated() -> None:
    state = battle(british(1, at(24, 36)), british(3, at(10, 30)), natives(2, at(24, 4)), late=(1,))
    state.pack = [RED, RED]
    step(state, "turn over")
    outcome = act(state, a.Activate(1))
    assert isinstance(outcome.events[0], e.CameOn)
    assert outcome.events[0].cause == "entered"
    assert on_table(state.field, stands_of(state.units[1]))
    assert state.waiting == {}


def test_special_event_cards_6_the_place_is_the_nearest_one_free() -> None:
    state = runaway()
    place = close_combat.place(state, state.away[1])
    assert place is not None
    assert abs(place.x - 24 * INCH) <= 100
    assert book().special(Special.RALLY).helps == "rally"
