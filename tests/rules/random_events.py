"""Random events in tests: let one happen, answer what it asks, and look at the result."""

from collections import Counter
from typing import TypeVar

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.dice import Dice, ScriptedDice
from battles.core.game import Event, Ledger, Step
from campaign.rules import new_game
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.play import STEPS as ALL_STEPS
from campaign.rules.core.questions import ToChooseHex, ToChooseUnits
from campaign.rules.core.state import Phase, State, Unit
from campaign.rules.effects_in_force import modifiers
from campaign.rules.map import HexId, sudan
from campaign.rules.random_events import event_phase
from campaign.rules.tables.book import book
from campaign.rules.tables.event_effects import ModifiableRoll

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
    """Return one more unit on the map; the Mahdists take it from their counters."""
    usual = book().default(kind, nation)
    number = UnitId(state.next_unit)
    unit = Unit(number, kind, nation, usual.quality, usual.strength, hex_id, name=name)
    evolve(state, e.Arrived((unit,), "test"))
    return state.units[unit.id]


def happen(state: State, side: Side, code: int, *dice: int) -> Ledger[State]:
    """Let the event of these dice happen, until something is asked or it is over."""
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
    """Return the Mahdist counters of each kind, on the map, in the pile and beside it."""
    on_map = Counter(unit.kind for unit in state.units.values() if unit.side is MAHDIST)
    kinds = [kind for kind in TroopKind if book().counters(kind)]
    assert min([*state.pool.values(), *state.box.values()]) >= 0
    return {k: on_map[k] + state.pool.get(k, 0) + state.box.get(k, 0) for k in kinds}


def choose(ledger: Ledger[State], *chosen: int) -> None:
    """Answer the open question."""
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
