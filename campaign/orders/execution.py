"""Carry out order sheets: answer the rules' questions by the sheets of a side.

A question is answered by the sheet of the seat whose stack it is about, by that sheet's standing
instructions where no order settles it, and else by the plain default of the rule. The staff answers
for the seats it holds. Every answer is lawful: what the rules would refuse is not tried, and is
reported with the reason. Deployment is 2.1, arrivals are 3.1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import cast

import msgspec

from battles.core.decoding import decode, encode
from campaign.orders.headquarters import Headquarters, SeatCommand, commander_of, staff_answer
from campaign.orders.march_execution import next_action, report_march
from campaign.orders.march_start import (
    OrderImpossible,
    first_march,
    locate_hex,
    ordered_units,
    require_lawful,
)
from campaign.orders.order_sheet import (
    DeployOrder,
    DismountOrder,
    MarchOrder,
    MarchProgress,
    Order,
    OrderOutcome,
    OrderReport,
    PlaceOrder,
    Progress,
    StandingInstructions,
    StayOrder,
    WithdrawOrder,
)
from campaign.orders.standing_instructions import (
    by_instruction,
    default_answer,
    instructed_draws,
    instructions_for,
    is_lawful,
    lead,
)
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, forget
from campaign.rules.core.options import Arrival, Options, options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, current_combat
from campaign.rules.stacks import ids
from campaign.rules.supply import best_source
from campaign.staff.losses import worthwhile_draws

TOO_LATE_TO_LEAVE = "Units leave the map in a reinforcement phase, and no more comes this month."
TOO_LATE_TO_SET_UP = "Units are set up before the first month only."


class ExecutionContext:
    """The open question with its options, the sheets, and how far they are carried out."""

    def __init__(
        self, state: State, question: q.Question, headquarters: Headquarters, progress: Progress
    ) -> None:
        self.state = state
        self.side = question.side
        self.headquarters = headquarters
        self.progress = progress

    @cached_property
    def offered(self) -> Options:
        """Return the options of the question, computed only when no order gives the answer."""
        return cast(Options, options(self.state))

    @cached_property
    def commanders(self) -> tuple[SeatCommand, ...]:
        return self.headquarters.of(self.side)


def answer(
    state: State, headquarters: Headquarters, progress: Progress
) -> tuple[a.AnyAction, Progress]:
    """Return a lawful answer to the open question by the asked side's sheets, and the progress.

    The state and the progress given are left unchanged. Raises ValueError when no question is open.
    """
    if state.question is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    context = ExecutionContext(state, state.question, headquarters, progress.copy())
    action = _answer(context)
    # An order may have become unlawful since it was read; the default never is.
    if not is_lawful(state, action):
        action = default_answer(state, context.offered)
    return action, context.progress


def _answer(context: ExecutionContext) -> a.AnyAction:
    commanders = context.commanders
    if commanders and all(commander.staff for commander in commanders):
        return _staff_answer(context, context.state)
    answer_by_orders = _ANSWERS.get(type(context.state.question), _answer_by_instructions)
    return answer_by_orders(context)


def _answer_by_instructions(context: ExecutionContext) -> a.AnyAction:
    """Answer by the standing instructions of the seat that commands the question's stack."""
    commander = _asked_seat(context)
    if commander is not None and commander.staff:
        return _staff_answer(context, context.state)
    standing = commander.sheet.standing if commander is not None else StandingInstructions()
    return by_instruction(context.state, context.offered, standing)


def _asked_seat(context: ExecutionContext) -> SeatCommand | None:
    """Return the seat whose stack the question is about, else the commander-in-chief's."""
    state, side, question = context.state, context.side, context.state.question
    march_progress = context.progress.marching
    if isinstance(question, q.ToDisrupt) and march_progress is not None:
        return context.headquarters.seat(march_progress.seat)
    if isinstance(question, q.ToShareLosses | q.ToLead):
        force = current_combat(state).force(side)
        return commander_of(state, context.commanders, force.hex, board(state).named(force.units))
    if isinstance(question, q.ToRetreat | q.ToShareAttrition):
        return commander_of(state, context.commanders, question.hex)
    units = board(state).named(context.offered.units)
    if units:
        return commander_of(state, context.commanders, units[0].hex)
    return context.commanders[0] if context.commanders else None


def _staff_answer(context: ExecutionContext, state: State) -> a.AnyAction:
    headquarters = context.headquarters
    return staff_answer(state, headquarters.known, headquarters.key, headquarters.plans)


