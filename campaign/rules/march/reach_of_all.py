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
    into each hex, `wet` those of the ways over a river from or into it.
    """

    pointers: NDArray[np.int32]
    origins: NDArray[np.int32]
    ends: NDArray[np.int32]
    costs: Costs
    rivers: NDArray[np.bool_]
    tolls: Costs
    into: tuple[Places, ...]
    wet: tuple[Places, ...]


class ReachOfAll(NamedTuple):
    """For each start the points to every hex number; infinite where a march does not reach."""

    starts: tuple[HexId, ...]
    points: tuple[int, ...]
    costs: Costs

    def coming_to(self, hex_id: HexId) -> dict[HexId, int]:
        """The starts from which a stack can come to the hex in one march, with the points."""
        spent = self.costs[:, hex_id]
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
    if not starts:
        return ReachOfAll((), (), np.empty((0, 0)))
    barred = bars(state, side)
    lattice = lattice_of(chart(state), law)
    size = len(lattice.pointers) - 1
    graph = csr_array((_weights(lattice, barred), lattice.ends, lattice.pointers), (size, size))
    costs = dijkstra(graph, indices=list(starts), limit=max(points))
    _hold_besieged(state, side, starts, costs)
    return ReachOfAll(starts, points, costs)


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


def _hold_besieged(state: State, side: Side, starts: tuple[HexId, ...], costs: Costs) -> None:
    """Stacks under siege stay where they are (9.12)."""
    for row, start in enumerate(starts):
        if board(state).besieged(side, start):
            costs[row] = np.inf
            costs[row, start] = 0


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
    wet = np.flatnonzero(rivers)
    return Lattice(
        np.concatenate(([0], np.cumsum(counts))).astype(np.int32),
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
