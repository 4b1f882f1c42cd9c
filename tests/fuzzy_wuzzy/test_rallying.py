"""Section 15: rallying."""

import pytest

from battles.books.fuzzy_wuzzy import aftermath
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.pieces import Style
from battles.core.game import Step
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    MAHDIST,
    battle,
    carried_out,
    happened,
    order,
    spears,
    unit,
)


@pytest.mark.parametrize(("score", "does"), [(2, False), (3, False), (4, True), (5, True)])
def test_rallying_1_regulars_with_average_dice(score: int, does: bool) -> None:
    assert aftermath.dice_of(Style.REGULAR) == "AvD"
    assert aftermath.rallies(Style.REGULAR, score) is does


@pytest.mark.parametrize("score", range(1, 7))
def test_rallying_2_irregulars_with_normal_dice(score: int) -> None:
    assert aftermath.dice_of(Style.IRREGULAR) == "D6"
    assert aftermath.rallies(Style.IRREGULAR, score) is (score >= 5)


def test_rallying_1_what_the_dice_cannot_show_is_refused() -> None:
    with pytest.raises(LookupError, match="No AvD shows 6"):
        aftermath.rallies(Style.REGULAR, 6)


def test_rallying_1_a_die_for_each_stand_and_half_of_them_hold_the_unit() -> None:
    routed = unit(1, "british", "infantry", (50, 90), retreating=True)
    state = battle(routed, orders=order(1, change="rally"))
    made = carried_out(state, Step("rally", (EGYPTIAN,)), dice=(1, 2, 3, 4, 5, 6))
    (rallied,) = happened(made, e.Rallied)
    assert (rallied.stands, rallied.whole) == (3, True)
    assert not state.units[1].retreating


def test_rallying_2_who_has_rallied_is_not_thrown_for_again() -> None:
    routed = spears(1, (50, 30), retreating=True)
    state = battle(routed, orders=order(1, change="rally"))
    carried_out(state, Step("rally", (MAHDIST,)), dice=(5, 6, 1, 2, 3, 4))
    assert (state.units[1].retreating, state.units[1].rallied) == (True, 2)
    carried_out(state, Step("rally", (MAHDIST,)), dice=(5, 1, 1, 1))
    assert not state.units[1].retreating


def test_rallying_1_without_the_order_only_in_the_move_of_the_rout() -> None:
    state = battle(unit(1, "british", "infantry", (50, 90), retreating=True))
    assert carried_out(state, Step("rally", (EGYPTIAN,))).rolls == []
    state.fought = [1]
    assert carried_out(state, Step("rally", (EGYPTIAN,)), dice=(1,) * 6).rolls != []


def test_rallying_1_until_then_it_goes_on_retreating() -> None:
    routed = unit(1, "british", "infantry", (50, 60), retreating=True)
    state = battle(routed, spears(2, (50, 40)))
    made = carried_out(state, Step("retreat", (EGYPTIAN,)), dice=(2, 2, 2, 2))
    (moved,) = happened(made, e.Moved)
    assert (moved.cause, moved.rate) == ("retreat", "charge")
    assert moved.to.y == 7200
    assert carried_out(state, Step("retreat", (EGYPTIAN,))).rolls == []
