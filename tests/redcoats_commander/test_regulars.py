"""The command of Anglo-Egyptians: line or square, fire, guns behind the foot, no mad charges."""

import pytest
from msgspec.structs import replace

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import in_cover
from battles.books.redcoats.commander.boldness import is_bold, presses
from battles.books.redcoats.commander.scene import view_of
from battles.books.redcoats.field import (
    Aspect,
    Edge,
    Obstacle,
    Terrain,
    aspect,
    distance,
    parse_square,
)
from battles.books.redcoats.pieces import Formation, Kind, Troops
from battles.books.redcoats.play import rules
from battles.books.redcoats.set_up import post_of
from battles.contract import Side
from battles.core.dice import PACK
from tests.redcoats_commander.positions import (
    NoDice,
    answered,
    asked,
    british,
    dervish,
    done_by,
    graham,
    in_brigade,
    position,
)

EGYPTIAN = Side.EGYPTIAN


def test_egyptians_do_not_charge_steady_dervishes() -> None:
    state = position(
        british(1, "D4", kind=Kind.CAVALRY), dervish(2, "D5"), dervish(3, "F5"), attacker=EGYPTIAN
    )
    assert not isinstance(asked(state, 1, points=12), a.Charge)


def test_cavalry_rides_down_a_rub_that_is_shaken_and_alone() -> None:
    shaken = dervish(2, "D6", figures=1, disorganised=True)
    state = position(british(1, "D4", kind=Kind.CAVALRY), shaken)
    assert asked(state, 1, points=5) == a.Charge(2)


def test_who_charges_the_shaken_fires_first_with_points_for_both() -> None:
    shaken = dervish(2, "D6", figures=1, disorganised=True)
    state = position(british(1, "D4", kind=Kind.CAVALRY), shaken)
    assert asked(state, 1, points=6) == a.Fire(2, 1)
    rules.play(state, a.Fire(2, 1), NoDice())
    assert answered(state) == a.Charge(2)


def test_nobody_rides_at_the_shaken_into_the_midst_of_steady_men() -> None:
    shaken = dervish(2, "D6", figures=3, disorganised=True)
    steady = [dervish(3, "C6"), dervish(4, "E6"), dervish(5, "D7")]
    state = position(british(1, "D4", kind=Kind.CAVALRY), shaken, *steady)
    assert not isinstance(asked(state, 1, points=12), a.Charge)


def test_infantry_fires_at_who_has_yet_to_come_on() -> None:
    state = position(british(1, "D4"), dervish(2, "D6"), dervish(3, "C5", disorganised=True))
    state.cards = {2: PACK[20]}
    assert asked(state, 1) == a.Fire(2, 1)


def test_infantry_kills_the_shaken_rather_than_shake_who_has_acted_already() -> None:
    state = position(british(1, "D4"), dervish(2, "D6"), dervish(3, "C5", disorganised=True))
    assert asked(state, 1) == a.Fire(3, 1)


def test_infantry_finishes_who_is_shaken_when_nobody_else_is_there() -> None:
    state = position(british(1, "D4"), dervish(3, "D6", disorganised=True, figures=1))
    assert asked(state, 1, points=3) == a.Fire(3, 1)


def test_who_stands_still_is_shot_down_unit_by_unit() -> None:
    small, fresh = dervish(2, "C6", figures=2), dervish(3, "E6")
    state = position(british(1, "D4"), small, fresh, attacker=EGYPTIAN)
    state.cards = {3: PACK[20]}
    state.turn = 8
    assert is_bold(state, EGYPTIAN)
    assert asked(state, 1) == a.Fire(2, 1)
    fresh.disorganised = True
    state = position(british(1, "D4"), small, fresh, attacker=EGYPTIAN)
    state.cards = {2: PACK[20]}
    state.turn = 8
    assert asked(state, 1) == a.Fire(3, 1)


def test_attackers_go_on_until_their_rifles_reach_and_no_further() -> None:
    state = position(british(1, "D1"), dervish(2, "D7"), attacker=EGYPTIAN)
    moved = done_by(state, 1, points=6)
    assert isinstance(moved[0], a.Move)
    assert distance(state.units[1].square, parse_square("D7")) == 3


