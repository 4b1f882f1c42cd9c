"""The few calls that tests of the rules are written in; every one of them checks the invariants.

`play` carries out one action with a script of dice that must be used up, `happen` a phase that
asks for dice only, `refused` expects a clause. `march`, `fight` and `settle` save repetition.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.dice import Roll, ScriptedDice
from battles.core.game import Event, IllegalAction, Ledger, Outcome
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.tables.book import book
from tests.positions import hex_of, phase_step, units_of
from tests.rules.invariants import check_action

E = TypeVar("E", bound=Event)

NOBODY: Mapping[str, str] = {}


def play(state: State, action: a.AnyAction, dice: Sequence[int] = ()) -> Outcome:
    """Return the action carried out; the script must hold exactly the dice that it throws."""
    script = ScriptedDice(*dice)
    outcome = carry_out(state, action, script)
    assert not script.left, f"{script.left} dice of the script were not thrown"
    return outcome


def carry_out(state: State, action: a.AnyAction, dice: ScriptedDice) -> Outcome:
    """Return the action carried out with what it needs of a longer script."""
    before = encode(state)
    outcome = rules.play(state, action, dice)
    check_action(before, state, outcome)
    return outcome


def happen(state: State, phase: str, dice: Sequence[int] = ()) -> Outcome:
    """Return the phase of the side to move begins and goes on until somebody is asked or it is
    over.
    """
    script = ScriptedDice(*dice)
    before = encode(state)
    state.question = None
    ledger = Ledger(state, script, evolve)
    ledger.then(phase_step(state.side, phase))
    ledger.advance(STEPS)
    outcome = ledger.recorded(e.AgendaRecorded)
    assert not script.left, f"{script.left} dice of the script were not thrown"
    check_action(before, state, outcome)
    return outcome


def refused(state: State, action: a.AnyAction, clause: str) -> IllegalAction:
    """Return the refusal, which names the clause and leaves every byte of the state as it was."""
    before = encode(state)
    for attempt in (
        lambda: rules.check(state, action),
        lambda: rules.play(state, action, ScriptedDice()),
    ):
        try:
            attempt()
        except IllegalAction as refusal:
            said = refusal
            assert said.clause == clause, f"{said.clause}: {said}"
            assert said.reason
        else:
            raise AssertionError(f"{action} was allowed")
        assert encode(state) == before, "a refused action has changed the state"
    return said


def ids(state: State, where: str | int, what: str = "") -> tuple[UnitId, ...]:
    """Return the units there that the words mean, such as `2 infantry egyptian L, Gordon`; all of
    them without words.
    """
    here = [unit for unit in sorted(state.units.values(), key=_number) if unit.hex == hex_of(where)]
    if not what:
        return tuple(unit.id for unit in here)
    found: list[UnitId] = []
    for wanted in units_of(what, hex_of(where), 0):
        match = [unit for unit in here if unit.id not in found and _alike(unit, wanted)]
        assert match, f"there is no {wanted.name or wanted.kind} at {where}"
        found.append(match[0].id)
    return tuple(found)


def one(state: State, where: str | int, what: str) -> UnitId:
    """Return the first unit there that the words mean."""
    return ids(state, where, what)[0]


def _number(unit: Unit) -> UnitId:
    return unit.id


def _alike(unit: Unit, wanted: Unit) -> bool:
    return (unit.kind, unit.nation, unit.quality, unit.disrupted) == (
        wanted.kind,
        wanted.nation,
        wanted.quality,
        wanted.disrupted,
    ) and wanted.name in ("", unit.name)


def march(
    state: State, where: str | int, what: str = "", *, dice: Sequence[int] = (6,), leader: str = ""
) -> Outcome:
    """Return the units there roll on the march table; with no word to the contrary they throw
    a 6.
    """
    units = ids(state, where, what)
    helper = one(state, where, leader) if leader else UnitId(0)
    return play(state, a.March(units, helper), dice)


def go(state: State, *path: str | int, dice: Sequence[int] = ()) -> Outcome:
    """The marching stack moves along these hexes."""
    return play(state, a.Move(tuple(hex_of(there) for there in path)), dice)


def fight(
    state: State, where: str | int, dice: Sequence[int], *, guides: Mapping[str, str] = NOBODY
) -> Outcome:
    """Return the marching stack attacks; leaders help as `guides` says (side: fire or melee),
    losses are shared as offered, and whoever must retreat is asked.
    """
    script = ScriptedDice(*dice)
    parts = [carry_out(state, a.Attack(hex_of(where)), script)]
    while isinstance(state.question, q.ToLead | q.ToShareLosses):
        parts.append(carry_out(state, _as_offered(state, guides), script))
    assert not script.left, f"{script.left} dice of the script were not thrown"
    return _together(parts)


def _as_offered(state: State, guides: Mapping[str, str]) -> a.AnyAction:
    choice = offered(state)
    if isinstance(state.question, q.ToShareLosses):
        return a.Share(choice.eliminated, choice.disrupted)
    if not guides.get(choice.side):
        return a.Lead(UnitId(0))
    return a.Lead(choice.leaders[0], CombatRound(guides[choice.side]))


def _together(parts: Sequence[Outcome]) -> Outcome:
    return Outcome(
        tuple(event for part in parts for event in part.events),
        tuple(roll for part in parts for roll in part.rolls),
    )


def rolls_of(outcome: Outcome, side: str) -> list[Roll]:
    """Return the combat rolls of one side, fire before melee."""
    return [roll for roll in outcome.rolls if roll.table == "combat_results" and roll.side == side]


def changed_by(roll: Roll) -> int:
    """Return the sum of all modifiers of the roll."""
    return roll.total - sum(roll.dice)


def has(roll: Roll, key: str) -> bool:
    """Return whether the modifier of the tables with that key was counted, once and at its
    value.
    """
    wanted = book().modifier(key)
    found = [modifier for modifier in roll.modifiers if modifier.reason.startswith(wanted.reason)]
    assert len(found) < 2, f"{key} counts twice"
    return bool(found)


def only(outcome: Outcome, kind: type[E]) -> list[E]:
    """Return the events of that kind."""
    return [event for event in outcome.events if isinstance(event, kind)]


def offered(state: State) -> Any:
    """Return the options of the open question, typed as Any so that a test may look into them."""
    return rules.options(state)


def said(outcome: Outcome) -> list[str]:
    """Return the names of the events in order, for the course of things."""
    return [type(event).__name__ for event in outcome.events]


def count(state: State, where: str | int, what: str) -> int:
    """Return how many units there are of the kind that the words mean."""
    wanted = next(units_of(what, hex_of(where), 0))
    return sum(_alike(unit, wanted) for unit in state.units.values() if unit.hex == hex_of(where))


def holder(state: State, where: str | int) -> Side:
    """Return the side that was last in that place."""
    return state.control[hex_of(where)]


def there(state: State, unit_id: int) -> HexId:
    """Return the hex of the unit."""
    return state.units[UnitId(unit_id)].hex


def by_river(units: Sequence[UnitId], *path: int) -> a.Sail:
    """Return the voyage of these units through these hexes."""
    return a.Sail(tuple(units), tuple(map(HexId, path)))
