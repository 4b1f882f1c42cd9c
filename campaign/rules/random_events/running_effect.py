"""One effect of a random event while it is carried out: whose, which, and whom to ask.

An effect may have to wait for an answer, so it is known by what a step of the agenda can hold: the
side, the result of the dice, and the path to the effect in the row, such as `0/otherwise/1`.

When an effect of a random event holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules.combat.losses import CAPTURED
from campaign.rules.core.board import board, chart, random_events
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseHex, ToChooseUnits
from campaign.rules.core.state import OFF_MAP, State
from campaign.rules.effects_in_force import CLAUSES
from campaign.rules.map import HexId
from campaign.rules.tables.event_effects import Effect, ForceEffect, Present, Quantity, When
from campaign.rules.tables.rows import EventRow

EFFECT, AT_HEX, WITH_UNITS = "event effect", "event hex", "event units"


class RunningEffect(NamedTuple):
    """An effect of the event of a side whose dice gave `code`."""

    side: Side
    code: int
    path: str

    @property
    def clause(self) -> str:
        """Return the clause of that side's random events."""
        return CLAUSES[self.side]

    def row(self, state: State) -> EventRow:
        """Return the row of the table the event stands in."""
        return random_events(state, self.side)[self.code]

    def effect(self, state: State) -> Effect:
        """Return the effect the path leads to."""
        effects = self.row(state).effects
        first, *rest = self.path.split("/")
        found = effects[int(first)]
        for branch, place in zip(rest[::2], rest[1::2], strict=True):
            found = _branch(found, branch)[int(place)]
        return found

    def steps(self, branch: str, count: int) -> list[Step]:
        """Return the steps that carry out the effects of a branch of this one."""
        return [
            Step(EFFECT, (self.side, self.code, f"{self.path}/{branch}/{place}"))
            for place in range(count)
        ]


def _branch(effect: Effect, branch: str) -> tuple[Effect, ...]:
    if branch == "afterwards" and isinstance(effect, ForceEffect):
        return effect.afterwards
    return effect.otherwise


def choose_hex(ledger: Ledger[State], now: RunningEffect, choices: Sequence[HexId]) -> bool:
    """Return the side chooses where the effect takes place; False when it can do so nowhere."""
    if len(choices) == 1:
        ledger.then(Step(AT_HEX, (*now, choices[0])))
    elif choices:
        ledger.ask(ToChooseHex(now.side, AT_HEX, now.clause, tuple(choices), args=tuple(now)))
    return bool(choices)


@dataclass(frozen=True)
class UnitChoice:
    """Units of which `count` are to be chosen by their owner; `hex` is kept for what follows."""

    units: tuple[UnitId, ...]
    count: int
    hex: HexId = OFF_MAP


def choose_units(ledger: Ledger[State], now: RunningEffect, lot: UnitChoice) -> bool:
    """Their owner chooses which units it falls on; False when there are none."""
    count = min(lot.count, len(lot.units))
    if count <= 0:
        return False
    if count == len(lot.units):
        ledger.then(Step(WITH_UNITS, (*now, lot.hex, *lot.units)))
        return True
    owner = ledger.state.units[lot.units[0]].side
    args = (*now, lot.hex)
    ledger.ask(ToChooseUnits(owner, WITH_UNITS, now.clause, lot.units, count, args=args))
    return True


def how_many(ledger: Ledger[State], now: RunningEffect, count: Quantity) -> int:
    """Return the number of units, thrown for where dice are to be thrown."""
    if not count.dice:
        return count.plus
    roll = ledger.roll(
        Roll(
            f"{now.row(ledger.state).title}: how many",
            now.clause,
            (0,) * count.dice,
            sides=count.sides,
            side=now.side,
        )
    )
    return roll.total + count.plus


def condition_holds(state: State, when: When, side: Side) -> bool:
    """Whether everything is so that the condition of an event of this side asks for."""
    position = board(state)
    if when.first_month is not None and state.month < when.first_month:
        return False
    if when.month_after is not None and state.month >= when.month_after:
        return False
    if when.in_play and position.leader(when.in_play) is None:
        return False
    if when.held and not _is_held(state, when.held, side):
        return False
    if when.captured and CAPTURED not in state.flags:
        return False
    return all(_is_present(state, one) for one in when.present)


def _is_held(state: State, name: str, side: Side) -> bool:
    hex_id = chart(state).place(name).hex
    return board(state).holds(side, hex_id) and not board(state).besieged(side, hex_id)


def _is_present(state: State, present: Present) -> bool:
    hex_id = chart(state).place(present.place).hex
    here = [unit for side in Side for unit in board(state).stack(side, hex_id)]
    return any(
        (not present.leader or unit.name == present.leader)
        and (present.unit is None or unit.kind is present.unit)
        for unit in here
    )
