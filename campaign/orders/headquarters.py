"""The seats of a side, the stacks each commands, and the staff that plans for them in the fog."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import derive_key
from campaign import staff
from campaign.odds.forecast import sample_state
from campaign.orders.order_sheet import EMPTY, BattleOutcome, IfBattle, MonthOrders
from campaign.orders.standing_instructions import default_answer, is_lawful
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart
from campaign.rules.core.options import options
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.sight import (
    SideKnowledge,
    initial_knowledge,
    observe,
    supposed_state,
    visible_campaign,
)
from campaign.staff.plans import Plans

# The staff's answers in a fog of war, from what its side may know.
#
# The staff receives a position that is drawn at random and agrees with its side's view and memory,
# never the true one. Within a month the draws for a stack or a place stay the same. Only the rules
# know the true position. Where they refuse what the staff proposes, as they would refuse a player,
# it goes as far on that way as they allow, or tries another draw.


DRAWS = 3
"""The positions that the staff draws before it falls back on the plain default of the rule."""

Known = dict[Side, SideKnowledge]


def known_from_now(state: State) -> Known:
    """Return what both sides know if they see this position and remember nothing."""
    return {side: initial_knowledge(state, side) for side in Side}


PlansOf: TypeAlias = Callable[[State], Plans | None]
"""Return the plans of the side that a state asks; None for the usual ones."""


def staff_answer(
    state: State,
    known: Mapping[Side, SideKnowledge] | None,
    key: bytes = b"staff",
    plans: PlansOf | None = None,
) -> a.AnyAction:
    """Return the lawful answer of the asked side's staff; without `known` the map is open.

    `known` is what each side has learnt so far, to which is added what it sees now; `key` is that
    of the draws. `plans` says by which plans the staff goes.
    """
    chosen_plans = plans(state) if plans is not None else None
    if known is None or state.question is None:
        return staff.answer(state, chosen_plans)
    knowledge = known[state.question.side]
    for draw in range(DRAWS):
        proposed = _with_true_group_number(
            state, knowledge.side, proposal(state, knowledge, key, draw, chosen_plans)
        )
        if is_lawful(state, proposed):
            return proposed
        if isinstance(proposed, a.Move | a.Sail) and (part := _lawful_part_of_way(state, proposed)):
            return part
    offered = options(state)
    if offered is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    return default_answer(state, offered)


def proposal(
    state: State, knowledge: SideKnowledge, key: bytes, draw: int = 0, plans: Plans | None = None
) -> a.AnyAction:
    """Return what the staff of a side wants to answer, by what the side sees and knows.

    What it sees now is added to `knowledge`.
    """
    observe(knowledge, state)
    view = visible_campaign(state, knowledge.side, knowledge)
    return staff.answer(
        sample_state(view, derive_key(key, knowledge.side, state.month, draw)), plans
    )


def _with_true_group_number(state: State, side: Side, action: a.AnyAction) -> a.AnyAction:
    """Return the action with its group numbered among all that are due, the enemy's included."""
    if not isinstance(action, a.Place):
        return action
    own = [n for n, due in enumerate(state.due) if all(unit.side is side for unit in due.units)]
    return msgspec.structs.replace(action, group=own[action.group])


def _lawful_part_of_way(state: State, action: a.Move | a.Sail) -> a.Move | a.Sail | None:
    """Return the way as far as the rules allow it: it ends before an enemy nobody has seen."""
    for length in range(len(action.path) - 1, 0, -1):
        part = msgspec.structs.replace(action, path=action.path[:length])
        if is_lawful(state, part):
            return part
    return None


# The seats of a side, and which of them commands a stack.


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
        commanders = [commander for commander in self.commanders if commander.side is side]
        return tuple(
            sorted(commanders, key=lambda commander: (bool(commander.command), commander.seat))
        )

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
