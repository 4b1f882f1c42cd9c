"""Sheets carried out in small positions, with scripted dice."""

from collections.abc import Sequence
from typing import Any

from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from campaign.orders.checks import check
from campaign.orders.execution import answer
from campaign.orders.findings import Finding
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import MonthOrders, Progress, SeatOrderReport, sheet_from
from campaign.rules.core import actions as a
from campaign.rules.core.state import State
from tests.rules.helpers import carry_out

SEAT, OTHER = 1, 2


def sheet(*orders: dict[str, Any], **more: Any) -> MonthOrders:
    """Return a sheet of these orders, written as the page sends them."""
    return sheet_from({"orders": list(orders), **more})


def march(units: Sequence[int], here: int, *legs: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an order to march."""
    return {"type": "march", "hex": here, "units": list(units), "legs": list(legs), **more}


def foot(to: int = 0, *route: int) -> dict[str, Any]:
    """Return a leg by land."""
    return {"type": "foot", "to": to, "route": list(route)}


def commander(state: State, what: MonthOrders, **more: Any) -> SeatCommand:
    """Return the seat of the side whose turn it is."""
    return SeatCommand(SEAT, state.side, what, **more)


def carried_out(
    state: State, *commanders: SeatCommand, dice: Sequence[int] = (), **more: Any
) -> Progress:
    """Return how far the sheets are when the side that is asked has finished its phase.

    Every action is checked by the invariants of the rules, and the script must be used up.
    """
    script, side, progress = ScriptedDice(*dice), state.question.side, Progress()  # type: ignore[union-attr]
    for _ in range(200):
        action, progress = answer(state, Headquarters(commanders, **more), progress)
        if isinstance(action, a.Done) and state.question.side is side:  # type: ignore[union-attr]
            assert not script.left, f"{script.left} dice of the script were not thrown"
            return progress
        carry_out(state, action, script)
    raise AssertionError("the phase comes to no end")


def obeyed(
    state: State, what: MonthOrders, dice: Sequence[int] = (), **more: Any
) -> SeatOrderReport:
    """Carry out one sheet of the side on turn, and return the reports of its orders."""
    return carried_out(state, commander(state, what), dice=dice, **more).account(SEAT)


def found(state: State, what: MonthOrders, side: Side | None = None) -> list[Finding]:
    """Return the findings about the sheet as it is written."""
    mine = SeatCommand(SEAT, side or state.side, what)
    return list(check(state, mine, Headquarters((mine,))))
