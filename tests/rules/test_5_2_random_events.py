"""Phase I: random events are rolled, change later rolls, and ask their owner (5.2, 5.3)."""

import re

import pytest

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import month
from campaign.rules.core.play import STEPS as ALL_STEPS
from campaign.rules.core.questions import ToChooseHex, ToChooseUnits
from campaign.rules.core.state import State
from campaign.rules.effects_in_force import modifiers
from campaign.rules.map import sudan
from campaign.rules.prose.phrases import event_in_words
from campaign.rules.random_events import STEPS
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.event_effects import ModifiableRoll
from campaign.rules.tables.scenario_loader import scenarios
from tests.rules.random_events import (
    EGYPTIAN,
    MAHDIST,
    RELIEF,
    SIEGE,
    added,
    besiege,
    choose,
    game,
    happen,
    hex_of,
    new_units,
    of,
    on_map,
    put,
    rolled,
)


def test_5_2_i_the_first_die_is_the_tens() -> None:
    ledger = happen(game(SIEGE), EGYPTIAN, 35)
    (event,) = of(ledger, e.EventRolled)
    assert (event.roll, event.title) == (35, "Quiet month")
    assert ledger.rolls[0].dice == (3, 5)
    assert ledger.rolls[0].clause == "5.2 I"
    assert len(ledger.events) == 1


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


def test_5_2_i_nobody_joins_where_the_enemy_stands() -> None:
    state = game(RELIEF)
    put(state, hex_of("Dongola"), TroopKind.SPEARS, Nation.MAHDIST)
    ledger = happen(state, EGYPTIAN, 42)
    assert [unit.hex for unit in new_units(ledger)] == [hex_of("Duem")]


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


@pytest.mark.parametrize("side", Side)
def test_5_2_i_no_despatch_of_an_event_names_a_die_modifier(side: Side) -> None:
    for scenario in scenarios():
        for row in shipped_edition().events(scenario.slug, side).values():
            assert not re.search(r"(?<!\w)[+-]\d", event_in_words(row.text)), row.title


def test_5_2_i_the_effect_of_an_event_is_told_in_words() -> None:
    told = event_in_words("-1 this turn to Mahdist march rolls of stacks that start in desert.")
    assert told == "Mahdist march rolls of stacks that start in desert are worse this turn."
    told = event_in_words("Before May 1884 -1 to British march rolls this turn. From then on, 6.")
    assert told == "British march rolls are worse this turn."
    told = event_in_words("1D6 hexes are lost; otherwise +1 this turn to march rolls in desert.")
    assert told == "March rolls in desert are better this turn."
    told = event_in_words("The emirs debate: -1 to all Mahdist march rolls this turn.")
    assert told == "The emirs debate: all Mahdist march rolls are worse this turn."
