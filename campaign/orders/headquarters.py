"""The seats of a side, and which of them commands a stack."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from battles.contract.brief import Side, TroopKind
from campaign.orders.order_sheet import EMPTY, BattleOutcome, IfBattle, MonthOrders
from campaign.orders.staff_in_fog import PlansOf
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.sight import SideKnowledge, supposed_state, visible_campaign


class SeatCommand(NamedTuple):
    """A seat of a side: what it commands and orders, and whether the staff decides for it.

    `command` names leaders by their unit numbers and regions by their names; without any the seat
    is the commander-in-chief's.
    """

    seat: int
    side: Side
    sheet: MonthOrders = EMPTY
    command: tuple[int | str, ...] = ()
    staff: bool = False
    name: str = ""

    @property
    def title(self) -> str:
        """Return the name of the seat for use in a sentence."""
        return self.name or ("a subordinate" if self.command else "the commander-in-chief")


class Headquarters(NamedTuple):
    """The seats of both sides, the results of battles handed over, and what each side knows.

    `battles` has the winner by the number of the battle, None for a draw; without `known` the map
    is open. `key` is that of the positions that the staff draws in a fog, and
    `plans` returns the plans by which it goes.
    """

    commanders: tuple[SeatCommand, ...]
    battles: Mapping[str, Side | None] = {}
    known: Mapping[Side, SideKnowledge] | None = None
    key: bytes = b"staff"
    plans: PlansOf | None = None

    def of(self, side: Side) -> tuple[SeatCommand, ...]:
        """Return the seats of a side: the commander-in-chief's first, then in order."""
        mine = [commander for commander in self.commanders if commander.side is side]
        return tuple(sorted(mine, key=lambda commander: (bool(commander.command), commander.seat)))

    def seat(self, number: int) -> SeatCommand | None:
        """Return the seat of that number."""
        return next((commander for commander in self.commanders if commander.seat == number), None)

    def seen_by(self, state: State, side: Side) -> State:
        """Return the campaign as the side knows it: the state itself where the map is open."""
        if self.known is None:
            return state
        return supposed_state(visible_campaign(state, side, self.known[side]))

    def counts(self, side: Side, condition: IfBattle | None) -> bool:
        """Return whether an order with that condition counts: the battle has ended as it says."""
        if condition is None:
            return True
        if condition.battle not in self.battles:
            return False
        winner = self.battles[condition.battle]
        if winner is None:
            return condition.came is BattleOutcome.DRAWN
        return condition.came is (BattleOutcome.WON if winner is side else BattleOutcome.LOST)


def commander_of(
    state: State, commanders: Sequence[SeatCommand], hex_id: HexId, units: Sequence[Unit] = ()
) -> SeatCommand | None:
    """Return the seat that commands the stack of its side in that hex; None where none does.

    It is the subordinate whose leader stands with it, else the one in whose region it stands, else
    the commander-in-chief. `units` is for a stack that is only part of what stands there.
    """
    if not commanders:
        return None
    stack = units or board(state).stack(commanders[0].side, hex_id)
    present = {unit.id for unit in stack if unit.kind is TroopKind.LEADER}
    under = [commander for commander in commanders if commander.command]
    by_leader = (
        commander
        for commander in under
        if present & {n for n in commander.command if isinstance(n, int)}
    )
    by_region = (
        commander for commander in under if _regions(state, hex_id) & set(commander.command)
    )
    chiefs = (commander for commander in commanders if not commander.command)
    return next(
        (commander for matches in (by_leader, by_region, chiefs) for commander in matches), None
    )


def _regions(state: State, hex_id: HexId) -> frozenset[str]:
    field = chart(state).hexes.get(hex_id)
    return field.regions if field is not None else frozenset()
