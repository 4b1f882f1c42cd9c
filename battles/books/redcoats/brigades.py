"""Brigade Squares: members, faces, forming and movement (Formations 8)."""

from collections.abc import Iterable
from itertools import combinations, permutations
from typing import NamedTuple

import msgspec

from battles.books.redcoats import movement
from battles.books.redcoats.board import at, board, combat_of, is_water, surcharge
from battles.books.redcoats.book import book
from battles.books.redcoats.field import STEPS, STRIDE, adjacent, around, column, is_diagonal, row
from battles.books.redcoats.movement import may_take
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.reach import Reach, roam, search
from battles.books.redcoats.state import Leader, State, Unit, is_waiting
from battles.core.game import IllegalAction

FRONTS = (0, 2, 4, 6)
"""The facings of the faces of a Square."""


def members(state: State, brigade: int) -> list[Unit]:
    """Return the units of a brigade Square."""
    return [unit for unit in state.units.values() if unit.brigade == brigade]


def is_face(unit: Unit) -> bool:
    """Return whether the unit forms a face of a brigade Square."""
    return bool(unit.brigade) and unit.on_foot and unit.formation is Formation.SQUARE


def fully_formed(state: State, brigade: int) -> bool:
    """Return whether every face is still there; batteries on the corners do not count."""
    faces = [unit for unit in members(state, brigade) if is_face(unit)]
    return len(faces) == state.brigades[brigade].faces


def is_shut(state: State, unit: Unit, origin: int) -> bool:
    """Return whether the unit is a face of a fully formed Square, which has no flank or rear.

    From the middle, and from the open side of a Square of three, it has both.
    """
    if not is_face(unit) or not fully_formed(state, unit.brigade):
        return False
    way, centre = open_side(state, unit.brigade), middle(state, unit.brigade)
    return way is None or origin not in (centre, centre + STEPS[way])


def corner_batteries(state: State, unit: Unit) -> list[Unit]:
    """Return the batteries on the corners that face the same way as this face of the Square."""
    if not is_face(unit):
        return []
    return [
        other
        for other in members(state, unit.brigade)
        if other.is_gun
        and other.facing == unit.facing
        and other.formation is Formation.DEPLOYED
        and adjacent(unit.square, other.square)
    ]


def corner(state: State, brigade: int) -> int:
    """Return the north-western square of the three by three that the Square covers."""
    return middle(state, brigade) - STRIDE - 1


def middle(state: State, brigade: int) -> int:
    """Return the square in the middle of the Square."""
    face = next(unit for unit in members(state, brigade) if is_face(unit))
    return face.square - STEPS[face.facing]


def inside(state: State, brigade: int) -> list[Leader]:
    """Return the Leaders inside the Square."""
    first = corner(state, brigade)
    side = members(state, brigade)[0].side
    return [
        leader
        for leader in state.leaders.values()
        if leader.side is side
        and 0 <= column(leader.square) - column(first) <= 2
        and 0 <= row(leader.square) - row(first) <= 2
    ]


def reach(state: State, brigade: int, points: int) -> Reach:
    """Return the places the Square can reach, going forward as one, by its corner."""
    units = members(state, brigade)
    first = corner(state, brigade)
    offsets = [unit.square - first for unit in units]
    start = first, state.brigades[brigade].facing
    if points <= 0:
        return Reach(first * 8 + start[1], {first * 8 + start[1]: 0}, {})
    result = search(
        start,
        points,
        lambda square, way: _step_cost(state, brigade, [square + off for off in offsets], way),
        lambda square: turn_cost(state, [square + off for off in offsets]),
    )
    straight = {pose: cost for pose, cost in result.costs.items() if not is_diagonal(pose & 7)}
    return Reach(result.start, straight, result.before)


def path_cost(state: State, brigade: int, path: tuple[int, ...], facing: int) -> int:
    """Return the action points to take the corner through these squares.

    Raises IllegalAction when the way is barred.
    """
    if is_diagonal(facing):
        raise IllegalAction("Formations 8", "A brigade Square fronts north, east, south or west.")
    first = corner(state, brigade)
    offsets = [unit.square - first for unit in members(state, brigade)]
    position, looks, spent = first, state.brigades[brigade].facing, 0
    for square in path:
        if square - position not in STEPS:
            raise IllegalAction("Formations 8", "A brigade Square moves one square at a time.")
        way = STEPS.index(square - position)
        squares = [position + off for off in offsets]
        if way != looks:
            spent += turn_cost(state, squares)
        cost = _step_cost(state, brigade, squares, way)
        if cost is None:
            raise IllegalAction("Formations 8", "The brigade Square is barred from going there.")
        position, looks, spent = square, way, spent + cost
    return spent + (turn_cost(state, [position + off for off in offsets]) if looks != facing else 0)


def turn_cost(state: State, squares: list[int]) -> int:
    """Return the action points to turn the Square to another front."""
    return book().points("turn") + surcharge(state.field, *squares)


