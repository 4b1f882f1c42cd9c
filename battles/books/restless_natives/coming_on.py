"""Units that come on at the edge of the field, late or rallied (Morale 6 and 7)."""

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import all_stands, is_afloat, stands_at
from battles.books.restless_natives.book import book
from battles.books.restless_natives.movement import is_ground_for
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import Commander, State, Unit
from battles.core.ledger import Ledger
from battles.tabletop import formations
from battles.tabletop.geometry import TablePoint, bearing


def place(state: State, unit: Unit) -> TablePoint | None:
    """Return the free place nearest to where the unit left or was to come on; None for none."""
    at = formations.free_place(
        formations.MovingUnit(unit.formation, unit.stands, book().size(unit.kind)),
        unit.at,
        facing(state, unit),
        formations.Obstacles(state.field, all_stands(state.units.values())),
        frozenset() if is_afloat(unit) else book().water,
    )
    if at is None or not is_ground_for(state.field, unit, stands_at(unit, at, facing(state, unit))):
        return None
    return at


def facing(state: State, unit: Unit) -> int:
    """Return the facing towards the middle of the field."""
    return bearing(unit.at, TablePoint(state.field.width // 2, state.field.height // 2))


def come_on(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Bring the unit on where there is room. `cause`: entered, or rallied."""
    at = place(ledger.state, unit) or unit.at
    looks = facing(ledger.state, unit)
    ledger.emit(e.CameOn(unit=unit.id, at=at, facing=looks, cause=cause))


def rally(ledger: Ledger[State], commander: Commander, unit: Unit) -> None:
    """Play Rally Once Again!, and bring the unit back at the edge of the field."""
    ledger.emit(e.SpecialPlayed(commander=commander.id, card=Special.RALLY, unit=unit.id))
    come_on(ledger, unit, "rallied")


def can_rally(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the commander's units that ran away and can return, if the hand holds the card."""
    if Special.RALLY not in commander.hand:
        return ()
    return tuple(
        unit.id
        for unit in state.away.values()
        if unit.command == commander.id and place(state, unit) is not None
    )
