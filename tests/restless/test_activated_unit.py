"""The actions of an activated unit: the eight things, formations, and the card laid down for it."""

from itertools import product

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import activation, movement
from battles.books.restless_natives.activation import may_follow
from battles.books.restless_natives.book import book
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Deed, Kind, Special, Troops, Weapon
from battles.books.restless_natives.state import Activation, Contact, State
from battles.core.game import IllegalAction
from battles.tabletop.formations import TableFormation
from tests.restless.field import BRITISH_CHIEF, NORTH, act, activated, at, battle, british, natives

MOVE, FIRE, FORM = Deed.MOVED, Deed.FIRED, Deed.FORMED


def battalion() -> State:
    """Return a battalion that is activated, with a warband in range before it."""
    return activated(battle(british(1, at(24, 20)), natives(2, at(24, 11))), 1)


def step_north(state: State, *faces: int) -> None:
    act(state, a.March(), *faces)
    unit = state.units[1]
    act(state, a.Move((unit.at._replace(y=unit.at.y - 100),), NORTH))


def volley(state: State) -> None:
    act(state, a.Fire((2,)), 1, 1, 1, 1)


def test_activated_unit_1_it_moves_and_then_fires() -> None:
    state = battalion()
    step_north(state, 3)
    volley(state)
    assert state.acting is None


def test_activated_unit_2_it_fires_and_then_moves() -> None:
    state = battalion()
    volley(state)
    step_north(state, 3)
    assert state.acting is None


def test_activated_unit_3_it_fires_twice() -> None:
    state = battalion()
    volley(state)
    volley(state)
    assert state.acting is None
    state = battalion()
    act(state, a.Fire((2,), 2), *(1,) * 8)
    assert state.acting is None
    with pytest.raises(IllegalAction, match="cannot fire 3 times"):
        act(battalion(), a.Fire((2,), 3))


def test_activated_unit_4_it_moves_twice() -> None:
    state = battalion()
    step_north(state, 1)
    step_north(state, 1)
    assert state.units[1].at == at(24, 18)
    assert state.acting is None
    state = battalion()
    act(state, a.March(2), 1, 1)
    act(state, a.Move((at(24, 28),), NORTH))
    assert state.acting is None
    with pytest.raises(IllegalAction, match="cannot move 3 times"):
        act(battalion(), a.March(3))


def test_activated_unit_5_it_changes_formation_and_moves() -> None:
    state = battalion()
    act(state, a.Form(TableFormation.COLUMN))
    step_north(state, 3, 3)
    assert state.units[1].formation is TableFormation.COLUMN
    assert state.acting is None


def test_activated_unit_6_it_changes_formation_and_fires() -> None:
    state = battalion()
    act(state, a.Form(TableFormation.SQUARE))
    act(state, a.Fire((2,)), 1)
    assert state.acting is None


def test_activated_unit_5_formation_comes_first() -> None:
    state = battalion()
    step_north(state, 3)
    with pytest.raises(IllegalAction, match="before it moves or fires"):
        act(state, a.Form(TableFormation.SQUARE))


def test_activated_unit_7_it_moves_and_initiates_a_close_combat() -> None:
    state = battalion()
    state.units[2].at = at(24, 16)
    act(state, a.March(), 6)
    act(state, a.Charge(2), *(1,) * 8, *(1,) * 6)
    assert state.contacts == [Contact(1, 2)]
    assert state.acting is None


def test_activated_unit_7_only_with_its_first_and_single_move() -> None:
    for first in (a.Form(TableFormation.COLUMN), None):
        state = battalion()
        state.units[2].at = at(24, 17)
        if first:
            act(state, first)
            act(state, a.March(), 6, 6)
        else:
            act(state, a.March(2), 6, 6)
        with pytest.raises(IllegalAction, match="made first"):
            act(state, a.Charge(2))


def test_activated_unit_7_after_fire_there_is_no_going_in() -> None:
    state = battalion()
    state.units[2].at = at(24, 17)
    volley(state)
    act(state, a.March(), 6)
    offered = options(state)
    assert offered is not None
    assert offered.charges == ()


