"""Where to go: the best of the squares within reach, and on to and off the field."""

from collections.abc import Callable

from battles.books.redcoats import actions as a
from battles.books.redcoats.commander.scene import FAR, Scene
from battles.books.redcoats.options import Options
from battles.books.redcoats.reach import Reach
from battles.books.redcoats.squares import STEPS, distance, turned
from battles.books.redcoats.state import Unit

Score = Callable[[int], float]
Look = Callable[[int], int]
PER_EIGHTH = 0.15
"""What it costs a place that the unit would not look the right way there."""
LEAST_GAIN = 0.05


def best_walk(reach: Reach, score: Score, look: Look) -> a.Move | None:
    """The move to the best place, looking the right way; None to stay as it stands."""
    start = reach.start
    facings: dict[int, list[int]] = {}
    for pose in reach.costs:
        square = pose >> 3
        if square not in reach.closed or square == start >> 3:
            facings.setdefault(square, []).append(pose & 7)
    best, most = start, -1e9
    for square, looks in facings.items():
        wanted = look(square)
        facing = min(looks, key=lambda one: (turned(one, wanted), reach.costs[square * 8 + one]))
        value = score(square) - PER_EIGHTH * turned(facing, wanted)
        if square * 8 + facing == start:
            value += LEAST_GAIN
        if value > most:
            best, most = square * 8 + facing, value
    if best == start:
        return None
    return a.Move(reach.path(best >> 3, best & 7), best & 7)


def turn_to(unit: Unit, offered: Options, wanted: int) -> a.AnyAction:
    """To look that way without leaving the square, as far as the points allow."""
    if unit.facing == wanted or offered.reach is None:
        return a.Done()
    if offered.reach.cost(unit.square, wanted) is None:
        return a.Done()
    return a.Move((), wanted)


def come_on(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """On to the field beside friends, where the enemy is not."""
    if not offered.entries:
        return a.Done()
    friends = [one.square for one in scene.mine]

    def worth(square: int) -> tuple[bool, int, int]:
        near = min((distance(square, friend) for friend in friends), default=0)
        return scene.to_foe(square) < 2, near, square

    square = min(offered.entries, key=worth)
    return a.Enter(square, scene.looking(square, unit.facing))


def stay(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """The train keeps where it has been put."""
    return a.Done()


def withdraw(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Off the field where that can be, otherwise away from the enemy and towards an edge."""
    if offered.leave:
        return a.Leave()
    if offered.reach is None:
        return a.Done()
    field = scene.state.field

    def score(square: int) -> float:
        return scene.to_foe(square) - 0.8 * _to_edge(field.width, field.height, square)

    away = away_from(scene, unit)
    found = best_walk(offered.reach, score, lambda square: away)
    if found is not None and found.path:
        return found
    return a.Done() if offered.done else _any_way(offered.reach)


def away_from(scene: Scene, unit: Unit) -> int:
    """The facing that leads away from the nearest enemy and not off the field at once."""
    foe = scene.nearest(unit.square)
    if foe is None or foe.square == unit.square:
        return unit.facing
    ways = [way for way in range(8) if scene.state.field.holds(unit.square + STEPS[way])]
    return max(ways, key=lambda way: (distance(unit.square + STEPS[way], foe.square), -way))


def _to_edge(width: int, height: int, square: int) -> int:
    row, column = divmod(square, 100)
    return min(row, column, height - 1 - row, width - 1 - column, FAR)


def _any_way(reach: Reach) -> a.AnyAction:
    """Who must move away moves, wherever to."""
    for end in reach.ends():
        if end.square != reach.start >> 3:
            return a.Move(reach.path(end.square, end.facing), end.facing)
    return a.Done()
