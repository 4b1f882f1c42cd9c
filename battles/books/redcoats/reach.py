"""The places in reach of a unit: searches over squares and facings by action points."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec

from battles.books.redcoats.board import all_steps, all_turns, board
from battles.books.redcoats.book import book
from battles.books.redcoats.field import STEPS, offset_of
from battles.books.redcoats.state import State, Unit

StepCost = Callable[[int, int], int | None]
TurnCost = Callable[[int], int]


class End(msgspec.Struct, frozen=True, array_like=True):
    """A square and a facing in reach, and the cost in action points."""

    square: int
    facing: int
    cost: int


class Reach(msgspec.Struct, frozen=True):
    """The poses in reach, each a square times eight plus a facing, with costs and previous poses.

    A unit may pass `closed` squares but not stop in them. `paths` has routes that `before` lacks.
    """

    start: int
    costs: dict[int, int]
    before: dict[int, int]
    closed: frozenset[int] = frozenset()
    paths: dict[int, tuple[int, ...]] = {}

    def ends(self) -> Iterator[End]:
        """Yield every pose to stop in except the present one, the cheapest first."""
        for pose, cost in sorted(self.costs.items(), key=lambda item: (item[1], item[0])):
            if pose != self.start and pose >> 3 not in self.closed:
                yield End(pose >> 3, pose & 7, cost)

    def cost(self, square: int, facing: int) -> int | None:
        """Return the action points to stop there with that facing; None if it is not possible."""
        return None if square in self.closed else self.costs.get(square * 8 + facing)

    def path(self, square: int, facing: int) -> tuple[int, ...]:
        """Return the squares of a cheapest path to the pose, without the first."""
        pose, squares = square * 8 + facing, [square]
        if pose in self.paths:
            return self.paths[pose]
        while pose != self.start:
            pose = self.before[pose]
            if pose >> 3 != squares[-1]:
                squares.append(pose >> 3)
        return tuple(reversed(squares[:-1]))


def search(start: tuple[int, int], points: int, step: StepCost, turn: TurnCost) -> Reach:
    """Return all poses within `points` of a square and facing; turns cost the same at any angle.

    Turns are tried only on the first, cheapest arrival in a square: a later one is never cheaper.
    """
    pose = start[0] * 8 + start[1]
    costs, before = {pose: 0}, {}
    # Dial's algorithm: costs are small whole numbers, so one bucket per cost replaces a heap.
    buckets: list[list[int]] = [[pose], *([] for _ in range(points))]
    turned: set[int] = set()
    limit, cost_of = points + 1, costs.get
    for spent, bucket in enumerate(buckets):
        for node in bucket:
            if costs[node] != spent:
                continue
            square, facing = node >> 3, node & 7
            cost = step(square, facing)
            if cost is not None:
                neighbour, total = (square + STEPS[facing]) * 8 + facing, spent + cost
                if total < cost_of(neighbour, limit):
                    costs[neighbour], before[neighbour] = total, node
                    buckets[total].append(neighbour)
            if square in turned:
                continue
            turned.add(square)
            total = spent + turn(square)
            for neighbour in range(square * 8, square * 8 + 8) if total < limit else ():
                if total < cost_of(neighbour, limit):
                    costs[neighbour], before[neighbour] = total, node
                    buckets[total].append(neighbour)
    return Reach(pose, costs, before)


def is_free(occupied: Container[int], square: int, way: int) -> bool:
    """Return whether both squares beside a diagonal step are empty (Movement 3)."""
    left, right = _BESIDE[way]
    return square + left not in occupied and square + right not in occupied


_AHEAD = tuple(8 * step for step in STEPS)
_BESIDE = tuple((STEPS[way - 1], STEPS[(way + 1) % 8]) for way in range(8))
"""The steps to the two squares beside a step in each facing."""


class Passage(NamedTuple):
    """The way of a land unit's search: not into `barred` squares, nor on from `goals`.

    It may turn in `dead_ends`, which it does not leave. `edges`: it may cross obstacles; `turns`:
    it pays for turning. `onward` has the least points from each square to a goal; with it the
    search leaves out poses from which the points lead to none.
    """

    barred: Container[int]
    goals: Collection[int] = ()
    dead_ends: Container[int] = ()
    edges: bool = True
    turns: bool = True
    onward: Mapping[int, int] | None = None


@cache
def least_step() -> int:
    """Return the action points of the cheapest step: what else a step costs is added to it."""
    return min(book().points("orthogonal"), book().points("diagonal"))


def roam(state: State, unit: Unit, points: int, way: Passage) -> Reach:
    """Return all poses that a land unit reaches within `points`, as `search` would find them.

    The steps are those of `stepper`, written out for speed.
    """
    field, occupied, home = state.field, board(state), unit.square
    barred, goals, dead_ends, edges, _, onward = way
    steps, through = all_steps(field, afloat=False), book().points("through friends")
    start = home * 8 + unit.facing
    costs, before = {start: 0}, {}
    # The poses of one square that a turn reaches at the same cost make one entry of a bucket.
    buckets: list[list[list[int]]] = [[[start]], *([] for _ in range(points))]
    turned: set[int] = set(goals)
    limit, cost_of = points + 1, costs.get
    turn = book().points("turn") if way.turns else 0
    turns, step = all_turns(field), least_step()
    # Nothing costs less than a turn, so the last buckets lead nowhere.
    for spent, bucket in enumerate(buckets[: max(0, limit - turn)]):
        goes_on = spent + step < limit
        for poses in bucket:
            square = poses[0] >> 3
            if goes_on and square not in goals and square not in dead_ends:
                leaving = spent + (through if square in occupied and square != home else 0)
                for node in poses:
                    cost = steps[node]
                    if cost is None or costs[node] != spent:
                        continue
                    total, neighbour = leaving + cost, node + _AHEAD[node & 7]
                    if (
                        total < cost_of(neighbour, limit)
                        and neighbour >> 3 not in barred
                        and (not node & 1 or is_free(occupied, square, node & 7))
                        and (edges or field.between(square, node & 7) is None)
                        and (onward is None or total + onward[neighbour >> 3] < limit)
                    ):
                        costs[neighbour], before[neighbour] = total, node
                        buckets[total].append([neighbour])
            if square not in turned and costs[poses[0]] == spent:
                turned.add(square)
                total = spent + (turns[square] if way.turns else 0)
                if total + (0 if onward is None else onward[square]) < limit:
                    looks = range(square * 8, square * 8 + 8)
                    cheaper = [pose for pose in looks if total < cost_of(pose, limit)]
                    costs.update(dict.fromkeys(cheaper, total))
                    before.update(dict.fromkeys(cheaper, poses[0]))
                    # Poses that a turn has reached lead nowhere when no step can be paid for.
                    if cheaper and total + step < limit:
                        buckets[total].append(cheaper)
    return Reach(start, costs, before)


@lru_cache(maxsize=2**13)
def least_cost(difference: int, facing: int) -> int:
    """Return the action points that a way costs at least, through empty open ground.

    `difference` is that of the squares' numbers, as for `APART`; `facing` is that at the start.
    """
    columns, rows = offset_of(difference)
    ahead = max(abs(columns), abs(rows)) * STEPS[facing] == difference
    return steps_cost(difference) + (0 if ahead else book().points("turn"))


@lru_cache(maxsize=2**12)
def steps_cost(difference: int) -> int:
    """Return the action points that the steps of such a way cost, without turns."""
    fewer, more = sorted(map(abs, offset_of(difference)))
    return fewer * book().points("diagonal") + (more - fewer) * book().points("orthogonal")


class CostsAhead(dict[int, int]):
    """The least points from each square to one of some others, worked out when first asked for."""

    def __init__(self, goals: Iterable[int]) -> None:
        self._goals = tuple(goals)

    def __missing__(self, square: int) -> int:
        self[square] = least = min([steps_cost(goal - square) for goal in self._goals])
        return least
