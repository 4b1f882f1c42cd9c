"""Definitions: squares around a unit, cover, sight, the nearest enemy, obstacles."""

import pytest

from battles.books.redcoats import board, field, sequence
from battles.books.redcoats.book import book
from battles.books.redcoats.field import (
    NE,
    Aspect,
    Edge,
    Field,
    N,
    Obstacle,
    Terrain,
    aspect,
    name,
    parse_square,
)
from tests.redcoats.field import battle, unit

DIFFICULT = {
    Terrain.BUILT_UP,
    Terrain.CROPS,
    Terrain.FOREST,
    Terrain.GRASS,
    Terrain.ROCKS,
    Terrain.SCRUB,
    Terrain.UNDERGROWTH,
    Terrain.WOOD,
    Terrain.ROCKY_HILL,
}


def round_about(looks: int) -> dict[Aspect, set[str]]:
    """Return the squares around E5 by where they lie of a unit that faces so."""
    found: dict[Aspect, set[str]] = {side: set() for side in Aspect}
    for square in field.around(parse_square("E5")):
        found[aspect(parse_square("E5"), looks, square)].add(name(square))
    return found


def test_definitions_1_eight_squares_are_adjacent() -> None:
    near = {square for square in Field(12, 8).squares if field.adjacent(parse_square("E5"), square)}
    assert near == set(field.around(parse_square("E5")))
    assert not field.adjacent(parse_square("E5"), parse_square("E5"))


def test_definitions_2_cover() -> None:
    covering = {kind for kind in Terrain if book().terrain(kind).cover}
    assert covering == DIFFICULT
    field = Field(12, 8, {parse_square("D4"): Terrain.GRASS})
    assert board.in_cover(field, parse_square("D4"), parse_square("D6"))
    assert not board.in_cover(field, parse_square("D6"), parse_square("D4"))


def test_definitions_3_difficult_ground() -> None:
    assert {kind for kind in Terrain if book().terrain(kind).difficult} == DIFFICULT


def test_definitions_4_example_of_a_direct_line_of_sight() -> None:
    field = Field(12, 8, {parse_square("E4"): Terrain.HILL, parse_square("F4"): Terrain.HILL})
    unit_1 = parse_square("E6")
    seen = [at for at in ("E2", "F3", "C4") if board.sees(field, unit_1, parse_square(at))]
    assert seen == ["C4"]


def test_definitions_4_a_corner_bars_when_both_sides_do() -> None:
    one, both = (
        {parse_square("D5"): Terrain.WOOD},
        {parse_square("D5"): Terrain.WOOD, parse_square("E6"): Terrain.WOOD},
    )
    assert board.sees(Field(12, 8, one), parse_square("D6"), parse_square("E5"))
    assert not board.sees(Field(12, 8, both), parse_square("D6"), parse_square("E5"))


def test_definitions_4_from_a_hill_one_sees_over_low_cover() -> None:
    field = Field(12, 8, {parse_square("D5"): Terrain.SCRUB, parse_square("D6"): Terrain.HILL})
    assert board.sees(field, parse_square("D6"), parse_square("D3"))
    assert not board.sees(field, parse_square("D7"), parse_square("D3"))


def test_definitions_4_a_wall_bars_but_not_those_who_line_it() -> None:
    field = Field(12, 8, edges=(Edge(parse_square("D5"), parse_square("D4"), Obstacle.WALL),))
    assert board.sees(field, parse_square("D5"), parse_square("D2"))
    assert board.sees(field, parse_square("D7"), parse_square("D4"))
    assert not board.sees(field, parse_square("D7"), parse_square("D2"))


def test_definitions_4_sight_is_the_same_both_ways() -> None:
    field = Field(12, 8, {parse_square("E4"): Terrain.WOOD, parse_square("G3"): Terrain.HILL})
    for one in field.squares[::5]:
        for other in field.squares[::7]:
            assert board.sees(field, one, other) == board.sees(field, other, one)


def test_definitions_5_flanks() -> None:
    assert round_about(N)[Aspect.FLANK] == {"D5", "F5"}
    assert round_about(NE)[Aspect.FLANK] == {"D4", "F6"}


def test_definitions_6_front() -> None:
    assert round_about(N)[Aspect.FRONT] == {"D4", "E4", "F4"}
    assert round_about(NE)[Aspect.FRONT] == {"E4", "F4", "F5"}


def test_definitions_7_rear() -> None:
    assert round_about(N)[Aspect.REAR] == {"D6", "E6", "F6"}
    assert set(map(name, field.rear_squares(parse_square("E5"), NE))) == {"D5", "D6", "E6"}


def test_definitions_8_example_of_the_nearest_enemy() -> None:
    state = battle(
        unit(1, "british", "cavalry", "D7"),
        unit(20, "dervish", "infantry", "F5"),
        unit(21, "dervish", "infantry", "D3"),
    )
    assert sequence.nearest_enemies(state, state.units[1])[0].id == 21


def test_definitions_9_obstacles_lie_between_squares_either_way() -> None:
    field = Field(12, 8, edges=(Edge(parse_square("D5"), parse_square("D4"), Obstacle.FENCE),))
    assert (
        field.between(parse_square("D5"), N)
        is field.between(parse_square("D4"), 4)
        is Obstacle.FENCE
    )
    assert field.between(parse_square("D5"), 2) is None
    assert all(book().obstacle(kind) is not None for kind in Obstacle)


@pytest.mark.parametrize("text", ["D5", "A1", "L8"])
def test_squares_are_named_and_read(text: str) -> None:
    assert name(parse_square(text)) == text


@pytest.mark.parametrize("text", ["", "5D", "D0", "DD", "é5"])
def test_a_name_that_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no square"):
        parse_square(text)


def test_the_way_from_square_to_square() -> None:
    assert field.towards(parse_square("D5"), parse_square("D1")) == N
    assert field.towards(parse_square("D5"), parse_square("F3")) == NE
    assert field.parse_facing("ne") == NE
    with pytest.raises(ValueError, match="no facing"):
        field.parse_facing("up")


def test_definitions_example_of_adjacent_squares() -> None:
    names = {name(square) for square in field.around(parse_square("E5"))}
    assert names == {"D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"}


def test_definitions_example_of_a_unit_orientated_orthogonally() -> None:
    sizes = [len(round_about(looks)[side]) for looks in (0, 2, 4, 6) for side in Aspect]
    assert sizes == [3, 2, 3] * 4


def test_definitions_example_of_a_unit_orientated_diagonally() -> None:
    sizes = [len(round_about(looks)[side]) for looks in (1, 3, 5, 7) for side in Aspect]
    assert sizes == [3, 2, 3] * 4
