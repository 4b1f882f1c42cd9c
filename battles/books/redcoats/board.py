"""Units on the board, and the effects of the ground: surcharges, cover, line of sight."""

from functools import lru_cache
from itertools import pairwise

from battles.books.redcoats.book import book
from battles.books.redcoats.field import (
    OFF_FIELD,
    STEPS,
    STRIDE,
    VECTORS,
    Field,
    is_diagonal,
    offset,
)
from battles.books.redcoats.pieces import AFLOAT, GUNS, Special
from battles.books.redcoats.state import Combat, Leader, State, Unit
from battles.contract.brief import Side

# The units by square: an index built from the state when needed and never stored.


_NONE: tuple[Unit, ...] = ()


def board(state: State) -> dict[int, list[Unit]]:
    """Return the units of each occupied square, except those aboard a vessel or off the field.

    In a square shared with guns the other unit comes first.
    """
    try:
        index: dict[int, list[Unit]] = state.__dict__["board"]
    except KeyError:
        index = state.__dict__["board"] = _board(state)
    return index


def barred_to(state: State, side: Side) -> set[int]:
    """Return the squares that a side's units may not enter: those with enemies."""
    return {unit.square for unit in on_field(state, side.enemy)}


def shaken_friends(state: State, side: Side) -> set[int]:
    """Return the squares of a side's disorganised units, which nobody passes (Restrictions 4)."""
    return {unit.square for unit in on_field(state, side) if unit.disorganised}


def forget(state: State) -> None:
    """Drop the indexes after a unit has moved, entered or left."""
    state.__dict__.pop("board", None)
    state.__dict__.pop("sides", None)
    state.__dict__.pop("fronts", None)


def forget_losses(state: State) -> None:
    """Drop the count of units out of action after one has lost its order, regained it or gone."""
    state.__dict__.pop("out of action", None)


def at(state: State, square: int) -> list[Unit] | tuple[Unit, ...]:
    """Return the units in a square."""
    return board(state).get(square, _NONE)


def foremost(state: State, square: int, side: Side) -> Unit | None:
    """Return the unit of that side in a square that meets the enemy, if any."""
    return next((unit for unit in at(state, square) if unit.side is side), None)


def on_field(state: State, side: Side) -> list[Unit]:
    """Return the units of a side on the field, except those aboard a vessel."""
    units_by_side: dict[Side, list[Unit]] | None = state.__dict__.get("sides")
    if units_by_side is None:
        units_by_side = state.__dict__["sides"] = {key: [] for key in Side}
        for units in board(state).values():
            for unit in units:
                units_by_side[unit.side].append(unit)
    return units_by_side[side]


def fronts(state: State, side: Side) -> dict[int, Unit]:
    """Return the first unit of each square whose first unit is of that side."""
    by_side: dict[Side, dict[int, Unit]] | None = state.__dict__.get("fronts")
    if by_side is None:
        by_side = state.__dict__["fronts"] = {key: {} for key in Side}
        for square, units in board(state).items():
            by_side[units[0].side][square] = units[0]
    return by_side[side]


def leaders_with(state: State, unit: Unit) -> list[Leader]:
    """Return the Leaders in the unit's square, or aboard it if it is a vessel."""
    if unit.square == OFF_FIELD:
        return []
    return [
        leader
        for leader in state.leaders.values()
        if leader.square == unit.square and leader.side is unit.side
    ]


def company(state: State, unit: Unit) -> list[Unit | Leader]:
    """Return the unit and all that fall back with it: guns and Leaders in its square."""
    others = [
        other for other in at(state, unit.square) if other.side is unit.side and other is not unit
    ]
    return [unit, *others, *leaders_with(state, unit)]


def combat_of(state: State, unit: Unit) -> Combat | None:
    """Return the hand-to-hand combat in the unit's square, if any."""
    for combat in state.combats:
        for number in (combat.charger, combat.charged):
            if state.units[number].square == unit.square:
                return combat
    return None


