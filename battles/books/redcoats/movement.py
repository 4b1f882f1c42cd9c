"""Movement: what a square costs, and where a unit can go."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

import msgspec

from battles.books.redcoats.board import barred_to, board
from battles.books.redcoats.book import book
from battles.books.redcoats.ground import is_water, known_steps, step_points, turn_points
from battles.books.redcoats.pieces import GUNS, MOUNTS, Kind
from battles.books.redcoats.squares import STEPS, is_diagonal, name, towards, turned
from battles.books.redcoats.state import State, Unit
from battles.core.game import IllegalAction

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
        """Yield every pose to stop in, the cheapest first, but where one stands already."""
        for pose, cost in sorted(self.costs.items(), key=lambda item: (item[1], item[0])):
            if pose != self.start and pose >> 3 not in self.closed:
                yield End(pose >> 3, pose & 7, cost)

    def cost(self, square: int, facing: int) -> int | None:
        """Action points to stop there, facing so; None where that cannot be."""
        return None if square in self.closed else self.costs.get(square * 8 + facing)

    def path(self, square: int, facing: int) -> tuple[int, ...]:
        """Return the squares of a cheapest way to there, without the first."""
        pose, squares = square * 8 + facing, [square]
        if pose in self.paths:
            return self.paths[pose]
        while pose != self.start:
            pose = self.before[pose]
            if pose >> 3 != squares[-1]:
                squares.append(pose >> 3)
        return tuple(reversed(squares[:-1]))


def search(start: tuple[int, int], points: int, step: StepCost, turn: TurnCost) -> Reach:
    """Return everything within `points` of a square and facing; a turn costs the same at any angle.

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


_HOSTS = frozenset({Kind.INFANTRY, *MOUNTS})


def reach(state: State, unit: Unit, points: int) -> Reach:
    """Return where a land unit that stands on the field can go with so many points of movement."""
    if points <= 0:
        return Reach(unit.square * 8 + unit.facing, {unit.square * 8 + unit.facing: 0}, {})
    found = search(
        (unit.square, unit.facing),
        points,
        stepper(state, unit),
        lambda square: turn_points(state.field, square),
    )
    return msgspec.structs.replace(found, closed=closed(state, unit))


def closed(state: State, unit: Unit) -> frozenset[int]:
    """Return the occupied squares in which the unit may not stop."""
    return frozenset(
        square
        for square, units in board(state).items()
        if square != unit.square and not may_share(unit, units)
    )


def may_share(unit: Unit, units: Sequence[Unit]) -> bool:
    """Return whether the unit can stop where these are: gunners with one friend (Restrictions 2)."""
    if len(units) != 1 or units[0].side is not unit.side:
        return not units
    one, other = unit.kind, units[0].kind
    return (one in GUNS) is not (other in GUNS) and (one in _HOSTS or other in _HOSTS)


def step_cost(state: State, unit: Unit, square: int, way: int) -> int | None:
    """Action points for a step from `square` the way one faces; None where it cannot be made."""
    return stepper(state, unit)(square, way)


def stepper(state: State, unit: Unit, prey: Iterable[int] = ()) -> StepCost:
    """What steps of one unit cost while nobody else moves, for a square and the way one faces.

    Passing through a friend's square is paid on leaving it (Restrictions 4). `prey` are squares
    that the enemy holds and the unit charges into.
    """
    field, afloat, occupied = state.field, unit.is_craft, board(state)
    barred = barred_to(state, unit.side).difference(prey)
    through = book().points("through friends")
    known = known_steps(field, afloat=afloat)

    def cost_of_step(square: int, way: int) -> int | None:
        pose = square * 8 + way
        cost = known[pose] if pose in known else step_points(field, square, way, afloat=afloat)
        if cost is None or square + STEPS[way] in barred:
            return None
        if way % 2 and not _is_free(occupied, square, way):
            return None
        return cost + through if square in occupied and square != unit.square else cost

    return cost_of_step


def may_enter(state: State, unit: Unit, square: int) -> bool:
    """Return whether the unit may come into a square, to stop or to pass through (Restrictions 3,
    4).
    """
    if not state.field.holds(square) or is_water(state.field, square) is not unit.is_craft:
        return False
    return square not in barred_to(state, unit.side)


def passes_corner(state: State, square: int, way: int) -> bool:
    """Return whether both squares beside a diagonal step are unoccupied (Movement 3)."""
    return not is_diagonal(way) or _is_free(board(state), square, way)


def _is_free(occupied: Container[int], square: int, way: int) -> bool:
    return square + STEPS[way - 1] not in occupied and square + STEPS[(way + 1) % 8] not in occupied


def turn_cost(state: State, unit: Unit, square: int) -> int:
    """Action points for a turn in a square, whatever the angle (Movement 1)."""
    return turn_points(state.field, square)


def path_cost(state: State, unit: Unit, path: Iterable[int], facing: int) -> int:
    """Action points for going through these squares and facing so at the end.

    Raises IllegalAction at the first step that cannot be made, or a square one may not stop in.
    """
    here, looks, spent = unit.square, unit.facing, 0
    step = stepper(state, unit)
    for square in path:
        way = way_to(here, square)
        if way != looks:
            spent += turning(state, unit, here, turned(looks, way))
        cost = step(here, way)
        if cost is None:
            raise IllegalAction(
                "Movement 2",
                f"The unit cannot go from {name(here)} to {name(square)}.",
                "A square on its way is held, or a diagonal is barred by a square beside it.",
            )
        here, looks, spent = square, way, spent + cost
    if looks != facing:
        spent += turning(state, unit, here, turned(looks, facing))
    if here in closed(state, unit):
        raise IllegalAction(
            "Restrictions 2", f"The unit may not stop in {name(here)}, which is occupied."
        )
    return spent


def way_to(one: int, other: int) -> int:
    """Return the facing of a step between two adjacent squares. IllegalAction when they are not."""
    if other - one not in STEPS:
        raise IllegalAction(
            "Movement 2", f"{name(other)} is not next to {name(one)}.", "Name every square."
        )
    return towards(one, other)


def turning(state: State, unit: Unit, square: int, eighths: int) -> int:
    """Action points for a turn of so many times 45 degrees: vessels pay for each."""
    if unit.is_craft:
        return eighths * book().points("turn")
    return turn_cost(state, unit, square)


def cost_of(**counts: int) -> int:
    """Action points for so many of each action of the tariff, as the worked examples add up.

    `cost_of(orthogonal=1, turn=1, diagonal=1)` is 6. Names are those of the tariff, with an
    underscore for a space.
    """
    tariff = book().points
    return sum(tariff(action.replace("_", " ")) * count for action, count in counts.items())
