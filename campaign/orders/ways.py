"""The way of a stack by land: hex by hex to where it is ordered, as its side knows the map."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from campaign.orders.document import Foot, Leg, River
from campaign.rules.board import board, chart, laws, scenario_of
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import (
    Barriers,
    Reach,
    barred,
    barriers,
    bars,
    exits,
    forbidden,
    search,
)
from campaign.rules.pieces import Side
from campaign.rules.state import State

REACHES = (40, 400)
"""Points: more than three marches take, and more than any way on the map costs."""


def destination(leg: Leg) -> HexId:
    """Where a leg leads; 0 where it says nowhere."""
    if isinstance(leg, Foot | River):
        return leg.route[-1] if leg.route else leg.to
    return leg.to


def way_of(seen: State, side: Side, leg: Foot, here: HexId) -> tuple[HexId, ...]:
    """The hexes still to go: the route as it was given, or from beside it the cheapest way."""
    if rest := rest_of(leg.route, here):
        return rest
    if leg.route and leg.route[0] in chart(seen).neighbours.get(here, ()):
        return leg.route
    return way_to(seen, side, here, destination(leg))


def rest_of(way: tuple[HexId, ...], here: HexId) -> tuple[HexId, ...]:
    """What is left of the way from a hex of it; nothing from any other."""
    return way[len(way) - way[::-1].index(here) :] if here in way else ()


def way_to(seen: State, side: Side, here: HexId, goal: HexId) -> tuple[HexId, ...]:
    """The cheapest way round every enemy in sight; through them where none leads round.

    Nothing where no way leads there at all. A goal that the enemy holds comes last, from a hex
    beside it on the same bank.
    """
    if goal == here or not _is_land(seen, goal):
        return ()
    round_them = barriers(seen, side)
    through = round_them._replace(blocked=forbidden(scenario_of(seen), side))
    ways = (_way(seen, side, found, here, goal) for found in (round_them, through))
    return next((way for way in ways if way), ())


def _is_land(seen: State, goal: HexId) -> bool:
    field = chart(seen).hexes.get(goal)
    return field is not None and not field.sea and not field.closed


def _way(seen: State, side: Side, found: Barriers, here: HexId, goal: HexId) -> tuple[HexId, ...]:
    ground, law = chart(seen), laws(seen)
    if goal not in board(seen).occupied[side.enemy]:
        return _cheapest(ground, law, found, here, (goal,))
    beside = tuple(near for near in ground.neighbours[goal] if (near, goal) not in ground.sides)
    if here in ground.neighbours[goal] and (here in beside or _is_shut_in(seen, side, here)):
        return (goal,)
    around = found._replace(blocked=found.blocked | {goal})
    way = _cheapest(ground, law, around, here, beside)
    return (*way, goal) if way else ()


# A sheet is gone through once for each event, and asks for the same ways each time.
@lru_cache(maxsize=2048)
def _cheapest(
    ground: Map, law: Book, barring: Barriers, here: HexId, goals: tuple[HexId, ...]
) -> tuple[HexId, ...]:
    """The way to the goal that is come to for the fewest points; nothing where none is."""
    open_to = barred(ground, law, barring)
    for points in REACHES:
        found = search(open_to, here, points, set(goals))
        known = [goal for goal in goals if goal in found.before]
        if known:
            return found.path(_first(found, known))
    return ()


def _first(found: Reach, goals: Sequence[HexId]) -> HexId:
    return min(goals, key=lambda goal: (found.costs[goal], goal))


def _is_shut_in(seen: State, side: Side, here: HexId) -> bool:
    return board(seen).besieged(side, here)


def walk(state: State, way: tuple[HexId, ...], points: int) -> tuple[HexId, ...]:
    """As much of the way as the marching stack can go now by land, with so many points."""
    return tuple(_walked(state, way, points))


def _walked(state: State, way: tuple[HexId, ...], points: int) -> Iterator[HexId]:
    march = state.march
    if march is None:
        return
    barred, here = bars(state, state.side), march.route[-1]
    for there in way:
        cost = dict(exits(barred, here)).get(there)
        if cost is None or cost > points or board(state).besieged(state.side, here):
            return
        yield there
        points, here = points - cost, there
