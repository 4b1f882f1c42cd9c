"""Sections 11 and 14: every branch of the results of fire and of close combat."""

from itertools import product
from typing import Any

import pytest

from battles.books.fuzzy_wuzzy import close_combat
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToAdvance
from battles.books.fuzzy_wuzzy.close_combat import ResultCase
from battles.books.fuzzy_wuzzy.pieces import Arm, Combat, Compared, Does, Rate, Style
from battles.books.fuzzy_wuzzy.state import State, Volley
from battles.core.game import Step
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    MAHDIST,
    battle,
    carried_out,
    happened,
    line,
    point,
    spears,
    unit,
)

REGULAR, IRREGULAR = Style.REGULAR, Style.IRREGULAR
FIGHTERS = (Arm.INFANTRY, Arm.CAVALRY)
OTHERS = (Arm.COMMAND, Arm.ARTILLERY, Arm.MACHINE_GUN, Arm.TRANSPORT)
M, D, C = Rate.MARCH, Rate.DOUBLE, Rate.CHARGE
NOW, NEXT, HALT = Does.RETREATS, Does.RETREATS_NEXT, Does.HALTS
WORSE = {
    REGULAR: [(NOW, C), (NEXT, D), (NEXT, D), (HALT, None), (HALT, None), (HALT, None)],
    IRREGULAR: [(NOW, C), (NOW, C), (NEXT, D), (NEXT, D), (NEXT, D), (HALT, None)],
}
UNTIL_RALLIED = {REGULAR: 2, IRREGULAR: 4}
DICE = list(product(Style, Arm, range(1, 7)))


def brief(found: close_combat.Result) -> tuple[Does, Rate | None]:
    return found.does, found.rate


def fire_result(
    counts: tuple[int, int], style: Style, arm: Arm, die: int = 0
) -> close_combat.Result:
    """Return the result for a unit with so many casualties caused and suffered by fire."""
    compared = close_combat.compare(*counts)
    return close_combat.result(ResultCase(Combat.FIRE, compared, style, arm), die)


def close_result(
    counts: tuple[int, int], style: Style, arm: Arm, die: int = 0, *, enemy_retreats: bool = False
) -> close_combat.Result:
    """Return the result for a unit with so many caused and suffered in close combat."""
    compared = close_combat.compare(*counts)
    case = ResultCase(Combat.CLOSE, compared, style, arm, enemy_retreats)
    return close_combat.result(case, die)


@pytest.mark.parametrize(
    ("caused", "suffered", "compared"),
    [
        (1, 0, Compared.MORE),
        (3, 2, Compared.MORE),
        (0, 0, Compared.AS_MANY),
        (2, 2, Compared.AS_MANY),
        (2, 3, Compared.FEWER),
        (1, 2, Compared.TWICE),
        (0, 1, Compared.TWICE),
        (2, 5, Compared.TWICE),
    ],
)
def test_fire_results_1_casualties_compared(caused: int, suffered: int, compared: Compared) -> None:
    assert close_combat.compare(caused, suffered) is compared


@pytest.mark.parametrize("arm", FIGHTERS)
def test_fire_results_1_foot_and_horse_that_have_caused_more(arm: Arm) -> None:
    assert brief(fire_result((2, 1), REGULAR, arm)) == (Does.MAY_CLOSE, C)
    for die in range(1, 7):
        wanted = (Does.MAY_ADVANCE, C) if die <= 2 else (Does.MAY_CLOSE, D)
        assert brief(fire_result((2, 1), IRREGULAR, arm, die)) == wanted


@pytest.mark.parametrize(("style", "arm"), list(product(Style, OTHERS)))
def test_fire_results_1_other_units_that_have_caused_more(style: Style, arm: Arm) -> None:
    assert brief(fire_result((2, 1), style, arm)) == (Does.MAY_CLOSE, D)


@pytest.mark.parametrize(("style", "arm"), list(product(Style, Arm)))
def test_fire_results_2_as_many(style: Style, arm: Arm) -> None:
    assert brief(fire_result((1, 1), style, arm)) == (Does.MAY_CLOSE, D)


@pytest.mark.parametrize(("style", "arm", "die"), DICE)
def test_fire_results_3_less_than_twice_as_many(style: Style, arm: Arm, die: int) -> None:
    found = fire_result((2, 3), style, arm, die)
    assert brief(found) == WORSE[style][die - 1]
    assert not found.until_rallied