def test_attackers_close_up_to_troops_who_do_not_charge_them() -> None:
    rebel = british(2, "D5", "N", troops=Troops.EGYPTIAN)
    rebel.side = Side.MAHDIST
    state = position(british(1, "D1"), rebel, attacker=EGYPTIAN)
    done_by(state, 1, points=8)
    assert distance(state.units[1].square, parse_square("D5")) == 1


@pytest.mark.parametrize(("troops", "reach"), [(Troops.BRITISH, 3), (Troops.EGYPTIAN, 2)])
def test_who_holds_waits_for_the_enemy_to_come_within_range(troops: Troops, reach: int) -> None:
    for far in range(reach + 1, 7):
        state = position(british(1, "D1", troops=troops), dervish(2, f"D{1 + far}"))
        assert asked(state, 1) == a.Done()
    state = position(british(1, "D1", troops=troops), dervish(2, f"D{1 + reach}"))
    assert isinstance(asked(state, 1), a.Fire)


def test_who_holds_goes_out_to_an_enemy_who_does_not_come() -> None:
    state = position(british(1, "D1"), dervish(2, "D7"))
    state.turn = 5
    assert isinstance(asked(state, 1), a.Move)


def test_who_is_worse_off_than_the_enemy_stays_where_he_is() -> None:
    hurt = [british(3, "F1", disorganised=True), british(4, "G1", disorganised=True)]
    state = position(british(1, "D1"), *hurt, dervish(2, "D7"))
    state.turn = 5
    assert asked(state, 1) == a.Done()


@pytest.mark.parametrize(("crowd", "alone"), [("BCD", 3), ("DEF", 2)])
def test_who_stands_still_is_shaken_first_where_he_will_not_recover(crowd: str, alone: int) -> None:
    friends = [dervish(number, f"{letter}7") for number, letter in enumerate(crowd, start=4)]
    state = position(
        british(1, "D4"), dervish(2, "C6"), dervish(3, "E6"), *friends, attacker=EGYPTIAN
    )
    state.turn = 8
    assert asked(state, 1) == a.Fire(alone, 1)


def test_who_stands_still_is_left_to_as_many_as_he_needs() -> None:
    small, others = dervish(2, "A1", figures=1), [dervish(3, "H8"), dervish(4, "I8")]
    firing = [british(number, square) for number, square in ((5, "A2"), (6, "B2"), (7, "B1"))]
    state = position(british(1, "E1"), small, *others, *firing, attacker=EGYPTIAN)
    state.turn = 8
    before = distance(state.units[1].square, parse_square("H8"))
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, parse_square("H8")) < before


def test_who_finds_no_place_at_an_enemy_goes_for_another() -> None:
    near, far = dervish(2, "A1"), dervish(3, "L1")
    friends = [british(number, square) for number, square in ((4, "A2"), (5, "B1"), (6, "B2"))]
    state = position(british(1, "D2", "E"), near, far, *friends, attacker=EGYPTIAN)
    before = distance(state.units[1].square, far.square)
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, far.square) < before


def test_a_battery_comes_close_to_an_enemy_who_stands_still_if_it_sees_him_from_there() -> None:
    around = ("C1", "C2", "C3", "B3", "A3")
    ground = dict.fromkeys(around, Terrain.WOOD)
    gun = british(1, "D2", "W", kind=Kind.ARTILLERY)
    foot = british(3, "D3", "W")
    state = position(gun, foot, dervish(2, "A1"), attacker=EGYPTIAN, ground=ground)
    state.turn = 8
    before = distance(gun.square, parse_square("A1"))
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, parse_square("A1")) < before


@pytest.mark.parametrize("walled", [True, False])
def test_who_is_bold_goes_round_the_cover_of_an_enemy_before_he_fires(walled: bool) -> None:
    state = position(british(1, "D4"), dervish(2, "D5"), attacker=EGYPTIAN)
    state.turn = 8
    if walled:
        wall = Edge(parse_square("D4"), parse_square("D5"), Obstacle.WALL)
        state.field = replace(state.field, edges=(wall,))
    actions = done_by(state, 1, points=6)
    assert isinstance(actions[0], a.Move if walled else a.Fire)
    assert not in_cover(state.field, state.units[2].square, state.units[1].square)
    assert any(isinstance(action, a.Fire) for action in actions)


