"""Leaders with their cards and their men, and a side that gets away."""

import msgspec
import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats.field import Terrain, distance, parse_square
from battles.books.redcoats.pieces import Formation, Heroic, Kind, Troops
from battles.books.redcoats.state import TableEntry, Unit
from battles.contract import Side
from tests.redcoats_commander.positions import (
    answered,
    asked,
    british,
    dervish,
    done_by,
    graham,
    in_brigade,
    osman,
    position,
    with_cards,
)

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST


@pytest.mark.parametrize(
    ("attacker", "wanted"), [(EGYPTIAN, a.Coordinate((1, 2))), (MAHDIST, a.Done())]
)
def test_a_leader_takes_along_who_is_to_go_somewhere(attacker: Side, wanted: object) -> None:
    units = british(1, "D4"), british(2, "E4"), dervish(9, "D8")
    state = position(*units, attacker=attacker, leaders=[graham(20, "D4")])
    state.question = q.ToCoordinate(EGYPTIAN, 20, (1, 2))
    assert answered(state) == wanted


def test_a_brigade_square_acts_as_one_even_where_it_holds() -> None:
    faces, brigade = in_brigade("E2")
    state = position(*faces, dervish(9, "E8"), brigades=(brigade,), leaders=[graham(20, "E2")])
    state.question = q.ToCoordinate(EGYPTIAN, 20, (1, 2, 3, 4))
    assert answered(state) == a.Coordinate((1, 2, 3, 4))


def test_rifles_go_before_spears_and_the_leader_last() -> None:
    units = dervish(10, "D7"), dervish(11, "E7", armed=True)
    state = position(british(1, "D4"), *units, leaders=[osman(20, "D8")])
    state.question = q.ToChooseNext(MAHDIST, 20, (10, 11, 20))
    assert answered(state) == a.Activate(11)


@pytest.mark.parametrize("card", [Heroic.FIGHTING, Heroic.RECOVER])
def test_cards_for_the_hour_of_need_are_played_when_it_comes(card: Heroic) -> None:
    state = position(british(1, "D4"), dervish(9, "D5"), leaders=[graham(20, "D4")])
    with_cards(state, EGYPTIAN, card)
    state.question = q.ToPlayCard(EGYPTIAN, 1, card)
    assert answered(state) == a.PlayCard(card)


def test_a_second_volley_is_fired_where_it_is_likely_to_hit() -> None:
    for figures, wanted in ((4, a.PlayCard(Heroic.FIREPOWER)), (1, a.Done())):
        unit = british(1, "D4", figures=figures)
        state = position(unit, dervish(9, "D6"), leaders=[graham(20, "D4")])
        with_cards(state, EGYPTIAN, Heroic.FIREPOWER)
        asked(state, 1, points=2)
        assert state.acting is not None
        state.acting.fired, state.acting.points, state.acting.carried = ["1"], 0, True
        assert answered(state) == wanted


def test_dervishes_hurry_the_last_squares_with_a_card() -> None:
    state = position(british(1, "D3"), dervish(9, "D7"), leaders=[osman(20, "D7")])
    with_cards(state, MAHDIST, Heroic.MOVEMENT)
    assert asked(state, 9, points=2) == a.PlayCard(Heroic.MOVEMENT)


def test_no_card_is_spent_on_movement_that_the_unit_will_not_make() -> None:
    # The rub waits for the others, who are far off, and would not go a square further.
    far = [dervish(number, f"{letter}8") for number, letter in enumerate("ABKL", start=20)]
    british_line = [british(number, f"{letter}1") for number, letter in enumerate("EFG", start=1)]
    state = position(*british_line, dervish(9, "F5"), *far, leaders=[osman(30, "F5")])
    with_cards(state, MAHDIST, Heroic.MOVEMENT)
    assert not isinstance(asked(state, 9, points=1), a.PlayCard)


def test_bad_luck_is_kept() -> None:
    state = position(british(1, "D3"), dervish(9, "D7"), leaders=[osman(20, "D7")])
    with_cards(state, MAHDIST, Heroic.HARD_LUCK)
    assert not isinstance(asked(state, 9, points=2), a.PlayCard)


def test_infantry_does_not_leave_its_line_to_pursue_but_cavalry_does() -> None:
    state = position(british(1, "D4"), british(2, "H4", kind=Kind.CAVALRY), dervish(9, "D6"))
    for unit, wanted in ((1, a.Done()), (2, a.Pursue())):
        state.question = q.ToPursue(EGYPTIAN, unit, 9)
        assert answered(state) == wanted


def test_break_off_2_who_breaks_off_goes_away_from_the_enemy() -> None:
    state = position(british(1, "D4"), dervish(9, "D6"))
    state.breaking_off = [EGYPTIAN]
    done_by(state, 1, points=6)
    assert distance(state.units[1].square, parse_square("D6")) > 2


def test_break_off_2_who_stands_at_the_edge_leaves() -> None:
    state = position(british(1, "D1", "N"), dervish(9, "D6"))
    state.breaking_off = [EGYPTIAN]
    assert asked(state, 1, points=6) == a.Leave()


def test_who_comes_on_comes_on_beside_his_friends() -> None:
    waiting = british(1, "D1")
    waiting.square = -1
    entry = TableEntry(1, tuple(parse_square(square) for square in ("A1", "F1", "L1")))
    state = position(waiting, british(2, "G1"), dervish(9, "D8"), entries={1: entry})
    action = asked(state, 1, points=4)
    assert isinstance(action, a.Enter)
    assert action.square == parse_square("F1")


def test_the_train_stays_where_it_is() -> None:
    train = british(1, "D1", kind=Kind.TRANSPORT, formation=Formation.TRANSPORT)
    assert asked(position(train, dervish(9, "D3")), 1) == a.Done()


def gunboat(number: int, square: str) -> Unit:
    return Unit(
        number,
        EGYPTIAN,
        Kind.GUNBOAT,
        Troops.EGYPTIAN,
        6,
        6,
        parse_square(square),
        2,
        Formation.AFLOAT,
    )


def test_gunboats_10_a_gunboat_fires_both_its_armaments() -> None:
    nile = {f"{letter}1": Terrain.WATER for letter in "ABCDEFGHIJKL"}
    state = position(gunboat(1, "D1"), dervish(9, "D3"), ground=nile)
    weapons = set()
    for fired in ([], ["artillery"], ["machine gun"]):
        action = asked(state, 1)
        assert state.acting is not None
        state.acting.fired = fired
        action = answered(state)
        assert isinstance(action, a.Fire)
        weapons.add(action.weapon)
    assert weapons == {Kind.ARTILLERY, Kind.MACHINE_GUN}


def test_gunboats_10_who_is_bold_fires_at_a_vessel_too_which_is_never_shaken() -> None:
    nile = {f"{letter}1": Terrain.WATER for letter in "ABCDEFGHIJKL"}
    captured = msgspec.structs.replace(gunboat(9, "D1"), side=Side.MAHDIST)
    battery = british(1, "D4", "N", kind=Kind.ARTILLERY)
    state = position(battery, captured, ground=nile, attacker=EGYPTIAN)
    state.turn = 8
    assert asked(state, 1) == a.Fire(9, 1)
