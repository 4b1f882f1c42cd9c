"""The baseline armies, the generator, and what the six scenarios are fought for."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import sequence
from battles.books.restless_natives.generator import army, baseline, generate_brief, scenario
from battles.books.restless_natives.layout_plans import lay_out
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Exit, Goal, Hold, Remain
from battles.books.restless_natives.state import State
from battles.core.game import IllegalAction
from battles.tabletop.geometry import TablePoint
from tests.restless.field import (
    EGYPTIAN,
    MAHDIST,
    NORTH,
    act,
    activated,
    at,
    battle,
    british,
    ledger,
    natives,
)


def square(west: float, north: float, east: float, south: float) -> tuple[TablePoint, ...]:
    return at(west, north), at(east, north), at(east, south), at(west, south)


VILLAGE, RIDGE, KNOLL = square(20, 4, 28, 10), square(30, 4, 38, 10), square(8, 4, 16, 10)


def fought_for(goal: Goal) -> State:
    return battle(british(1, at(24, 30)), natives(2, at(24, 8)), goal=goal)


def winner(state: State) -> object:
    return sequence.judge(state, "cards").winner


def test_scenarios_1_the_baseline_armies() -> None:
    assert sum(unit.baseline for unit in baseline(EGYPTIAN).values()) == 11
    assert sum(unit.baseline for unit in baseline(MAHDIST).values()) == 10


def test_scenarios_2_both_scores_say_which_is_fought() -> None:
    table = ["FEDCBA", "EDCBAF", "DCBAFE", "CBAFED", "BAFEDC", "AFEDCB"]
    for natives_score, row in enumerate(table, 1):
        found = [scenario(british_score, natives_score) for british_score in range(1, 7)]
        assert "".join(found) == row


@pytest.mark.parametrize("side", [EGYPTIAN, MAHDIST])
def test_scenarios_3_every_score_adds_to_the_basic_army(side: object) -> None:
    sizes = [len(army(side, score)) for score in range(1, 7)]  # type: ignore[arg-type]
    assert max(sizes) == sizes[5]
    assert min(sizes) >= 6


@pytest.mark.parametrize(
    ("number", "letter", "kind"),
    [(4, "A", Hold), (5, "B", Hold), (6, "C", Exit), (7, "D", Remain), (8, "E", Hold)],
)
def test_scenarios_4_to_9_each_is_laid_out_with_its_goal(
    number: int, letter: str, kind: type
) -> None:
    drawn = lay_out(generate_brief(3, 3, letter))
    assert isinstance(drawn.goal, kind)
    assert drawn.one_off
    assert number


def test_scenarios_4_the_british_win_by_taking_the_village() -> None:
    state = fought_for(Hold(EGYPTIAN, (VILLAGE,)))
    assert state.holders == [MAHDIST]
    assert winner(state) is MAHDIST
    state.units[2].at, state.units[1].at = at(40, 20), at(24, 8)
    sequence.take_areas(ledger(state))
    assert state.holders == [EGYPTIAN]
    assert winner(state) is EGYPTIAN


def test_scenarios_4_with_both_in_it_the_village_is_whose_it_was() -> None:
    state = fought_for(Hold(EGYPTIAN, (VILLAGE,)))
    state.units[1].at = at(24, 6)
    sequence.take_areas(ledger(state))
    assert state.holders == [MAHDIST]


def test_scenarios_5_the_mahdists_win_by_taking_it() -> None:
    state = fought_for(Hold(MAHDIST, (VILLAGE,)))
    assert winner(state) is EGYPTIAN
    sequence.take_areas(ledger(state))
    assert winner(state) is MAHDIST


def patrol() -> State:
    """Return two battalions, one of them at the exit in the north, that was told to reach it."""
    goal = Exit(EGYPTIAN, square(20, 0, 28, 2))
    state = battle(
        british(1, at(24, 1)), british(3, at(40, 30), stands=3), natives(2, at(6, 30)), goal=goal
    )
    return activated(state, 1)


def test_scenarios_6_who_reaches_the_exit_leaves_the_field() -> None:
    state = patrol()
    act(state, a.March(), 1)
    offered = options(state)
    assert offered is not None
    assert offered.leave
    act(state, a.Leave())
    assert list(state.exited) == [1]
    assert winner(state) is EGYPTIAN


def test_scenarios_6_it_takes_more_than_half() -> None:
    state = patrol()
    state.began = {EGYPTIAN: 8, MAHDIST: 6}
    act(state, a.March(), 1)
    act(state, a.Leave())
    assert sequence.share_exited(state, EGYPTIAN) == 50
    assert winner(state) is MAHDIST


def test_scenarios_6_nobody_leaves_elsewhere() -> None:
    state = patrol()
    state.units[1].at = at(10, 1)
    act(state, a.March(), 1)
    with pytest.raises(IllegalAction, match="not at an exit"):
        act(state, a.Leave())
    act(state, a.Move((), NORTH))


def test_scenarios_7_half_of_the_stands_have_to_remain() -> None:
    state = fought_for(Remain())
    assert winner(state) is None
    state.units[2].stands = 2
    assert sequence.share_left(state, MAHDIST) == 33
    assert winner(state) is EGYPTIAN
    state.units[1].stands = 1
    assert winner(state) is None


def test_scenarios_8_two_of_the_three_hills() -> None:
    state = fought_for(Hold(EGYPTIAN, (KNOLL, VILLAGE, RIDGE), need=2))
    state.units[1].at = at(12, 8)
    sequence.take_areas(ledger(state))
    assert winner(state) is MAHDIST
    state.units[1].at = at(34, 8)
    sequence.take_areas(ledger(state))
    assert state.holders == [EGYPTIAN, MAHDIST, EGYPTIAN]
    assert winner(state) is EGYPTIAN


def test_scenarios_9_half_have_to_remain_there_too() -> None:
    drawn = lay_out(generate_brief(1, 1))
    assert scenario(1, 1) == "F"
    assert drawn.goal == Remain()
