"""A stack's prospects: its reach in three marches, the odds, and attrition by thirst."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from heapq import heappop, heappush
from typing import NamedTuple

from battles.contract.brief import UNCOUNTED, Side, TroopKind
from battles.core.dice import Modifier
from campaign.odds.march import MarchOdds, Start, march_odds
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.march.fleet import legs
from campaign.rules.march.land import column_modifiers, stations
from campaign.rules.march.reach import BarrierCosts, barrier_costs, exits
from campaign.rules.march.river import craft_ready, voyages
from campaign.rules.stacks import allowance, countable_units, ids
from campaign.rules.supply import attrition_line
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import AttritionLine, MarchColumn, MarchResult
from campaign.staff.columns import guide

FACES = range(1, 7)


class ReachedHex(NamedTuple):
    """The march in which a hex is reached, the points spent in it, and the hex before it."""

    march: int
    points: int
    before: HexId


class ThirstShare(NamedTuple):
    """The line of the attrition table for a hex, and the mean share of a stack it takes."""

    line: AttritionLine
    share: Fraction


class MarchChance(NamedTuple):
    """The odds of the march table for one march of a stack (8.31).

    `march` is the chance that it marches at all; `whole` that no unit falls out on the way. `three`
    are the odds of as many marches as the rules allow.
    """

    column: MarchColumn
    modifiers: tuple[Modifier, ...]
    march: Fraction
    whole: Fraction
    three: MarchOdds

    def of(self, marches: int) -> Fraction:
        """Return the chance that `marches` marches in succession all succeed from here."""
        return self.three.made(marches)


class Outlook(NamedTuple):
    """A stack and its prospects: points a march, odds, reach, and the way to any hex."""

    start: HexId
    points: int
    odds: MarchChance | None
    reached: dict[HexId, ReachedHex]

    def path(self, to: HexId) -> tuple[HexId, ...]:
        """Return the hexes of a quickest way to `to`, without the start.

        Raises KeyError when it is out of reach.
        """
        steps = [to]
        while (before := self.reached[steps[-1]].before) != self.start:
            steps.append(before)
        return tuple(reversed(steps))


def find_outlook(state: State, units: Sequence[Unit], leader: UnitId | None = None) -> Outlook:
    """Return the prospects of these units, which stand together.

    Unless `leader` names another, the best leader who may leads them. The odds are None if no unit
    counts: leaders alone, craft, the fleet.
    """
    side, start, law = units[0].side, units[0].hex, laws(state)
    points = allowance(law, units)
    chosen = guide(state, units) if leader is None else leader
    shut = board(state).besieged(side, start)
    marches_found = (
        {}
        if shut
        else marches(barrier_costs(state, side), start, points, law.number("march.marches"))
    )
    return Outlook(start, points, _odds(state, units, chosen) if points else None, marches_found)


def marches(barred: BarrierCosts, start: HexId, points: int, most: int) -> dict[HexId, ReachedHex]:
    """Return every hex within `most` marches in succession, each with the soonest way (8.3).

    Points left over in a march are lost; a stack that comes beside an enemy place stops there
    (9.12).
    """
    reached: dict[HexId, ReachedHex] = {}
    ends = barred.besieging - {start}
    queue = [(1, 0, start, start)]
    while queue:
        march, spent, position, before = heappop(queue)
        if position in reached or (position == start and before != start):
            continue
        reached[position] = ReachedHex(march, spent, before)
        for near, cost in exits(barred, position) if points else ():
            after = _after(march, points if position in ends else spent, cost, points)
            if near not in reached and after and after[0] <= most:
                heappush(queue, (*after, near, position))
    reached.pop(start)
    return reached


def _after(march: int, spent: int, cost: int, points: int) -> tuple[int, int] | None:
    """Return march and points after a step, in the next march if too few points are left."""
    if spent + cost <= points:
        return march, spent + cost
    return (march + 1, cost) if cost <= points else None


def _odds(state: State, units: Sequence[Unit], leader: UnitId) -> MarchChance | None:
    marchers = [unit for unit in units if unit.kind not in UNCOUNTED]
    order = a.March(ids(units), leader=leader)
    changed = column_modifiers(state, list(units), order)
    law = laws(state)
    column = slowest(law, marchers or units)
    results = _results(law, column, sum(modifier.value for modifier in changed))
    return MarchChance(
        column,
        changed,
        Fraction(sum(result.march for result in results), len(FACES)),
        Fraction(sum(result.march and not result.disrupted for result in results), len(FACES)),
        march_odds(state, units, leader, [Start(units[0].hex)] * law.number("march.marches")),
    )


def slowest(law: CampaignTables, units: Iterable[Unit]) -> MarchColumn:
    """Return the column with the least chance to march of the nations present (8.31)."""
    columns = sorted({law.column_of(unit.nation) for unit in units})
    return max(
        columns, key=lambda column: sum(not result.march for result in _results(law, column, 0))
    )


def _results(law: CampaignTables, column: MarchColumn, change: int) -> list[MarchResult]:
    return [law.march(column, face + change) for face in FACES]


def thirst(state: State, side: Side, hex_id: HexId, size: int) -> ThirstShare:
    """Return the attrition of `size` counted units that end the month here unsupplied (10.3)."""
    line = attrition_line(state, side, hex_id)
    return ThirstShare(line, share_lost(laws(state), line, size) if size else Fraction(0))


@cache
def share_lost(law: CampaignTables, line: AttritionLine, size: int) -> Fraction:
    """Return the mean share of `size` units that the line takes, over the six faces."""
    spared = [law.attrition(line, face) for face in FACES]
    hit = [0 if safe is None else max(0, size - safe) for safe in spared]
    return Fraction(sum(hit), size * len(FACES))


def thirsts(
    state: State, units: Sequence[Unit], hexes: Iterable[HexId]
) -> dict[HexId, ThirstShare]:
    """Return the attrition by thirst of each of these hexes for these units."""
    side, size = units[0].side, len(countable_units(units))
    return {hex_id: thirst(state, side, hex_id, size) for hex_id in hexes}


def towns_near(state: State, outlook: Outlook) -> list[tuple[HexId, str, ReachedHex]]:
    """Return the places of the rules within reach, the soonest first."""
    near = [
        (place.hex, place.name, outlook.reached[place.hex])
        for place in chart(state).places.values()
        if place.in_rules and place.hex in outlook.reached
    ]
    return sorted(near, key=lambda town: (town[2].march, town[2].points, town[1]))


def by_rail(state: State, side: Side, start: HexId) -> tuple[HexId, ...]:
    """Return the stations that a train can take a stack to in one march (8.22)."""
    return tuple(sorted(stations(state, side, start)))


def by_river(state: State, units: Sequence[Unit]) -> dict[HexId, tuple[HexId, ...]]:
    """Return the hexes that the boats beside these units can steer for, with the way (8.23).

    `state.side` has to be that of the units. Dice may stop them short.
    """
    hulls = craft_ready(state, board(state).stack(units[0].side, units[0].hex))
    return voyages(state, units[0].hex, hulls[:1]) if hulls else {}


def by_sea(state: State, side: Side, start: HexId) -> tuple[HexId, ...]:
    """Return the landings where the fleet here can put a stack ashore (8.25)."""
    stack = board(state).stack(side, start)
    if not any(unit.kind is TroopKind.FLEET for unit in stack) or board(state).besieged(
        side, start
    ):
        return ()
    return tuple(sorted(legs(state, (start,))))
