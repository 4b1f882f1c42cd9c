"""Stands on the table: how far apart, in contact, in the arc, in formation."""

from collections.abc import Sequence

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from battles.tabletop.formations import TableFormation, places, reach
from battles.tabletop.geometry import (
    TOUCH,
    SightBar,
    Stand,
    StandSize,
    TablePoint,
    ahead,
    are_touching,
    bearing_between,
    between,
    corners,
    distance,
    gap,
    gaps,
    in_arc,
    in_contact,
    middle,
    nearest,
    nearest_to,
    overlap,
    radius,
    turn_facing,
)

FOOT = StandSize(118, 59)
HERE = TablePoint(2000, 2000)
FACINGS = st.integers(0, 359)
POINTS = st.builds(TablePoint, st.integers(0, 4800), st.integers(0, 3600))
STANDS = st.builds(
    Stand,
    st.integers(0, 4800),
    st.integers(0, 3600),
    FACINGS,
    st.integers(50, 300),
    st.integers(50, 300),
)


def foot(x: int, y: int, facing: int = 0) -> Stand:
    return Stand(x, y, facing, *FOOT)


def test_bearings_run_clockwise_from_the_north():
    ways = {0: (2000, 1000), 90: (3000, 2000), 180: (2000, 3000), 270: (1000, 2000)}
    assert {bearing_between(HERE, point): point for point in ways.values()} == ways
    assert bearing_between(HERE, HERE) == 0


def test_ahead_and_turned_go_round_the_compass():
    assert ahead(HERE, 90, 500) == (2500, 2000)
    assert ahead(HERE, 225, 1000) == (1293, 2707)
    assert turn_facing(350, 20) == 10
    assert turn_facing(10, -20) == 350
    assert between(350, 10) == 20
    assert between(0, 180) == 180


@given(POINTS, POINTS)
def test_going_the_bearing_for_the_distance_comes_near_the_point(start, end):
    far = distance(start, end)
    assert distance(ahead(start, bearing_between(start, end), far), end) <= 1 + far * 0.009


def test_the_middle_of_points_is_their_mean():
    assert middle([(0, 0), (100, 50)]) == (50, 25)


def test_the_front_left_corner_is_named_first():
    assert corners(Stand(0, 0, 0, 100, 50)) == ((-50, -25), (50, -25), (50, 25), (-50, 25))
    east = [(round(x), round(y)) for x, y in corners(Stand(0, 0, 90, 100, 50))]
    assert east == [(25, -50), (25, 50), (-25, 50), (-25, -50)]


def test_gaps_are_from_edge_to_edge():
    ours, theirs = (foot(1000, 1000),), (foot(1000, 1500),)
    assert gap(ours, theirs) == 500 - 59
    assert gap(ours, (foot(1000, 1030),)) == 0
    both = (*theirs, foot(1600, 1000))
    assert gaps(ours, both) == [[441, 600 - 118]]


@given(STANDS, STANDS)
def test_a_gap_is_the_same_both_ways_and_within_what_the_centres_allow(one, other):
    apart = gap((one,), (other,))
    assert apart == gap((other,), (one,))
    centres = distance(one.at, other.at)
    assert centres - radius(one) - radius(other) - 2 <= apart <= centres


def blocks(stands: Sequence[Stand]) -> shapely.MultiPolygon:
    return shapely.MultiPolygon([shapely.Polygon(corners(stand)) for stand in stands])


CLOSE = st.builds(
    Stand,
    st.integers(0, 700),
    st.integers(0, 700),
    FACINGS,
    st.integers(50, 300),
    st.integers(50, 300),
)


@given(st.lists(CLOSE, min_size=1, max_size=4), st.lists(CLOSE, min_size=1, max_size=4))
def test_gaps_and_overlaps_are_those_of_the_polygons(ours, theirs):
    ours, theirs = tuple(ours), tuple(theirs)
    apart = blocks(ours).distance(blocks(theirs))
    assert abs(gap(ours, theirs) - apart) <= 0.5 + 1e-6
    inner = [
        [one._replace(width=one[3] - 2 * TOUCH, depth=one[4] - 2 * TOUCH) for one in stands]
        for stands in (ours, theirs)
    ]
    assert overlap(ours, theirs) is bool(blocks(inner[0]).intersects(blocks(inner[1])))


@given(CLOSE, POINTS, POINTS)
def test_a_stand_bars_the_lines_that_meet_its_polygon(stand, eye, point):
    barrier = SightBar.of(stand, eye)
    line = shapely.LineString((eye, point))
    assert barrier.bars(point.x - eye.x, point.y - eye.y) is line.intersects(blocks((stand,)))


