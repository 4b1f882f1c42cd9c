"""Gunboats and river boats: the stream, loading and landing (Gunboats)."""

from battles.books.redcoats.board import at, is_water
from battles.books.redcoats.book import book
from battles.books.redcoats.field import STEPS, VECTORS, adjacent, around
from battles.books.redcoats.movement import closed_squares, may_share, path_cost, stepper
from battles.books.redcoats.pieces import MOUNTS, Kind, Style
from battles.books.redcoats.reach import Reach, StepCost
from battles.books.redcoats.state import Leader, State, Unit

_FREIGHT = frozenset({Kind.ARTILLERY, Kind.MACHINE_GUN, Kind.TRANSPORT, Kind.INFANTRY})


def stream(state: State, square: int, way: int) -> int:
    """Return whether a step goes downstream (1), upstream (-1), or neither (0)."""
    down = state.field.downstream.get(square)
    if down is None:
        return 0
    (across, along), (to_across, to_along) = VECTORS[way], VECTORS[down]
    product = across * to_across + along * to_along
    return (product > 0) - (product < 0)


def stream_bonus(state: State, start: int, path: tuple[int, ...]) -> int:
    """Return the points that the stream gives or takes on a path (Gunboats 8, 9).

    It gives them if every step goes downstream, and takes them if any goes up (ruling).
    """
    steps = zip((start, *path), path, strict=False)
    runs = [
        stream(state, origin, STEPS.index(destination - origin))
        for origin, destination in steps
        if destination - origin in STEPS
    ]
    if any(run < 0 for run in runs):
        return book().number("upstream")
    return book().number("downstream") if runs and all(run > 0 for run in runs) else 0


def reach(state: State, craft: Unit, points: int) -> Reach:
    """Return the places a vessel can reach: with the stream, across it, or against it.

    A vessel makes one move in a turn, and none when it is moored.
    """
    pose = craft.square * 8 + craft.facing
    if craft.id in state.moored or craft.id in state.sailed:
        return Reach(pose, {pose: 0}, {})
    number, result = book().number, Reach(pose, {pose: 0}, {}, closed_squares(state, craft))
    # The best stream first: `_join` keeps the first cost found for a pose.
    for least, gives in ((1, number("downstream")), (0, 0), (-1, number("upstream"))):
        _join(result, _search(state, craft, points + gives, least), points)
    return result


def move_cost(state: State, craft: Unit, path: tuple[int, ...], facing: int) -> int:
    """Return the action points for a path: its cost less the points from the stream.

    Raises IllegalAction as `path_cost` does.
    """
    return path_cost(state, craft, path, facing) - stream_bonus(state, craft.square, path)


def carries(craft: Unit, unit: Unit) -> bool:
    """Return whether a vessel can carry a unit of that kind (Gunboats 17, 18, River boats 14)."""
    if unit.kind in _FREIGHT:
        return True
    if craft.kind is Kind.RIVER_BOAT:
        return unit.kind in MOUNTS
    return unit.dismounted and book().style(craft.troops) is Style.ANGLO_EGYPTIAN


def passenger(state: State, craft: Unit) -> Unit | None:
    """Return the unit aboard, if any."""
    return next((unit for unit in state.units.values() if unit.aboard == craft.id), None)


def landings(state: State, craft: Unit, piece: Unit | Leader) -> tuple[int, ...]:
    """Return the squares on the bank alongside where a unit or Leader can land."""
    return tuple(
        square
        for square in around(craft.square)
        if state.field.holds(square)
        and not is_water(state.field, square)
        and all(other.side is piece.side for other in at(state, square))
        and (isinstance(piece, Leader) or may_share(piece, at(state, square)))
    )


def vessels_for(state: State, piece: Unit | Leader) -> tuple[int, ...]:
    """Return the moored vessels alongside that can take the unit or Leader aboard."""
    return tuple(
        craft.id
        for number in state.moored
        if (craft := state.units.get(number)) is not None
        and craft.side is piece.side
        and adjacent(craft.square, piece.square)
        and (isinstance(piece, Leader) or _takes(state, craft, piece))
    )


def may_moor(state: State, craft: Unit) -> bool:
    """Return whether a vessel has a unit or Leader to load or land (Gunboats 23)."""
    aboard = passenger(state, craft)
    if aboard is not None:
        return not aboard.disorganised and bool(landings(state, craft, aboard))
    if any(_calls_for(craft, leader) for leader in state.leaders.values()):
        return True
    return any(
        unit.side is craft.side and not unit.disorganised and _takes(state, craft, unit)
        for square in around(craft.square)
        for unit in at(state, square)
    )


def may_fire(state: State, craft: Unit) -> bool:
    """Return whether the vessel is a gunboat and carries no unit, so may fire (Gunboats 19, 20)."""
    return craft.kind is Kind.GUNBOAT and passenger(state, craft) is None


def _takes(state: State, craft: Unit, unit: Unit) -> bool:
    return not unit.is_craft and carries(craft, unit) and passenger(state, craft) is None


def _calls_for(craft: Unit, leader: Leader) -> bool:
    """Return whether a Leader is aboard, or on the bank alongside."""
    if leader.side is not craft.side:
        return False
    return leader.aboard == craft.id or adjacent(leader.square, craft.square)


def _join(reach: Reach, other: Reach, points: int) -> None:
    """Add the poses that only `other` reaches; for turns alone the stream gives nothing."""
    for pose, cost in other.costs.items():
        if pose not in reach.costs and (pose >> 3 != other.start >> 3 or cost <= points):
            reach.costs[pose] = cost
            reach.paths[pose] = other.path(pose >> 3, pose & 7)


def _search(state: State, craft: Unit, points: int, least: int) -> Reach:
    """Return the reach by steps whose `stream` is at least `least`; each 45 degrees is paid."""
    start = craft.square * 8 + craft.facing
    costs, before = {start: 0}, {}
    buckets: list[list[int]] = [[start], *([] for _ in range(max(points, 0)))]
    step = stepper(state, craft)
    for spent, bucket in enumerate(buckets):
        for node in bucket:
            if costs[node] != spent:
                continue
            for neighbour, cost in _nexts(state, step, node, least):
                total = spent + cost
                if total <= points and total < costs.get(neighbour, points + 1):
                    costs[neighbour], before[neighbour] = total, node
                    buckets[total].append(neighbour)
    return Reach(start, costs, before)


def _nexts(state: State, step: StepCost, pose: int, least: int) -> list[tuple[int, int]]:
    square, facing = pose >> 3, pose & 7
    turn = book().points("turn")
    neighbours = [(square * 8 + (facing + side) % 8, turn) for side in (1, -1)]
    if stream(state, square, facing) >= least:
        cost = step(square, facing)
        if cost is not None:
            neighbours.append(((square + STEPS[facing]) * 8 + facing, cost))
    return neighbours
