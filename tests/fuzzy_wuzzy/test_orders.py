"""Section 4: orders, and what goes together."""

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import orders
from battles.books.fuzzy_wuzzy.actions import ToOrder, UnitOrder
from battles.books.fuzzy_wuzzy.aftermath import gather_casualties
from battles.books.fuzzy_wuzzy.pieces import Change, Combat, Rate
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import Unit
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction, Step
from battles.tabletop.formations import TableFormation
from tests.fuzzy_wuzzy.field import EGYPTIAN, battle, carried_out, happened, order, spears, unit

FOOT = unit(1, "british", "infantry", (50, 60))
M, D, C = Rate.MARCH, Rate.DOUBLE, Rate.CHARGE


def refused(of: Unit, given: UnitOrder) -> str:
    with pytest.raises(IllegalAction) as error:
        orders.check(battle(of), given)
    return str(error.value)


def test_orders_1_one_of_each_sort() -> None:
    state = battle(FOOT, question=ToOrder(EGYPTIAN))
    given = UnitOrder(1, M, Change.SQUARE, Combat.FIRE)
    rules.play(state, a.Order((given,)), ScriptedDice())
    assert state.orders == {1: given}
    rules.play(state, a.Order((UnitOrder(1),)), ScriptedDice())
    assert state.orders == {1: UnitOrder(1)}


def test_orders_1_what_goes_together() -> None:
    found = list(orders.together(battle(FOOT), FOOT))
    assert found[0] == UnitOrder(1)
    assert {UnitOrder(1, M, Change.SQUARE, Combat.FIRE), UnitOrder(1, C, None, Combat.CLOSE)} <= {
        *found
    }
    assert UnitOrder(1, C, Change.SQUARE, Combat.CLOSE) not in found
    horse = unit(1, "british", "cavalry", (50, 60))
    fires = {one.change for one in orders.together(battle(horse), horse) if one.combat == "fire"}
    assert fires == {Change.DISMOUNT}


def test_orders_2_mounted_men_who_owe_a_retreat_have_nothing_to_fire_with() -> None:
    owing = unit(1, "british", "cavalry", (50, 60), owes=Rate.CHARGE)
    assert not orders.allowed_orders(battle(owing), owing).any
    down = unit(1, "british", "cavalry", (50, 60), owes=Rate.CHARGE, dismounted=True)
    assert orders.allowed_orders(battle(down), down).combats == (Combat.FIRE,)


def test_orders_1_a_unit_twice_on_a_sheet_is_refused() -> None:
    state = battle(FOOT, question=ToOrder(EGYPTIAN))
    with pytest.raises(IllegalAction, match="ordered twice"):
        rules.check(state, a.Order((UnitOrder(1), UnitOrder(1))))


def test_orders_1_nobody_orders_the_enemy() -> None:
    state = battle(FOOT, spears(2, (50, 20)), question=ToOrder(EGYPTIAN))
    with pytest.raises(IllegalAction, match="none of yours"):
        rules.check(state, a.Order((UnitOrder(2),)))


def test_orders_1_a_change_of_formation_or_a_square_only_marches() -> None:
    assert "only march" in refused(FOOT, UnitOrder(1, D, Change.MARCH_COLUMN))
    square = unit(1, "british", "infantry", (50, 60), formation="square")
    assert "only march" in refused(square, UnitOrder(1, D))
    assert "in square" in refused(square, UnitOrder(1, M, combat=Combat.CLOSE))


def test_orders_1_who_is_in_contact_only_fights() -> None:
    state = battle(FOOT, engaged=[1])
    assert orders.allowed_orders(state, FOOT) == orders.Allowed(combats=(Combat.CLOSE,))


def test_orders_2_the_rates_that_a_unit_may_use() -> None:
    assert orders.allowed_orders(battle(FOOT), FOOT).rates == (M, D, C)
    tired = unit(1, "british", "infantry", (50, 60), before=(D,))
    assert orders.allowed_orders(battle(tired), tired).rates == (M,)
    assert "not move at that rate" in refused(tired, UnitOrder(1, D))


def test_orders_2_a_result_lets_it_or_forbids_it() -> None:
    tired = unit(1, "british", "infantry", (50, 60), before=(D,), leave=C)
    assert orders.allowed_orders(battle(tired), tired).rates == (M, C)
    halted = unit(1, "british", "infantry", (50, 60), halted=True)
    assert orders.allowed_orders(battle(halted), halted).rates == ()


