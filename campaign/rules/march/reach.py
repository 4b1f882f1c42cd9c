"""Where a stack can go and what each hex costs it (8.2, 8.21, 9.12)."""

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from campaign.rules.board import board, chart, laws, scenario_of
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.pieces import Side
from campaign.rules.scenario import Scenario
from campaign.rules.state import State

Way = tuple[HexId, int, bool]
Ways = tuple[tuple[Way, ...], ...]
Steps = tuple[tuple[HexId, int], ...]


class Reach(NamedTuple):
    """The hexes a stack can come to: points spent, and the hex before on a cheapest way."""

    start: HexId
    costs: dict[HexId, int]
    before: dict[HexId, HexId]

    def path(self, to: HexId) -> tuple[HexId, ...]:
        """The hexes of a cheapest way to `to`, without the start, with `to`."""
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
    """Every hex a land stack of `side` can march to from `start` with `points` left.

    The start itself is in it at cost 0; a stack under siege reaches nothing else (9.12).
    """
    if board(state).besieged(side, start):
        return Reach(start, {start: 0}, {})
    return search(bars(state, side), start, points)


def without_crossing(state: State, barred: Bars, forbidden: int) -> Bars:
    """The same where nobody crosses a river by land: it costs what is `forbidden`."""
    plain = plain_steps(chart(state), laws(state), forbidden)
    return barred._replace(plain=plain, crossing=forbidden)


def search(barred: Bars, start: HexId, points: int, goals: Set[HexId] = frozenset()) -> Reach:
    """The cheapest ways from `start` within `points`, by a queue with a bucket for each cost.

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
    """The neighbouring hexes a land stack may enter from `here`, each with its cost."""
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
    """The hexes with a town, a village or an oasis (9.12)."""
    return frozenset(place.hex for place in ground.places.values())


@lru_cache(maxsize=64)
def forbidden(here: Scenario, side: Side) -> frozenset[HexId]:
    """The hexes the scenario's special rule closes to that side (2.2)."""
    return here.forbidden(side)
