"""When an effect of a random event holds."""

from campaign.rules.board import board, chart
from campaign.rules.combat.capture import CAPTURED
from campaign.rules.effects import Present, When
from campaign.rules.pieces import Side
from campaign.rules.state import State


def holds(state: State, when: When, side: Side) -> bool:
    """Whether everything is so that the condition of an event of this side asks for."""
    position = board(state)
    if when.first_month is not None and state.month < when.first_month:
        return False
    if when.month_after is not None and state.month >= when.month_after:
        return False
    if when.in_play and position.leader(when.in_play) is None:
        return False
    if when.held and not _is_held(state, when.held, side):
        return False
    if when.captured and CAPTURED not in state.flags:
        return False
    return all(_is_present(state, one) for one in when.present)


def _is_held(state: State, name: str, side: Side) -> bool:
    hex_id = chart(state).place(name).hex
    return board(state).holds(side, hex_id) and not board(state).besieged(side, hex_id)


def _is_present(state: State, present: Present) -> bool:
    hex_id = chart(state).place(present.place).hex
    here = [unit for side in Side for unit in board(state).stack(side, hex_id)]
    return any(
        (not present.leader or unit.name == present.leader)
        and (present.unit is None or unit.kind is present.unit)
        for unit in here
    )
