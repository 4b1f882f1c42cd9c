"""Moves into contact, and where the stands of both units meet (Activated unit 7)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from battles.books.restless_natives.board import is_afloat, near, reach_of, stands_at, stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.movement import is_ground_for, is_rough, is_way_open
from battles.books.restless_natives.state import State, Unit
from battles.tabletop.field import on_table
from battles.tabletop.geometry import (
    COSINES,
    SINES,
    TOUCH,
    Stand,
    Stands,
    TablePoint,
    are_touching,
    bearing_between,
    between,
    distance,
    overlap,
)


class Attack(NamedTuple):
    """A move into contact: its target, where it ends, its length, and the enemies it touches."""

    target: int
    at: TablePoint
    facing: int
    length: int
    touched: tuple[int, ...]


class Face(NamedTuple):
    """A side of a unit's stands: the bearing it looks along, and its line from left to right.

    `low` and `high` are places along the line, `depth` how far out it lies.
    """

    normal: int
    low: int
    high: int
    depth: int


def attack_if_near(state: State, unit: Unit, foe: Unit, *, most: int, rough: int) -> Attack | None:
    """Return the move into contact with one enemy; at once None for one that is far or afloat."""
    if not book().kind(unit.kind).initiates or is_afloat(foe):
        return None
    if distance(unit.at, foe.at) > most + reach_of(unit) + reach_of(foe):
        return None
    return attack(state, unit, foe, most=most, rough=rough)


def attack(state: State, unit: Unit, foe: Unit, *, most: int, rough: int) -> Attack | None:
    """Return the move into contact with one enemy; None when there is no way, or it is too far.

    The unit ends flush with the side of the enemy that it strikes, with as many stands in contact
    as possible; where that place is taken, further along that side.
    """
    for face in faces(stands_of(foe), unit.at):
        for place, facing in _places(unit, face):
            far = distance(unit.at, place)
            if far > most or (far > rough and is_rough(state.field, unit.at, place)):
                continue
            touched = _lands(state, unit, place, facing)
            if foe.id in touched and is_way_open(state, unit, (unit.at, place), facing, but=foe):
                return Attack(foe.id, place, facing, far, touched)
    return None


def faces(stands: Stands, seen_from: TablePoint) -> list[Face]:
    """Return the sides of the stands that look towards the point, the nearest first.

    Stands whose sides lie in one line make one face.
    """
    nearest = sorted(range(len(stands)), key=lambda place: distance(stands[place].at, seen_from))
    merged_faces: dict[tuple[int, int], Face] = {}
    for place in nearest:
        stand = stands[place]
        way = bearing_between(stand.at, seen_from)
        turns = sorted((0, 90, 180, 270), key=lambda turn: between(stand.facing + turn, way))
        for turn in turns[:2]:
            face = _face(stand, turn)
            if between(face.normal, way) >= 90:
                continue
            key = face.normal, round(face.depth / (2 * TOUCH))
            previous = merged_faces.get(key, face)
            low, high = min(previous.low, face.low), max(previous.high, face.high)
            merged_faces[key] = previous._replace(low=low, high=high)
    return list(merged_faces.values())


def _face(stand: Stand, turn: int) -> Face:
    """Return one of the four sides of a stand."""
    normal = (stand.facing + turn) % 360
    half, wide = stand.depth, stand.width
    if turn % 180:
        half, wide = wide, half
    out = SINES[normal] * stand.x - COSINES[normal] * stand.y
    along = COSINES[normal] * stand.x + SINES[normal] * stand.y
    return Face(normal, round(along - wide / 2), round(along + wide / 2), round(out + half / 2))


def _places(unit: Unit, face: Face) -> Iterator[tuple[TablePoint, int]]:
    """Yield places and facings of the unit along a face, those with the fullest contact first."""
    facing = (face.normal + 180) % 360
    wide, lead = _front(unit, facing)
    projection = COSINES[face.normal] * unit.at.x + SINES[face.normal] * unit.at.y
    room = (face.low + wide // 2, face.high - wide // 2)
    middle = (face.low + face.high) // 2
    best = min(max(projection, room[0]), room[1]) if room[0] <= room[1] else middle
    out = face.depth + lead
    for along in dict.fromkeys((round(best), middle, *sorted(room), face.low, face.high)):
        east = SINES[face.normal] * out + COSINES[face.normal] * along
        south = -COSINES[face.normal] * out + SINES[face.normal] * along
        yield TablePoint(round(east), round(south)), facing


def _front(unit: Unit, facing: int) -> tuple[int, int]:
    """Return the width of the unit's foremost stands, and their distance before its place."""
    return _front_of(stands_at(unit, TablePoint(0, 0), facing))


@lru_cache(maxsize=2**12)
def _front_of(stands: Stands) -> tuple[int, int]:
    facing, sides = stands[0].facing, [_face(stand, 0) for stand in stands]
    ahead = [face for face in sides if face.normal == facing]
    lead = max(face.depth for face in ahead)
    foremost = [face for face in ahead if face.depth >= lead - TOUCH]
    return max(face.high for face in foremost) - min(face.low for face in foremost), lead


def _lands(state: State, unit: Unit, at: TablePoint, facing: int) -> tuple[int, ...]:
    """Return the enemies that the unit touches there; none where it cannot stand."""
    stands = stands_at(unit, at, facing)
    around = near(state, unit, at, room=TOUCH)
    if not on_table(state.field, stands) or not is_ground_for(state.field, unit, stands):
        return ()
    if any(overlap(stands, stands_of(other)) for other in around):
        return ()
    return tuple(
        other.id
        for other in around
        if other.side is not unit.side and are_touching(stands, stands_of(other))
    )
