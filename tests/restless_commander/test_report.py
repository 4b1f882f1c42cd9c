"""From the battlefield back: losses as fates of campaign units, and who has won."""

from functools import partial
from typing import Any

import pytest

from battles.books.restless_natives.generator import generate_brief
from battles.books.restless_natives.registration import engine
from battles.books.restless_natives.state import State
from battles.contract import BriefGround, Fate, Side
from battles.contract.report import BattleResult
from tests.books import aftermath
from tests.books.aftermath import number_of, on_the_nile, two_battalions

report = engine.report
fates = partial(aftermath.fates, engine)


def ended(how: str = "cards", winner: Side | None = None, **changes: Any) -> State:
    """Return two British battalions of 3 (one disrupted), guns and Graham before ten spears, at the
    end.

    `lost`: stands lost by the number of the unit; `away`: who has run.
    """
    state = engine.drawn_up(two_battalions(10, **changes.get("more", {})))
    for number, stands in changes.get("lost", {}).items():
        state.units[number].stands -= stands
        if not state.units[number].stands:
            state.lost[number] = state.units.pop(number)
    for number in changes.get("away", ()):
        state.away[number] = state.units.pop(number)
    state.result = BattleResult(winner, how, "The day is over.")
    return state


def numbers(state: State, side: Side) -> list[int]:
    return [unit.id for unit in state.units.values() if unit.side is side]


def test_who_has_lost_nothing_comes_back_as_he_came() -> None:
    found = fates(ended())
    assert found.pop(2) is Fate.DISRUPTED
    assert set(found.values()) == {Fate.GOOD}


def test_a_share_of_the_stands_is_the_share_of_the_strength() -> None:
    large, small = numbers(ended(), Side.MAHDIST)
    found = fates(ended(lost={large: 3, small: 1}))
    gone = [number for number in range(10, 20) if found[number] is Fate.ELIMINATED]
    assert len(gone) == 5  # half of 8 and half of 2 strength points


def test_a_battalion_of_3_that_lost_half_its_stands_is_still_there() -> None:
    assert fates(ended(lost={number_of(ended(), 1): 2}))[1] is Fate.GOOD


def test_under_half_strength_comes_back_disrupted() -> None:
    assert fates(ended(lost={number_of(ended(), 1): 3}))[1] is Fate.DISRUPTED


def test_9_7_who_ran_away_is_disrupted_and_the_second_time_eliminated() -> None:
    state = ended()
    found = fates(ended(away=(number_of(state, 1), number_of(state, 2))))
    assert (found[1], found[2]) == (Fate.DISRUPTED, Fate.ELIMINATED)


def test_who_came_with_half_his_stands_loses_the_share_of_those_he_brought() -> None:
    found = fates(ended(lost={number_of(ended(), 2): 1}))
    assert found[2] is Fate.DISRUPTED
    assert fates(ended(lost={number_of(ended(), 2): 2}))[2] is Fate.ELIMINATED


def test_9_8_who_has_not_lost_when_his_enemy_has_won() -> None:
    state = ended()
    british = numbers(state, Side.EGYPTIAN)
    assert report(ended(away=british[:2])).winner is Side.MAHDIST
    assert report(ended()).winner is None


def test_9_8_both_with_half_their_units_gone_have_drawn() -> None:
    state = ended()
    british, natives = (numbers(state, side) for side in Side)
    assert report(ended(away=(*british[:2], *natives))).winner is None


def test_who_is_left_alone_on_the_field_has_won_however_shaken_he_is() -> None:
    state = ended()
    british, natives = (numbers(state, side) for side in Side)
    lost = {natives[0]: 5}
    found = report(ended("destroyed", Side.MAHDIST, away=british, lost=lost))
    assert found.winner is Side.MAHDIST


@pytest.mark.parametrize(("holder", "won"), [(Side.MAHDIST, Side.MAHDIST), (Side.EGYPTIAN, None)])
def test_9_8_a_place_that_is_taken_is_a_battle_lost(holder: Side, won: Side | None) -> None:
    village = {"ground": BriefGround(place="El Teb", settlement="village")}
    assert report(ended("cards", holder, more=village)).winner is won


def test_9_8_nobody_has_won_of_whom_no_man_can_fight() -> None:
    state = ended()
    men = [number_of(state, number) for number in (1, 2, 3)]
    lost = {number: state.units[number].stands for number in men}
    natives = numbers(state, Side.MAHDIST)
    assert report(ended("destroyed", Side.EGYPTIAN, lost=lost, away=natives)).winner is None


def test_scenarios_of_a_scenario_its_goal_says_who_has_won() -> None:
    state = engine.drawn_up(generate_brief(1, 1, "D"))
    state.result = BattleResult(Side.EGYPTIAN, "second joker", "")
    assert report(state).winner is Side.EGYPTIAN


def test_7_2_a_leader_whose_stand_is_destroyed_is_lost() -> None:
    assert fates(ended(lost={number_of(ended(), 4): 1}))[4] is Fate.ELIMINATED
    assert fates(ended(away=(number_of(ended(), 4),)))[4] is Fate.GOOD


def test_7_2_leaders_go_with_the_last_of_their_men() -> None:
    state = ended()
    men = [number for number in numbers(state, Side.EGYPTIAN) if number != number_of(state, 4)]
    lost = {number: state.units[number].stands for number in men}
    assert fates(ended("destroyed", Side.MAHDIST, lost=lost))[4] is Fate.ELIMINATED


def test_a_vessel_is_sunk_or_as_good_as_new() -> None:
    state = engine.drawn_up(on_the_nile())
    boats = [unit.id for unit in state.units.values() if set(state.drawn_from[unit.id]) & {1, 2}]
    state.lost[boats[1]] = state.units.pop(boats[1])
    state.result = BattleResult(None, "cards", "")
    assert [fates(state)[number] for number in (1, 2)] == [Fate.GOOD, Fate.ELIMINATED]
