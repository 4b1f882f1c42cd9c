"""Units on the field: their stands, and contact between units."""

from collections.abc import Iterable, Iterator
from functools import cache

import shapely

from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Style, Weapon
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop import formations
from battles.tabletop.deployment import Post
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stand, Stands, TablePoint, middle


def stands_of(unit: Unit) -> Stands:
    """Return the stands of a unit in its place."""
    return stands_at(unit, unit.at, unit.facing)


def post_of(unit: Unit) -> Post:
    """Return where and how the unit stands."""
    return Post(unit.at, unit.facing, unit.formation)


def stands_at(unit: Unit, at: TablePoint, facing: int) -> Stands:
    """Return the stands of a unit as they would be at that point."""
    size = book().size(unit.kind)
    return formations.places(unit.formation, unit.stands, at, facing, size)


def reach_of(unit: Unit) -> int:
    """Return the radius in hundredths of an inch, about its place, that holds all its stands."""
    return _reach(unit.formation, unit.stands, unit.kind)


@cache
def _reach(formation: TableFormation, stands: int, kind: Kind) -> int:
    return formations.reach(formation, stands, book().size(kind))


def centre(unit: Unit) -> TablePoint:
    """Return the middle of all its stands."""
    return middle(stand.at for stand in stands_of(unit))


def style(unit: Unit) -> Style:
    """Return the style in which the unit moves and forms up."""
    return book().style(unit.troops)


def is_afloat(unit: Unit) -> bool:
    """Return whether the unit is a vessel."""
    return book().kind(unit.kind).afloat


def fights(unit: Unit) -> bool:
    """Return whether the unit can fire or initiate close combat."""
    return book().kind(unit.kind).initiates or unit.weapon is not Weapon.NONE


def on_field(state: State, side: Side) -> Iterator[Unit]:
    """Return the units of a side that are on the field."""
    return (unit for unit in state.units.values() if unit.side is side)


def foes(state: State, unit: Unit) -> tuple[Unit, ...]:
    """Return the enemies that the unit is in contact with."""
    numbers = [
        contact.other if contact.one == unit.id else contact.one
        for contact in state.contacts
        if unit.id in (contact.one, contact.other)
    ]
    return tuple(state.units[number] for number in numbers)


def is_engaged(state: State, unit: Unit) -> bool:
    """Return whether the unit is in contact with an enemy."""
    return any(unit.id in (contact.one, contact.other) for contact in state.contacts)


def near(state: State, unit: Unit, at: TablePoint, room: int = 0) -> list[Unit]:
    """Return the other units that may come within `room` of the unit if it stands there."""
    (x, y), own = at, reach_of(unit) + room
    return [
        other
        for other, east, south, reach in circles(state)
        if (east - x) ** 2 + (south - y) ** 2 <= (own + reach) ** 2 and other is not unit
    ]


def circles(state: State) -> list[tuple[Unit, int, int, int]]:
    """Return every unit on the field with its place and `reach_of` it, cached until one moves."""
    found: list[tuple[Unit, int, int, int]] | None = state.__dict__.get("circles")
    if found is None:
        found = [(unit, *unit.at, reach_of(unit)) for unit in state.units.values()]
        state.__dict__["circles"] = found
    return found


def all_stands(units: Iterable[Unit]) -> Stands:
    """Return the stands of all these units."""
    return tuple(stand for unit in units for stand in stands_of(unit))


def any_within(outline: tuple[TablePoint, ...], stands: Iterable[Stand]) -> bool:
    """Return whether the centre of any of these stands lies within the outline."""
    area = shapely.Polygon(outline)
    return any(area.covers(shapely.Point(stand.at)) for stand in stands)


def clear_caches(state: State) -> None:
    """Clear the caches that depend on where units stand."""
    # A struct with dict=True keeps its caches here; encoding and comparison ignore them.
    state.__dict__.clear()
