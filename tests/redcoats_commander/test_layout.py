"""The field from the brief: size, ground, water, walls, and who stands where."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.books.redcoats.field import (
    OFF_FIELD,
    E,
    N,
    Obstacle,
    S,
    Terrain,
    W,
    column,
    distance,
    row,
)
from battles.books.redcoats.layout import lay_out
from battles.books.redcoats.layout_ground import edge_of
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.pieces import Kind as Arm
from battles.books.redcoats.registration import engine
from battles.books.redcoats.set_up import Deployment
from battles.books.redcoats.state import Unit
from battles.contract import Bearing, Brief, BriefGround, Nation, Side, TroopKind
from battles.core.decoding import encode
from tests.redcoats_commander.armies import HISTORY, meeting, random_brief, troop, written


def battle(*, foot: int = 6, rubs: int = 6, attacker: Side = Side.MAHDIST, **more: object) -> Brief:
    """So many British battalions of 3 with Graham, against so many rubs."""
    british = [troop(number, TroopKind.INFANTRY, strength=3) for number in range(1, foot + 1)]
    british += [
        troop(80, TroopKind.GUN),
        troop(81, TroopKind.CAMEL, strength=0),
        troop(82, TroopKind.LEADER, strength=0, name="Graham"),
    ]
    dervishes = [
        troop(100 + nth, TroopKind.SPEARS, Nation.MAHDIST, strength=3) for nth in range(rubs)
    ]
    dervishes.append(troop(200, TroopKind.CAVALRY, Nation.MAHDIST, 2))
    return meeting(british, dervishes, attacker=attacker, **more)


def of(deployment: Deployment, side: Side) -> list[Unit]:
    return [unit for unit in deployment.units if unit.side is side]


@settings(max_examples=150)
@given(st.integers(0, 10**6))
def test_whatever_is_brought_can_be_set_out_alike_every_time(seed: int) -> None:
    brief = random_brief(seed)
    assert encode(lay_out.__wrapped__(brief)) == encode(lay_out.__wrapped__(brief))
    assert engine.drawn_up(brief).brief == brief  # raises for units that cannot stand so


@settings(max_examples=100)
@given(st.integers(0, 10**6))
def test_battlefield_2_a_field_has_12_by_8_squares_at_least(seed: int) -> None:
    field = lay_out(random_brief(seed)).field
    assert field.width >= 12
    assert field.height >= 8


def test_a_great_host_has_a_greater_field() -> None:
    few, many = lay_out(battle()).field, lay_out(battle(rubs=60)).field
    assert many.width * many.height > 2 * few.width * few.height


@pytest.mark.parametrize("bearing", list(Bearing))
def test_the_attacker_comes_from_his_hexside(bearing: Bearing) -> None:
    laid = lay_out(battle(comes_from=bearing))
    field = laid.field
    far = {
        N: row,
        S: lambda square: field.height - 1 - row(square),
        W: column,
        E: lambda square: field.width - 1 - column(square),
    }[edge_of(bearing)]
    attackers = max(far(unit.square) for unit in of(laid, Side.MAHDIST))
    assert attackers < min(far(unit.square) for unit in of(laid, Side.EGYPTIAN) if unit.on_foot)


def test_friends_close_by_come_from_another_side() -> None:
    plain = {unit.facing for unit in of(lay_out(battle()), Side.MAHDIST)}
    laid = lay_out(battle(and_from=(Bearing.NORTH_WEST, Bearing.NORTH_EAST)))
    assert plain == {N}
    assert {unit.facing for unit in of(laid, Side.MAHDIST)} == {N, E, W}


def test_the_lines_begin_out_of_the_rifles_range() -> None:
    for slug in HISTORY:
        laid = lay_out(written(slug).brief)
        enemies = [unit.square for unit in of(laid, Side.MAHDIST)]
        near = min(
            distance(unit.square, there)
            for unit in of(laid, Side.EGYPTIAN)
            if unit.on_foot
            for there in enemies
        )
        assert near > 3, slug


def test_a_hill_is_steep_and_a_mountain_all_over() -> None:
    hill = lay_out(battle(ground=BriefGround(relief="hill"))).field.ground.values()
    mountain = lay_out(battle(ground=BriefGround(relief="mountain"))).field.ground.values()
    assert list(hill).count(Terrain.HILL) >= 8
    assert list(mountain).count(Terrain.ROCKY_HILL) >= 10


def test_cultivated_land_is_difficult_and_desert_nearly_bare() -> None:
    crops = lay_out(battle(ground=BriefGround(cultivated=True))).field.ground
    desert = lay_out(battle()).field.ground
    assert len(crops) > 2 * len(desert)
    assert Terrain.CROPS in crops.values()


@pytest.mark.parametrize("kind", ["town", "village"])
def test_a_place_has_houses_behind_walls_and_is_what_the_attacker_wants(kind: str) -> None:
    laid = lay_out(battle(ground=BriefGround(place="Sinkat", settlement=kind)))
    houses = [square for square, what in laid.field.ground.items() if what is Terrain.BUILT_UP]
    assert laid.objective is not None
    assert laid.objective.side is Side.MAHDIST
    assert set(laid.objective.squares) == set(houses)
    assert Obstacle.WALL in {edge.obstacle for edge in laid.field.edges}


def test_the_nile_lies_on_its_side_of_the_field_with_the_gunboats_on_it() -> None:
    ground = BriefGround(river=(Bearing.NORTH,), river_class="navigable")
    boats = [troop(1, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0), troop(2, TroopKind.INFANTRY)]
    foe = [troop(9, TroopKind.SPEARS, Nation.MAHDIST)]
    laid = lay_out(meeting(boats, foe, attacker=Side.MAHDIST, ground=ground))
    water = {square for square, what in laid.field.ground.items() if what is Terrain.WATER}
    assert {row(square) for square in water} == {0}
    assert set(laid.field.downstream) == water
    assert [unit.square in water for unit in laid.units if unit.is_craft] == [True]


def test_a_river_that_carries_no_craft_is_a_bed_to_be_forded() -> None:
    ground = BriefGround(river=(Bearing.NORTH,), river_class="seasonal")
    field = lay_out(battle(ground=ground)).field
    assert Terrain.WATER not in field.ground.values()
    assert Obstacle.FORD in {edge.obstacle for edge in field.edges}


@pytest.mark.parametrize(
    ("attacker", "obstacle"), [(Side.MAHDIST, Obstacle.ZARIBA), (Side.EGYPTIAN, Obstacle.TRENCH)]
)
def test_who_has_stood_a_month_lies_behind_thorn_or_in_trenches(
    attacker: Side, obstacle: Obstacle
) -> None:
    laid = lay_out(battle(attacker=attacker, zariba=True))
    lined = [edge for edge in laid.field.edges if edge.obstacle is obstacle]
    defenders = {unit.square for unit in of(laid, attacker.enemy)}
    assert lined
    assert all(edge.one in defenders or edge.other in defenders for edge in lined)


def test_restrictions_2_guns_stand_among_the_infantry() -> None:
    laid = lay_out(battle())
    foot = {unit.square for unit in of(laid, Side.EGYPTIAN) if unit.kind is Arm.INFANTRY}
    assert all(unit.square in foot for unit in of(laid, Side.EGYPTIAN) if unit.is_gun)


def test_regulars_who_are_beset_look_to_every_side() -> None:
    laid = lay_out(battle(rubs=12, and_from=(Bearing.NORTH,)))
    assert len({unit.facing for unit in of(laid, Side.EGYPTIAN) if unit.on_foot}) >= 4


def test_formations_8_attackers_with_a_leader_march_in_a_brigade_square() -> None:
    laid = lay_out(battle(rubs=12, attacker=Side.EGYPTIAN))
    faces = [unit for unit in laid.units if unit.brigade and unit.on_foot]
    assert {unit.formation for unit in faces} == {Formation.SQUARE}
    assert {unit.facing for unit in faces} == {N, E, S, W}
    middle = laid.leaders[0].square
    assert all(distance(unit.square, middle) == 1 for unit in faces)


def test_dervishes_have_their_horse_on_the_wings() -> None:
    laid = lay_out(battle(rubs=8))
    horse = [unit for unit in of(laid, Side.MAHDIST) if unit.kind is Arm.CAVALRY]
    assert all(column(unit.square) in (0, laid.field.width - 1) for unit in horse)


def test_leaders_stand_with_their_men() -> None:
    for slug in HISTORY:
        laid = lay_out(written(slug).brief)
        for leader in laid.leaders:
            assert leader.square in {unit.square for unit in of(laid, leader.side)}


def test_who_finds_no_room_comes_later() -> None:
    laid = lay_out(battle(rubs=420))
    waiting = [unit.id for unit in laid.units if unit.square == OFF_FIELD]
    assert waiting
    assert set(laid.entries) == set(waiting)


@pytest.mark.parametrize("slug", ["form-square", "marching-across-the-sudan"])
def test_scenarios_dervishes_may_set_up_elsewhere(slug: str) -> None:
    assert lay_out(written(slug).brief).set_up[Side.MAHDIST]


def test_scenarios_the_rules_of_each_are_set() -> None:
    march, across, square = (
        lay_out(written(slug).brief)
        for slug in ("night-march-to-the-canal", "marching-across-the-sudan", "form-square")
    )
    assert march.special == ("asleep",)
    assert across.special == ("mercy",)
    assert {unit.shots for unit in of(across, Side.EGYPTIAN) if unit.is_gun} == {4}
    assert len(of(across, Side.MAHDIST)) == 18
    assert square.objective is not None
    assert len([unit for unit in square.units if unit.brigade]) == 7


@pytest.mark.parametrize("seed", [290, 630, 1269, 2494])
def test_nobody_begins_the_battle_inside_the_place_it_is_fought_for(seed: int) -> None:
    deployment = lay_out(random_brief(seed))
    assert deployment.objective is not None
    attackers = [unit for unit in deployment.units if unit.side is deployment.objective.side]
    assert attackers
    assert not {unit.square for unit in attackers} & {*deployment.objective.squares}
