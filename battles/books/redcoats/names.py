"""Names of units and places in words, and the muster roll."""

from collections.abc import Iterable, Iterator, Sequence

from battles.books.redcoats.field import OFF_FIELD, column, name, row, square_at
from battles.books.redcoats.hand_to_hand import out_of_action
from battles.books.redcoats.pieces import Formation, Kind, Troops
from battles.books.redcoats.state import Leader, State, Unit
from battles.contract.brief import Side
from battles.prose import COMPASS, RosterLine, capital, listed

SIDES = {Side.EGYPTIAN: "the Anglo-Egyptian side", Side.MAHDIST: "the Dervish side"}
PEOPLE = {
    Troops.BRITISH: "British",
    Troops.EGYPTIAN: "Egyptian",
    Troops.SUDANESE: "Sudanese",
    Troops.DERVISH: "Dervish",
    Troops.BASHI_BAZOUKS: "Bashi-Bazouk",
    Troops.BAZINGERS: "Bazinger",
    Troops.GENDARMERIE: "Gendarmerie",
}
BODIES = {
    Kind.INFANTRY: "infantry",
    Kind.CAVALRY: "cavalry",
    Kind.CAMELRY: "camelry",
    Kind.ARTILLERY: "battery",
    Kind.MACHINE_GUN: "machine gun battery",
    Kind.TRANSPORT: "train",
    Kind.GUNBOAT: "gunboat",
    Kind.RIVER_BOAT: "river boat",
}


def unit_name(unit: Unit) -> str:
    """Return a unit's name and number: `the Sussex (4)`, `the Dervish spear rub (12)`."""
    return f"the {bare(unit)} ({unit.id})"


def bare(unit: Unit) -> str:
    """Return a unit's own name, or its troops and kind."""
    return unit.name or f"{PEOPLE[unit.troops]} {_body(unit)}"


def in_words(unit: Unit) -> str:
    """Return a unit's full description.

    `Sussex: British infantry in line facing north at D5, 3 of 4 figures, disorganised`.
    """
    prefix = f"{unit.name}: " if unit.name else ""
    shaken = ", disorganised" if unit.disorganised else ""
    left = f"{unit.figures} of {figures_in_words(unit.full, unit)}"
    stance = f"{unit.formation} facing {COMPASS[unit.facing]}"
    return (
        f"{prefix}{describe_unit(unit)}, {stance} at {square_in_words(unit.square)}, {left}{shaken}"
    )


def describe_unit(unit: Unit) -> str:
    """Return troops and kind:

    `British infantry`, `Dervish spear rub`, `dismounted Egyptian camelry`.
    """
    words = f"{PEOPLE[unit.troops]} {_body(unit)}"
    return f"dismounted {words}" if unit.dismounted else words


def _body(unit: Unit) -> str:
    if unit.kind is Kind.INFANTRY and unit.troops is Troops.DERVISH:
        return "rifle rub" if unit.armed else "spear rub"
    return BODIES[unit.kind]


def leader_name(leader: Leader) -> str:
    """Return a Leader's name and number: `Graham (3)`, `the Dervish Leader (7)`."""
    return f"{leader.name or f'the {PEOPLE[leader.troops]} Leader'} ({leader.id})"


def name_of(state: State, number: int) -> str:
    """Return the name of a unit or Leader by number, on the field, lost, gone or fallen."""
    if number in state.units:
        return unit_name(state.units[number])
    if number in state.leaders:
        return leader_name(state.leaders[number])
    gone = [unit_name(unit) for unit in (*state.lost, *state.left) if unit.id == number]
    leaders = (*state.fallen, *state.departed)
    gone += [leader_name(leader) for leader in leaders if leader.id == number]
    return (gone or [f"number {number}"])[0]


def side_of(state: State, number: int) -> Side | None:
    """Return the side of a unit or Leader on the field; None for others."""
    piece = state.units.get(number) or state.leaders.get(number)
    return piece.side if piece else None


def names(state: State, numbers: Iterable[int]) -> str:
    """Return the names of units and Leaders as one phrase: `the Dervish spear rub (12, 13)`."""
    return together(name_of(state, number) for number in numbers)


def together(called: Iterable[str]) -> str:
    """Join names into one phrase, with like names merged: `the Dervish spear rub (12, 13)`."""
    alike: dict[str, list[str]] = {}
    for name_ in called:
        alone, bracket, number = name_.removesuffix(")").rpartition(" (")
        alike.setdefault(alone if bracket else name_, []).append(number)
    return listed([f"{name_} ({', '.join(numbers)})" for name_, numbers in alike.items()])


def square_in_words(square: int) -> str:
    """Return the name of a square, `D5`, or `off the field`."""
    return "off the field" if square == OFF_FIELD else name(square)


