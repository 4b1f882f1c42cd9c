"""Where a stack can go and what each hex costs it (8.2, 8.21, 9.12)."""

from collections.abc import Iterator, Sequence
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


class Bars(NamedTuple):
    """What stands in the way of one side, and what helps it over the rivers.

    `besieging`: places beside the enemy, which a stack may enter but not leave (9.12).
    """

    ways: Ways
    dry: Sequence[Steps | None]
    blocked: frozenset[HexId]
    besieging: frozenset[HexId]
    bridged: frozenset[HexId]
    guarded: frozenset[HexId]
    crossing: int


def reach(state: State, side: Side, start: HexId, points: int) -> Reach:
    """Every hex a land stack of `side` can march to from `start` with `points` left.

    The start itself is in it at cost 0; a stack under siege reaches nothing else (9.12).
    """
    if board(state).besieged(side, start):
        return Reach(start, {start: 0}, {})
    return search(bars(state, side), start, points)


def search(barred: Bars, start: HexId, points: int) -> Reach:
    """The cheapest ways from `start` within `points`, by a queue with a bucket for each cost.

    Blocked hexes count as reached for less than nothing, so that none is ever entered.
    """
    costs, before = dict.fromkeys(barred.blocked, -1), {}
    costs[start] = 0
    known, dry, too_far = costs.get, barred.dry, points + 1
    ends = barred.besieging - {start}
    buckets: list[list[HexId]] = [[start], *([] for _ in range(points))]
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if costs[here] < spent or here in ends:
                continue
            for there, cost in dry[here] or exits(barred, here):
                total = spent + cost
                if total < known(there, too_far):
                    costs[there] = total
                    before[there] = here
                    buckets[total].append(there)
    return Reach(start, {hex_id: cost for hex_id, cost in costs.items() if cost >= 0}, before)


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
        known[side] = _bars(state, side)
    return known[side]  # type: ignore[no-any-return]


def _bars(state: State, side: Side) -> Bars:
    position, law = board(state), laws(state)
    shut = {
        hex_id
        for hex_id in position.occupied[side]
        if hex_id in position.pressed[side.enemy] and position.besieged(side, hex_id)
    }
    return Bars(
        ways(chart(state), law),
        dry_steps(chart(state), law),
        position.occupied[side.enemy] | shut | forbidden(scenario_of(state), side),
        position.pressed[side.enemy] & places(chart(state)),
        position.bridged[side],
        position.guarded[side.enemy],
        law.crossing_cost(),
    )


@lru_cache(maxsize=8)
def ways(ground: Map, law: Book) -> Ways:
    """For each hex number the land neighbours open to play: cost to enter, river between."""
    table: list[tuple[Way, ...]] = [()] * (max(ground.hexes) + 1)
    for here, field in ground.hexes.items():
        if not field.sea and not field.closed:
            table[here] = tuple(_ways_from(ground, law, here))
    return tuple(table)


@lru_cache(maxsize=8)
def dry_steps(ground: Map, law: Book) -> Sequence[Steps | None]:
    """For each hex number without a river what `ways` says of it; None for the others."""
    return tuple(
        None if any(river for _, _, river in exits) else tuple((to, cost) for to, cost, _ in exits)
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
