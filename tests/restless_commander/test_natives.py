"""The computer's command of Natives: in mass, together, from more than one side."""

from typing import Any

import pytest
from msgspec.structs import replace

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander.natives import all_go_in
from battles.books.restless_natives.commander.scene import ASSEMBLY, Scene, scene_of
from battles.books.restless_natives.pieces import Hold, Kind, Special, Weapon
from battles.books.restless_natives.state import Contact
from battles.contract import Side
from battles.contract.set_up import ToSetUp
from battles.tabletop.deployment import contains
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stand, bearing_between, between, distance
from tests.restless.field import (
    INCH,
    NATIVE_CHIEF,
    NORTH,
    SOUTH,
    act,
    at,
    block,
    british,
    natives,
    table,
)
from tests.restless_commander.positions import (
    answered,
    asked,
    commanded,
    lined_up,
    position,
    thrown,
)

GUN: dict[str, Any] = {"stands": 1, "formation": TableFormation.LINE}
RIFLES: dict[str, Any] = {"weapon": Weapon.SINGLE_SHOT}


def test_who_reaches_the_enemy_goes_in() -> None:
    state = position(british(1, at(24, 20)), natives(11, at(24, 14)))
    assert commanded(state, Side.MAHDIST) == a.Activate(11)
    assert thrown(state, 11, 4, 4, 4) == a.Charge(1)


def test_who_does_not_reach_him_comes_as_near_as_he_can() -> None:
    state = position(british(1, at(24, 20)), natives(11, at(24, 11)))
    move = thrown(state, 11, 1, 1, 2)
    assert isinstance(move, a.Move)
    assert move.path[-1].y > at(24, 11).y + 2 * INCH


def test_he_goes_in_where_he_can_win_most() -> None:
    gun = british(2, at(34, 20), kind=Kind.ARTILLERY, weapon=Weapon.RIFLED, **GUN)
    weak = british(3, at(14, 20), stands=1, full=4)
    state = position(british(1, at(24, 20), stands=6), gun, weak, natives(11, at(24, 14), stands=3))
    charge = thrown(state, 11, 6, 6, 6)
    assert charge in (a.Charge(2), a.Charge(3))


def test_few_who_are_near_wait_for_the_others() -> None:
    far = [natives(number, at(6 * number - 60, 3)) for number in (12, 13, 14)]
    state = position(british(1, at(24, 33)), natives(11, at(24, 18)), *far)
    assert not all_go_in(Scene(state, Side.MAHDIST))
    waiting = commanded(state, Side.MAHDIST)
    assert waiting.unit in (12, 13, 14)
    move = thrown(state, waiting.unit, 6, 6, 6, 6, 6, 6)
    assert distance(move.path[-1], state.units[1].at) >= ASSEMBLY


def test_when_enough_are_near_they_all_go_in() -> None:
    near = [natives(number, at(12 * number - 126, 16)) for number in (11, 12, 13)]
    state = position(british(1, at(24, 33)), *near)
    assert all_go_in(Scene(state, Side.MAHDIST))


def test_who_holds_lies_still_until_men_are_shot_where_they_lie() -> None:
    state = position(british(1, at(24, 33)), natives(11, at(24, 5)), attacker=Side.EGYPTIAN)
    assert commanded(state, Side.MAHDIST) == a.Done()
    state.units[11].stands -= 1
    state.__dict__.clear()
    assert commanded(state, Side.MAHDIST) == a.Activate(11)


def test_who_holds_goes_out_at_an_enemy_who_stays_away() -> None:
    units = british(1, at(24, 33)), natives(11, at(24, 5))
    state = lined_up(position(*units, attacker=Side.EGYPTIAN))
    assert commanded(state, Side.MAHDIST) == a.Done()
    state.turn = 20
    assert commanded(state, Side.MAHDIST) == a.Activate(11)
    state.line_up[1] = replace(state.line_up[1], at=at(24, 35))
    state.__dict__.clear()
    assert commanded(state, Side.MAHDIST) == a.Done()


@pytest.mark.parametrize(("stands", "goes"), [(1, False), (2, True)])
def test_who_holds_does_not_go_out_at_more_than_twice_his_number(stands: int, goes: bool) -> None:
    few = natives(11, at(24, 5), stands=stands)
    state = lined_up(position(british(1, at(24, 33)), few, attacker=Side.EGYPTIAN))
    state.turn = 20
    assert (commanded(state, Side.MAHDIST) == a.Activate(11)) is goes


def test_riflemen_come_just_within_their_range() -> None:
    far = natives(11, at(24, 11), stands=2, **RIFLES)
    state = position(british(1, at(24, 25), SOUTH, stands=6), far)
    scene = scene_of(state, Side.MAHDIST)
    assert scene.to_foe(far.at) > 12 * INCH
    move = thrown(state, 11, 5, 4, 2)
    assert scene.to_foe(move.path[-1]) == pytest.approx(11 * INCH, abs=2)


