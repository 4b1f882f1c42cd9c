"""The actions that come back from turn forms: composed ones, plans, repeats and corrections."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import cos, radians, sin
from typing import Any

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, orders
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import SCALE
from battles.books.fuzzy_wuzzy.movement import LEAST, stands_freely
from battles.books.fuzzy_wuzzy.names import stands_in_words
from battles.books.fuzzy_wuzzy.options import Options, likeliest_shot, options
from battles.books.fuzzy_wuzzy.pieces import Rate
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TOUCH, TablePoint, ahead, bearing_between, distance
from battles.turn_form import (
    BUSY,
    InvalidForm,
    QuestionKind,
    is_shaken_after,
    number,
    read_deployment,
    read_facing,
    read_place,
    read_point,
)

AHEAD, LINE, VOLLEY, RECOVER = "ahead", "line", "volley", "recover"
"""Plans: all go straight ahead, go with the unit that moves, fire, or recover casualties."""


_SHARES = (6, 5, 4, 3, 2, 1)
"""Sixths of a way that are tried, the longest first."""


def read_action(state: State, fields: Mapping[str, Any]) -> a.AnyAction:
    """Return the action of a form with more than one answer. Raises InvalidForm."""
    offered = options(state)
    if offered is None:
        raise InvalidForm("The battle is over.")
    if offered.asks == "set up":
        return read_deployment(fields, TableFormation)
    unit_id = number(fields, "unit")
    if offered.asks == "order":
        words = str(fields.get("order", ""))
        first = _order(state, offered, unit_id, words)
        others = _same(state, offered, unit_id, words) if "every" in fields else ()
        return a.Order((first, *others))
    unit = state.units.get(unit_id)
    if unit is None or unit.side is not offered.side:
        raise InvalidForm("Choose one of your units.")
    destination = read_point(fields)
    way = unit.facing if destination == unit.at else bearing_between(unit.at, destination)
    return a.Move(unit_id, destination, read_facing(fields, way))


def sequel(state: State, action: a.AnyAction, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the function that goes on with a plan of this phase, unit by unit."""
    if plan in (AHEAD, LINE) and isinstance(action, a.Move):
        return _march(state, action, plan)
    asks = {VOLLEY: "fire", RECOVER: "recover"}.get(plan)
    first = options(state)

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        if offered is None or first is None or offered.side is not first.side:
            return None
        if offered.asks != asks or now.turn != state.turn:
            return None
        if asks == "recover":
            return a.Recover(offered.recovers[0]) if offered.recovers else None
        return likeliest_shot(now, offered)

    return following