@pytest.mark.parametrize(("style", "arm", "die"), DICE)
def test_fire_results_4_twice_as_many(style: Style, arm: Arm, die: int) -> None:
    found = fire_result((1, 2), style, arm, die)
    assert brief(found) == (NOW, C)
    assert found.until_rallied is (die <= UNTIL_RALLIED[style])


@pytest.mark.parametrize("arm", FIGHTERS)
def test_close_results_1_after_an_enemy_who_retreats(arm: Arm) -> None:
    for style, rate in ((REGULAR, D), (IRREGULAR, C)):
        found = close_result((2, 1), style, arm, enemy_retreats=True)
        assert brief(found) == (Does.MAY_ADVANCE, rate)


@pytest.mark.parametrize(("style", "arm"), list(product(Style, FIGHTERS)))
def test_close_results_1_against_an_enemy_who_stands(style: Style, arm: Arm) -> None:
    assert brief(close_result((2, 1), style, arm)) == (Does.MAY_CONTINUE, None)


@pytest.mark.parametrize(("style", "arm", "retreats"), list(product(Style, OTHERS, (True, False))))
def test_close_results_1_other_units_go_on(style: Style, arm: Arm, retreats: bool) -> None:
    found = close_result((2, 1), style, arm, enemy_retreats=retreats)
    assert brief(found) == (Does.MAY_CONTINUE, None)


@pytest.mark.parametrize(("style", "arm"), list(product(Style, Arm)))
def test_close_results_2_as_many(style: Style, arm: Arm) -> None:
    assert brief(close_result((1, 1), style, arm)) == (Does.MAY_CONTINUE, None)


@pytest.mark.parametrize(("style", "arm", "die"), DICE)
def test_close_results_3_less_than_twice_as_many(style: Style, arm: Arm, die: int) -> None:
    found = close_result((3, 5), style, arm, die)
    assert brief(found) == WORSE[style][die - 1]
    assert not found.until_rallied


@pytest.mark.parametrize(("style", "arm", "die"), DICE)
def test_close_results_4_twice_as_many(style: Style, arm: Arm, die: int) -> None:
    found = close_result((3, 6), style, arm, die)
    assert brief(found) == (NOW, C)
    assert found.until_rallied is (die <= UNTIL_RALLIED[style])


@pytest.mark.parametrize(("combat", "style", "arm"), list(product(Combat, Style, Arm)))
def test_a_die_is_wanted_where_the_result_hangs_on_it(
    combat: Combat, style: Style, arm: Arm
) -> None:
    impulsive = combat is Combat.FIRE and style is IRREGULAR and arm in FIGHTERS
    assert close_combat.needs_die(ResultCase(combat, Compared.MORE, style, arm)) is impulsive
    assert not close_combat.needs_die(ResultCase(combat, Compared.AS_MANY, style, arm))
    assert close_combat.needs_die(ResultCase(combat, Compared.FEWER, style, arm))
    assert close_combat.needs_die(ResultCase(combat, Compared.TWICE, style, arm))


def test_a_die_that_no_normal_die_shows_is_refused() -> None:
    with pytest.raises(LookupError, match="this one 7"):
        fire_result((1, 2), REGULAR, Arm.INFANTRY, 7)


def after_fire(caused: int, suffered: int, **more: Any) -> State:
    """Return a battalion and spears before it that have hurt one another so much by fire."""
    return battle(
        unit(1, "british", "infantry", (50, 60), **more),
        spears(2, (50, 50)),
        combat=Combat.FIRE,
        volleys=[Volley(1, 2, caused), Volley(2, 1, suffered)],
        fought=[1, 2],
    )


def test_fire_results_1_regulars_may_charge_whatever_they_did_before() -> None:
    state = after_fire(2, 1, before=(Rate.DOUBLE,))
    carried_out(state, Step("fire results", (EGYPTIAN,)))
    assert state.units[1].leave is C
    carried_out(state, Step("movement ends"))
    assert state.units[1].leave is None


def test_fire_results_1_irregulars_may_charge_at_once() -> None:
    state = after_fire(1, 2)
    made = carried_out(state, Step("fire results", (MAHDIST,)), dice=(2, 3, 3, 3, 3, 3))
    assert state.question == ToAdvance(MAHDIST, 2, "impulse")
    assert state.paces == {2: 1500}
    assert happened(made, e.Judged)[0].does is Does.MAY_ADVANCE


