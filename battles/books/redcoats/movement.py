"""Movement: action points, formations, the cost of steps and turns, where a unit may stop."""

from collections.abc import Iterable, Sequence
from functools import cache

from battles.books.redcoats.board import (
    all_steps,
    barred_to,
    board,
    is_water,
    shaken_friends,
    turn_points,
)
from battles.books.redcoats.book import Bases, book, kind_of
from battles.books.redcoats.field import STEPS, Aspect, angle_between, is_diagonal, name, towards
from battles.books.redcoats.pieces import GUNS, MOUNTS, Formation, Kind
from battles.books.redcoats.reach import Passage, Reach, StepCost, is_free, roam
from battles.books.redcoats.state import Activation, Leader, State, Unit
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger

# Action points: the throw at an activation, and the points left (Action points).


def throw_action_points(ledger: Ledger[State], unit: Unit) -> int:
    """Throw a unit's action points and return them; never less than 0."""
    roll = ledger.roll(
        Roll(
            "action points",
            "Action points 1",
            (0,),
            book().faces("action points", unit),
            modifiers=reduction(unit),
            side=unit.side,
        )
    )
    return max(roll.total, 0)


def thrown_by_leader(ledger: Ledger[State], leader: Leader) -> int:
    """Throw the action points of a Leader who moves on his own and return them."""
    faces = book().leader_faces(leader.troops)
    return ledger.roll(
        Roll("action points", "Action points 1", (0,), faces, side=leader.side)
    ).total


def reduction(unit: Unit) -> tuple[Modifier, ...]:
    """Return the reduction of irregulars' throws (Bashi-Bazouks 3, Gendarmerie 2)."""
    row = book().troops(unit.troops)
    if not row.action_points:
        return ()
    return (Modifier(row.action_points, unit.troops.value, row.clause),)


def points(score: int, unit: Unit) -> int:
    """Return the action points that a score gives a unit: a 2 gives Bashi-Bazouks none."""
    return max(0, score + book().troops(unit.troops).action_points)


def formation_effect(units: list[Unit]) -> int:
    """Return the movement points that formation gives or takes; a brigade Square's are shared."""
    if len(units) > 1:
        return book().formation(Formation.SQUARE).movement
    return 0 if units[0].is_craft else movement(units[0])


def movement_left(current: Activation) -> int:
    """Return the points left for movement.

    The loss for a formation does not apply to a unit that has fired (Action points 2; ruling).
    """
    loss = 0 if current.fired else current.loss
    return current.points + current.bonus - loss - current.spent - current.moved


def points_left(current: Activation) -> int:
    """Return the points left for firing; movement uses up the bonus for movement first."""
    return current.points - current.spent - max(0, current.moved - current.bonus)


# Tactical formations: the units that may take each, and its effects (Formations).


def may_take(unit: Unit, formation: Formation) -> bool:
    """Return whether units of this kind and style may take the formation (Formations 2, 3)."""
    troop_type = f"{book().style(unit.troops)} {kind_of(unit)}"
    return troop_type in book().formation(formation).who


def changes(unit: Unit) -> tuple[Formation, ...]:
    """Return the other formations that the unit could take."""
    return tuple(
        formation
        for formation in Formation
        if formation is not unit.formation and may_take(unit, formation)
    )


def movement(unit: Unit) -> int:
    """Return the action points of movement that the formation gives or takes (Formations 4)."""
    return book().formation(unit.formation).movement


def figures_that_fire(unit: Unit, *, face: bool = False) -> int:
    """Return the figures that fire (Formations 4): a deployed battery's count double.

    `face`: the unit forms a face of a brigade Square, all of which fires (Formations 8).
    """
    if unit.kind is not Kind.TRANSPORT and face and not unit.is_gun:
        return unit.figures
    if not (unit.armed or unit.is_gun):
        return 0
    return figures_on_bases(book().formation(unit.formation).fires, unit.figures)


def may_charge_in(formation: Formation) -> bool:
    """Return whether units in this formation may charge (Formations 5)."""
    return book().formation(formation).charges


def figures_that_fight(unit: Unit, aspect: Aspect) -> int:
    """Return the figures that meet a charge, or fight, on that aspect (Formations 6)."""
    return figures_on_bases(bases(unit.formation, aspect), unit.figures)


@cache
def bases(formation: Formation, aspect: Aspect) -> Bases:
    """Return the bases that can fight in a formation: "all", or a number (Formations 6)."""
    row = book().formation(formation)
    if aspect is Aspect.FRONT:
        return row.front
    return row.flank if aspect is Aspect.FLANK else row.rear


def figures_on_bases(bases: Bases, figures: int) -> int:
    """Return the number of figures on so many bases."""
    if bases == "all":
        return figures
    return 2 * figures if bases == "double" else min(int(bases), figures)


# Movement: the cost of steps and turns, and the places a unit can reach.


_HOSTS = frozenset({Kind.INFANTRY, *MOUNTS})


