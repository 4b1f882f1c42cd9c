"""Knowledge of a side: the hexes in its sight, and the enemy stacks it has seen, with dates.

A side keeps a sighting until it sees that it is no longer true.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

import msgspec

from battles.contract.brief import TRAIN, Side, TroopKind
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import HexId, Map, PlaceClass, sudan

SIGHT, FAR, NEAR = 2, 3, 1
"""Ranges in hexes: of good-order units and towns; of mounted units and gunboats; unit by unit."""

_FAR = frozenset({TroopKind.CAVALRY, TroopKind.CAMEL_CORPS})
_BLIND = TRAIN | {TroopKind.CIVILIANS, TroopKind.LEADER, TroopKind.BOAT}
"""Kinds that see nothing: the train, civilians, empty hulls, a leader without troops."""


class Watch(NamedTuple):
    """The hexes a side sees, and among them those whose stacks it sees unit by unit."""

    seen: frozenset[HexId]
    near: frozenset[HexId]


def watch(state: State, side: Side) -> Watch:
    """Return the hexes that the side sees from its good-order units and its towns.

    Range is two hexes; three for cavalry and Camel Corps, and three along the river for a gunboat.
    The side sees unit by unit in the hexes next to these units and towns, and in its combat.
    """
    kept: dict[object, Watch] = board(state).__dict__.setdefault("watches", {})
    fight = tuple(sorted(_in_combat(state)))
    towns = tuple(hex_id for hex_id in _towns(chart(state)) if state.control.get(hex_id) is side)
    key = side, towns, fight
    if key not in kept:
        kept[key] = _watch(state, side, towns, frozenset(fight))
    return kept[key]


def _watch(state: State, side: Side, towns: tuple[HexId, ...], fight: frozenset[HexId]) -> Watch:
    position, posts, seen = board(state), {*towns}, set[HexId]()
    for hex_id in position.hexes(side):
        for unit in position.stack(side, hex_id):
            if not unit.disrupted and unit.kind not in _BLIND:
                posts.add(hex_id)
                seen |= further(unit)
    near = fight.union(*(around(post, NEAR) for post in posts))
    return Watch(near.union(seen, *(around(post, SIGHT) for post in posts)), near)


def reports(units: list[Unit], side: Side) -> bool:
    """Return whether any of the units sees for that side."""
    return any(
        unit.side is side and unit.hex != OFF_MAP and not unit.disrupted and unit.kind not in _BLIND
        for unit in units
    )


def further(unit: Unit) -> frozenset[HexId]:
    """Return the hexes that a mounted unit or gunboat sees; none for other units."""
    if unit.kind in _FAR:
        return around(unit.hex, FAR)
    return _along_rivers(unit.hex) if unit.kind is TroopKind.GUNBOAT else frozenset()


@cache
def around(hex_id: HexId, radius: int) -> frozenset[HexId]:
    """Return the hexes within the radius, the hex itself included."""
    return frozenset(sudan().within(hex_id, radius))


@cache
def _along_rivers(hex_id: HexId) -> frozenset[HexId]:
    """Return the hexes within three, up and down, on the rivers that the hex touches."""
    rivers = set(sudan().river_at(hex_id))
    return frozenset(
        near for near in around(hex_id, FAR) if rivers.intersection(sudan().river_at(near))
    )


@cache
def _towns(ground: Map) -> tuple[HexId, ...]:
    return tuple(place.hex for place in ground.places.values() if place.kind is PlaceClass.TOWN)


def _in_combat(state: State) -> set[HexId]:
    """Return the two hexes of a combat that is being fought, which both sides see."""
    if state.combat is None:
        return set()
    return {state.combat.attacker.hex, state.combat.defender.hex} & chart(state).hexes.keys()


class StackSize(StrEnum):
    """Size of a stack seen from afar, without its leaders."""

    HANDFUL = "a handful"
    BODY = "a body"
    FORCE = "a force"
    HOST = "a host"

    @property
    def words(self) -> str:
        """Return the range of numbers of units."""
        return _NUMBERS[self]


_NUMBERS = {
    StackSize.HANDFUL: "1 to 3 units",
    StackSize.BODY: "4 to 9 units",
    StackSize.FORCE: "10 to 19 units",
    StackSize.HOST: "20 units or more",
}
_FROM = ((20, StackSize.HOST), (10, StackSize.FORCE), (4, StackSize.BODY))


class Sighting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stack of `side` in a hex, as seen in `month`; `units` if they could be counted.

    A stack that was `passing` has been seen to leave the hex in the same month.
    """

    hex: HexId
    side: Side
    size: StackSize
    month: Month
    units: tuple[Unit, ...] = ()
    passing: bool = False


class SideKnowledge(msgspec.Struct, omit_defaults=True):
    """Knowledge of a side: the last enemy stacks seen, by hex, and the holders of places.

    `passed` are stacks that it has seen pass in this month.
    """

    side: Side
    sightings: dict[HexId, Sighting] = {}
    passed: dict[HexId, Sighting] = {}
    held: dict[HexId, Side] = {}


def size_of(units: Sequence[Unit]) -> StackSize:
    """Return the size class of the units."""
    men = sum(unit.kind is not TroopKind.LEADER for unit in units)
    return next((size for least, size in _FROM if men >= least), StackSize.HANDFUL)


