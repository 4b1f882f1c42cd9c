"""Exact odds of attrition for a stack where it stands, supplied or not (10.1 to 10.3)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from battles.contract.brief import Side
from battles.core.dice import Modifier
from campaign.odds.march import Falling, steady_first
from campaign.odds.meeting import state_with_stack_at
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.stacks import countable_units
from campaign.rules.supply import (
    attrition_line,
    attrition_modifiers,
    may_suffer,
    suffering,
    supply_sources,
)
from campaign.rules.tables.rows import AttritionLine

FACES = range(1, 7)


class AttritionLosses(NamedTuple):
    """The result of a throw for attrition: units newly disrupted, units gone."""

    shaken: int = 0
    gone: int = 0


class ThirstOdds(NamedTuple):
    """A stack's risk in a hex: its line of the table, and the chance of every result.

    `size` counts the units that may suffer. `sources` are the supply units of which one is used up
    if it draws supply instead; it then loses nothing. `safe`: nothing can happen to it.
    """

    hex: HexId
    size: int
    line: AttritionLine
    modifiers: tuple[Modifier, ...]
    results: dict[AttritionLosses, Fraction]
    sources: tuple[UnitId, ...]

    @property
    def safe(self) -> bool:
        return set(self.results) == {AttritionLosses()}

    @property
    def gone(self) -> Fraction:
        """Return the mean number of units lost, without supply."""
        return sum((one.gone * chance for one, chance in self.results.items()), Fraction(0))

    @property
    def shaken(self) -> Fraction:
        """Return the mean number of units newly disrupted, without supply."""
        return sum((one.shaken * chance for one, chance in self.results.items()), Fraction(0))


def thirst_there(
    state: State, units: Sequence[Unit], hex_id: HexId, choosing: Falling = steady_first
) -> ThirstOdds:
    """Return the risk of these units in that hex, together with their side's stack there."""
    moved = [unit for unit in units if unit.hex != hex_id]
    there = state_with_stack_at(state, moved, hex_id) if moved else state
    return thirst(there, units[0].side, hex_id, choosing)


def thirst(state: State, side: Side, hex_id: HexId, choosing: Falling = steady_first) -> ThirstOdds:
    """Return the risk of the side's stack in that hex as it stands now (10.3).

    `choosing` picks the units that suffer; by default those in good order first.
    """
    law, line = laws(state), attrition_line(state, side, hex_id)
    units = countable_units(board(state).stack(side, hex_id))
    changes = attrition_modifiers(state, side, hex_id)
    change = sum(one.value for one in changes)
    results: dict[AttritionLosses, Fraction] = {}
    for face in FACES:
        spared = law.attrition(line, face + change)
        hit = 0 if spared is None else suffering(state, units, spared)
        suffered = _suffered(choosing(may_suffer(units, hit), hit), side)
        results[suffered] = results.get(suffered, Fraction(0)) + Fraction(1, len(FACES))
    sources = supply_sources(state, side, hex_id)
    return ThirstOdds(hex_id, len(units), line, changes, results, sources)


def _suffered(units: Sequence[Unit], side: Side) -> AttritionLosses:
    """Return the losses: Egyptian units die, Mahdists are disrupted, or die if they were (10.3)."""
    shaken = 0 if side is Side.EGYPTIAN else sum(not unit.disrupted for unit in units)
    return AttritionLosses(shaken, len(units) - shaken)
