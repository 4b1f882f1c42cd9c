"""The roll of a battle: every unit and Leader there is or was, in words."""

from collections.abc import Iterator

from battles.books.redcoats.names import PEOPLE, bare, described
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.squares import OFF_FIELD, WORDS, name
from battles.books.redcoats.state import Leader, State, Unit
from battles.prose.roster import Line
from battles.prose.sentence import listed

ON_FIELD, DESTROYED, GONE, FALLEN = "on the field", "destroyed", "left the field", "fallen"
FALLEN_HOW = {True: "wounded", False: "fallen"}


def muster_roll(state: State) -> tuple[Line, ...]:
    """Everybody by his number, the lost, the gone and the fallen too."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[Line]:
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


def _unit(state: State, unit: Unit, fate: str) -> Line:
    here = fate == ON_FIELD and unit.square != OFF_FIELD
    everywhere = unit.formation in (Formation.SQUARE, Formation.TRANSPORT)
    return Line(
        unit.id,
        unit.side,
        bare(unit),
        described(unit),
        name(unit.square) if here else "",
        WORDS[unit.facing] if here and not everywhere else "",
        f"{unit.formation}, brigade Square" if unit.brigade else str(unit.formation),
        unit.full,
        0 if fate == DESTROYED else unit.figures,
        _condition(state, unit) if fate == ON_FIELD else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """How it is, in as few words as will do."""
    engaged = any(unit.id in (fight.charger, fight.charged) for fight in state.combats)
    words = [
        *(["not yet come"] if unit.square == OFF_FIELD else []),
        *(["disorganised"] if unit.disorganised else []),
        *(["hand to hand"] if engaged else []),
        *(["impetuous"] if unit.impetuous else []),
        *([f"aboard {unit.aboard}"] if unit.aboard else []),
    ]
    return listed(words) if words else "good order"


def _leader(leader: Leader, fate: str) -> Line:
    here = fate == ON_FIELD and leader.square != OFF_FIELD
    how = "wounded" if leader.wounded else "unhurt"
    return Line(
        leader.id,
        leader.side,
        leader.name or f"{PEOPLE[leader.troops]} Leader",
        "Leader",
        name(leader.square) if here else "",
        "",
        "",
        1,
        int(fate == ON_FIELD),
        how if fate == ON_FIELD else FALLEN_HOW[leader.wounded],
        fate,
    )
