"""Units in the terms of the layout of an open table, and their commanders."""

from collections.abc import Iterable, Sequence

import msgspec

from battles.books.restless_natives.board import style
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Style, TableFormation, Weapon
from battles.books.restless_natives.state import Commander, Unit
from battles.contract.brief import Side
from battles.tabletop.layout import DeploymentBand, Role

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


def allotted(
    units: Iterable[Unit], commanders: Sequence[Commander], homes: dict[Side, int]
) -> tuple[Unit, ...]:
    """Return each side's units shared out among its commanders, from wing to wing.

    `homes` are the bearings of the sides' own edges: the line runs across them. Commanders' own
    stands stay under themselves.
    """
    there = {unit.id: unit for unit in units}
    own = {commander.unit for commander in commanders}
    for side in Side:
        over = [commander.id for commander in commanders if commander.side is side]
        across = homes[side] % 180 == 0
        line = sorted(
            (unit for unit in there.values() if unit.side is side and unit.id not in own),
            key=lambda unit: (unit.at.x if across else unit.at.y, unit.id),
        )
        for place, unit in enumerate(line):
            command = over[place * len(over) // len(line)]
            there[unit.id] = msgspec.structs.replace(unit, command=command)
    return tuple(there.values())
