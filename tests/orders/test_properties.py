"""Whatever a sheet says: it is checked without harm, read, and carried out within the rules."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract.brief import Side
from battles.core.decoding import DocumentError, decode, encode
from battles.core.dice import ChainedDice
from campaign import rules
from campaign.orders.checks import check
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import MonthOrders, Progress, sheet_from, sheet_to_builtins
from campaign.orders.sheet_prose import describe_sheet
from campaign.rules import sight
from campaign.rules.core.state import State
from tests.orders import sheets as some

slow = settings(max_examples=25)


@given(some.mad)
@settings(max_examples=150)
def test_anything_that_json_can_say_is_a_sheet_or_is_refused_in_words(document: object) -> None:
    read_as = _sheet_or_refusal(document)
    if isinstance(read_as, MonthOrders):
        assert sheet_from(sheet_to_builtins(read_as)) == read_as
    else:
        assert read_as.startswith("This is no order sheet")


def _sheet_or_refusal(document: object) -> MonthOrders | str:
    try:
        return sheet_from(document)
    except DocumentError as error:
        return str(error)


@given(st.data())
@slow
def test_any_sheet_is_checked_and_read_and_changes_nothing(data: Any) -> None:
    state = data.draw(some.positions)
    side = data.draw(st.sampled_from(tuple(Side)))
    sheet = data.draw(some.sheets(state, side))
    before = encode(state)
    commander = SeatCommand(1, side, sheet)
    findings = check(state, commander, Headquarters((commander,)))
    read_aloud = describe_sheet(state, sheet)
    assert encode(state) == before
    assert all(
        0 <= one.number < max(1, len(sheet.orders)) for one in findings if one.part == "order"
    )
    assert all(one.said for one in findings)
    assert len(read_aloud.orders) == len(sheet.orders)
    assert decode(encode(sheet), MonthOrders) == sheet


@given(st.data())
@slow
def test_any_sheet_is_checked_by_what_its_side_knows(data: Any) -> None:
    """Enemies of whom only the size is known, and those not seen, make no check fail."""
    state = data.draw(some.positions)
    side = data.draw(st.sampled_from(tuple(Side)))
    seen = sight.supposed_state(
        sight.visible_campaign(state, side, sight.initial_knowledge(state, side))
    )
    commander = SeatCommand(1, side, data.draw(some.sheets(state, side)))
    before = encode(seen)
    check(seen, commander, Headquarters((commander,)))
    describe_sheet(seen, commander.sheet)
    assert encode(seen) == before


@given(st.data())
@slow
def test_no_sheet_makes_an_action_that_the_rules_forbid(data: Any) -> None:
    state = data.draw(some.positions)
    seats = tuple(
        SeatCommand(place, side, data.draw(some.sheets(state, side)))
        for place, side in enumerate(Side)
    )
    month = state.month
    fog = (
        {side: sight.initial_knowledge(state, side) for side in Side}
        if data.draw(st.booleans())
        else None
    )
    progress, dice = Progress(), ChainedDice(data.draw(st.binary(min_size=1, max_size=8)))
    for _ in range(3_000):
        if state.question is None or state.month != month:
            return
        progress = _answered(state, Headquarters(seats, known=fog), progress, dice)
    raise AssertionError("a month by these sheets comes to no end")


def _answered(
    state: State, headquarters: Headquarters, progress: Progress, dice: ChainedDice
) -> Progress:
    before, sofar = encode(state), encode(progress)
    action, after = answer(state, headquarters, progress)
    assert (encode(state), encode(progress)) == (before, sofar)
    rules.check(state, action)
    rules.play(state, action, dice)
    return after


@given(st.data())
@slow
def test_the_same_sheets_and_position_have_the_same_answer(data: Any) -> None:
    state = data.draw(some.positions)
    if state.question is None:
        return
    side = state.question.side
    seats = Headquarters((SeatCommand(1, side, data.draw(some.sheets(state, side))),))
    again = decode(encode(state), State)
    assert answer(state, seats, Progress()) == answer(again, seats, Progress())
