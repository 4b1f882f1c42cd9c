"""Units drawn up in a zone: horse on the wings, guns in the middle, train behind."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from battles.books.restless_natives.bands import band, role
from battles.books.restless_natives.board import all_stands, stands_of
from battles.books.restless_natives.state import Unit
from battles.tabletop.field import OpenField
from battles.tabletop.formations import Obstacles, free_place
from battles.tabletop.geometry import TablePoint, ahead, turn_facing
from battles.tabletop.layout import Role, extent

ROOM = 120
"""Hundredths of an inch between neighbours, and between one rank and the next."""
IN_LINE = (Role.GUN, Role.FOOT, Role.HORSE)
"""Roles in the front rank, from its middle outwards."""


class Zone(NamedTuple):
    """A part of the field by two corners, and the facing of units in it."""

    north_west: TablePoint
    south_east: TablePoint
    facing: int

    @property
    def middle(self) -> TablePoint:
        one, other = self.north_west, self.south_east
        return TablePoint((one.x + other.x) // 2, (one.y + other.y) // 2)

    @property
    def halves(self) -> tuple[int, int]:
        """Return hundredths from its middle to its front, and to either flank."""
        wide = (self.south_east.x - self.north_west.x) // 2
        high = (self.south_east.y - self.north_west.y) // 2
        if self.facing % 90:
            across = min(wide, high) * 7 // 10
            return across, across
        return (wide, high) if self.facing % 180 else (high, wide)


def drawn_up(
    units: Sequence[Unit], zone: Zone, field: OpenField, others: Iterable[Unit]
) -> Iterator[Unit]:
    """Yield the units in their places, clear of the others.

    Raises ValueError when the field is full.
    """
    taken = all_stands(others)
    front, flank = zone.halves
    for rank in _ranks(units, 2 * flank):
        left = -_length(rank) // 2
        back = ahead(zone.middle, zone.facing, front)
        for unit in rank:
            near = ahead(back, turn_facing(zone.facing, 90), left + _wide(unit) // 2)
            stood = _stood(unit, near, zone.facing, Obstacles(field, taken))
            taken += stands_of(stood)
            left += _wide(unit) + ROOM
            yield stood
        front -= max(map(_deep, rank)) + ROOM


def _ranks(units: Sequence[Unit], room: int) -> Iterator[list[Unit]]:
    """Yield ranks of fighting units that fit the room, horse first; then ranks of the others."""
    fighters = [unit for unit in units if role(unit) in IN_LINE]
    fighters.sort(key=lambda unit: (-IN_LINE.index(role(unit)), unit.id))
    yield from _split_into_ranks(fighters, room)
    yield from _split_into_ranks([unit for unit in units if role(unit) not in IN_LINE], room)


def _split_into_ranks(units: Sequence[Unit], room: int) -> Iterator[list[Unit]]:
    """Yield ranks no longer than the room, each from left to right."""
    rank: list[Unit] = []
    for unit in units:
        if rank and _length([*rank, unit]) > room:
            yield _from_the_middle(rank)
            rank = []
        rank.append(unit)
    if rank:
        yield _from_the_middle(rank)


def _from_the_middle(rank: Sequence[Unit]) -> list[Unit]:
    """Return the rank from left to right, guns innermost and horse outermost."""
    row: list[Unit] = []
    for nth, unit in enumerate(reversed(rank)):
        row.insert(len(row) if nth % 2 else 0, unit)
    return row


def _length(rank: Sequence[Unit]) -> int:
    return sum(map(_wide, rank)) + ROOM * (len(rank) - 1)


def _wide(unit: Unit) -> int:
    return extent(band(unit).unit).width


def _deep(unit: Unit) -> int:
    return extent(band(unit).unit).depth


def _stood(unit: Unit, near: TablePoint, facing: int, around: Obstacles) -> Unit:
    place = free_place(band(unit).unit, near, facing, around)
    if place is None:
        raise ValueError(f"There is no room on the field for {unit.name or unit.kind}.")
    return msgspec.structs.replace(unit, at=place, facing=facing)
