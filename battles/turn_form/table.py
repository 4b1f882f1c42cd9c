"""Turn forms of the open-table books: places and moves on the drawing."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from battles.drawing.svg import polyline
from battles.drawing.table_field import TablePlan
from battles.prose.narrative import COMPASS
from battles.tabletop.deployment import Deploy, Outline
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint
from battles.turn_form.form import Free, InvalidForm, Spot, length, number

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


def anywhere(
    field: OpenField,
    unit: Standing,
    words: str,
    formations: Iterable[TableFormation],
    *,
    measure: str,
) -> Free:
    """Return the placing of a unit before the battle, its present formation first."""
    winds = [(str(45 * nth), f"facing {wind}") for nth, wind in enumerate(COMPASS)]
    as_now = [(str(unit.facing), f"facing {unit.facing} degrees")] if unit.facing % 45 else []
    return free(field, unit, words, 0, measure=measure)._replace(
        reach=0,
        formations=tuple(one.value for one in formations),
        facings=(*as_now, *winds),
    )


def zone_path(field: OpenField, zones: Iterable[Outline]) -> str:
    """Return the zones of a side as path data of the drawing."""
    plan = TablePlan(field)
    return "".join(f"{polyline([plan.at(one) for one in zone])}z" for zone in zones)


def deployed(said: Mapping[str, Any], formations: Iterable[TableFormation]) -> Deploy:
    """Return the placing of a unit that a form describes. Raises InvalidForm."""
    formation = str(said.get("formation", ""))
    known = {str(one): one for one in formations}
    if formation not in known:
        raise InvalidForm("Choose a formation of those that are offered.")
    to = TablePoint(length(said, "x"), length(said, "y"))
    return Deploy(number(said, "unit"), to, number(said, "facing") % 360, known[formation])
