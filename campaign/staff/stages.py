"""Ways from shelter to shelter: how a stack that fears thirst crosses the desert (10.3).

A shelter is a hex where no roll can hurt the stack: a town, or wells, villages and fields for as
many units as they feed. A stage is what the stack dares to cover from one to the next.
"""

from functools import lru_cache

import numpy as np
from scipy.sparse.csgraph import dijkstra

from campaign.rules.board import chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.rows import AttritionLine
from campaign.rules.state import State
from campaign.staff.distances import FAR, Field, backwards, field_of
from campaign.staff.thirst import coast, expected, grounds

SIZES = (2, 4, 6, 8, 10, 12)
"""Stacks are looked at as if they were as large as the next of these; beyond, only towns do."""


def stages(state: State, goals: frozenset[HexId], size: int, points: int) -> Field:
    """Points to the nearest goal for so many units; FAR where no way of such stages leads there.

    A stage is at most `points` long, and counts as so long where another follows it.
    """
    hot = laws(state).hot_on_the_coast(state.month)
    return _stages(chart(state), laws(state), goals, (hot, _wide(size), points))


def shelters(state: State, size: int) -> frozenset[HexId]:
    """The hexes where so many units need fear no thirst while nobody besieges them."""
    hot = laws(state).hot_on_the_coast(state.month)
    return _shelters(chart(state), laws(state), hot, _wide(size))


def _wide(size: int) -> int:
    return next((limit for limit in SIZES if size <= limit), 99)


@lru_cache(maxsize=128)
def _stages(ground: Map, law: Book, goals: frozenset[HexId], stack: tuple[bool, int, int]) -> Field:
    hot, size, points = stack
    graph = backwards(ground, law, frozenset())
    found = np.full(max(ground.hexes) + 1, FAR, dtype=np.float64)
    left = np.zeros(len(found), dtype=np.bool_)
    left[list(_shelters(ground, law, hot, size) | goals)] = True
    ends, before = sorted(goals), 0
    while ends:
        left[ends] = False
        spent = dijkstra(graph, indices=ends, min_only=True, limit=points)
        found = np.minimum(found, before + spent)
        ends = [HexId(number) for number in np.flatnonzero(np.isfinite(spent) & left).tolist()]
        before += points
    return field_of(found)


@lru_cache(maxsize=64)
def _shelters(ground: Map, law: Book, hot: bool, size: int) -> frozenset[HexId]:
    return frozenset(
        hex_id
        for hex_id, camp in grounds(ground).items()
        if camp.line is AttritionLine.TOWN
        or not expected(law, camp.line, camp.harsh - (hot and hex_id in coast(ground)), size)
    )
