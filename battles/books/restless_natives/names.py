"""Names of units and places in words, and the muster roll."""

from collections.abc import Iterator, Mapping

from battles.books.restless_natives.board import is_engaged
from battles.books.restless_natives.pieces import Hold, Kind, Remain, Special, Troops, Weapon
from battles.books.restless_natives.state import Commander, State, Unit
from battles.contract.brief import Side
from battles.prose import COMPASS, RosterLine, capital
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint

SIDES = {Side.EGYPTIAN: "the British side", Side.MAHDIST: "the Native side"}
PEOPLE = {
    Troops.BRITISH: "British",
    Troops.AUSTRALIAN: "Australian",
    Troops.INDIAN: "Indian",
    Troops.EGYPTIAN: "Egyptian",
    Troops.SUDANESE: "Sudanese",
    Troops.IRREGULAR: "Egyptian irregular",
    Troops.NATIVE: "Native",
}
BODIES = {
    Kind.INFANTRY: "infantry",
    Kind.CAVALRY: "cavalry",
    Kind.CAMELRY: "camelry",
    Kind.ARTILLERY: "battery",
    Kind.MACHINE_GUNS: "machine gun battery",
    Kind.COMMANDER: "commander",
    Kind.TRANSPORT: "supply column",
    Kind.TRAIN: "train",
    Kind.SAILING_VESSEL: "sailing vessel",
    Kind.STEAMSHIP: "steamship",
    Kind.GUNBOAT: "gunboat",
    Kind.CIVILIANS: "civilians",
}
CARDS = {
    Special.HARD_LUCK: "Dashed hard luck!",
    Special.FIREPOWER: "Enhanced firepower! (1D6)",
    Special.FIREPOWER_2: "Enhanced firepower! (2D6)",
    Special.MOVEMENT: "Faster movement! (1D6)",
    Special.MOVEMENT_2: "Faster movement! (2D6)",
    Special.COMBAT: "Heroic close combat! (1D6)",
    Special.COMBAT_2: "Heroic close combat! (2D6)",
    Special.RALLY: "Rally once again!",
}
FORMS = {
    TableFormation.LINE: "forms line",
    TableFormation.COLUMN: "forms column",
    TableFormation.SQUARE: "forms square",
    TableFormation.MASS: "gathers in a mass",
    TableFormation.MARCH_COLUMN: "forms march column",
}


def unit_name(unit: Unit) -> str:
    """Return name and number: `the Sussex (4)`, `the Native spearmen (12)`."""
    name = bare(unit)
    if unit.kind is Kind.COMMANDER and unit.name:
        return f"{name} ({unit.id})"
    return f"{name} ({unit.id})" if name.lower().startswith("the ") else f"the {name} ({unit.id})"


def bare(unit: Unit) -> str:
    """Return the unit's own name, or else its description."""
    return unit.name or describe_unit(unit)


def describe_unit(unit: Unit) -> str:
    """Return a description: `British infantry`, `Native spearmen`, `Egyptian battery`."""
    body = BODIES[unit.kind]
    if unit.kind is Kind.INFANTRY and unit.troops is Troops.NATIVE:
        body = "spearmen" if unit.weapon is Weapon.SPEARS else "riflemen"
    return f"{PEOPLE[unit.troops]} {body}"


def in_words(unit: Unit) -> str:
    """Return `Sussex: British infantry in line facing north-east at 12 by 30, 3 of 4 stands`."""
    prefix = f"{unit.name}: " if unit.name else ""
    left = f"{unit.stands} of {stands_in_words(unit.full)}"
    facing = "" if unit.formation is TableFormation.SQUARE else f" facing {wind(unit.facing)}"
    where = place_in_words(unit.at)
    return f"{prefix}{describe_unit(unit)}, {unit.formation}{facing} at {where}, {left}"


def find_unit(state: State, number: int) -> Unit | None:
    """Return the unit of that number, on the field, waiting, away, out or lost; or None."""
    for lot in (state.units, state.waiting, state.away, state.exited, state.lost):
        if number in lot:
            return lot[number]
    return None


def name_of(state: State, number: int) -> str:
    """Return the name of the unit with that number, on the field or off it."""
    unit = find_unit(state, number)
    return f"number {number}" if unit is None else unit_name(unit)


