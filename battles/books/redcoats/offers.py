"""The options of the activated unit, used both to offer actions and to check them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from battles.books.redcoats import brigades, casualties, charging, craft, leaders, movement
from battles.books.redcoats import movement as points
from battles.books.redcoats.board import at, combat_of, is_water, surcharge
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import ARMAMENTS, Target
from battles.books.redcoats.field import OFF_FIELD
from battles.books.redcoats.hand_to_hand import nearest_distance, ways_off
from battles.books.redcoats.leaders import playable
from battles.books.redcoats.pieces import Formation, Heroic, Kind, Style
from battles.books.redcoats.reach import Reach
from battles.books.redcoats.state import (
    Activation,
    Leader,
    State,
    Unit,
    current_activation,
    is_waiting,
)


class Shot(NamedTuple):
    """A target, the cost of firing at it in action points, and whether a card pays for it."""

    target: Target
    cost: int
    by_card: bool


def acting_unit(state: State) -> Unit | None:
    """Return the first of the activated units; None for a Leader alone."""
    current = state.acting or current_activation(state)
    return state.units.get(current.units[0])


def acting_leader(state: State) -> Leader:
    """Return the Leader activated alone."""
    return state.leaders[current_activation(state).units[0]]


def is_brigade(state: State) -> bool:
    """Return whether a whole brigade Square is activated."""
    return len(current_activation(state).units) > 1


def withdraws(state: State, unit: Unit) -> bool:
    """Return whether the unit's side breaks off, so that the unit must move away (Break off 2)."""
    return unit.side in state.breaking_off


def acting_piece(state: State) -> Unit | Leader:
    """Return the first of the activated units, or the Leader activated alone."""
    return acting_unit(state) or acting_leader(state)


def is_on_field(state: State) -> bool:
    """Return whether the activated unit or Leader stands on the field and is free to move."""
    piece = acting_piece(state)
    if piece.aboard or piece.square == OFF_FIELD:
        return False
    return isinstance(piece, Leader) or combat_of(state, piece) is None


def can_act(state: State) -> bool:
    """Return whether the activated unit or Leader has any option left."""
    piece = acting_piece(state)
    if piece.aboard:
        return bool(landing_squares(state))
    if piece.square == OFF_FIELD:
        return bool(entry_squares(state))
    return is_on_field(state) and piece.id not in state.moored and _has_points(state, piece)


def _has_points(state: State, piece: Unit | Leader) -> bool:
    left = points.movement_left(current_activation(state))
    if isinstance(piece, Leader):
        return left >= book().points("orthogonal")
    if left + _with_the_stream(state, piece) >= book().points("turn"):
        return True
    return next(shots(state), None) is not None or bool(cards(state))


def cards(state: State) -> tuple[Heroic, ...]:
    """Return the Heroic Leadership cards that can be played for the activated unit."""
    unit = acting_unit(state)
    return playable(state, current_activation(state), unit) if unit is not None else ()


def reach(state: State) -> Reach | None:
    """Return the places the activated unit or Leader can reach; None off the field or in combat."""
    current, unit = current_activation(state), acting_unit(state)
    left = points.movement_left(current)
    if not is_on_field(state):
        return None
    if unit is None:
        return leaders.ride(state, acting_leader(state), left)
    if is_brigade(state):
        return _away(state, unit, brigades.reach(state, unit.brigade, left))
    if unit.is_craft:
        return _away(state, unit, craft.reach(state, unit, left))
    return _away(state, unit, movement.reach(state, unit, left))


def cost_of_turn(state: State, facing: int) -> int | None:
    """Return the points for a turn of the activated unit where it stands; None if out of reach."""
    unit = acting_unit(state)
    if unit is None or is_brigade(state) or unit.is_craft:
        reachable = reach(state)
        return None if reachable is None else reachable.cost(reachable.start >> 3, facing)
    if not is_on_field(state):
        return None
    cost = 0 if facing == unit.facing else movement.turn_cost(state, unit.square)
    return cost if cost <= max(0, points.movement_left(current_activation(state))) else None


