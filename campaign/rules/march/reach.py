"""Where a stack can go and what each hex costs it (8.2, 8.21, 9.12).

The reach of many stacks at once: one batched search over the whole map (8.2, 8.21).

A single stack's reach comes from `reach`; this is for whoever asks about all of them, such as what
may come to a hex in one march. The two agree, which a test holds.
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
from campaign.rules.tables.book import Book
from campaign.rules.tables.scenario_data import Scenario

Way = tuple[HexId, int, bool]
Ways = tuple[tuple[Way, ...], ...]
Steps = tuple[tuple[HexId, int], ...]


class Reach(NamedTuple):
    """The hexes a stack can come to: points spent, and the hex before on a cheapest way."""

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
    """What of a position bars or helps one side by land: what its ways depend on besides the map.

    `besieging`: places beside the enemy, which a stack may enter but not leave (9.12).
    """

    blocked: frozenset[HexId]
    besieging: frozenset[HexId]
    bridged: frozenset[HexId]
    guarded: frozenset[HexId]


class Bars(NamedTuple):
    """What stands in the way of one side, and what helps it over the rivers.

    As in Barriers, and: `plain`: what it costs to go from a hex where nothing helps or hinders;
    `changed`: the hexes where something does; `rails`: those one may go on from for nothing.
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


def reach(state: State, side: Side, start: HexId, points: int) -> Reach:
    """Return every hex a land stack of `side` can march to from `start` with `points` left.

    The start itself is in it at cost 0; a stack under siege reaches nothing else (9.12).
    """
    if board(state).besieged(side, start):
        return Reach(start, {start: 0}, {})
    return search(bars(state, side), start, points)


def without_crossing(state: State, barred: Bars, forbidden: int) -> Bars:
    """Return the same where nobody crosses a river by land: it costs what is `forbidden`."""
    plain = plain_steps(chart(state), laws(state), forbidden)
    return barred._replace(plain=plain, crossing=forbidden)


def search(barred: Bars, start: HexId, points: int, goals: Set[HexId] = frozenset()) -> Reach:
    """Return the cheapest ways from `start` within `points`, by a queue with a bucket for each
    cost.

    Blocked hexes count as reached for less than nothing, so that none is ever entered. Whoever
    has come as far as the points go goes no farther, unless by rail. Where one of `goals` is come
    to nothing that costs more is looked for.
    """
    costs = [points + 1] * len(barred.ways)
    for hex_id in barred.blocked:
        costs[hex_id] = -1
    costs[start] = 0
    before: dict[HexId, HexId] = {}
    plain, changed, ends = barred.plain, barred.changed, barred.besieging - {start}
    buckets: list[list[HexId]] = [[start], *([] for _ in range(points))]
    for spent, bucket in enumerate(buckets if barred.rails else buckets[:-1]):
        for here in bucket:
            if costs[here] < spent or here in ends:
                continue
            for there, cost in exits(barred, here) if here in changed else plain[here]:
                total = spent + cost
                if total < costs[there]:
                    costs[there] = total
                    before[there] = here
                    buckets[total].append(there)
        if not goals.isdisjoint(bucket):
            break
    return Reach(start, {start: 0} | {hex_id: costs[hex_id] for hex_id in before}, before)


def exits(barred: Bars, here: HexId) -> Iterator[tuple[HexId, int]]:
    """Yield the neighbouring hexes a land stack may enter from `here`, each with its cost."""
    bridged, guarded = here in barred.bridged, here in barred.guarded
    for there, cost, river in barred.ways[here]:
        if there in barred.blocked:
            continue
        if not river:
            yield there, cost
        elif not guarded and there not in barred.guarded:
            free = bridged or there in barred.bridged
            yield there, cost if free else cost + barred.crossing


def bars(state: State, side: Side) -> Bars:
    """What bars and what helps a land stack of that side in this position."""
    known = board(state).__dict__.setdefault("bars", {})
    if side not in known:
        known[side] = barred(chart(state), laws(state), barriers(state, side))
    return known[side]  # type: ignore[no-any-return]


def barriers(state: State, side: Side) -> Barriers:
    """What bars and what helps a land stack of that side, without the map."""
    position = board(state)
    shut = {
        hex_id
        for hex_id in position.occupied[side]
        if hex_id in position.pressed[side.enemy] and position.besieged(side, hex_id)
    }
    return Barriers(
        position.occupied[side.enemy] | shut | forbidden(scenario_of(state), side),
        position.pressed[side.enemy] & places(chart(state)),
        position.bridged[side],
        position.guarded[side.enemy],
    )


def barred(ground: Map, law: Book, found: Barriers) -> Bars:
    """Return what it costs to go about on the map with those barriers in the way."""
    table = ways(ground, law)
    helped = found.bridged | found.guarded
    return Bars(
        table,
        plain_steps(ground, law, law.crossing_cost()),
        {near for hex_id in helped for near in _beside(table, hex_id)},
        *found,
        law.crossing_cost(),
    )


