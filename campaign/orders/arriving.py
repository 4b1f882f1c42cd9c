"""Where arrivals and, before the first month, anybody shall stand (2.1, 3.1)."""

from collections.abc import Iterator, Sequence

from campaign.orders.commands import Commander
from campaign.orders.document import DeployOrder, PlaceOrder
from campaign.orders.marching import Unable, in_words, lawful
from campaign.orders.progress import Outcome, Progress, Told
from campaign.rules import actions as a
from campaign.rules.options import Arrival, Options
from campaign.rules.pieces import UnitId
from campaign.rules.state import State


def set_up(state: State, commanders: Sequence[Commander], progress: Progress) -> a.AnyAction | None:
    """The next unit to be moved before the first month; None when no order is left."""
    for commander in commanders:
        told = progress.account(commander.seat).orders
        for number, order in enumerate(() if commander.staff else commander.sheet.orders):
            if not isinstance(order, DeployOrder) or number in told:
                continue
            try:
                action = lawful(state, a.Deploy(order.units, order.to))
            except Unable as why:
                told[number] = why.told()
                continue
            told[number] = Told(Outcome.DONE, f"They stand {in_words(state, order.to)}.")
            return action
    return None


def place(
    state: State, offered: Options, commanders: Sequence[Commander], progress: Progress
) -> a.AnyAction | None:
    """The next group that a sheet places; None when no order speaks of what has arrived."""
    for commander in commanders:
        orders = () if commander.staff else commander.sheet.reinforcements
        for number, order in _the_particular_first(orders):
            for group in offered.arrivals:
                action = _placed(state, group, order)
                if action is not None:
                    told = progress.account(commander.seat).arrivals
                    told[number] = Told(Outcome.DONE, f"They stand {in_words(state, action.hex)}.")
                    return action
    return None


def _the_particular_first(orders: Sequence[PlaceOrder]) -> Iterator[tuple[int, PlaceOrder]]:
    """Orders for units by number before those for groups, and those before any others."""
    numbered = list(enumerate(orders))
    yield from sorted(numbered, key=lambda one: (not one[1].units, not one[1].reason))


def _placed(state: State, group: Arrival, order: PlaceOrder) -> a.Place | None:
    """The group, or the units of it that the order names, in the first hex it likes and may."""
    units = _meant(state, group, order)
    if units is None:
        return None
    for hex_id in order.hexes:
        action = a.Place(group.group, hex_id, units)
        try:
            lawful(state, action)
        except Unable:
            continue
        return action
    return None


def _meant(state: State, group: Arrival, order: PlaceOrder) -> tuple[UnitId, ...] | None:
    """The units of the group that the order is about, () for all of it; None: it is not."""
    if order.units:
        return tuple(unit for unit in group.units if unit in order.units) or None
    if order.reason and state.due[group.group].reason != order.reason:
        return None
    return ()
