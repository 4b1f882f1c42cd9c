"""Action points: which dice, what they are spent on, and what is lost."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import movement, offers
from battles.books.redcoats.activation import foreseen
from battles.books.redcoats.book import book
from battles.books.redcoats.events import Fired
from battles.books.redcoats.field import parse_square
from battles.books.redcoats.form_answers import list_attempts
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import Activation, State
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from battles.turn_form import QuestionKind
from tests.redcoats.field import EGYPTIAN, act, acts, battle, kinds, leader, thrown, unit
from tests.redcoats.test_formations import square


def in_range(number: int, troops: str, kind: str, **more: Any) -> State:
    enemy = "british" if troops == "dervish" else "dervish"
    return battle(
        unit(number, troops, kind, "D5", "N", **more), unit(90, enemy, "infantry", "D4", "S")
    )


def declared(state: State, *actions: a.Deed) -> None:
    for action in actions:
        rules.play(state, action, ScriptedDice())


def test_action_points_example_1_two_points_fire_once_or_move_not_both() -> None:
    state = in_range(1, "sudanese", "infantry")
    outcome = thrown(state, 1, 2)
    assert outcome.rolls[0].sides == 6
    act(state, a.Fire(90), 6)
    assert state.question is None
    state = in_range(1, "sudanese", "infantry")
    state.units[90].square = parse_square("D3")
    thrown(state, 1, 2)
    act(state, a.Move((parse_square("D4"),), 0))
    assert state.question is None


def test_action_points_example_2_a_deployed_battery_fires_twice() -> None:
    state = in_range(20, "dervish", "artillery", full=1)
    assert thrown(state, 20, 5).rolls[0].sides == 8
    declared(state, a.Fire(90), a.Fire(90))
    ahead = foreseen(state).acting
    assert ahead is not None
    assert movement.points_left(ahead) == 1
    acts(state, a.Move((), 2), faces=(8, 8))
    assert state.question is None


def test_action_points_example_2_or_once_and_moves_with_the_other_three() -> None:
    state = in_range(20, "dervish", "artillery", full=1)
    thrown(state, 20, 5)
    declared(state, a.Fire(90))
    ahead = foreseen(state).acting
    assert ahead is not None
    assert movement.movement_left(ahead) == 3
    acts(state, a.Move((parse_square("C5"),), 6), faces=(8,))
    assert state.units[20].square == parse_square("C5")


def test_action_points_example_2_or_moves() -> None:
    state = in_range(20, "dervish", "artillery", full=1)
    thrown(state, 20, 5)
    act(state, a.Move((parse_square("C5"),), 6))
    assert state.units[20].square == parse_square("C5")


def brigade(score: int) -> State:
    state = square(unit(20, "dervish", "infantry", "E3", "S"), cavalry=False)
    state.units[20].square = parse_square("E3")
    state.queue, state.queue_leader = [1, 2, 3, 4, 5, 6], 40
    assert thrown(state, 1, score).rolls[0].sides == 6
    return state


def test_action_points_example_3_a_brigade_fires_for_two_points_and_moves_with_one() -> None:
    state = brigade(3)
    declared(state, a.Fire(20, 1), a.Fire(20, 5))
    ahead = foreseen(state).acting
    assert ahead is not None
    assert movement.movement_left(ahead) == 1
    outcome = acts(state, a.Move((), 2), faces=(6, 6))
    assert [one.cost for one in outcome.events if isinstance(one, Fired)] == [2, 0]
    assert state.brigades[1].facing == 2


def test_action_points_example_3_or_moves() -> None:
    state = brigade(3)
    state.units[20].square = parse_square("A1")
    act(state, a.Move((parse_square("D4"),), 0))
    assert state.units[1].square == parse_square("E4")


@pytest.mark.parametrize(
    ("troops", "kind", "faces"),
    [
        ("british", "infantry", 6),
        ("egyptian", "artillery", 6),
        ("british", "cavalry", 12),
        ("egyptian", "camelry", 12),
        ("dervish", "infantry", 8),
        ("dervish", "machine gun", 8),
        ("dervish", "cavalry", 12),
        ("dervish", "camelry", 12),
        ("british", "transport", 6),
    ],
)
def test_action_points_1_dice(troops: str, kind: str, faces: int) -> None:
    assert book().faces("action points", unit(1, troops, kind, "D5")) == faces


def test_action_points_1_dismounted_camelry_throws_as_infantry_and_leaders_a_d12() -> None:
    on_foot = unit(1, "british", "camelry", "D5", dismounted=True)
    assert book().faces("action points", on_foot) == 6
    state = battle(leader(40, "british", "D5"))
    assert thrown(state, 40, 12).rolls[0].sides == 12


def test_action_points_2_points_are_spent_on_moving_and_firing_alike() -> None:
    current = Activation([1], 5, bonus=2, moved=3, spent=2)
    assert (movement.movement_left(current), movement.points_left(current)) == (2, 2)


def test_action_points_2_what_a_formation_takes_is_not_taken_from_one_that_fires() -> None:
    current = Activation([1], 4, loss=1)
    assert movement.movement_left(current) == 3
    current.fired, current.spent = ["1"], 2
    assert movement.movement_left(current) == 2


def test_action_points_3_firing_costs_two() -> None:
    state = in_range(1, "british", "infantry")
    thrown(state, 1, 1)
    assert state.acting is not None
    assert list(offers.shots(state)) == []


def test_action_points_4_other_units_fire_once() -> None:
    state = in_range(1, "british", "infantry")
    thrown(state, 1, 6)
    declared(state, a.Fire(90))
    with pytest.raises(IllegalAction, match="has fired as often as it may in this turn"):
        rules.play(state, a.Fire(90), ScriptedDice())


def test_action_points_5_the_throw_is_known_before_anything_is_declared() -> None:
    state = in_range(1, "british", "infantry")
    assert kinds(thrown(state, 1, 4)) == ["Activated"]
    assert state.acting is not None
    assert state.acting.points == 4


def test_action_points_5_nothing_is_done_before_all_is_declared() -> None:
    state = in_range(1, "british", "infantry")
    thrown(state, 1, 6)
    outcome = rules.play(state, a.Fire(90), ScriptedDice())
    assert kinds(outcome)[0] == "Declared"
    assert outcome.rolls == ()
    outcome = rules.play(state, a.Move((), 2), ScriptedDice())
    assert state.units[1].facing == 0
    outcome = rules.play(state, a.Done(), ScriptedDice(6))
    assert kinds(outcome)[:3] == ["Fired", "Moved", "ActivationEnded"]


def test_action_points_5_nobody_fires_and_then_charges_those_he_disorganised() -> None:
    state = battle(
        unit(1, "british", "infantry", "D5"),
        unit(90, "dervish", "infantry", "D4", "S", disorganised=False),
    )
    thrown(state, 1, 6)
    declared(state, a.Fire(90))
    with pytest.raises(IllegalAction, match="only in flank or rear"):
        rules.play(state, a.Charge(90), ScriptedDice())
    acts(state, faces=(1,))
    assert state.units[90].disorganised
    assert state.acting is None


def test_action_points_5_who_declares_fire_and_charge_charges_without_a_hit() -> None:
    state = battle(unit(90, "dervish", "infantry", "D4", "S"), unit(1, "british", "infantry", "D5"))
    thrown(state, 90, 8)
    declared(state, a.Fire(1))
    outcome = rules.play(state, a.Charge(1), ScriptedDice(8, 1, 6))
    assert kinds(outcome)[:2] == ["Declared", "Fired"]
    assert "ChargeJudged" in kinds(outcome)


def test_action_points_5_what_has_become_impossible_is_left_out() -> None:
    state = battle(
        unit(20, "dervish", "artillery", "D5", "S", full=1),
        unit(1, "british", "infantry", "D7", figures=1, disorganised=True),
        unit(2, "british", "infantry", "A1"),
    )
    thrown(state, 20, 8)
    declared(state, a.Fire(1))
    outcome = acts(state, a.Fire(1), faces=(1,))
    assert kinds(outcome)[-2:] == ["Forgone", "ActivationEnded"]


def test_action_points_6_unused_points_are_lost() -> None:
    state = in_range(1, "british", "infantry")
    thrown(state, 1, 6)
    act(state, a.Done())
    assert state.acting is None


def test_action_points_are_never_less_than_none() -> None:
    assert movement.points(1, unit(1, "gendarmerie", "infantry", "D5")) == 0


def test_what_a_unit_looks_for_is_seen_from_where_its_plan_leaves_it() -> None:
    state = in_range(1, "sudanese", "infantry")
    state.units[90].square = parse_square("D2")
    thrown(state, 1, 5)
    declared(state, a.Move((parse_square("D4"),), 0))
    looked_for = dict(list_attempts(state, EGYPTIAN, 1))
    assert looked_for[QuestionKind.GO] == a.Move((parse_square("D3"),), 0)
