"""Projection and grid: there and back again, exact vertices, printed numbers."""

from math import cos, hypot, radians

import pytest

from campaign.map_compiler.geometry import Grid
from campaign.map_compiler.survey import Survey
from campaign.rules.map.grid import (
    Projection,
    hex_distance,
    neighbours_of,
    side_between,
    vertices_of,
)

SUDAN = Projection(17.3, 33.9, 6371.0)
POINTS = [(17.3, 33.9), (22.1, 29.5), (12.3, 38.1), (19.11, 37.33), (15.6, 32.53)]


@pytest.mark.parametrize("point", POINTS)
def test_projection_comes_back_to_the_same_degrees(point: tuple[float, float]) -> None:
    assert SUDAN.lat_lon(SUDAN.xy(point)) == pytest.approx(point, abs=1e-9)


def test_projection_puts_east_and_north_on_the_positive_side() -> None:
    x, y = SUDAN.xy((18.3, 33.9))
    assert (x, y) == pytest.approx((0.0, radians(1) * 6371.0))
    x, y = SUDAN.xy((17.3, 34.9))
    assert x == pytest.approx(radians(1) * 6371.0 * cos(radians(17.3)), rel=1e-3)


def test_every_point_lies_in_the_cell_whose_centre_is_nearest(survey: Survey) -> None:
    grid = Grid(survey.map)
    for x, y in [(0.0, 0.0), (8.4, 0.1), (-123.4, 56.7), (200.2, -300.9), (9.81, 0.05)]:
        nearest = min(
            grid.cells, key=lambda c: hypot(grid.centres[c][0] - x, grid.centres[c][1] - y)
        )
        assert grid.cell_at((x, y)) == nearest


def test_three_cells_share_one_vertex_exactly() -> None:
    a, b, c = (4, -7), (5, -8), (5, -7)
    assert len(set(vertices_of(a)) & set(vertices_of(b)) & set(vertices_of(c))) == 1


def test_every_inner_hexside_bounds_two_neighbours(survey: Survey) -> None:
    grid = Grid(survey.map)
    for side, cells in grid.sides.items():
        if len(cells) == 2:
            assert hex_distance(*cells) == 1
            assert side_between(*cells) == side


def test_cells_that_do_not_touch_have_no_side_between_them() -> None:
    with pytest.raises(ValueError, match="not neighbours"):
        side_between((0, 0), (2, 0))


def test_neighbours_run_clockwise_from_the_north(survey: Survey) -> None:
    grid = Grid(survey.map)
    around = [grid.centres[cell] for cell in neighbours_of((0, 0))]
    assert around[0] == pytest.approx((0.0, 17.0))
    assert [x > 1 for x, _ in around] == [False, True, True, False, False, False]
    assert [y > 0 for _, y in around] == [True, True, False, False, False, True]


def test_printed_numbers_count_62_columns_and_64_rows(survey: Survey) -> None:
    ids = Grid(survey.map).ids
    assert sorted(ids.values()) == [column * 100 + row for column in range(62) for row in range(64)]


def test_rows_run_south_and_even_columns_stand_half_a_hex_further_south(survey: Survey) -> None:
    grid = Grid(survey.map)
    centre = {int(number): grid.centres[cell] for cell, number in grid.ids.items()}
    assert centre[1733][1] - centre[1734][1] == pytest.approx(17.0)
    assert centre[1734][1] - centre[1834][1] == pytest.approx(8.5)
    assert centre[1834][0] > centre[1734][0]
