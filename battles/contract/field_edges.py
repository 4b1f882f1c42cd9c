"""The edges of a battlefield, north up: which belong to the attacker and which to the water."""

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
"""The edges towards each hexside, the likeliest first."""

_MAIN_BODY = 2
"""When attackers come from several sides, one unit in this many goes round to each other edge."""

U = TypeVar("U")


def edge_of(bearing: Bearing) -> int:
    """Return the edge behind the attacker, who comes through that hexside."""
    return _EDGES[bearing][0]


def opposite(edge: int) -> int:
    """Return the opposite edge, which is also the direction from an edge into the field."""
    return (edge + 180) % 360


def water_edges(brief: Brief) -> tuple[int, ...]:
    """Return the edges along which river or sea run, never the attacker's own."""
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


def share_flankers(flankers: Sequence[U], edges: int) -> list[list[U]]:
    """Return the units for each edge but the first; the main body keeps the larger share."""
    share = len(flankers) // (_MAIN_BODY + edges - 1)
    return [list(flankers[nth :: edges - 1][:share]) for nth in range(edges - 1)]


def interleave(rifles: Sequence[U], spears: Sequence[U]) -> list[U]:
    """Return rifles and spears mixed: each rifle before two spears, as far as both last."""
    found: list[U] = []
    for nth in range(max(len(rifles), -(-len(spears) // 2))):
        found += [*rifles[nth : nth + 1], *spears[2 * nth : 2 * nth + 2]]
    return found
