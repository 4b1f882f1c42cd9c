"""Rivers as boats see them: a boat stands in a hex beside the river and moves along its bank."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from campaign.rules.map.kinds import HexId
from campaign.rules.map.model import RiverMove, RiverSide

Rivers = Mapping[str, Sequence[RiverSide]]
Joins = Mapping[str, str | None]
Moves = dict[HexId, tuple[RiverMove, ...]]


def river_moves(rivers: Rivers, joins: Joins) -> Moves:
    """The moves of one hex a boat may make from each hex beside a river (8.23).

    Along a bank, from each hex to the next below and above it; across, to the hex on the other side
    of a hexside. Where two rivers make a third, the hex in their fork does not touch the third, but
    moves down into it, and is moved up to from it. So moves downstream lead from every hex to the
    mouth, and moves upstream to a source.
    """
    found: defaultdict[HexId, dict[RiverMove, None]] = defaultdict(dict)
    for sides in rivers.values():
        for start, move in (*_along(sides), *_across(sides)):
            found[start][move] = None
    for upper, lower in joins.items():
        if lower is not None:
            for start, move in _into(rivers[upper], rivers[lower]):
                found[start][move] = None
    return {start: tuple(moves) for start, moves in sorted(found.items())}


def _along(sides: Sequence[RiverSide]) -> Iterator[tuple[HexId, RiverMove]]:
    for above, below in pairwise(sides):
        for upper, lower in zip(above.hexes, below.hexes, strict=True):
            if upper != lower:
                yield upper, RiverMove(lower, below.river, 1)
                yield lower, RiverMove(upper, above.river, -1)


def _across(sides: Sequence[RiverSide]) -> Iterator[tuple[HexId, RiverMove]]:
    for side in sides:
        left, right = side.hexes
        yield left, RiverMove(right, side.river, 0)
        yield right, RiverMove(left, side.river, 0)


def _into(
    upper: Sequence[RiverSide], lower: Sequence[RiverSide]
) -> Iterator[tuple[HexId, RiverMove]]:
    """The moves between the fork above a confluence and the river below it."""
    last = upper[-1]
    below = {hex_id for side in lower for hex_id in side.hexes}
    mouth = next(side for side in lower if set(side.hexes) & set(last.hexes))
    for fork in set(last.hexes) - below:
        for hex_id in mouth.hexes:
            if hex_id not in last.hexes:
                yield fork, RiverMove(hex_id, mouth.river, 1)
                yield hex_id, RiverMove(fork, last.river, -1)