def test_contact_pairs_name_the_places_of_the_stands():
    ours = places(TableFormation.LINE, 3, HERE, 0, FOOT)
    theirs = places(TableFormation.LINE, 2, TablePoint(2000 + 30, 2000 - 61), 180, FOOT)
    assert are_touching(ours, theirs)
    assert in_contact(ours, theirs) == ((0, 1), (1, 0), (1, 1), (2, 0))
    assert in_contact(ours, (foot(500, 500),)) == ()


def test_stands_side_by_side_do_not_overlap():
    line = places(TableFormation.LINE, 4, HERE, 33, FOOT)
    assert not overlap(line[:2], line[2:])
    assert overlap(line[:2], (line[1]._replace(x=line[1].x + 20),))


def test_the_nearest_is_measured_to_the_edge_and_ties_go_to_the_lowest():
    long = places(TableFormation.LINE, 6, TablePoint(2500, 2000), 0, FOOT)
    units = {7: (foot(1600, 2000),), 3: long}
    assert nearest(HERE, units) == 3
    assert nearest(HERE, {9: long, 4: long}) == 4
    assert nearest_to((foot(1500, 2000),), units) == 7
    assert nearest(HERE, {}) is None


def test_a_line_stands_abreast_about_its_place():
    assert [stand.at for stand in places(TableFormation.LINE, 3, HERE, 0, FOOT)] == [
        (1882, 2000),
        (2000, 2000),
        (2118, 2000),
    ]


def test_a_column_of_four_is_two_abreast_and_a_march_column_one():
    column = places(TableFormation.COLUMN, 4, HERE, 0, FOOT)
    assert [stand.at for stand in column] == [
        (1941, 2000),
        (2059, 2000),
        (1941, 2059),
        (2059, 2059),
    ]
    march = places(TableFormation.MARCH_COLUMN, 3, HERE, 90, FOOT)
    assert [stand.at for stand in march] == [(2000, 2000), (1941, 2000), (1882, 2000)]


def test_a_mass_has_two_ranks_and_loses_from_the_rear():
    whole = places(TableFormation.MASS, 6, HERE, 0, FOOT)
    assert {stand.y for stand in whole} == {2000, 2059}
    assert places(TableFormation.MASS, 5, HERE, 0, FOOT)[:3] == whole[:3]


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize("size", [FOOT, StandSize(250, 250), StandSize(118, 118)])
def test_a_square_looks_outwards_and_no_stand_lies_on_another(count, size):
    stands = places(TableFormation.SQUARE, count, HERE, 0, size)
    assert len(stands) == count
    for place, stand in enumerate(stands):
        others = stands[:place] + stands[place + 1 :]
        assert not overlap((stand,), others)
        assert all(not in_arc(stand, other, 30) for other in others)
    ways = {0, 180} if count == 2 else {0} if count == 1 else {0, 90, 180, 270}
    assert {stand.facing for stand in stands} == (ways - {180} if count == 3 else ways)


@given(st.sampled_from(TableFormation), st.integers(1, 12), FACINGS)
def test_no_stand_of_a_formation_lies_on_another_or_out_of_reach(formation, count, facing):
    stands = places(formation, count, HERE, facing, FOOT)
    far = reach(formation, count, FOOT) + TOUCH
    for place, stand in enumerate(stands):
        assert not overlap((stand,), stands[:place])
        assert all(distance(HERE, corner) <= far for corner in corners(stand))


def test_the_arc_is_forty_five_degrees_either_side():
    shooter = foot(2000, 2000)
    assert in_arc(shooter, Stand(2000, 1000, 0, 10, 10))
    assert in_arc(shooter, Stand(2990, 1000, 0, 10, 10))
    assert not in_arc(shooter, Stand(3020, 1000, 0, 10, 10))
    assert not in_arc(shooter, Stand(2000, 3000, 0, 10, 10))
    assert in_arc(shooter, Stand(3020, 1000, 0, 10, 10), 60)


def test_a_wide_target_straight_ahead_is_in_a_narrow_arc():
    assert in_arc(foot(2000, 2000), Stand(2100, 1900, 0, 1000, 20), 1)
    assert not in_arc(foot(2000, 2000), Stand(2100, 2100, 0, 1000, 20), 1)


@given(STANDS, FACINGS)
def test_what_is_straight_ahead_is_always_in_the_arc(stand, facing):
    looking = stand._replace(facing=facing)
    target = Stand(*ahead(stand.at, facing, 1500), 0, 40, 40)
    assert in_arc(looking, target, 2)
    assert not in_arc(looking._replace(facing=(facing + 180) % 360), target, 45)
