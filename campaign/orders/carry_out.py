"""The sheets of a side as the one who answers the rules' questions.

A question is answered by the sheet whose stack it is about, by that sheet's standing instructions
where no order says anything, and else by the plain default of the rule. Where the staff holds the
seat the staff answers. What is answered is always lawful: whatever the rules would refuse is not
attempted, and is told with the reason.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, cast

from battles.core.document import decode, encode
from campaign import staff
from campaign.orders.arriving import place, set_up
from campaign.orders.commands import Commander, Headquarters, commander_of
from campaign.orders.document import (
    DeployOrder,
    DismountOrder,
    Helps,
    MarchOrder,
    Standing,
    StayOrder,
    WithdrawOrder,
)
from campaign.orders.marching import Unable, first_march, lawful, those_ordered
from campaign.orders.on_the_march import next_action, what_became
from campaign.orders.progress import Marching, Outcome, Progress, Told
from campaign.orders.standing import by_instruction, is_lawful, lead, plain
from campaign.rules import actions as a
from campaign.rules import questions as q
from campaign.rules.board import board, forget
from campaign.rules.options import Options, options
from campaign.rules.state import State, fought

TOO_LATE_TO_LEAVE = "Units leave the map in a reinforcement phase, and no more comes this month."
TOO_LATE_TO_SET_UP = "Units are set up before the first month only."


class Desk:
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
        """The options of the question: dear to work out, and most orders say what to do."""
        return cast(Options, options(self.state))

    @cached_property
    def commanders(self) -> tuple[Commander, ...]:
        return self.headquarters.of(self.side)


def answer(
    state: State, headquarters: Headquarters, progress: Progress
) -> tuple[a.AnyAction, Progress]:
    """A lawful answer to the open question by the sheets of the side asked, and how far they are.

    The state and the progress given are left as they were. Raises ValueError when nothing is
    asked.
    """
    if state.question is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    desk = Desk(state, state.question, headquarters, progress.copy())
    action = _answer(desk)
    if not is_lawful(state, action):
        action = plain(state, desk.offered)
    return action, desk.progress


def _answer(desk: Desk) -> a.AnyAction:
    commanders = desk.commanders
    if commanders and all(one.staff for one in commanders):
        return staff.answer(desk.state)
    action: a.AnyAction = _ANSWERS.get(type(desk.state.question), _standing)(desk)
    return action


def _standing(desk: Desk) -> a.AnyAction:
    """By the standing instructions of whoever commands the stack the question is about."""
    commander = _whose(desk)
    if commander is not None and commander.staff:
        return staff.answer(desk.state)
    standing = commander.sheet.standing if commander is not None else Standing()
    return by_instruction(desk.state, desk.offered, standing)


def _whose(desk: Desk) -> Commander | None:
    """Whose stack the open question is about; the commander-in-chief's where it is about none."""
    state, side, question = desk.state, desk.side, desk.state.question
    going = desk.progress.marching
    if isinstance(question, q.ToDisrupt) and going is not None:
        return desk.headquarters.seat(going.seat)
    if isinstance(question, q.ToShareLosses | q.ToLead):
        force = fought(state).force(side)
        return commander_of(state, desk.commanders, force.hex, board(state).named(force.units))
    if isinstance(question, q.ToRetreat | q.ToSupply | q.ToShareAttrition):
        return commander_of(state, desk.commanders, question.hex)
    units = board(state).named(desk.offered.units)
    if units:
        return commander_of(state, desk.commanders, units[0].hex)
    return desk.commanders[0] if desk.commanders else None


def _to_lead(desk: Desk) -> a.AnyAction:
    """As the order of the marching stack says; else by the standing instructions (7.3)."""
    order = _order_obeyed(desk)
    if order is None or desk.state.side is not desk.side:
        return _standing(desk)
    commander = _whose(desk)
    helps = order.helps or (commander.sheet.standing.helps if commander else Helps.MELEE)
    return lead(desk.state, desk.offered, helps, order.leader)


def _order_obeyed(desk: Desk) -> MarchOrder | None:
    """The order of the stack that is on the march, if a sheet has given it."""
    going = desk.progress.marching
    commander = desk.headquarters.seat(going.seat) if going is not None else None
    if going is None or commander is None or going.order >= len(commander.sheet.orders):
        return None
    order = commander.sheet.orders[going.order]
    return order if isinstance(order, MarchOrder) else None


