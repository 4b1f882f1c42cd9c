"""Ground and relief of every hex, and the regions it belongs to, by its centre.

Hill and mountain lie on top of desert or clear. A fully tilled bank is cultivated and flat whatever
stands behind it, unless a lone jebel stands in the hex itself.
"""

from campaign.map_compiler.geometry import distance, inside
from campaign.map_compiler.grid import Grid
from campaign.map_compiler.places import Site
from campaign.map_compiler.rivers import Side
from campaign.map_compiler.survey import CultivatedEntry, Survey
from campaign.rules.map.grid import Cell
from campaign.rules.map.kinds import Ground, Pair, Relief
from campaign.rules.map.projection import Projection

Painted = dict[Cell, tuple[Ground, Relief]]


def paint(survey: Survey, site: Site, projection: Projection) -> Painted:
    """Ground and relief of each cell."""
    jebels = _jebels(survey, site.grid, projection)
    tilled = _tilled(survey, site, projection)
    painted: Painted = {}
    for cell, centre in site.grid.centres.items():
        point = projection.lat_lon(centre)
        if cell in site.sea:
            painted[cell] = (Ground.SEA, Relief.FLAT)
        elif cell in jebels:
            painted[cell] = (_bare(survey, point), jebels[cell])
        elif cell in tilled:
            painted[cell] = (Ground.CULTIVATED, Relief.FLAT)
        else:
            painted[cell] = _open_country(survey, point)
    return painted


def _open_country(survey: Survey, point: Pair) -> tuple[Ground, Relief]:
    for relief in (Relief.MOUNTAIN, Relief.HILL):
        if _within(survey, relief, point):
            return (_bare(survey, point), relief)
    if _within(survey, Ground.CULTIVATED, point):
        return (Ground.CULTIVATED, Relief.FLAT)
    return (_bare(survey, point), Relief.FLAT)


def _bare(survey: Survey, point: Pair) -> Ground:
    return Ground.CLEAR if _within(survey, Ground.CLEAR, point) else Ground.DESERT


def _within(survey: Survey, kind: str, point: Pair) -> bool:
    return any(inside(point, entry.ring) for entry in survey.terrain if entry.kind == kind)


def _jebels(survey: Survey, grid: Grid, projection: Projection) -> dict[Cell, Relief]:
    found: dict[Cell, Relief] = {}
    for jebel in survey.jebel:
        cell = grid.cell_at(projection.xy((jebel.lat, jebel.lon)))
        if cell is not None:
            found[cell] = Relief(jebel.kind)
    return found


def _tilled(survey: Survey, site: Site, projection: Projection) -> set[Cell]:
    """The land cells on both banks of the fully tilled reaches."""
    found: set[Cell] = set()
    for entry in survey.cultivated_reach:
        if entry.strength == "full":
            for side in _stretch(entry, site, projection):
                found |= {side.left, side.right}
    return found


def _stretch(entry: CultivatedEntry, site: Site, projection: Projection) -> tuple[Side, ...]:
    sides = site.waters.sides[entry.river]
    middles = [site.grid.middle(side.hexside) for side in sides]
    start, end = (
        min(range(len(sides)), key=lambda n: (distance(middles[n], point), n))
        for point in (projection.xy(entry.start), projection.xy(entry.end))
    )
    return sides[start : end + 1]


def regions(survey: Survey, grid: Grid, projection: Projection) -> dict[str, frozenset[Cell]]:
    """The cells of each region, by its id."""
    points = {cell: projection.lat_lon(centre) for cell, centre in grid.centres.items()}
    return {
        region.id: frozenset(cell for cell in grid.cells if inside(points[cell], region.ring))
        for region in survey.region
    }


def closed_cells(
    survey: Survey, site: Site, placed: dict[str, Cell], labelled: dict[str, frozenset[Cell]]
) -> frozenset[Cell]:
    """The land cells of closed regions, save those within two hexes of a place outside them."""
    shut = {cell for region in survey.region if region.closed for cell in labelled[region.id]}
    outside = [cell for cell in placed.values() if cell not in shut]
    near = {far for cell in outside for far in _two_around(site.grid, cell)}
    return frozenset(shut - near - site.sea)


def _two_around(grid: Grid, cell: Cell) -> set[Cell]:
    return {far for near in grid.neighbours[cell] for far in (near, *grid.neighbours[near])}
