"""Phase I: every event does what its row says, and asks where a side may choose (5.2, 5.3)."""

from collections import Counter
from typing import TypeVar

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, Dice, ScriptedDice
from battles.core.game import Event, Step
from battles.core.ledger import Ledger
from campaign.rules import new_game
from campaign.rules.core import events as e
from campaign.rules.core.board import board, forget
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month, UnitId, month
from campaign.rules.core.questions import ToChooseHex, ToChooseUnits
from campaign.rules.core.sequence import STEPS as ALL_STEPS
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase, State, Unit
from campaign.rules.effects_in_force import (
    hexes_barred_from_marching,
    modifiers,
    strategic_now,
    use_reroll,
)
from campaign.rules.map import HexId, sudan
from campaign.rules.march.wrecks import REPAIR
from campaign.rules.railways import OPEN
from campaign.rules.random_events import STEPS, event_phase
from campaign.rules.tables.book import book
from campaign.rules.tables.event_effects import LeaderValue, ModifiableRoll, NoMarch, RollModifier

RELIEF, SIEGE = "relief-of-el-obeid", "siege-of-khartoum"
EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST

E = TypeVar("E", bound=Event)


def hex_of(name: str) -> HexId:
    return sudan().place(name).hex


def game(slug: str, when: Month | None = None) -> State:
    """Return the campaign as it is set up, with nothing asked, in its first month or another."""
    state = new_game(slug)
    state.question, state.agenda = None, []
    state.month = when or state.month
    return state


def put(state: State, hex_id: HexId, kind: TroopKind, nation: Nation, *, name: str = "") -> Unit:
    """One more unit on the map; the Mahdists take it from their counters."""
    usual = book().default(kind, nation)
    number = UnitId(state.next_unit)
    unit = Unit(number, kind, nation, usual.quality, usual.strength, hex_id, name=name)
    evolve(state, e.Arrived((unit,), "test"))
    return state.units[unit.id]


def happen(state: State, side: Side, code: int, *dice: int) -> Ledger[State]:
    """Return the event of these dice happens, until something is asked or it is over."""
    return rolled(state, side, ScriptedDice(*divmod(code, 10), *dice))


def rolled(state: State, side: Side, dice: Dice) -> Ledger[State]:
    state.side, state.phase = side, Phase.EVENT
    ledger = Ledger(state, dice, evolve)
    event_phase(ledger, side)
    go_on(ledger)
    return ledger


def go_on(ledger: Ledger[State]) -> None:
    before = counters(ledger.state)
    ledger.advance(ALL_STEPS)
    assert counters(ledger.state) == before
    if isinstance(ledger._dice, ScriptedDice) and ledger.state.question is None:
        assert ledger._dice.left == 0


def counters(state: State) -> dict[TroopKind, int]:
    """Mahdist counters of each kind, on the map, in the pile and beside it."""
    on_map = Counter(unit.kind for unit in state.units.values() if unit.side is MAHDIST)
    kinds = [kind for kind in TroopKind if book().counters(kind)]
    assert min([*state.pool.values(), *state.box.values()]) >= 0
    return {k: on_map[k] + state.pool.get(k, 0) + state.box.get(k, 0) for k in kinds}


def choose(ledger: Ledger[State], *chosen: int) -> None:
    """The open question is answered."""
    question = ledger.state.question
    assert isinstance(question, ToChooseHex | ToChooseUnits)
    ledger.answered()
    ledger.then(Step(question.purpose, (*question.args, *chosen)))
    go_on(ledger)


def of(ledger: Ledger[State], kind: type[E]) -> list[E]:
    return [event for event in ledger.events if isinstance(event, kind)]


def new_units(ledger: Ledger[State]) -> list[Unit]:
    return [unit for event in ledger.events if isinstance(event, e.Arrived) for unit in event.units]


def asked_hexes(ledger: Ledger[State], side: Side) -> tuple[HexId, ...]:
    question = ledger.state.question
    assert isinstance(question, ToChooseHex)
    assert question.side is side
    return question.choices


def asked_units(ledger: Ledger[State], side: Side) -> ToChooseUnits:
    question = ledger.state.question
    assert isinstance(question, ToChooseUnits)
    assert question.side is side
    return question


def on_map(state: State, side: Side, *kinds: TroopKind) -> list[Unit]:
    return [u for u in state.units.values() if u.side is side and (not kinds or u.kind in kinds)]


def added(state: State, throw: ModifiableRoll, units: list[Unit]) -> int:
    return sum(modifier.value for modifier in modifiers(state, throw, units))


def besiege(state: State, name: str) -> Unit:
    """Return a Mahdist unit next to the place."""
    enemy = board(state).occupied[EGYPTIAN]
    near = [h for h in sudan().neighbours[hex_of(name)] if h not in enemy]
    return put(state, near[0], TroopKind.SPEARS, Nation.MAHDIST)


def test_5_2_i_the_first_die_is_the_tens() -> None:
    ledger = happen(game(SIEGE), EGYPTIAN, 35)
    (event,) = of(ledger, e.EventRolled)
    assert (event.roll, event.title) == (35, "Quiet month")
    assert ledger.rolls[0].dice == (3, 5)
    assert ledger.rolls[0].clause == "5.2 I"
    assert len(ledger.events) == 1


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


