"""Marches from shelter to shelter: how a stack that fears thirst crosses the desert (10.3).

A shelter is a hex where no roll can hurt the stack: a town, or wells, villages and fields for as
many units as they feed. A stage is one march from one to the next.
"""

from functools import lru_cache

import numpy as np
from scipy.sparse.csgraph import dijkstra

from campaign.rules.board import chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.rows import AttritionLine
from campaign.rules.state import State
from campaign.staff.distances import FAR, Field, backwards
from campaign.staff.thirst import coast, expected, grounds

SIZES = (4, 6, 8, 10, 12)
"""Stacks are looked at as if they were as large as the next of these; beyond, only towns do."""


def stages(
    state: State, goals: frozenset[HexId], guarded: frozenset[HexId], stack: tuple[int, int]
) -> Field:
    """Marches to the nearest goal from every shelter, FAR elsewhere.

    `stack`: how many units it is, and its movement points a march.
    """
    size, points = stack
    hot = laws(state).hot_on_the_coast(state.month)
    wide = next((limit for limit in SIZES if size <= limit), 99)
    return _stages(chart(state), laws(state), (goals, guarded), (hot, wide, points))


def shelters(state: State, size: int) -> frozenset[HexId]:
    """The hexes where so many units need fear no thirst while nobody besieges them."""
    hot = laws(state).hot_on_the_coast(state.month)
    wide = next((limit for limit in SIZES if size <= limit), 99)
    return _shelters(chart(state), laws(state), hot, wide)


@lru_cache(maxsize=256)
def _stages(
    ground: Map,
    law: Book,
    way: tuple[frozenset[HexId], frozenset[HexId]],
    stack: tuple[bool, int, int],
) -> Field:
    goals, guarded = way
    hot, size, points = stack
    graph = backwards(ground, law, guarded)
    found = [FAR] * (max(ground.hexes) + 1)
    left = np.zeros(len(found), dtype=np.bool_)
    left[list(_shelters(ground, law, hot, size) | goals)] = True
    ends, stage = sorted(goals), 0
    while ends:
        for hex_id in ends:
            found[hex_id] = stage
        left[ends] = False
        spent = dijkstra(graph, indices=ends, min_only=True, limit=points)
        ends = [HexId(number) for number in np.flatnonzero(np.isfinite(spent) & left).tolist()]
        stage += 1
    return found


@lru_cache(maxsize=64)
def _shelters(ground: Map, law: Book, hot: bool, size: int) -> frozenset[HexId]:
    return frozenset(
        hex_id
        for hex_id, camp in grounds(ground).items()
        if camp.line is AttritionLine.TOWN
        or not expected(law, camp.line, camp.harsh - (hot and hex_id in coast(ground)), size)
    )