def reach(state: State, unit: Unit, points: int) -> Reach:
    """Return the places that a land unit on the field can reach with these movement points."""
    if points <= 0:
        return Reach(unit.square * 8 + unit.facing, {unit.square * 8 + unit.facing: 0}, {})
    result = roam(state, unit, points, passage(state, unit))
    return Reach(result.start, result.costs, result.before, closed_squares(state, unit))


def closed_squares(state: State, unit: Unit) -> frozenset[int]:
    """Return the occupied squares in which the unit may not stop."""
    origin, side, occupied = unit.square, unit.side, board(state)
    shared = [
        square
        for square, units in occupied.items()
        if units[0].side is side and len(units) == 1 and _shares(unit.kind, units[0].kind)
    ]
    return frozenset(occupied.keys() - {origin, *shared})


def may_share(unit: Unit, units: Sequence[Unit]) -> bool:
    """Return whether the unit may stop with these units: guns join one friend (Restrictions 2)."""
    if len(units) != 1 or units[0].side is not unit.side:
        return not units
    return _shares(unit.kind, units[0].kind)


@cache
def _shares(kind: Kind, other: Kind) -> bool:
    return (kind in GUNS) is not (other in GUNS) and (kind in _HOSTS or other in _HOSTS)


def passage(state: State, unit: Unit) -> Passage:
    """Return what a land unit may pass: no enemies, and no further than a disorganised friend."""
    dead_ends = shaken_friends(state, unit.side) - {unit.square}
    return Passage(barred_to(state, unit.side), dead_ends=dead_ends)


def step_cost(state: State, unit: Unit, square: int, way: int) -> int | None:
    """Return the action points for a step from `square` in the facing `way`; None if barred."""
    return stepper(state, unit)(square, way)


def stepper(state: State, unit: Unit) -> StepCost:
    """Return a function for the cost of a unit's steps while no other unit moves.

    It takes a square and a facing. Passing through a friend's square is paid for on leaving it, and
    a disorganised friend is not passed (Restrictions 4).
    """
    occupied, side = board(state), unit.side
    dead_ends = shaken_friends(state, side)
    dead_ends.discard(unit.square)
    through = book().points("through friends")
    steps = all_steps(state.field, afloat=unit.is_craft)

    def cost_of_step(square: int, way: int) -> int | None:
        cost = steps[square * 8 + way]
        if cost is None or square in dead_ends or (way % 2 and not is_free(occupied, square, way)):
            return None
        for other in occupied.get(square + STEPS[way], ()):
            if other.side is not side:
                return None
        return cost + through if square in occupied and square != unit.square else cost

    return cost_of_step


def may_enter(state: State, unit: Unit, square: int) -> bool:
    """Return whether the unit may enter a square: its element, without enemies (Restrictions 3)."""
    if not state.field.holds(square) or is_water(state.field, square) is not unit.is_craft:
        return False
    return square not in barred_to(state, unit.side)


def passes_corner(state: State, square: int, way: int) -> bool:
    """Return whether both squares beside a diagonal step are empty (Movement 3)."""
    return not is_diagonal(way) or is_free(board(state), square, way)


def turn_cost(state: State, square: int) -> int:
    """Return the action points for a turn in a square, at any angle (Movement 1)."""
    return turn_points(state.field, square)


def path_cost(state: State, unit: Unit, path: Iterable[int], facing: int) -> int:
    """Return the action points to go through these squares and end with this facing.

    Raises IllegalAction for an impossible step, and for a last square where it may not stop.
    """
    position, looks, spent = unit.square, unit.facing, 0
    step = stepper(state, unit)
    for square in path:
        way = way_to(position, square)
        if way != looks:
            spent += cost_of_turning(state, unit, position, angle_between(looks, way))
        cost = step(position, way)
        if cost is None:
            raise IllegalAction(
                "Movement 2",
                f"The unit cannot go from {name(position)} to {name(square)}.",
                "A square on its way is held, or a diagonal is barred by a square beside it.",
            )
        position, looks, spent = square, way, spent + cost
    if looks != facing:
        spent += cost_of_turning(state, unit, position, angle_between(looks, facing))
    if position != unit.square and not may_share(unit, board(state).get(position, ())):
        raise IllegalAction(
            "Restrictions 2", f"The unit may not stop in {name(position)}, which is occupied."
        )
    return spent


def way_to(square: int, other: int) -> int:
    """Return the facing of a step between adjacent squares. Raises IllegalAction for others."""
    if other - square not in STEPS:
        raise IllegalAction(
            "Movement 2", f"{name(other)} is not next to {name(square)}.", "Name every square."
        )
    return towards(square, other)


def cost_of_turning(state: State, unit: Unit, square: int, eighths: int) -> int:
    """Return the action points for a turn of that many times 45 degrees; vessels pay for each."""
    if unit.is_craft:
        return eighths * book().points("turn")
    return turn_cost(state, square)
