"""The forms in which players answer the questions of a battle, on squares or an open table."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from battles.contract.brief import Side
from battles.drawing.svg import polyline
from battles.drawing.table_field import TablePlan
from battles.prose import COMPASS
from battles.tabletop.deployment import Deploy, Outline
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint

# The turn form: the choices offered to a player, with their chances and places on the field.


Spot = tuple[int, int]
"""A point of the drawing."""


class QuestionKind(StrEnum):
    """A group of choices, shown together."""

    ALL = "all"
    CHARGE = "charge"
    FIRE = "fire"
    GO = "go"
    TURN = "turn"
    FORM = "form"
    CARD = "card"
    ORDER = "order"
    AT_ONCE = "at-once"
    NEXT = "next"
    OTHER = "other"
    DONE = "done"


TITLES = {
    QuestionKind.ALL: "All together",
    QuestionKind.CHARGE: "Close with the enemy",
    QuestionKind.FIRE: "Fire",
    QuestionKind.GO: "Go",
    QuestionKind.TURN: "Turn on the spot",
    QuestionKind.FORM: "Formation",
    QuestionKind.CARD: "Cards",
    QuestionKind.ORDER: "Orders",
    QuestionKind.AT_ONCE: "Unit and action in one press",
    QuestionKind.NEXT: "Who acts",
    QuestionKind.OTHER: "Other",
    QuestionKind.DONE: "Finish",
}


class Choice(NamedTuple):
    """A legal answer: the action, its label, and what is to be expected of it.

    `detail` has its cost or its odds in words, `chance` the chance that it succeeds. `spot` is its
    click target on the drawing, `place` the name of that spot; choices of one place are picked
    there together. `target` is the piece it is about. `then` names the plan that goes on with it,
    by the book's `sequel`; `lasts`: the plan goes on with later answers, until it is ended.
    `more`: the choice may be given without the plan, so that something can follow.
    """

    action: Any
    label: str
    kind: QuestionKind
    detail: str = ""
    spot: Spot | None = None
    place: str = ""
    target: int = 0
    chance: float | None = None
    then: str = ""
    lasts: bool = False
    more: bool = False


def about_unit(
    action: Any, label: str, kind: QuestionKind, unit: int, at: Spot | None, **more: Any
) -> Choice:
    """Return a choice about a unit, which is picked where that stands on the field."""
    return Choice(action, label, kind, spot=at, place=f"unit {unit}", target=unit, **more)


class PickedAnswer(NamedTuple):
    """Another unit that the question offers: its number, its name, and what to know of it."""

    unit: int
    name: str
    detail: str = ""


class FreeMove(NamedTuple):
    """A unit that may go anywhere within a distance, in the book's measure and on the drawing.

    `formations` are those it may take there, if it has a choice, and `facings` the values and names
    of the directions it may look. `x` and `y` are its place, in the book's measure from the
    north-western corner. `bends`: its way may lead through points that the form's `via` names.
    `then` names the plan that goes on with the move, `line` the plan by which others go with it.
    """

    unit: int
    words: str
    reach: int
    spot: Spot
    x: float
    y: float
    facing: int
    measure: str
    scale: float
    formations: tuple[str, ...] = ()
    bends: bool = False
    facings: tuple[tuple[str, str], ...] = ()
    then: str = ""
    line: str = ""


class Placing(NamedTuple):
    """A unit that may stand in any of these places, facing any way; `verb` labels the action."""

    verb: str
    places: tuple[tuple[str, str, Spot], ...]
    """Value, name and spot of each place."""
    facings: tuple[tuple[str, str], ...]
    facing: str
    formations: tuple[str, ...] = ()
    """The formations it may take there, its present one first, if it has a choice."""
    place: str = ""
    """The value of the place where it stands, if it stands anywhere."""


class UnitSelection(NamedTuple):
    """Units of which any number may be chosen together."""

    words: str
    units: tuple[PickedAnswer, ...]


class OrderChoices(NamedTuple):
    """Orders of several sorts for one unit: the values of each sort, and their combinations."""

    unit: int
    words: str
    sorts: tuple[tuple[str, tuple[str, ...], str], ...]
    """Name, values, and current value of each sort."""
    together: tuple[str, ...]
    """Every legal set of orders in words, which are also its value in a form."""
    given: str
    """The current set."""


class TurnForm(NamedTuple):
    """A question to a side, with everything it may answer.

    `unit` is the unit whose choices these are; `units` are others that can be selected instead.
    `zone` is the ground on which units are placed before a battle, as path data of the drawing: a
    touch of the field puts the unit there.
    `together` are the units that act with it, or may share its card. `line` names the plan by
    which others of its group make the same move as it.
    """

    side: Side
    title: str
    choices: tuple[Choice, ...]
    unit: int = 0
    units: tuple[PickedAnswer, ...] = ()
    hint: str = ""
    free: FreeMove | None = None
    placing: Placing | None = None
    several: UnitSelection | None = None
    ordering: OrderChoices | None = None
    zone: str = ""
    together: tuple[int, ...] = ()
    line: str = ""


def only_answer(form: TurnForm | None) -> Any:
    """Return the one action that a form leaves, if it is to do no more; None otherwise."""
    if form is None or len(form.choices) != 1:
        return None
    others = (form.free, form.placing, form.several, form.ordering, form.zone, form.units)
    only = form.choices[0]
    return only.action if only.kind is QuestionKind.DONE and not any(others) else None


class LineUp(NamedTuple):
    """The line-up of a side before a battle, as far as its turn form needs it.

    `moved` is the number of units that no longer stand as drawn up; `restore` and `done` are the
    book's actions; `hidden`: the enemy does not see where units are placed.
    """

    moved: int
    restore: Any
    done: Any
    zone: str
    hidden: bool = False


def deployment_form(
    side: Side, units: tuple[PickedAnswer, ...], unit: int, line_up: LineUp
) -> TurnForm:
    """Return the form in which a side places its units; the book adds how a unit is placed."""
    back = (Choice(line_up.restore, "Put all back as drawn up", QuestionKind.OTHER),)
    ready = "Start the battle" if line_up.moved else "Fight as drawn up"
    see = "does not see" if line_up.hidden else "sees"
    hint = f"Choose a unit, then touch the marked ground. The enemy {see} where you place it."
    return TurnForm(
        side,
        "Place your units",
        (*(back if line_up.moved else ()), Choice(line_up.done, ready, QuestionKind.DONE)),
        unit,
        units,
        f"{hint} {line_up.moved} moved." if line_up.moved else hint,
        zone=line_up.zone,
    )


BUSY = "It fights hand to hand, or acts just now: go back to before that instead."


LABELS = {
    "x": "“East”",
    "y": "“South”",
    "facing": "“Facing”",
    "via": "“By way of”",
    "left": "what is left of the unit",
}
"""Fields of the forms as their pages call them, in case one does not say what it should."""


class InvalidForm(ValueError):
    """A form without a valid answer; the message says what is missing."""


def number(fields: Any, name: str) -> int:
    """Return a whole number of the form. Raises InvalidForm."""
    text = str(fields.get(name, "")).strip()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 9):
        raise InvalidForm(f"Give a whole number for {LABELS.get(name, name)}.")
    return int(text)


def length(fields: Any, name: str) -> int:
    """Return a length of the form, in hundredths of the book's measure. Raises InvalidForm."""
    text = str(fields.get(name, "")).strip()
    try:
        value = float(text)
    except ValueError as error:
        raise InvalidForm(f"Give a length for {LABELS[name]}, such as 12.5.") from error
    if not -10_000 < value < 10_000:
        raise InvalidForm(f"{text} is too far for {LABELS[name]}.")
    return round(100 * value)