def may_stop(state: State, square: int) -> bool:
    """Return whether the unit may stop there: when breaking off, only further from the enemy."""
    unit = acting_unit(state)
    if unit is None or not withdraws(state, unit):
        return True
    return _recedes(state, unit, _place(state, unit), square)


def must_go_on(state: State) -> bool:
    """Return whether a unit that breaks off still has to move away, and can."""
    unit = acting_unit(state)
    if unit is None or not withdraws(state, unit) or current_activation(state).moved:
        return False
    reachable = reach(state)
    if reachable is None:
        return False
    barred = {reachable.start >> 3, *reachable.closed}
    return any(pose >> 3 not in barred for pose in reachable.costs)


def attacks(state: State) -> list[charging.Attack]:
    """Return the charges that the activated unit can make."""
    unit = acting_unit(state)
    if unit is None or is_brigade(state) or is_waiting(unit) or withdraws(state, unit):
        return []
    return charging.charges(state, unit, points.movement_left(current_activation(state)))


def shots(state: State) -> Iterator[Shot]:
    """Yield the shots of the activated units, with their costs."""
    for number in current_activation(state).units:
        yield from shots_of(state, number)


def shots_of(state: State, number: int, *, within: Iterable[int] = ()) -> Iterator[Shot]:
    """Yield the shots of one activated unit at the squares `within`, or at any if it is empty."""
    unit = state.units.get(number)
    if unit is None or is_waiting(unit) or withdraws(state, unit):
        return
    if unit.is_craft:
        yield from _broadsides(state, unit, within)
        return
    terms = firing_terms(state, current_activation(state), unit)
    if terms is not None:
        for target in casualties.targets(state, unit, within=within):
            yield Shot(target, *terms)


def firing_terms(state: State, current: Activation, unit: Unit) -> tuple[int, bool] | None:
    """Return the cost of a shot now and whether a card pays for it; None if none is allowed.

    The units of a brigade Square all fire for the price of one (Action points example 3).
    """
    fired = current.fired.count(str(unit.id)) if current.fired else 0
    cost = book().points("fire")
    if fired and current.again:
        return 0, True
    if is_brigade(state) and current.fired and not fired:
        return 0, False
    if fired >= times(unit) or points.points_left(current) < cost:
        return None
    return cost, False


def times(unit: Unit) -> int:
    """Return the shots a unit has in a turn: one, or two for a deployed battery (ruling)."""
    if unit.is_gun and unit.formation is Formation.DEPLOYED and not unit.brigade:
        return book().number("deployed shots")
    return 1


def entry_squares(state: State) -> tuple[int, ...]:
    """Return the squares where the activated unit can enter the field with its points."""
    unit = acting_unit(state)
    if unit is None or unit.id not in state.entries:
        return ()
    return tuple(
        square
        for square in state.entries[unit.id].squares
        if entry_cost(state, square) <= points.movement_left(current_activation(state))
        and movement.may_enter(state, unit, square)
        and movement.may_share(unit, at(state, square))
    )


def entry_cost(state: State, square: int) -> int:
    """Return the action points to enter the field: an orthogonal step into the square."""
    return book().points("orthogonal") + surcharge(state.field, square)


def formation_cost(unit: Unit) -> int:
    """Return the action points for a change of formation; for a battery, of limbering."""
    return book().points("limber" if unit.is_gun else "formation")


def can_change(state: State) -> bool:
    """Return whether the activated unit has the points to change its formation."""
    unit, current = acting_unit(state), current_activation(state)
    if unit is None or is_brigade(state) or is_waiting(unit) or unit.aboard:
        return False
    return points.movement_left(current) >= formation_cost(unit)


def changes(state: State) -> tuple[Formation, ...]:
    """Return the formations that the activated unit can take now."""
    unit = acting_unit(state)
    return movement.changes(unit) if unit is not None and can_change(state) else ()


def may_dismount(state: State) -> bool:
    """Return whether the activated unit is Anglo-Egyptian camelry that can dismount now."""
    unit = acting_unit(state)
    if unit is None or unit.kind is not Kind.CAMELRY or unit.dismounted:
        return False
    return book().style(unit.troops) is Style.ANGLO_EGYPTIAN and can_change(state)


