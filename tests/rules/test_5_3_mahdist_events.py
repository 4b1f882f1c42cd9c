"""Phase I: every event of the Mahdist table does what its row says (5.3)."""

import pytest

from battles.contract.brief import Nation, Quality, TroopKind
from campaign.rules.core import events as e
from campaign.rules.core.board import board, forget
from campaign.rules.core.evolve import evolve
from campaign.rules.effects_in_force import hexes_barred_from_marching, strategic_now
from campaign.rules.map import HexId, sudan
from campaign.rules.tables.event_effects import LeaderValue, NoMarch, RollModifier
from tests.rules.random_events import (
    EGYPTIAN,
    MAHDIST,
    RELIEF,
    SIEGE,
    asked_hexes,
    asked_units,
    besiege,
    choose,
    game,
    happen,
    hex_of,
    new_units,
    of,
    on_map,
    put,
)


def test_5_3_i_the_emirs_quarrel_and_the_largest_stack_stays() -> None:
    state = game(RELIEF)
    ledger = happen(state, MAHDIST, 11)
    bands = {hex_of("Abba Island"), HexId(452)}
    assert set(asked_hexes(ledger, MAHDIST)) == bands
    assert {len(board(state).land(MAHDIST, hex_id)) for hex_id in bands} == {6}
    choose(ledger, HexId(452))
    assert isinstance(state.in_force[0].effect, NoMarch)
    assert hexes_barred_from_marching(state, MAHDIST) == {HexId(452)}
    assert not hexes_barred_from_marching(state, EGYPTIAN)


def test_5_3_i_an_abyssinian_raid_takes_units_round_goz_regeb_and_kassala() -> None:
    state = game(SIEGE)
    happen(state, MAHDIST, 15, 2)
    assert not board(state).stack(MAHDIST, hex_of("Goz Regeb"))
    assert not of(happen(state, MAHDIST, 16), e.Removed)


def test_5_3_i_harvest_sends_spears_of_the_largest_stack_home() -> None:
    state = game(RELIEF)
    ledger = happen(state, MAHDIST, 21, 4)
    lot = asked_units(ledger, MAHDIST)
    assert {state.units[unit].hex for unit in lot.units} == {hex_of("Shekan")}
    assert (lot.count, len(lot.units)) == (4, 12)
    choose(ledger, *lot.units[:4])
    assert len(board(state).land(MAHDIST, hex_of("Shekan"))) == 10


def test_5_3_i_a_false_prophet_takes_the_mahdis_strategic_value() -> None:
    state = game(SIEGE)
    happen(state, MAHDIST, 25)
    assert isinstance(state.in_force[0].effect, LeaderValue)
    assert strategic_now(state, "Mahdi", 2) == 0
    assert strategic_now(state, "Osman Digma", 1) == 1


def test_5_3_i_the_hadendowa_rise_round_sinkat_or_tokar_with_osman() -> None:
    state = game(SIEGE)
    ledger = happen(state, MAHDIST, 41, 5)
    choices = asked_hexes(ledger, MAHDIST)
    ground = sudan()
    centres = [hex_of("Sinkat"), hex_of("Tokar")]
    assert all(min(ground.distance(c, h) for c in centres) <= 2 for h in choices)
    assert not set(choices) & board(state).occupied[EGYPTIAN]
    choose(ledger, choices[0])
    assert [unit.hex for unit in new_units(ledger)] == [choices[0]] * 5


def test_5_3_i_the_hadendowa_join_the_mahdi_without_osman() -> None:
    state = game(RELIEF)
    ledger = happen(state, MAHDIST, 42, 2)
    assert [unit.hex for unit in new_units(ledger)] == [hex_of("Shekan")] * 2


def test_5_3_i_no_more_units_come_than_there_are_counters() -> None:
    state = game(RELIEF)
    state.pool[TroopKind.SPEARS], state.box[TroopKind.SPEARS] = 1, 0
    assert len(new_units(happen(state, MAHDIST, 42, 6))) == 1
    assert not new_units(happen(state, MAHDIST, 42))


def test_5_3_i_baggara_horse_join_the_mahdi_or_the_khalifa() -> None:
    state = game(RELIEF)
    (unit,) = new_units(happen(state, MAHDIST, 44))
    assert (unit.kind, unit.hex) == (TroopKind.CAVALRY, hex_of("Shekan"))


