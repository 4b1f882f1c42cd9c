"""Stands destroyed, and what follows at once: morale, commanders who fall (Firing 6)."""

from battles.books.restless_natives import events as e
from battles.books.restless_natives import morale
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.state import Commander, State, Unit
from battles.core.ledger import Ledger


def lose(ledger: Ledger[State], unit: Unit, stands: int, cause: str) -> None:
    """So many stands are removed immediately; a unit that has lost its last one is gone.

    `cause`: fire, or close combat. Its morale is tested by `shaken`.
    """
    if not stands:
        return
    ledger.emit(e.StandsLost(unit=unit.id, stands=stands, cause=cause))
    if not unit.stands:
        ledger.emit(e.Destroyed(unit=unit.id, cause=cause))
        if unit.kind is Kind.COMMANDER:
            _commander_falls(ledger, unit)


def shaken(ledger: Ledger[State], unit: Unit, stands: int) -> None:
    """A unit that has lost stands, and has some left, tests its morale at once."""
    if stands and unit.id in ledger.state.units:
        morale.test(ledger, unit)


def successor(state: State, fallen: Commander) -> Commander:
    """Who takes a commander's units: the Commander-in-Chief, or in his place the next of them.

    The last commander of a side is his own, without a stand on the field (ruling).
    """
    others = [
        one for one in state.commanders.values() if one.side is fallen.side and one is not fallen
    ]
    return min(others, key=lambda one: (not one.chief, one.id), default=fallen)


def _commander_falls(ledger: Ledger[State], unit: Unit) -> None:
    state = ledger.state
    for commander in list(state.commanders.values()):
        if commander.unit == unit.id:
            heir = successor(state, commander)
            ledger.emit(e.CommandTaken(commander=commander.id, successor=heir.id))
