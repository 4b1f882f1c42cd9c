"""What a side may know of a battle: nothing of units it has not observed, nor of their orders."""

import msgspec

from battles.engines.fuzzy_wuzzy.pieces import Side
from battles.engines.fuzzy_wuzzy.state import State


def view(state: State, side: Side | None) -> State:
    """The state as that side may see it; an onlooker (None) sees what both sides do."""
    units = {
        number: unit
        for number, unit in state.units.items()
        if unit.side is side or (unit.seen and number not in state.waiting)
    }
    own = {number for number, unit in units.items() if unit.side is side}
    return msgspec.structs.replace(
        state,
        units=units,
        strengths={who: stands for who, stands in state.strengths.items() if who is side},
        next_id=0,
        orders={number: order for number, order in state.orders.items() if number in own},
        paces={number: pace for number, pace in state.paces.items() if number in units},
        moved={number: rate for number, rate in state.moved.items() if number in units},
        waiting={number: post for number, post in state.waiting.items() if number in own},
        drawn_from={number: of for number, of in state.drawn_from.items() if number in own},
        engaged=[number for number in state.engaged if number in units],
        closed=[number for number in state.closed if number in units],
        fought=[number for number in state.fought if number in units],
        retreated=[number for number in state.retreated if number in units],
        plans={who: plan for who, plan in state.plans.items() if who is side},
        brief=None,
    )
