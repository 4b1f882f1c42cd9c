"""Section 16: recovering casualties."""

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import aftermath, phases
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToRecover
from battles.books.fuzzy_wuzzy.orders import NOTHING, allowed_orders
from battles.books.fuzzy_wuzzy.pieces import Rate
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import State
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction, Step
from tests.fuzzy_wuzzy.field import EGYPTIAN, battle, carried_out, happened, unit


def wounded(*markers: int) -> State:
    """Return a battalion with such casualties, and another so that the battle goes on."""
    return battle(
        unit(1, "british", "infantry", (50, 60), markers=markers),
        unit(2, "british", "infantry", (90, 60), markers=(1, 1)),
        question=ToRecover(EGYPTIAN),
    )


def test_recovery_1_who_has_stood_apart() -> None:
    state = wounded(1, 1, 0)
    assert phases.may_recover(state, state.units[1])
    for field, value in (("moved", {1: Rate.MARCH}), ("fought", [1]), ("engaged", [1])):
        other = wounded(1, 1, 0)
        setattr(other, field, value)
        assert not phases.may_recover(other, other.units[1])
        with pytest.raises(IllegalAction, match="moved or been in combat"):
            rules.check(other, a.Recover(1))
    whole = wounded(0, 0)
    assert not phases.may_recover(whole, whole.units[1])


def test_recovery_1_the_side_is_asked() -> None:
    state = wounded(1, 1, 0)
    state.question = None
    carried_out(state, Step("recovery", (EGYPTIAN,)))
    assert state.question == ToRecover(EGYPTIAN)


def test_recovery_1_nobody_is_asked_who_has_no_wounded() -> None:
    state = wounded(0, 0)
    state.question = None
    state.moved = {2: Rate.MARCH}
    carried_out(state, Step("recovery", (EGYPTIAN,)))
    assert state.question is None


@pytest.mark.parametrize(("markers", "removed"), [(2, 1), (4, 2), (6, 3), (12, 6)])
def test_recovery_2_half_of_an_even_number(markers: int, removed: int) -> None:
    assert not aftermath.needs_die(markers)
    assert aftermath.recovered_markers(markers) == removed


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("markers", [1, 3, 5, 11])
def test_recovery_2_an_odd_number_is_rounded_by_a_die(markers: int, die: int) -> None:
    assert aftermath.needs_die(markers)
    assert aftermath.recovered_markers(markers, die) == markers // 2 + (die <= 3)


def test_recovery_3_stands_with_casualties_part_and_go_to_the_rear() -> None:
    state = wounded(1, 1, 1, 1, 0, 0)
    outcome = rules.play(state, a.Recover(1), ScriptedDice())
    (recovered,) = [event for event in outcome.events if isinstance(event, e.Recovered)]
    assert (recovered.removed, recovered.markers) == (2, (0, 0, 0, 0, 0, 2))
    assert state.units[1].markers == (0, 0, 0, 0, 0)
    part = state.units[100]
    assert (part.markers, part.wounded, part.of) == ((2,), True, 1)
    assert (part.full, state.units[1].full) == (1, 5)
    assert part.facing == state.homes[EGYPTIAN]
    assert allowed_orders(state, part) == NOTHING
    state.question = None
    made = carried_out(state, Step("retreat", (EGYPTIAN,)), dice=(1, 1))
    (moved,) = happened(made, e.Moved)
    assert (moved.unit, moved.rate) == (100, Rate.MARCH)
    assert moved.to.y > part.at.y - 1


def test_recovery_3_who_recovers_all_stays_whole() -> None:
    state = wounded(1, 0, 0)
    rules.play(state, a.Recover(1), ScriptedDice(1))
    assert (state.units[1].markers, set(state.units)) == ((0, 0, 0), {1, 2})


def test_recovery_3_a_unit_hurt_in_every_stand_goes_as_a_whole() -> None:
    state = wounded(2)
    outcome = rules.play(state, a.Recover(1), ScriptedDice())
    (parted,) = [event for event in outcome.events if isinstance(event, e.Parted)]
    assert (parted.unit, parted.part, state.units[1].wounded) == (1, 1, True)
