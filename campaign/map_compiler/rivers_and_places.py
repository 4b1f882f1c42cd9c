"""Lay rivers along hexsides, with reaches, banks and cataracts, and set places on hexes.

White Nile and Nile are snapped as one line, the stem. A tributary is snapped to end at the vertex
of the stem whose third hexside points to its bank and which lies nearest to its true mouth. A place
gets the nearest hex on its true bank: the town moves, never the river.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from campaign.map_compiler.geometry import (
    ChainEnds,
    Grid,
    Net,
    SnapStep,
    densify,
    distance,
    snap,
    vertex_node,
)
from campaign.map_compiler.survey import PlaceEntry, ReachEntry, RiverEntry, Survey
from campaign.rules.map.grid import (
    Bank,
    Cell,
    Hexside,
    MapError,
    Nav,
    Pair,
    Projection,
    Vertex,
    hexside,
    neighbours_of,
)

Match = tuple[SnapStep, ReachEntry]

STEP_KM = 1.5
JUNCTION_KM = 12.0  # a vertex of the stem farther than this from the true mouth is none


@dataclass(frozen=True, slots=True)
class RiverHexside:
    """A hexside of a river, facing downstream."""

    river: str
    ordinal: int
    reach: str
    nav: Nav
    start: Vertex
    end: Vertex
    left: Cell
    right: Cell

    @property
    def hexside(self) -> Hexside:
        """Return the hexside as its sorted vertices."""
        return hexside(self.start, self.end)


@dataclass(frozen=True)
class RiverCourse:
    """A line to snap: its samples on the map and the reach of each."""

    samples: list[Pair]
    reaches: list[ReachEntry]
    cut: bool
    """True if the source lies off the map, so that the chain must begin on the rim."""

    def may_start(self, grid: Grid) -> Callable[[Vertex], bool]:
        """Return a test for the vertices at which the chain may begin."""
        return grid.rim.__contains__ if self.cut else grid.points.__contains__


@dataclass(frozen=True)
class Waters:
    """All rivers laid on the grid, and the hexside that each cataract is on."""

    sides: dict[str, tuple[RiverHexside, ...]]
    cataracts: dict[str, RiverHexside]

    @cached_property
    def banks(self) -> dict[Cell, dict[str, set[Bank]]]:
        """Return, for each cell beside a river, the rivers it touches and the banks it is on."""
        found: dict[Cell, dict[str, set[Bank]]] = {}
        for river, sides in self.sides.items():
            for side in sides:
                found.setdefault(side.left, {}).setdefault(river, set()).add(Bank.LEFT)
                found.setdefault(side.right, {}).setdefault(river, set()).add(Bank.RIGHT)
        return found

    @cached_property
    def hexsides(self) -> frozenset[Hexside]:
        """Return every hexside that is a river."""
        return frozenset(side.hexside for sides in self.sides.values() for side in sides)


def lay_rivers(survey: Survey, grid: Grid, projection: Projection) -> Waters:
    """Return all rivers of the survey as chains of hexsides.

    Raises MapError if one cannot be laid.
    """
    net = Net(grid)
    stem = _stem(survey)
    course = _course(stem, grid, projection)
    steps = snap(net, course.samples, ChainEnds(course.may_start(grid), grid.rim.__contains__))
    stem_nodes = frozenset(node for step in steps for node in net.along(step))
    mouths: dict[str, int] = {}
    sides: dict[str, tuple[RiverHexside, ...]] = {}
    for river in survey.river:
        if river.mouth_bank:
            mouth = _junction(grid, steps, river, projection.xy(river.points[-1]))
            branch = _course((river,), grid, projection)
            joined = steps[mouth].start
            off_stem = stem_nodes - {vertex_node(joined)}
            ends = ChainEnds(branch.may_start(grid), joined.__eq__, off_stem)
            sides[river.id] = _sides(
                grid, river, _match_steps(snap(net, branch.samples, ends), branch)
            )
            mouths[river.id] = mouth
    matched = _match_steps(steps, course)
    for river, part in _split_stem(stem, matched, _parting_steps(survey, stem, mouths)):
        sides[river.id] = _sides(grid, river, part)
    return Waters(sides, _cataracts(survey, grid, projection, sides))


def _stem(survey: Survey) -> tuple[RiverEntry, ...]:
    """Return the rivers of the stem, downstream: headwaters, then the one that joins none."""
    stem = [river for river in survey.river if river.joins is None]
    if len(stem) != 1:
        raise MapError("Survey: exactly one river must join no other.")
    while heads := [r for r in survey.river if r.joins == stem[0].id and r.mouth_bank is None]:
        stem.insert(0, heads[0])
    return tuple(stem)


def _course(rivers: Sequence[RiverEntry], grid: Grid, projection: Projection) -> RiverCourse:
    """Return the rivers as samples every 1.5 km, as far as they lie on the map."""
    samples: list[Pair] = []
    reaches: list[ReachEntry] = []
    cut = False
    for reach in (reach for river in rivers for reach in river.reach):
        dense = densify([projection.xy(point) for point in reach.points], STEP_KM)
        for sample in dense[1:] if samples or cut else dense:
            if grid.cell_at(sample) is not None:
                samples.append(sample)
                reaches.append(reach)
            elif not samples:
                cut = True
    if len(samples) < 2:
        raise MapError(f"Survey, river {rivers[0].id!r}: it does not touch the map.")
    return RiverCourse(samples, reaches, cut)


def _junction(grid: Grid, stem: Sequence[SnapStep], river: RiverEntry, mouth: Pair) -> int:
    """Return the step of the stem below the vertex where a tributary joins."""
    hand = 0 if river.mouth_bank is Bank.LEFT else 1
    open_to_bank = [
        (distance(grid.points[below.start], mouth), number)
        for number, (above, below) in enumerate(pairwise(stem), start=1)
        if grid.banks(above.start, above.end)[hand] != grid.banks(below.start, below.end)[hand]
    ]
    off, number = min(open_to_bank)
    if off > JUNCTION_KM:
        raise MapError(f"Survey, river {river.id!r}: its mouth lies {off:.0f} km off the stem.")
    return number


def _match_steps(steps: Sequence[SnapStep], course: RiverCourse) -> list[Match]:
    return [(step, course.reaches[step.sample]) for step in steps]


def _parting_steps(survey: Survey, stem: Sequence[RiverEntry], mouths: dict[str, int]) -> list[int]:
    """Return the step at which each river of the stem below the first begins."""
    steps = []
    for river in stem[1:]:
        at_head = [r.id for r in survey.river if r.mouth_bank and r.points[-1] == river.points[0]]
        if len(at_head) != 1:
            raise MapError(f"Survey, river {river.id!r}: no tributary marks where it begins.")
        steps.append(mouths[at_head[0]])
    return steps


def _split_stem(
    stem: Sequence[RiverEntry], matched: Sequence[Match], partings: Sequence[int]
) -> Iterator[tuple[RiverEntry, list[Match]]]:
    """Yield each river of the stem with its part of the chain.

    A step matched to another river's reach gets the nearest reach of its own.
    """
    bounds = [0, *partings, len(matched)]
    for river, start, end in zip(stem, bounds, bounds[1:], strict=False):
        part = list(matched[start:end])
        own = [number for number, (_, reach) in enumerate(part) if reach in river.reach]
        first, last = own[0], own[-1]
        yield (
            river,
            [
                (step, river.reach[0] if n < first else river.reach[-1] if n > last else reach)
                for n, (step, reach) in enumerate(part)
            ],
        )


def _sides(grid: Grid, river: RiverEntry, matched: Sequence[Match]) -> tuple[RiverHexside, ...]:
    sides = []
    for ordinal, (step, reach) in enumerate(matched, start=1):
        left, right = grid.banks(step.start, step.end)
        sides.append(
            RiverHexside(river.id, ordinal, reach.id, reach.nav, step.start, step.end, left, right)
        )
    return tuple(sides)


def _cataracts(
    survey: Survey, grid: Grid, projection: Projection, sides: dict[str, tuple[RiverHexside, ...]]
) -> dict[str, RiverHexside]:
    """Return the hexside of each cataract: the nearest one of its reach that has none yet."""
    cataracts: dict[str, RiverHexside] = {}
    for entry in survey.cataract:
        point = projection.xy((entry.lat, entry.lon))
        free = [
            side
            for river in sides.values()
            for side in river
            if side.reach == entry.reach and side not in cataracts.values()
        ]
        if not free:
            raise MapError(f"Survey, cataract {entry.name!r}: its reach has no hexside left.")
        cataracts[entry.name] = min(
            free, key=lambda side: (distance(grid.middle(side.hexside), point), side.ordinal)
        )
    return cataracts


SHARING_KM = 2.0  # what it costs to share a hex with another place


@dataclass(frozen=True)
class PlacementMap:
    """The grid on which places are set, with its rivers, sea and coast."""

    grid: Grid
    waters: Waters
    sea: frozenset[Cell]
    coast: frozenset[Cell]

    def suits(self, place: PlaceEntry, cell: Cell) -> bool:
        """Return whether a cell is dry, on the coast for a port, and on the declared banks only."""
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


def set_places(survey: Survey, site: PlacementMap, projection: Projection) -> dict[str, Cell]:
    """Return the cell of each place, by name in the order of the survey.

    The book's own places come first and never share a cell with each other, then those on rivers,
    then the rest. Raises MapError if no hex within two of its own suits a place.
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
    place: PlaceEntry, point: Pair, site: PlacementMap, others: tuple[set[Cell], set[Cell]]
) -> Cell:
    own = site.grid.lattice.cell_at(point)
    occupied, barred = others
    ring = {far for near in (own, *neighbours_of(own)) for far in (near, *neighbours_of(near))}
    costs = [
        (_cost(site.grid, point, cell) + SHARING_KM * (cell in occupied), cell)
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
