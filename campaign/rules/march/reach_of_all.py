"""The reach of many stacks at once: one batched search over the whole map (8.2, 8.21).

A single stack's reach comes from `reach`; this is for whoever asks about all of them, such as what
may come to a hex in one march. The two agree, which a test holds.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from campaign.rules.board import board, chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import Bars, bars, ways
from campaign.rules.pieces import Side
from campaign.rules.stacking import allowance
from campaign.rules.state import State

Costs = NDArray[np.float64]


Places = NDArray[np.intp]


class Lattice(NamedTuple):
    """The ways of the map as arrays: an entry for each way from a hex to its neighbour.

    `tolls` are the costs with a crossing's in them. `into` are the places in the arrays of the ways
    into each hex, `wet` those of the ways over a river from or into it. Searches go over the hexes
    of the land alone, closely numbered: `number` is that of each hex, -1 at sea; `starts_at` and
    `leads_to` are `pointers` and `ends` in those numbers.
    """

    number: NDArray[np.int32]
    starts_at: NDArray[np.int32]
    leads_to: NDArray[np.int32]
    pointers: NDArray[np.int32]
    origins: NDArray[np.int32]
    ends: NDArray[np.int32]
    costs: Costs
    rivers: NDArray[np.bool_]
    tolls: Costs
    into: tuple[Places, ...]
    wet: tuple[Places, ...]


class ReachOfAll(NamedTuple):
    """For each start the points it has, and those to every hex of the land by its `number`.

    They are infinite where a march does not reach.
    """

    starts: tuple[HexId, ...]
    points: tuple[int, ...]
    costs: Costs
    number: NDArray[np.int32]

    def coming_to(self, hex_id: HexId) -> dict[HexId, int]:
        """The starts from which a stack can come to the hex in one march, with the points."""
        if self.number[hex_id] < 0:
            return {}
        spent = self.costs[:, self.number[hex_id]]
        return {
            start: int(spent[row])
            for row, start in enumerate(self.starts)
            if spent[row] <= self.points[row]
        }


def reach_of_all(state: State, side: Side) -> ReachOfAll:
    """One march of every land stack of the side, each as far as its slowest unit goes."""
    position, law = board(state), laws(state)
    starts = tuple(sorted(position.occupied[side]))
    points = tuple(allowance(law, position.land(side, start)) for start in starts)
    lattice = lattice_of(chart(state), law)
    size = len(lattice.starts_at) - 1
    if not starts:
        return ReachOfAll((), (), np.empty((0, size)), lattice.number)
    weights = _weights(lattice, bars(state, side))
    graph = csr_array((weights, lattice.leads_to, lattice.starts_at), (size, size))
    places = lattice.number[list(starts)]
    costs = dijkstra(graph, indices=places, limit=max(points))
    for row, start in enumerate(starts):
        if position.besieged(side, start):
            _hold(costs, row, places[row])
    return ReachOfAll(starts, points, costs, lattice.number)


def _weights(lattice: Lattice, barred: Bars) -> Costs:
    """The cost of every way in this position; infinite where something bars it."""
    weights = lattice.tolls.copy()
    free = _together(lattice.wet, barred.bridged)
    weights[free] = lattice.costs[free]
    weights[_together(lattice.wet, barred.guarded)] = np.inf
    weights[_together(lattice.into, barred.blocked)] = np.inf
    for hex_id in barred.besieging:
        weights[lattice.pointers[hex_id] : lattice.pointers[hex_id + 1]] = np.inf
    return weights


def _together(places: tuple[Places, ...], hexes: frozenset[HexId]) -> Places:
    return np.concatenate([places[hex_id] for hex_id in hexes]) if hexes else places[0][:0]


def _hold(costs: Costs, row: int, place: int) -> None:
    """A stack under siege stays where it is (9.12)."""
    costs[row] = np.inf
    costs[row, place] = 0


@lru_cache(maxsize=8)
def lattice_of(ground: Map, law: Book) -> Lattice:
    """The ways of a map as arrays, worked out once."""
    from_each = ways(ground, law)
    counts = [len(exits) for exits in from_each]
    flat = [way for exits in from_each for way in exits]
    rivers = np.array([river for _, _, river in flat], dtype=np.bool_)
    origins = np.repeat(np.arange(len(from_each)), counts).astype(np.int32)
    ends = np.array([there for there, _, _ in flat], dtype=np.int32)
    costs = np.array([cost for _, cost, _ in flat], dtype=np.float64)
    pointers = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    wet = np.flatnonzero(rivers)
    land = [hex_id for hex_id, field in ground.hexes.items() if not field.sea and not field.closed]
    number = np.full(len(from_each), -1, dtype=np.int32)
    number[sorted(land)] = np.arange(len(land))
    return Lattice(
        number,
        np.append(pointers[sorted(land)], pointers[-1]),
        number[ends],
        pointers,
        origins,
        ends,
        costs,
        rivers,
        costs + rivers * law.crossing_cost(),
        _by_hex(ends, np.arange(len(ends)), len(counts)),
        _by_hex(np.append(origins[wet], ends[wet]), np.append(wet, wet), len(counts)),
    )


def _by_hex(hexes: NDArray[np.int32], places: Places, size: int) -> tuple[Places, ...]:
    """The places that belong to each hex number; `hexes` names the hex of each."""
    order = np.argsort(hexes, kind="stable")
    return tuple(np.split(places[order], np.searchsorted(hexes[order], np.arange(1, size))))
