"""The outlines of regions of hexes, traced along their hexsides."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from battles.drawing.pen import curve, loop
from campaign.cartography.sheet import Sheet
from campaign.rules.map.grid import Cell, Vertex, neighbours_of, vertices_of

Edges = dict[Vertex, Vertex]


def outline(sheet: Sheet, cells: AbstractSet[Cell]) -> str:
    """Path data of smooth rings round the cells, holes among them."""
    return "".join(loop([sheet.vertex(v) for v in ring]) for ring in rings(cells))


def border(sheet: Sheet, cells: AbstractSet[Cell], others: AbstractSet[Cell]) -> str:
    """Path data of the smooth lines along which the cells meet the others."""
    chains = _chains(_edges(cells, others))
    return "".join(curve([sheet.vertex(v) for v in chain]) for chain in chains)


def rings(cells: AbstractSet[Cell]) -> Iterator[list[Vertex]]:
    """The rings of vertices round the cells, from the north-west, each vertex once."""
    beyond = {other for cell in cells for other in neighbours_of(cell)} - cells
    for chain in _chains(_edges(cells, beyond)):
        yield chain[:-1]


def _edges(cells: AbstractSet[Cell], others: AbstractSet[Cell]) -> Edges:
    """Each hexside that parts a cell from one of the others, clockwise round the cells.

    Three hexes meet at a vertex, so no more than one such hexside leaves it.
    """
    found: Edges = {}
    for cell in sorted(cells):
        ring = vertices_of(cell)
        for a, b, other in zip(ring[-1:] + ring[:-1], ring, neighbours_of(cell), strict=True):
            if other in others:
                found[a] = b
    return found


def _chains(edges: Edges) -> Iterator[list[Vertex]]:
    """The edges strung together: open chains first, then rings that end where they begin."""
    left = dict(edges)
    for start in [*sorted(edges.keys() - set(edges.values())), *sorted(edges)]:
        if start in left:
            yield list(_follow(left, start))


def _follow(left: Edges, start: Vertex) -> Iterator[Vertex]:
    yield start
    at = start
    while at in left:
        at = left.pop(at)
        yield at
