"""Recovery from disruption: phase V (5.2 V, 7.4)."""

from itertools import groupby

from battles.contract.brief import Quality, Side
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger, total
from campaign.rules.core import events as e
from campaign.rules.core.board import board, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.losses import remove
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.stacks import best_strategist, strategic
from campaign.rules.tables.rows import RecoveryResult


def recovery_phase(ledger: Ledger[State], side: str) -> None:
    """Roll a die for each disrupted unit of the side, stack by stack (phase V, 5.2 V)."""
    for hex_id in board(ledger.state).hexes(Side(side)):
        _recover_stack(ledger, Side(side), hex_id)


def recovery_modifiers(state: State, side: Side, hex_id: HexId) -> tuple[Modifier, ...]:
    """Return the modifiers to the recovery rolls of this stack (5.2 V, 7.4)."""
    law, position = laws(state), board(state)
    found = []
    leader = best_strategist(state, position.stack(side, hex_id))
    if leader is not None:
        found.append(strategic(state, leader, "7.4"))
    if position.in_town(hex_id, PlaceClass.TOWN) and not position.besieged(side, hex_id):
        found.append(law.modifier("recovery.town"))
    if hex_id in position.pressed[side.enemy]:
        found.append(law.modifier("recovery.enemy"))
    return tuple(found)


def _recover_stack(ledger: Ledger[State], side: Side, hex_id: HexId) -> None:
    state = ledger.state
    shaken = [unit for unit in board(state).stack(side, hex_id) if unit.disrupted]
    if not shaken:
        return
    changed = recovery_modifiers(state, side, hex_id)
    shaken.sort(key=lambda unit: (unit.quality, unit.id))
    for quality, group in groupby(shaken, key=lambda unit: unit.quality):
        _roll_for(ledger, quality, list(group), changed)


def _roll_for(
    ledger: Ledger[State], quality: Quality, units: list[Unit], changed: tuple[Modifier, ...]
) -> None:
    """Roll a die for each unit, recorded as one roll for a quality in a stack."""
    law = laws(ledger.state)
    dice = ledger.throw(len(units))
    results = [law.recovery(quality, total((die,), changed)) for die in dice]
    back = tuple(
        unit.id
        for unit, result in zip(units, results, strict=True)
        if result is RecoveryResult.RECOVERED
    )
    lost = tuple(
        unit.id
        for unit, result in zip(units, results, strict=True)
        if result is RecoveryResult.ELIMINATED
    )
    ledger.keep(
        Roll(
            "Recovery, a die for each unit",
            "5.2 V",
            dice,
            modifiers=changed,
            result=f"{len(back)} recover, {len(lost)} are lost",
            table="recovery",
            side=units[0].side,
        )
    )
    ledger.emit(e.Recovered(back))
    remove(ledger, lost, "recovery")
