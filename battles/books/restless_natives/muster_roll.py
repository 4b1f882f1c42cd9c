"""The roll of a battle: every unit there is or was, in words."""

from collections.abc import Iterator, Mapping

from battles.books.restless_natives.board import is_engaged
from battles.books.restless_natives.names import bare, described, place_in_words, wind
from battles.books.restless_natives.pieces import Formation
from battles.books.restless_natives.state import State, Unit
from battles.prose.roster import Line

ON_FIELD, WAITING, AWAY = "on the field", "not yet come", "ran away"
OUT, DESTROYED = "left the field", "destroyed"


def muster_roll(state: State) -> tuple[Line, ...]:
    """Everybody by his number, those who ran, went out or were destroyed too."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[Line]:
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


def _line(state: State, unit: Unit, fate: str) -> Line:
    here = fate == ON_FIELD
    everywhere = unit.formation in (Formation.SQUARE, Formation.AFLOAT)
    return Line(
        unit.id,
        unit.side,
        bare(unit),
        described(unit),
        place_in_words(unit.at) if here else "",
        wind(unit.facing) if here and not everywhere else "",
        str(unit.formation),
        unit.full,
        unit.stands,
        _condition(state, unit) if here else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """How it is, in as few words as will do."""
    if is_engaged(state, unit):
        return "in close combat"
    return "good order" if 2 * unit.stands > unit.full else "half gone"