def test_fire_results_3_a_retreat_that_is_owed_is_made_in_the_next_move() -> None:
    state = after_fire(2, 3)
    carried_out(state, Step("fire results", (EGYPTIAN,)), dice=(3,))
    assert state.units[1].owes is D
    assert state.units[1].at == point(50, 60)
    carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 1, 1))
    assert state.units[1].at == point(50, 66)


def test_fire_results_3_a_unit_that_halts_is_not_ordered_to_move() -> None:
    state = after_fire(2, 3)
    carried_out(state, Step("fire results", (EGYPTIAN,)), dice=(6,))
    assert state.units[1].halted


@pytest.mark.parametrize(("die", "until_rallied"), [(1, True), (2, True), (3, False)])
def test_fire_results_4_the_retreat_is_made_at_once(die: int, until_rallied: bool) -> None:
    state = after_fire(1, 2)
    made = carried_out(state, Step("fire results", (EGYPTIAN,)), dice=(die, 6, 6, 6, 6))
    moved = happened(made, e.Moved)[0]
    assert (moved.cause, moved.rate, moved.to) == ("retreat", C, point(50, 80))
    assert state.units[1].retreating is until_rallied
    assert state.retreated == [1]


def test_fire_results_4_who_retreats_goes_off_at_the_edge() -> None:
    state = after_fire(1, 2)
    state.units[1].at, state.units[2].at = point(50, 110), point(50, 100)
    made = carried_out(state, Step("fire results", (EGYPTIAN,)), dice=(1, 6, 6, 6, 6))
    assert happened(made, e.Left)[0].cause == "retreat"
    assert [one.id for one in state.left] == [1]


def test_fire_results_4_a_square_breaks_and_guns_limber_up() -> None:
    state = after_fire(1, 2, formation="square")
    carried_out(state, Step("fire results", (EGYPTIAN,)), dice=(1, 1, 1, 1, 1))
    assert state.units[1].formation == "line"


def in_contact(caused: int, suffered: int, **more: Any) -> State:
    """Return a battalion and spears hand to hand, that have hurt one another so much."""
    return battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 57.5)),
        combat=Combat.CLOSE,
        volleys=[Volley(1, 2, caused), Volley(2, 1, suffered)],
        fought=[1, 2],
        **more,
    )


def test_close_results_1_the_beaten_are_judged_before_the_winners() -> None:
    state = in_contact(4, 1)
    steps = [Step("close results", (side,)) for side in (EGYPTIAN, MAHDIST)]
    steps += [Step("close results", (side, "winners")) for side in (EGYPTIAN, MAHDIST)]
    made = carried_out(state, *steps, dice=(5, 1, 1, 1, 1, 1, 1, 2, 3))
    assert [event.unit for event in happened(made, e.Judged)] == [2, 1]
    assert state.question == ToAdvance(EGYPTIAN, 1, "pursuit")
    assert state.paces == {1: 800}


def test_close_results_2_who_is_even_stays_in_contact() -> None:
    state = in_contact(2, 2)
    made = carried_out(state, Step("close results", (EGYPTIAN,)))
    assert happened(made, e.Judged)[0].does is Does.MAY_CONTINUE
    assert state.units[1].at == point(50, 60)


def test_close_results_3_who_cannot_get_away_is_hemmed_in() -> None:
    river = (line("wall", (0, 0), (1, 0)),)
    state = in_contact(2, 3, features=river)
    ring = ((50, 62.5, 0), (58.75, 60, 270), (41.25, 60, 90))
    for number, (x, y, facing) in enumerate(ring, 10):
        state.units[number] = spears(number, (x, y), facing, stands=12)
    made = carried_out(state, Step("close results", (EGYPTIAN,)), dice=(1, 6, 6, 6, 6))
    assert happened(made, e.CasualtiesTaken)[0].casualties == 6
    assert state.units[1].markers == (1, 1, 1, 1, 1, 1)


def test_close_results_4_stands_without_anybody_unwounded_are_left_behind() -> None:
    state = in_contact(1, 3)
    state.units[1].markers = (2, 2, 0, 0, 0, 0)
    made = carried_out(state, Step("close results", (EGYPTIAN,)), dice=(6, 1, 1, 1, 1))
    assert happened(made, e.CasualtiesTaken)[0].lost == 2
    assert state.units[1].markers == (0, 0, 0, 0)


def test_close_results_4_a_unit_of_nobody_unwounded_is_overrun() -> None:
    state = in_contact(1, 3)
    state.units[1].markers = (2, 2)
    made = carried_out(state, Step("close results", (EGYPTIAN,)))
    assert happened(made, e.Lost)[0].cause == "overrun"
