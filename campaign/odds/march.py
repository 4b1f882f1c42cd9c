"""Exact odds of marches by the march table, and of attrition by thirst (8.3, 10.1 to 10.3)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Modifier
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.march.land import column_modifiers, column_of, falling_out
from campaign.rules.stacks import countable_units, ids
from campaign.rules.supply import (
    attrition_line,
    attrition_modifiers,
    count_suffering,
    may_suffer,
    supply_sources,
)
from campaign.rules.tables.rows import AttritionLine

# Exact odds of up to three marches of a stack by the march table (8.3, 8.31).
#
# Each march has six faces. Units that fall out change the next march, so the stack is followed
# from march to march, with equal states merged.


Falling = Callable[[Sequence[Unit], int], Sequence[Unit]]
"""The choice of the marchers that fall out, given how many have to (8.31)."""


class MarchOutcome(NamedTuple):
    """The result of the marches: how many were made, units newly disrupted, units gone."""

    marches: int
    shaken: int = 0
    gone: int = 0


class MarchOdds(NamedTuple):
    """The chance of every result of `wanted` marches in succession."""

    wanted: int
    results: dict[MarchOutcome, Fraction]

    def made(self, marches: int) -> Fraction:
        """Return the chance that at least `marches` marches are made."""
        return self._sum(lambda outcome: outcome.marches >= marches)

    @property
    def whole(self) -> Fraction:
        """Return the chance that all are made and nobody falls out."""
        return self._sum(lambda outcome: outcome == MarchOutcome(self.wanted))

    @property
    def shaken(self) -> Fraction:
        """Return the mean number of units newly disrupted."""
        return sum(
            (outcome.shaken * chance for outcome, chance in self.results.items()), Fraction(0)
        )

    @property
    def gone(self) -> Fraction:
        """Return the mean number of units lost: they fell out twice."""
        return sum((outcome.gone * chance for outcome, chance in self.results.items()), Fraction(0))

    def _sum(self, holds: Callable[[MarchOutcome], bool]) -> Fraction:
        chances = (chance for outcome, chance in self.results.items() if holds(outcome))
        return sum(chances, Fraction(0))


class Start(NamedTuple):
    """The hex where a march begins, and the units that go on it; None for all."""

    hex: HexId
    units: frozenset[UnitId] | None = None


Column = tuple[tuple[UnitId, bool], ...]


def march_odds(
    state: State,
    units: Sequence[Unit],
    leader: UnitId,
    starts: Sequence[Start],
    falling: Falling | None = None,
) -> MarchOdds:
    """Return the odds of marches in succession by these units, one from each of `starts`.

    `leader` is nobody if 0. Without `falling` steady units fall out before disrupted ones. The
    month's random event is not included.
    """
    now: dict[Column, Fraction] = {_column(units): Fraction(1)}
    results: dict[MarchOutcome, Fraction] = {}
    for march, start in enumerate(starts):
        now, stuck = _one_march(state, now, _Going(units, start, leader, falling or steady_first))
        _count(results, units, stuck, march)
    _count(results, units, now, len(starts))
    return MarchOdds(len(starts), results)


class _Going(NamedTuple):
    """The units of a march, its start and leader, and the choice of units that fall out."""

    units: Sequence[Unit]
    start: Start
    leader: UnitId
    falling: Falling

    def standing(self, column: Column) -> list[Unit]:
        """Return those of the column that go on, as they stand now."""
        order = dict(column)
        return [
            msgspec.structs.replace(unit, hex=self.start.hex, disrupted=order[unit.id])
            for unit in self.units
            if unit.id in order and not self._stays(unit.id)
        ]

    def staying(self, column: Column) -> Column:
        """Return those of the column that stay behind."""
        return tuple(member for member in column if self._stays(member[0]))

    def _stays(self, unit: UnitId) -> bool:
        return self.start.units is not None and unit not in self.start.units


def _one_march(
    state: State, now: dict[Column, Fraction], march: _Going
) -> tuple[dict[Column, Fraction], dict[Column, Fraction]]:
    """Return the columns after one more march and those that failed it, with their chances."""
    after: dict[Column, Fraction] = {}
    stuck: dict[Column, Fraction] = {}
    for column, chance in now.items():
        for left in _units_left_by_face(state, march.standing(column), march):
            key = column if left is None else march.staying(column) + _column(left)
            into = after if left else stuck
            into[key] = into.get(key, Fraction(0)) + chance / len(FACES)
    return after, stuck


def _units_left_by_face(
    state: State, units: list[Unit], march: _Going
) -> Iterator[Sequence[Unit] | None]:
    """Yield the units left for every face of the die; None for a face without a march."""
    law = laws(state)
    order = a.March(ids(units), leader=march.leader)
    change = (
        sum(modifier.value for modifier in column_modifiers(state, units, order)) if units else 0
    )
    for face in FACES:
        result = law.march(column_of(state, units), face + change) if units else None
        if result is None or not result.march:
            yield None
            continue
        out = falling_out(units, result.disrupted)
        yield _fallen_out(units, march.falling(countable_units(units), out) if out else ())


def _fallen_out(units: Sequence[Unit], out: Sequence[Unit]) -> Sequence[Unit]:
    """Return the units after some fall out: they are disrupted, or lost if they were before.

    Leaders are lost with the last unit (7.2).
    """
    hurt = set(ids(out))
    left = [
        msgspec.structs.replace(unit, disrupted=True) if unit.id in hurt else unit
        for unit in units
        if unit.id not in hurt or not unit.disrupted
    ]
    return left if any(unit.kind is not TroopKind.LEADER for unit in left) or not out else []


def _count(
    results: dict[MarchOutcome, Fraction],
    units: Sequence[Unit],
    columns: dict[Column, Fraction],
    marches: int,
) -> None:
    for column, chance in columns.items():
        outcome = _march_outcome(units, column, marches)
        results[outcome] = results.get(outcome, Fraction(0)) + chance


def _march_outcome(units: Sequence[Unit], column: Column, marches: int) -> MarchOutcome:
    order = dict(column)
    shaken = sum(order.get(unit.id, False) and not unit.disrupted for unit in units)
    men = [unit for unit in units if unit.kind is not TroopKind.LEADER]
    return MarchOutcome(marches, shaken, sum(unit.id not in order for unit in men))


def _column(units: Sequence[Unit]) -> Column:
    return tuple((unit.id, unit.disrupted) for unit in units)


def steady_first(units: Sequence[Unit], count: int) -> Sequence[Unit]:
    """Return the units that fall out: those in good order first, as others would be lost (8.31)."""
    order = sorted(
        units, key=lambda unit: (unit.kind is TroopKind.CIVILIANS, unit.disrupted, unit.id)
    )
    return order[:count]


# Exact odds of attrition for a stack where it stands, supplied or not (10.1 to 10.3).


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
    def strikes(self) -> Fraction:
        """Return the chance that any unit is lost or disrupted, without supply."""
        return 1 - self.results.get(AttritionLosses(), Fraction(0))

    @property
    def costs_a_unit(self) -> Fraction:
        """Return the chance that any unit is lost, without supply."""
        return sum((chance for losses, chance in self.results.items() if losses.gone), Fraction(0))

    @property
    def gone(self) -> Fraction:
        """Return the mean number of units lost, without supply."""
        return sum((losses.gone * chance for losses, chance in self.results.items()), Fraction(0))

    @property
    def shaken(self) -> Fraction:
        """Return the mean number of units newly disrupted, without supply."""
        return sum((losses.shaken * chance for losses, chance in self.results.items()), Fraction(0))


def thirst(state: State, side: Side, hex_id: HexId, choosing: Falling = steady_first) -> ThirstOdds:
    """Return the risk of the side's stack in that hex as it stands now (10.3).

    `choosing` picks the units that suffer; by default those in good order first.
    """
    law, line = laws(state), attrition_line(state, side, hex_id)
    units = countable_units(board(state).stack(side, hex_id))
    changes = attrition_modifiers(state, side, hex_id)
    change = sum(modifier.value for modifier in changes)
    results: dict[AttritionLosses, Fraction] = {}
    for face in FACES:
        spared = law.attrition(line, face + change)
        hit = 0 if spared is None else count_suffering(state, units, spared)
        suffered = _attrition_losses(choosing(may_suffer(units, hit), hit), side)
        results[suffered] = results.get(suffered, Fraction(0)) + Fraction(1, len(FACES))
    sources = supply_sources(state, side, hex_id)
    return ThirstOdds(hex_id, len(units), line, changes, results, sources)


def _attrition_losses(units: Sequence[Unit], side: Side) -> AttritionLosses:
    """Return the losses: Egyptian units die, Mahdists are disrupted, or die if they were (10.3)."""
    shaken = 0 if side is Side.EGYPTIAN else sum(not unit.disrupted for unit in units)
    return AttritionLosses(shaken, len(units) - shaken)
