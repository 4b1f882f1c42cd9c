"""Where arrivals and, before the first month, anybody shall stand (2.1, 3.1).

The sheets of a side as the one who answers the rules' questions.

A question is answered by the sheet whose stack it is about, by that sheet's standing instructions
where no order says anything, and else by the plain default of the rule. Where the staff holds the
seat the staff answers. What is answered is always lawful: whatever the rules would refuse is not
attempted, and is told with the reason.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from battles.core.decoding import decode, encode
from campaign import staff
from campaign.orders.headquarters import Headquarters, SeatCommand, commander_of
from campaign.orders.march_execution import next_action, report_march
from campaign.orders.march_start import (
    Unable,
    first_march,
    locate_hex,
    ordered_units,
    require_lawful,
)
from campaign.orders.order_sheet import (
    DeployOrder,
    DismountOrder,
    Helps,
    Marching,
    MarchOrder,
    OrderOutcome,
    OrderReport,
    PlaceOrder,
    Progress,
    StandingInstructions,
    StayOrder,
    WithdrawOrder,
)
from campaign.orders.standing_instructions import by_instruction, default_answer, is_lawful, lead
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, forget
from campaign.rules.core.options import Arrival, Options, options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, current_combat


def set_up(
    state: State, commanders: Sequence[SeatCommand], progress: Progress
) -> a.AnyAction | None:
    """Return the next unit to be moved before the first month; None when no order is left."""
    for commander in commanders:
        told = progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if not isinstance(order, DeployOrder) or number in told:
                continue
            try:
                action = require_lawful(state, a.Deploy(order.units, order.to))
            except Unable as why:
                told[number] = why.told()
                continue
            told[number] = OrderReport(
                OrderOutcome.DONE, f"They stand {locate_hex(state, order.to)}."
            )
            return action
    return None


def place(
    state: State, offered: Options, commanders: Sequence[SeatCommand], progress: Progress
) -> a.AnyAction | None:
    """Return the next group that a sheet places; None when no order speaks of what has arrived."""
    for commander in commanders:
        orders = () if commander.staff else commander.sheet.reinforcements
        for number, order in _the_particular_first(orders):
            for group in offered.arrivals:
                action = _placed(state, group, order)
                if action is not None:
                    told = progress.account(commander.seat).arrivals
                    told[number] = OrderReport(
                        OrderOutcome.DONE, f"They stand {locate_hex(state, action.hex)}."
                    )
                    return action
    return None


def _the_particular_first(orders: Sequence[PlaceOrder]) -> Iterator[tuple[int, PlaceOrder]]:
    """Orders for units by number before those for groups, and those before any others."""
    numbered = list(enumerate(orders))
    yield from sorted(numbered, key=lambda one: (not one[1].units, not one[1].reason))


def _placed(state: State, group: Arrival, order: PlaceOrder) -> a.Place | None:
    """Return the group, or the units of it that the order names, in the first hex it likes and may."""
    units = _meant(state, group, order)
    if units is None:
        return None
    for hex_id in order.hexes:
        action = a.Place(group.group, hex_id, units)
        try:
            require_lawful(state, action)
        except Unable:
            continue
        return action
    return None


def _meant(state: State, group: Arrival, order: PlaceOrder) -> tuple[UnitId, ...] | None:
    """Return the units of the group that the order is about, () for all of it; None: it is not."""
    if order.units:
        return tuple(unit for unit in group.units if unit in order.units) or None
    if order.reason and state.due[group.group].reason != order.reason:
        return None
    return ()


TOO_LATE_TO_LEAVE = "Units leave the map in a reinforcement phase, and no more comes this month."
TOO_LATE_TO_SET_UP = "Units are set up before the first month only."


class ExecutionContext:
    """What lies before whoever answers: the question, its options, the sheets, how far they are."""

    def __init__(
        self, state: State, question: q.Question, headquarters: Headquarters, progress: Progress
    ) -> None:
        self.state = state
        self.side = question.side
        self.headquarters = headquarters
        self.progress = progress

    @cached_property
    def offered(self) -> Options:
        """Return the options of the question: dear to work out, and most orders say what to do."""
        return cast(Options, options(self.state))

    @cached_property
    def commanders(self) -> tuple[SeatCommand, ...]:
        return self.headquarters.of(self.side)


def answer(
    state: State, headquarters: Headquarters, progress: Progress
) -> tuple[a.AnyAction, Progress]:
    """Return a lawful answer to the open question by the sheets of the side asked, and how far they
    are.

    The state and the progress given are left as they were. Raises ValueError when nothing is
    asked.
    """
    if state.question is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    desk = ExecutionContext(state, state.question, headquarters, progress.copy())
    action = _answer(desk)
    if not is_lawful(state, action):
        action = default_answer(state, desk.offered)
    return action, desk.progress


def _answer(desk: ExecutionContext) -> a.AnyAction:
    commanders = desk.commanders
    if commanders and all(one.staff for one in commanders):
        return staff.answer(desk.state)
    action: a.AnyAction = _ANSWERS.get(type(desk.state.question), _standing)(desk)
    return action


def _standing(desk: ExecutionContext) -> a.AnyAction:
    """By the standing instructions of whoever commands the stack the question is about."""
    commander = _whose(desk)
    if commander is not None and commander.staff:
        return staff.answer(desk.state)
    standing = commander.sheet.standing if commander is not None else StandingInstructions()
    return by_instruction(desk.state, desk.offered, standing)


def _whose(desk: ExecutionContext) -> SeatCommand | None:
    """Return whose stack the open question is about; the commander-in-chief's where it is about
    none.
    """
    state, side, question = desk.state, desk.side, desk.state.question
    going = desk.progress.marching
    if isinstance(question, q.ToDisrupt) and going is not None:
        return desk.headquarters.seat(going.seat)
    if isinstance(question, q.ToShareLosses | q.ToLead):
        force = current_combat(state).force(side)
        return commander_of(state, desk.commanders, force.hex, board(state).named(force.units))
    if isinstance(question, q.ToRetreat | q.ToSupply | q.ToShareAttrition):
        return commander_of(state, desk.commanders, question.hex)
    units = board(state).named(desk.offered.units)
    if units:
        return commander_of(state, desk.commanders, units[0].hex)
    return desk.commanders[0] if desk.commanders else None


def _to_lead(desk: ExecutionContext) -> a.AnyAction:
    """As the order of the marching stack says; else by the standing instructions (7.3)."""
    order = _order_obeyed(desk)
    if order is None or desk.state.side is not desk.side:
        return _standing(desk)
    commander = _whose(desk)
    helps = order.helps or (commander.sheet.standing.helps if commander else Helps.MELEE)
    return lead(desk.state, desk.offered, helps, order.leader)


def _order_obeyed(desk: ExecutionContext) -> MarchOrder | None:
    """Return the order of the stack that is on the march, if a sheet has given it."""
    going = desk.progress.marching
    commander = desk.headquarters.seat(going.seat) if going is not None else None
    if going is None or commander is None or going.order >= len(commander.sheet.orders):
        return None
    order = commander.sheet.orders[going.order]
    return order if isinstance(order, MarchOrder) else None


def _on_march(desk: ExecutionContext) -> a.AnyAction:
    order, going = _order_obeyed(desk), desk.progress.marching
    if order is None or going is None:
        return _of_the_staff(desk) if _staff_marches(desk) else a.Halt()
    return next_action(desk.state, desk.headquarters, order, going)


def _staff_marches(desk: ExecutionContext) -> bool:
    """Return whether the stack on the march is one of the staff's."""
    march = desk.state.march
    units = board(desk.state).named(march.units) if march is not None else []
    here = units[0].hex if units else None
    whose = commander_of(desk.state, desk.commanders, here, units) if here is not None else None
    return whose is not None and whose.staff


