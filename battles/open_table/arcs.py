"""Arcs of fire: what lies before a stand."""

from math import cos, radians, sin

from battles.open_table.points import COSINES, SINES
from battles.open_table.stands import Stand, Stands, corners

QUARTER = 45
_HAIR = 1e-6


def in_arc(stand: Stand, target: Stand, half: int = QUARTER) -> bool:
    """Whether any of the target lies within so many degrees of straight ahead, up to 90.

    The arc begins at the centre of the stand.
    """
    sine, cosine = SINES[stand.facing], COSINES[stand.facing]
    seen = [
        (cosine * east + sine * south, sine * east - cosine * south)
        for east, south in ((x - stand.x, y - stand.y) for x, y in corners(target))
    ]
    across, along = sin(radians(half)), cos(radians(half))
    if any(abs(right) * along <= front * across + _HAIR for right, front in seen):
        return True
    return any(_crosses(one, other) for one, other in zip(seen, seen[1:] + seen[:1], strict=True))


def in_arc_of(stands: Stands, targets: Stands, half: int = QUARTER) -> tuple[int, ...]:
    """Which of the stands, by their places, have any of the targets in their arc."""
    return tuple(
        place
        for place, stand in enumerate(stands)
        if any(in_arc(stand, target, half) for target in targets)
    )


def _crosses(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the side from one corner to the other passes straight before the stand."""
    if (one[0] < 0) == (other[0] < 0):
        return False
    share = one[0] / (one[0] - other[0])
    return one[1] + share * (other[1] - one[1]) > 0
