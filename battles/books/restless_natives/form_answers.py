"""The actions that come back from turn forms: composed ones, plans and corrections."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import is_engaged, stands_of
from battles.books.restless_natives.movement import is_ground_for
from battles.books.restless_natives.names import CARDS, commander_name, name_of, stands_in_words
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.state import State
from battles.contract.brief import Side
from battles.prose import agree, capital
from battles.tabletop.field import on_table
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import (
    MEASURE,
    TOUCH,
    TablePoint,
    ahead,
    bearing_between,
    distance,
    gap,
    overlap,
)
from battles.turn_form import (
    BUSY,
    InvalidForm,
    QuestionKind,
    length,
    number,
    read_deployment,
    read_facing,
    read_place,
    read_point,
)

AHEAD, TOWARDS = "ahead", "towards"
"""Plans of a march: straight ahead, or towards a place, as far as the dice allow."""


FIRE, FIGHT = "fire", "fight"
"""Plans of a unit that is activated for it: to fire at an enemy, or to fight it on."""


def read_action(state: State, fields: Mapping[str, Any]) -> a.AnyAction:
    """Return the action of a form with more than one answer. Raises InvalidForm."""
    offered = options(state)
    if offered is None:
        raise InvalidForm("The battle is over.")
    if offered.asks == "set up":
        return read_deployment(fields, TableFormation)
    if offered.asks == "act":
        _check_goal(state, read_point(fields))
        return a.March(1)
    destination = read_point(fields)
    unit = state.units.get(offered.unit)
    if unit is None:
        raise InvalidForm("The battle waits for something else now.")
    path = (*_waypoints(fields), destination)
    if path == (unit.at,):
        return a.Move((), read_facing(fields, unit.facing))
    way = bearing_between((unit.at, *path)[-2], destination)
    return a.Move(path, read_facing(fields, way))


def _check_goal(state: State, goal: TablePoint) -> None:
    """Raise InvalidForm when a march towards the place would leave the field."""
    field = state.field
    if not field.holds(goal):
        size = f"{field.width / MEASURE:g} by {field.height / MEASURE:g} inches"
        raise InvalidForm(f"That is off the field, which is {size}. Choose a place on it.")


def sequel(state: State, action: a.AnyAction, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the function that carries out a plan.

    A march goes AHEAD, or TOWARDS a place ("x,y"); a unit that is activated marches AHEAD, or does
    FIRE or FIGHT with the number of an enemy. Without a way in that direction the unit stays; where
    a plan cannot go on, the player is asked.
    """
    kind, _, place = plan.partition(":")
    offered = options(state)
    marches = isinstance(action, a.March) and offered is not None and offered.unit
    steps = [kind] if marches and kind in (AHEAD, TOWARDS) else []
    deeds = [kind] if isinstance(action, a.Activate) and kind in (AHEAD, FIRE, FIGHT) else []

    def next_action(offered: Options) -> a.AnyAction | None:
        kind = deeds.pop()
        if kind == AHEAD and offered.marches:
            steps.append(AHEAD)
            return a.March(offered.marches)
        if kind == FIRE and int(place) in [target.unit for target in offered.targets]:
            return a.Fire((int(place),), offered.volleys)
        return a.Fight(int(place)) if kind == FIGHT and int(place) in offered.foes else None

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        if deeds and offered is not None and offered.asks == "act":
            return next_action(offered)
        if not steps or offered is None or offered.asks != "move" or offered.reach is None:
            return None
        unit = now.units[offered.unit]
        if steps.pop() == AHEAD:
            way = offered.reach.towards(ahead(unit.at, unit.facing, offered.reach.most))
        else:
            x, _, y = place.partition(",")
            way = offered.reach.towards(read_point({"x": x, "y": y}))
        return a.Move(way.path, way.facing) if way else None

    return following


def _waypoints(fields: Mapping[str, Any]) -> Iterator[TablePoint]:
    """Yield the points on the way, in inches: "29.5 28, 24 16". Raises InvalidForm."""
    for pair in str(fields.get("via", "")).split(","):
        if not pair.strip():
            continue
        try:
            x, y = (length({"via": coordinate}, "via") for coordinate in pair.split())
        except ValueError as error:
            raise InvalidForm(
                "Give points on the way as east and south, such as 29.5 28, 24 16."
            ) from error
        yield TablePoint(x, y)


def read_correction(state: State, fields: Mapping[str, Any]) -> e.Corrected:
    """Return the umpire's correction of a unit from a form. Raises InvalidForm if impossible."""
    unit = state.units.get(number(fields, "unit"))
    if unit is None:
        raise InvalidForm("Choose a unit that stands on the field.")
    if is_engaged(state, unit) or (state.acting is not None and state.acting.unit == unit.id):
        raise InvalidForm(BUSY)
    stands, place, facing = read_place(fields, unit)
    if not 0 <= stands <= unit.full:
        raise InvalidForm(f"It has {stands_in_words(unit.full)} at most.")
    now = msgspec.structs.replace(unit, stands=max(stands, 1), at=place, facing=facing)
    own_stands = stands_of(now)
    if not on_table(state.field, own_stands) or not is_ground_for(state.field, now, own_stands):
        raise InvalidForm("It cannot stand there.")
    for other in state.units.values():
        other_stands = stands_of(other)
        near = (
            gap(own_stands, other_stands) <= TOUCH
            if other.side is not unit.side
            else overlap(own_stands, other_stands)
        )
        if other is not unit and near:
            name = capital(name_of(state, other.id))
            raise InvalidForm(f"{name} {agree(name, 'stands')} in the way there.")
    return e.Corrected(unit=unit.id, now=msgspec.structs.replace(now, stands=stands))


def list_attempts(
    known_state: State, side: Side, number: int
) -> Iterator[tuple[QuestionKind, a.AnyAction]]:
    """Yield what a player looks for with a unit: its turn, a march, fire, the nearest enemy."""
    unit, offered = known_state.units.get(number), options(known_state)
    if unit is None or offered is None:
        return
    enemies = [enemy for enemy in known_state.units.values() if enemy.side is not side]
    nearest = min(enemies, key=lambda enemy: distance(enemy.at, unit.at)).id if enemies else 0
    if offered.asks == "command":
        yield QuestionKind.NEXT, a.Activate(number)
    elif number != offered.unit:
        return
    elif offered.asks == "act":
        yield QuestionKind.GO, a.March()
        if nearest:
            yield QuestionKind.FIRE, a.Fire((nearest,))
    elif offered.asks == "move" and nearest:
        yield QuestionKind.CHARGE, a.Charge(nearest)


def hand(state: State, side: Side) -> tuple[str, ...]:
    """Return the Special Event Cards that the side's commanders hold."""
    commanders = [commander for commander in state.commanders.values() if commander.side is side]
    alone = len(commanders) < 2
    return tuple(
        CARDS[card] if alone else f"{commander_name(commander)}: {CARDS[card]}"
        for commander in commanders
        for card in commander.hand
    )
