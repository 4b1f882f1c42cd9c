"""Write order sheets: a march for every stack that has somewhere to go."""

from collections.abc import Iterator

from api.client.documents import CheckedSheet, ProspectsDocument
from api.client.examples.outlook import Outlook
from api.client.orders import (
    FootLeg,
    MarchOrder,
    MonthOrders,
    StandingInstructions,
    StayOrder,
)
from api.client.seat import Seat, SheetDraft

LEAST_ODDS = 60
"""The least chance of winning, in percent, with which a stack attacks."""
AFLOAT = ("boat", "gunboat", "fleet")
LEAST_CHANCE = 0.5
"""The least chance of one march with which a stack sets out."""


def write_sheet(outlook: Outlook, seat: Seat) -> MonthOrders:
    """Return the month's orders of the seat."""
    near = tuple(sorted(outlook.held))[:20]
    return MonthOrders(
        tuple(_orders(outlook, seat)), standing=StandingInstructions(arrive=near, near=near)
    )


def without_impossible(sheet: MonthOrders, desk: SheetDraft) -> MonthOrders:
    """Return the sheet without the orders that the server calls impossible."""
    checked = desk.check(sheet)
    bad = _impossible(checked)
    orders = tuple(one for number, one in enumerate(sheet.orders) if number not in bad)
    return MonthOrders(orders, sheet.reinforcements, sheet.standing)


def _impossible(checked: CheckedSheet) -> set[int]:
    found = (one for one in checked.findings if one.part == "order")
    return {one.number for one in found if one.verdict == "impossible"}


def _orders(outlook: Outlook, seat: Seat) -> Iterator[MarchOrder | StayOrder]:
    for here, stack in sorted(outlook.own.items()):
        units = outlook.column(
            here, [one.id for one in stack if one.kind not in ("boat", "gunboat")]
        )
        goal = outlook.goal(here, units)
        to = None if goal is None else _stage(outlook, seat.prospects(units), goal)
        if to is None:
            yield StayOrder(here)
        else:
            yield MarchOrder(here, units, (FootLeg(to),), contact="attack", least_odds=LEAST_ODDS)


def _stage(outlook: Outlook, may: ProspectsDocument, goal: int) -> int | None:
    """Return the hex within one march that is best on the way; None to stay."""
    if may.odds is None or may.odds.marches[0] < LEAST_CHANCE:
        return None
    if outlook.ground.steps(int(may.start), goal) == 1:
        return goal
    ways = {int(one.hex): one.thirst for one in may.reached if one.march == 1}
    best = min(ways, key=lambda one: (outlook.ground.steps(one, goal), ways[one]), default=None)
    start = outlook.ground.steps(int(may.start), goal)
    return best if best is not None and outlook.ground.steps(best, goal) < start else None