def test_attackers_go_far_for_the_one_whose_disorder_ends_the_battle() -> None:
    small, large = dervish(2, "A4", figures=3), dervish(3, "L6")
    small.full = 3
    state = position(british(1, "F4"), small, large, attacker=EGYPTIAN)
    state.turn = 8
    before = distance(state.units[1].square, large.square)
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, large.square) < before


def test_attackers_come_close_to_an_enemy_who_lets_himself_be_shot_at() -> None:
    state = position(british(1, "D1"), dervish(2, "D5"), attacker=EGYPTIAN)
    state.turn = 8
    state.units[1].armed = False
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, parse_square("D5")) == 1


@pytest.mark.parametrize(("stands", "limbers"), [("D8", True), ("D6", False)])
def test_guns_are_limbered_for_a_long_way_and_run_forward_by_hand_on_a_short_one(
    stands: str, limbers: bool
) -> None:
    guns = british(1, "D1", kind=Kind.MACHINE_GUN)
    state = position(guns, dervish(2, stands), attacker=EGYPTIAN)
    action = asked(state, 1)
    assert isinstance(action, a.Form if limbers else a.Move)


@pytest.mark.parametrize("formation", [Formation.LIMBERED, Formation.DEPLOYED])
def test_guns_leave_a_place_from_which_they_see_nobody(formation: Formation) -> None:
    guns = british(1, "D2", kind=Kind.ARTILLERY, formation=formation)
    state = position(guns, dervish(2, "D6"), attacker=EGYPTIAN, ground={"D4": Terrain.WOOD})
    assert view_of(state, EGYPTIAN).aim(guns, guns.square) is None
    done_by(state, 1, points=6)
    assert view_of(state, EGYPTIAN).aim(guns, state.units[1].square) is not None


def test_guns_that_see_nobody_go_round_a_wood_in_several_turns() -> None:
    wood = {f"{letter}4": Terrain.WOOD for letter in "BCDEFGH"}
    guns = british(1, "D2", kind=Kind.ARTILLERY)
    state = position(guns, dervish(2, "D7"), attacker=EGYPTIAN, ground=wood)
    for _ in range(6):
        done_by(state, 1, points=4)
    assert view_of(state, EGYPTIAN).aim(guns, state.units[1].square) is not None


def test_nobody_runs_ahead_of_the_line() -> None:
    line = [british(number, f"{letter}1") for number, letter in enumerate("CDEF", start=1)]
    state = position(*line, dervish(9, "E8"), attacker=EGYPTIAN)
    done_by(state, 2, points=6)
    ahead = distance(state.units[2].square, parse_square("E8"))
    others = [distance(one.square, parse_square("E8")) for one in line if one.id != 2]
    assert ahead >= sum(others) / 3 - 2


def test_infantry_turns_to_who_comes_upon_its_flank() -> None:
    state = position(british(1, "D4"), dervish(2, "F4"))
    action = asked(state, 1, points=2)
    assert isinstance(action, a.Move)
    assert action.path == ()
    assert aspect(parse_square("D4"), action.facing, parse_square("F4")) is Aspect.FRONT


def test_infantry_that_is_covered_there_does_not_turn() -> None:
    state = position(british(1, "D4"), british(3, "E4"), dervish(2, "F4"))
    assert asked(state, 1, points=2) == a.Done()


def test_beset_on_two_sides_a_battalion_forms_square() -> None:
    # Neither can be fired at before one has turned: both come from where it does not look.
    state = position(british(1, "D4"), dervish(2, "B4"), dervish(3, "F4"))
    assert asked(state, 1) == a.Form(Formation.SQUARE)


def test_a_square_that_nobody_threatens_goes_back_into_line() -> None:
    square = british(1, "D1", formation=Formation.SQUARE)
    assert asked(position(square, dervish(2, "D8")), 1) == a.Form(Formation.LINE)


