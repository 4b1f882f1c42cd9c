"""Which edges of a field, north up, belong to whom and to what; an edge is named by its bearing."""

from collections.abc import Sequence
from typing import TypeVar

from battles.contract import Brief
from battles.contract.brief import Bearing

NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270

_EDGES = {
    Bearing.NORTH: (NORTH,),
    Bearing.NORTH_EAST: (EAST, NORTH),
    Bearing.SOUTH_EAST: (EAST, SOUTH),
    Bearing.SOUTH: (SOUTH,),
    Bearing.SOUTH_WEST: (WEST, SOUTH),
    Bearing.NORTH_WEST: (WEST, NORTH),
}
"""The edges that lie towards each hexside, the likeliest first."""

_MAIN_BODY = 2
"""Where the attackers come on several sides: one unit in so many of the main body goes round."""

Whoever = TypeVar("Whoever")


def edge_of(bearing: Bearing) -> int:
    """Return the edge that the attacker has behind him when he comes through that hexside."""
    return _EDGES[bearing][0]


def opposite(edge: int) -> int:
    """Return the edge across the field, which is also the way from an edge into the field."""
    return (edge + 180) % 360


def water_edges(brief: Brief) -> tuple[int, ...]:
    """Return the edges along which river or sea run: never the one that the attacker comes from."""
    taken = edge_of(brief.comes_from)
    found: list[int] = []
    for bearing in (*brief.ground.river, *brief.ground.sea):
        found += [edge for edge in _EDGES[bearing] if edge != taken][:1]
    return tuple(dict.fromkeys(found))


def sides_of(brief: Brief) -> tuple[int, ...]:
    """Return the edges from which the attackers come, the main body's first."""
    wet = water_edges(brief)
    edges = [edge_of(bearing) for bearing in (brief.comes_from, *brief.and_from)]
    return tuple(dict.fromkeys(edge for edge in edges if edge not in wet))


def share_flankers(flankers: Sequence[Whoever], edges: int) -> list[list[Whoever]]:
    """Who goes round to each edge but the first; the main body keeps the larger share."""
    share = len(flankers) // (_MAIN_BODY + edges - 1)
    return [list(flankers[nth :: edges - 1][:share]) for nth in range(edges - 1)]


def interleave(rifles: Sequence[Whoever], spears: Sequence[Whoever]) -> list[Whoever]:
    """Rifles among the spears: the first of every three, as far as they go."""
    found: list[Whoever] = []
    for nth in range(max(len(rifles), -(-len(spears) // 2))):
        found += [*rifles[nth : nth + 1], *spears[2 * nth : 2 * nth + 2]]
    return found