class Forming(NamedTuple):
    """A brigade Square that can be formed: its middle, its price, and who goes to which face.

    `walked` are the points of all ways together.
    """

    middle: int
    cost: int
    walked: int
    faces: tuple[tuple[Unit, int], ...]


def formings(state: State, first: Unit, others: Iterable[Unit], points: int) -> list[Forming]:
    """Return the Squares that a battalion can form with others for these points, the best first.

    All its battalions go to their faces at once, each by its cheapest way, turns included in the
    change of formation. Four faces are better than three, a nearer Square than a dearer one.
    """
    change = book().points("formation")
    foot = [unit for unit in (first, *others) if _may_be_face(state, unit)]
    if first not in foot or len(foot) < book().number("least faces") or points < change:
        return []
    marching = {unit.id for unit in foot}
    rest = {number: unit for number, unit in state.units.items() if number not in marching}
    lifted = msgspec.structs.replace(state, units=rest)
    walks = {unit.id: _walks(lifted, unit, points - change) for unit in foot}
    candidates = (
        _cheapest_square(lifted, centre, foot, walks)
        for centre in (first.square, *around(first.square))
    )
    able = [forming for forming in candidates if forming is not None]
    return sorted(
        able,
        key=lambda forming: (-len(forming.faces), forming.cost, forming.walked, forming.middle),
    )


def units_that_join(forming: Forming, others: Iterable[Unit]) -> list[tuple[Unit, int]]:
    """Return the batteries on the corners and the units in the middle that join, with facings."""
    units = [unit for unit in others if not unit.brigade and not unit.on_foot]
    corners = {forming.middle + STEPS[way]: way - 1 for way in (1, 3, 5, 7)}
    guns = [
        (unit, corners[unit.square]) for unit in units if unit.is_gun and unit.square in corners
    ]
    return guns + [(unit, unit.facing) for unit in units if unit.square == forming.middle]


def open_side(state: State, brigade: int) -> int | None:
    """Return the facing of the side that a Square of three battalions leaves open, or None."""
    if state.brigades[brigade].faces == book().number("faces"):
        return None
    shut = {unit.facing for unit in members(state, brigade) if is_face(unit)}
    return next(way for way in FRONTS if way not in shut)


def _may_be_face(state: State, unit: Unit) -> bool:
    able = unit.on_foot and not unit.brigade and not unit.disorganised and not is_waiting(unit)
    able = able and not unit.aboard and may_take(unit, Formation.SQUARE)
    return able and combat_of(state, unit) is None


def _walks(lifted: State, unit: Unit, points: int) -> dict[int, int]:
    """Return the squares that a battalion can reach with these points, and their cost."""
    reach = roam(lifted, unit, points, movement.passage(lifted, unit)._replace(turns=False))
    costs: dict[int, int] = {}
    for pose, cost in reach.costs.items():
        if movement.may_share(unit, at(lifted, pose >> 3)):
            costs[pose >> 3] = min(cost, costs.get(pose >> 3, cost))
    return costs


def _cheapest_square(
    lifted: State, centre: int, foot: list[Unit], walks: dict[int, dict[int, int]]
) -> Forming | None:
    """Return the cheapest Square of the first battalion and others around that middle, if any."""
    first, field = foot[0], lifted.field
    sides, front = [centre + STEPS[way] for way in FRONTS], first.facing - first.facing % 2
    inside = at(lifted, centre) if field.holds(centre) else ()
    if not all(map(field.holds, (centre, *sides))) or is_water(field, centre):
        return None
    if any(unit.side is not first.side or unit.on_foot for unit in inside):
        return None
    for size in (book().number("faces"), book().number("least faces")):
        candidates = []
        for order in permutations(foot, size) if len(foot) >= size else ():
            away = {unit.square for unit in foot if unit not in order}
            if first not in order or away & {centre, *sides}:
                continue
            for ways in combinations(FRONTS, size):
                walked = [
                    walks[unit.id].get(centre + STEPS[way])
                    for unit, way in zip(order, ways, strict=True)
                ]
                if None not in walked:
                    costs = [cost for cost in walked if cost is not None]
                    candidates.append((max(costs), sum(costs), front not in ways, ways, order))
        if candidates:
            most, total, _, ways, order = min(candidates, key=lambda candidate: candidate[:4])
            faces = tuple(zip(order, ways, strict=True))
            return Forming(centre, most + book().points("formation"), total, faces)
    return None


def _step_cost(state: State, brigade: int, squares: list[int], way: int) -> int | None:
    """Return the action points for one step of the whole Square, or None.

    A Square does not move diagonally (ruling).
    """
    if is_diagonal(way):
        return None
    field, occupied = state.field, board(state)
    destinations = [square + STEPS[way] for square in squares]
    for square in destinations:
        if not field.holds(square) or is_water(field, square):
            return None
        if any(unit.brigade != brigade for unit in occupied.get(square, ())):
            return None
    crossed = field.edges and any(field.between(square, way) is not None for square in squares)
    cost = book().points("orthogonal") + (book().points("obstacle") if crossed else 0)
    return cost + surcharge(field, *squares, *destinations)
