"""Setting places on the grid: the nearest hex on the true bank. The town moves, never the river."""

from dataclasses import dataclass

from campaign.map_compiler.geometry import distance
from campaign.map_compiler.grid import Grid
from campaign.map_compiler.rivers import Waters
from campaign.map_compiler.survey import PlaceEntry, Survey
from campaign.rules.map.grid import Cell, neighbours_of
from campaign.rules.map.kinds import Bank, MapError, Pair
from campaign.rules.map.projection import Projection

SHARING_KM = 2.0  # what it costs to share a hex with another place


@dataclass(frozen=True)
class Site:
    """What places are set on: the grid, its rivers, sea and coast."""

    grid: Grid
    waters: Waters
    sea: frozenset[Cell]
    coast: frozenset[Cell]

    def suits(self, place: PlaceEntry, cell: Cell) -> bool:
        """Whether a cell is dry, on the coast for a port, and on the declared banks only."""
        if cell in self.sea or (place.port and cell not in self.coast):
            return False
        touched = self.waters.banks.get(cell, {})
        near = touched.get(place.near_river or "", set())
        return (
            _on_bank(touched, place.river, place.bank)
            and _on_bank(touched, place.second_river, place.second_bank)
            and (not near or near == {place.near_bank})
        )


def _on_bank(touched: dict[str, set[Bank]], river: str | None, bank: Bank | None) -> bool:
    if river is None:
        return True
    banks = touched.get(river, set())
    return bool(banks) if bank is Bank.EITHER else banks == {bank}


def set_places(survey: Survey, site: Site, projection: Projection) -> dict[str, Cell]:
    """The cell of each place, by name in the order of the survey.

    The book's own places come first and never share with each other, then those on rivers, then
    the rest. Raises MapError if no hex within two of its own suits a place.
    """
    placed: dict[str, Cell] = {}
    book: set[Cell] = set()
    for place in sorted(survey.place, key=_rank):
        point = projection.xy((place.lat, place.lon))
        barred = book if place.rule else set()
        placed[place.name] = cell = _nearest(place, point, site, (set(placed.values()), barred))
        if place.rule:
            book.add(cell)
    return {place.name: placed[place.name] for place in survey.place}


def _rank(place: PlaceEntry) -> int:
    if place.rule:
        return 0
    return 1 if place.river else 2


def _nearest(
    place: PlaceEntry, point: Pair, site: Site, others: tuple[set[Cell], set[Cell]]
) -> Cell:
    own = site.grid.lattice.cell_at(point)
    taken, barred = others
    ring = {far for near in (own, *neighbours_of(own)) for far in (near, *neighbours_of(near))}
    costs = [
        (_cost(site.grid, point, cell) + SHARING_KM * (cell in taken), cell)
        for cell in ring
        if cell in site.grid.centres and cell not in barred and site.suits(place, cell)
    ]
    if not costs:
        raise MapError(
            f"Survey, place {place.name!r}: no hex on the map within two of its position suits it; "
            "check its position, river, bank and port."
        )
    return min(costs)[1]


def _cost(grid: Grid, point: Pair, cell: Cell) -> float:
    return 0.0 if grid.cell_at(point) == cell else distance(point, grid.centres[cell])
