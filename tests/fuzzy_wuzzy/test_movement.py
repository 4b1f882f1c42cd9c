"""Section 5: rates, and at what rate a unit may move after what it did before."""

from itertools import product

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, movement
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToMove
from battles.books.fuzzy_wuzzy.options import options
from battles.books.fuzzy_wuzzy.pieces import Arm, Combat, Rate, Style
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import Unit, Volley
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction, Step
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    MAHDIST,
    battle,
    carried_out,
    happened,
    order,
    point,
    spears,
    unit,
    wood,
)

S, M, D, C = Rate.STATIONARY, Rate.MARCH, Rate.DOUBLE, Rate.CHARGE
REGULAR, IRREGULAR = Style.REGULAR, Style.IRREGULAR
RATES = {
    REGULAR: {"command": (5, 5, 5), "infantry": (2, 3, 4), "cavalry": (3, 4, 5)}
    | dict.fromkeys(("artillery", "machine gun", "transport"), (2, 3, 4)),
    IRREGULAR: {"command": (6, 6, 6), "infantry": (3, 4, 5), "cavalry": (4, 5, 6)}
    | dict.fromkeys(("artillery", "machine gun", "transport"), (2, 3, 4)),
}


@pytest.mark.parametrize(("style", "arm"), list(product(Style, Arm)))
def test_movement_1_dice_for_each_rate(style: Style, arm: Arm) -> None:
    thrown = [movement.dice_of(style, arm, rate) for rate in (M, D, C)]
    kind = "AvD" if style is REGULAR else "D6"
    assert thrown == [(count, kind) for count in RATES[style][arm]]
    assert movement.dice_of(style, arm, S)[0] == 0


def test_movement_1_the_dice_added_up_are_centimetres() -> None:
    assert movement.pace_thrown((2, 5)) == 700
    assert movement.pace_thrown(()) == 0


def test_movement_1_a_march_is_thrown_for_and_walked() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), orders=order(1, "march"))
    made = carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 6))
    assert state.paces == {1: 700}
    assert isinstance(state.question, ToMove)
    (roll,) = made.rolls
    assert (roll.dice, roll.total) == ((2, 5), 7)
    rules.play(state, a.Move(1, point(50, 55), 0), ScriptedDice())
    assert (state.units[1].at, state.paces[1], state.moved[1]) == (point(50, 55), 200, M)


def test_movement_1_too_far_is_refused_with_what_is_left() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), orders=order(1, "march"))
    carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 1))
    with pytest.raises(IllegalAction, match=r"10\.0 cm, and unit 1 has 4\.0 left"):
        rules.play(state, a.Move(1, point(50, 50), 0), ScriptedDice())


def test_movement_1_less_than_can_be_measured_is_nothing_left() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), orders=order(1, "march"))
    carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 6))
    rules.play(state, a.Move(1, point(50, 53.4), 0), ScriptedDice())
    assert state.paces == {1: 0}
    assert not isinstance(state.question, ToMove)


def test_movement_1_who_stands_there_already_does_not_move() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), orders=order(1, "march"))
    carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 6))
    with pytest.raises(IllegalAction, match="stands there already"):
        rules.play(state, a.Move(1, point(50, 59.6), 0), ScriptedDice())
    rules.play(state, a.Move(1, point(50, 60), 90), ScriptedDice())
    assert (state.units[1].facing, state.paces) == (90, {1: 700})


def test_movement_1_the_first_way_offered_ends_a_march_in_a_few_stretches() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), orders=order(1, "march"))
    carried_out(state, Step("movement", (EGYPTIAN,)), dice=(1, 6))
    stretches = 0
    while isinstance(state.question, ToMove):
        offered = options(state)
        assert offered is not None
        to, facing = offered.spots(1)[0]
        rules.play(state, a.Move(1, to, facing), ScriptedDice())
        stretches += 1
    assert stretches <= 7


def test_movement_1_slow_ground_counts_double() -> None:
    state = battle(unit(1, "british", "infantry", (50, 60)), features=(wood(40, 50, 60, 57),))
    assert movement.cost_of(state.field, point(50, 60), point(50, 55)) == 700
    assert movement.cost_of(state.field, point(50, 60), point(50, 58)) == 200


def test_movement_1_nobody_ends_upon_a_friend_or_in_the_river() -> None:
    river = wood(70, 0, 80, 120, "river")
    one, other = unit(1, "british", "infantry", (50, 60)), unit(2, "british", "infantry", (50, 55))
    state = battle(one, other, features=(river,), paces={1: 5000})
    assert "would stand on unit 2" in movement.why_not(state, one, point(50, 55), 0)
    assert "water" in movement.why_not(state, one, point(75, 60), 0)
    assert "cannot cross" in movement.why_not(state, one, point(95, 60), 0)
    assert "edge" in movement.why_not(state, one, point(1, 60), 0)
    assert movement.why_not(state, one, point(50, 50), 0) == ""