@pytest.mark.parametrize(
    ("of", "changes"),
    [
        (FOOT, {"column of march", "square"}),
        (spears(1, (50, 20)), {"column of march"}),
        (unit(1, "british", "artillery", (50, 60), stands=2), {"limber"}),
        (unit(1, "british", "artillery", (50, 60), stands=2, formation="limbered"), {"unlimber"}),
        (unit(1, "british", "cavalry", (50, 60)), {"column of march", "dismount"}),
        (
            unit(1, "british", "cavalry", (50, 60), dismounted=True),
            {"column of march", "square", "mount"},
        ),
        (unit(1, "british", "infantry", (50, 60), retreating=True), {"rally"}),
        (
            unit(1, "british", "infantry", (50, 60), markers=(1, 1, 0, 0)),
            {"column of march", "square", "reorganisation"},
        ),
        (unit(1, "british", "command", (50, 60)), set()),
        (unit(1, "british", "transport", (50, 60)), set()),
    ],
)
def test_orders_3_changes_by_arm(of: Unit, changes: set[str]) -> None:
    assert set(orders.allowed_orders(battle(of), of).changes) == changes


def test_orders_3_a_line_of_irregulars_is_a_mass() -> None:
    column = spears(1, (50, 20), formation="march column")
    assert orders.formation_after(Change.LINE, column) is TableFormation.MASS
    assert orders.formation_after(Change.LINE, FOOT) is TableFormation.LINE


def test_orders_3_square_is_formed_before_anybody_moves() -> None:
    state = battle(FOOT, orders=order(1, change="square"))
    made = carried_out(state, Step("movement", (EGYPTIAN,)))
    (formed,) = happened(made, e.Formed)
    assert (formed.formation, formed.cause) == (TableFormation.SQUARE, "square")
    assert state.question is None


def test_orders_3_dismounting_and_mounting() -> None:
    state = battle(unit(1, "british", "cavalry", (50, 60)), orders=order(1, change="dismount"))
    carried_out(state, Step("movement", (EGYPTIAN,)))
    assert state.units[1].dismounted
    state.orders = order(1, change="mount")
    carried_out(state, Step("movement", (EGYPTIAN,)))
    assert not state.units[1].dismounted


def test_orders_3_reorganisation_gathers_casualties() -> None:
    assert gather_casualties(3, 4) == (0, 0, 1, 2)
    assert gather_casualties(0, 2) == (0, 0)
    state = battle(
        unit(1, "british", "infantry", (50, 60), markers=(1, 1, 1, 0)),
        orders=order(1, change="reorganisation"),
    )
    made = carried_out(state, Step("movement", (EGYPTIAN,)))
    assert happened(made, e.Reorganised)[0].markers == (0, 0, 1, 2)


@pytest.mark.parametrize(
    ("of", "combats"),
    [
        (FOOT, {"fire", "close combat"}),
        (spears(1, (50, 20)), {"close combat"}),
        (unit(1, "british", "artillery", (50, 60), stands=2), {"fire"}),
        (unit(1, "british", "command", (50, 60)), set()),
        (unit(1, "british", "transport", (50, 60)), set()),
        (unit(1, "british", "infantry", (50, 60), markers=(2, 2)), set()),
    ],
)
def test_orders_4_combat_orders_by_arm(of: Unit, combats: set[str]) -> None:
    assert set(orders.allowed_orders(battle(of), of).combats) == combats


def test_orders_4_who_cannot_fire() -> None:
    assert "A charging unit does not fire" in refused(FOOT, UnitOrder(1, C, combat=Combat.FIRE))
    horse = unit(1, "british", "cavalry", (50, 60))
    assert "Mounted men" in refused(horse, UnitOrder(1, combat=Combat.FIRE))
    guns = unit(1, "british", "artillery", (50, 60), stands=2, formation="limbered")
    assert "Limbered guns" in refused(guns, UnitOrder(1, combat=Combat.FIRE))
    orders.check(battle(guns), UnitOrder(1, None, Change.UNLIMBER, Combat.FIRE))


def test_orders_4_unlimbered_guns_stay_where_they_are() -> None:
    guns = unit(1, "british", "artillery", (50, 60), stands=2)
    assert "unlimbered" in refused(guns, UnitOrder(1, M))
    orders.check(battle(guns), UnitOrder(1, M, Change.LIMBER))
