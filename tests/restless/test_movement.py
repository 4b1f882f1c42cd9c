"""Moving units: dice by troops, kind and formation, rough terrain, ways that are open."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives import movement
from battles.books.restless_natives.form_answers import read_action
from battles.books.restless_natives.movement import MovementThrow, throw_for
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Special, Troops, Weapon
from battles.books.restless_natives.play import rules
from battles.books.restless_natives.state import State
from battles.books.restless_natives.turn_form import turn_form
from battles.core.game import IllegalAction
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.turn_form import InvalidForm
from tests.restless.field import (
    EAST,
    EGYPTIAN,
    INCH,
    NORTH,
    SOUTH,
    act,
    activated,
    at,
    battle,
    block,
    british,
    line,
    natives,
    table,
)

LINE, SQUARE, COLUMN, MASS = (
    TableFormation.LINE,
    TableFormation.SQUARE,
    TableFormation.COLUMN,
    TableFormation.MASS,
)


def test_movement_example_1() -> None:
    throw = throw_for(Troops.BRITISH, Kind.INFANTRY, LINE, moves=2)
    assert throw == MovementThrow(0, 2, 6)


def test_movement_example_2() -> None:
    throw = throw_for(Troops.BRITISH, Kind.CAVALRY, COLUMN, moves=2)
    assert throw == MovementThrow(2, 2, 0)


def test_movement_example_3() -> None:
    throw = throw_for(Troops.NATIVE, Kind.CAMELRY, MASS, moves=2)
    assert throw == MovementThrow(6, 2, 0)


def test_movement_1_the_dice_are_the_most_that_a_unit_may_move() -> None:
    state = activated(battle(british(1, at(24, 30)), natives(2, at(24, 4))), 1)
    act(state, a.March(), 4)
    offered = options(state)
    assert offered is not None
    assert offered.reach is not None
    assert offered.reach.most == 7 * INCH
    assert offered.reach.allows((at(24, 23),), NORTH)
    with pytest.raises(IllegalAction, match="the dice gave 7"):
        act(state, a.Move((at(24, 22.9),), NORTH))
    act(state, a.Move((at(24, 25),), EAST))
    assert (state.units[1].at, state.units[1].facing) == (at(24, 25), EAST)


def test_movement_1_what_cannot_be_measured_is_no_move() -> None:
    state = activated(battle(british(1, at(24, 30)), natives(2, at(24, 4))), 1)
    act(state, a.March(), 4)
    with pytest.raises(IllegalAction, match="nearer than can be measured"):
        act(state, a.Move((at(24, 29.8),), NORTH))
    offered = options(state)
    assert offered is not None
    assert offered.reach is not None
    assert NORTH not in [way.facing for way in offered.reach.spots() if not way.path]


@pytest.mark.parametrize(
    ("kind", "formation", "dice", "plus"),
    [
        (Kind.INFANTRY, LINE, 1, 3),
        (Kind.INFANTRY, SQUARE, 1, 0),
        (Kind.INFANTRY, COLUMN, 2, 0),
        (Kind.CAVALRY, LINE, 1, 3),
        (Kind.CAVALRY, COLUMN, 2, 0),
        (Kind.CAMELRY, LINE, 1, 3),
        (Kind.CAMELRY, COLUMN, 2, 0),
        (Kind.ARTILLERY, LINE, 1, 3),
        (Kind.MACHINE_GUNS, LINE, 1, 3),
        (Kind.COMMANDER, LINE, 3, 0),
    ],
)
@pytest.mark.parametrize("troops", [Troops.BRITISH, Troops.EGYPTIAN, Troops.INDIAN])
def test_movement_2_british_troops(
    troops: Troops, kind: Kind, formation: TableFormation, dice: int, plus: int
) -> None:
    assert throw_for(troops, kind, formation) == MovementThrow(dice - 1, 1, plus)


@pytest.mark.parametrize(
    ("kind", "formation", "dice", "plus"),
    [
        (Kind.INFANTRY, LINE, 1, 0),
        (Kind.INFANTRY, COLUMN, 2, 0),
        (Kind.INFANTRY, MASS, 3, 0),
        (Kind.CAVALRY, LINE, 1, 0),
        (Kind.CAVALRY, COLUMN, 2, 0),
        (Kind.CAVALRY, MASS, 4, 0),
        (Kind.CAMELRY, LINE, 1, 0),
        (Kind.CAMELRY, COLUMN, 2, 0),
        (Kind.CAMELRY, MASS, 4, 0),
        (Kind.ARTILLERY, LINE, 1, 3),
        (Kind.COMMANDER, LINE, 4, 0),
    ],
)
def test_movement_3_native_troops(
    kind: Kind, formation: TableFormation, dice: int, plus: int
) -> None:
    assert throw_for(Troops.NATIVE, kind, formation) == MovementThrow(dice - 1, 1, plus)


@pytest.mark.parametrize(
    ("kind", "formation", "dice"),
    [
        (Kind.TRANSPORT, TableFormation.MARCH_COLUMN, 2),
        (Kind.TRAIN, TableFormation.MARCH_COLUMN, 3),
        (Kind.SAILING_VESSEL, TableFormation.AFLOAT, 2),
        (Kind.STEAMSHIP, TableFormation.AFLOAT, 3),
        (Kind.GUNBOAT, TableFormation.AFLOAT, 3),
        (Kind.CIVILIANS, LINE, 1),
    ],
)
@pytest.mark.parametrize("troops", [Troops.EGYPTIAN, Troops.NATIVE])
def test_movement_4_miscellaneous(
    troops: Troops, kind: Kind, formation: TableFormation, dice: int
) -> None:
    assert throw_for(troops, kind, formation) == MovementThrow(dice - 1, 1, 0)


def test_movement_4_vessels_keep_to_the_water() -> None:
    river = block(TableTerrain.RIVER, 0, 0, 48, 6)
    boat = british(
        1, at(10, 3), EAST, kind=Kind.GUNBOAT, stands=1, formation=TableFormation.AFLOAT, full=1
    )
    state = battle(boat, british(3, at(10, 8)), natives(2, at(40, 30)), field=table(river))
    activated(state, 1)
    act(state, a.March(), 3, 3, 3)
    with pytest.raises(IllegalAction, match="Vessels keep to the water"):
        act(state, a.Move((at(10, 10),), EAST))
    act(state, a.Move((at(18, 3),), EAST))
    activated(state, 3)
    act(state, a.March(), 6)
    with pytest.raises(IllegalAction, match="all others out of it"):
        act(state, a.Move((at(10, 4),), NORTH))


def test_movement_5_each_move_in_rough_terrain_throws_a_die_fewer() -> None:
    assert throw_for(Troops.BRITISH, Kind.INFANTRY, COLUMN, moves=2) == MovementThrow(2, 2, 0)
    assert throw_for(Troops.NATIVE, Kind.INFANTRY, MASS, moves=2) == MovementThrow(4, 2, 0)


@pytest.mark.parametrize(
    ("troops", "formation", "moves", "thrown", "rough"),
    [
        (Troops.NATIVE, MASS, 2, ((3, 4, 5, 6), (1, 2)), 18),
        (Troops.NATIVE, COLUMN, 1, ((4,), (6,)), 4),
        (Troops.NATIVE, LINE, 1, ((6,),), 0),
        (Troops.BRITISH, LINE, 1, ((6,),), 3),
        (Troops.BRITISH, SQUARE, 2, ((5, 6),), 0),
    ],
)
def test_movement_5_the_dice_for_the_open_are_thrown_apart(
    troops: Troops,
    formation: TableFormation,
    moves: int,
    thrown: tuple[tuple[int, ...], ...],
    rough: int,
) -> None:
    field = table(block(TableTerrain.SCRUB, 0, 0, 48, 36))
    unit = british(1, at(24, 30), troops=troops, formation=formation)
    state = battle(unit, natives(2, at(24, 4)), field=field)
    activated(state, 1)
    outcome = act(state, a.March(moves), *(die for dice in thrown for die in dice))
    assert tuple(roll.dice for roll in outcome.rolls) == thrown
    assert isinstance(state.question, a.ToMove)
    plus = 3 * moves if (troops, formation) == (Troops.BRITISH, LINE) else 0
    everything = sum(die for dice in thrown for die in dice) + plus
    assert (state.question.most, state.question.rough) == (everything * INCH, rough * INCH)


def rough_march(kind: TableTerrain) -> State:
    """Return a column before something to be crossed, with 9 inches thrown, 5 of which
    count over it.
    """
    field = table(
        block(kind, 20, 20, 28, 26)
        if kind is TableTerrain.SCRUB
        else line(kind, (20, 24), (28, 24))
    )
    state = battle(
        british(1, at(24, 30), formation=COLUMN, stands=2), natives(2, at(24, 4)), field=field
    )
    activated(state, 1)
    act(state, a.March(), 5, 4)
    return state


@pytest.mark.parametrize(
    "kind", [TableTerrain.SCRUB, TableTerrain.WALL, TableTerrain.STREAM, TableTerrain.TRENCH]
)
def test_movement_5_rough_terrain_and_obstacles_shorten_the_way(kind: TableTerrain) -> None:
    state = rough_march(kind)
    with pytest.raises(IllegalAction, match="the dice gave 5 inches"):
        act(state, a.Move((at(24, 22),), NORTH))
    act(state, a.Move((at(24, 25),), NORTH) if kind is TableTerrain.SCRUB else a.Move((), EAST))


def test_movement_5_round_it_the_way_is_as_long_as_in_the_open() -> None:
    state = rough_march(TableTerrain.WALL)
    act(state, a.Move((at(32, 28),), NORTH))
    assert state.units[1].at == at(32, 28)


def test_movement_5_a_river_is_crossed_at_a_ford() -> None:
    river = block(TableTerrain.RIVER, 0, 20, 48, 22)
    ford = line(TableTerrain.FORD, (22, 21), (26, 21))
    state = battle(
        british(1, at(24, 24), formation=COLUMN, stands=2),
        natives(2, at(24, 4)),
        field=table(river, ford),
    )
    activated(state, 1)
    act(state, a.March(2), 6, 6, 6, 6)
    with pytest.raises(IllegalAction, match="water, is in the way"):
        act(state, a.Move((at(30, 17),), NORTH))
    act(state, a.Move((at(24, 18),), NORTH))
    assert state.units[1].at == at(24, 18)


def test_movement_5_all_dice_count_where_nothing_rough_is_near() -> None:
    field = table(block(TableTerrain.WOOD, 0, 0, 4, 4))
    state = battle(british(1, at(40, 30)), natives(2, at(24, 4)), field=field)
    outcome = act(activated(state, 1), a.March(), 6)
    assert [roll.clause for roll in outcome.rolls] == ["Movement 2"]


def test_movement_1_a_unit_passes_through_friends_and_stops_on_nobody() -> None:
    state = battle(
        british(1, at(24, 30)),
        british(3, at(24, 27)),
        natives(2, at(24, 15)),
        natives(4, at(24, 4)),
    )
    activated(state, 1)
    act(state, a.March(2), 6, 6)
    with pytest.raises(IllegalAction, match="Another unit stands there"):
        act(state, a.Move((at(24, 27.2),), NORTH))
    with pytest.raises(IllegalAction, match="initiate a close combat"):
        act(state, a.Move((at(24, 15.05 + 0.59 / 2 * 2),), NORTH))
    act(state, a.Move((at(24, 22),), NORTH))
    assert state.units[1].at == at(24, 22)


def test_movement_1_no_way_leads_through_the_enemy() -> None:
    state = battle(british(1, at(24, 20)), natives(2, at(24, 16)))
    activated(state, 1)
    act(state, a.March(2), 6, 6)
    with pytest.raises(IllegalAction, match="in the way"):
        act(state, a.Move((at(24, 10),), NORTH))


def test_movement_1_it_goes_round_by_points_that_add_up() -> None:
    unit = british(1, at(24, 20))
    assert movement.way_length(unit, (at(24, 17), at(28, 17))) == 7 * INCH
    assert movement.way_length(unit, ()) == 0


def test_movement_1_a_person_leads_a_unit_round_a_wood() -> None:
    field = table(block(TableTerrain.WOOD, 22, 18, 26, 28))
    column = british(1, at(24, 30), formation=COLUMN, stands=2)
    state = battle(column, natives(2, at(24, 4)), field=field)
    act(activated(state, 1), a.March(2), 6, 6, 6, 6)
    form = turn_form(state, EGYPTIAN)
    assert form is not None
    assert form.free is not None
    assert form.free.bends
    bent = read_action(state, {"x": "24", "y": "16", "via": "29 28, 29 18", "facing": ""})
    assert bent == a.Move((at(29, 28), at(29, 18), at(24, 16)), 292)
    act(state, bent)
    assert state.units[1].at == at(24, 16)


@pytest.mark.parametrize("via", ["29", "29 28 27", "here, there"])
def test_movement_1_points_on_the_way_are_pairs_of_lengths(via: str) -> None:
    state = activated(battle(british(1, at(24, 30)), natives(2, at(24, 4))), 1)
    act(state, a.March(2), 6, 6)
    with pytest.raises(InvalidForm, match="such as"):
        read_action(state, {"x": "24", "y": "28", "via": via})


def test_movement_1_a_move_thrown_for_need_not_be_made() -> None:
    state = activated(battle(british(1, at(24, 30)), natives(2, at(24, 4))), 1)
    act(state, a.March(), 1)
    outcome = act(state, a.Done())
    assert any(isinstance(event, e.StoodStill) for event in outcome.events)
    offered = options(state)
    assert offered is not None
    assert (offered.marches, offered.volleys) == (1, 1)


def test_movement_1_nobody_leaves_the_field_by_himself() -> None:
    state = activated(battle(british(1, at(24, 2)), natives(2, at(24, 30), SOUTH)), 1)
    act(state, a.March(), 6)
    with pytest.raises(IllegalAction, match="edge of the field"):
        act(state, a.Move((at(24, 0),), NORTH))


def test_movement_1_no_way_leads_over_the_edge_of_the_field() -> None:
    state = activated(battle(british(1, at(24, 2)), natives(2, at(24, 30), SOUTH)), 1)
    act(state, a.March(2), 6, 6)
    for beyond, inside in (("24 -1", "24 1"), ("21 -0.5, 22 4", "21 0.5, 22 4")):
        way = {"x": "22", "y": "3", "facing": "0"}
        with pytest.raises(IllegalAction, match="leads over the edge of the field"):
            rules.check(state, read_action(state, {**way, "via": beyond}))
        rules.check(state, read_action(state, {**way, "via": inside}))


@pytest.mark.parametrize(("x", "y"), [("24", "-1"), ("48.5", "20"), ("99", "99")])
def test_a_march_to_a_place_off_the_field_is_refused_before_its_dice_are_thrown(
    x: str, y: str
) -> None:
    state = activated(battle(british(1, at(24, 20)), natives(2, at(24, 4))), 1)
    with pytest.raises(InvalidForm, match="off the field, which is 48 by 36 inches"):
        read_action(state, {"x": x, "y": y})
    assert read_action(state, {"x": "48", "y": "0"}) == a.March(1)


def test_movement_2_a_card_for_faster_movement_adds_its_dice() -> None:
    state = battle(british(1, at(24, 30), weapon=Weapon.NONE), natives(2, at(24, 4)))
    activated(state, 1, card=Special.MOVEMENT_2)
    outcome = act(state, a.March(), 1, 2, 3)
    assert outcome.rolls[0].total == 9
