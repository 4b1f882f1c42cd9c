"""Guns and rifles taken by the Mahdists from those they destroy (9.9)."""

from collections.abc import Sequence

from battles.core.dice import Roll
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import laws
from campaign.rules.map import HexId
from campaign.rules.pieces import Kind, Side
from campaign.rules.pool import counters, muster
from campaign.rules.stacking import called
from campaign.rules.state import State, Unit

_TAKEN_AS = {
    Kind.GUN: Kind.GUN,
    Kind.INFANTRY: Kind.INFANTRY,
    Kind.ENGINEERS: Kind.INFANTRY,
    Kind.NAVAL: Kind.INFANTRY,
    Kind.CAMEL_CORPS: Kind.INFANTRY,
}
CAPTURED = "captured"


def capture(ledger: Ledger[State], destroyed: Sequence[Unit], at: HexId) -> None:
    """One die for each gun and rifle unit destroyed; what is taken stands with the winner."""
    for unit in destroyed:
        if taken_as(unit) is not None:
            _roll_for(ledger, unit, at)


def taken_as(unit: Unit) -> Kind | None:
    """The kind of counter that the Mahdists have for the unit once it is captured, if any."""
    return _TAKEN_AS.get(unit.kind) if unit.side is Side.EGYPTIAN else None


def _roll_for(ledger: Ledger[State], unit: Unit, at: HexId) -> None:
    state = ledger.state
    roll = ledger.roll(Roll(f"Capture of {called(unit)}", "9.9", (0,), side=Side.MAHDIST))
    taken = laws(state).captured(unit.nation, roll.total)
    ledger.amend(roll, result="captured" if taken else "lost")
    if taken:
        _take(ledger, unit, at)


def take(ledger: Ledger[State], captured: Sequence[Unit], at: HexId) -> None:
    """These units, which are destroyed, stand with the winner as counters of his; no dice."""
    for unit in captured:
        _take(ledger, unit, at)


def _take(ledger: Ledger[State], unit: Unit, at: HexId) -> None:
    state = ledger.state
    ledger.emit(e.Captured((_name(unit),), at))
    if CAPTURED not in state.flags:
        ledger.emit(e.Flagged(CAPTURED))
    muster(ledger, counters(state, _TAKEN_AS[unit.kind], 1, at), "capture")


def _name(unit: Unit) -> str:
    return unit.name or f"{unit.nation} {unit.kind}"
