"""An effect of a random event while it is carried out, its questions and its conditions.

An effect may have to wait for an answer, so it is identified by what a step of the agenda can hold:
the side, the result of the dice, and the path to the effect in the row, such as `0/otherwise/1`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import Ledger, Step
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
    """Effect at `path` of the side's event with the dice result `code`."""

    side: Side
    code: int
    path: str

    @property
    def clause(self) -> str:
        """Return the clause of that side's random events."""
        return CLAUSES[self.side]

    def row(self, state: State) -> EventRow:
        """Return the event's row of the table."""
        return random_events(state, self.side)[self.code]

    def effect(self, state: State) -> Effect:
        """Return the effect at the path."""
        effects = self.row(state).effects
        first, *rest = self.path.split("/")
        result = effects[int(first)]
        for branch, place in zip(rest[::2], rest[1::2], strict=True):
            result = _branch(result, branch)[int(place)]
        return result

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
    """Ask the side where the effect takes place; return False when there is no such hex."""
    if len(choices) == 1:
        ledger.then(Step(AT_HEX, (*now, choices[0])))
    elif choices:
        ledger.ask(ToChooseHex(now.side, AT_HEX, now.clause, tuple(choices), args=tuple(now)))
    return bool(choices)


@dataclass(frozen=True)
class UnitChoice:
    """Units of which the owner chooses `count`; `hex` is kept for the next step."""

    units: tuple[UnitId, ...]
    count: int
    hex: HexId = OFF_MAP


def choose_units(ledger: Ledger[State], now: RunningEffect, choice: UnitChoice) -> bool:
    """Ask the owner which units are affected; return False when there are none."""
    count = min(choice.count, len(choice.units))
    if count <= 0:
        return False
    if count == len(choice.units):
        ledger.then(Step(WITH_UNITS, (*now, choice.hex, *choice.units)))
        return True
    owner = ledger.state.units[choice.units[0]].side
    args = (*now, choice.hex)
    ledger.ask(ToChooseUnits(owner, WITH_UNITS, now.clause, choice.units, count, args=args))
    return True


def how_many(ledger: Ledger[State], now: RunningEffect, count: Quantity) -> int:
    """Return the number of units, rolled for where it has dice."""
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
    """Return whether the condition of an event of this side is met."""
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
    return all(_is_present(state, presence) for presence in when.present)


def _is_held(state: State, name: str, side: Side) -> bool:
    hex_id = chart(state).place(name).hex
    return board(state).holds(side, hex_id) and not board(state).besieged(side, hex_id)


def _is_present(state: State, present: Present) -> bool:
    hex_id = chart(state).place(present.place).hex
    units = [unit for side in Side for unit in board(state).stack(side, hex_id)]
    return any(
        (not present.leader or unit.name == present.leader)
        and (present.kind is None or unit.kind is present.kind)
        for unit in units
    )
