"""Phase I: the roll on the table of random events, and its effects one by one (5.2 I, 5.3 I)."""

from collections.abc import Callable, Mapping

from battles.core.dice import Roll
from battles.core.game import Step
from battles.core.handlers import Handlers
from battles.core.ledger import Ledger
from campaign.rules import effects as f
from campaign.rules import events as e
from campaign.rules.map import HexId
from campaign.rules.pieces import Side, UnitId
from campaign.rules.random_events import arrivals, casualties, gains, lasting, upheavals
from campaign.rules.random_events.conditions import holds
from campaign.rules.random_events.happening import AT_HEX, EFFECT, WITH_UNITS, Happening
from campaign.rules.state import State


def event_phase(ledger: Ledger[State], side: str) -> None:
    """The side throws two dice, tens and units, and what the table says happens."""
    mine = Side(side)
    if mine is Side.EGYPTIAN:
        arrivals.open_railway(ledger)
    now = Happening(mine, 0, "")
    roll = ledger.roll(Roll("Random event", now.clause, (0, 0), table="events", side=mine))
    now = Happening(mine, 10 * roll.dice[0] + roll.dice[1], "")
    row = now.row(ledger.state)
    ledger.amend(roll, result=f"{now.code}: {row.title}")
    ledger.emit(e.EventRolled(mine, now.code, row.title))
    ledger.then(*(Step(EFFECT, (side, now.code, str(n))) for n in range(len(row.effects))))


def carry_out(ledger: Ledger[State], side: str, code: int, path: str) -> None:
    """One effect happens; where it cannot, what is said to happen otherwise does."""
    now = Happening(Side(side), code, path)
    effect = now.effect(ledger.state)
    lawful = holds(ledger.state, effect.when, now.side)
    if not lawful or not _begin(ledger, effect, now):
        ledger.then(*now.steps("otherwise", len(effect.otherwise)))


def at_hex(ledger: Ledger[State], side: str, code: int, path: str, hex_id: HexId) -> None:
    """The effect goes on in the hex that was chosen."""
    now = Happening(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.Gain):
        gains.gain_at(ledger, effect, now, hex_id)
    elif isinstance(effect, f.Defect):
        gains.defect_at(ledger, effect, now, hex_id)
    elif isinstance(effect, f.Lose | f.Disrupt):
        casualties.take_at(ledger, effect, now, hex_id)
    else:
        lasting.put_in_force(ledger, effect, now, hex_id)


def to_camp(ledger: Ledger[State], side: str, code: int, path: str, *way: HexId) -> None:
    """A garrison is won over by the stack that was chosen."""
    now = Happening(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.Defect):
        gains.defect_to(ledger, effect, now, (way[0], way[1]))


def with_units(
    ledger: Ledger[State], side: str, code: int, path: str, hex_id: HexId, *units: UnitId
) -> None:
    """The effect falls on the units that were chosen."""
    now = Happening(Side(side), code, path)
    effect = now.effect(ledger.state)
    if isinstance(effect, f.Lose):
        casualties.lose_units(ledger, units)
    elif isinstance(effect, f.Disrupt):
        casualties.disrupt_units(ledger, units)
    elif isinstance(effect, f.Improve):
        casualties.improve_units(ledger, effect, units)
    elif isinstance(effect, f.Arm):
        casualties.arm_units(ledger, units)
    else:
        gains.go_over(ledger, now, units, hex_id)


_begin = Handlers[Ledger[State], [Happening], bool]("random events")
"""Begin an effect; False when it cannot happen."""
_begin.on(f.RollModifier)(lasting.change_roll)
_begin.on(f.RerollWreck, f.LeaderValue)(lasting.put_in_force)
_begin.on(f.NoMarch)(lasting.stay)
_begin.on(f.Gain)(gains.gain)
_begin.on(f.Defect)(gains.defect)
_begin.on(f.Lose, f.Disrupt)(casualties.take)
_begin.on(f.Recover)(casualties.recover)
_begin.on(f.Improve)(casualties.improve)
_begin.on(f.Arm)(casualties.arm)
_begin.on(f.Force)(arrivals.call_force)
_begin.on(f.Reschedule)(arrivals.reschedule)
_begin.on(f.WreckReturn)(arrivals.repair_sooner)
_begin.on(f.Rails)(upheavals.tear_up)
_begin.on(f.EndGame)(upheavals.end_game)

STEPS: Mapping[str, Callable[..., None]] = {
    EFFECT: carry_out,
    AT_HEX: at_hex,
    gains.CAMP: to_camp,
    WITH_UNITS: with_units,
}
