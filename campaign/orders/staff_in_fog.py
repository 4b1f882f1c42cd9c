"""The staff's answers in a fog of war, from what its side may know.

The staff receives a position that is drawn at random and agrees with its side's view and memory,
never the true one. Within a month the draws for a stack or a place stay the same. The rules alone
know what is so: where they refuse what the staff proposes, as they would refuse it a player, it
goes as far on that way as they allow, or thinks again about another draw.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from battles.contract.brief import Side
from battles.core.dice import derive_key
from campaign import staff
from campaign.odds.forecast import sample_state
from campaign.orders.standing_instructions import default_answer, is_lawful
from campaign.rules.core import actions as a
from campaign.rules.core.options import options
from campaign.rules.core.state import State
from campaign.rules.sight import SideKnowledge, initial_knowledge, observe, visible_campaign
from campaign.staff.plans import Plans

DRAWS = 3
"""The positions that the staff thinks about before it takes the plain default of the rule."""

Known = dict[Side, SideKnowledge]


def known_from_now(state: State) -> Known:
    """Return what both sides know who see this position and remember nothing."""
    return {side: initial_knowledge(state, side) for side in Side}


PlansOf: TypeAlias = Callable[[State], Plans | None]
"""Return the plans of the side that a state asks; None for the usual ones."""


def staff_answer(
    state: State,
    known: Mapping[Side, SideKnowledge] | None,
    key: bytes = b"staff",
    plans: PlansOf | None = None,
) -> a.AnyAction:
    """Return the lawful answer of the staff that is asked; without `known` the map is open.

    `known` is what each side has learnt so far, to which is added what it sees now; `key` is that
    of the draws. `plans` says by which plans the staff goes.
    """
    by = plans(state) if plans is not None else None
    if known is None or state.question is None:
        return staff.answer(state, by)
    mine = known[state.question.side]
    for draw in range(DRAWS):
        proposed = _numbered_truly(state, mine.side, proposal(state, mine, key, draw, by))
        if is_lawful(state, proposed):
            return proposed
        if isinstance(proposed, a.Move | a.Sail) and (part := _part_of_way(state, proposed)):
            return part
    offered = options(state)
    if offered is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    return default_answer(state, offered)


def proposal(
    state: State, known: SideKnowledge, key: bytes, draw: int = 0, plans: Plans | None = None
) -> a.AnyAction:
    """Return what the staff of a side wants to answer, by what the side sees and knows.

    What it sees now is added to `known`.
    """
    observe(known, state)
    view = visible_campaign(state, known.side, known)
    return staff.answer(sample_state(view, derive_key(key, known.side, state.month, draw)), plans)


def _numbered_truly(state: State, side: Side, action: a.AnyAction) -> a.AnyAction:
    """Return the action with its group numbered among all that are due, the enemy's included."""
    if not isinstance(action, a.Place):
        return action
    own = [n for n, due in enumerate(state.due) if all(unit.side is side for unit in due.units)]
    return msgspec.structs.replace(action, group=own[action.group])


def _part_of_way(state: State, action: a.Move | a.Sail) -> a.Move | a.Sail | None:
    """Return the way as far as the rules allow it, up to an enemy whom nobody has seen."""
    for length in range(len(action.path) - 1, 0, -1):
        part = msgspec.structs.replace(action, path=action.path[:length])
        if is_lawful(state, part):
            return part
    return None
