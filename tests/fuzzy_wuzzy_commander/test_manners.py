"""The manner of each side: positions, and what the commander does in them."""

from typing import Any

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy.actions import (
    ToAdvance,
    ToFire,
    ToMove,
    ToOrder,
    ToRecover,
    UnitOrder,
)
from battles.books.fuzzy_wuzzy.commander import answer, expected_casualties
from battles.books.fuzzy_wuzzy.pieces import Band, Change, Combat, Grading, Rate, Style, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract import Side
from tests.fuzzy_wuzzy.field import EGYPTIAN, MAHDIST, battle, order, point, spears, unit, wood

RIFLES = Weapon.SINGLE_SHOT
HOLD = {EGYPTIAN: "hold", MAHDIST: "hold"}
ATTACK = {EGYPTIAN: "attack", MAHDIST: "attack"}


def ordered(side: Side, *units: Unit, plans: object = HOLD, **more: Any) -> dict[int, UnitOrder]:
    """Return the orders that a side gives."""
    state = battle(*units, question=ToOrder(side), plans=plans)
    action = answer(state)
    assert isinstance(action, a.Order)
    return {one.unit: one for one in action.orders}


def test_regulars_who_hold_stand_and_fire() -> None:
    given = ordered(EGYPTIAN, unit(1, "british", "infantry", (50, 60)), spears(2, (50, 40)))
    assert given[1] == UnitOrder(1, combat=Combat.FIRE)


def moved(side: Side, patrol: Unit, *others: Unit, turn: int = 1) -> a.Move:
    """Return the move of a unit that is to hold its ground and has been ordered to march."""
    state = battle(
        patrol,
        *others,
        plans=HOLD,
        orders=order(patrol.id, "march"),
        paces={patrol.id: 700},
        question=ToMove(side),
    )
    state.turn = turn
    action = answer(state)
    assert isinstance(action, a.Move)
    return action


def test_regulars_who_hold_march_out_and_back_to_see_who_comes() -> None:
    line = unit(1, "british", "infantry", (50, 60))
    assert ordered(EGYPTIAN, line)[1] == UnitOrder(1, Rate.MARCH, None, Combat.FIRE)
    assert ordered(EGYPTIAN, line, spears(2, (50, 30)))[1].movement is Rate.MARCH
    for foes in ((), (spears(2, (50, 30)),)):
        assert moved(EGYPTIAN, line, *foes) == a.Move(1, point(50, 58.5), 0)
        assert moved(EGYPTIAN, line, *foes, turn=2) == a.Move(1, point(50, 61.5), 0)


def test_an_ambush_that_sees_nobody_reconnoitres() -> None:
    for ambush in (spears(2, (50, 30)), spears(2, (50, 30), weapon=RIFLES)):
        assert ordered(MAHDIST, ambush)[2].movement is Rate.MARCH
        assert moved(MAHDIST, ambush) == a.Move(2, point(50, 31.5), 180)


def test_regulars_who_attack_march_and_fire() -> None:
    line, foe = unit(1, "british", "infantry", (50, 60)), spears(2, (50, 20), weapon=RIFLES)
    given = ordered(EGYPTIAN, line, foe, plans=ATTACK)
    assert given[1] == UnitOrder(1, Rate.MARCH, None, Combat.FIRE)


def test_regulars_turn_to_the_enemy() -> None:
    given = ordered(EGYPTIAN, unit(1, "british", "infantry", (50, 60), 180), spears(2, (50, 40)))
    assert given[1].movement is Rate.MARCH
    state = battle(
        unit(1, "british", "infantry", (50, 60), 180),
        spears(2, (50, 40)),
        plans=HOLD,
        orders=given,
        paces={1: 700},
        question=ToMove(EGYPTIAN),
    )
    action = answer(state)
    assert isinstance(action, a.Move)
    assert (action.to, action.facing) == (state.units[1].at, 0)


def test_a_battalion_beset_on_two_sides_forms_square() -> None:
    given = ordered(
        EGYPTIAN,
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 40)),
        spears(3, (50, 85), 0),
    )
    assert given[1].change is Change.SQUARE


def test_guns_unlimber_when_the_enemy_is_in_range_and_follow_when_not() -> None:
    guns = unit(1, "british", "artillery", (50, 60), stands=2, formation="limbered")
    given = ordered(EGYPTIAN, guns, spears(2, (50, 30)), plans=ATTACK)
    assert given[1] == UnitOrder(1, None, Change.UNLIMBER, Combat.FIRE)
    guns = unit(1, "british", "artillery", (50, 110), stands=2)
    given = ordered(EGYPTIAN, guns, spears(2, (50, 20)), plans=ATTACK)
    assert given[1] == UnitOrder(1, Rate.MARCH, Change.LIMBER)


def test_regulars_charge_whom_they_have_broken() -> None:
    given = ordered(
        EGYPTIAN, unit(1, "british", "infantry", (50, 60)), spears(2, (50, 50), retreating=True)
    )
    assert given[1] == UnitOrder(1, Rate.CHARGE, None, Combat.CLOSE)


