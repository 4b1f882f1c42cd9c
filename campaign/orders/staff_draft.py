"""A sheet drafted by the computer's staff: its marches of a month as orders."""

import msgspec

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from campaign import staff
from campaign.orders.dry_run import GOOD, MOST_ACTIONS, FixedDice, open_phase
from campaign.orders.order_sheet import (
    ContactPolicy,
    FootLeg,
    Hex,
    Leg,
    MarchOrder,
    MonthOrders,
    Order,
    RailLeg,
    RiverLeg,
    Units,
)
from campaign.rules.core import actions as a
from campaign.rules.core.board import board
from campaign.rules.core.play import play
from campaign.rules.core.state import Phase, State, current_march


def draft_by_staff(state: State, side: Side) -> MonthOrders:
    """Return the orders by which the side's staff would march this month, from what it knows.

    Throws succeed as well as they can and nothing is fought, as in a dry run: an order says where a
    stack is meant to go, and whether it attacks there.
    """
    copy = decode(encode(state), State)
    open_phase(copy, state, side, Phase.MARCH)
    orders: list[Order] = []
    for _ in range(MOST_ACTIONS):
        if copy.question is None:
            break
        action = staff.answer(copy)
        if isinstance(action, a.Done):
            break
        _note(orders, copy, action)
        play(copy, a.Halt() if isinstance(action, a.Attack) else action, FixedDice(GOOD))
    moving = (order for order in orders if isinstance(order, MarchOrder) and order.legs)
    return MonthOrders(orders=tuple(moving))


def _note(orders: list[Order], state: State, action: a.AnyAction) -> None:
    """Write the action into the order of the stack that acts, or into a new order."""
    if isinstance(action, a.March | a.Rail | a.Sail):
        start = board(state).named(action.units)[0].hex
        last = orders[-1] if orders else None
        again = isinstance(last, MarchOrder) and set(action.units) <= set(last.units)
        if not again or not isinstance(action, a.March):
            orders.append(_order_of_march(start, action))
    elif isinstance(action, a.Move | a.Attack):
        _lead_on(orders, state, action)


def _order_of_march(start: Hex, action: a.March | a.Rail | a.Sail) -> MarchOrder:
    legs: tuple[Leg, ...] = ()
    if isinstance(action, a.Rail):
        legs = (RailLeg(action.hex),)
    elif isinstance(action, a.Sail):
        legs = (RiverLeg(action.path[-1]),)
    units: Units = tuple(action.units)
    return MarchOrder(start, units, legs)


def _lead_on(orders: list[Order], state: State, action: a.Move | a.Attack) -> None:
    """Make the order of the stack on the march end where the action takes it."""
    last = orders[-1] if orders else None
    if isinstance(last, MarchOrder) and set(current_march(state).units) <= set(last.units):
        to, contact = (
            (action.hex, ContactPolicy.ATTACK)
            if isinstance(action, a.Attack)
            else (action.path[-1], last.contact)
        )
        orders[-1] = msgspec.structs.replace(last, legs=(FootLeg(to),), contact=contact)