def read_point(fields: Any) -> TablePoint:
    """Return the point of a form. Raises InvalidForm."""
    return TablePoint(length(fields, "x"), length(fields, "y"))


def read_facing(fields: Any, otherwise: int) -> int:
    """Return the facing of a form in degrees, or else that one. Raises InvalidForm."""
    looks = str(fields.get("facing", "")).strip()
    return number(fields, "facing") % 360 if looks else otherwise


def read_place(form_data: Any, unit: Any) -> tuple[int, TablePoint, int]:
    """Return stands left, place and facing of a form, by default the unit's. Raises InvalidForm."""
    fields = {name: str(form_data.get(name, "")).strip() for name in ("x", "y")}
    x = length(form_data, "x") if fields["x"] else unit.at.x
    y = length(form_data, "y") if fields["y"] else unit.at.y
    facing = read_facing(form_data, unit.facing)
    return number(form_data, "left"), TablePoint(x, y), facing


def is_shaken_after(form_data: Any, before: bool) -> bool:
    """Return whether a corrected unit is shaken: as the form says, or as it was `before`."""
    return {"yes": True, "no": False}.get(form_data.get("shaken", ""), before)


def per_cent(chance: float) -> str:
    """Return a chance as `58%`, with 0% and 100% only for the impossible and the certain."""
    shown = round(100 * chance)
    if 0 < chance < 1:
        shown = min(max(shown, 1), 99)
    return f"{shown}%"


