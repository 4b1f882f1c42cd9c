"""Wrecks: the roll, the months of repair, and the place of return (8.23 II, IV)."""

from battles.contract.brief import TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger
from campaign.rules.core import events as e
from campaign.rules.core.board import chart, laws
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.state import DueUnits, State, Unit
from campaign.rules.effects_in_force import modifiers, use_reroll
from campaign.rules.losses import WRECKED, is_replaced, remove
from campaign.rules.tables.event_effects import ModifiableRoll

REPAIR = "repair"


def roll_for_wreck(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    """Return whether the hull is wrecked; then it leaves the map for its repair (8.23)."""
    wrecked = roll_wreck(ledger, hull, where)
    if wrecked and not is_replaced(hull):
        repair(ledger, hull, months_away(ledger, hull))
    return wrecked


def roll_wreck(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    """Return whether the hull is wrecked; then it leaves the map, and no repair is scheduled."""
    wrecked = _roll(ledger, hull, where)
    if wrecked and use_reroll(ledger, hull):
        wrecked = _roll(ledger, hull, where)
    if wrecked:
        ledger.emit(e.Wrecked((hull.id,), hull.hex))
        remove(ledger, [hull.id], WRECKED)
    return wrecked


def _roll(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    state = ledger.state
    row = laws(state).wreck(hull.kind, hull.nation)
    roll = ledger.roll(
        Roll(
            f"{hull.kind.capitalize()} at {where}",
            row.clause or "8.23",
            (0,) * row.dice,
            modifiers=wreck_modifiers(state, hull),
            table="wrecks",
            side=hull.side,
        )
    )
    wrecked = roll.total >= row.wrecked_from
    ledger.amend(roll, result="wrecked" if wrecked else "safe")
    return wrecked


def wreck_modifiers(state: State, hull: Unit) -> tuple[Modifier, ...]:
    """Return the modifiers of events to the wreck roll, which gunboats alone get."""
    return (
        modifiers(state, ModifiableRoll.GUNBOAT_WRECK, [hull])
        if hull.kind is TroopKind.GUNBOAT
        else ()
    )


def repair(ledger: Ledger[State], back: Unit, months: int) -> None:
    """Schedule the hull's return after `months`; with 0 it is lost for good (8.23 II)."""
    state = ledger.state
    if not months:
        return
    row = laws(state).wreck(back.kind, back.nation)
    at = (chart(state).place(row.returns_to).hex,)
    hull = back.as_new_counter(UnitId(state.next_unit))
    ledger.emit(e.Waited(DueUnits(Month(state.month + months), REPAIR, at, (hull,))))


def months_away(ledger: Ledger[State], hull: Unit) -> int:
    """Return the months until the hull is back, by two dice; 0, on a double, for its loss."""
    row = laws(ledger.state).wreck(hull.kind, hull.nation)
    if row.months.isdigit():
        return int(row.months)
    roll = ledger.roll(Roll(f"Repair of the {hull.kind}", "8.23 II", (0, 0), side=hull.side))
    lost = row.lost_on_double and roll.dice[0] == roll.dice[1]
    ledger.amend(roll, result="destroyed" if lost else f"back in {roll.total} months")
    return 0 if lost else roll.total
