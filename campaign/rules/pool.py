"""The Mahdists' counters: the pile they draw from, and the mix that limits them (3.2)."""

from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import laws
from campaign.rules.map import HexId
from campaign.rules.pieces import Kind, Nation, UnitId
from campaign.rules.state import Phase, State, Unit


def free(state: State, kind: Kind) -> int:
    """How many counters of the kind are off the map, in the pile or beside it."""
    return max(0, state.pool.get(kind, 0)) + max(0, state.box.get(kind, 0))


def counters(state: State, kind: Kind, wanted: int, hex_id: HexId) -> tuple[Unit, ...]:
    """New Mahdist units for this hex, as many as wanted and as there are counters for."""
    number = min(wanted, free(state, kind))
    piece = laws(state).default(kind, Nation.MAHDIST)
    return tuple(
        Unit(
            UnitId(state.next_unit + place),
            kind,
            Nation.MAHDIST,
            piece.quality,
            piece.strength,
            hex_id,
        )
        for place in range(number)
    )


def muster(ledger: Ledger[State], units: tuple[Unit, ...], cause: str) -> None:
    """New units stand on the map, if there are any; those of a march phase do not march in it."""
    state = ledger.state
    if not units:
        return
    ledger.emit(e.Arrived(units, cause))
    if state.phase is Phase.MARCH and units[0].side is state.side:
        ledger.emit(e.Mustered(tuple(unit.id for unit in units)))


def pile(state: State) -> list[Kind]:
    """The counters of the pile one by one, in a fixed order, to be drawn from by dice."""
    return [kind for kind in sorted(state.pool) for _ in range(max(0, state.pool[kind]))]
