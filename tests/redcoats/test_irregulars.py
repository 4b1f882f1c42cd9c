"""Bashi-Bazouks, Bazingers and the Egyptian Gendarmerie."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import casualties, charging, hand_to_hand, movement, sequence
from battles.books.redcoats.book import book
from battles.books.redcoats.field import Aspect, parse_square
from battles.books.redcoats.pieces import Formation, Style, Troops
from battles.books.redcoats.state import Combat, State
from tests.redcoats.field import MAHDIST, RED, act, activated, battle, on, thrown, unit

IRREGULARS = ("bashi-bazouks", "gendarmerie")


def test_bashi_bazouks_example() -> None:
    one = unit(1, "bashi-bazouks", "cavalry", "D5", "N")
    assert not sequence.becomes_impetuous(one, RED, 1)
    state = battle(one, unit(20, "dervish", "cavalry", "D3", "S"))
    outcome = thrown(state, 1, 2)
    assert (outcome.rolls[0].sides, outcome.rolls[0].total) == (12, 0)
    assert state.acting is None
    activated(state, 20, 8)
    outcome = act(state, a.Charge(1), 5, 2)
    assert [roll.total for roll in outcome.rolls] == [10, 2]
    assert charging.outcome(10, 2, disorganised=True).difference == 8
    one = state.units[1]
    assert (one.figures, one.disorganised, one.square) == (2, True, parse_square("D7"))
    assert state.question == q.ToPursue(MAHDIST, 20, 1)
    act(state, a.Pursue())
    assert state.units[20].square == parse_square("D6")


def test_bashi_bazouks_1_never_impetuous() -> None:
    assert not sequence.becomes_impetuous(unit(1, "bashi-bazouks", "cavalry", "D5"), RED, 1)
    assert sequence.becomes_impetuous(unit(1, "egyptian", "cavalry", "D5"), RED, 1)


def test_bashi_bazouks_2_as_dervish_cavalry_with_dervish_firearms() -> None:
    one = unit(1, "bashi-bazouks", "cavalry", "D5")
    assert book().style(one.troops) is Style.DERVISH
    assert (casualties.weapon_range(one), book().faces("fire", one)) == (1, 12)
    assert one.formation is Formation.EN_MASSE


@pytest.mark.parametrize(("score", "points"), [(1, 0), (2, 0), (3, 1), (12, 10)])
def test_bashi_bazouks_3_two_off_every_throw(score: int, points: int) -> None:
    assert movement.points(score, unit(1, "bashi-bazouks", "cavalry", "D5")) == points


def shaken(troops: str) -> State:
    state = battle(unit(1, troops, "infantry", "D5"), unit(20, "dervish", "infantry", "D4", "S"))
    return activated(state, 20, 8)


def test_bashi_bazouks_4_they_fight_as_if_disorganised() -> None:
    state = shaken("bashi-bazouks")
    state.units[20].square = parse_square("D5")
    state.combats = [Combat(20, 1, Aspect.FRONT, 0)]
    ledger = on(state, 1, 3)
    hand_to_hand.fight_combat(ledger, 20, 1)
    assert [roll.total for roll in ledger.rolls] == [5, 5]


def test_bashi_bazouks_5_they_add_nothing_when_charged() -> None:
    attack = charging.charges(shaken("bashi-bazouks"), shaken("bashi-bazouks").units[20], 8)[0]
    assert (attack.plus, attack.against) == (5, 0)


def test_bazingers_1_as_dervish_infantry_with_dervish_firearms() -> None:
    one = unit(1, "bazingers", "infantry", "D5")
    assert book().faces("action points", one) == book().faces("fire", one) == 8
    assert casualties.weapon_range(one) == 1
    assert not charging.is_shaken(one)


def test_egyptian_gendarmerie_example_1() -> None:
    state = battle(unit(1, "gendarmerie", "infantry", "D5"))
    outcome = thrown(state, 1, 4)
    assert (outcome.rolls[0].sides, outcome.rolls[0].total) == (8, 1)
    assert state.acting is not None
    assert state.acting.points == 1


def test_egyptian_gendarmerie_example_2() -> None:
    state = battle(unit(1, "gendarmerie", "infantry", "D5"), unit(20, "dervish", "cavalry", "D4"))
    activated(state, 1, 2)
    outcome = act(state, a.Fire(20), 8)
    assert (outcome.rolls[0].sides, outcome.rolls[0].result) == (8, "miss")
    assert not state.units[20].disorganised


def test_gendarmerie_1_as_dervish_infantry() -> None:
    assert book().troops(Troops.GENDARMERIE).style is Style.DERVISH
    assert casualties.weapon_range(unit(1, "gendarmerie", "infantry", "D5")) == 1


def test_gendarmerie_2_three_off_every_throw() -> None:
    assert movement.points(3, unit(1, "gendarmerie", "infantry", "D5")) == 0


def test_gendarmerie_3_shaken() -> None:
    assert charging.is_shaken(unit(1, "gendarmerie", "infantry", "D5"))
    regular = unit(2, "egyptian", "infantry", "D5")
    assert not charging.is_shaken(regular)


def test_gendarmerie_4_they_add_nothing_when_charged() -> None:
    state = shaken("gendarmerie")
    outcome = act(state, a.Charge(1), 1, 6)
    assert [roll.total for roll in outcome.rolls] == [6, 6]
