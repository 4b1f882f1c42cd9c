"""What the march table brings a stack over up to three marches, exactly (8.3, 8.31).

Each march has six faces; who falls out changes what the next one costs, so the stack is followed
from march to march, states that are alike taken together.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from battles.contract.brief import Kind
from campaign.rules.core import actions as a
from campaign.rules.core.board import laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.march.land import column_modifiers, column_of, falling_out
from campaign.rules.stacks import countable_units, ids

FACES = range(1, 7)
Falling = Callable[[Sequence[Unit], int], Sequence[Unit]]
"""Which of the marchers fall out when so many have to (8.31)."""


class MarchOutcome(NamedTuple):
    """What has come of the marches: so many made, units newly disrupted, units gone."""

    marches: int
    shaken: int = 0
    gone: int = 0


class MarchOdds(NamedTuple):
    """The chance of every result of so many marches in succession."""

    wanted: int
    results: dict[MarchOutcome, Fraction]

    def made(self, marches: int) -> Fraction:
        """Return the chance that so many marches at least are made."""
        return self._sum(lambda one: one.marches >= marches)

    @property
    def whole(self) -> Fraction:
        """Return the chance that all are made and nobody falls out."""
        return self._sum(lambda one: one == MarchOutcome(self.wanted))

    @property
    def shaken(self) -> Fraction:
        """Return units newly disrupted on average."""
        return sum((one.shaken * chance for one, chance in self.results.items()), Fraction(0))

    @property
    def gone(self) -> Fraction:
        """Return units lost on average: they fell out twice."""
        return sum((one.gone * chance for one, chance in self.results.items()), Fraction(0))

    def _sum(self, holds: Callable[[MarchOutcome], bool]) -> Fraction:
        found = (chance for one, chance in self.results.items() if holds(one))
        return sum(found, Fraction(0))


class Start(NamedTuple):
    """Where a march begins, and who goes on it; None for all, else the others stay behind."""

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

    `leader` is nobody where it is 0. Without `falling` steady units fall out before shaken ones.
    What the month's event may change is not in it.
    """
    now: dict[Column, Fraction] = {_column(units): Fraction(1)}
    results: dict[MarchOutcome, Fraction] = {}
    for march, start in enumerate(starts):
        now, stuck = _one_march(state, now, _Going(units, start, leader, falling or steady_first))
        _count(results, units, stuck, march)
    _count(results, units, now, len(starts))
    return MarchOdds(len(starts), results)


class _Going(NamedTuple):
    """Who goes, from where, led by whom, and who of them falls out first."""

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
        return tuple(one for one in column if self._stays(one[0]))

    def _stays(self, unit: UnitId) -> bool:
        return self.start.units is not None and unit not in self.start.units


def _one_march(
    state: State, now: dict[Column, Fraction], going: _Going
) -> tuple[dict[Column, Fraction], dict[Column, Fraction]]:
    """Who is there after one more march, and who has not made it, with the chances of both."""
    after: dict[Column, Fraction] = {}
    stuck: dict[Column, Fraction] = {}
    for column, chance in now.items():
        for left in _thrown(state, going.standing(column), going):
            key = column if left is None else going.staying(column) + _column(left)
            into = after if left else stuck
            into[key] = into.get(key, Fraction(0)) + chance / len(FACES)
    return after, stuck


def _thrown(state: State, units: list[Unit], going: _Going) -> Iterator[Sequence[Unit] | None]:
    """What every face of the die leaves of them; None for those with which they do not march."""
    law = laws(state)
    order = a.March(ids(units), leader=going.leader)
    change = sum(one.value for one in column_modifiers(state, units, order)) if units else 0
    for face in FACES:
        result = law.march(column_of(state, units), face + change) if units else None
        if result is None or not result.march:
            yield None
            continue
        out = falling_out(units, result.disrupted)
        yield _fallen_out(units, going.falling(countable_units(units), out) if out else ())


def _fallen_out(units: Sequence[Unit], out: Sequence[Unit]) -> Sequence[Unit]:
    """Return those who fall out are disrupted; who was so already is lost, leaders with the last
    (7.2).
    """
    hurt = set(ids(out))
    left = [
        msgspec.structs.replace(unit, disrupted=True) if unit.id in hurt else unit
        for unit in units
        if unit.id not in hurt or not unit.disrupted
    ]
    return left if any(unit.kind is not Kind.LEADER for unit in left) or not out else []


def _count(
    results: dict[MarchOutcome, Fraction],
    units: Sequence[Unit],
    columns: dict[Column, Fraction],
    marches: int,
) -> None:
    for column, chance in columns.items():
        made = _made(units, column, marches)
        results[made] = results.get(made, Fraction(0)) + chance


def _made(units: Sequence[Unit], column: Column, marches: int) -> MarchOutcome:
    order = dict(column)
    shaken = sum(order.get(unit.id, False) and not unit.disrupted for unit in units)
    men = [unit for unit in units if unit.kind is not Kind.LEADER]
    return MarchOutcome(marches, shaken, sum(unit.id not in order for unit in men))


def _column(units: Sequence[Unit]) -> Column:
    return tuple((unit.id, unit.disrupted) for unit in units)


def steady_first(units: Sequence[Unit], count: int) -> Sequence[Unit]:
    """On the march units in good order fall out first: the others would be lost (8.31)."""
    order = sorted(units, key=lambda unit: (unit.kind is Kind.CIVILIANS, unit.disrupted, unit.id))
    return order[:count]