def initial_knowledge(state: State, side: Side) -> SideKnowledge:
    """Return the side's knowledge as the campaign begins: holders of places, and what it sees."""
    knowledge = SideKnowledge(side, held=dict(state.control))
    observe(knowledge, state)
    return knowledge


def agreed_control(knowledge: SideKnowledge, other: SideKnowledge) -> dict[HexId, Side]:
    """Return the holders of places on which both sides agree."""
    return {place: side for place, side in knowledge.held.items() if other.held.get(place) is side}


def observe(knowledge: SideKnowledge, state: State) -> None:
    """Replace the sightings of every hex in sight by what the side sees there now."""
    seeing = watch(state, knowledge.side)
    for hex_id in [hex_id for hex_id in knowledge.sightings if hex_id in seeing.seen]:
        del knowledge.sightings[hex_id]
    for hex_id in board(state).hexes(knowledge.side.enemy):
        if hex_id in seeing.seen:
            _note(knowledge, sighting_in(state, hex_id, knowledge.side, seeing))
    _hear_of_places(knowledge, state, seeing)


def sighting_in(state: State, hex_id: HexId, by: Side, seeing: Watch) -> Sighting:
    """Return the enemy stack in the hex as the side sees it."""
    units = board(state).stack(by.enemy, hex_id)
    known_units = tuple(map(msgspec.structs.replace, units)) if hex_id in seeing.near else ()
    return Sighting(hex_id, by.enemy, size_of(units), state.month, known_units)


def _note(knowledge: SideKnowledge, seen: Sighting) -> None:
    """Record the sighting; units seen here are removed from older sightings."""
    unit_ids = {unit.id for unit in seen.units}
    for hex_id, old in list(knowledge.sightings.items()) if unit_ids else ():
        left = tuple(unit for unit in old.units if unit.id not in unit_ids)
        if old.units and not left:
            del knowledge.sightings[hex_id]
        elif len(left) < len(old.units):
            knowledge.sightings[hex_id] = msgspec.structs.replace(
                old, size=size_of(left), units=left
            )
    knowledge.sightings[seen.hex] = seen


def _hear_of_places(knowledge: SideKnowledge, state: State, seeing: Watch) -> None:
    """Update places gained, towns lost, and all places in sight; the rest stay as they were."""
    towns, held, mine = _towns(chart(state)), knowledge.held, knowledge.side
    for place, side in state.control.items():
        lost = held.get(place) is mine and place in towns
        if side is mine or lost or place in seeing.seen:
            held[place] = side


_EVENTS_THAT_CHANGE_SIGHT = (
    e.MonthBegan,
    e.Deployed,
    e.Arrived,
    e.Removed,
    e.Disrupted,
    e.Recovered,
    e.Improved,
    e.SailedAway,
    e.CombatBegan,
    e.CombatEnded,
    e.ControlChanged,
)


def learn(knowledge: SideKnowledge, state: State, event: e.AnyEvent) -> None:
    """Update the side's knowledge after an event has happened to the state."""
    if isinstance(event, e.MonthBegan):
        knowledge.passed.clear()
    if isinstance(event, e.Moved | e.WentByRail | e.Sailed):
        marching = state.march.units if state.march else []
        _observe_march(knowledge, state, event.path, marching)
    elif isinstance(event, e.Retreated):
        _observe_march(knowledge, state, event.path, event.units)
    elif isinstance(event, _EVENTS_THAT_CHANGE_SIGHT):
        observe(knowledge, state)


def _observe_march(
    knowledge: SideKnowledge, state: State, path: Sequence[HexId], ids: Iterable[UnitId]
) -> None:
    """Record a stack's march: what it sees on the way, or where it is seen."""
    units = board(state).named(ids)
    if units and units[0].side is knowledge.side:
        _reconnoitre(knowledge, state, path[:-1], units)
    elif units:
        _observe_enemy_march(knowledge, state, path, units)
    observe(knowledge, state)


def _observe_enemy_march(
    knowledge: SideKnowledge, state: State, path: Sequence[HexId], units: list[Unit]
) -> None:
    seeing = watch(state, knowledge.side)
    passed = [hex_id for hex_id in path if hex_id in seeing.seen]
    if not passed:
        return
    last = passed[-1]
    if last == path[-1]:
        return
    known_units = tuple(map(msgspec.structs.replace, units)) if last in seeing.near else ()
    knowledge.passed[last] = Sighting(
        last, knowledge.side.enemy, size_of(units), state.month, known_units, passing=True
    )


def _reconnoitre(
    knowledge: SideKnowledge, state: State, path: Sequence[HexId], units: list[Unit]
) -> None:
    """Record what the marching stack sees from each hex that it passes through."""
    if not reports(units, knowledge.side):
        return
    for post in path:
        passing = [msgspec.structs.replace(unit, hex=post) for unit in units]
        seen = around(post, SIGHT).union(*(further(unit) for unit in passing if not unit.disrupted))
        _look_from(knowledge, state, Watch(seen, around(post, NEAR)))


def _look_from(knowledge: SideKnowledge, state: State, seeing: Watch) -> None:
    for hex_id in [hex_id for hex_id in knowledge.sightings if hex_id in seeing.seen]:
        del knowledge.sightings[hex_id]
    for hex_id in seeing.seen:
        if hex_id != OFF_MAP and board(state).stack(knowledge.side.enemy, hex_id):
            _note(knowledge, sighting_in(state, hex_id, knowledge.side, seeing))
    _hear_of_places(knowledge, state, seeing)