def chances_of_sums(faces: Iterable[int], dice: int) -> dict[int, float]:
    """Return the chance of every sum of so many dice whose `faces` are equally likely."""
    die = list(faces)
    sums = {0: 1.0}
    for _ in range(dice):
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for face in die:
                after[total + face] = after.get(total + face, 0.0) + chance / len(die)
        sums = after
    return sums


def mean(chances: dict[int, float]) -> float:
    """Return the expected value."""
    return sum(total * chance for total, chance in chances.items())


def chance_of_more(chances: dict[int, float], others: dict[int, float]) -> float:
    """Return the chance that the first number is the greater."""
    return sum(
        chance * too
        for count, chance in chances.items()
        for other, too in others.items()
        if count > other
    )


# Turn forms of the open-table books: places and moves on the drawing.


OPEN_TABLE = (
    "Points are so far east and so far south of the north-western corner, and lengths, in "
    "hundredths of {measure}; facings are degrees clockwise from the north."
)
"""The units of points, lengths and facings in states and actions; for the REST docs."""


class PlacedUnit(Protocol):
    """A unit of either book, as far as a question about its place needs it."""

    id: int
    at: TablePoint
    facing: int


def spot(field: OpenField, at: TablePoint) -> Spot:
    """Return a point's place on the drawing of that field."""
    return TablePlan(field).at(at)


def free(field: OpenField, unit: PlacedUnit, words: str, far: int, *, measure: str) -> FreeMove:
    """Return the free move of a unit, up to `far` hundredths of the measure."""
    plan = TablePlan(field)
    return FreeMove(
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
    unit: PlacedUnit,
    words: str,
    formations: Iterable[TableFormation],
    *,
    measure: str,
) -> FreeMove:
    """Return the placing of a unit before the battle, its present formation first."""
    winds = [(str(45 * nth), f"facing {wind}") for nth, wind in enumerate(COMPASS)]
    as_now = [(str(unit.facing), f"facing {unit.facing} degrees")] if unit.facing % 45 else []
    return free(field, unit, words, 0, measure=measure)._replace(
        reach=0,
        formations=tuple(formation.value for formation in formations),
        facings=(*as_now, *winds),
    )


def zone_path(field: OpenField, zones: Iterable[Outline]) -> str:
    """Return the zones of a side as path data of the drawing."""
    plan = TablePlan(field)
    return "".join(polyline([plan.at(point) for point in zone], closed=True) for zone in zones)


def read_deployment(fields: Mapping[str, Any], formations: Iterable[TableFormation]) -> Deploy:
    """Return the placing of a unit that a form describes. Raises InvalidForm."""
    formation = str(fields.get("formation", ""))
    choices = {str(formation): formation for formation in formations}
    if formation not in choices:
        raise InvalidForm("Choose a formation of those that are offered.")
    facing = number(fields, "facing") % 360
    return Deploy(number(fields, "unit"), read_point(fields), facing, choices[formation])
