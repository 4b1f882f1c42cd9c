"""Brigade Squares: members, faces, forming and movement (Formations 8)."""

from battles.books.redcoats.board import at, board
from battles.books.redcoats.book import book
from battles.books.redcoats.ground import is_water, surcharge
from battles.books.redcoats.movement import Reach, search
from battles.books.redcoats.pieces import Formation, Kind
from battles.books.redcoats.squares import STEPS, adjacent, column, is_diagonal, row
from battles.books.redcoats.state import Leader, State, Unit
from battles.core.game import IllegalAction


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


def is_shut(state: State, unit: Unit) -> bool:
    """Return whether the unit is a face of a fully formed Square, which has no flank or rear."""
    return is_face(unit) and fully_formed(state, unit.brigade)


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
    squares = [unit.square for unit in members(state, brigade)]
    return min(map(row, squares)) * 100 + min(map(column, squares))


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
    found = search(
        start,
        points,
        lambda square, way: _step_cost(state, brigade, [square + off for off in offsets], way),
        lambda square: turn_cost(state, [square + off for off in offsets]),
    )
    straight = {pose: cost for pose, cost in found.costs.items() if not is_diagonal(pose & 7)}
    return Reach(found.start, straight, found.before)


def path_cost(state: State, brigade: int, path: tuple[int, ...], facing: int) -> int:
    """Return the action points to take the corner through these squares.

    Raises IllegalAction when the way is barred.
    """
    if is_diagonal(facing):
        raise IllegalAction("Formations 8", "A brigade Square fronts north, east, south or west.")
    first = corner(state, brigade)
    offsets = [unit.square - first for unit in members(state, brigade)]
    here, looks, spent = first, state.brigades[brigade].facing, 0
    for square in path:
        if square - here not in STEPS:
            raise IllegalAction("Formations 8", "A brigade Square moves one square at a time.")
        way = STEPS.index(square - here)
        squares = [here + off for off in offsets]
        if way != looks:
            spent += turn_cost(state, squares)
        cost = _step_cost(state, brigade, squares, way)
        if cost is None:
            raise IllegalAction("Formations 8", "The brigade Square is barred from going there.")
        here, looks, spent = square, way, spent + cost
    return spent + (turn_cost(state, [here + off for off in offsets]) if looks != facing else 0)


def turn_cost(state: State, squares: list[int]) -> int:
    """Return the action points to turn the Square to another front."""
    return book().points("turn") + surcharge(state.field, *squares)


def may_form(state: State, units: list[Unit]) -> int | None:
    """Return the square in the middle of four battalions that may form a Square, or None."""
    foot = [unit for unit in units if unit.on_foot and not unit.brigade]
    if len(foot) < book().number("faces"):
        return None
    for unit in foot:
        for way in (0, 2, 4, 6):
            middle = unit.square + STEPS[way]
            if len(_around(middle, foot)) == book().number("faces"):
                return middle
    return None


def formed_by(state: State, middle: int, units: list[Unit]) -> list[tuple[Unit, int]]:
    """Return the units, batteries too, that form a Square around a middle, with their facings."""
    faces = _around(middle, units)
    found = [(unit, way) for way, unit in faces.items()]
    for way in (1, 3, 5, 7):
        square = middle + STEPS[way]
        found += [(unit, way - 1) for unit in at(state, square) if unit.is_gun and unit in units]
    return found + [(unit, unit.facing) for unit in at(state, middle) if unit in units]


def _around(middle: int, units: list[Unit]) -> dict[int, Unit]:
    """Return the battalions on the four sides of a square, by the facing each would take."""
    return {
        way: unit
        for way in (0, 2, 4, 6)
        for unit in units
        if unit.square == middle + STEPS[way] and unit.kind in (Kind.INFANTRY, Kind.CAMELRY)
    }


def _step_cost(state: State, brigade: int, squares: list[int], way: int) -> int | None:
    """Return the action points for one step of the whole Square, or None.

    A Square does not move diagonally (ruling).
    """
    if is_diagonal(way):
        return None
    field, occupied = state.field, board(state)
    to = [square + STEPS[way] for square in squares]
    for square in to:
        if not field.holds(square) or is_water(field, square):
            return None
        if any(unit.brigade != brigade for unit in occupied.get(square, ())):
            return None
    crossed = field.edges and any(field.between(square, way) is not None for square in squares)
    cost = book().points("orthogonal") + (book().points("obstacle") if crossed else 0)
    return cost + surcharge(field, *squares, *to)