def test_5_3_i_spies_win_over_units_of_a_besieged_garrison() -> None:
    state = game(RELIEF)
    besiege(state, "El Obeid")
    camp = besiege(state, "El Obeid").hex
    inside = len(board(state).stack(EGYPTIAN, hex_of("El Obeid")))
    ledger = happen(state, MAHDIST, 45, 2)
    lot = asked_units(ledger, EGYPTIAN)
    assert (lot.count, len(lot.units)) == (2, 4)
    rifles = [unit for unit in lot.units if state.units[unit].kind is TroopKind.INFANTRY]
    choose(ledger, rifles[0], next(unit for unit in lot.units if unit not in rifles))
    assert len(board(state).stack(EGYPTIAN, hex_of("El Obeid"))) == inside - 2
    won = new_units(ledger)
    assert {(unit.kind, unit.quality, unit.hex) for unit in won} == {
        (TroopKind.INFANTRY, Quality.FANATIC, camp),
        (TroopKind.SPEARS, Quality.FANATIC, camp),
    }


def test_5_3_i_spies_win_over_nobody_without_counters_or_sieges() -> None:
    state = game(RELIEF)
    assert not of(happen(state, MAHDIST, 46), e.Removed)
    besiege(state, "El Obeid")
    state.box[TroopKind.INFANTRY] = state.pool[TroopKind.INFANTRY] = 0
    state.pool[TroopKind.SPEARS] = state.box[TroopKind.SPEARS] = 0
    assert not of(happen(state, MAHDIST, 46), e.Removed)


def test_5_3_i_a_captured_arsenal_arms_spears_once_something_was_captured() -> None:
    state = game(RELIEF)
    assert not of(happen(state, MAHDIST, 53), e.Improved)
    evolve(state, e.Flagged("captured"))
    ledger = happen(state, MAHDIST, 54)
    lot = asked_units(ledger, MAHDIST)
    choose(ledger, lot.units[0])
    assert state.units[lot.units[0]].kind is TroopKind.INFANTRY


def test_5_3_i_rails_are_lifted_where_nobody_guards_them_and_the_start_stays() -> None:
    state = game(SIEGE)
    evolve(state, e.RailBuilt("souakim", 4))
    happen(state, MAHDIST, 55, 2)
    assert state.railheads["souakim"] == 2
    happen(state, MAHDIST, 56, 6)
    assert state.railheads["souakim"] == 1
    happen(state, MAHDIST, 55)
    assert isinstance(state.in_force[0].effect, RollModifier)
    assert state.railheads["wady-halfa"] == 4


@pytest.mark.parametrize("kind", [TroopKind.INFANTRY, TroopKind.BOAT])
def test_5_3_i_rails_that_something_stands_on_are_not_lifted(kind: TroopKind) -> None:
    state = game(SIEGE)
    evolve(state, e.RailBuilt("souakim", 4))
    line = sudan().tracks["souakim_berber"].hexes
    put(state, line[2], kind, Nation.BRITISH)
    happen(state, MAHDIST, 55)
    assert state.railheads["souakim"] == 4


def test_5_3_i_letters_to_the_tribes_bring_spears_to_a_place_the_mahdists_hold() -> None:
    state = game(RELIEF)
    ledger = happen(state, MAHDIST, 61, 3)
    choices = asked_hexes(ledger, MAHDIST)
    assert hex_of("Rahad") in choices
    assert all(board(state).holds(MAHDIST, hex_id) for hex_id in choices)
    choose(ledger, hex_of("Rahad"))
    assert [unit.hex for unit in new_units(ledger)] == [hex_of("Rahad")] * 3


def test_5_3_i_a_boat_joins_at_a_river_town_the_mahdists_hold() -> None:
    state = game(SIEGE)
    ledger = happen(state, MAHDIST, 63)
    choices = asked_hexes(ledger, MAHDIST)
    assert all(sudan().river_at(hex_id) for hex_id in choices)
    choose(ledger, choices[0])
    assert [unit.kind for unit in new_units(ledger)] == [TroopKind.BOAT]
    assert not new_units(happen(game(RELIEF), MAHDIST, 63))


def test_5_3_i_the_banner_recovers_those_with_the_mahdi() -> None:
    state = game(RELIEF)
    evolve(state, e.Disrupted(tuple(unit.id for unit in on_map(state, MAHDIST)), "test"))
    happen(state, MAHDIST, 66)
    steady = {unit.hex for unit in on_map(state, MAHDIST) if not unit.disrupted}
    assert steady == {hex_of("Shekan")}


def test_2_2_nobody_rises_where_the_mahdists_may_not_go() -> None:
    state = game(RELIEF)
    state.control[hex_of("Dongola")] = MAHDIST
    forget(state)
    ledger = happen(state, MAHDIST, 62)
    assert hex_of("Dongola") not in asked_hexes(ledger, MAHDIST)