def squares_fought_in(state: State) -> set[int]:
    """Return the squares with hand-to-hand combats."""
    return {state.units[combat.charged].square for combat in state.combats}


def is_asleep(state: State, side: Side) -> bool:
    """Return whether that side is still unaware of the attack (Night march 3)."""
    return side is Side.MAHDIST and Special.ASLEEP in state.special


def _board(state: State) -> dict[int, list[Unit]]:
    index: dict[int, list[Unit]] = {}
    shared = []
    for unit in state.units.values():
        square = unit.square
        if square >= 0 and not unit.aboard:
            if square in index:
                index[square].append(unit)
                shared.append(square)
            else:
                index[square] = [unit]
    for square in shared:
        index[square].sort(key=_behind)
    return index


def _behind(unit: Unit) -> int:
    return 1 if unit.kind in GUNS or unit.kind in AFLOAT else 0


# The effects of the ground: surcharges, cover, and line of sight (Definitions).


Rough = dict[int, tuple[bool, bool]]


def rough(field: Field) -> Rough:
    """Return the squares that cost more, each as a pair: is it difficult, is it steep."""
    rough_squares: Rough | None = field.__dict__.get("rough")
    if rough_squares is None:
        rough_squares = {}
        for square, terrain in field.ground.items():
            row = book().terrain(terrain)
            if row.difficult or row.steep:
                rough_squares[square] = (row.difficult, row.steep)
        field.__dict__["rough"] = rough_squares
    return rough_squares


def surcharge(field: Field, *squares: int) -> int:
    """Return the surcharge for moving into, in or out of rough squares (Movement 1).

    Give one square for a turn in it, two for the step between them.
    """
    rough_squares = rough(field)
    if not rough_squares:
        return 0
    kinds = [rough_squares[square] for square in squares if square in rough_squares]
    difficult = any(kind[0] for kind in kinds)
    steep = any(kind[1] for kind in kinds)
    return difficult * book().points("difficult") + steep * book().points("steep")


def is_water(field: Field, square: int) -> bool:
    """Return whether a square is water, for vessels alone."""
    return square in field.ground and book().terrain(field.ground[square]).water


class StepTable(dict[int, int | None]):
    """The action points of each step by the pose before it, worked out when first asked for."""

    def __init__(self, field: Field, *, afloat: bool) -> None:
        self._field, self._afloat = field, afloat

    def __missing__(self, pose: int) -> int | None:
        cost = _step_points(self._field, pose >> 3, pose & 7, afloat=self._afloat)
        self[pose] = cost
        return cost


def all_steps(field: Field, *, afloat: bool) -> StepTable:
    """Return the cost of every step on a field, regardless of units."""
    name = "afloat" if afloat else "ashore"
    steps: StepTable | None = field.__dict__.get(name)
    if steps is None:
        steps = field.__dict__[name] = StepTable(field, afloat=afloat)
    return steps


def _step_points(field: Field, square: int, way: int, *, afloat: bool) -> int | None:
    destination = square + STEPS[way]
    if not field.holds(destination) or is_water(field, destination) is not afloat:
        return None
    tariff = book().points
    cost = tariff("diagonal") if is_diagonal(way) else tariff("orthogonal")
    if field.edges and field.between(square, way) is not None:
        cost += tariff("obstacle")
    return cost + surcharge(field, square, destination)


def turn_points(field: Field, square: int) -> int:
    """Return the action points for a turn in a square, at any angle (Movement 1)."""
    return all_turns(field)[square]


class TurnTable(dict[int, int]):
    """The action points of a turn in each square, worked out when first asked for."""

    def __init__(self, field: Field) -> None:
        self._field = field

    def __missing__(self, square: int) -> int:
        self[square] = cost = book().points("turn") + surcharge(self._field, square)
        return cost