def test_the_routed_are_told_to_rally() -> None:
    given = ordered(EGYPTIAN, unit(1, "british", "infantry", (50, 60), retreating=True))
    assert given[1] == UnitOrder(1, change=Change.RALLY)


def test_mahdists_lie_in_wait_and_spring_up() -> None:
    ambush, far = spears(2, (50, 30)), unit(1, "british", "infantry", (50, 70))
    assert ordered(MAHDIST, ambush, far)[2] == UnitOrder(2)
    near = unit(1, "british", "infantry", (50, 45))
    assert ordered(MAHDIST, ambush, near)[2] == UnitOrder(2, Rate.CHARGE, None, Combat.CLOSE)


def test_who_waits_in_vain_goes_out_to_the_enemy() -> None:
    far = unit(1, "british", "infantry", (50, 90))
    for waits, side in ((2, MAHDIST), (1, EGYPTIAN)):
        state = battle(spears(2, (50, 30)), far, question=ToOrder(side), plans=HOLD)
        state.turn = 5
        action = answer(state)
        assert isinstance(action, a.Order)
        assert action.orders[0].unit == waits
        assert action.orders[0].movement is Rate.MARCH


def test_mahdists_let_the_routed_run() -> None:
    routed = unit(1, "british", "infantry", (50, 60), retreating=True)
    steady = unit(3, "british", "infantry", (70, 60))
    state = battle(
        spears(2, (50, 40), 180),
        routed,
        steady,
        plans=ATTACK,
        orders=order(2, "march", combat="close combat"),
        paces={2: 1000},
        question=ToMove(MAHDIST),
    )
    action = answer(state)
    assert isinstance(action, a.Move)
    assert action.to.x > state.units[2].at.x


def test_mahdists_gather_beyond_the_rifles_before_they_run() -> None:
    foe = unit(1, "british", "infantry", (50, 70))
    host = [spears(10 + nth, (20 + 12 * nth, 10)) for nth in range(4)]
    alone = spears(2, (50, 32))
    given = ordered(MAHDIST, alone, *host, foe, plans=ATTACK)
    assert given[2].movement is Rate.MARCH
    up = [spears(10 + nth, (20 + 12 * nth, 33)) for nth in range(4)]
    given = ordered(MAHDIST, alone, *up, foe, plans=ATTACK)
    assert given[2].movement is Rate.DOUBLE


def test_mahdist_rifles_come_to_their_range_and_fire() -> None:
    rifles = spears(2, (50, 48), weapon=RIFLES)
    foe = unit(1, "british", "infantry", (50, 60))
    assert ordered(MAHDIST, rifles, foe, plans=ATTACK)[2] == UnitOrder(2, combat=Combat.FIRE)


def test_a_flank_tempts_more_than_a_front() -> None:
    state = battle(
        spears(2, (50, 50), 180),
        unit(1, "british", "infantry", (50, 62), 0),
        unit(3, "british", "infantry", (65, 58), 90),
        plans=ATTACK,
        orders=order(2, "charge", combat="close combat"),
        paces={2: 3000},
        question=ToMove(MAHDIST),
    )
    assert answer(state) == a.Close(2, 3)


def test_fire_goes_where_most_is_to_be_expected() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 35)),
        spears(3, (53, 50)),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN, (1,)),
    )
    assert answer(state) == a.Fire(1, 3)


def test_what_a_volley_promises() -> None:
    dice = [
        expected_casualties(Style.REGULAR, Weapon.SINGLE_SHOT, band, Grading.LIGHT)
        for band in (Band.SHORT, Band.EFFECTIVE, Band.LONG)
    ]
    assert dice == [9, 4, 1]


def test_beaten_enemies_are_pursued_into_the_next() -> None:
    def after(side: Side, number: int) -> State:
        return battle(
            unit(1, "british", "infantry", (50, 60)),
            spears(2, (50, 52), 180),
            paces={number: 2000},
            question=ToAdvance(side, number, "pursuit"),
        )

    assert answer(after(MAHDIST, 2)) == a.Close(2, 1)
    assert answer(after(EGYPTIAN, 1)) == a.Done()


def test_casualties_are_recovered_where_that_brings_stands_back() -> None:
    def hurt(*markers: int) -> object:
        return answer(
            battle(
                unit(1, "british", "infantry", (50, 60), markers=markers),
                question=ToRecover(EGYPTIAN),
            )
        )

    assert hurt(2, 2, 2, 2, 0, 0) == a.Recover(1)
    assert hurt(1, 1, 0, 0, 0, 0) == a.Done()


def test_who_sees_nobody_goes_where_the_enemy_should_be() -> None:
    state = battle(
        spears(2, (50, 20), 180),
        plans=ATTACK,
        features=(wood(0, 0, 5, 5, "scrub"),),
        orders=order(2, "march"),
        paces={2: 900},
        question=ToMove(MAHDIST),
    )
    action = answer(state)
    assert isinstance(action, a.Move)
    assert action.to.y > 2500