def may_mount(state: State) -> bool:
    """Return whether the activated unit is dismounted and can mount in its formation."""
    unit = acting_unit(state)
    if unit is None or not unit.dismounted or not can_change(state):
        return False
    mounted = msgspec.structs.replace(unit, dismounted=False)
    return movement.may_take(mounted, unit.formation)


def brigade_formings(state: State) -> list[brigades.Forming]:
    """Return the brigade Squares that the activated battalion can form, the best first."""
    current, unit = current_activation(state), acting_unit(state)
    if unit is None or not current.leader or not can_change(state) or current.moved:
        return []
    left = points.movement_left(current)
    return brigades.formings(state, unit, waiting_with(state), left)


def waiting_with(state: State) -> list[Unit]:
    """Return the co-ordinated units whose turn to act has still to come."""
    return [state.units[number] for number in state.queue if number in state.units]


def landing_squares(state: State) -> tuple[int, ...]:
    """Return the squares on which the activated unit or Leader can land from its moored vessel."""
    piece = acting_piece(state)
    if piece.aboard not in state.moored or not _has_points_to_land(state):
        return ()
    return craft.landings(state, state.units[piece.aboard], piece)


def loading_vessels(state: State) -> tuple[int, ...]:
    """Return the moored vessels that the activated unit or Leader can board."""
    piece = acting_piece(state)
    if not state.moored or not is_on_field(state) or is_brigade(state):
        return ()
    return craft.vessels_for(state, piece) if _has_points_to_land(state) else ()


def may_leave(state: State) -> bool:
    """Return whether the activated unit, when breaking off, can leave the field from its square."""
    return bool(leaving_ways(state))


def leaving_ways(state: State) -> tuple[int, ...]:
    """Return the facings in which the activated unit can leave the field."""
    unit, current = acting_unit(state), current_activation(state)
    if unit is None or not withdraws(state, unit) or is_waiting(unit) or unit.aboard:
        return ()
    cost = book().points("orthogonal") + surcharge(state.field, unit.square)
    left = points.movement_left(current)
    ways: tuple[int, ...] = ()
    for number in current.units:
        member = state.units[number]
        turn = book().points("turn") + surcharge(state.field, member.square)
        ways += tuple(
            way
            for way in ways_off(state, member)
            if cost + (turn if way != member.facing else 0) <= left
        )
    return ways


def _has_points_to_land(state: State) -> bool:
    return points.movement_left(current_activation(state)) >= book().points("formation")


def _with_the_stream(state: State, unit: Unit) -> int:
    """Return the points that a vessel may gain from the stream if it has not moved yet."""
    if not unit.is_craft or unit.id in state.sailed or not is_water(state.field, unit.square):
        return 0
    return book().number("downstream") if state.field.downstream else 0


def _broadsides(state: State, unit: Unit, within: Iterable[int]) -> Iterator[Shot]:
    """Yield the shots of a gunboat's two armaments, each once and free of charge (Gunboats 10)."""
    if not craft.may_fire(state, unit):
        return
    for weapon in ARMAMENTS:
        if weapon.value not in current_activation(state).fired:
            for target in casualties.targets(state, unit, weapon, within=within):
                yield Shot(target, 0, by_card=False)


def _away(state: State, unit: Unit, reach: Reach) -> Reach:
    """Return the reach; for a side that breaks off, nearer squares are closed for stopping."""
    if not withdraws(state, unit):
        return reach
    origin, side = reach.start >> 3, unit.side
    squares = {pose >> 3 for pose in reach.costs} - {origin}
    far = nearest_distance(state, origin, side)
    nearer = {square for square in squares if nearest_distance(state, square, side) <= far}
    return msgspec.structs.replace(reach, closed=reach.closed | nearer)


def _recedes(state: State, unit: Unit, origin: int, square: int) -> bool:
    side = unit.side
    return nearest_distance(state, square, side) > nearest_distance(state, origin, side)


def _place(state: State, unit: Unit) -> int:
    return brigades.corner(state, unit.brigade) if is_brigade(state) else unit.square