def all_turns(field: Field) -> TurnTable:
    """Return the cost of a turn in every square of a field."""
    turns: TurnTable | None = field.__dict__.get("turns")
    if turns is None:
        turns = field.__dict__["turns"] = TurnTable(field)
    return turns


def in_cover(field: Field, target: int, firer: int) -> bool:
    """Return whether fire from `firer` finds a unit in `target` in cover (Definitions 2, Firing 9).

    Cover comes from the square itself, or from an obstacle before it.
    """
    if book().terrain(field.terrain(target)).cover:
        return True
    if not field.edges:
        return False
    obstacle = field.between(target, _way_to(target, firer))
    return obstacle is not None and book().obstacle(obstacle).cover


def sees(field: Field, square: int, other: int) -> bool:
    """Return whether there is a direct line of sight between two squares (Definitions 4).

    Low cover does not block a line from or to high ground, nor does an obstacle on the edge of
    either square (rulings). A line through a corner is blocked by both squares beside it.
    """
    if not field.ground and not field.edges:
        return True
    cache: dict[tuple[int, int], bool] = field.__dict__.setdefault("seen", {})
    pair = (square, other) if square < other else (other, square)
    if pair not in cache:
        cache[pair] = _sees(field, *pair)
    return cache[pair]


def _sees(field: Field, origin: int, other: int) -> bool:
    over = _is_high(field, origin) or _is_high(field, other)
    for squares in line(origin, other):
        if all(_obscures(field, square, over=over) for square in squares):
            return False
    return not _walled_off(field, origin, other)


@lru_cache(maxsize=16_384)
def line(square: int, other: int) -> tuple[tuple[int, ...], ...]:
    """Return the squares on the straight line between two centres, without its ends.

    Where it runs through a corner, the two squares beside the corner form one group.
    """
    columns, rows = offset(square, other)
    return tuple(
        tuple(square + row * STRIDE + column for column, row in cells)
        for cells in _between(columns, rows)
    )


@lru_cache(maxsize=4096)
def _between(columns: int, rows: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    wide, high = abs(columns), abs(rows)
    east, south = (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)
    column = row = 0
    cells: list[tuple[tuple[int, int], ...]] = []
    while (column, row) != (wide, high):
        sideways, down = (2 * column + 1) * high, (2 * row + 1) * wide
        if sideways == down:
            beside = ((column + 1) * east, row * south), (column * east, (row + 1) * south)
            cells.append(beside)
            column, row = column + 1, row + 1
        elif sideways < down:
            column += 1
        else:
            row += 1
        if (column, row) != (wide, high):
            cells.append(((column * east, row * south),))
    return tuple(cells)


def _is_high(field: Field, square: int) -> bool:
    return square in field.ground and book().terrain(field.ground[square]).high


def _obscures(field: Field, square: int, *, over: bool) -> bool:
    if square not in field.ground:
        return False
    row = book().terrain(field.ground[square])
    return row.obscures and (row.high or not over)


def _walled_off(field: Field, square: int, other: int) -> bool:
    """Return whether a high obstacle crosses the line away from both its ends."""
    if not field.edges:
        return False
    cells = [(square,), *line(square, other), (other,)]
    single = [squares for squares in cells if len(squares) == 1]
    inner = [squares[0] for squares in single[1:-1]]
    return any(_stands_between(field, *pair) for pair in pairwise(inner))


def _stands_between(field: Field, square: int, other: int) -> bool:
    step = other - square
    if step not in STEPS:
        return False
    obstacle = field.between(square, STEPS.index(step))
    return obstacle is not None and book().obstacle(obstacle).obscures


def _way_to(target: int, firer: int) -> int:
    """Return the facing of the side or corner over which fire from `firer` enters `target`."""
    columns, rows = offset(target, firer)
    across, down = (columns > 0) - (columns < 0), (rows > 0) - (rows < 0)
    if abs(columns) > abs(rows):
        return VECTORS.index((across, 0))
    return VECTORS.index((0, down) if abs(rows) > abs(columns) else (across, down))