def _march(state: State, action: a.Move, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the plan by which all others go the same way as a unit, or each straight ahead."""
    first = state.units[action.unit]
    offered = options(state)
    others = [number for number in (offered.paces if offered else ()) if number != action.unit]
    dx, dy = action.to.x - first.at.x, action.to.y - first.at.y
    way = bearing_between(TablePoint(0, 0), TablePoint(dx, dy))

    def step(unit: Unit, far: int) -> tuple[int, int, int]:
        """Return the facing of a unit's move, its length and its direction."""
        if plan == LINE:
            return action.facing, distance(first.at, action.to), way
        return unit.facing, far, unit.facing

    def ahead_first(number: int) -> float:
        """Sort units by their place along their way: those in front make room."""
        unit = state.units[number]
        turned = radians(unit.facing if plan == AHEAD else way)
        return unit.at.y * cos(turned) - unit.at.x * sin(turned)

    waiting = sorted(others, key=ahead_first)

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        while waiting and offered is not None and offered.asks == "move":
            number = waiting.pop(0)
            if number not in offered.paces:
                continue
            unit, far = now.units[number], offered.paces[number]
            facing, length, direction = step(unit, far)
            move = _longest_move(offered, unit, direction, min(length, far), facing)
            if move is not None:
                return move
        return None

    return following


def move_ahead(state: State, offered: Options, number: int) -> a.Move | None:
    """Return the longest legal move of a unit straight ahead; None for none."""
    unit = state.units[number]
    return _longest_move(offered, unit, unit.facing, offered.paces[number], unit.facing)


def _longest_move(
    offered: Options, unit: Unit, direction: int, far: int, facing: int
) -> a.Move | None:
    """Return the longest legal move of a unit in a direction, by sixths of the way."""
    for share in _SHARES:
        destination = ahead(unit.at, direction, far * share // 6)
        if distance(unit.at, destination) >= LEAST and offered.may_stand(
            unit.id, destination, facing
        ):
            return a.Move(unit.id, destination, facing)
    return None


def repeat_orders(state: State, actions: Iterable[a.AnyAction]) -> a.Order | None:
    """Return last turn's orders for the units that may be given them and have none yet."""
    offered = options(state)
    if offered is None or offered.asks != "order":
        return None
    before = {
        order.unit: order
        for action in actions
        if isinstance(action, a.Order)
        for order in action.orders
    }
    fresh = [number for number in offered.orders if number in before and number not in state.orders]
    unit_orders = tuple(
        before[number] for number in fresh if orders.is_legal(state, before[number])
    )
    return a.Order(unit_orders) if unit_orders else None


def read_correction(state: State, fields: Mapping[str, Any]) -> e.Corrected:
    """Return the umpire's correction of a unit from a form. Raises InvalidForm if impossible."""
    unit = state.units.get(number(fields, "unit"))
    if unit is None or unit.id in state.waiting:
        raise InvalidForm("Choose a unit that stands on the field.")
    asked_unit = getattr(state.question, "unit", 0)
    if board.in_contact(state, unit) or unit.id in (*state.engaged, asked_unit):
        raise InvalidForm(BUSY)
    left, place, facing = read_place(fields, unit)
    if not 0 <= left <= unit.full:
        raise InvalidForm(f"It has {stands_in_words(unit.full)} at most.")
    markers = (*unit.markers, *(0,) * unit.full)
    runs = is_shaken_after(fields, unit.retreating)
    now = msgspec.structs.replace(
        unit, markers=markers[: max(left, 1)], at=place, facing=facing, retreating=runs
    )
    stands = board.stands_of(now)
    near = any(
        board.come_within(stands, board.stands_of(enemy), TOUCH)
        for enemy in board.enemies(state, unit.side, seen=False)
    )
    if near or not stands_freely(state, now, place, facing):
        raise InvalidForm("It cannot stand there: the ground is not for it, or somebody is there.")
    return e.Corrected(unit=unit.id, now=msgspec.structs.replace(now, markers=markers[:left]))


def list_attempts(
    known_state: State, side: Side, number: int
) -> Iterator[tuple[QuestionKind, a.AnyAction]]:
    """Yield what a player looks for with a unit in this phase: a step ahead, the nearest enemy."""
    unit, offered = known_state.units.get(number), options(known_state)
    if unit is None or offered is None:
        return
    enemies = board.enemies(known_state, side)
    nearest = min(enemies, key=lambda enemy: distance(enemy.at, unit.at)).id if enemies else 0
    if offered.asks == "order":
        yield QuestionKind.ORDER, a.Order((a.UnitOrder(number, movement=Rate.MARCH),))
    elif offered.asks == "move":
        yield QuestionKind.GO, a.Move(number, ahead(unit.at, unit.facing, SCALE), unit.facing)
        if nearest:
            yield QuestionKind.CHARGE, a.Close(number, nearest)
    elif offered.asks == "fire" and nearest:
        yield QuestionKind.FIRE, a.Fire(number, nearest)
    elif offered.asks == "recover":
        yield QuestionKind.OTHER, a.Recover(number)


def _order(state: State, offered: Options, unit: int, words: str) -> a.UnitOrder:
    """Return the legal set of orders in these words. Raises InvalidForm."""
    if unit not in offered.orders:
        raise InvalidForm("Choose one of your units that can be given orders.")
    for order in orders.together(state, state.units[unit]):
        if order_in_words(order) == words:
            return order
    raise InvalidForm("Choose one of the orders that are offered.")


def _same(state: State, offered: Options, but: int, words: str) -> tuple[a.UnitOrder, ...]:
    """Return the same orders for every other unit that has none yet and may be given them."""
    fresh = [number for number in offered.orders if number != but and number not in state.orders]
    matches = (
        order
        for unit in fresh
        for order in orders.together(state, state.units[unit])
        if order_in_words(order) == words
    )
    return tuple(matches)


def order_in_words(order: a.UnitOrder | None) -> str:
    """Return an order as the list of orders has it: "march, square"."""
    if order is None:
        return "no orders yet"
    parts = [str(part) for part in (order.movement, order.change, order.combat) if part is not None]
    return ", ".join(parts) or "stands"
