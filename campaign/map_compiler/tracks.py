"""Railway tracks and roads: the cheapest way over land hexes from one named place to the next."""

from collections.abc import Sequence
from heapq import heappop, heappush
from itertools import pairwise

from campaign.map_compiler.geometry import distance_to_line
from campaign.map_compiler.places import Site
from campaign.map_compiler.survey import Survey
from campaign.rules.map.grid import Cell, side_between
from campaign.rules.map.kinds import MapError, Pair
from campaign.rules.map.projection import Projection

STRAY_KM = 9.0  # off the line by this much, a hex costs twice what it costs on the line
CROSSING = 60.0  # what crossing a river costs, in hexes on the line

Ways = dict[str, tuple[Cell, ...]]


def lay_tracks(survey: Survey, site: Site, placed: dict[str, Cell], proj: Projection) -> Ways:
    """The cells of each railway line in order, by its id."""
    return {
        track.id: _way(
            site, [placed[name] for name in track.via], [proj.xy(point) for point in track.points]
        )
        for track in survey.track
    }


def lay_roads(survey: Survey, site: Site, placed: dict[str, Cell]) -> Ways:
    """The cells of each caravan road in order, by its title; straight from place to place."""
    stops = {road.title: [placed[name] for name in road.via] for road in survey.road}
    return {
        title: _way(site, cells, [site.grid.centres[cell] for cell in cells])
        for title, cells in stops.items()
    }


def _way(site: Site, stops: Sequence[Cell], line: Sequence[Pair]) -> tuple[Cell, ...]:
    way = [stops[0]]
    for start, end in pairwise(stops):
        way.extend(_leg(site, start, end, line)[1:])
    return tuple(way)


def _leg(site: Site, start: Cell, end: Cell, line: Sequence[Pair]) -> list[Cell]:
    best = {start: 0.0}
    origin: dict[Cell, Cell] = {}
    heap = [(0.0, start)]
    while heap:
        cost, cell = heappop(heap)
        if cell == end:
            return _traced(origin, end)
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


def _entry(site: Site, cell: Cell, other: Cell, line: Sequence[Pair]) -> float:
    stray = distance_to_line(site.grid.centres[other], line) / STRAY_KM
    crossing = CROSSING if side_between(cell, other) in site.waters.hexsides else 0.0
    return 1.0 + stray * stray + crossing


def _traced(origin: dict[Cell, Cell], end: Cell) -> list[Cell]:
    way = [end]
    while way[-1] in origin:
        way.append(origin[way[-1]])
    return way[::-1]
