"""What has happened since the last picture: ways taken, shots, and who is hand to hand."""

from math import hypot

from battles.contract.troops import Side
from battles.drawing.pen import Point, group, path, polyline
from battles.drawing.plan import centre
from battles.drawing.scene import Shot, Square, Track

SHORT = 26
"""How far from the middle of its square a way or a shot ends."""


def track(of: Track) -> str:
    """A line along the squares a piece has passed, with a point where it ends."""
    return stretch([centre(square) for square in of.way], of.side, back=of.back, short=SHORT)


def stretch(points: list[Point], side: Side, *, back: bool, short: int) -> str:
    """A line with a point at its end, which stays that much short; nothing for a single point."""
    if len(points) < 2:
        return ""
    points = [*points[:-1], _before(points[-1], points[-2], short)]
    return group(
        f"track {side}{' back' if back else ''}",
        path(polyline(points)),
        path(_head(points[-2], points[-1]), "head"),
    )


def shot(of: Shot) -> str:
    """A line of fire; it ends in a burst where it has hit."""
    return fire(centre(of.start), centre(of.end), of.side, hit=of.hit, short=SHORT)


def fire(start: Point, end: Point, side: Side, *, hit: bool, short: int) -> str:
    """A dashed line that stays that much short of both ends, with a burst where it has hit."""
    start, end = _before(start, end, short), _before(end, start, short)
    x, y = end
    burst = path("M-9 0h18M0-9v18M-6-6l12 12M6-6l-12 12", "hit", transform=f"translate({x},{y})")
    return group(f"shot {side}", path(polyline([start, end])), burst if hit else "")


def melee(square: Square) -> str:
    """Crossed blades over a square in which two sides stand hand to hand."""
    return blades(centre(square))


def blades(at: Point) -> str:
    """Crossed blades about a point."""
    crossed = "M-13 13L11-11l4-4M13 13L-11-11l-4-4M-15 7l8 8M15 7l-8 8"
    return group("melee", path(crossed), transform=f"translate({at[0]},{at[1]})")


def _before(end: Point, start: Point, short: int) -> Point:
    """The point that much short of the end, on the way from the start."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1
    share = max(0.0, 1 - short / length)
    return (round(start[0] + dx * share), round(start[1] + dy * share))


def _head(start: Point, end: Point) -> str:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1
    ux, uy = dx / length, dy / length
    left = (round(end[0] - 14 * ux - 8 * uy), round(end[1] - 14 * uy + 8 * ux))
    right = (round(end[0] - 14 * ux + 8 * uy), round(end[1] - 14 * uy - 8 * ux))
    return f"M{left[0]} {left[1]}L{end[0]} {end[1]}L{right[0]} {right[1]}z"