def _to_march(desk: ExecutionContext) -> a.AnyAction:
    """Return the next order that can be begun; when there is none left the phase is finished."""
    _close(desk)
    for commander, number, order in _open_orders(desk):
        try:
            action = _begin(desk, commander, order)
        except Unable as why:
            _tell(desk, commander, number, why.told())
            continue
        if isinstance(order, MarchOrder):
            desk.progress.marching = Marching(commander.seat, number)
        else:
            _tell(desk, commander, number, OrderReport(OrderOutcome.DONE, "It was carried out."))
        return action
    return _of_the_staff(desk)


def _close(desk: ExecutionContext) -> None:
    """Tell what became of the march that has ended."""
    order, going = _order_obeyed(desk), desk.progress.marching
    desk.progress.marching = None
    if order is not None and going is not None:
        account = desk.progress.account(going.seat)
        account.orders[going.order] = report_march(desk.state, order, going)


def _tell(desk: ExecutionContext, commander: SeatCommand, number: int, told: OrderReport) -> None:
    desk.progress.account(commander.seat).orders[number] = told


def _open_orders(
    desk: ExecutionContext,
) -> Iterator[tuple[SeatCommand, int, MarchOrder | DismountOrder]]:
    """Yield the orders of which nothing has been told, seat by seat; those to stay are told at
    once.
    """
    for commander in desk.commanders:
        told = desk.progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if number in told:
                continue
            if isinstance(order, StayOrder):
                told[number] = OrderReport(OrderOutcome.DONE, "It stayed.")
            elif isinstance(order, WithdrawOrder):
                told[number] = OrderReport(
                    OrderOutcome.NOT, TOO_LATE_TO_LEAVE, "3.1", "Order it next month."
                )
            elif isinstance(order, DeployOrder):
                told[number] = OrderReport(
                    OrderOutcome.NOT, TOO_LATE_TO_SET_UP, "2.1", "Let them march."
                )
            else:
                yield commander, number, order


