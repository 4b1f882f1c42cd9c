"""Morale: the test, falling back, running away, coming back."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import close_combat
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Style, Troops, Weapon
from battles.books.restless_natives.state import State
from battles.contract.brief import Side
from battles.tabletop.field import TableTerrain, on_table
from battles.tabletop.formations import TableFormation
from tests.restless.field import (
    INCH,
    NORTH,
    SOUTH,
    SUBORDINATE,
    act,
    activated,
    at,
    battle,
    block,
    british,
    ledger,
    natives,
    table,
)


def test_morale_example_1() -> None:
    assert close_combat.passes(Troops.BRITISH, (5, 3, 2))


def test_morale_example_2() -> None:
    assert not close_combat.passes(Troops.EGYPTIAN, (6, 3))
    state = battle(british(1, at(24, 16), troops=Troops.EGYPTIAN, stands=2), natives(2, at(24, 6)))
    working = ledger(state, 6, 3, 1, 2, 3, 4)
    assert not close_combat.test(working, state.units[1])
    assert [roll.clause for roll in working.rolls] == ["Morale 3", "Morale 5"]
    assert state.units[1].at == at(24, 26)


def test_morale_1_one_die_for_each_stand_that_is_left() -> None:
    state = battle(british(1, at(24, 16), stands=3), natives(2, at(24, 6)))
    working = ledger(state, 5, 3, 2)
    assert close_combat.test(working, state.units[1])
    assert working.rolls[0].result == "passes"
    assert working.rolls[0].total == 10


def test_morale_1_no_loss_no_test() -> None:
    state = battle(british(1, at(24, 16)), natives(2, at(24, 6)))
    working = ledger(state)
    close_combat.lose(working, state.units[1], 0, "fire")
    close_combat.test_morale_after_losses(working, state.units[1], 0)
    assert working.events == []


def test_morale_2_british_pass_with_8() -> None:
    assert close_combat.needs(Troops.BRITISH) == 8
    assert close_combat.passes(Troops.BRITISH, (4, 4))
    assert not close_combat.passes(Troops.BRITISH, (4, 3))


@pytest.mark.parametrize(
    "troops", [Troops.AUSTRALIAN, Troops.INDIAN, Troops.EGYPTIAN, Troops.SUDANESE]
)
def test_morale_3_allies_pass_with_12(troops: Troops) -> None:
    assert close_combat.needs(troops) == 12
    assert close_combat.passes(troops, (6, 6))
    assert not close_combat.passes(troops, (6, 5))


def test_morale_3_egyptian_rabble_is_not_regular() -> None:
    assert close_combat.needs(Troops.IRREGULAR) == 16
    assert book().style(Troops.IRREGULAR) is Style.BRITISH


def test_morale_4_natives_pass_with_16() -> None:
    assert close_combat.needs(Troops.NATIVE) == 16
    assert close_combat.passes(Troops.NATIVE, (6, 6, 4))
    assert not close_combat.passes(Troops.NATIVE, (6, 6, 3))


def shot_at(*units: object, faces: tuple[int, ...], **more: object) -> State:
    """Unit 1 fails its test and throws these to fall back, with natives to the north of it."""
    state = battle(
        british(1, at(24, 16), stands=2),
        natives(2, at(24, 6)),
        *units,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )
    assert not close_combat.test(ledger(state, 1, 1, *faces), state.units[1])
    return state


def test_morale_5_directly_away_from_the_nearest_enemy() -> None:
    state = shot_at(natives(3, at(32, 16), 270), faces=(1, 1, 1, 1))
    unit = state.units[1]
    assert unit.at.x == pytest.approx(20 * INCH, abs=20)
    assert unit.at.y == pytest.approx(16 * INCH, abs=50)
    assert unit.facing == NORTH


def test_morale_5_it_falls_back_through_rough_terrain_as_far() -> None:
    field = table(block(TableTerrain.WOOD, 10, 17, 38, 30))
    assert shot_at(faces=(3, 3, 2, 2), field=field).units[1].at == at(24, 26)


def test_morale_6_who_is_barred_by_another_unit_runs_away() -> None:
    state = shot_at(british(3, at(24, 20)), faces=(2, 2, 2, 2))
    assert list(state.away) == [1]
    assert state.away[1].at == at(24, 36)


def test_morale_6_who_is_barred_by_water_runs_away() -> None:
    state = shot_at(faces=(6, 6, 1, 1), field=table(block(TableTerrain.RIVER, 0, 24, 48, 26)))
    assert list(state.away) == [1]


def test_morale_6_a_unit_further_off_does_not_bar_the_way() -> None:
    state = shot_at(british(3, at(24, 30)), faces=(2, 2, 2, 2))
    assert state.units[1].at == at(24, 24)


def test_morale_7_who_leaves_the_field_has_run_away() -> None:
    state = shot_at(faces=(6, 6, 6, 6))
    assert list(state.away) == [1]
    assert state.away[1].stands == 2


def test_morale_7_who_has_run_away_is_out_of_every_contact() -> None:
    state = battle(british(1, at(24, 35), stands=2), natives(2, at(24, 30.5)))
    activated(state, 2)
    act(state, a.March(), 6, 6, 6)
    outcome = act(state, a.Charge(1), 5, *(1,) * 11, 1, 1, 2, 6, 6, 6, 6)
    assert any(isinstance(event, e.RanAway) for event in outcome.events)
    assert state.contacts == []


def test_morale_5_with_no_enemy_left_it_stays() -> None:
    state = battle(british(1, at(24, 16), stands=2), natives(2, at(24, 6)))
    del state.units[2]
    assert not close_combat.test(ledger(state, 1, 1), state.units[1])
    assert state.units[1].at == at(24, 16)


def test_morale_1_a_commander_whose_stand_is_destroyed_is_succeeded() -> None:
    state = battle(
        british(1, at(24, 16), command=SUBORDINATE),
        british(4, at(24, 20), kind=Kind.COMMANDER, weapon=Weapon.NONE, stands=1),
        natives(2, at(24, 6)),
    )
    state.commanders[1].unit = 4
    close_combat.lose(ledger(state), state.units[4], 1, "fire")
    assert list(state.commanders) == [2, SUBORDINATE]
    assert state.commanders[SUBORDINATE].chief
    last = state.commanders[SUBORDINATE]
    assert close_combat.successor(state, last) is last


def test_morale_5_falling_back_it_stays_on_the_field_and_on_nobody() -> None:
    state = shot_at(faces=(3, 3, 3, 3))
    assert on_table(state.field, stands_of(state.units[1]))
    assert state.units[1].formation is TableFormation.LINE
    assert state.units[1].side is Side.EGYPTIAN
    assert SOUTH == 180
