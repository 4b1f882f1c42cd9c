"""Units on the table: their stands, contact between them, and their cover."""

from collections.abc import Iterable
from functools import lru_cache
from math import hypot

import shapely

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Arm
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.field import OpenField, behind
from battles.tabletop.formations import TableFormation, places, reach
from battles.tabletop.geometry import (
    COSINES,
    SINES,
    TOUCH,
    Corner,
    Stand,
    Stands,
    StandSize,
    TablePoint,
)

MILLIMETRE = 10
"""Hundredths of a centimetre in a millimetre."""
SIDE = book().number("stand") * MILLIMETRE
STAND = StandSize(SIDE, SIDE)
_FIGURES, _LED = book().number("figures"), book().number("commander's figures")
_HALF = SIDE / 2
TO_CORNER = SIDE * 0.71
"""More than the distance from the middle of a stand to its corner."""
_HAIR = 0.5
_REACHES: dict[tuple[TableFormation, int], int] = {}


def stands_of(unit: Unit) -> Stands:
    """Return the stands of a unit in its place, the front first."""
    return places(unit.formation, len(unit.markers), unit.at, unit.facing, STAND)


def stands_at(unit: Unit, at: TablePoint, facing: int) -> Stands:
    """Return the stands of a unit as they would be at that point."""
    return places(unit.formation, len(unit.markers), at, facing, STAND)


def figures_of(unit: Unit) -> int:
    """Return the figures on a stand: two, or one for a Commander (section 2)."""
    return _LED if unit.arm is Arm.COMMAND else _FIGURES


def fit(unit: Unit, stand: int) -> int:
    """Return the unwounded figures on one of its stands."""
    return max(0, figures_of(unit) - unit.markers[stand])


def is_spent(unit: Unit) -> bool:
    """Return whether every figure of every stand is wounded."""
    figures = figures_of(unit)
    return all(markers >= figures for markers in unit.markers)


def on_field(state: State, side: Side) -> list[Unit]:
    """Return the side's units that have come on to the field, by number."""
    waiting = state.waiting
    return [unit for unit in state.units.values() if unit.side is side and unit.id not in waiting]


def enemies(state: State, side: Side, *, seen: bool = True) -> list[Unit]:
    """Return the other side's units on the field: those observed, or all."""
    units = on_field(state, side.enemy)
    return [unit for unit in units if unit.seen] if seen else units


def are_near(unit: Unit, other: Unit, room: int = TOUCH) -> bool:
    """Return whether stands of the two may be within `room` of each other."""
    return would_be_near(unit, unit.at, other, room)


def would_be_near(unit: Unit, at: TablePoint, other: Unit, room: int = 0) -> bool:
    """Return whether stands of the two may be within `room`, with the first unit at `at`."""
    # A coarse bound first: this runs for every pair of units.
    (ax, ay), (bx, by) = at, other.at
    far = room + SIDE * (len(unit.markers) + len(other.markers) + 2)
    x, y = ax - bx, ay - by
    if x > far or y > far or x < -far or y < -far:
        return False
    far = room + reach_about(unit) + reach_about(other)
    return -far <= x <= far and -far <= y <= far


def near(unit: Unit, others: Iterable[Unit], room: int) -> list[Unit]:
    """Return those of the others whose stands may be within `room` of the unit's."""
    # This is `would_be_near`, written out: it runs for every pair of units.
    (x, y), coarse = unit.at, room + SIDE * (len(unit.markers) + 2)
    found = []
    for other in others:
        east, south = other.at
        east, south = abs(east - x), abs(south - y)
        far = coarse + SIDE * len(other.markers)
        if east <= far and south <= far:
            far = room + reach_about(unit) + reach_about(other)
            if east <= far and south <= far:
                found.append(other)
    return found


def is_well_within(field: OpenField, unit: Unit, at: TablePoint) -> bool:
    """Return whether the unit at `at` could not reach the edge in any formation or facing."""
    far = reach_about(unit)
    return far <= at[0] <= field.width - far and far <= at[1] <= field.height - far


def contacts(unit: Unit, other: Unit) -> tuple[tuple[int, int], ...]:
    """Return the pairs of their stands that are in base-to-base contact."""
    if not would_be_near(unit, unit.at, other, TOUCH):
        return ()
    return _contacts(stands_of(unit), stands_of(other))


def in_contact(state: State, unit: Unit) -> tuple[Unit, ...]:
    """Return the enemies in contact with the unit, observed or not."""
    close = near(unit, enemies(state, unit.side, seen=False), TOUCH)
    return tuple(enemy for enemy in close if contacts(unit, enemy))


