"""Tactical formations: the units that may take each, and its effects (Formations)."""

from battles.books.redcoats.book import book, kind_of
from battles.books.redcoats.pieces import Formation, Kind
from battles.books.redcoats.rows import Bases
from battles.books.redcoats.squares import Aspect
from battles.books.redcoats.state import Unit


def may_take(unit: Unit, formation: Formation) -> bool:
    """Return whether units of this kind and style may take the formation (Formations 2, 3)."""
    who = f"{book().style(unit.troops)} {kind_of(unit)}"
    return who in book().formation(formation).who


def changes(unit: Unit) -> tuple[Formation, ...]:
    """Return the other formations that the unit could take."""
    return tuple(
        formation
        for formation in Formation
        if formation is not unit.formation and may_take(unit, formation)
    )


def movement(unit: Unit) -> int:
    """Return the action points of movement that the formation gives or takes (Formations 4)."""
    return book().formation(unit.formation).movement


def firing(unit: Unit, *, face: bool = False) -> int:
    """Return the figures that fire (Formations 4): a deployed battery's count double.

    `face`: the unit forms a face of a brigade Square, all of which fires (Formations 8).
    """
    if unit.kind is not Kind.TRANSPORT and face and not unit.is_gun:
        return unit.figures
    if not (unit.armed or unit.is_gun):
        return 0
    return counted(book().formation(unit.formation).fires, unit.figures)


def may_charge_in(formation: Formation) -> bool:
    """Return whether units in this formation may charge (Formations 5)."""
    return book().formation(formation).charges


def fighting(unit: Unit, aspect: Aspect) -> int:
    """Return the figures that meet a charge, or fight, on that aspect (Formations 6)."""
    return counted(bases(unit.formation, aspect), unit.figures)


def bases(formation: Formation, aspect: Aspect) -> Bases:
    """Return the bases that can fight in a formation: "all", or a number (Formations 6)."""
    row = book().formation(formation)
    if aspect is Aspect.FRONT:
        return row.front
    return row.flank if aspect is Aspect.FLANK else row.rear


def counted(of: Bases, figures: int) -> int:
    """Return the number of figures on so many bases."""
    if of == "all":
        return figures
    return 2 * figures if of == "double" else min(int(of), figures)