def test_activated_unit_8_a_unit_engaged_fights() -> None:
    state = battalion()
    state.contacts = [Contact(2, 1)]
    assert activation.must_fight(state)
    assert activation.enemies(state) == (2,)


def test_activated_unit_9_one_card_before_anything_is_done() -> None:
    state = battalion()
    commander = state.commanders[BRITISH_CHIEF]
    commander.hand = [Special.FIREPOWER, Special.MOVEMENT]
    act(state, a.PlayCard(Special.FIREPOWER))
    assert (commander.hand, state.discards) == ([Special.MOVEMENT], [Special.FIREPOWER])
    with pytest.raises(IllegalAction, match="One card of the unit’s commander"):
        act(state, a.PlayCard(Special.MOVEMENT))
    act(state, a.Fire((2,)), *(1,) * 8)


def test_activated_unit_9_not_after_it_has_done_something() -> None:
    state = battalion()
    state.commanders[BRITISH_CHIEF].hand = [Special.FIREPOWER]
    step_north(state, 3)
    with pytest.raises(IllegalAction, match="cannot be laid down now"):
        act(state, a.PlayCard(Special.FIREPOWER))


@pytest.mark.parametrize("deeds", list(product((MOVE, FIRE, FORM), repeat=2)))
def test_activated_unit_1_these_pairs_and_no_others(deeds: tuple[Deed, Deed]) -> None:
    allowed = {(MOVE, FIRE), (FIRE, MOVE), (FIRE, FIRE), (MOVE, MOVE), (FORM, MOVE), (FORM, FIRE)}
    first, second = deeds
    assert (first in may_follow(()) and second in may_follow((first,))) is (deeds in allowed)
    assert may_follow(deeds) == frozenset()


def test_activated_unit_1_it_need_not_do_two_things() -> None:
    state = battalion()
    act(state, a.Done())
    assert state.acting is None
    assert activation.moves_left(Activation(1, [MOVE])) == 1
    assert activation.volleys_left(Activation(1, [FORM])) == 1


@pytest.mark.parametrize(
    ("troops", "kind", "permitted"),
    [
        (Troops.EGYPTIAN, Kind.INFANTRY, {"line", "square", "column"}),
        (Troops.BRITISH, Kind.CAVALRY, {"line", "column"}),
        (Troops.NATIVE, Kind.INFANTRY, {"line", "column", "mass"}),
        (Troops.NATIVE, Kind.CAMELRY, {"line", "column", "mass"}),
        (Troops.BRITISH, Kind.ARTILLERY, {"line"}),
        (Troops.NATIVE, Kind.COMMANDER, {"line"}),
        (Troops.BRITISH, Kind.TRANSPORT, {"march column"}),
    ],
)
def test_activated_unit_5_formations_of_either_style(
    troops: Troops, kind: Kind, permitted: set[str]
) -> None:
    assert set(book().formations(book().style(troops), kind)) == permitted


def test_activated_unit_5_a_square_needs_a_stand_for_each_face() -> None:
    assert movement.may_take(british(1, at(24, 20)), TableFormation.SQUARE)
    assert not movement.may_take(british(1, at(24, 20), stands=3), TableFormation.SQUARE)


def test_activated_unit_5_there_has_to_be_room_for_it() -> None:
    column = british(1, at(24, 20), formation=TableFormation.COLUMN)
    state = battle(column, british(3, at(26.5, 20), stands=2), natives(2, at(4, 4)))
    assert TableFormation.LINE not in movement.changes(state, state.units[1])
    state.units[3].at = at(30, 20)
    assert TableFormation.LINE in movement.changes(state, state.units[1])


def test_activated_unit_2_the_unarmed_have_no_targets() -> None:
    state = battle(british(1, at(24, 20), weapon=Weapon.NONE), natives(2, at(24, 11)))
    offered = options(activated(state, 1))
    assert offered is not None
    assert offered.targets == ()
