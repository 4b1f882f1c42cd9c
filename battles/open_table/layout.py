"""A brief as a field on which everything stands: the ground, and a place for every unit.

The compass is the campaign's, north up: the attacker comes from the edge towards his hexside.
The same brief is set out the same wherever and whenever; no dice are thrown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from battles.contract.brief import Brief
from battles.contract.troops import Side
from battles.edges import EAST, NORTH, SOUTH, WEST, edge_of, opposite, shared_out, sides_of
from battles.open_table.draw_up import (
    Band,
    Lines,
    Post,
    Role,
    afloat,
    draw_up_mass,
    draw_up_regulars,
)
from battles.open_table.field import Feature, Field, Terrain, bounds
from battles.open_table.frame import Frame, Scale, frame_of
from battles.open_table.lay_ground import Ground, lay_ground, lay_water
from battles.open_table.points import Point
from battles.open_table.stands import gap
from battles.open_table.travel import FAR

_LARGER = 2
"""So often at most a larger table is taken."""

_NEAR = 1.5
"""The sides are too near when this many times their distance is less than the gap."""


class LaidOut(NamedTuple):
    """The field, and where everybody stands or, for want of room, comes in later.

    `goal` is the outline of the settlement, empty without one; `homes` has the bearing in which
    each side's own edge lies.
    """

    field: Field
    posts: dict[int, Post]
    late: dict[int, Post]
    goal: tuple[Point, ...]
    homes: dict[Side, int]


def lay_out(brief: Brief, bands: Sequence[Band], scale: Scale) -> LaidOut:
    """The battle of the brief before it begins, on a table that keeps the sides apart."""
    frame = frame_of(brief, len(bands), scale)
    laid, apart = _laid(brief, bands, frame, scale)
    for _ in range(_LARGER):
        if apart * _NEAR >= scale.gap and not laid.late:
            break
        frame = frame.larger
        laid, apart = _laid(brief, bands, frame, scale)
    return laid


def _laid(brief: Brief, bands: Sequence[Band], frame: Frame, scale: Scale) -> tuple[LaidOut, int]:
    """The battle on that table, and how far apart the sides are then."""
    mine = [band for band in bands if band.side is brief.attacker.side]
    theirs = [band for band in bands if band.side is brief.defender.side]
    ground = Ground(brief, frame, scale)
    lay_water(ground)
    lines = Lines(ground.field(), scale)
    _attackers(lines, frame, mine, (brief, _strong(theirs) >= _strong(mine)))
    front = min(_depth(lines, frame) + scale.gap, frame.deep - 2 * scale.stand.width)
    goal = lay_ground(ground, front)
    beset = _strong(mine) >= _strong(theirs) or len(sides_of(brief)) > 1
    _draw_up(lines, frame.opposite, theirs, frame.deep - front, beset=beset)
    afloat(lines, mine, frame)
    afloat(lines, theirs, frame.opposite)
    if brief.zariba:
        ground.features += _works(lines, theirs, brief)
    home = edge_of(brief.comes_from)
    homes = {brief.attacker.side: home, brief.defender.side: opposite(home)}
    laid = LaidOut(ground.field(), lines.posts, lines.late, goal, homes)
    return laid, _apart(lines, mine, theirs)


def _apart(lines: Lines, mine: Sequence[Band], theirs: Sequence[Band]) -> int:
    """Hundredths between the sides ashore; more than any table where one has nobody there."""
    ours, others = lines.stands_of(_ashore(mine)), lines.stands_of(_ashore(theirs))
    return gap(ours, others) if ours and others else FAR


def _depth(lines: Lines, frame: Frame) -> int:
    """How deep into the field those reach who look the attacker's way."""
    bands = [number for number, post in lines.posts.items() if post.facing == frame.ahead]
    stands = lines.of(bands)
    if not stands:
        return 0
    (west, north), (east, south) = bounds(stands)
    return {
        NORTH: frame.height - north,
        SOUTH: south,
        EAST: east,
        WEST: frame.width - west,
    }[frame.ahead]


def _strong(bands: Sequence[Band]) -> int:
    """The strength that can charge or meet a charge."""
    return sum(band.strength for band in bands if band.role in (Role.FOOT, Role.HORSE))


def _attackers(lines: Lines, frame: Frame, bands: Sequence[Band], how: tuple[Brief, bool]) -> None:
    """The main body from its edge; from every other edge a share of it, horse before others."""
    brief, outnumbered = how
    sides = sides_of(brief)
    flankers = [band for band in bands if band.role in (Role.FOOT, Role.HORSE)]
    flankers.sort(key=lambda band: (band.role is not Role.HORSE, band.id))
    gone: set[int] = set()
    for edge, share in zip(sides[1:], shared_out(flankers, len(sides)), strict=True):
        gone |= {band.id for band in share}
        _draw_up(lines, frame.from_edge(edge), share, 0, beset=False)
    main = [band for band in bands if band.id not in gone]
    _draw_up(lines, frame, main, 0, beset=outnumbered)


def _draw_up(lines: Lines, frame: Frame, bands: Sequence[Band], depth: int, *, beset: bool) -> None:
    ashore = _ashore(bands)
    if not ashore:
        return
    if ashore[0].side is Side.MAHDIST:
        draw_up_mass(lines, frame, ashore, depth)
    else:
        draw_up_regulars(lines, frame, ashore, depth, beset=beset)


def _ashore(bands: Sequence[Band]) -> list[Band]:
    return [band for band in bands if band.role is not Role.CRAFT]


def _works(lines: Lines, bands: Sequence[Band], brief: Brief) -> list[Feature]:
    """Who has stood there for a month lies behind thorn all round, the Mahdists in a trench."""
    held = lines.stands_of(_ashore(bands))
    if not held:
        return []
    (west, north), (east, south) = bounds(held)
    rim = lines.scale.room
    west, north, east, south = west - rim, north - rim, east + rim, south + rim
    ring = (Point(west, north), Point(east, north), Point(east, south), Point(west, south))
    egyptian = brief.defender.side is Side.EGYPTIAN
    kind = Terrain.ZARIBA if egyptian else Terrain.TRENCH
    return [Feature(kind, (*ring, ring[0]))]
