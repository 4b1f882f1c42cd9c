"""How far it is: movement points from every hex to the nearest of some goals, worked out once."""

from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from campaign.rules.board import chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach_of_all import lattice_of
from campaign.rules.state import State

FAR = 9_999
"""Points to a goal that cannot be reached by land."""

Field = list[int]
"""Points to the nearest goal, by hex number."""


def distances(
    state: State, goals: frozenset[HexId], guarded: frozenset[HexId] = frozenset()
) -> Field:
    """Points from every hex to the nearest goal, whoever stands in the way.

    Rivers are crossed at their full cost, and not at all into or from the hexes that enemy
    gunboats guard (8.21).
    """
    return _distances(chart(state), laws(state), goals, guarded)


@lru_cache(maxsize=256)
def _distances(ground: Map, law: Book, goals: frozenset[HexId], guarded: frozenset[HexId]) -> Field:
    if not goals:
        return [FAR] * (max(ground.hexes) + 1)
    spent = dijkstra(_backwards(ground, law, guarded), indices=sorted(goals), min_only=True)
    found: Field = np.where(np.isfinite(spent), spent, FAR).astype(int).tolist()
    return found


@lru_cache(maxsize=64)
def _backwards(ground: Map, law: Book, guarded: frozenset[HexId]) -> csr_array:
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
