"""The rules of single scenarios, and the end of a battle."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import board, brigades, casualties, dealing, hand_to_hand, offers
from battles.books.redcoats.field import OFF_FIELD, Edge, Field, N, Obstacle, parse_square
from battles.books.redcoats.pieces import Special
from battles.books.redcoats.play import rules
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.set_up import drawn_up, new_game, places
from battles.books.redcoats.state import Objective, State, TableEntry
from battles.core.dice import Card, ScriptedDice, Suit
from battles.core.game import IllegalAction
from tests.redcoats.battles import brigade_square, night_march
from tests.redcoats.field import (
    EGYPTIAN,
    MAHDIST,
    RED,
    act,
    activated,
    acts,
    battle,
    dice_of,
    kinds,
    on,
    thrown,
    unit,
)


def asleep(**more: Any) -> State:
    edges = tuple(Edge(300 + column, 400 + column, Obstacle.RAMPART) for column in range(12))
    return battle(
        unit(1, "british", "infantry", "D7"),
        unit(2, "british", "infantry", "E7"),
        unit(20, "egyptian", "infantry", "D4", "S", side=MAHDIST),
        field=Field(12, 8, edges=edges),
        special=(Special.ASLEEP,),
        **more,
    )


def ended_how(state: State) -> tuple[object, str] | None:
    result = hand_to_hand.battle_result(state)
    return None if result is None else (result.winner, result.how)


def test_scenarios_1_night_ends_a_battle() -> None:
    state = battle(unit(1, "british", "infantry", "D7"), unit(20, "dervish", "infantry", "D2"))
    assert state.turns == 20
    assert ended_how(state) is None
    state.turn = 20
    assert ended_how(state) == (None, "nightfall")
    state.breaking_off = [MAHDIST]
    assert ended_how(state) == (EGYPTIAN, "nightfall")


def test_scenarios_1_a_side_without_units_is_destroyed() -> None:
    state = battle(unit(1, "british", "infantry", "D7"), unit(20, "dervish", "infantry", "D2"))
    del state.units[1]
    assert ended_how(state) == (MAHDIST, "destroyed")
    del state.units[20]
    assert ended_how(state) == (None, "destroyed")


def entering() -> State:
    one = unit(1, "british", "infantry", "A1")
    one.square = OFF_FIELD
    entry = TableEntry(1, (parse_square("D8"), parse_square("E8")))
    return battle(one, unit(2, "british", "infantry", "E8"), entries={1: entry})


def test_night_march_1_the_attackers_come_from_their_side() -> None:
    state = entering()
    thrown(state, 1, 4)
    assert offers.entry_squares(state) == (parse_square("D8"),)
    with pytest.raises(IllegalAction, match="cannot come on to the field at E8"):
        rules.play(state, a.Enter(parse_square("E8"), N), ScriptedDice())
    acts(state, a.Enter(parse_square("D8"), N), a.Move((parse_square("D7"),), N))
    assert state.units[1].square == parse_square("D7")
    assert state.question is None


def test_night_march_2_behind_a_rampart() -> None:
    state = asleep()
    assert state.field.lined(parse_square("D4"), Obstacle.RAMPART)
    assert board.in_cover(state.field, parse_square("D4"), parse_square("D7"))
    assert not board.in_cover(state.field, parse_square("D4"), parse_square("D2"))


def test_night_march_3_the_sleepers_are_dealt_no_cards() -> None:
    state = asleep()
    STEPS["deal"](on(state))
    assert set(state.cards) == {1, 2}


def test_night_march_4_a_joker_wakes_them() -> None:
    state = asleep()
    assert dealing.JOKER in dealing.shuffle_cards(state, dice_of(1))
    state.pack = [RED, dealing.JOKER, Card(2, Suit.CLUBS), Card(3, Suit.CLUBS)]
    ledger = on(state)
    STEPS["deal"](ledger)
    assert kinds(ledger.events) == ["Dealt", "CardTurned", "Woke", "Dealt", "Dealt"]
    assert set(state.cards) == {1, 2, 20}
    assert state.special == []


def test_night_march_5_reaching_the_rampart_wakes_them_the_next_turn() -> None:
    state = asleep()
    state.units[1].square = parse_square("D5")
    assert not dealing.is_dealt(state, state.units[20])
    ledger = on(state)
    ledger._dice = dice_of(2)
    STEPS["turn begins"](ledger)
    assert kinds(ledger.events) == ["Woke", "TurnBegan"]
    assert dealing.is_dealt(state, state.units[20])


def test_marching_1_the_column_comes_from_its_side() -> None:
    state, _ = new_game(night_march(), dice_of(1))
    waiting = [one.id for one in state.units.values() if one.square == OFF_FIELD]
    assert set(waiting) == set(state.entries)


def test_marching_2_the_dervishes_stand_where_they_like() -> None:
    state = drawn_up(brigade_square())
    assert len(places(state, state.units[20])) == 24 - 15


def test_marching_3_a_battery_without_rounds_does_not_fire() -> None:
    state = battle(
        unit(1, "egyptian", "artillery", "D6", shots=1), unit(20, "dervish", "infantry", "D4")
    )
    activated(state, 1, 6)
    act(state, a.Fire(20), 6)
    assert state.units[1].shots == 0
    assert list(casualties.targets(state, state.units[1])) == []


def gendarmes(mercy: int, *, special: tuple[Special, ...] = (Special.MERCY,)) -> State:
    state = battle(
        unit(1, "gendarmerie", "infantry", "D5"),
        unit(20, "dervish", "infantry", "D4", "S"),
        special=special,
    )
    activated(state, 20, 8)
    act(state, a.Charge(1), 8, 1, *([mercy] if special else []))
    return state


def test_marching_4_gendarmes_driven_back_plead_for_mercy_from_four() -> None:
    assert [one.id for one in gendarmes(4).lost] == [1]
    assert gendarmes(3).units[1].square == parse_square("D7")
    assert gendarmes(4).units[20].square == parse_square("D5")
    assert 1 in gendarmes(0, special=()).units


def test_form_square_1_the_british_come_as_a_brigade_square() -> None:
    state = drawn_up(brigade_square())
    assert brigades.fully_formed(state, 1)


def test_form_square_2_on_their_part_of_the_field() -> None:
    state, _ = new_game(brigade_square(), dice_of(1))
    with pytest.raises(IllegalAction, match="cannot be set up at E3"):
        rules.play(state, a.Deploy(20, parse_square("E3"), 4), ScriptedDice())


def test_form_square_3_the_village_taken_is_the_battle_won() -> None:
    goal = Objective(EGYPTIAN, (parse_square("G3"), parse_square("H3")))
    state = battle(
        unit(1, "british", "infantry", "G3"), unit(20, "dervish", "infantry", "H3"), objective=goal
    )
    assert ended_how(state) is None
    state.units[20].square = parse_square("H2")
    assert ended_how(state) == (EGYPTIAN, "objective")
    state.units[1].disorganised = True
    assert ended_how(state) is None
