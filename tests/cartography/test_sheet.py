"""The sheet of paper and the outlines upon it."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.drawing.svg import curve, loop, strokes
from campaign.cartography.sheet import COLUMN, HALF, ROW, MapSheet
from campaign.cartography.terrain import border, outline, rings
from campaign.rules.map import HexId, Map
from campaign.rules.map.grid import Cell, neighbours_of
from tests.cartography.reading import strokes as points_of

CELLS = st.frozensets(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1)


def test_a_hex_lies_where_its_degrees_do(the_map: Map, sheet: MapSheet):
    for hex_ in the_map.hexes.values():
        x, y = sheet.centre(hex_.id)
        east, south = sheet.at(hex_.lat, hex_.lon)
        assert abs(x - east) <= 2
        assert abs(y - south) <= 2


def test_columns_are_laid_from_the_west_and_even_ones_lower(sheet: MapSheet):
    assert sheet.centre(HexId(100)) == (60 + COLUMN, HALF)
    assert sheet.centre(HexId(0)) == (60, ROW)
    assert sheet.centre(HexId(2042)) == (60 + 20 * COLUMN, 43 * ROW)


def test_every_hex_lies_within_the_neat_line(the_map: Map, sheet: MapSheet):
    for hex_id in the_map.hexes:
        for x, y in [sheet.point(corner) for corner in the_map.corners(hex_id)]:
            assert 0 <= x <= sheet.width
            assert 0 <= y <= sheet.height


def test_the_rim_is_continued_all_round(the_map: Map, sheet: MapSheet):
    cells = {(hex_.q, hex_.r) for hex_ in the_map.hexes.values()}
    for cell in cells:
        assert sheet.ground.keys() >= set(neighbours_of(cell))


@settings(max_examples=60)
@given(CELLS)
def test_an_outline_encloses_just_its_cells(cells: frozenset[Cell]):
    # Twice the area by the shoelace of axial coordinates, in which a hex of vertices measures 18.
    area = 0
    for ring in rings(cells):
        area += sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*ring, ring[0]]))
    assert abs(area) == 18 * len(cells)


@settings(max_examples=60)
@given(CELLS)
def test_an_outline_has_every_vertex_once(cells: frozenset[Cell]):
    found = [vertex for ring in rings(cells) for vertex in ring]
    assert len(found) == len(set(found))


def test_a_border_is_only_where_two_regions_meet(sheet: MapSheet):
    one, other = frozenset({(0, 0)}), frozenset({(1, 0)})
    points = list(points_of(border(sheet, one, other)))
    ends = sheet.side(_shared())
    assert {points[0], points[-1]} == {(float(x), float(y)) for x, y in ends}
    assert border(sheet, one, frozenset({(5, 5)})) == ""


def _shared() -> tuple[tuple[int, int], tuple[int, int]]:
    return ((1, 1), (2, -1))


def test_outlines_are_written_without_waste(sheet: MapSheet):
    assert " -" not in outline(sheet, frozenset({(0, 0), (0, 1)}))
    assert outline(sheet, frozenset()) == ""


def test_a_smooth_line_goes_through_the_middle_of_each_step():
    assert curve([(0, 0), (10, 0), (10, 20), (30, 20)]) == "M0 0l5 0q5 0 5 10t10 10l10 0"
    assert curve([(0, 0), (10, 0)]) == "M0 0l5 0l5 0"


def test_a_smooth_ring_closes():
    points = list(points_of(loop([(0, 0), (20, 0), (20, 20), (0, 20)])))
    assert points[0] == points[-1] == (0, 10)


def test_strokes_are_drawn_one_by_one():
    assert strokes([((1, 2), (3, 4)), ((0, 0), (-5, 5))]) == "m1 2l2 2m-3-4l-5 5"
