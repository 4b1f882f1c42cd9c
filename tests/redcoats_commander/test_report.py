"""From the battlefield back: losses as fates of campaign units, and who has won by 9.8."""

from functools import partial
from typing import Any

import pytest

from battles.books.redcoats.registration import engine
from battles.books.redcoats.state import State
from battles.contract import Fate, Side
from battles.contract.report import BattleResult
from tests.books import aftermath
from tests.books.aftermath import number_of, on_the_nile, two_battalions

report = engine.report
fates = partial(aftermath.fates, engine)


def ended(how: str = "nightfall", winner: Side | None = None, **changes: Any) -> State:
    """Return two British battalions of 3 (one disrupted), guns and Graham before nine spears, at
    the end.

    `lost`: figures lost by the number of the unit.
    """
    state = engine.drawn_up(two_battalions(9))
    for unit in state.units.values():
        unit.disorganised = False
    for number, figures in changes.get("lost", {}).items():
        state.units[number].figures -= figures
        if not state.units[number].figures:
            state.lost.append(state.units.pop(number))
    for number in changes.get("shaken", ()):
        state.units[number].disorganised = True
    state.result = BattleResult(winner, how, "")
    return state


def test_who_has_lost_nothing_comes_back_as_he_came() -> None:
    found = fates(ended())
    assert found.pop(2) is Fate.DISRUPTED
    assert set(found.values()) == {Fate.GOOD}


def test_whole_units_go_first_and_the_remainder_is_carried_to_the_next_rub() -> None:
    state = ended()
    rubs = [unit.id for unit in state.units.values() if unit.side is Side.MAHDIST]
    found = fates(ended(lost={rubs[0]: 2, rubs[1]: 2}))
    gone = [number for number in range(10, 19) if found[number] is Fate.ELIMINATED]
    assert len(gone) == 3  # half of 3 and half of 3 strength points


def test_a_battalion_of_3_that_lost_half_its_figures_is_still_there() -> None:
    state = ended()
    found = fates(ended(lost={number_of(state, 1): 2}))
    assert found[1] is Fate.GOOD


def test_under_half_strength_comes_back_disrupted() -> None:
    state = ended()
    found = fates(ended(lost={number_of(state, 1): 3}))
    assert found[1] is Fate.DISRUPTED


def test_9_7_disorganised_at_the_end_is_disrupted_and_the_second_time_eliminated() -> None:
    state = ended()
    shaken = (number_of(state, 1), number_of(state, 2))
    found = fates(ended(shaken=shaken))
    assert (found[1], found[2]) == (Fate.DISRUPTED, Fate.ELIMINATED)


def test_a_unit_driven_off_the_field_is_disrupted() -> None:
    state = ended()
    gone = state.units.pop(number_of(state, 1))
    state.left.append(gone)
    assert fates(state)[1] is Fate.DISRUPTED


def test_who_has_broken_off_and_is_away_in_order_is_in_good_order_but_has_lost() -> None:
    state = ended("broke off", Side.MAHDIST)
    state.breaking_off = [Side.EGYPTIAN]
    for number in [unit.id for unit in state.units.values() if unit.side is Side.EGYPTIAN]:
        state.left.append(state.units.pop(number))
    assert fates(state)[1] is Fate.GOOD
    assert report(state).winner is Side.MAHDIST


def test_who_still_withdraws_when_night_falls_is_in_retreat() -> None:
    state = ended("nightfall", Side.MAHDIST)
    state.breaking_off = [Side.EGYPTIAN]
    assert fates(state)[1] is Fate.DISRUPTED


def test_9_8_both_with_half_their_units_gone_or_disrupted_have_drawn() -> None:
    state = ended()
    everyone = [unit.id for unit in state.units.values()]
    assert report(ended(shaken=everyone)).winner is None


def test_9_8_a_place_that_is_taken_is_a_battle_lost() -> None:
    assert report(ended("objective", Side.MAHDIST)).winner is Side.MAHDIST


def test_who_destroys_the_other_has_won_however_shaken_he_is() -> None:
    state = ended()
    rubs = [unit.id for unit in state.units.values() if unit.side is Side.MAHDIST]
    british = [unit.id for unit in state.units.values() if unit.side is Side.EGYPTIAN]
    lost = {number: state.units[number].figures for number in british}
    found = report(ended("destroyed", Side.MAHDIST, lost=lost, shaken=rubs))
    assert found.winner is Side.MAHDIST


def test_7_2_leaders_go_with_the_last_of_their_men() -> None:
    state = ended()
    british = [unit.id for unit in state.units.values() if unit.side is Side.EGYPTIAN]
    lost = {number: state.units[number].figures for number in british}
    assert fates(ended("destroyed", Side.MAHDIST, lost=lost))[4] is Fate.ELIMINATED


@pytest.mark.parametrize(("wounded", "fate"), [(True, Fate.GOOD), (False, Fate.ELIMINATED)])
def test_leaders_4_a_leader_carried_off_wounded_lives(wounded: bool, fate: Fate) -> None:
    state = ended()
    leader = state.leaders.pop(number_of(state, 4))
    leader.wounded = wounded
    state.fallen.append(leader)
    assert fates(state)[4] is fate


def test_gunboats_16_sunk_is_sunk_and_hit_is_not() -> None:
    state = engine.drawn_up(on_the_nile())
    boats = [unit.id for unit in state.units.values() if unit.is_craft]
    state.units[boats[0]].figures -= 5
    state.lost.append(state.units.pop(boats[1]))
    state.result = BattleResult(None, "nightfall", "")
    assert [fates(state)[number] for number in (1, 2)] == [Fate.GOOD, Fate.ELIMINATED]
