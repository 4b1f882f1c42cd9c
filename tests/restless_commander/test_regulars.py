"""The computer's command of British troops: in line, by fire, in square when beset."""

from typing import Any

import pytest
from msgspec.structs import replace

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander.plans import plan_for_goal
from battles.books.restless_natives.commander.regulars import CHARGING, beset
from battles.books.restless_natives.commander.scene import Scene, scene_of
from battles.books.restless_natives.commander.weighing import REST, Deed
from battles.books.restless_natives.pieces import Exit, Hold, Kind, Special, Weapon
from battles.books.restless_natives.state import State, Unit
from battles.contract import Side
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import bearing_between, between
from tests.restless.field import (
    BRITISH_CHIEF,
    EAST,
    INCH,
    SOUTH,
    SUBORDINATE,
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
HORSE: dict[str, Any] = {"kind": Kind.CAVALRY, "weapon": Weapon.NONE}
SUPPLY: dict[str, Any] = {
    "kind": Kind.TRANSPORT,
    "weapon": Weapon.NONE,
    "stands": 3,
    "formation": TableFormation.MARCH_COLUMN,
}


def test_who_has_the_enemy_in_range_fires_twice() -> None:
    state = position(british(1, at(24, 25)), natives(11, at(24, 15)))
    assert commanded(state, Side.EGYPTIAN) == a.Activate(1)
    assert asked(state, 1) == a.Fire((11,), 2)


def test_fire_goes_first_to_those_who_are_about_to_go_in() -> None:
    near, far = natives(11, at(20, 17)), natives(12, at(28, 14))
    state = position(british(1, at(24, 25)), near, far)
    assert asked(state, 1).targets[0] == 11


def test_fire_goes_to_those_in_the_open_before_those_in_cover() -> None:
    rocks = block(TableTerrain.ROCKS, 17, 12, 23, 18)
    covered, open_ = natives(11, at(20, 16)), natives(12, at(28, 16))
    state = position(british(1, at(24, 25)), covered, open_, field=table(rocks))
    assert asked(state, 1).targets[0] == 12


def test_who_is_threatened_from_the_flank_turns_and_fires() -> None:
    state = position(british(1, at(24, 18)), natives(11, at(34, 18), facing=270))
    move = thrown(state, 1, 3)
    assert move == a.Move((), EAST)


def test_who_is_beset_on_three_sides_forms_square() -> None:
    round_about = [
        natives(11, at(24, 10)),
        natives(12, at(32, 18), facing=270),
        natives(13, at(16, 18), facing=EAST),
    ]
    state = position(british(1, at(24, 18)), *round_about)
    assert beset(Scene(state, Side.EGYPTIAN), state.units[1]) == 3
    assert asked(state, 1) == a.Form(TableFormation.SQUARE)


def test_a_square_that_nobody_threatens_forms_line_again() -> None:
    square = british(1, at(24, 30), formation=TableFormation.SQUARE)
    state = position(square, natives(11, at(24, 2)))
    assert asked(state, 1) == a.Form(TableFormation.LINE)


def test_who_can_fire_does_not_go_in_with_the_bayonet() -> None:
    state = position(british(1, at(24, 25)), natives(11, at(24, 20), stands=2, full=6))
    assert asked(state, 1) == a.Fire((11,), 2)


def test_horse_without_carbines_goes_in_against_guns() -> None:
    gun = natives(11, at(24, 20), kind=Kind.ARTILLERY, weapon=Weapon.SMOOTHBORE, **GUN)
    state = position(british(1, at(24, 25), **HORSE), gun)
    assert thrown(state, 1, 4) == a.Charge(11)


def test_attackers_go_on_together_the_hindmost_first() -> None:
    ahead, behind = british(1, at(16, 22)), british(2, at(32, 30))
    state = position(ahead, behind, natives(11, at(24, 3)), attacker=Side.EGYPTIAN)
    assert commanded(state, Side.EGYPTIAN) == a.Activate(2)


def test_attackers_halt_within_range_and_no_nearer() -> None:
    state = position(british(1, at(24, 20)), natives(11, at(24, 5)), attacker=Side.EGYPTIAN)
    move = thrown(state, 1, 6)
    assert move.path[-1].y >= at(24, 5).y + 11 * INCH


IN_WORKS: dict[str, Any] = {
    "weapon": Weapon.SINGLE_SHOT,
    "formation": TableFormation.LINE,
    "stands": 2,
}


def _works(*units: Unit, turn: int) -> State:
    """Return an attack on a village, with the card of that number turned over."""
    village = block(TableTerrain.BUILDINGS, 20, 4, 28, 12)
    state = position(*units, attacker=Side.EGYPTIAN, field=table(village))
    state.turn = turn
    return lined_up(state)


def test_an_enemy_who_stays_in_his_works_is_closed_with() -> None:
    units = british(1, at(24, 20), stands=3), natives(11, at(24, 11), **IN_WORKS)
    assert asked(_works(*units, turn=1), 1) == a.Fire((11,), 2)
    move = thrown(_works(*units, turn=40), 1, 4)
    assert isinstance(move, a.Move)
    state = _works(*units, turn=40)
    far = scene_of(state, Side.EGYPTIAN).to_foe(move.path[-1])
    assert CHARGING - INCH < far <= CHARGING + INCH


def test_an_enemy_who_comes_on_is_shot_at_from_where_one_is() -> None:
    state = _works(british(1, at(24, 20), stands=3), natives(11, at(24, 11), **IN_WORKS), turn=40)
    state.line_up[11] = replace(state.line_up[11], at=at(24, 6))
    assert asked(state, 1) == a.Fire((11,), 2)


def test_who_has_closed_with_an_enemy_in_his_works_goes_in_where_that_is_worth_more() -> None:
    units = british(1, at(24, 15), stands=3), natives(11, at(24, 11), **IN_WORKS)
    assert asked(_works(*units, turn=1), 1) == a.Fire((11,), 2)
    assert thrown(_works(*units, turn=40), 1, 4) == a.Charge(11)


def test_nobody_closes_with_an_enemy_at_whom_a_charge_is_not_worth_it() -> None:
    state = _works(british(1, at(24, 20), stands=3), natives(11, at(24, 11)), turn=40)
    assert asked(state, 1) == a.Fire((11,), 2)


def test_nobody_marches_into_a_village_past_an_enemy_who_is_near() -> None:
    village = block(TableTerrain.BUILDINGS, 20, 4, 28, 12)
    goal = Hold(Side.EGYPTIAN, (village.points,))
    state = position(
        british(1, at(24, 17)),
        natives(11, at(14, 10)),
        attacker=Side.EGYPTIAN,
        field=table(village),
        goal=goal,
    )
    scene = scene_of(state, Side.EGYPTIAN)
    assert plan_for_goal(scene, state.units[1]) == REST
    state.units[11].at = at(14, 34)
    state.__dict__.clear()
    state.units[1].at = at(40, 10)
    scene = scene_of(state, Side.EGYPTIAN)
    assert plan_for_goal(scene, state.units[1]).deed is Deed.MARCH


def test_defenders_stand_where_they_are() -> None:
    state = position(british(1, at(24, 33)), natives(11, at(24, 3)))
    assert commanded(state, Side.EGYPTIAN) == a.Done()


def test_guns_do_not_go_before_the_foot() -> None:
    gun = british(2, at(20, 30), kind=Kind.MACHINE_GUNS, weapon=Weapon.MACHINE_GUNS, **GUN)
    state = position(british(1, at(26, 30)), gun, natives(11, at(24, 5)), attacker=Side.EGYPTIAN)
    move = thrown(state, 2, 6, 6)
    assert isinstance(move, a.Move | a.Done)
    ends = move.path[-1].y if isinstance(move, a.Move) and move.path else at(20, 30).y
    assert ends >= at(0, 28).y


def test_the_train_stays_behind() -> None:
    train = british(2, at(24, 31), **SUPPLY)
    state = position(british(1, at(24, 26)), train, natives(11, at(24, 16)))
    assert commanded(state, Side.EGYPTIAN) == a.Activate(1)
    assert asked(state, 2) == a.Done()


def test_firepower_is_laid_down_where_a_whole_battalion_fires() -> None:
    state = position(british(1, at(24, 25)), natives(11, at(24, 15)))
    state.commanders[BRITISH_CHIEF].hand = [Special.FIREPOWER, Special.FIREPOWER_2]
    assert asked(state, 1) == a.PlayCard(Special.FIREPOWER_2)


def test_firepower_is_kept_by_a_single_gun() -> None:
    gun = british(1, at(24, 25), kind=Kind.ARTILLERY, weapon=Weapon.RIFLED, **GUN)
    state = position(gun, natives(11, at(24, 15)))
    state.commanders[BRITISH_CHIEF].hand = [Special.FIREPOWER]
    assert asked(state, 1) == a.Fire((11,), 2)


def test_the_initiative_passes_to_whose_unit_can_do_most() -> None:
    near = british(2, at(30, 25), command=SUBORDINATE)
    state = position(british(1, at(6, 34)), near, natives(11, at(30, 15)))
    assert commanded(state, Side.EGYPTIAN) == a.PassOn(SUBORDINATE)


def test_a_village_to_be_taken_is_marched_for() -> None:
    village = block(TableTerrain.BUILDINGS, 4, 4, 10, 9)
    state = position(
        british(1, at(10, 16), facing=SOUTH),
        natives(11, at(44, 33)),
        attacker=Side.EGYPTIAN,
        field=table(village),
        goal=Hold(Side.EGYPTIAN, (village.points,)),
    )
    start = state.units[1].at
    move = thrown(state, 1, 6, 6)
    assert between(bearing_between(start, move.path[-1]), bearing_between(start, at(7, 6.5))) <= 30


def test_the_way_out_is_taken_by_who_has_reached_it() -> None:
    exit_ = Exit(Side.EGYPTIAN, (at(42, 0), at(48, 0), at(48, 6), at(42, 6)))
    state = position(
        british(1, at(45, 4)), natives(11, at(4, 33)), attacker=Side.EGYPTIAN, goal=exit_
    )
    assert thrown(state, 1, 1, 1) == a.Leave()


@pytest.mark.parametrize("side", list(Side))
def test_who_has_nobody_before_him_has_nothing_to_do(side: Side) -> None:
    mine = british(1, at(24, 20)) if side is Side.EGYPTIAN else natives(11, at(24, 20))
    state = position(mine, attacker=side)
    assert commanded(state, side) == a.Done()
    assert answered(state) == a.Done()
