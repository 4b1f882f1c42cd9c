"""Arrivals, withdrawals, dismounting, and the set-up before the first month."""

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ScriptedDice
from campaign import rules
from campaign.orders.headquarters import SeatCommand
from campaign.orders.order_sheet import OrderOutcome
from campaign.rules.core.actions import Done
from campaign.rules.core.state import DueUnits, State, Unit
from campaign.rules.map import sudan
from campaign.rules.set_up import set_up_choices
from campaign.rules.tables.editions import shipped_edition
from tests.orders.helpers import SEAT, carried_out, obeyed, sheet
from tests.positions import SIEGE, position, units_of
from tests.rules.helpers import ids

SOUAKIM, HALFA = sudan().place("Souakim").hex, sudan().place("Wady Halfa").hex


def with_arrivals(*groups: tuple[str, str, tuple[int, ...]]) -> State:
    """Return the Egyptian reinforcement phase, with these groups come: reason, units, places."""
    state: State = position(
        "Souakim: infantry british", "Wady Halfa: infantry british", phase="reinforcement"
    )
    for reason, what, at in groups:
        units = tuple(
            unit.as_new_counter(unit.id) for unit in units_of(what, SOUAKIM, state.next_unit)
        )
        state.next_unit += len(units)
        state.due.append(DueUnits(state.month, reason, at, units))  # type: ignore[arg-type]
    return state


def standing(state: State, units: tuple[Unit, ...]) -> set[int]:
    return {state.units[unit.id].hex for unit in units}


def test_arrivals_stand_where_they_are_ordered() -> None:
    state = with_arrivals(("help", "2 infantry british", (SOUAKIM, HALFA)))
    units = state.due[0].units
    account = obeyed(state, sheet(reinforcements=[{"hexes": [HALFA]}]))
    assert standing(state, units) == {HALFA}
    assert account.arrivals[0].outcome is OrderOutcome.DONE


def test_the_first_lawful_hex_in_order_of_liking_is_taken() -> None:
    state = with_arrivals(("help", "2 infantry british", (SOUAKIM, HALFA)))
    units = state.due[0].units
    obeyed(state, sheet(reinforcements=[{"hexes": [1, 2042, HALFA, SOUAKIM]}]))
    assert standing(state, units) == {HALFA}


def test_units_named_come_before_groups_and_groups_before_whoever_comes() -> None:
    state = with_arrivals(
        ("help", "2 infantry british", (SOUAKIM, HALFA)), ("supplies", "supply", (SOUAKIM, HALFA))
    )
    (one, other), (supply,) = state.due[0].units, state.due[1].units
    obeyed(
        state,
        sheet(
            reinforcements=[
                {"hexes": [SOUAKIM]},
                {"hexes": [HALFA], "reason": "supplies"},
                {"hexes": [HALFA], "units": [one.id]},
            ]
        ),
    )
    assert standing(state, (one,)) == {HALFA}
    assert standing(state, (other,)) == {SOUAKIM}
    assert standing(state, (supply,)) == {HALFA}


def test_without_an_order_they_stand_where_the_standing_instructions_say() -> None:
    state = with_arrivals(("help", "2 infantry british", (SOUAKIM, HALFA)))
    units = state.due[0].units
    obeyed(state, sheet(standing={"arrive": [HALFA]}))
    assert standing(state, units) == {HALFA}


def test_units_are_withdrawn_in_the_reinforcement_phase() -> None:
    state = with_arrivals()
    units = ids(state, "Souakim")
    order = {"type": "withdraw", "hex": SOUAKIM, "units": list(units)}
    account = obeyed(state, sheet(order))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert units[0] not in state.units


def test_camel_corps_dismount_in_the_march_phase() -> None:
    state = position("Korti: 2 camel corps british")
    units = ids(state, "Korti")
    order = {"type": "dismount", "hex": sudan().place("Korti").hex, "units": list(units)}
    assert obeyed(state, sheet(order)).orders[0].outcome is OrderOutcome.DONE
    assert {state.units[unit].kind for unit in units} == {TroopKind.INFANTRY}


def test_stacks_told_to_stay_stay() -> None:
    state = position("Korti: 2 infantry british")
    units, korti = ids(state, "Korti"), sudan().place("Korti").hex
    account = obeyed(state, sheet({"type": "stay", "hex": korti}))
    assert account.orders[0].outcome is OrderOutcome.DONE
    assert {state.units[unit].hex for unit in units} == {korti}


def test_before_the_first_month_units_are_set_up_as_ordered() -> None:
    state = rules.new_game(SIEGE, shipped_edition())
    rules.play(state, Done(), ScriptedDice())
    choices = set_up_choices(state, Side.MAHDIST)
    unit, hexes = next((unit, hexes) for unit, hexes in choices.items() if len(hexes) > 1)
    there = next(hex_id for hex_id in hexes if hex_id != state.units[unit].hex)
    what = sheet({"type": "deploy", "units": [unit], "to": there})
    progress = carried_out(state, SeatCommand(SEAT, Side.MAHDIST, what))
    assert state.units[unit].hex == there
    assert progress.account(SEAT).orders[0].outcome is OrderOutcome.DONE
