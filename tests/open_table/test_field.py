"""The field: what lies where, what can be seen, where a straight way leads."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.core.decoding import decode, encode
from battles.tabletop.field import (
    AREAS,
    LINES,
    Lying,
    OpenField,
    TableTerrain,
    TerrainFeature,
    behind,
    bounds,
    edge_ahead,
    length_to_edge,
    lies_in,
    lines_crossed,
    on_table,
    rough,
    sees,
    terrain_at,
)
from battles.tabletop.formations import (
    MovingUnit,
    Obstacles,
    TableFormation,
    fall_back,
    free_place,
    free_way,
    move_stands,
    places,
)
from battles.tabletop.geometry import (
    TOUCH,
    Stand,
    StandSize,
    TablePoint,
    ahead,
    are_touching,
    gap,
    outline,
    overlap,
)

FOOT = StandSize(118, 59)


def block(kind: TableTerrain, west: int, north: int, east: int, south: int) -> TerrainFeature:
    ring = (
        TablePoint(west, north),
        TablePoint(east, north),
        TablePoint(east, south),
        TablePoint(west, south),
    )
    return TerrainFeature(kind, ring)


HILL = block(TableTerrain.HILL, 1000, 1000, 2000, 2000)
WALL = TerrainFeature(
    TableTerrain.WALL, (TablePoint(3000, 500), TablePoint(3000, 2500)), "the wall"
)
RIVER = block(TableTerrain.RIVER, 0, 3300, 4800, 3600)
FIELD = OpenField(4800, 3600, "inch", (HILL, WALL, RIVER))
HILLY = frozenset({TableTerrain.HILL})
WALLS = frozenset({TableTerrain.WALL})


def foot(x: int, y: int, facing: int = 0) -> Stand:
    return Stand(x, y, facing, *FOOT)


def test_every_kind_of_terrain_is_an_area_or_a_line():
    assert set(TableTerrain) == AREAS | LINES
    assert not AREAS & LINES
    assert {TableTerrain.HILL, TableTerrain.SEA} <= AREAS
    assert {TableTerrain.WALL, TableTerrain.RAIL} <= LINES


def test_a_field_is_a_document_that_comes_back_the_same():
    assert decode(encode(FIELD), OpenField) == FIELD
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"width": 1.5, "height": 2, "measure": "cm"}, OpenField)


def test_ground_is_named_where_it_lies():
    assert terrain_at(FIELD, (1500, 1500)) == HILLY
    assert terrain_at(FIELD, (2500, 1500)) == frozenset()


def test_a_unit_lies_wholly_partly_or_not_in_ground():
    def lying(x: int) -> Lying:
        return lies_in(FIELD, places(TableFormation.LINE, 3, TablePoint(x, 1500), 0, FOOT), HILLY)

    assert [lying(1500), lying(2000), lying(2500)] == [Lying.WHOLLY, Lying.PARTLY, Lying.NONE]


def test_only_the_part_of_a_way_over_rough_ground_counts():
    assert rough(FIELD, (500, 1500), (1600, 1500), HILLY) == 600
    assert rough(FIELD, (500, 1500), (2600, 1500), HILLY) == 1000
    assert rough(FIELD, (500, 500), (2600, 500), HILLY) == 0
    assert rough(FIELD, (500, 1500), (1600, 1500), WALLS) == 0


def test_lines_crossed_are_told_in_their_order():
    two = msgspec.structs.replace(
        FIELD,
        features=(
            *FIELD.features,
            TerrainFeature(TableTerrain.WALL, (TablePoint(2500, 0), TablePoint(2500, 3000))),
        ),
    )
    names = [line.name for line in lines_crossed(two, (2000, 1000), (3500, 1000), WALLS)]
    assert names == ["", "the wall"]
    assert lines_crossed(two, (3500, 1000), (2600, 1000), WALLS)[0].name == "the wall"
    assert lines_crossed(two, (2000, 3100), (3500, 3100), WALLS) == ()


def test_one_is_behind_a_wall_only_close_to_it_and_from_its_far_side():
    assert behind(FIELD, (4000, 1000), (2950, 1000), WALLS, within=100)
    assert not behind(FIELD, (4000, 1000), (2500, 1000), WALLS, within=100)
    assert not behind(FIELD, (2000, 1000), (2950, 1000), WALLS, within=100)


def test_a_stand_over_the_edge_is_off_the_table():
    assert on_table(FIELD, (foot(59, 30),))
    assert not on_table(FIELD, (foot(40, 30),))


def test_edges_ahead():
    assert length_to_edge(FIELD, (1000, 1000), 0) == 1000
    assert length_to_edge(FIELD, (1000, 1000), 135) == round(2600 * 2**0.5)
    assert edge_ahead(FIELD, (1000, 1000), 90) == (4800, 1000)
    assert length_to_edge(FIELD, (5000, 1000), 90) == 0


def test_bounds_hold_all_stands():
    line = places(TableFormation.LINE, 3, TablePoint(2000, 2000), 0, FOOT)
    assert bounds(line) == ((1823, 1970), (2177, 2030))


def test_a_stand_in_between_hides_one_as_narrow_and_not_a_line():
    shooter, target = foot(2300, 2800), foot(2300, 500, 180)
    friend = foot(2300, 2000)
    assert sees(FIELD, shooter, target)
    assert not sees(FIELD, shooter, target, (friend._replace(y=2600),))
    assert sees(FIELD, shooter, target, (friend._replace(x=2600),))
    line = places(TableFormation.LINE, 5, TablePoint(2300, 500), 180, FOOT)
    assert any(sees(FIELD, shooter, stand, (friend,)) for stand in line)


def test_a_rank_hides_the_rank_behind_it():
    """Between stands shoulder to shoulder there is no slit to look through."""
    mass = places(TableFormation.MASS, 6, TablePoint(2300, 500), 180, FOOT)
    for x in range(1800, 2900, 37):
        assert not sees(FIELD, foot(x, 2800), mass[4], mass[:3])
    assert sees(FIELD, foot(2300, 2800), mass[1], mass[:1] + mass[2:])


def test_a_hill_hides_what_is_behind_it_and_not_who_stands_on_it():
    north, south, on = foot(1500, 500, 180), foot(1500, 2800), foot(1500, 1500)
    assert not sees(FIELD, south, north, (), HILLY)
    assert sees(FIELD, south, north, (), WALLS)
    assert sees(FIELD, south, on, (), HILLY)
    assert sees(FIELD, on, north, (), HILLY)


def test_a_wall_hides_nobody_who_stands_at_it():
    west, at_it, far = foot(1000, 700), foot(3080, 700), foot(4000, 700)
    assert not sees(FIELD, west, far, (), WALLS)
    assert sees(FIELD, west, at_it, (), WALLS)


def test_a_wood_hides_who_stands_deep_in_it_and_not_at_its_rim():
    wood = OpenField(4800, 3600, "inch", (block(TableTerrain.WOOD, 1000, 1000, 2000, 2000),))
    hiding = frozenset({TableTerrain.WOOD})
    south = foot(1500, 3000)
    assert sees(wood, south, foot(1500, 1950), (), hiding)
    assert not sees(wood, south, foot(1500, 1500), (), hiding)
    assert sees(wood, foot(1500, 1950), south, (), hiding)


def test_a_way_is_free_until_a_stand_is_met():
    others = (foot(4000, 1000), foot(2000, 1000))
    met = free_way((foot(2000, 2000),), 0, 3000, others)
    assert met.other == 1
    assert abs(met.length - (1000 - 59)) <= TOUCH
    assert free_way((foot(2000, 2000),), 0, 300, others) == (300, None)
    assert free_way((foot(2000, 2000),), 180, 3000, others) == (3000, None)


def test_a_way_along_a_neighbour_is_free_and_one_into_him_is_not():
    line = places(TableFormation.LINE, 2, TablePoint(2000, 2000), 0, FOOT)
    assert free_way(line[:1], 0, 800, line[1:]) == (800, None)
    assert free_way(line[:1], 90, 800, line[1:]).length <= TOUCH
    assert free_way(line[:1], 270, 800, line[1:]) == (800, None)


@given(
    st.integers(0, 359),
    st.integers(0, 359),
    st.integers(-300, 300),
    st.sampled_from(TableFormation),
)
def test_where_a_way_ends_there_is_contact_and_nobody_stands_on_another(
    way, facing, aside, formation
):
    ours = places(formation, 4, TablePoint(2000, 2000), way, FOOT)
    theirs = places(
        TableFormation.LINE, 4, ahead(ahead((2000, 2000), way, 1500), way + 90, aside), facing, FOOT
    )
    met = free_way(ours, way, 4000, theirs)
    if met.other is not None:
        there = move_stands(ours, way, met.length)
        assert are_touching(there, theirs)
        assert not overlap(there, theirs)
        assert gap(ours, theirs) > 0


def test_falling_back_goes_straight_away_from_the_enemy():
    line = places(TableFormation.LINE, 3, TablePoint(2000, 2000), 0, FOOT)
    went = fall_back(line, TablePoint(2000, 2000), TablePoint(2000, 1000), 800, Obstacles(FIELD))
    assert went == (180, 800, (2000, 2800), False, False)


def test_falling_back_is_barred_by_a_unit_and_ends_over_the_edge():
    line = places(TableFormation.LINE, 3, TablePoint(2000, 2000), 0, FOOT)
    behind_it = places(TableFormation.LINE, 3, TablePoint(2000, 2500), 0, FOOT)
    enemy = TablePoint(2000, 1000)
    barred = fall_back(line, TablePoint(2000, 2000), enemy, 800, Obstacles(FIELD, behind_it))
    assert barred.blocked
    assert barred.length < 500
    gone = fall_back(line, TablePoint(2000, 2000), enemy, 1700, Obstacles(FIELD))
    assert gone.off
    assert not gone.blocked


def test_a_free_place_is_near_on_nobody_and_dry():
    unit = MovingUnit(TableFormation.LINE, 4, FOOT)
    taken = places(TableFormation.LINE, 4, TablePoint(2000, 3000), 0, FOOT)
    here = free_place(unit, TablePoint(2000, 3500), 0, Obstacles(FIELD, taken))
    assert here is not None
    stands = unit.at(here, 0)
    assert on_table(FIELD, stands)
    assert not overlap(stands, taken)
    assert lies_in(FIELD, stands, frozenset({TableTerrain.RIVER})) is Lying.NONE
    crowded = OpenField(300, 200, "inch")
    assert free_place(unit, TablePoint(100, 100), 0, Obstacles(crowded)) is None


def test_no_two_threads_ask_the_same_prepared_shapes() -> None:
    """Its index is built when it is first asked, and two threads at once crash the process."""
    hill = block(TableTerrain.HILL, 0, 0, 1000, 1000)
    field = OpenField(4800, 3600, "inch", (hill, block(TableTerrain.WOOD, 500, 0, 900, 800)))
    stands = (Stand(600, 600, 0, 118, 59),)

    def shapes() -> list[object]:
        prepared = [shape for _, shape in field.shapes]
        return [*prepared, field.ground(AREAS), outline(stands)]

    mine = shapes()
    with ThreadPoolExecutor(1) as other:
        theirs = other.submit(shapes).result()
    assert not {id(shape) for shape in mine} & {id(shape) for shape in theirs}
    assert shapes()[-1] is mine[-1]
