"""Random events, phase I: the roll, and the effects of the table one by one (5.2 I, 5.3 I)."""

from collections.abc import Callable, Mapping

from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import Ledger, Step
from battles.core.rules_engine import Handlers
from campaign.rules import unit_losses
from campaign.rules.core import events as e
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.random_events import campaign_effects, unit_effects
from campaign.rules.random_events.running_effect import (
    AT_HEX,
    EFFECT,
    WITH_UNITS,
    RunningEffect,
    condition_holds,
)
from campaign.rules.tables import event_effects as f

__all__ = ["STEPS", "event_phase"]


def event_phase(ledger: Ledger[State], side: str) -> None:
    """Roll two dice, tens and units, on the side's table, and schedule the event's effects."""
    own_side = Side(side)
    if own_side is Side.EGYPTIAN:
        campaign_effects.open_railway(ledger)
    now = RunningEffect(own_side, 0, "")
    roll = ledger.roll(Roll("Random event", now.clause, (0, 0), table="events", side=own_side))
    now = RunningEffect(own_side, 10 * roll.dice[0] + roll.dice[1], "")
    row = now.row(ledger.state)
    ledger.amend(roll, result=f"{now.code}: {row.title}")
    ledger.emit(e.EventRolled(own_side, now.code, row.title))
    ledger.then(*(Step(EFFECT, (side, now.code, str(n))) for n in range(len(row.effects))))


def carry_out(ledger: Ledger[State], side: str, code: int, path: str) -> None:
    """Carry out one effect; where it cannot happen, schedule the effects of `otherwise`."""
    now = RunningEffect(Side(side), code, path)
    effect = now.effect(ledger.state)
    lawful = condition_holds(ledger.state, effect.when, now.side)
    if not lawful or not _begin(ledger, effect, now):
        ledger.then(*now.steps("otherwise", len(effect.otherwise)))


def at_hex(ledger: Ledger[State], side: str, code: int, path: str, hex_id: HexId) -> None:
    """Continue the effect in the hex that was chosen."""
    now = RunningEffect(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.GainEffect):
        unit_effects.gain_at(ledger, effect, now, hex_id)
    elif isinstance(effect, f.DefectEffect):
        unit_effects.defect_at(ledger, now, hex_id)
    elif isinstance(effect, f.LoseEffect | f.DisruptEffect):
        unit_effects.take_at(ledger, effect, now, hex_id)
    else:
        campaign_effects.put_in_force(ledger, effect, now, hex_id)


def to_camp(ledger: Ledger[State], side: str, code: int, path: str, *way: HexId) -> None:
    """Continue a defection to the stack that was chosen."""
    now = RunningEffect(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.DefectEffect):
        unit_effects.defect_to(ledger, effect, now, (way[0], way[1]))


def with_units(
    ledger: Ledger[State], side: str, code: int, path: str, hex_id: HexId, *units: UnitId
) -> None:
    """Apply the effect to the units that were chosen."""
    now = RunningEffect(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.LoseEffect):
        unit_losses.remove(ledger, units, unit_effects.CAUSE)
    elif isinstance(effect, f.DisruptEffect):
        unit_losses.disrupt(ledger, units, unit_effects.CAUSE)
    elif isinstance(effect, f.ImproveEffect):
        unit_effects.improve_units(ledger, effect, units)
    elif isinstance(effect, f.ArmEffect):
        unit_effects.arm_units(ledger, units)
    else:
        unit_effects.go_over(ledger, now, units, hex_id)


_begin = Handlers[Ledger[State], [RunningEffect], bool]("random events")
"""Begin an effect; return False when it cannot happen."""
_begin.on(f.RollModifier)(campaign_effects.change_roll)
_begin.on(f.RerollWreck, f.LeaderValue)(campaign_effects.put_in_force)
_begin.on(f.NoMarch)(campaign_effects.stay)
_begin.on(f.GainEffect)(unit_effects.gain)
_begin.on(f.DefectEffect)(unit_effects.defect)
_begin.on(f.LoseEffect, f.DisruptEffect)(unit_effects.take)
_begin.on(f.RecoverEffect)(unit_effects.recover)
_begin.on(f.ImproveEffect)(unit_effects.improve)
_begin.on(f.ArmEffect)(unit_effects.arm)
_begin.on(f.ForceEffect)(campaign_effects.call_force)
_begin.on(f.Reschedule)(campaign_effects.reschedule)
_begin.on(f.WreckReturn)(campaign_effects.repair_sooner)
_begin.on(f.RailsEffect)(campaign_effects.tear_up)
_begin.on(f.EndGame)(campaign_effects.end_game)

STEPS: Mapping[str, Callable[..., None]] = {
    EFFECT: carry_out,
    AT_HEX: at_hex,
    unit_effects.CAMP: to_camp,
    WITH_UNITS: with_units,
}
