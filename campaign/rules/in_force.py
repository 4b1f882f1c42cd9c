"""What a random event leaves in force until the end of its side's player turn (5.2 I, 5.3 I)."""

from collections.abc import Sequence

import msgspec

from battles.core.dice import Modifier
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.effects import LeaderValue, NoMarch, RerollWreck, RollModifier, Throw
from campaign.rules.map import HexId
from campaign.rules.pieces import TRAIN, UNCOUNTED, Side
from campaign.rules.state import InForce, State, Unit
from campaign.rules.whereabouts import reaches

CLAUSES = {Side.EGYPTIAN: "5.2 I", Side.MAHDIST: "5.3 I"}


def modifiers(state: State, throw: Throw, units: Sequence[Unit]) -> tuple[Modifier, ...]:
    """What events in force add to a roll for these units, or for the side to move without any."""
    return tuple(
        Modifier(effect.value, lasting.title, CLAUSES[lasting.side])
        for lasting in state.in_force
        if isinstance(effect := lasting.effect, RollModifier)
        and effect.to is throw
        and _touches(state, lasting, effect, units)
    )


def strategic_now(state: State, name: str, printed: int) -> int:
    """A leader's strategic value this turn; as printed unless an event says otherwise (7.1)."""
    said = (lasting.effect for lasting in state.in_force)
    changed = [one for one in said if isinstance(one, LeaderValue) and one.leader == name]
    return changed[-1].strategic if changed else printed


def stayed(state: State, side: Side) -> frozenset[HexId]:
    """The hexes whose stack may not march this turn."""
    return frozenset(
        lasting.hex
        for lasting in state.in_force
        if lasting.side is side and isinstance(lasting.effect, NoMarch)
    )


def use_reroll(ledger: Ledger[State], hull: Unit) -> bool:
    """Whether the roll that wrecked this hull is made again; that uses up one such chance."""
    place = reroll_for(ledger.state.in_force, hull)
    if place is None:
        return False
    left = used_once(ledger.state.in_force[place])
    ledger.emit(e.Lapsed(place))
    if left is not None:
        ledger.emit(e.CameIntoForce(left))
    return True


def reroll_for(in_force: Sequence[InForce], hull: Unit) -> int | None:
    """The place of the first of these by which a roll that wrecks the hull is made again."""
    places = (place for place, lasting in enumerate(in_force) if _saves(lasting, hull))
    return next(places, None)


def used_once(lasting: InForce) -> InForce | None:
    """What is left of such a chance when it has been used; nothing after the last time."""
    times = lasting.effect.times if isinstance(lasting.effect, RerollWreck) else 0
    if times < 2:
        return None
    again = msgspec.structs.replace(lasting.effect, times=times - 1)
    return msgspec.structs.replace(lasting, effect=again)


def _saves(lasting: InForce, hull: Unit) -> bool:
    effect = lasting.effect
    if not isinstance(effect, RerollWreck) or effect.craft is not hull.kind:
        return False
    right_nation = not effect.nations or hull.nation in effect.nations
    return lasting.side is hull.side and right_nation


def _touches(state: State, lasting: InForce, effect: RollModifier, units: Sequence[Unit]) -> bool:
    if not units:
        return lasting.side is state.side
    here = units[0].hex
    if units[0].side is not lasting.side or not reaches(state, effect.where, here, lasting.side):
        return False
    if effect.one_stack and lasting.hex != _set_out_from(state, here):
        return False
    return not effect.nations or any(unit.nation in effect.nations for unit in _troops(units))


def _set_out_from(state: State, here: HexId) -> HexId:
    """Where the stack stood when the event happened: where its march began."""
    return here if state.march is None else state.march.route[0]


def _troops(units: Sequence[Unit]) -> Sequence[Unit]:
    """The units that make a stack British or not: its troops, if it has any."""
    troops = [unit for unit in units if unit.kind not in UNCOUNTED | TRAIN]
    return troops or units