def test_a_column_deploys_before_the_enemy() -> None:
    column = british(1, "D1", formation=Formation.COLUMN)
    state = position(column, dervish(2, "D6"), attacker=EGYPTIAN)
    assert asked(state, 1) == a.Form(Formation.LINE)


def test_a_column_marches_on_while_the_enemy_is_far() -> None:
    column = british(1, "A1", formation=Formation.COLUMN)
    state = position(column, dervish(2, "L8"), attacker=EGYPTIAN)
    assert isinstance(asked(state, 1), a.Move)


def test_guns_fire_while_they_have_the_points_and_somebody_to_fire_at() -> None:
    state = position(british(1, "D1", kind=Kind.ARTILLERY), dervish(2, "D7"))
    assert asked(state, 1) == a.Fire(2, 1)


def test_guns_that_move_up_stay_behind_the_infantry() -> None:
    guns = british(1, "D1", kind=Kind.ARTILLERY, formation=Formation.LIMBERED)
    state = position(guns, british(2, "D2"), british(3, "E2"), dervish(9, "D8"), attacker=EGYPTIAN)
    done_by(state, 1, points=6)
    near = distance(state.units[1].square, parse_square("D8"))
    assert near >= min(
        distance(parse_square(square), parse_square("D8")) for square in ("D2", "E2")
    )


def test_limbered_guns_come_into_action_within_range() -> None:
    guns = british(1, "D3", kind=Kind.ARTILLERY, formation=Formation.LIMBERED)
    state = position(guns, british(2, "D4"), dervish(9, "D8"))
    assert asked(state, 1) == a.Form(Formation.DEPLOYED)


def test_a_brigade_square_goes_on_together_until_its_rifles_reach() -> None:
    faces, brigade = in_brigade("E2")
    state = position(
        *faces, dervish(9, "E8"), attacker=EGYPTIAN, brigades=(brigade,), leaders=[graham(20, "E2")]
    )
    moved = done_by(state, 1, 2, 3, 4, points=5, leader=20)
    assert isinstance(moved[0], a.Move)
    assert distance(state.units[1].square, parse_square("E8")) == 3
    assert state.leaders[20].square == parse_square("E4")


def test_a_brigade_square_within_range_stands_and_fires() -> None:
    faces, brigade = in_brigade("E2")
    state = position(
        *faces, dervish(9, "E6"), attacker=EGYPTIAN, brigades=(brigade,), leaders=[graham(20, "E2")]
    )
    assert asked(state, 1, 2, 3, 4, leader=20) == a.Fire(9, 1)


def test_bashi_bazouks_do_not_throw_themselves_at_steady_men() -> None:
    horse = british(
        1, "D4", kind=Kind.CAVALRY, troops=Troops.BASHI_BAZOUKS, formation=Formation.EN_MASSE
    )
    state = position(horse, dervish(2, "D6"), dervish(3, "E6"), attacker=EGYPTIAN)
    assert not isinstance(asked(state, 1, points=8), a.Charge)


@pytest.mark.parametrize(
    ("turn", "stands", "goes"),
    [(2, "D8", True), (2, "D6", False), (3, "D7", True), (3, "D6", False), (5, "D6", False)],
)
def test_who_holds_goes_out_early_to_an_enemy_who_has_not_come_steadily_nearer(
    turn: int, stands: str, goes: bool
) -> None:
    began, now = dervish(2, "D8"), dervish(2, stands)
    state = position(british(1, "D2"), now)
    state.line_up, state.turn = {2: post_of(began)}, turn
    assert presses(state, EGYPTIAN) is goes
    assert is_bold(state, EGYPTIAN) is goes


@pytest.mark.parametrize(("orders", "goes"), [("attack", False), ("hold", True)])
def test_who_holds_stands_as_long_as_an_enemy_who_must_attack_comes_on(
    orders: str, goes: bool
) -> None:
    began, now = dervish(2, "D8"), dervish(2, "D5")
    state = position(british(1, "D2"), now)
    assert state.brief
    attacker = replace(state.brief.attacker, orders=orders)
    state.brief = replace(state.brief, attacker=attacker)
    state.line_up, state.turn = {2: post_of(began)}, 6
    assert presses(state, EGYPTIAN) is goes
    assert is_bold(state, EGYPTIAN) is goes
