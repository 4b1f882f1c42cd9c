"""The Souakim field forces: which units an event calls, and what follows (2.3)."""

from battles.contract.brief import Nation, TroopKind
from campaign.rules.core.pieces import Month, month
from campaign.rules.core.state import State
from campaign.rules.railways import OPEN
from tests.rules.random_events import EGYPTIAN, SIEGE, game, happen, hex_of, new_units, put


def arriving(state: State) -> list[str]:
    return [
        unit.name or unit.kind
        for due in state.due
        if due.month == state.month
        for unit in due.units
    ]


def test_2_3_the_first_field_force_then_the_second_then_supply() -> None:
    state = game(SIEGE, month(1884, 3))
    happen(state, EGYPTIAN, 14)
    assert state.called == ["souakim_1"]
    assert len(arriving(state)) == 15
    assert {due.at for due in state.due if due.month == state.month} == {(hex_of("Souakim"),)}
    state.due = [due for due in state.due if due.month > state.month]
    happen(state, EGYPTIAN, 22)
    assert state.called == ["souakim_1", "souakim_2"]
    assert "Coldstream Guards" in arriving(state)
    ledger = happen(state, EGYPTIAN, 15)
    (supply,) = new_units(ledger)
    assert (supply.kind, supply.hex) == (TroopKind.SUPPLY, hex_of("Souakim"))


def test_2_3_units_called_that_are_on_the_map_are_not_moved() -> None:
    state = game(SIEGE, month(1884, 10))
    watch = put(state, hex_of("Korti"), TroopKind.INFANTRY, Nation.BRITISH, name="Black Watch")
    happen(state, EGYPTIAN, 14)
    assert "Black Watch" not in arriving(state)
    assert state.units[watch.id].hex == hex_of("Korti")


def test_2_3_units_called_early_do_not_come_again_with_the_expedition() -> None:
    state = game(SIEGE, month(1884, 3))
    happen(state, EGYPTIAN, 14)
    names = [unit.name for due in state.due for unit in due.units if unit.name]
    assert names.count("Black Watch") == 1
    assert names.count("Gordon Highlanders") == 1
    assert "Black Watch" in arriving(state)
    assert "Staffords" not in arriving(state)


def test_2_3_no_coldstream_guards_beside_the_guards_camel_corps() -> None:
    state = game(SIEGE, month(1884, 12))
    state.called = ["souakim_1"]
    put(state, hex_of("Korti"), TroopKind.CAMEL_CORPS, Nation.BRITISH, name="Guards Camel Corps")
    happen(state, EGYPTIAN, 14)
    assert "Coldstream Guards" not in arriving(state)
    assert "Scots Guards" in arriving(state)


def test_3_3_a_leader_who_fell_does_not_come_with_the_second_force() -> None:
    state = game(SIEGE, month(1884, 12))
    state.called = ["souakim_1"]
    happen(state, EGYPTIAN, 21)
    assert "Graham" not in arriving(state)


def test_3_41_the_railway_may_begin_the_turn_after_the_second_force_was_called() -> None:
    state = game(SIEGE, month(1884, 12))
    state.called = ["souakim_1"]
    happen(state, EGYPTIAN, 14)
    assert OPEN not in state.flags
    state.month = Month(state.month + 1)
    happen(state, EGYPTIAN, 31)
    assert state.flags.count(OPEN) == 1
