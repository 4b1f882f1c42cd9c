"""Reach of stacks by land: the hexes they can march to, and the cost of each (8.2, 8.21, 9.12).

`reach` searches from one stack; `reach_of_all` searches from every stack of a side at once, for
example to find all stacks that can reach a hex in one march. A test checks that the two agree.
"""

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from battles.contract.brief import Side
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Map
from campaign.rules.stacks import allowance
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.scenario_data import Scenario

Way = tuple[HexId, int, bool]
Ways = tuple[tuple[Way, ...], ...]
Steps = tuple[tuple[HexId, int], ...]


class MarchReach(NamedTuple):
    """The hexes a stack can march to: points spent, and the previous hex on a cheapest way."""

    start: HexId
    costs: dict[HexId, int]
    before: dict[HexId, HexId]

    def path(self, to: HexId) -> tuple[HexId, ...]:
        """Return the hexes of a cheapest way to `to`, without the start, with `to`."""
        steps = [to]
        while (previous := self.before[steps[-1]]) != self.start:
            steps.append(previous)
        return tuple(reversed(steps))


class Barriers(NamedTuple):
    """The parts of a position that bar or help one side's marches by land.

    `besieging`: places beside the enemy, which a stack may enter but not leave (9.12).
    """

    blocked: frozenset[HexId]
    besieging: frozenset[HexId]
    bridged: frozenset[HexId]
    guarded: frozenset[HexId]


class BarrierCosts(NamedTuple):
    """Barriers of one side together with the costs of the map.

    As Barriers, and `plain`: the cost of each step from a hex where nothing helps or hinders;
    `changed`: the hexes where something does; `rails`: railway hexes, between which a move is free.
    """

    ways: Ways
    plain: Sequence[Steps]
    changed: Set[HexId]
    blocked: frozenset[HexId]
    besieging: frozenset[HexId]
    bridged: frozenset[HexId]
    guarded: frozenset[HexId]
    crossing: int
    rails: frozenset[HexId] = frozenset()


def reach(state: State, side: Side, start: HexId, points: int) -> MarchReach:
    """Return every hex a land stack of `side` can march to from `start` with `points` left.

    The start itself is in it at cost 0; a stack under siege reaches nothing else (9.12). What is
    returned may be shared: it is not to be changed.
    """
    if board(state).besieged(side, start):
        return MarchReach(start, {start: 0}, {})
    return _reach(chart(state), laws(state), barriers(state, side), (start, points))


@lru_cache(maxsize=256)
def _reach(
    ground: Map, law: CampaignTables, barriers: Barriers, stack: tuple[HexId, int]
) -> MarchReach:
    """Return the reach: the same, though others march, while nothing else bars the way."""
    start, points = stack
    return search(costs_with_barriers(ground, law, barriers), start, points)


def search(
    barred: BarrierCosts, start: HexId, points: int, goals: Set[HexId] = frozenset()
) -> MarchReach:
    """Return the cheapest ways from `start` within `points`, by a queue with a bucket per cost.

    Blocked hexes start with a cost below zero, so that none is ever entered. A stack without points
    left goes on by rail only. The search stops after the cost at which it first meets one of
    `goals`.
    """
    costs = [points + 1] * len(barred.ways)
    for hex_id in barred.blocked:
        costs[hex_id] = -1
    costs[start] = 0
    before: dict[HexId, HexId] = {}
    plain, changed, ends = barred.plain, barred.changed, barred.besieging - {start}
    buckets: list[list[HexId]] = [[start], *([] for _ in range(points))]
    # From the last bucket, with all points spent, only free moves by rail go on. A bucket may grow
    # while it is read, by free moves within it.
    for spent, bucket in enumerate(buckets if barred.rails else buckets[:-1]):
        for origin in bucket:
            if costs[origin] < spent or origin in ends:
                continue
            for near, cost in exits(barred, origin) if origin in changed else plain[origin]:
                total = spent + cost
                if total < costs[near]:
                    costs[near] = total
                    before[near] = origin
                    buckets[total].append(near)
        if not goals.isdisjoint(bucket):
            break
    return MarchReach(start, {start: 0} | {hex_id: costs[hex_id] for hex_id in before}, before)


