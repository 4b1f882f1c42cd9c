"""Names of units and places in words, and the muster roll."""

from collections.abc import Iterable, Iterator

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.pieces import Arm, Rate, Troops, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.prose import COMPASS, RosterLine, listed
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint

SIDES = {Side.EGYPTIAN: "the Anglo-Egyptian side", Side.MAHDIST: "the Mahdist side"}
PEOPLE = {
    Troops.BRITISH: "British",
    Troops.EGYPTIAN: "Egyptian",
    Troops.IRREGULAR: "Egyptian irregular",
    Troops.INDIAN: "Indian",
    Troops.MAHDIST: "Mahdist",
}
BODIES = {
    Arm.COMMAND: "Commander",
    Arm.INFANTRY: "infantry",
    Arm.CAVALRY: "cavalry",
    Arm.ARTILLERY: "battery",
    Arm.MACHINE_GUN: "machine gun battery",
    Arm.TRANSPORT: "train",
}
RATES = {
    Rate.STATIONARY: "at the halt",
    Rate.MARCH: "at the march",
    Rate.DOUBLE: "at the double",
    Rate.CHARGE: "at the charge",
}
FORMS = {
    TableFormation.LINE: "forms line",
    TableFormation.COLUMN: "forms column",
    TableFormation.SQUARE: "forms square",
    TableFormation.MASS: "gathers in a mass",
    TableFormation.MARCH_COLUMN: "forms column of march",
    TableFormation.LIMBERED: "limbers up",
    TableFormation.UNLIMBERED: "unlimbers",
}


def unit_name(unit: Unit) -> str:
    """Return `the Sussex (4)`, `the Mahdist spear rub (12)`; for a Commander, `Graham (7)`."""
    name = bare(unit)
    own = (unit.arm is Arm.COMMAND and unit.name) or name.lower().startswith("the ")
    return f"{name} ({unit.id})" if own else f"the {name} ({unit.id})"


def bare(unit: Unit) -> str:
    """Return the unit's own name, or else its description."""
    return unit.name or describe_unit(unit)


def describe_unit(unit: Unit) -> str:
    """Return a description: `British infantry`, `dismounted Egyptian camel corps`."""
    down = "dismounted " if unit.dismounted else ""
    hurt = "wounded of the " if unit.wounded else ""
    return f"{hurt}{down}{PEOPLE[unit.troops]} {_body(unit)}"


def _body(unit: Unit) -> str:
    if unit.camels:
        return "camel corps"
    if unit.arm is Arm.INFANTRY and unit.troops is Troops.MAHDIST:
        return "spear rub" if unit.weapon is Weapon.NONE else "rifle rub"
    return BODIES[unit.arm]


def in_words(unit: Unit) -> str:
    """Return `Sussex: British infantry, line facing north, 5 of 6 stands, 2 casualties`."""
    prefix = f"{unit.name}: " if unit.name else ""
    left = f"{unit.stands} of {stands_in_words(unit.full)}"
    hurt = f", {casualties_in_words(unit.casualties)}" if unit.casualties else ""
    runs = ", in retreat" if unit.retreating else ""
    where = f"{unit.formation} facing {wind(unit.facing)}"
    return f"{prefix}{describe_unit(unit)}, {where}, {left}{hurt}{runs}"


def everybody(state: State) -> Iterator[Unit]:
    """Yield all present and former units."""
    yield from state.units.values()
    yield from state.lost
    yield from state.left


def find_unit(state: State, number: int) -> Unit | None:
    """Return the unit of that number, on the field or off it; or None."""
    return next((unit for unit in everybody(state) if unit.id == number), None)


def name_of(state: State, number: int) -> str:
    """Return the name of the unit with that number, on the field or off it."""
    unit = find_unit(state, number)
    return f"number {number}" if unit is None else unit_name(unit)


def names(state: State, numbers: Iterable[int]) -> str:
    """Return all the names, strung together."""
    return listed([name_of(state, number) for number in numbers])


def wind(facing: int) -> str:
    """Return the nearest of the eight points of the compass."""
    return COMPASS[round(facing / 45) % 8]


def centimetres(length: int) -> str:
    """Return a length in hundredths as `12 cm`, rounded, with half counting as one."""
    return f"{(length + MEASURE // 2) // MEASURE} cm"


def place_in_words(at: TablePoint) -> str:
    """Return `32 cm east, 17 south`: from the north-western corner of the field."""
    return f"{centimetres(at[0])} east, {round(at[1] / MEASURE)} south"


def stands_in_words(count: int) -> str:
    """Return a number of stands: `2 stands`."""
    return f"{count} stand{'s' if count != 1 else ''}"


def casualties_in_words(count: int) -> str:
    """Return a number of casualties: `2 casualties`, `no casualty`."""
    if not count:
        return "no casualty"
    return f"{count} casualt{'ies' if count != 1 else 'y'}"


ON_FIELD, WAITING, GONE, DESTROYED = "on the field", "not yet come", "left the field", "destroyed"


def aim(state: State) -> tuple[str, ...]:
    """Return sentences on how the battle is won, and when it ends."""
    return (
        (
            "A side breaks off and loses when half its stands or more are lost, spent or in "
            "retreat at the end of two turns in a row, or all of them at the end of one. "
            "Commanders and transport do not count."
        ),
        f"Night falls after turn {state.turns}.",
    )


def muster_roll(state: State) -> tuple[RosterLine, ...]:
    """Return all units by number, including the lost and those that left."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[RosterLine]:
    lots: tuple[tuple[str, Iterable[Unit]], ...] = (
        (ON_FIELD, state.units.values()),
        (GONE, state.left),
        (DESTROYED, state.lost),
    )
    for fate, units in lots:
        for unit in units:
            yield _line(state, unit, WAITING if unit.id in state.waiting else fate)


def _line(state: State, unit: Unit, fate: str) -> RosterLine:
    is_on_field = fate == ON_FIELD
    everywhere = unit.formation is TableFormation.SQUARE
    return RosterLine(
        unit.id,
        unit.side,
        bare(unit),
        describe_unit(unit),
        place_in_words(unit.at) if is_on_field else "",
        wind(unit.facing) if is_on_field and not everywhere else "",
        str(unit.formation),
        unit.full,
        0 if fate == DESTROYED else unit.stands,
        _condition(state, unit) if is_on_field else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """Return the unit's condition in a few words."""
    words = [
        *([casualties_in_words(unit.casualties)] if unit.casualties else []),
        *(["going to the rear"] if unit.wounded else []),
        *(["in retreat"] if unit.retreating else []),
        *(["in close combat"] if board.in_contact(state, unit) else []),
        *(["not observed"] if not unit.seen and state.result is None else []),
    ]
    return listed(words) if words else "good order"
