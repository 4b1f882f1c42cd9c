"""From the battlefield back: losses as fates of campaign units, and who has won by 9.8."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract import (
    Bearing,
    Brief,
    Fate,
    Ground,
    Kind,
    Nation,
    Quality,
    Report,
    Side,
    book,
    conserve,
    fight,
)
from battles.core.dice import ChainedDice, derive_key
from battles.engines.redcoats.engine import engine
from battles.engines.redcoats.report import report
from battles.engines.redcoats.state import Result, State
from tests.redcoats_commander.armies import meeting, random_brief, troop


def ended(how: str = "nightfall", winner: Side | None = None, **changes: Any) -> State:
    """Two British battalions of 3 (one disrupted), guns and Graham before nine spears, at the end.

    `lost`: figures lost by the number of the unit.
    """
    brief = meeting(
        [
            troop(1, Kind.INFANTRY, strength=3),
            troop(2, Kind.INFANTRY, strength=3, disrupted=True),
            troop(3, Kind.GUN),
            troop(4, Kind.LEADER, strength=0, name="Graham"),
        ],
        [troop(number, Kind.SPEARS, Nation.MAHDIST) for number in range(10, 19)],
        attacker=Side.MAHDIST,
    )
    state = engine.drawn_up(brief)
    for unit in state.units.values():
        unit.disorganised = False
    for number, figures in changes.get("lost", {}).items():
        state.units[number].figures -= figures
        if not state.units[number].figures:
            state.lost.append(state.units.pop(number))
    for number in changes.get("shaken", ()):
        state.units[number].disorganised = True
    state.result = Result(winner, how, "")
    return state


def number_of(state: State, *troops: int) -> int:
    """The unit on the field that those campaign units fight as."""
    return next(unit for unit, of in state.drawn_from.items() if set(troops) <= set(of))


def fates(state: State) -> dict[int, Fate]:
    told = report(state)
    assert state.brief is not None
    conserve(state.brief, told)
    return told.fates


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
    brief = on_the_nile()
    state = engine.drawn_up(brief)
    boats = [unit.id for unit in state.units.values() if unit.is_craft]
    state.units[boats[0]].figures -= 5
    state.lost.append(state.units.pop(boats[1]))
    state.result = Result(None, "nightfall", "")
    assert [fates(state)[number] for number in (1, 2)] == [Fate.GOOD, Fate.ELIMINATED]


def on_the_nile() -> Brief:
    """Two gunboats and a battalion."""
    return meeting(
        [
            troop(1, Kind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(2, Kind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(3, Kind.INFANTRY, Nation.EGYPTIAN),
        ],
        [troop(4, Kind.SPEARS, Nation.MAHDIST)],
        attacker=Side.MAHDIST,
        ground=Ground(river=(Bearing.NORTH,), river_class="navigable"),
    )


def test_a_battle_that_goes_on_has_no_report() -> None:
    state = ended()
    state.result = None
    with pytest.raises(ValueError, match="not over"):
        report(state)


def fought(seed: int, most: int = 12) -> Report:
    """A random battle, by the commanders; `fight` raises when its report does not add up."""
    dice = ChainedDice(derive_key(b"conservation", seed))
    return fight(book("redcoats"), random_brief(seed, most), dice)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_9_7_units_in_are_units_out_whatever_is_brought(seed: int) -> None:
    brief, told = random_brief(seed), fought(seed)
    assert set(told.fates) == {one.id for one in brief.troops()}
    for one in brief.troops():
        if one.disrupted:
            assert told.fates[one.id] in (Fate.DISRUPTED, Fate.ELIMINATED)


@pytest.mark.long
def test_9_7_nothing_is_created_in_ten_thousand_battles() -> None:
    for seed in range(10_000):
        assert fought(seed, most=8).brief == f"random-{seed}"