def _open_orders(context: ExecutionContext) -> Iterator[tuple[SeatCommand, int, Order]]:
    """Yield the orders without a report of the seats that persons hold, seat by seat."""
    for commander in context.commanders:
        if not commander.staff:
            reports = context.progress.account(commander.seat).orders
            for number, order in enumerate(commander.sheet.orders):
                if number not in reports:
                    yield commander, number, order


def _set_report(
    context: ExecutionContext, commander: SeatCommand, number: int, report: OrderReport
) -> None:
    context.progress.account(commander.seat).orders[number] = report


def _set_done(context: ExecutionContext, commander: SeatCommand, number: int, message: str) -> None:
    _set_report(context, commander, number, OrderReport(OrderOutcome.DONE, message))


def _to_set_up(context: ExecutionContext) -> a.AnyAction:
    """Return the next deployment before the first month; `Done` when no order is left (2.1)."""
    for commander, number, order in _open_orders(context):
        if not isinstance(order, DeployOrder):
            continue
        try:
            action = require_lawful(context.state, a.Deploy(order.units, order.to))
        except OrderImpossible as error:
            _set_report(context, commander, number, error.report())
            continue
        _set_done(context, commander, number, f"They stand {locate_hex(context.state, order.to)}.")
        return action
    return a.Done()


def _to_reinforce(context: ExecutionContext) -> a.AnyAction:
    """Answer with withdrawals, then arrivals as ordered, then standing instructions (3.1)."""
    for commander, number, order in _open_orders(context):
        if not isinstance(order, WithdrawOrder):
            continue
        try:
            units = ordered_units(context.state, context.headquarters, commander, order)
            action = require_lawful(context.state, a.Withdraw(ids(units)))
        except OrderImpossible as error:
            _set_report(context, commander, number, error.report())
            continue
        _set_done(context, commander, number, "They have left the map.")
        return action
    return _next_placing(context) or _answer_by_instructions(context)


def _next_placing(context: ExecutionContext) -> a.Place | None:
    """Return the placing of the next group that a sheet places; None when none is named."""
    state = context.state
    for commander in context.commanders:
        orders = () if commander.staff else commander.sheet.reinforcements
        for number, order in _most_specific_first(orders):
            for group in context.offered.arrivals:
                action = _placing_of(state, group, order)
                if action is not None:
                    reports = context.progress.account(commander.seat).arrivals
                    reports[number] = OrderReport(
                        OrderOutcome.DONE, f"They stand {locate_hex(state, action.hex)}."
                    )
                    return action
    return None


def _most_specific_first(orders: Sequence[PlaceOrder]) -> Iterator[tuple[int, PlaceOrder]]:
    """Yield orders for units by number, then those for groups, then the others."""
    numbered = list(enumerate(orders))
    yield from sorted(numbered, key=lambda item: (not item[1].units, not item[1].reason))


def _placing_of(state: State, group: Arrival, order: PlaceOrder) -> a.Place | None:
    """Return the placing of the group, or its units named, in the first lawful hex of the order."""
    units = _units_meant(state, group, order)
    if units is None:
        return None
    for hex_id in order.hexes:
        action = a.Place(group.group, hex_id, units)
        try:
            require_lawful(state, action)
        except OrderImpossible:
            continue
        return action
    return None


def _units_meant(state: State, group: Arrival, order: PlaceOrder) -> tuple[UnitId, ...] | None:
    """Return the units of the group that the order means, () for all of it, None for none."""
    if order.units:
        return tuple(unit for unit in group.units if unit in order.units) or None
    if order.reason and state.due[group.group].reason != order.reason:
        return None
    return ()


def _to_march(context: ExecutionContext) -> a.AnyAction:
    """Return the action of the next order that can be begun; end the phase when none is left."""
    _report_ended_march(context)
    for commander, number, order in _open_orders(context):
        if isinstance(order, StayOrder):
            _set_done(context, commander, number, "It stayed.")
            continue
        try:
            action = _begin(context, commander, order)
        except OrderImpossible as error:
            _set_report(context, commander, number, error.report())
            continue
        if isinstance(order, MarchOrder):
            context.progress.marching = MarchProgress(commander.seat, number)
        else:
            _set_done(context, commander, number, "It was carried out.")
        return action
    return _staff_action(context)


def _report_ended_march(context: ExecutionContext) -> None:
    """Report how the march that has just ended went."""
    order, march_progress = _order_obeyed(context), context.progress.marching
    context.progress.marching = None
    if order is not None and march_progress is not None:
        account = context.progress.account(march_progress.seat)
        account.orders[march_progress.order] = report_march(context.state, order, march_progress)