def test_a_single_stand_of_riflemen_fires() -> None:
    one = natives(11, at(24, 14), stands=1, **RIFLES)
    assert asked(position(british(1, at(24, 25)), one), 11) == a.Form(TableFormation.LINE)


def test_riflemen_keep_their_distance_and_fire() -> None:
    state = position(
        british(1, at(24, 25)), natives(11, at(24, 14), formation=TableFormation.LINE, **RIFLES)
    )
    assert asked(state, 11) == a.Fire((1,), 2)


def test_riflemen_in_a_mass_form_line_to_fire() -> None:
    state = position(british(1, at(24, 25)), natives(11, at(24, 14), **RIFLES))
    assert asked(state, 11) == a.Form(TableFormation.LINE)


def test_riflemen_who_are_far_off_come_up_in_a_mass() -> None:
    far = natives(11, at(24, 3), formation=TableFormation.LINE, **RIFLES)
    assert asked(position(british(1, at(24, 33)), far), 11) == a.Form(TableFormation.MASS)


def test_horse_goes_round_the_front_of_those_who_fire() -> None:
    horse = natives(11, at(24, 3), kind=Kind.CAVALRY, stands=4)
    foot = [natives(number, at(10 * number - 110, 2)) for number in (12, 13, 14)]
    line = british(1, at(24, 20), stands=6)
    move = thrown(position(line, horse, *foot), 11, 4, 4, 4, 4)
    assert isinstance(move, a.Move)
    assert between(bearing_between(line.at, move.path[-1]), NORTH) > 20


def test_a_card_for_movement_gets_them_there() -> None:
    state = position(british(1, at(24, 24)), natives(11, at(24, 10.5)))
    state.commanders[NATIVE_CHIEF].hand = [Special.MOVEMENT_2, Special.COMBAT]
    assert asked(state, 11) == a.PlayCard(Special.MOVEMENT_2)


def test_a_card_for_close_combat_is_laid_down_by_who_is_sure_to_get_there() -> None:
    state = position(british(1, at(24, 20)), natives(11, at(24, 15)))
    state.commanders[NATIVE_CHIEF].hand = [Special.MOVEMENT_2, Special.COMBAT]
    assert asked(state, 11) == a.PlayCard(Special.COMBAT)
    assert isinstance(asked(state, 11, Special.COMBAT), a.March)


def test_hard_luck_is_got_rid_of_for_another_card() -> None:
    state = position(british(1, at(24, 30)), natives(11, at(24, 5)))
    hand = state.commanders[NATIVE_CHIEF].hand
    hand += [Special.HARD_LUCK, Special.FIREPOWER]
    assert asked(state, 11) == a.PlayCard(Special.HARD_LUCK)


def test_who_has_run_is_rallied_when_that_is_worth_most() -> None:
    state = position(british(1, at(24, 33)), natives(11, at(24, 19)), natives(12, at(24, 1)))
    state.away[12] = state.units.pop(12)
    state.commanders[NATIVE_CHIEF].hand = [Special.RALLY]
    assert commanded(state, Side.MAHDIST) == a.Rally(12)


def test_who_is_engaged_fights_on() -> None:
    state = position(british(1, at(24, 20), stands=2), natives(11, at(24, 19.41)))
    state.contacts = [Contact(11, 1)]
    assert asked(state, 11) == a.Fight(1)


def test_a_village_is_not_left_by_who_keeps_it() -> None:
    village = block(TableTerrain.BUILDINGS, 20, 4, 28, 9)
    state = position(
        british(1, at(24, 33)),
        natives(11, at(24, 7)),
        attacker=Side.EGYPTIAN,
        field=table(village),
        goal=Hold(Side.EGYPTIAN, (village.points,)),
    )
    state.units[11].stands -= 1
    assert commanded(state, Side.MAHDIST) == a.Done()


def test_the_line_up_is_planned_from_the_layout_wherever_units_have_been_placed() -> None:
    village = block(TableTerrain.BUILDINGS, 20, 8, 28, 14)
    state = position(
        british(1, at(24, 33)),
        natives(11, at(24, 5)),
        attacker=Side.EGYPTIAN,
        field=table(village),
        goal=Hold(Side.EGYPTIAN, (village.points,)),
        zones={Side.MAHDIST: (block(TableTerrain.HILL, 0, 0, 48, 16).points,)},
    )
    state.question = ToSetUp(Side.MAHDIST)
    first = answered(state)
    assert isinstance(first, a.Deploy)
    assert contains(village.points, (Stand(*first.at, 0, 1, 1),))
    act(state, a.Deploy(11, at(26, 11), SOUTH, TableFormation.MASS))
    assert answered(state) == first