def test_movement_1_enemies_in_sight_bar_the_way_and_are_kept_clear_of() -> None:
    one = unit(1, "british", "infantry", (50, 60), stands=2)
    state = battle(one, spears(2, (50, 50)), paces={1: 5000})
    assert "too near" in movement.why_not(state, one, point(50, 54), 0)
    assert "through the enemy" in movement.why_not(state, one, point(50, 30), 0)
    state.units[2].seen = False
    assert movement.why_not(state, one, point(50, 30), 0) == ""


def test_movement_1_a_unit_close_to_an_enemy_does_not_turn_into_it() -> None:
    one = unit(1, "british", "infantry", (50, 60), stands=2)
    state = battle(one, spears(2, (50, 57.4), stands=2))
    turned = board.stands_at(one, one.at, 90)
    assert board.lie_upon(turned, board.stands_of(state.units[2]))
    assert "too near" in movement.why_not(state, one, one.at, 90)


@pytest.mark.parametrize(
    ("before", "may"),
    [((), True), ((S,), True), ((M,), True), ((D,), False), ((C,), False), ((D, M), True)],
)
@pytest.mark.parametrize("rate", [D, C])
def test_movement_2_regulars_double_after_a_halt_or_a_march(
    before: tuple[Rate, ...], may: bool, rate: Rate
) -> None:
    assert movement.may_use(rate, REGULAR, Arm.INFANTRY, before) is may


def rate_when_beaten(beaten: Unit, enemy: Unit, dice: int) -> Rate:
    """Return the rate at which a unit retreats that fire has hurt twice as much as its enemy."""
    hurt = [Volley(beaten.id, enemy.id, 1), Volley(enemy.id, beaten.id, 2)]
    state = battle(beaten, enemy, combat=Combat.FIRE, volleys=hurt, fought=[1, 2])
    made = carried_out(state, Step("fire results", (beaten.side,)), dice=(1,) * (1 + dice))
    return happened(made, e.Moved)[0].rate


@pytest.mark.parametrize("last", list(Rate))
def test_movement_3_regulars_charge_when_they_are_made_to(last: Rate) -> None:
    horse = unit(1, "british", "cavalry", (50, 60), before=(last,))
    assert rate_when_beaten(horse, spears(2, (50, 50)), dice=5) is C
    assert movement.may_use(C, REGULAR, Arm.CAVALRY, (last,)) is (last in (S, M))


@pytest.mark.parametrize(
    ("before", "may"),
    [
        ((), True),
        ((S,), True),
        ((M,), True),
        ((D,), True),
        ((C,), False),
        ((D, D), False),
        ((M, D, D), False),
        ((D, D, S), True),
        ((D, D, M), False),
        ((D, D, M, M), True),
        ((D, M, D), True),
        ((D, D, C), False),
    ],
)
def test_movement_4_irregulars_double_twice_and_rest(before: tuple[Rate, ...], may: bool) -> None:
    assert movement.may_use(D, IRREGULAR, Arm.INFANTRY, before) is may


@pytest.mark.parametrize(
    ("before", "may"),
    [
        ((), True),
        ((S,), True),
        ((M,), True),
        ((C,), False),
        ((D,), True),
        ((S, D), True),
        ((M, D), True),
        ((D, D), False),
        ((C, D), False),
    ],
)
def test_movement_5_irregulars_charge_out_of_one_double(
    before: tuple[Rate, ...], may: bool
) -> None:
    assert movement.may_use(C, IRREGULAR, Arm.INFANTRY, before) is may
    battalion = unit(1, "british", "infantry", (50, 60))
    assert rate_when_beaten(spears(2, (50, 50), before=before), battalion, dice=5) is C


@pytest.mark.parametrize(("style", "before"), list(product(Style, [(), (S,), (M,)])))
def test_movement_6_transport_runs_only_when_it_must(style: Style, before: tuple[Rate]) -> None:
    assert not movement.may_use(C, style, Arm.TRANSPORT, before)
    assert movement.may_use(D, style, Arm.TRANSPORT, before)
    train = unit(1, "british", "transport", (50, 60), before=before)
    assert rate_when_beaten(train, spears(2, (50, 50)), dice=4) is C


def test_movement_2_a_unit_remembers_what_it_did() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)), spears(2, (50, 20)), moved={1: M, 2: D}
    )
    carried_out(state, Step("turn ends"), dice=(1, 1))
    assert (state.units[1].before, state.units[2].before) == ((M,), (D,))


def test_movement_5_dice_of_irregulars_are_normal() -> None:
    state = battle(spears(1, (50, 20)), orders=order(1, "charge", combat="close combat"))
    made = carried_out(state, Step("movement", (MAHDIST,)), dice=(6, 6, 6, 6, 6))
    assert happened(made, e.Paced)[0].lengths == (3000,)