def _begin(
    context: ExecutionContext,
    commander: SeatCommand,
    order: MarchOrder | DismountOrder | WithdrawOrder | DeployOrder,
) -> a.AnyAction:
    """Return the first action of the order. Raises OrderImpossible, also where it is too late."""
    if isinstance(order, WithdrawOrder):
        raise OrderImpossible(TOO_LATE_TO_LEAVE, "3.1", "Order it next month.")
    if isinstance(order, DeployOrder):
        raise OrderImpossible(TOO_LATE_TO_SET_UP, "2.1", "Let them march.")
    if isinstance(order, MarchOrder):
        return first_march(context.state, context.headquarters, commander, order)
    units = ordered_units(context.state, context.headquarters, commander, order)
    return require_lawful(context.state, a.Dismount(ids(units)))


def _staff_action(context: ExecutionContext) -> a.AnyAction:
    """Return the staff's action for its own stacks; `Done` if the staff holds no seat."""
    if not any(commander.staff for commander in context.commanders):
        return a.Done()
    return _staff_answer(context, _with_staff_stacks_only(context))


def _with_staff_stacks_only(context: ExecutionContext) -> State:
    """Return a copy of the state in which only the staff's stacks can still march."""
    state = decode(encode(context.state), State)
    side = context.side
    for hex_id in board(state).hexes(side):
        stack = board(state).stack(side, hex_id)
        commander = commander_of(state, context.commanders, hex_id)
        if commander is None or not commander.staff:
            state.marched += [unit.id for unit in stack if unit.id not in state.marched]
    forget(state)
    return state


def _on_march(context: ExecutionContext) -> a.AnyAction:
    order, march_progress = _order_obeyed(context), context.progress.marching
    if order is None or march_progress is None:
        return _staff_action(context) if _staff_marches(context) else a.Halt()
    return next_action(context.state, context.headquarters, order, march_progress)


def _staff_marches(context: ExecutionContext) -> bool:
    """Return whether the stack on the march is one of the staff's."""
    march = context.state.march
    units = board(context.state).named(march.units) if march is not None else []
    if not units:
        return False
    commander = commander_of(context.state, context.commanders, units[0].hex, units)
    return commander is not None and commander.staff


def _order_obeyed(context: ExecutionContext) -> MarchOrder | None:
    """Return the order of the stack that is on the march, if a sheet has given it."""
    march_progress = context.progress.marching
    if march_progress is None:
        return None
    commander = context.headquarters.seat(march_progress.seat)
    if commander is None or march_progress.order >= len(commander.sheet.orders):
        return None
    order = commander.sheet.orders[march_progress.order]
    return order if isinstance(order, MarchOrder) else None


def _to_lead(context: ExecutionContext) -> a.AnyAction:
    """Answer by the order of the marching stack, else by the standing instructions (7.3)."""
    order = _order_obeyed(context)
    if order is None or context.state.side is not context.side:
        return _answer_by_instructions(context)
    commander = _asked_seat(context)
    standing = commander.sheet.standing if commander else StandingInstructions()
    force = current_combat(context.state).force(context.side)
    instructions = instructions_for(standing, board(context.state).named(force.units))
    helps = order.helps or instructions.helps
    return lead(context.state, context.offered, helps, order.leader)


def _to_supply(context: ExecutionContext) -> a.AnyAction:
    """Use up supply as each stack's seat wants it; what any seat keeps is spared (10.1)."""
    state, commanders = context.state, context.commanders
    instructions = [commander.sheet.standing.supply for commander in commanders]
    kept = {hex_id for supply in instructions for hex_id in supply.keep}
    supply_choices = []
    for choice in context.offered.supplies:
        offered = msgspec.structs.replace(context.offered, supplies=(choice,))
        commander = commander_of(state, commanders, choice.hex)
        if commander is not None and commander.staff:
            draws = worthwhile_draws(state, offered)
        else:
            standing = commander.sheet.standing if commander else StandingInstructions()
            draws = instructed_draws(state, offered, standing)
        for draw in draws:
            free = [source for source in draw.sources if state.units[source].hex not in kept]
            if free:
                supply_choices.append(q.SupplyChoice(draw.hex, tuple(free)))
    first = [hex_id for supply in instructions for hex_id in supply.first]
    return a.Supply(best_source(state, supply_choices, first=first))


_ANSWERS: Mapping[type, Callable[[ExecutionContext], a.AnyAction]] = {
    q.ToSetUp: _to_set_up,
    q.ToReinforce: _to_reinforce,
    q.ToMarch: _to_march,
    q.OnMarch: _on_march,
    q.ToLead: _to_lead,
    q.ToSupply: _to_supply,
}