def ground_in_words(squares: Sequence[int]) -> str:
    """Return the rectangle around these squares by its corners: `C3–E5`."""
    columns, rows = [column(square) for square in squares], [row(square) for square in squares]
    north_west = square_at(min(columns), min(rows))
    return f"{name(north_west)}–{name(square_at(max(columns), max(rows)))}"


def figures_in_words(count: int, unit: Unit) -> str:
    """Return a number of figures in words, `2 figures`; for a vessel, flotation points."""
    word = "flotation point" if unit.is_craft else "figure"
    return f"{count} {word}{'s' if count != 1 else ''}"


def count_in_words(units: float) -> str:
    """Return a number of units to the nearest quarter: `3`, `2¾`."""
    whole, quarters = divmod(round(4 * units), 4)
    return f"{whole or ''}{' ¼½¾'[quarters].strip()}" or "0"


ON_FIELD, DESTROYED, GONE, FALLEN = "on the field", "destroyed", "left the field", "fallen"
FALLEN_HOW = {True: "wounded", False: "fallen"}


def aim(state: State) -> tuple[str, ...]:
    """Return sentences on how the battle is won, and when it ends (Break off, Turn sequence 10)."""
    sentences = [
        (
            "A side breaks off when half its units or more are disorganised or lost; a small one "
            "counts in proportion. The side that stays on the field wins, unless half of what it "
            "brought, counted in units of the campaign, is disrupted or lost too."
        ),
        *(_distance_from_breaking_off(state, side) for side in Side if state.result is None),
    ]
    if state.objective is not None:
        side = SIDES[state.objective.side].removeprefix("the ")
        where = listed([name(square) for square in state.objective.squares])
        sentences.insert(
            0, f"The {side} wins by holding {where} in good order at the end of a turn."
        )
    sentences.append(f"Night falls after turn {state.turns}.")
    return tuple(sentences)


def _distance_from_breaking_off(state: State, side: Side) -> str:
    name, strength = capital(SIDES[side]), state.strengths.get(side, 0)
    if side in state.breaking_off:
        return f"{name} is breaking off."
    out = count_in_words(out_of_action(state, side))
    limit = count_in_words(strength / 2)
    of = count_in_words(strength)
    return f"{name} has {out} of {of} units disorganised or lost, and breaks off at {limit}."


def muster_roll(state: State) -> tuple[RosterLine, ...]:
    """Return all units and Leaders by number; the lost, gone and fallen too."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[RosterLine]:
    for unit in state.units.values():
        yield _unit(state, unit, ON_FIELD)
    for unit in state.lost:
        yield _unit(state, unit, DESTROYED)
    for unit in state.left:
        yield _unit(state, unit, GONE)
    for leader in state.leaders.values():
        yield _leader(leader, ON_FIELD)
    for leader in state.fallen:
        yield _leader(leader, FALLEN)
    for leader in state.departed:
        yield _leader(leader, GONE)


def _unit(state: State, unit: Unit, fate: str) -> RosterLine:
    is_on_field = fate == ON_FIELD and unit.square != OFF_FIELD
    everywhere = unit.formation in (Formation.SQUARE, Formation.TRANSPORT)
    return RosterLine(
        unit.id,
        unit.side,
        bare(unit),
        describe_unit(unit),
        name(unit.square) if is_on_field else "",
        COMPASS[unit.facing] if is_on_field and not everywhere else "",
        f"{unit.formation}, brigade Square" if unit.brigade else str(unit.formation),
        unit.full,
        0 if fate == DESTROYED else unit.figures,
        _condition(state, unit) if fate == ON_FIELD else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """Return a unit's condition in a few words."""
    engaged = any(unit.id in (fight.charger, fight.charged) for fight in state.combats)
    words = [
        *(["not yet come"] if unit.square == OFF_FIELD else []),
        *(["disorganised"] if unit.disorganised else []),
        *(["hand to hand"] if engaged else []),
        *(["impetuous"] if unit.impetuous else []),
        *([f"aboard {unit.aboard}"] if unit.aboard else []),
    ]
    return listed(words) if words else "good order"


def _leader(leader: Leader, fate: str) -> RosterLine:
    is_on_field = fate == ON_FIELD and leader.square != OFF_FIELD
    condition = "wounded" if leader.wounded else "unhurt"
    return RosterLine(
        leader.id,
        leader.side,
        leader.name or f"{PEOPLE[leader.troops]} Leader",
        "Leader",
        name(leader.square) if is_on_field else "",
        "",
        "",
        1,
        int(fate == ON_FIELD),
        condition if fate == ON_FIELD else FALLEN_HOW[leader.wounded],
        fate,
    )
