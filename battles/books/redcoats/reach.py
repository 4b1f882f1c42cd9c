"""Where something can go: the cheapest ways by square and facing (Movement)."""

from collections.abc import Callable, Iterator

import msgspec

from battles.books.redcoats.squares import STEPS

StepCost = Callable[[int, int], int | None]
TurnCost = Callable[[int], int]


class End(msgspec.Struct, frozen=True, array_like=True):
    """A square and a facing that can be come to, and for how many action points."""

    square: int
    facing: int
    cost: int


class Reach(msgspec.Struct, frozen=True):
    """Poses, each a square times eight plus a facing: points spent, and the pose before.

    In `closed` squares one passes but may not stop. `paths` has the ways that `before` has not.
    """

    start: int
    costs: dict[int, int]
    before: dict[int, int]
    closed: frozenset[int] = frozenset()
    paths: dict[int, tuple[int, ...]] = {}

    def ends(self) -> Iterator[End]:
        """Every pose to stop in, the cheapest first, but where one stands already."""
        for pose, cost in sorted(self.costs.items(), key=lambda item: (item[1], item[0])):
            if pose != self.start and pose >> 3 not in self.closed:
                yield End(pose >> 3, pose & 7, cost)

    def cost(self, square: int, facing: int) -> int | None:
        """Action points to stop there, facing so; None where that cannot be."""
        return None if square in self.closed else self.costs.get(square * 8 + facing)

    def path(self, square: int, facing: int) -> tuple[int, ...]:
        """The squares of a cheapest way to there, without the first."""
        pose, squares = square * 8 + facing, [square]
        if pose in self.paths:
            return self.paths[pose]
        while pose != self.start:
            pose = self.before[pose]
            if pose >> 3 != squares[-1]:
                squares.append(pose >> 3)
        return tuple(reversed(squares[:-1]))


def search(start: tuple[int, int], points: int, step: StepCost, turn: TurnCost) -> Reach:
    """Everything within `points` of a square and facing; a turn costs the same at any angle.

    Only the first and cheapest way into a square is turned from: no other turns cheaper.
    """
    pose = start[0] * 8 + start[1]
    costs, before = {pose: 0}, {}
    buckets: list[list[int]] = [[pose], *([] for _ in range(points))]
    turned: set[int] = set()
    more, known = points + 1, costs.get
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if costs[here] != spent:
                continue
            square, facing = here >> 3, here & 7
            cost = step(square, facing)
            if cost is not None:
                there, total = (square + STEPS[facing]) * 8 + facing, spent + cost
                if total < known(there, more):
                    costs[there], before[there] = total, here
                    buckets[total].append(there)
            if square in turned:
                continue
            turned.add(square)
            total = spent + turn(square)
            for there in range(square * 8, square * 8 + 8) if total < more else ():
                if total < known(there, more):
                    costs[there], before[there] = total, here
                    buckets[total].append(there)
    return Reach(pose, costs, before)
