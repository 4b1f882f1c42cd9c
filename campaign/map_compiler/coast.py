"""Sea and coast: a hex is sea when less than half of it lies landward of the shore."""

from collections.abc import Sequence

from campaign.map_compiler.geometry import distance_to_line, inside
from campaign.map_compiler.grid import Grid
from campaign.rules.map.grid import Cell
from campaign.rules.map.kinds import Pair

FAR = 5000.0  # km; the shore is closed into a ring of land far outside the map
SAMPLE_KM = 2.25  # about fifty samples in a hex of 17 km


def sea_cells(grid: Grid, shore: Sequence[Pair]) -> frozenset[Cell]:
    """The cells that are sea; the shore runs from north to south, in kilometres, land westward."""
    (north, _), (south, _) = shore[0], shore[-1]
    land = [*shore, (south, -FAR), (-FAR, -FAR), (-FAR, FAR), (north, FAR)]
    offsets = _offsets(grid)
    return frozenset(
        cell for cell, centre in grid.centres.items() if _is_sea(centre, land, shore, offsets)
    )


def coast_cells(grid: Grid, sea: frozenset[Cell]) -> frozenset[Cell]:
    """The land cells that touch a sea cell."""
    return frozenset(other for cell in sea for other in grid.neighbours[cell] if other not in sea)


def _is_sea(
    centre: Pair, land: Sequence[Pair], shore: Sequence[Pair], offsets: Sequence[Pair]
) -> bool:
    if distance_to_line(centre, shore) > 10.0:
        return not inside(centre, land)
    dry = sum(inside((centre[0] + x, centre[1] + y), land) for x, y in offsets)
    return dry < len(offsets) / 2


def _offsets(grid: Grid) -> list[Pair]:
    """Points spread evenly over a hex, as offsets from its centre."""
    x, y = grid.lattice.xy(0, 0)
    steps = [(step + 0.5) * SAMPLE_KM for step in range(-5, 5)]
    return [
        (dx, dy) for dx in steps for dy in steps if grid.lattice.cell_at((x + dx, y + dy)) == (0, 0)
    ]