def exits(barred: BarrierCosts, hex_id: HexId) -> Iterator[tuple[HexId, int]]:
    """Yield the neighbouring hexes a land stack may enter from `hex_id`, each with its cost."""
    bridged, guarded = hex_id in barred.bridged, hex_id in barred.guarded
    for near, cost, river in barred.ways[hex_id]:
        if near in barred.blocked:
            continue
        if not river:
            yield near, cost
        elif not guarded and near not in barred.guarded:
            free = bridged or near in barred.bridged
            yield near, cost if free else cost + barred.crossing


def barrier_costs(state: State, side: Side) -> BarrierCosts:
    """Return the barriers and costs for a land stack of that side."""
    return costs_with_barriers(chart(state), laws(state), barriers(state, side))


def barriers(state: State, side: Side) -> Barriers:
    """Return the hexes that bar or help a land stack of that side, cached with the board."""
    position = board(state)
    key = (Barriers, side)
    found = position.worked_out.get(key)
    if not isinstance(found, Barriers):
        besieged = position.invested[side.enemy] & places(chart(state))
        shut = position.occupied[side] & besieged
        closed = forbidden(scenario_of(state), side)
        found = position.worked_out[key] = Barriers(
            position.occupied[side.enemy] | shut | closed,
            besieged,
            position.bridged[side],
            position.guarded[side.enemy],
        )
    return found


@lru_cache(maxsize=64)
def costs_with_barriers(ground: Map, law: CampaignTables, barriers: Barriers) -> BarrierCosts:
    """Return the costs of the map together with these barriers."""
    table = ways(ground, law)
    helped = barriers.bridged | barriers.guarded
    return BarrierCosts(
        table,
        plain_steps(ground, law, law.crossing_cost()),
        {near for hex_id in helped for near in _beside(table, hex_id)},
        *barriers,
        law.crossing_cost(),
    )


def _beside(table: Ways, hex_id: HexId) -> Iterator[HexId]:
    yield hex_id
    yield from (near for near, _, river in table[hex_id] if river)


@lru_cache(maxsize=8)
def ways(ground: Map, law: CampaignTables) -> Ways:
    """Return for each hex number its open land neighbours: cost to enter, river between or not."""
    table: list[tuple[Way, ...]] = [()] * (max(ground.hexes) + 1)
    for hex_id, field in ground.hexes.items():
        if not field.sea and not field.closed:
            table[hex_id] = tuple(_ways_from(ground, law, hex_id))
    return tuple(table)


@lru_cache(maxsize=8)
def plain_steps(ground: Map, law: CampaignTables, crossing: int) -> Sequence[Steps]:
    """Return for each hex number its neighbours and their costs, crossings paid in full."""
    return tuple(
        tuple((near, cost + crossing if river else cost) for near, cost, river in exits)
        for exits in ways(ground, law)
    )


def _ways_from(ground: Map, law: CampaignTables, hex_id: HexId) -> Iterator[Way]:
    for near in ground.neighbours[hex_id]:
        field = ground.hexes[near]
        if not field.sea and not field.closed:
            yield near, law.entry_cost(field.relief), (hex_id, near) in ground.sides


@lru_cache(maxsize=8)
def places(ground: Map) -> frozenset[HexId]:
    """Return the hexes with a town, a village or an oasis (9.12)."""
    return frozenset(place.hex for place in ground.places.values())


@lru_cache(maxsize=64)
def forbidden(scenario: Scenario, side: Side) -> frozenset[HexId]:
    """Return the hexes that the scenario's special rule closes to that side (2.2)."""
    return scenario.forbidden(side)


Costs = NDArray[np.float64]


Places = NDArray[np.intp]


