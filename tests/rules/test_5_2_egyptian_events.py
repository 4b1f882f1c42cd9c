"""Phase I: every event of the Egyptian tables does what its row says (5.2)."""

import pytest

from battles.contract.brief import Nation, Quality, TroopKind
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month, UnitId, month
from campaign.rules.core.state import OFF_MAP, DueUnits, Unit
from campaign.rules.effects_in_force import use_reroll
from campaign.rules.march.fleet import REPAIR
from campaign.rules.tables.event_effects import ModifiableRoll
from tests.rules.random_events import (
    EGYPTIAN,
    MAHDIST,
    RELIEF,
    SIEGE,
    added,
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


def test_5_2_i_mutiny_disrupts_half_of_the_r_units_of_the_town_with_most() -> None:
    state = game(RELIEF)
    town = hex_of("Berber")
    put(state, town, TroopKind.INFANTRY, Nation.EGYPTIAN)
    ledger = happen(state, EGYPTIAN, 11)
    lot = asked_units(ledger, EGYPTIAN)
    assert {state.units[unit].hex for unit in lot.units} == {town}
    assert (len(lot.units), lot.count) == (3, 1)
    choose(ledger, lot.units[1])
    assert state.units[lot.units[1]].disrupted


def test_5_2_i_mutiny_of_towns_with_as_many_is_chosen_by_their_owner() -> None:
    ledger = happen(game(RELIEF), EGYPTIAN, 12)
    assert set(asked_hexes(ledger, EGYPTIAN)) == {hex_of("El Obeid"), hex_of("Berber")}


def test_5_2_i_transports_late_move_the_next_reinforcement_by_a_month() -> None:
    state = game(RELIEF)
    happen(state, EGYPTIAN, 13)
    assert [due.month for due in state.due][:2] == [month(1882, 12), month(1883, 2)]


def test_5_2_i_transports_early_bring_it_now() -> None:
    state = game(RELIEF)
    happen(state, EGYPTIAN, 54)
    assert [due.month for due in state.due][:2] == [month(1882, 10), month(1883, 2)]


def test_5_2_i_transports_are_those_announced_not_replacements() -> None:
    state = game(RELIEF)
    camel = Unit(UnitId(900), TroopKind.CAMEL, Nation.BRITISH, Quality.NONE, 1, OFF_MAP)
    state.due.insert(0, DueUnits(state.month, "replacement", (hex_of("Souakim"),), (camel,)))
    happen(state, EGYPTIAN, 14)
    assert [due.month for due in state.due][:2] == [month(1882, 10), month(1882, 12)]


def test_5_2_i_desertion_takes_one_of_each_besieged_hex_never_the_last() -> None:
    state = game(SIEGE)
    for name in ("Khartoum", "Berber"):
        besiege(state, name)
    ledger = happen(state, EGYPTIAN, 34)
    assert not of(ledger, e.Removed)
    state = game(RELIEF)
    for name in ("El Obeid", "Goz Regeb", "Metemmeh"):
        besiege(state, name)
    keep = board(state).stack(EGYPTIAN, hex_of("Metemmeh"))
    evolve(state, e.Removed((keep[0].id,), "test"))
    ledger = happen(state, EGYPTIAN, 15)
    lot = asked_units(ledger, EGYPTIAN)
    assert {state.units[unit].hex for unit in lot.units} == {hex_of("El Obeid")}
    assert {(state.units[u].quality, state.units[u].kind) for u in lot.units} == {
        (Quality.RABBLE, TroopKind.INFANTRY),
        (Quality.RABBLE, TroopKind.SPEARS),
    }
    choose(ledger, lot.units[0])
    choose(ledger, asked_units(ledger, EGYPTIAN).units[1])
    assert len(board(state).stack(EGYPTIAN, hex_of("Goz Regeb"))) == 1
    assert len(board(state).stack(EGYPTIAN, hex_of("Metemmeh"))) == 1
    assert len(of(ledger, e.Removed)) == 2


def test_5_2_i_good_intelligence_helps_the_one_stack_its_owner_chooses() -> None:
    state = game(RELIEF)
    ledger = happen(state, EGYPTIAN, 43)
    assert hex_of("Berber") in asked_hexes(ledger, EGYPTIAN)
    choose(ledger, hex_of("Berber"))
    assert added(state, ModifiableRoll.MARCH, board(state).stack(EGYPTIAN, hex_of("Berber"))) == 1
    assert added(state, ModifiableRoll.MARCH, board(state).stack(EGYPTIAN, hex_of("Duem"))) == 0


def test_5_2_i_camels_join_at_duem_or_dongola() -> None:
    state = game(RELIEF)
    ledger = happen(state, EGYPTIAN, 41)
    assert set(asked_hexes(ledger, EGYPTIAN)) == {hex_of("Duem"), hex_of("Dongola")}
    choose(ledger, hex_of("Dongola"))
    (camel,) = new_units(ledger)
    assert (camel.kind, camel.nation, camel.hex) == (
        TroopKind.CAMEL,
        Nation.BRITISH,
        hex_of("Dongola"),
    )


@pytest.mark.parametrize(("besieged", "place"), [(False, "Khartoum"), (True, "Souakim")])
def test_5_2_i_a_grain_convoy_goes_to_khartoum_or_else_to_souakim(
    besieged: bool, place: str
) -> None:
    state = game(RELIEF)
    if besieged:
        besiege(state, "Khartoum")
    ledger = happen(state, EGYPTIAN, 45)
    (supply,) = new_units(ledger)
    assert (supply.kind, supply.hex) == (TroopKind.SUPPLY, hex_of(place))


def test_5_2_i_remingtons_make_line_of_rabble_in_a_town() -> None:
    state = game(RELIEF)
    ledger = happen(state, EGYPTIAN, 63)
    lot = asked_units(ledger, EGYPTIAN)
    chosen = lot.units[0]
    assert {state.units[unit].kind for unit in lot.units} == {TroopKind.INFANTRY}
    choose(ledger, chosen)
    assert state.units[chosen].quality is Quality.LINE


def test_5_2_i_arrears_paid_recover_every_egyptian_unit_in_friendly_towns() -> None:
    """British supply and camels are the player's, but no Egyptian units (1.1)."""
    state = game(RELIEF)
    evolve(state, e.Disrupted(tuple(unit.id for unit in on_map(state, EGYPTIAN)), "test"))
    happen(state, EGYPTIAN, 65)
    shaken = [unit for unit in on_map(state, EGYPTIAN) if unit.disrupted]
    outside = {unit.hex for unit in shaken if unit.nation is Nation.EGYPTIAN}
    assert outside == {hex_of(name) for name in ("Duem", "Goz Regeb", "Sinkat", "Tokar")}
    paid_elsewhere = {unit.kind for unit in shaken if unit.nation is Nation.BRITISH}
    assert paid_elsewhere == {TroopKind.SUPPLY, TroopKind.CAMEL}


def test_5_2_i_the_cabinet_wavers_only_before_november_1884() -> None:
    state = game(SIEGE, month(1884, 10))
    happen(state, EGYPTIAN, 11)
    gordon = board(state).stack(EGYPTIAN, hex_of("Khartoum"))
    assert added(state, ModifiableRoll.MARCH, gordon) == 0
    guards = put(state, hex_of("Korti"), TroopKind.CAMEL_CORPS, Nation.BRITISH)
    assert added(state, ModifiableRoll.MARCH, [guards]) == -1


@pytest.mark.parametrize(
    ("when", "die", "over"),
    [
        (month(1884, 11), 5, False),
        (month(1884, 11), 6, True),
        (month(1885, 3), 5, False),
        (month(1885, 4), 3, False),
        (month(1885, 4), 4, True),
    ],
)
def test_4_2_the_cabinet_recalls_the_expedition(when: Month, die: int, over: bool) -> None:
    state = game(SIEGE, when)
    happen(state, EGYPTIAN, 13, die)
    assert (state.result is not None) is over
    if state.result is not None:
        assert state.result.winner is None
        assert not state.agenda
    assert not state.in_force


def test_5_2_i_enteric_disrupts_a_british_battalion_and_spoils_british_attrition() -> None:
    state = game(SIEGE)
    british = [
        put(state, hex_of(name), TroopKind.INFANTRY, Nation.BRITISH) for name in ("Korti", "Debbeh")
    ]
    ledger = happen(state, EGYPTIAN, 23)
    lot = asked_units(ledger, EGYPTIAN)
    assert set(lot.units) == {unit.id for unit in british}
    choose(ledger, british[0].id)
    assert [unit.disrupted for unit in british] == [True, False]
    assert added(state, ModifiableRoll.ATTRITION, [british[1]]) == -1
    assert (
        added(state, ModifiableRoll.ATTRITION, board(state).stack(EGYPTIAN, hex_of("Khartoum")))
        == 0
    )


def test_5_2_i_mange_takes_a_camel_that_is_replaced_in_time() -> None:
    state = game(SIEGE)
    assert not of(happen(state, EGYPTIAN, 25), e.Removed)
    camel = put(state, hex_of("Korti"), TroopKind.CAMEL, Nation.BRITISH)
    happen(state, EGYPTIAN, 26)
    assert camel.id not in state.units


def test_5_2_i_voyageurs_help_british_boats_and_save_one_wreck() -> None:
    state = game(SIEGE)
    boat = put(state, hex_of("Korti"), TroopKind.BOAT, Nation.BRITISH)
    ledger = happen(state, EGYPTIAN, 41)
    assert added(state, ModifiableRoll.BOAT_UPSTREAM, [boat]) == 6
    steamer = on_map(state, EGYPTIAN, TroopKind.GUNBOAT)[0]
    assert not use_reroll(ledger, steamer)
    assert use_reroll(ledger, boat)
    assert not use_reroll(ledger, boat)


def test_5_2_i_contractors_deliver_at_wady_halfa_or_souakim() -> None:
    ledger = happen(game(SIEGE), EGYPTIAN, 43)
    assert set(asked_hexes(ledger, EGYPTIAN)) == {hex_of("Wady Halfa"), hex_of("Souakim")}


def test_5_2_i_friendly_ababdeh_help_the_british_north_of_berber() -> None:
    state = game(SIEGE)
    happen(state, EGYPTIAN, 45)
    for name, value in (("Abou Hamed", 1), ("Metemmeh", 0)):
        british = put(state, hex_of(name), TroopKind.INFANTRY, Nation.BRITISH)
        assert added(state, ModifiableRoll.MARCH, [british]) == value


@pytest.mark.parametrize("missing", ["Gordon", "gunboat"])
def test_5_2_i_a_steamer_raid_needs_gordon_and_a_gunboat(missing: str) -> None:
    state = game(SIEGE)
    gone = [u.id for u in state.units.values() if missing in {u.name, u.kind}]
    evolve(state, e.Removed(tuple(gone), "test"))
    happen(state, EGYPTIAN, 52)
    assert not state.in_force


def test_5_2_i_gordons_proclamation_recovers_everybody_in_khartoum() -> None:
    state = game(SIEGE)
    evolve(state, e.Disrupted(tuple(unit.id for unit in on_map(state, EGYPTIAN)), "test"))
    happen(state, EGYPTIAN, 54)
    shaken = {unit.hex for unit in on_map(state, EGYPTIAN) if not unit.disrupted}
    assert shaken == {hex_of("Khartoum")}


def test_5_2_i_naval_artificers_bring_wrecks_back_a_month_sooner() -> None:
    state = game(SIEGE)
    hull = Unit(UnitId(900), TroopKind.GUNBOAT, Nation.BRITISH, Quality.NONE, 1, OFF_MAP)
    state.due.append(DueUnits(month(1884, 8), REPAIR, (hex_of("Wady Halfa"),), (hull,)))
    happen(state, EGYPTIAN, 55)
    assert state.due[-1].month == month(1884, 7)
    assert state.due[0].month == month(1884, 9)


def test_5_2_i_the_indian_brigade_comes_while_a_counter_is_free() -> None:
    state = game(SIEGE)
    names = []
    for _ in range(3):
        (unit,) = new_units(happen(state, EGYPTIAN, 63))
        assert (unit.nation, unit.strength, unit.quality) == (Nation.INDIAN, 3, Quality.LINE)
        names.append(unit.name)
    assert len(set(names)) == 3
    (unit,) = new_units(happen(state, EGYPTIAN, 64))
    assert unit.kind is TroopKind.SUPPLY


def test_5_2_i_mahmal_money_sends_spears_home_that_stand_next_to_egyptian_towns() -> None:
    state = game(SIEGE)
    assert not of(happen(state, EGYPTIAN, 65), e.Removed)
    for name in ("Berber", "Sinkat"):
        besiege(state, name)
    guard = besiege(state, "Berber")
    pile = state.pool[TroopKind.SPEARS]
    ledger = happen(state, EGYPTIAN, 66, 1)
    lot = asked_units(ledger, MAHDIST)
    assert lot.count == 1
    assert len(lot.units) == 2
    choose(ledger, guard.id)
    assert state.pool[TroopKind.SPEARS] == pile + 1