def _begin(
    desk: ExecutionContext, commander: SeatCommand, order: MarchOrder | DismountOrder
) -> a.AnyAction:
    if isinstance(order, MarchOrder):
        return first_march(desk.state, desk.headquarters, commander, order)
    units = ordered_units(desk.state, desk.headquarters, commander, order)
    return require_lawful(desk.state, a.Dismount(tuple(unit.id for unit in units)))


def _of_the_staff(desk: ExecutionContext) -> a.AnyAction:
    """What the staff does with its stacks, if it holds a seat: it is shown no others to move."""
    if not any(one.staff for one in desk.commanders):
        return a.Done()
    return staff.answer(_without_others(desk))


def _without_others(desk: ExecutionContext) -> State:
    """Return a copy of the state in which everybody who is not the staff's has marched already."""
    state = decode(encode(desk.state), State)
    side = desk.side
    for hex_id in board(state).hexes(side):
        stack = board(state).stack(side, hex_id)
        whose = commander_of(state, desk.commanders, hex_id)
        if whose is None or not whose.staff:
            state.marched += [unit.id for unit in stack if unit.id not in state.marched]
    forget(state)
    return state


def _to_reinforce(desk: ExecutionContext) -> a.AnyAction:
    """Withdrawals first, then arrivals as ordered, then by the standing instructions (3.1)."""
    for commander in desk.commanders:
        told = desk.progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if not isinstance(order, WithdrawOrder) or number in told:
                continue
            try:
                units = ordered_units(desk.state, desk.headquarters, commander, order)
                action = require_lawful(desk.state, a.Withdraw(tuple(unit.id for unit in units)))
            except Unable as why:
                told[number] = why.told()
                continue
            told[number] = OrderReport(OrderOutcome.DONE, "They have left the map.")
            return action
    return place(desk.state, desk.offered, desk.commanders, desk.progress) or _standing(desk)


def _to_set_up(desk: ExecutionContext) -> a.AnyAction:
    return set_up(desk.state, desk.commanders, desk.progress) or a.Done()


_ANSWERS: Mapping[type, Callable[[ExecutionContext], Any]] = {
    q.ToSetUp: _to_set_up,
    q.ToReinforce: _to_reinforce,
    q.ToMarch: _to_march,
    q.OnMarch: _on_march,
    q.ToLead: _to_lead,
}