def lie_upon(stands: Stands, others: Stands) -> bool:
    """Return whether any of our stands covers any of theirs by more than rounding.

    The allowance is that of `geometry.overlap`, by which the layout places units, and a hundredth
    more, so that what just fits there does not count as covered here.
    """
    return any(_meet(stand, other, -2 * TOUCH - 1) for stand in stands for other in others)


def come_within(stands: Stands, others: Stands, room: int) -> bool:
    """Return whether any of our stands is within about `room` of any of theirs."""
    return any(_meet(stand, other, room) for stand in stands for other in others)


def stands_of_units(units: Iterable[Unit]) -> Stands:
    """Return the stands of all these units."""
    return tuple(stand for unit in units for stand in stands_of(unit))


def open_at(field: OpenField, at: TablePoint) -> bool:
    """Return whether the ground there is open terrain (section 6)."""
    return not shapely.intersects_xy(field.ground(book().difficult), at.x, at.y)


def shelter(field: OpenField, start: TablePoint, end: TablePoint) -> str:
    """Return the cover of a unit at `end` against `start`: "open", or a kind of fortifications.

    An area shelters units in it, works shelter units close behind them.
    """
    kinds_present = {feature.kind for feature in field.features}
    within = book().number("cover") * 100
    for where in ("permanent fortifications", "field fortifications"):
        kinds = book().sheltering(where) & kinds_present
        if kinds and (
            shapely.intersects_xy(field.ground(kinds), end.x, end.y)
            or behind(field, start, end, kinds, within=within)
        ):
            return where
    return "open"


@lru_cache(maxsize=4096)
def _contacts(stands: Stands, others: Stands) -> tuple[tuple[int, int], ...]:
    return tuple(
        (place, other)
        for place, stand in enumerate(stands)
        for other, against in enumerate(others)
        if _meet(stand, against, TOUCH) and not _at_corners(stand, against)
    )


def _at_corners(stand: Stand, other: Stand) -> bool:
    """Return whether two stands square to each other touch only at their corners."""
    if (other.facing - stand.facing) % 90:
        return False
    dx, dy = other.x - stand.x, other.y - stand.y
    sine, cosine = SINES[stand.facing], COSINES[stand.facing]
    return min(abs(dx * cosine + dy * sine), abs(dx * sine - dy * cosine)) > SIDE - TOUCH


def reach_about(unit: Unit) -> int:
    """Return the radius in hundredths, about its place, that holds all its stands."""
    key = (unit.formation, len(unit.markers))
    radius = _REACHES.get(key)
    if radius is None:
        radius = _REACHES[key] = reach(*key, STAND)
    return radius


def _meet(stand: Stand, other: Stand, room: int) -> bool:
    """Return whether two stands are within `room` of each other, by separating axes."""
    dx, dy = other.x - stand.x, other.y - stand.y
    # 2.83 is 2 * sqrt(2) rounded up: two half diagonals, in half sides.
    most = 2.83 * _HALF + room
    if abs(dx) > most or abs(dy) > most:
        return False
    turn = (other.facing - stand.facing) % 90
    limit = _HALF + _HALF * (abs(SINES[turn]) + abs(COSINES[turn])) + room + _HAIR
    for facing in (stand.facing, other.facing) if turn else (stand.facing,):
        sine, cosine = SINES[facing], COSINES[facing]
        if abs(dx * cosine + dy * sine) > limit or abs(dx * sine - dy * cosine) > limit:
            return False
    return True


def span(own_stands: Stands, enemy_stands: Stands) -> int:
    """Return about the hundredths from the middle of our nearest front to their nearest edge."""
    fronts = [front_of(stand) for stand in own_stands]
    return min(to_edge(front, other) for front in fronts for other in enemy_stands)


def front_of(stand: Stand) -> Corner:
    """Return the middle of the stand's front."""
    x, y, facing, _, depth = stand
    half = depth / 2
    return x + SINES[facing] * half, y - COSINES[facing] * half


def to_edge(point: Corner, target: Stand) -> int:
    """Return hundredths from a point to the nearest edge of the target."""
    x, y, facing, width, depth = target
    east, south = point[0] - x, point[1] - y
    sine, cosine = SINES[facing], COSINES[facing]
    aside = max(0.0, abs(east * cosine + south * sine) - width / 2)
    along = max(0.0, abs(east * sine - south * cosine) - depth / 2)
    return round(hypot(aside, along))