def _beside(table: Ways, hex_id: HexId) -> Iterator[HexId]:
    yield hex_id
    yield from (there for there, _, river in table[hex_id] if river)


@lru_cache(maxsize=8)
def ways(ground: Map, law: Book) -> Ways:
    """For each hex number the land neighbours open to play: cost to enter, river between."""
    table: list[tuple[Way, ...]] = [()] * (max(ground.hexes) + 1)
    for here, field in ground.hexes.items():
        if not field.sea and not field.closed:
            table[here] = tuple(_ways_from(ground, law, here))
    return tuple(table)


@lru_cache(maxsize=8)
def plain_steps(ground: Map, law: Book, crossing: int) -> Sequence[Steps]:
    """For each hex number the neighbours and the cost to enter them, crossings paid in full."""
    return tuple(
        tuple((there, cost + crossing if river else cost) for there, cost, river in exits)
        for exits in ways(ground, law)
    )


def _ways_from(ground: Map, law: Book, here: HexId) -> Iterator[Way]:
    for there in ground.neighbours[here]:
        field = ground.hexes[there]
        if not field.sea and not field.closed:
            yield there, law.entry_cost(field.relief), (here, there) in ground.sides


@lru_cache(maxsize=8)
def places(ground: Map) -> frozenset[HexId]:
    """Return the hexes with a town, a village or an oasis (9.12)."""
    return frozenset(place.hex for place in ground.places.values())


@lru_cache(maxsize=64)
def forbidden(here: Scenario, side: Side) -> frozenset[HexId]:
    """Return the hexes the scenario's special rule closes to that side (2.2)."""
    return here.forbidden(side)


Costs = NDArray[np.float64]


Places = NDArray[np.intp]


class ReachLattice(NamedTuple):
    """The ways of the map as arrays: an entry for each way from a hex to its neighbour.

    `tolls` are the costs with a crossing's in them. `into` are the places in the arrays of the ways
    into each hex, `wet` those of the ways over a river from or into it. Searches go over the hexes
    of the land alone, closely numbered: `number` is that of each hex, -1 at sea; `starts_at` and
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
    """For each start the points it has, and those to every hex of the land by its `number`.

    They are infinite where a march does not reach.
    """

    starts: tuple[HexId, ...]
    points: tuple[int, ...]
    costs: Costs
    number: NDArray[np.int32]

    def coming_to(self, hex_id: HexId) -> dict[HexId, int]:
        """Return the starts from which a stack can come to the hex in one march, with the points."""
        if self.number[hex_id] < 0:
            return {}
        spent = self.costs[:, self.number[hex_id]]
        return {
            start: int(spent[row])
            for row, start in enumerate(self.starts)
            if spent[row] <= self.points[row]
        }


def reach_of_all(state: State, side: Side) -> ReachOfAll:
    """One march of every land stack of the side, each as far as its slowest unit goes."""
    position, law = board(state), laws(state)
    starts = tuple(sorted(position.occupied[side]))
    points = tuple(allowance(law, position.land(side, start)) for start in starts)
    lattice = lattice_of(chart(state), law)
    size = len(lattice.starts_at) - 1
    if not starts:
        return ReachOfAll((), (), np.empty((0, size)), lattice.number)
    weights = _weights(lattice, bars(state, side))
    graph = csr_array((weights, lattice.leads_to, lattice.starts_at), (size, size))
    places = lattice.number[list(starts)]
    costs = dijkstra(graph, indices=places, limit=max(points))
    for row, start in enumerate(starts):
        if position.besieged(side, start):
            _hold(costs, row, places[row])
    return ReachOfAll(starts, points, costs, lattice.number)


def _weights(lattice: ReachLattice, barred: Bars) -> Costs:
    """Return the cost of every way in this position; infinite where something bars it."""
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


def _hold(costs: Costs, row: int, place: int) -> None:
    """A stack under siege stays where it is (9.12)."""
    costs[row] = np.inf
    costs[row, place] = 0


@lru_cache(maxsize=8)
def lattice_of(ground: Map, law: Book) -> ReachLattice:
    """Return the ways of a map as arrays, worked out once."""
    from_each = ways(ground, law)
    counts = [len(exits) for exits in from_each]
    flat = [way for exits in from_each for way in exits]
    rivers = np.array([river for _, _, river in flat], dtype=np.bool_)
    origins = np.repeat(np.arange(len(from_each)), counts).astype(np.int32)
    ends = np.array([there for there, _, _ in flat], dtype=np.int32)
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
    """Return the places that belong to each hex number; `hexes` names the hex of each."""
    order = np.argsort(hexes, kind="stable")
    return tuple(np.split(places[order], np.searchsorted(hexes[order], np.arange(1, size))))
