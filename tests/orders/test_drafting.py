"""Sheets drafted by the staff: of a side's own stacks, lawful to write, nothing changed by it."""

import pytest

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign.management.commands.demo import draft_by_staff
from campaign.orders.order_sheet import MarchOrder, sheet_from, sheet_to_builtins
from tests.orders.sheets import RELIEF, SIEGE, position_after


@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("months", [0, 3])
@pytest.mark.parametrize("scenario", [SIEGE, RELIEF])
def test_the_staff_orders_its_own_stacks_to_march(scenario: str, months: int, side: Side) -> None:
    state = position_after(scenario, months)
    before = encode(state)
    sheet = draft_by_staff(state, side)
    assert encode(state) == before
    assert sheet_from(sheet_to_builtins(sheet)) == sheet
    assert draft_by_staff(state, side) == sheet
    for order in sheet.orders:
        assert isinstance(order, MarchOrder)
        assert order.legs
        assert {state.units[number].side for number in order.units} == {side}


def test_somebody_marches_in_the_first_month_of_the_siege() -> None:
    assert draft_by_staff(position_after(SIEGE, 0), Side.MAHDIST).orders
