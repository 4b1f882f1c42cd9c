"""What a side sees at a moment: the hexes in sight, and those where it can count heads."""

from functools import cache
from typing import NamedTuple

from campaign.rules.board import board, chart
from campaign.rules.map import HexId, PlaceClass, sudan
from campaign.rules.pieces import TRAIN, Kind, Side
from campaign.rules.state import OFF_MAP, State, Unit

SIGHT, FAR, NEAR = 2, 3, 1
"""Hexes: of any good-order unit and town; of those who ride or steam; where contents are told."""

_FAR = frozenset({Kind.CAVALRY, Kind.CAMEL_CORPS})
_BLIND = TRAIN | {Kind.CIVILIANS, Kind.LEADER, Kind.BOAT}
"""Who sends no reports: the train, civilians, empty hulls, a leader without men."""


class Watch(NamedTuple):
    """The hexes a side sees, and among them those whose stacks it sees unit by unit."""

    seen: frozenset[HexId]
    near: frozenset[HexId]


def watch(state: State, side: Side) -> Watch:
    """What the side sees from its good-order units and its towns; both sides' hexes alike.

    Two hexes; three from cavalry and Camel Corps, and three along the river from a gunboat. Unit
    by unit it sees who stands next to those, and whom it is fighting.
    """
    kept: dict[object, Watch] = board(state).__dict__.setdefault("watches", {})
    fight = tuple(sorted(_in_combat(state)))
    towns = tuple(hex_id for hex_id in _towns() if state.control.get(hex_id) is side)
    key = side, towns, fight
    if key not in kept:
        kept[key] = _watch(state, side, {*towns}, {*fight})
    return kept[key]


def _watch(state: State, side: Side, towns: set[HexId], fight: set[HexId]) -> Watch:
    posts = towns | {unit.hex for unit in board(state).units if _reports(unit, side)}
    seen = {hex_id for post in posts for hex_id in around(post, SIGHT)}
    for unit in board(state).units:
        if _reports(unit, side):
            seen |= further(unit)
    near = {hex_id for post in posts for hex_id in around(post, NEAR)} | fight
    return Watch(frozenset(seen | near), frozenset(near))


def reports(units: list[Unit], side: Side) -> bool:
    """Whether there is anybody among the units who sees for that side."""
    return any(_reports(unit, side) for unit in units)


def _reports(unit: Unit, side: Side) -> bool:
    return (
        unit.side is side and unit.hex != OFF_MAP and not unit.disrupted and unit.kind not in _BLIND
    )


def further(unit: Unit) -> frozenset[HexId]:
    """The hexes that the unit sees because it rides or steams; none for others."""
    if unit.kind in _FAR:
        return around(unit.hex, FAR)
    return _along_rivers(unit.hex) if unit.kind is Kind.GUNBOAT else frozenset()


@cache
def around(hex_id: HexId, radius: int) -> frozenset[HexId]:
    """The hexes at most so many hexes away, itself included."""
    return frozenset(sudan().within(hex_id, radius))


@cache
def _along_rivers(hex_id: HexId) -> frozenset[HexId]:
    """The banks, three hexes up and down, of the rivers that the hex lies on."""
    here = set(sudan().river_at(hex_id))
    return frozenset(
        there for there in around(hex_id, FAR) if here.intersection(sudan().river_at(there))
    )


@cache
def _towns() -> tuple[HexId, ...]:
    return tuple(place.hex for place in sudan().places.values() if place.kind is PlaceClass.TOWN)


def _in_combat(state: State) -> set[HexId]:
    """The two hexes of a combat that is being fought: whoever fights knows whom."""
    if state.combat is None:
        return set()
    return {state.combat.attacker.hex, state.combat.defender.hex} & chart(state).hexes.keys()
