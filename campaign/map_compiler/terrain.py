"""Lay out terrain, regions, sea and coast, railway tracks and roads, hex by hex.

A hex takes its ground, relief and regions by its centre. Hill and mountain lie on top of desert or
clear. A fully tilled bank is cultivated and flat whatever stands behind it, unless a lone jebel
stands in the hex itself. A hex is sea when less than half of it lies landward of the shore. A track
or road is the cheapest way over land hexes from one named place to the next.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from campaign.map_compiler.geometry import Grid, distance, distance_to_line, inside
from campaign.map_compiler.rivers_and_places import PlacementMap, RiverHexside
from campaign.map_compiler.survey import CultivatedEntry, Survey
from campaign.rules.map.grid import (
    Cell,
    GroundClass,
    MapError,
    Pair,
    Projection,
    Relief,
    side_between,
)

Painted = dict[Cell, tuple[GroundClass, Relief]]


def paint(survey: Survey, site: PlacementMap, projection: Projection) -> Painted:
    """Return the ground and relief of each cell."""
    jebels = _jebels(survey, site.grid, projection)
    tilled = _tilled_cells(survey, site, projection)
    painted: Painted = {}
    for cell, centre in site.grid.centres.items():
        point = projection.lat_lon(centre)
        if cell in site.sea:
            painted[cell] = (GroundClass.SEA, Relief.FLAT)
        elif cell in jebels:
            painted[cell] = (_bare(survey, point), jebels[cell])
        elif cell in tilled:
            painted[cell] = (GroundClass.CULTIVATED, Relief.FLAT)
        else:
            painted[cell] = _open_country(survey, point)
    return painted


def _open_country(survey: Survey, point: Pair) -> tuple[GroundClass, Relief]:
    for relief in (Relief.MOUNTAIN, Relief.HILL):
        if _within(survey, relief, point):
            return (_bare(survey, point), relief)
    if _within(survey, GroundClass.CULTIVATED, point):
        return (GroundClass.CULTIVATED, Relief.FLAT)
    return (_bare(survey, point), Relief.FLAT)


def _bare(survey: Survey, point: Pair) -> GroundClass:
    return GroundClass.CLEAR if _within(survey, GroundClass.CLEAR, point) else GroundClass.DESERT


def _within(survey: Survey, kind: str, point: Pair) -> bool:
    return any(inside(point, entry.ring) for entry in survey.terrain if entry.kind == kind)


def _jebels(survey: Survey, grid: Grid, projection: Projection) -> dict[Cell, Relief]:
    jebels: dict[Cell, Relief] = {}
    for jebel in survey.jebel:
        cell = grid.cell_at(projection.xy((jebel.lat, jebel.lon)))
        if cell is not None:
            jebels[cell] = Relief(jebel.kind)
    return jebels


def _tilled_cells(survey: Survey, site: PlacementMap, projection: Projection) -> set[Cell]:
    """Return the land cells on both banks of the fully tilled reaches."""
    cells: set[Cell] = set()
    for entry in survey.cultivated_reach:
        if entry.strength == "full":
            for side in _stretch(entry, site, projection):
                cells |= {side.left, side.right}
    return cells


def _stretch(
    entry: CultivatedEntry, site: PlacementMap, projection: Projection
) -> tuple[RiverHexside, ...]:
    sides = site.waters.sides[entry.river]
    middles = [site.grid.middle(side.hexside) for side in sides]
    start, end = (
        min(range(len(sides)), key=lambda n: (distance(middles[n], point), n))
        for point in (projection.xy(entry.start), projection.xy(entry.end))
    )
    return sides[start : end + 1]


def regions(survey: Survey, grid: Grid, projection: Projection) -> dict[str, frozenset[Cell]]:
    """Return the cells of each region, by its id."""
    points = {cell: projection.lat_lon(centre) for cell, centre in grid.centres.items()}
    return {
        region.id: frozenset(cell for cell in grid.cells if inside(points[cell], region.ring))
        for region in survey.region
    }


def closed_cells(
    survey: Survey,
    site: PlacementMap,
    placed: dict[str, Cell],
    labelled: dict[str, frozenset[Cell]],
) -> frozenset[Cell]:
    """Return the land cells of closed regions, except those within two hexes of a place outside."""
    shut = {cell for region in survey.region if region.closed for cell in labelled[region.id]}
    outside = [cell for cell in placed.values() if cell not in shut]
    near = {far for cell in outside for far in _two_around(site.grid, cell)}
    return frozenset(shut - near - site.sea)


def _two_around(grid: Grid, cell: Cell) -> set[Cell]:
    return {far for near in grid.neighbours[cell] for far in (near, *grid.neighbours[near])}


FAR = 5000.0  # km; the shore is closed into a ring of land far outside the map
SAMPLE_KM = 2.25  # about fifty samples in a hex of 17 km


def sea_cells(grid: Grid, shore: Sequence[Pair]) -> frozenset[Cell]:
    """Return the sea cells; the shore runs north to south in kilometres, land to the west."""
    (north, _), (south, _) = shore[0], shore[-1]
    land = [*shore, (south, -FAR), (-FAR, -FAR), (-FAR, FAR), (north, FAR)]
    offsets = _offsets(grid)
    return frozenset(
        cell for cell, centre in grid.centres.items() if _is_sea(centre, land, shore, offsets)
    )


def coast_cells(grid: Grid, sea: frozenset[Cell]) -> frozenset[Cell]:
    """Return the land cells that touch a sea cell."""
    return frozenset(other for cell in sea for other in grid.neighbours[cell] if other not in sea)


def _is_sea(
    centre: Pair, land: Sequence[Pair], shore: Sequence[Pair], offsets: Sequence[Pair]
) -> bool:
    if distance_to_line(centre, shore) > 10.0:
        return not inside(centre, land)
    dry = sum(inside((centre[0] + x, centre[1] + y), land) for x, y in offsets)
    return dry < len(offsets) / 2


def _offsets(grid: Grid) -> list[Pair]:
    """Return points spread evenly over a hex, as offsets from its centre."""
    x, y = grid.lattice.xy(0, 0)
    steps = [(step + 0.5) * SAMPLE_KM for step in range(-5, 5)]
    return [
        (dx, dy) for dx in steps for dy in steps if grid.lattice.cell_at((x + dx, y + dy)) == (0, 0)
    ]


STRAY_KM = 9.0  # off the line by this much, a hex costs twice what it costs on the line
CROSSING = 60.0  # what crossing a river costs, in hexes on the line

Ways = dict[str, tuple[Cell, ...]]


def lay_tracks(
    survey: Survey, site: PlacementMap, placed: dict[str, Cell], proj: Projection
) -> Ways:
    """Return the cells of each railway line in order, by its id."""
    return {
        track.id: _way(
            site, [placed[name] for name in track.via], [proj.xy(point) for point in track.points]
        )
        for track in survey.track
    }


def lay_roads(survey: Survey, site: PlacementMap, placed: dict[str, Cell]) -> Ways:
    """Return the cells of each caravan road, by its title; straight from place to place."""
    stops = {road.title: [placed[name] for name in road.via] for road in survey.road}
    return {
        title: _way(site, cells, [site.grid.centres[cell] for cell in cells])
        for title, cells in stops.items()
    }


def _way(site: PlacementMap, stops: Sequence[Cell], line: Sequence[Pair]) -> tuple[Cell, ...]:
    way = [stops[0]]
    for start, end in pairwise(stops):
        way.extend(_leg(site, start, end, line)[1:])
    return tuple(way)


def _leg(site: PlacementMap, start: Cell, end: Cell, line: Sequence[Pair]) -> list[Cell]:
    best = {start: 0.0}
    origin: dict[Cell, Cell] = {}
    heap = [(0.0, start)]
    while heap:
        cost, cell = heappop(heap)
        if cell == end:
            return _trace_path(origin, end)
        if cost > best[cell]:
            continue
        for other in site.grid.neighbours[cell]:
            if other in site.sea:
                continue
            total = cost + _entry(site, cell, other, line)
            if total < best.get(other, float("inf")):
                best[other] = total
                origin[other] = cell
                heappush(heap, (total, other))
    raise MapError(f"No way over land from the hex {start} to the hex {end}.")


def _entry(site: PlacementMap, cell: Cell, other: Cell, line: Sequence[Pair]) -> float:
    stray = distance_to_line(site.grid.centres[other], line) / STRAY_KM
    crossing = CROSSING if side_between(cell, other) in site.waters.hexsides else 0.0
    return 1.0 + stray * stray + crossing


def _trace_path(origin: dict[Cell, Cell], end: Cell) -> list[Cell]:
    way = [end]
    while way[-1] in origin:
        way.append(origin[way[-1]])
    return way[::-1]
