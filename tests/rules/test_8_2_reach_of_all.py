"""8.2, 8.21 for many stacks at once: what one search says of each, the search of all says too."""

import pytest

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from campaign.rules import State, new_game, play
from campaign.rules.core.board import board, laws
from campaign.rules.map import HexId
from campaign.rules.march.reach import ReachOfAll, reach, reach_of_all
from campaign.rules.stacks import allowance
from campaign.staff import answer

MONTHS = (0, 2, 5)


def _after(slug: str, months: int) -> State:
    """Return a campaign of the staff so many months on, in the midst of its marches."""
    state, dice = new_game(slug), ChainedDice(derive_key(b"reach", months))
    last = state.month + months
    while state.question is not None and state.month < last:
        play(state, answer(state), dice)
    for _ in range(25 if months else 0):
        if state.question is not None:
            play(state, answer(state), dice)
    return state


def _coming_to(found: ReachOfAll, hex_id: HexId) -> dict[HexId, int]:
    """Return the starts of stacks that can reach the hex in one march, with the cost."""
    if found.number[hex_id] < 0:
        return {}
    spent = found.costs[:, found.number[hex_id]]
    return {
        start: int(spent[row])
        for row, start in enumerate(found.starts)
        if spent[row] <= found.points[row]
    }


@pytest.mark.parametrize("slug", ["siege-of-khartoum", "relief-of-el-obeid"])
@pytest.mark.parametrize("months", MONTHS)
def test_8_2_all_stacks_at_once_reach_what_each_does_alone(slug: str, months: int) -> None:
    state = _after(slug, months)
    for side in Side:
        found = reach_of_all(state, side)
        assert found.starts == tuple(sorted(board(state).occupied[side]))
        alone = {
            start: reach(state, side, start, points).costs
            for start, points in zip(found.starts, found.points, strict=True)
        }
        hexes = {hex_id for costs in alone.values() for hex_id in costs}
        assert len(hexes) > len(alone)
        for hex_id in hexes:
            coming = {start: costs[hex_id] for start, costs in alone.items() if hex_id in costs}
            assert _coming_to(found, hex_id) == coming


@pytest.mark.parametrize("slug", ["siege-of-khartoum", "relief-of-el-obeid"])
def test_8_2_each_goes_as_far_as_its_slowest_unit(slug: str) -> None:
    state = _after(slug, 2)
    for side in Side:
        found = reach_of_all(state, side)
        stacks = [board(state).land(side, start) for start in found.starts]
        assert found.points == tuple(allowance(laws(state), stack) for stack in stacks)


def test_8_2_nobody_comes_to_the_sea() -> None:
    state = new_game("siege-of-khartoum")
    found = reach_of_all(state, Side.EGYPTIAN)
    sea = [HexId(number) for number, place in enumerate(found.number) if place < 0]
    assert [hex_id for hex_id in sea if _coming_to(found, hex_id)] == []
