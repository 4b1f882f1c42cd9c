"""The roll of a battle: every unit there is or was, in words. It counts stands."""

from collections.abc import Iterable, Iterator

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.names import (
    bare,
    casualties_in_words,
    described,
    place_in_words,
    wind,
)
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.open_table.formations import Formation
from battles.prose.roster import Line
from battles.prose.sentence import listed

ON_FIELD, WAITING, GONE, DESTROYED = "on the field", "not yet come", "left the field", "destroyed"


def muster_roll(state: State) -> tuple[Line, ...]:
    """Everybody by his number, the lost and the gone too."""
    return tuple(sorted(_lines(state), key=lambda line: line.number))


def _lines(state: State) -> Iterator[Line]:
    lots: tuple[tuple[str, Iterable[Unit]], ...] = (
        (ON_FIELD, state.units.values()),
        (GONE, state.left),
        (DESTROYED, state.lost),
    )
    for fate, units in lots:
        for unit in units:
            yield _line(state, unit, WAITING if unit.id in state.waiting else fate)


def _line(state: State, unit: Unit, fate: str) -> Line:
    here = fate == ON_FIELD
    everywhere = unit.formation is Formation.SQUARE
    return Line(
        unit.id,
        unit.side,
        bare(unit),
        described(unit),
        place_in_words(unit.at) if here else "",
        wind(unit.facing) if here and not everywhere else "",
        str(unit.formation),
        unit.full,
        0 if fate == DESTROYED else unit.stands,
        _condition(state, unit) if here else fate,
        fate,
    )


def _condition(state: State, unit: Unit) -> str:
    """How it is, in as few words as will do."""
    words = [
        *([casualties_in_words(unit.casualties)] if unit.casualties else []),
        *(["going to the rear"] if unit.wounded else []),
        *(["in retreat"] if unit.retreating else []),
        *(["in close combat"] if board.in_contact(state, unit) else []),
        *(["not observed"] if not unit.seen else []),
    ]
    return listed(words) if words else "good order"