def commander_name(commander: Commander) -> str:
    """Return the commander's name, such as `Graham`, or rank."""
    nation = "British" if commander.side is Side.EGYPTIAN else "Native"
    rank = "Commander-in-Chief" if commander.chief else f"commander {commander.id}"
    return commander.name or f"the {nation} {rank}"


def acting_commander(state: State, commander: Commander) -> str:
    """Return the commander's name; the side's if the commander has fallen, its last (ruling)."""
    has_fallen = any(
        unit.kind is Kind.COMMANDER and unit.name == commander.name for unit in state.lost.values()
    )
    return SIDES[commander.side] if has_fallen else commander_name(commander)


def wind(facing: int) -> str:
    """Return the nearest of the eight points of the compass: `north-east`."""
    return COMPASS[(facing * 2 + 45) // 90 % 8]


def inches(length: int) -> str:
    """Return a length to the nearest half inch: `9½ inches`."""
    halves = (2 * length + MEASURE // 2) // MEASURE
    whole, half = divmod(halves, 2)
    words = f"{whole or ''}{'½' if half else ''}" or "0"
    return f"{words} inch{'' if halves in (1, 2) else 'es'}"


def place_in_words(point: TablePoint) -> str:
    """Return inches from the western and from the northern edge: `12 by 30`."""
    return f"{round(point.x / MEASURE)} by {round(point.y / MEASURE)}"


def stands_in_words(count: int) -> str:
    """Return a number of stands: `2 stands`."""
    return f"{count} stand{'s' if count != 1 else ''}"


ON_FIELD, WAITING, AWAY = "on the field", "not yet come", "ran away"
OUT, DESTROYED = "left the field", "destroyed"


def aim(state: State) -> tuple[str, ...]:
    """Return sentences on how the battle is won, and when it ends (Scenarios)."""
    ends = (
        "The battle ends with the second joker."
        if state.one_off
        else f"The battle ends with card {state.cards}."
    )
    goal = state.goal
    if isinstance(goal, Remain):
        won = (
            f"A side wins if it keeps {goal.percent}% of the stands it comes with and the other "
            "does not."
        )
    elif isinstance(goal, Hold):
        areas = "the marked area" if len(goal.areas) == 1 else f"{goal.need} of the marked areas"
        won = f"{capital(SIDES[goal.side])} wins if it holds {areas} at the end, else the other."
    else:
        won = (
            f"{capital(SIDES[goal.side])} wins if more than {goal.percent}% of the stands it comes "
            "with leave the field by the exit, else the other."
        )
    return won, *_weakened(state), ends


def _weakened(state: State) -> Iterator[str]:
    """Yield why a side comes with fewer stands than its units have at their full strength."""
    for side in Side:
        full = sum(line.came for line in _lines(state) if line.side is side)
        if state.began[side] < full:
            yield (
                f"{capital(SIDES[side])} comes with {state.began[side]} of {full} stands: its "
                "disrupted units have half of theirs, from the beginning of the battle to its end."
            )


def muster_roll(state: State) -> tuple[RosterLine, ...]:
    """Return all units by number, including those that ran, left or were destroyed."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[RosterLine]:
    lots: tuple[tuple[str, Mapping[int, Unit]], ...] = (
        (ON_FIELD, state.units),
        (WAITING, state.waiting),
        (AWAY, state.away),
        (OUT, state.exited),
        (DESTROYED, state.lost),
    )
    for fate, units in lots:
        for unit in units.values():
            yield _line(state, unit, fate)


def _line(state: State, unit: Unit, fate: str) -> RosterLine:
    is_on_field = fate == ON_FIELD
    everywhere = unit.formation in (TableFormation.SQUARE, TableFormation.AFLOAT)
    return RosterLine(
        unit.id,
        unit.side,
        bare(unit),
        describe_unit(unit),
        place_in_words(unit.at) if is_on_field else "",
        wind(unit.facing) if is_on_field and not everywhere else "",
        str(unit.formation),
        unit.full,
        unit.stands,
        _condition(state, unit) if is_on_field else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """Return the unit's condition in a few words."""
    if is_engaged(state, unit):
        return "in close combat"
    return "good order" if 2 * unit.stands > unit.full else "half gone"
