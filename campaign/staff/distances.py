"""How far it is: movement points from every hex to the nearest of some goals, worked out once."""

from array import array
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from campaign.rules.board import chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach_of_all import lattice_of
from campaign.rules.state import State

FAR = 9_999
"""Points to a goal that cannot be reached by land."""

Field: TypeAlias = "array[int]"
"""Points to the nearest goal, by hex number; as an array, for many of them are kept."""


def field_of(spent: NDArray[np.float64]) -> Field:
    """The points as whole numbers, FAR where there is no way."""
    known = np.where(np.isfinite(spent), spent, FAR)
    return array("h", known.astype(np.short).tobytes())


def distances(
    state: State, goals: frozenset[HexId], guarded: frozenset[HexId] = frozenset()
) -> Field:
    """Points from every hex to the nearest goal, whoever stands in the way.

    Rivers are crossed at their full cost, and not at all into or from the hexes that enemy
    gunboats guard (8.21).
    """
    return _distances(chart(state), laws(state), goals, guarded)


@lru_cache(maxsize=128)
def _distances(ground: Map, law: Book, goals: frozenset[HexId], guarded: frozenset[HexId]) -> Field:
    if not goals:
        return array("h", [FAR]) * (max(ground.hexes) + 1)
    spent = dijkstra(backwards(ground, law, guarded), indices=sorted(goals), min_only=True)
    return field_of(spent)


@lru_cache(maxsize=16)
def backwards(ground: Map, law: Book, guarded: frozenset[HexId]) -> csr_array:
    """The ways of the map turned round, so that one search from a goal serves every hex."""
    lattice = lattice_of(ground, law)
    size = len(lattice.pointers) - 1
    watched = np.zeros(size, dtype=np.bool_)
    watched[list(guarded)] = True
    shut = lattice.rivers & (watched[lattice.origins] | watched[lattice.ends])
    costs = lattice.costs + lattice.rivers * law.crossing_cost()
    kept = ~shut
    places = (lattice.ends[kept], lattice.origins[kept])
    return csr_array((costs[kept], places), shape=(size, size))
