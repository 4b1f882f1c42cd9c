"""The command of Dervishes: from cover, in mass, on several sides, horse on the wings."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats.commander.dervishes import all_go_in
from battles.books.redcoats.commander.scene import Scene
from battles.books.redcoats.field import Aspect, Terrain, aspect, distance, parse_square, towards
from battles.books.redcoats.pieces import Kind
from battles.books.redcoats.set_up import post_of
from battles.books.redcoats.state import Unit
from battles.contract import Side
from tests.redcoats_commander.positions import (
    answered,
    asked,
    british,
    dervish,
    done_by,
    osman,
    position,
)

MAHDIST = Side.MAHDIST
LINE = [british(number, f"{letter}1") for number, letter in enumerate("EFG", start=1)]


def test_the_first_to_come_up_wait_out_of_range_for_the_others() -> None:
    far = [dervish(number, f"{letter}8") for number, letter in enumerate("ABKL", start=20)]
    state = position(*LINE, dervish(10, "F6"), *far)
    done_by(state, 10, points=8)
    assert min(distance(state.units[10].square, one.square) for one in LINE) > 3


def test_they_wait_in_cover_where_there_is_some() -> None:
    far = [dervish(number, f"{letter}8") for number, letter in enumerate("ABKL", start=20)]
    state = position(*LINE, dervish(10, "F7"), *far, ground={"G5": Terrain.SCRUB})
    done_by(state, 10, points=8)
    assert state.units[10].square == parse_square("G5")


def test_when_enough_are_near_all_go_in() -> None:
    near = [dervish(number, f"{letter}6") for number, letter in enumerate("DEFGH", start=10)]
    state = position(*LINE, *near)
    assert all_go_in(Scene(state, MAHDIST))
    before = min(distance(near[2].square, one.square) for one in LINE)
    done_by(state, 12, points=6)
    assert min(distance(state.units[12].square, one.square) for one in LINE) <= before - 2


def test_nobody_waits_for_ever() -> None:
    state = position(*LINE, dervish(10, "A8"), dervish(11, "L8"))
    assert not all_go_in(Scene(state, MAHDIST))
    state.turn = 6
    assert all_go_in(Scene(state, MAHDIST))


def test_defenders_lie_in_wait_until_the_enemy_is_upon_them() -> None:
    far = position(*LINE, dervish(10, "F6"), attacker=Side.EGYPTIAN)
    assert asked(far, 10, points=6) == a.Done()
    near = position(*LINE, dervish(10, "F4"), attacker=Side.EGYPTIAN)
    assert all_go_in(Scene(near, MAHDIST))


def test_defenders_come_out_to_an_enemy_who_stays_away() -> None:
    rubs = [dervish(number, f"{letter}6") for number, letter in enumerate("EFG", start=10)]
    state = position(*LINE, *rubs, attacker=Side.EGYPTIAN)
    state.line_up = {unit.id: post_of(unit) for unit in (*LINE, *rubs)}
    state.turn = 1
    assert not all_go_in(Scene(state, MAHDIST))
    state.turn = 4
    assert all_go_in(Scene(state, MAHDIST))


def test_who_is_shot_down_where_he_lies_comes_out() -> None:
    state = position(*LINE, dervish(10, "F7"), attacker=Side.EGYPTIAN)
    state.lost.append(dervish(11, "F6", figures=0))
    assert all_go_in(Scene(state, MAHDIST))


def test_they_charge_when_they_are_close() -> None:
    state = position(british(1, "D4"), dervish(10, "D6"), dervish(11, "E6"), dervish(12, "C6"))
    assert asked(state, 10, points=6) == a.Charge(1)


def test_they_charge_who_is_easier_to_break() -> None:
    shaken = british(1, "C4", disorganised=True)
    state = position(shaken, british(2, "E4"), dervish(10, "D5"), dervish(11, "A8"))
    state.turn = 7
    assert asked(state, 10, points=8) == a.Charge(1)


@pytest.mark.parametrize(("supports", "goes"), [(1, True), (2, False)])
def test_nobody_charges_where_he_is_sure_to_be_beaten(supports: int, goes: bool) -> None:
    behind = [british(number, square) for number, square in ((2, "D3"), (3, "C3"))][:supports]
    host = [dervish(number, f"{letter}8") for number, letter in enumerate("ABC", start=20)]
    state = position(british(1, "D4"), *behind, dervish(10, "D5"), *host)
    state.turn = 7
    state.units[10].figures = 3
    assert isinstance(asked(state, 10, points=6), a.Charge) is goes


def test_rifles_fire_before_they_charge() -> None:
    state = position(british(1, "D4"), dervish(10, "D5", armed=True), dervish(11, "E6"))
    assert asked(state, 10, points=6) == a.Fire(1, 10)


def test_rifles_with_few_points_charge_at_once() -> None:
    state = position(british(1, "D4"), dervish(10, "D5", armed=True), dervish(11, "E6"))
    assert asked(state, 10, points=3) == a.Charge(1)


def test_horse_goes_round_to_flank_or_rear() -> None:
    state = position(british(1, "F3"), dervish(10, "I5", "W", kind=Kind.CAVALRY))
    state.turn = 7
    actions = done_by(state, 10, points=5)
    square = state.units[10].square
    charged = isinstance(actions[-1], a.Charge)
    assert charged or aspect(parse_square("F3"), 4, square) is not Aspect.FRONT


def test_who_comes_up_goes_where_few_have_gone() -> None:
    crowd = [dervish(number, square) for number, square in enumerate(("E7", "F7", "G7"), start=20)]
    state = position(british(1, "F2"), *crowd, dervish(10, "I7"), *_far_away())
    done_by(state, 10, points=8)
    assert towards(parse_square("F2"), state.units[10].square) != 4


def test_dervishes_pursue_whom_they_have_driven() -> None:
    state = position(british(1, "D4"), dervish(10, "D6"))
    state.question = q.ToPursue(MAHDIST, 10, 1)
    assert answered(state) == a.Pursue()


def test_a_leader_on_his_own_rides_to_his_men() -> None:
    state = position(*LINE, dervish(10, "F7"), dervish(11, "G7"), leaders=[osman(30, "C8")])
    done_by(state, 30, points=12)
    assert state.leaders[30].square in (parse_square("F7"), parse_square("G7"))


def _far_away() -> list[Unit]:
    return [dervish(number, f"A{row}") for number, row in ((40, 8), (41, 7), (42, 6), (43, 5))]
