"""Formations that a unit may take, and changes between them (Activated unit 5)."""

from battles.books.restless_natives.board import near, stands_of, style
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, TableFormation, Troops
from battles.books.restless_natives.state import State, Unit
from battles.tabletop.field import on_table
from battles.tabletop.formations import places
from battles.tabletop.geometry import overlap


def permitted(troops: Troops, kind: Kind) -> tuple[TableFormation, ...]:
    """Return the formations of such units, whatever their strength."""
    return book().formations(book().style(troops), kind)


def may_take(unit: Unit, formation: TableFormation) -> bool:
    """Return whether the unit can form so: a Square needs a stand for each face (ruling)."""
    if formation not in book().formations(style(unit), unit.kind):
        return False
    return formation is not TableFormation.SQUARE or unit.stands >= book().number("square")


def changes(state: State, unit: Unit) -> tuple[TableFormation, ...]:
    """Return the formations that the unit can change to where it stands."""
    return tuple(
        formation
        for formation in book().formations(style(unit), unit.kind)
        if formation is not unit.formation
        and may_take(unit, formation)
        and _has_room(state, unit, formation)
    )


def _has_room(state: State, unit: Unit, formation: TableFormation) -> bool:
    size = book().size(unit.kind)
    stands = places(formation, unit.stands, unit.at, unit.facing, size)
    if not on_table(state.field, stands):
        return False
    around = near(state, unit, unit.at, room=unit.stands * size.width)
    return not any(overlap(stands, stands_of(other)) for other in around)