class ReachLattice(NamedTuple):
    """The ways of the map as arrays: an entry for each way from a hex to its neighbour.

    `tolls` are the costs with the crossing included. `into` has, for each hex, the indices of the
    ways into it; `wet` those of the ways over a river from or into it. Searches use land hexes
    only, numbered without gaps: `number` is the number of each hex, -1 at sea; `starts_at` and
    `leads_to` are `pointers` and `ends` in those numbers.
    """

    number: NDArray[np.int32]
    starts_at: NDArray[np.int32]
    leads_to: NDArray[np.int32]
    pointers: NDArray[np.int32]
    origins: NDArray[np.int32]
    ends: NDArray[np.int32]
    costs: Costs
    rivers: NDArray[np.bool_]
    tolls: Costs
    into: tuple[Places, ...]
    wet: tuple[Places, ...]


class ReachOfAll(NamedTuple):
    """Points of each start, and the cost from it to every land hex by its `number`.

    The cost is infinite where a march does not reach.
    """

    starts: tuple[HexId, ...]
    points: tuple[int, ...]
    costs: Costs
    number: NDArray[np.int32]


def reach_of_all(state: State, side: Side) -> ReachOfAll:
    """Return the reach of one march of every land stack of the side."""
    position, law = board(state), laws(state)
    starts = tuple(sorted(position.occupied[side]))
    points = tuple(allowance(law, position.land(side, start)) for start in starts)
    lattice = lattice_of(chart(state), law)
    size = len(lattice.starts_at) - 1
    if not starts:
        return ReachOfAll((), (), np.empty((0, size)), lattice.number)
    weights = _weights(lattice, barrier_costs(state, side))
    graph = csr_array((weights, lattice.leads_to, lattice.starts_at), (size, size))
    places = lattice.number[list(starts)]
    costs = dijkstra(graph, indices=places, limit=max(points))
    for row, start in enumerate(starts):
        if position.besieged(side, start):
            costs[row] = np.inf  # a stack under siege stays where it is (9.12)
            costs[row, places[row]] = 0
    return ReachOfAll(starts, points, costs, lattice.number)


def _weights(lattice: ReachLattice, barred: BarrierCosts) -> Costs:
    """Return the cost of every way in this position; infinite where a barrier closes it."""
    weights = lattice.tolls.copy()
    free = _together(lattice.wet, barred.bridged)
    weights[free] = lattice.costs[free]
    weights[_together(lattice.wet, barred.guarded)] = np.inf
    weights[_together(lattice.into, barred.blocked)] = np.inf
    for hex_id in barred.besieging:
        weights[lattice.pointers[hex_id] : lattice.pointers[hex_id + 1]] = np.inf
    return weights


def _together(places: tuple[Places, ...], hexes: frozenset[HexId]) -> Places:
    return np.concatenate([places[hex_id] for hex_id in hexes]) if hexes else places[0][:0]


@lru_cache(maxsize=8)
def lattice_of(ground: Map, law: CampaignTables) -> ReachLattice:
    """Return the ways of a map as arrays, cached."""
    from_each = ways(ground, law)
    counts = [len(exits) for exits in from_each]
    flat = [way for exits in from_each for way in exits]
    rivers = np.array([river for _, _, river in flat], dtype=np.bool_)
    origins = np.repeat(np.arange(len(from_each)), counts).astype(np.int32)
    ends = np.array([end for end, _, _ in flat], dtype=np.int32)
    costs = np.array([cost for _, cost, _ in flat], dtype=np.float64)
    pointers = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    wet = np.flatnonzero(rivers)
    land = [hex_id for hex_id, field in ground.hexes.items() if not field.sea and not field.closed]
    number = np.full(len(from_each), -1, dtype=np.int32)
    number[sorted(land)] = np.arange(len(land))
    return ReachLattice(
        number,
        np.append(pointers[sorted(land)], pointers[-1]),
        number[ends],
        pointers,
        origins,
        ends,
        costs,
        rivers,
        costs + rivers * law.crossing_cost(),
        _by_hex(ends, np.arange(len(ends)), len(counts)),
        _by_hex(np.append(origins[wet], ends[wet]), np.append(wet, wet), len(counts)),
    )


def _by_hex(hexes: NDArray[np.int32], places: Places, size: int) -> tuple[Places, ...]:
    """Return the indices that belong to each hex number; `hexes` has the hex of each."""
    order = np.argsort(hexes, kind="stable")
    return tuple(np.split(places[order], np.searchsorted(hexes[order], np.arange(1, size))))
