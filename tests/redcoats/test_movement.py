"""Movement: the tariff, turns, diagonals, ground and obstacles, by every worked example."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import movement, offers
from battles.books.redcoats.book import TARIFF, book
from battles.books.redcoats.field import (
    NE,
    E,
    Edge,
    Field,
    N,
    Obstacle,
    Terrain,
    name,
    parse_square,
)
from battles.books.redcoats.pieces import Formation, Heroic
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import State, Unit
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from tests.redcoats.field import EGYPTIAN, MAHDIST, act, acts, battle, leader, thrown, unit


def ground(terrain: Terrain, *squares: str) -> Field:
    return Field(12, 8, {parse_square(square): terrain for square in squares})


def cost(state: State, number: int, looks: int, *squares: str) -> int:
    path = tuple(map(parse_square, squares))
    return movement.path_cost(state, state.units[number], path, looks)


def test_movement_an_example_of_orthogonal_movement() -> None:
    assert cost(battle(unit(1, "british", "infantry", "D5")), 1, N, "D4") == 2


def test_movement_an_example_of_diagonal_movement() -> None:
    assert cost(battle(unit(1, "british", "infantry", "D5", "NE")), 1, NE, "E4") == 3


def test_movement_an_example_of_movement() -> None:
    assert cost(battle(unit(1, "british", "infantry", "D5", "N")), 1, NE, "E4") == 4


def camelry() -> State:
    one = unit(1, "british", "camelry", "D6", "N", dismounted=True, formation="march column")
    state = battle(one)
    thrown(state, 1, 4)
    return state


def test_movement_example_1_six_points() -> None:
    state = camelry()
    assert state.acting is not None
    assert movement.movement_left(state.acting) == 6


@pytest.mark.parametrize(
    ("looks", "path", "points"),
    [("N", ("D5", "D4", "D3"), 6), ("NE", ("E5", "F4"), 6), ("NE", ("D5", "E4"), 6)],
)
def test_movement_example_1_ways(looks: str, path: tuple[str, ...], points: int) -> None:
    state = camelry()
    facing = N if looks == "N" else NE
    if path[0] == "E5":
        state.units[1].facing = NE
    assert cost(state, 1, facing, *path) == points
    act(state, a.Move(tuple(map(parse_square, path)), facing))
    assert state.units[1].square == parse_square(path[-1])


def test_movement_example_1_turn_move_and_change_formation() -> None:
    state = camelry()
    made = acts(state, a.Move((parse_square("E6"),), E), a.Form(Formation.LINE))
    costs = [event.cost for event in made.events if isinstance(event, e.Moved | e.Formed)]
    assert sum(costs) == 5
    assert state.units[1].formation is Formation.LINE


def test_movement_example_2_fires_and_limbers() -> None:
    state = battle(
        unit(20, "dervish", "artillery", "D5", "S", full=1), unit(1, "british", "infantry", "D8")
    )
    thrown(state, 20, 4)
    acts(state, a.Fire(1), a.Form(Formation.LIMBERED), faces=(8,))
    assert state.units[20].formation is Formation.LIMBERED
    assert state.question is None


def cavalry(field: Field, *others: Unit, looks: str = "N") -> State:
    state = battle(unit(20, "dervish", "cavalry", "D6", looks), *others, field=field)
    thrown(state, 20, 7)
    return state


def test_movement_example_3_three_squares_and_a_turn_of_90() -> None:
    state = cavalry(Field(12, 8))
    assert cost(state, 20, E, "D5", "D4", "D3") == 7
    act(state, a.Move(tuple(map(parse_square, ("D5", "D4", "D3"))), E))


def test_movement_example_3_diagonally_a_turn_and_into_difficult_ground() -> None:
    state = cavalry(ground(Terrain.SCRUB, "E4"), looks="NE")
    assert cost(state, 20, N, "E5", "E4") == 3 + 1 + 1 + 2


def test_movement_example_3_in_difficult_ground_and_through_a_friend() -> None:
    state = cavalry(ground(Terrain.SCRUB, "D4"), unit(21, "dervish", "infantry", "D5"))
    assert cost(state, 20, N, "D5", "D4") == 2 + 5


def test_movement_example_3_diagonally_through_difficult_ground_and_a_turn() -> None:
    state = cavalry(ground(Terrain.SCRUB, "E5"), looks="NE")
    assert cost(state, 20, NE, "E5") == 4


def test_movement_example_4_a_column_in_difficult_ground() -> None:
    field = ground(Terrain.SCRUB, "D6", "D5")
    state = battle(unit(1, "egyptian", "infantry", "D6", "N", formation="column"), field=field)
    thrown(state, 1, 2)
    assert state.acting is not None
    assert movement.movement_left(state.acting) == 3
    assert cost(state, 1, N, "D5") == 3
    assert cost(state, 1, E) == 2


def test_movement_example_5_steep_ground_and_a_card() -> None:
    field = ground(Terrain.HILL, "D6", "D5", "D4")
    state = battle(
        unit(20, "dervish", "infantry", "D6", "N"), leader(41, "dervish", "D6"), field=field
    )
    state.hands[MAHDIST] = [Heroic.MOVEMENT]
    thrown(state, 20, 4)
    act(state, a.PlayCard(Heroic.MOVEMENT))
    assert state.acting is not None
    assert movement.movement_left(state.acting) == 6
    assert cost(state, 20, N, "D5", "D4") == 6
    assert cost(state, 20, E, "D5") == 5
    act(state, a.Move((parse_square("D5"), parse_square("D4")), N))
    assert state.leaders[41].square == parse_square("D4")


def test_movement_example_7_a_square() -> None:
    state = battle(unit(1, "british", "infantry", "D6", "N", formation="square"))
    thrown(state, 1, 3)
    assert state.acting is not None
    assert movement.movement_left(state.acting) == 2
    found = offers.reach(state)
    assert found is not None
    assert found.cost(parse_square("D5"), N) == 2
    assert found.cost(parse_square("D6"), E) == 1
    assert found.cost(parse_square("D4"), N) is None
    assert Formation.LINE in offers.changes(state)
    act(state, a.Form(Formation.LINE))
    assert state.question is None


def test_movement_1_the_tariff() -> None:
    assert [book().points(action) for action in TARIFF] == [3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1]


def test_movement_1_obstacles_cost_two() -> None:
    field = Field(12, 8, edges=(Edge(parse_square("D6"), parse_square("D5"), Obstacle.WADI),))
    assert cost(battle(unit(1, "british", "infantry", "D6"), field=field), 1, N, "D5") == 4


def test_movement_1_a_diagonal_crosses_an_obstacle_that_bars_both_ways_round() -> None:
    one = Edge(parse_square("D6"), parse_square("D5"), Obstacle.WALL)
    other = Edge(parse_square("E6"), parse_square("E5"), Obstacle.WALL)
    open_corner = Field(12, 8, edges=(one,))
    assert open_corner.between(parse_square("D6"), NE) is None
    assert Field(12, 8, edges=(one, other)).between(parse_square("D6"), NE) is Obstacle.WALL


def test_movement_1_out_of_difficult_ground_costs_too() -> None:
    state = battle(unit(1, "british", "infantry", "D6"), field=ground(Terrain.WOOD, "D6"))
    assert cost(state, 1, N, "D5") == 3


def test_movement_1_ground_both_difficult_and_steep_costs_two() -> None:
    state = battle(unit(1, "british", "infantry", "D6"), field=ground(Terrain.ROCKY_HILL, "D5"))
    assert cost(state, 1, N, "D5") == 4


def test_movement_2_a_unit_turns_to_the_way_it_goes() -> None:
    state = battle(unit(1, "british", "infantry", "D6", "N"))
    assert cost(state, 1, E, "E6") == 1 + 2
    with pytest.raises(IllegalAction, match="F6 is not next to D6"):
        cost(state, 1, E, "F6")


def test_movement_3_both_squares_beside_a_diagonal_must_be_free() -> None:
    state = battle(unit(1, "british", "infantry", "D6", "NE"), unit(2, "british", "infantry", "D5"))
    with pytest.raises(IllegalAction, match="diagonal is barred"):
        cost(state, 1, NE, "E5")
    assert movement.passes_corner(state, parse_square("F6"), NE)


def test_movement_4_march_column_and_column_gain() -> None:
    gained = [book().formation(formation).movement for formation in Formation]
    assert gained == [0, 2, 1, -1, 0, -1, 0, -1, 0]


def test_what_is_offered_is_what_is_accepted_and_no_more() -> None:
    state = battle(
        unit(1, "british", "infantry", "D6", "N"),
        unit(2, "british", "infantry", "D5"),
        unit(20, "dervish", "infantry", "F6"),
        field=ground(Terrain.SCRUB, "C5", "E5", "E6"),
    )
    thrown(state, 1, 6)
    found = offers.reach(state)
    assert found is not None
    for end in found.ends():
        assert (
            cost(state, 1, end.facing, *map(name, found.path(end.square, end.facing))) == end.cost
        )
    with pytest.raises(IllegalAction, match="action points: it has 6 left"):
        rules.play(state, a.Move(tuple(map(parse_square, ("C6", "B6", "A6"))), N), ScriptedDice())
    assert state.acting is not None
    assert state.units[1].side is EGYPTIAN