@pytest.mark.parametrize(
    ("slug", "side", "code", "throw", "place", "value"),
    [
        (RELIEF, EGYPTIAN, 21, ModifiableRoll.ATTRITION, "Duem", -1),
        (RELIEF, EGYPTIAN, 21, ModifiableRoll.ATTRITION, "Khartoum", 0),
        (RELIEF, EGYPTIAN, 23, ModifiableRoll.MARCH, "Goz Regeb", -1),
        (RELIEF, EGYPTIAN, 23, ModifiableRoll.MARCH, "Berber", 0),
        (RELIEF, EGYPTIAN, 23, ModifiableRoll.ATTRITION, "Goz Regeb", 0),
        (RELIEF, EGYPTIAN, 25, ModifiableRoll.GUNBOAT_WRECK, "Khartoum", 1),
        (RELIEF, EGYPTIAN, 55, ModifiableRoll.ATTRITION, "Duem", 1),
        (RELIEF, EGYPTIAN, 55, ModifiableRoll.ATTRITION, "Bara", 0),
        (RELIEF, EGYPTIAN, 61, ModifiableRoll.ATTRITION, "Bara", 1),
        (SIEGE, EGYPTIAN, 61, ModifiableRoll.ATTRITION, "Tokar", 1),
        (SIEGE, EGYPTIAN, 51, ModifiableRoll.ATTRITION, "Khartoum", 2),
        (SIEGE, EGYPTIAN, 51, ModifiableRoll.ATTRITION, "Omdurman", 0),
        (SIEGE, EGYPTIAN, 53, ModifiableRoll.ATTRITION, "Khartoum", 1),
        (SIEGE, MAHDIST, 13, ModifiableRoll.ATTRITION, "El Obeid", -1),
        (SIEGE, MAHDIST, 23, ModifiableRoll.MARCH, "Tamanieb", -1),
        (SIEGE, MAHDIST, 23, ModifiableRoll.MARCH, "El Obeid", 0),
        (SIEGE, MAHDIST, 51, ModifiableRoll.MARCH, "El Obeid", 1),
        (SIEGE, MAHDIST, 55, ModifiableRoll.MARCH, "Tamanieb", 1),
        (SIEGE, MAHDIST, 55, ModifiableRoll.MARCH, "El Obeid", 0),
        (SIEGE, MAHDIST, 65, ModifiableRoll.ATTRITION, "Goz Regeb", 1),
    ],
)
def test_5_2_i_modifiers_reach_the_stacks_the_row_names(  # noqa: PLR0917
    slug: str, side: Side, code: int, throw: ModifiableRoll, place: str, value: int
) -> None:
    state = game(slug)
    happen(state, side, code)
    assert added(state, throw, board(state).stack(side, hex_of(place))) == value


def test_5_2_i_a_modifier_lasts_until_the_end_of_its_sides_turn() -> None:
    state = game(SIEGE)
    happen(state, EGYPTIAN, 61)
    evolve(state, e.TurnEnded(MAHDIST))
    assert state.in_force
    evolve(state, e.TurnEnded(EGYPTIAN))
    assert not state.in_force


def test_5_2_i_a_modifier_says_its_event_and_clause() -> None:
    state = game(SIEGE)
    happen(state, MAHDIST, 51)
    (modifier,) = modifiers(state, ModifiableRoll.MARCH, on_map(state, MAHDIST)[:1])
    assert (modifier.value, modifier.reason, modifier.clause) == (1, "Holy war preached", "5.3 I")


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


def test_5_2_i_nobody_joins_where_the_enemy_stands() -> None:
    state = game(RELIEF)
    put(state, hex_of("Dongola"), TroopKind.SPEARS, Nation.MAHDIST)
    ledger = happen(state, EGYPTIAN, 42)
    assert [unit.hex for unit in new_units(ledger)] == [hex_of("Duem")]


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


CODES = [10 * tens + units for tens in range(1, 7) for units in range(1, 7)]


class Loaded:
    """Dice of which the first two are given, and the rest fall as they will."""

    def __init__(self, code: int, seed: int) -> None:
        self._first = [*divmod(code, 10)]
        self._rest = ChainedDice(bytes([seed]) * 32)

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        if self._first:
            given, self._first = tuple(self._first[:count]), self._first[count:]
            return given
        return self._rest.throw(count, sides)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("slug", [RELIEF, SIEGE])
def test_5_2_i_every_event_runs_to_its_end_and_can_be_stored_on_the_way(
    slug: str, side: Side
) -> None:
    for code in CODES:
        state = game(slug, month(1883, 6) if slug == RELIEF else month(1884, 12))
        for name in ("El Obeid", "Khartoum", "Berber"):
            if board(state).stack(EGYPTIAN, hex_of(name)):
                besiege(state, name)
        ledger = rolled(state, side, Loaded(code, code))
        for _ in range(9):
            question = ledger.state.question
            if question is None:
                break
            stored = encode(ledger.state)
            assert encode(decode(stored, State)) == stored
            assert isinstance(question, ToChooseHex | ToChooseUnits)
            if isinstance(question, ToChooseHex):
                choose(ledger, question.choices[-1])
            else:
                choose(ledger, *question.units[-question.count :])
        assert ledger.state.question is None
        stands = {unit.hex for unit in ledger.state.units.values()}
        occupied = board(ledger.state).occupied
        assert not occupied[EGYPTIAN] & occupied[MAHDIST]
        assert not any(sudan().hexes[hex_id].sea for hex_id in stands)


def test_5_2_i_the_steps_of_events_are_known_to_the_sequence_of_play() -> None:
    assert set(STEPS) <= set(ALL_STEPS)
