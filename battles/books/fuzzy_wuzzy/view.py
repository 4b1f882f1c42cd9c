"""Fog of war: a side sees neither unobserved units nor the enemy's orders."""

from collections.abc import Iterable
from typing import Any

import msgspec

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import Question, ToAdvance, ToFire
from battles.books.fuzzy_wuzzy.pieces import Side
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.dice import Roll


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it; an onlooker (None) sees what both sides see."""
    units = {
        number: unit
        for number, unit in state.units.items()
        if unit.side is side or (unit.seen and number not in state.waiting)
    }
    own = {number for number, unit in units.items() if unit.side is side}
    return msgspec.structs.replace(
        state,
        units=units,
        lost=_known(state.lost, side),
        left=_known(state.left, side),
        strengths={who: stands for who, stands in state.strengths.items() if who is side},
        # The next number would tell how many parts have left unseen units.
        next_id=0,
        orders={number: order for number, order in state.orders.items() if number in own},
        paces={number: pace for number, pace in state.paces.items() if number in own},
        moved={number: rate for number, rate in state.moved.items() if number in units},
        # The zones end where the sides were drawn up.
        zones={who: zones for who, zones in state.zones.items() if who is side},
        line_up={number: post for number, post in state.line_up.items() if number in own},
        waiting={number: post for number, post in state.waiting.items() if number in own},
        drawn_from={number: of for number, of in state.drawn_from.items() if number in own},
        engaged=[number for number in state.engaged if number in units],
        closed=[number for number in state.closed if number in units],
        surprises=[number for number in state.surprises if number in units],
        fired={number: stands for number, stands in state.fired.items() if number in units},
        volleys=[one for one in state.volleys if one.unit in units and one.target in units],
        fought=[number for number in state.fought if number in units],
        retreated=[number for number in state.retreated if number in units],
        plans={who: plan for who, plan in state.plans.items() if who is side},
        agenda=[],
        question=_asked(state.question, side),
        brief=None,
    )


def witnessed(state: State, event: Any, side: Side | None) -> Any:
    """Return an event about to happen, as far as that side learns of it; None for not at all.

    An onlooker (None) learns what both sides learn.
    """
    match event:
        case e.AgendaRecorded() | e.Ordered() | e.Judged() if not _is_own(state, event, side):
            return None
        case e.Corrected(now=unit) if unit.side is not side and not unit.seen:
            return None
        case e.Observed():
            return _observed(state, event, side)
        case e.Paced() | e.Rallied() | e.Recovered() | e.Reorganised() if not _is_own(
            state, event, side
        ):
            return None
    hidden = any(not _is_known(state, number, side) for number in _units_of(event))
    return None if hidden else event


def overheard(rolls: Iterable[Roll], event: Any, side: Side | None) -> tuple[Roll, ...]:
    """Return the event's rolls that the side learns of: its own, and those of open combat."""
    combat = isinstance(event, e.Fired | e.Fought | e.CasualtiesTaken)
    return tuple(
        roll
        for roll in rolls
        if not roll.side
        or (side is not None and roll.side == side)
        or (combat and roll.reason in ("fire", "close combat"))
    )


def _observed(state: State, event: e.Observed, side: Side | None) -> e.Observed | None:
    """Return the event, hidden from the observed side if the observer is unseen."""
    if side is not None and _side_of(state, event.observer) is side:
        return event
    units = tuple(number for number in event.units if _side_of(state, number) is side)
    if event.cause in ("fire", "contact") and _is_known(state, event.observer, side):
        return event
    if units and _is_known(state, event.observer, side):
        return msgspec.structs.replace(event, units=units)
    return None


def _asked(question: Question | None, side: Side | None) -> Question | None:
    """Return the question; the other side's question does not name its units."""
    if question is None or question.side is side:
        return question
    if isinstance(question, ToFire):
        return msgspec.structs.replace(question, units=())
    if isinstance(question, ToAdvance):
        return msgspec.structs.replace(question, unit=0)
    return question


def _known(units: Iterable[Unit], side: Side | None) -> list[Unit]:
    return [unit for unit in units if unit.side is side or unit.seen]


def _is_own(state: State, event: Any, side: Side | None) -> bool:
    """Return whether all the event's units are the side's own."""
    numbers = _units_of(event)
    return bool(numbers) and all(_side_of(state, number) is side for number in numbers)


def _units_of(event: Any) -> tuple[int, ...]:
    """Return the units that an event names."""
    if isinstance(event, e.Ordered):
        return tuple(order.unit for order in event.orders)
    found = tuple(getattr(event, "units", ()))
    for name in ("unit", "target"):
        number = getattr(event, name, 0)
        found += (number,) if number else ()
    return found


def _is_known(state: State, number: int, side: Side | None) -> bool:
    unit = _found(state, number)
    if unit is None:
        return False
    return unit.side is side or (unit.seen and number not in state.waiting)


def _side_of(state: State, number: int) -> Side | None:
    unit = _found(state, number)
    return None if unit is None else unit.side


def _found(state: State, number: int) -> Unit | None:
    gone = (unit for unit in (*state.lost, *state.left) if unit.id == number)
    return state.units.get(number) or next(gone, None)
