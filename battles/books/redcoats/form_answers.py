"""The actions that come back from turn forms: composed ones, plans and corrections."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, combat_of, is_water, on_field
from battles.books.redcoats.drawing import square_of
from battles.books.redcoats.field import APART, OFF_FIELD, STEPS, parse_square
from battles.books.redcoats.movement import may_share
from battles.books.redcoats.names import figures_in_words
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.state import State
from battles.books.redcoats.tale import HEROIC
from battles.contract.brief import Side
from battles.turn_form import BUSY, InvalidForm, QuestionKind, is_shaken_after, number

AT_ONCE, IN_ORDER, LINE = "at once", "in order", "line"
"""Plans: carry an act out unless fire or a charge can follow; let led units act in order; let them
go the same way as the unit that moves."""


def read_action(state: State, fields: Mapping[str, Any]) -> a.AnyAction:
    """Return the action of a form with more than one answer. Raises InvalidForm."""
    offered = options(state)
    if offered is None:
        raise InvalidForm("The battle is over.")
    if offered.asks == "co-ordinate":
        several = fields.getlist("several")  # type: ignore[attr-defined]
        if not several:
            raise InvalidForm("Tick units to share the card, or let each act on its own.")
        return a.Coordinate(tuple(map(_number, several)))
    square, facing = _number(fields.get("place")), _number(fields.get("facing"))
    if offered.asks == "set up":
        formation = str(fields.get("formation", ""))
        if formation not in ("", *Formation):
            raise InvalidForm("Choose a formation of those that are offered.")
        drawn_up = Formation(formation) if formation else None
        return a.Deploy(_number(fields.get("unit")), square, facing, drawn_up)
    return a.Enter(square, facing) if offered.entries else a.Unload(square, facing)


def sequel(state: State, action: a.AnyAction, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the function that goes on with a plan: LINE, or AT_ONCE, IN_ORDER or both."""
    if plan.startswith(LINE) and isinstance(action, a.Move) and action.path:
        return _line(state, action)
    acting = _acting_unit(state)

    def following(now: State) -> a.AnyAction | None:
        question = now.question
        if IN_ORDER in plan and isinstance(question, a.ToChooseNext):
            return a.Activate(question.choices[0])
        same = isinstance(question, a.ToAct) and question.unit == acting
        if AT_ONCE not in plan or not same or not now.acting or not now.acting.declared:
            return None
        offered = options(now)
        if offered is None or not offered.done or offered.targets or offered.charges:
            return None
        return a.Done()

    return following


def _line(state: State, action: a.Move) -> Callable[[State], a.AnyAction | None]:
    """Return the plan by which all units on the Leader's card go the same way, as far as they can.

    A unit that cannot go that way is asked what it does, and the plan ends.
    """
    first = _acting_unit(state)
    start, end = square_of(state.units[first].square), square_of(action.path[-1])
    way = end[0] - start[0], end[1] - start[1]
    group = {first, *state.queue}

    def following(now: State) -> a.AnyAction | None:
        question, offered = now.question, options(now)
        if isinstance(question, a.ToChooseNext) and group.issuperset(question.choices):
            return a.Activate(question.choices[0])
        if not isinstance(question, a.ToAct) or question.unit not in group or offered is None:
            return None
        if now.acting and now.acting.declared:
            return a.Done() if offered.done else None
        return _same_way(now, offered, way)

    return following


def _acting_unit(state: State) -> int:
    return state.question.unit if isinstance(state.question, a.ToAct) else 0


def _same_way(state: State, offered: Options, way: tuple[int, int]) -> a.Move | None:
    """Return the longest move of the unit along a way, its facing kept where it can be."""
    unit = state.units.get(offered.unit)
    if unit is None or offered.reach is None:
        return None
    across, down = square_of(unit.square)
    steps = max(map(abs, way))
    for share in range(steps, 0, -1):
        target = across + round(way[0] * share / steps), down + round(way[1] * share / steps)
        ends = [end for end in offered.reach.ends() if square_of(end.square) == target]
        for best in sorted(ends, key=lambda end: (end.facing != unit.facing, end.cost))[:1]:
            return a.Move(offered.reach.path(best.square, best.facing), best.facing)
    return None


def read_correction(state: State, fields: Mapping[str, Any]) -> e.Corrected:
    """Return the event for the umpire's correction of a unit.

    Raises InvalidForm for an impossible one.
    """
    unit = state.units.get(number(fields, "unit"))
    if unit is None or unit.aboard or unit.square == OFF_FIELD:
        raise InvalidForm("Choose a unit that stands on the field by itself.")
    busy = combat_of(state, unit) is not None
    if busy or (state.acting is not None and unit.id in state.acting.units):
        raise InvalidForm(BUSY)
    left = number(fields, "left")
    place = str(fields.get("place", "")).strip()
    try:
        square = parse_square(place) if place else unit.square
    except ValueError as error:
        raise InvalidForm(f"{str(error).capitalize()}.") from error
    looks = str(fields.get("facing", "")).strip()
    if unit.brigade and (looks or square != unit.square):
        raise InvalidForm("It keeps its place in the brigade square: correct only its losses.")
    now = msgspec.structs.replace(
        unit,
        figures=left,
        square=square,
        facing=number(fields, "facing") // 45 % 8 if looks else unit.facing,
        disorganised=is_shaken_after(fields, unit.disorganised),
    )
    if not 0 <= left <= unit.full:
        raise InvalidForm(f"It has {figures_in_words(unit.full, unit)} at most.")
    others = [other for other in at(state, square) if other is not unit]
    wet = state.field.holds(square) and is_water(state.field, square) is not unit.is_craft
    foes = any(other.side is not now.side for other in others)
    if not state.field.holds(square) or wet or foes or not may_share(now, others):
        raise InvalidForm(f"It cannot stand at {place}.")
    return e.Corrected(unit=unit.id, now=now)


def list_attempts(
    known_state: State, side: Side, number: int
) -> Iterator[tuple[QuestionKind, a.AnyAction]]:
    """Yield what a player looks for with a unit: its turn, a step ahead, the nearest enemy.

    A unit that has declared acts looks for more from where those leave it.
    """
    offered = options(known_state)
    ahead = (offered and offered.acts) or known_state
    unit = ahead.units.get(number)
    if unit is None or offered is None or unit.square == OFF_FIELD:
        return
    if offered.asks == "next":
        yield QuestionKind.NEXT, a.Activate(number)
    if offered.asks != "act" or number != offered.unit:
        return
    yield QuestionKind.GO, a.Move((unit.square + STEPS[unit.facing],), unit.facing)
    enemies = [enemy for enemy in on_field(ahead, side.enemy) if enemy.square != OFF_FIELD]
    if enemies:
        nearest = min(enemies, key=lambda enemy: APART[unit.square - enemy.square]).id
        yield QuestionKind.FIRE, a.Fire(nearest)
        yield QuestionKind.CHARGE, a.Charge(nearest)


def hand(state: State, side: Side) -> tuple[str, ...]:
    """Return the Heroic Leadership cards that the side holds."""
    return tuple(HEROIC[card] for card in state.hands.get(side, ()))


def _number(value: object) -> int:
    text = str(value if value is not None else "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InvalidForm("Choose a place and a facing of those that are offered.")
    return int(text)
