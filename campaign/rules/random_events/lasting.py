"""Effects that last until the end of the player turn."""

import msgspec

from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board
from campaign.rules.effects import Effect, LeaderValue, NoMarch, RerollWreck, RollModifier, When
from campaign.rules.map import HexId
from campaign.rules.pieces import Kind
from campaign.rules.random_events.happening import Happening, choose_hex
from campaign.rules.stacking import counted
from campaign.rules.state import OFF_MAP, InForce, State

Lasting = RollModifier | RerollWreck | LeaderValue | NoMarch


def change_roll(ledger: Ledger[State], effect: RollModifier, now: Happening) -> bool:
    """A modifier comes into force; the owner chooses the stack if it is for one only."""
    if not effect.one_stack:
        return put_in_force(ledger, effect, now)
    own = board(ledger.state).occupied[now.side]
    return choose_hex(ledger, now, sorted(own))


def stay(ledger: Ledger[State], effect: NoMarch, now: Happening) -> bool:
    """The largest stack may not march; of stacks as large the owner chooses."""
    return choose_hex(ledger, now, _largest(ledger.state, effect, now))


def put_in_force(
    ledger: Ledger[State], effect: Effect, now: Happening, hex_id: HexId = OFF_MAP
) -> bool:
    """The effect holds until the turn ends, for the stack of one hex or for all."""
    bare = msgspec.structs.replace(effect, when=When(), otherwise=())
    title = now.row(ledger.state).title
    ledger.emit(e.CameIntoForce(InForce(now.side, bare, title, hex_id)))
    return True


def _largest(state: State, effect: NoMarch, now: Happening) -> list[HexId]:
    stacks = {
        hex_id: board(state).stack(now.side, hex_id)
        for hex_id in sorted(board(state).occupied[now.side])
    }
    sizes = {
        hex_id: len(counted(stack))
        for hex_id, stack in stacks.items()
        if not effect.without_leader or all(unit.kind is not Kind.LEADER for unit in stack)
    }
    most = max(sizes.values(), default=0)
    return [hex_id for hex_id, size in sizes.items() if size == most]