def _on_march(desk: Desk) -> a.AnyAction:
    order, going = _order_obeyed(desk), desk.progress.marching
    if order is None or going is None:
        return _of_the_staff(desk) if _staff_marches(desk) else a.Halt()
    return next_action(desk.state, desk.headquarters, order, going)


def _staff_marches(desk: Desk) -> bool:
    """Whether the stack on the march is one of the staff's."""
    march = desk.state.march
    units = board(desk.state).named(march.units) if march is not None else []
    here = units[0].hex if units else None
    whose = commander_of(desk.state, desk.commanders, here, units) if here is not None else None
    return whose is not None and whose.staff


def _to_march(desk: Desk) -> a.AnyAction:
    """The next order that can be begun; when there is none left the phase is finished."""
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
            _tell(desk, commander, number, Told(Outcome.DONE, "It was carried out."))
        return action
    return _of_the_staff(desk)


def _close(desk: Desk) -> None:
    """Tell what became of the march that has ended."""
    order, going = _order_obeyed(desk), desk.progress.marching
    desk.progress.marching = None
    if order is not None and going is not None:
        account = desk.progress.account(going.seat)
        account.orders[going.order] = what_became(desk.state, order, going)


def _tell(desk: Desk, commander: Commander, number: int, told: Told) -> None:
    desk.progress.account(commander.seat).orders[number] = told


def _open_orders(desk: Desk) -> Iterator[tuple[Commander, int, MarchOrder | DismountOrder]]:
    """The orders of which nothing has been told, seat by seat; those to stay are told at once."""
    for commander in desk.commanders:
        told = desk.progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if number in told:
                continue
            if isinstance(order, StayOrder):
                told[number] = Told(Outcome.DONE, "It stayed.")
            elif isinstance(order, WithdrawOrder):
                told[number] = Told(Outcome.NOT, TOO_LATE_TO_LEAVE, "3.1", "Order it next month.")
            elif isinstance(order, DeployOrder):
                told[number] = Told(Outcome.NOT, TOO_LATE_TO_SET_UP, "2.1", "Let them march.")
            else:
                yield commander, number, order


def _begin(desk: Desk, commander: Commander, order: MarchOrder | DismountOrder) -> a.AnyAction:
    if isinstance(order, MarchOrder):
        return first_march(desk.state, desk.headquarters, commander, order)
    units = those_ordered(desk.state, desk.headquarters, commander, order)
    return lawful(desk.state, a.Dismount(tuple(unit.id for unit in units)))


def _of_the_staff(desk: Desk) -> a.AnyAction:
    """What the staff does with its stacks, if it holds a seat: it is shown no others to move."""
    if not any(one.staff for one in desk.commanders):
        return a.Done()
    return staff.answer(_without_others(desk))


def _without_others(desk: Desk) -> State:
    """A copy of the state in which everybody who is not the staff's has marched already."""
    state = decode(encode(desk.state), State)
    side = desk.side
    for hex_id in board(state).hexes(side):
        stack = board(state).stack(side, hex_id)
        whose = commander_of(state, desk.commanders, hex_id)
        if whose is None or not whose.staff:
            state.marched += [unit.id for unit in stack if unit.id not in state.marched]
    forget(state)
    return state


def _to_reinforce(desk: Desk) -> a.AnyAction:
    """Withdrawals first, then arrivals as ordered, then by the standing instructions (3.1)."""
    for commander in desk.commanders:
        told = desk.progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if not isinstance(order, WithdrawOrder) or number in told:
                continue
            try:
                units = those_ordered(desk.state, desk.headquarters, commander, order)
                action = lawful(desk.state, a.Withdraw(tuple(unit.id for unit in units)))
            except Unable as why:
                told[number] = why.told()
                continue
            told[number] = Told(Outcome.DONE, "They have left the map.")
            return action
    return place(desk.state, desk.offered, desk.commanders, desk.progress) or _standing(desk)


def _to_set_up(desk: Desk) -> a.AnyAction:
    return set_up(desk.state, desk.commanders, desk.progress) or a.Done()


_ANSWERS: Mapping[type, Callable[[Desk], Any]] = {
    q.ToSetUp: _to_set_up,
    q.ToReinforce: _to_reinforce,
    q.ToMarch: _to_march,
    q.OnMarch: _on_march,
    q.ToLead: _to_lead,
}
