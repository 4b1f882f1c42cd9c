"""How far units on an open table are from the enemy, for those who would hold a ruler to it."""

from collections.abc import Sequence

from battles.drawing.table_plan import NAMES
from battles.drawing.table_scene import Block
from battles.open_table.stands import TOUCH, gap, nearest_to


def distances(blocks: Sequence[Block], measure: str) -> dict[int, str]:
    """Of each unit, in words, how far the nearest enemy is from edge to edge; not without any."""
    found = {}
    for block in blocks:
        others = {other.number: other.stands for other in blocks if other.side is not block.side}
        nearest = nearest_to(block.stands, others)
        if nearest is not None:
            found[block.number] = _in_words(gap(block.stands, others[nearest]), nearest, measure)
    return found


def _in_words(apart: int, nearest: int, measure: str) -> str:
    if apart <= TOUCH:
        return f"in contact with {nearest}"
    return f"{max(1, round(apart / 100))} {NAMES[measure]} from {nearest}, the nearest enemy"
