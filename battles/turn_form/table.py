"""Turn forms of the open-table books: places and moves on the drawing."""

from typing import Protocol

from battles.drawing.table_field import TablePlan
from battles.tabletop.field import OpenField
from battles.tabletop.geometry import MEASURE, TablePoint
from battles.turn_form.form import Free, Spot

OPEN_TABLE = (
    "Points are so far east and so far south of the north-western corner, and lengths, in "
    "hundredths of {measure}; facings are degrees clockwise from the north."
)
"""The units of points, lengths and facings in states and actions; for the REST docs."""


class Standing(Protocol):
    """A unit of either book, as far as a question about its place needs it."""

    id: int
    at: TablePoint
    facing: int


def spot(field: OpenField, at: TablePoint) -> Spot:
    """Return a point's place on the drawing of that field."""
    return TablePlan(field).at(at)


def free(field: OpenField, unit: Standing, words: str, far: int, *, measure: str) -> Free:
    """Return the free move of a unit, up to `far` hundredths of the measure."""
    plan = TablePlan(field)
    return Free(
        unit.id,
        words,
        plan.length(far),
        plan.at(unit.at),
        unit.at.x / MEASURE,
        unit.at.y / MEASURE,
        unit.facing,
        measure,
        plan.scale * MEASURE,
    )
