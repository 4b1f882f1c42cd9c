"""Units of the layout with their commanders, drawn up in a zone (horse outside)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from battles.books.restless_natives.board import all_stands, stands_of, style
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Style, Weapon
from battles.books.restless_natives.state import Commander, Unit
from battles.contract.brief import Side
from battles.tabletop.deployment_lines import DeploymentBand, Role, extent
from battles.tabletop.field import OpenField
from battles.tabletop.formations import Obstacles, TableFormation, free_place
from battles.tabletop.geometry import TablePoint, ahead, turn_facing

# Units in the terms of the layout of an open table, and their commanders.


ROLES = {
    Kind.INFANTRY: Role.FOOT,
    Kind.CAVALRY: Role.HORSE,
    Kind.CAMELRY: Role.HORSE,
    Kind.ARTILLERY: Role.GUN,
    Kind.MACHINE_GUNS: Role.GUN,
    Kind.COMMANDER: Role.LEADER,
    Kind.TRANSPORT: Role.TRAIN,
    Kind.TRAIN: Role.TRAIN,
    Kind.CIVILIANS: Role.TRAIN,
    Kind.SAILING_VESSEL: Role.CRAFT,
    Kind.STEAMSHIP: Role.CRAFT,
    Kind.GUNBOAT: Role.CRAFT,
}
"""The role of each kind in a line of battle."""


def role(unit: Unit) -> Role:
    """Return the unit's role in a line of battle."""
    return ROLES[unit.kind]


def band(unit: Unit) -> DeploymentBand:
    """Return the unit for the layout; British foot among stronger enemies form square."""
    square = style(unit) is Style.BRITISH and unit.kind is Kind.INFANTRY
    able = unit.stands >= book().number("square")
    return DeploymentBand(
        unit.id,
        unit.side,
        role(unit),
        unit.stands,
        book().size(unit.kind),
        unit.formation,
        TableFormation.SQUARE if square and able else None,
        regular=style(unit) is Style.BRITISH,
        steady=unit.stands == unit.full,
        strength=unit.stands,
        spears=unit.weapon is Weapon.SPEARS,
    )


def allot_units(
    units: Iterable[Unit], commanders: Sequence[Commander], homes: dict[Side, int]
) -> tuple[Unit, ...]:
    """Return each side's units shared out among its commanders, from wing to wing.

    `homes` are the bearings of the sides' own edges: the line runs across them. Commanders' own
    stands stay under themselves.
    """
    units_by_id = {unit.id: unit for unit in units}
    own = {commander.unit for commander in commanders}
    for side in Side:
        over = [commander.id for commander in commanders if commander.side is side]
        across = homes[side] % 180 == 0
        line = sorted(
            (unit for unit in units_by_id.values() if unit.side is side and unit.id not in own),
            key=lambda unit: (unit.at.x if across else unit.at.y, unit.id),
        )
        for place, unit in enumerate(line):
            command = over[place * len(over) // len(line)]
            units_by_id[unit.id] = msgspec.structs.replace(unit, command=command)
    return tuple(units_by_id.values())


# Units drawn up in a zone: horse on the wings, guns in the middle, train behind.


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
        corner, other = self.north_west, self.south_east
        return TablePoint((corner.x + other.x) // 2, (corner.y + other.y) // 2)

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
    occupied = all_stands(others)
    front, flank = zone.halves
    for rank in _ranks(units, 2 * flank):
        left = -_length(rank) // 2
        back = ahead(zone.middle, zone.facing, front)
        for unit in rank:
            near = ahead(back, turn_facing(zone.facing, 90), left + _wide(unit) // 2)
            stood = _place_near(unit, near, zone.facing, Obstacles(field, occupied))
            occupied += stands_of(stood)
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


def _place_near(unit: Unit, near: TablePoint, facing: int, around: Obstacles) -> Unit:
    place = free_place(band(unit).unit, near, facing, around)
    if place is None:
        raise ValueError(f"There is no room on the field for {unit.name or unit.kind}.")
    return msgspec.structs.replace(unit, at=place, facing=facing)
