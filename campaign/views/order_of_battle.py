"""The order of battle: who stands where, side by side, and what is still to come."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract.troops import Kind, Side
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.names import describe_hex, describe_stack, leader_name
from campaign.rules.sight import View
from campaign.rules.stacks import countable_units


class Stand(NamedTuple):
    """A stack of the order of battle."""

    hex: HexId
    place: str
    words: str
    units: int
    strength: int
    disrupted: int
    besieged: bool


class Report(NamedTuple):
    """A stack of which no more is known than its size, and when it was seen."""

    hex: HexId
    place: str
    words: str
    month: str


class Commander(NamedTuple):
    """A leader on the map, with his ratings (7.0)."""

    name: str
    hex: HexId
    place: str
    strategic: int
    tactical: int
    chief: bool


class Coming(NamedTuple):
    """A group that is due."""

    month: str
    reason: str
    words: str
    places: str


class Army(NamedTuple):
    """One side: its stacks from the strongest to the weakest, its leaders, its totals."""

    side: Side
    stacks: tuple[Stand, ...]
    leaders: tuple[Commander, ...]
    coming: tuple[Coming, ...]
    units: int
    strength: int
    disrupted: int
    reports: tuple[Report, ...] = ()
    hidden: bool = False


def armies(view: View) -> tuple[Army, ...]:
    """Both sides as they stand, as far as whoever looks knows."""
    return tuple(_army(view, side) for side in Side)


def _army(view: View, side: Side) -> Army:
    state = view.state
    position = board(state)
    stands = [_stand(state, side, hex_id) for hex_id in position.hexes(side)]
    stands.sort(key=lambda one: (-one.strength, -one.units, one.place))
    return Army(
        side,
        tuple(stands),
        tuple(_commanders(state, side)),
        tuple(_coming(state, side)),
        sum(one.units for one in stands),
        sum(one.strength for one in stands),
        sum(one.disrupted for one in stands),
        tuple(_reports(view, side)),
        view.fogged and view.viewer is not side,
    )


def _reports(view: View, side: Side) -> Iterator[Report]:
    """The stacks of that side that are known from afar, or from an earlier month."""
    for seen in (*view.sightings, *view.markers):
        if seen.side is side:
            words = f"{seen.size}, {seen.size.words}"
            yield Report(seen.hex, describe_hex(seen.hex), words, month_name(seen.month))


def _stand(state: State, side: Side, hex_id: HexId) -> Stand:
    stack = board(state).stack(side, hex_id)
    return Stand(
        hex_id,
        describe_hex(hex_id),
        describe_stack(stack),
        len(countable_units(stack)),
        strength(stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
    )


def strength(units: list[Unit]) -> int:
    """The strength points of those who fight on land."""
    return sum(unit.strength for unit in countable_units(units) if unit.quality)


def _commanders(state: State, side: Side) -> Iterator[Commander]:
    for unit in board(state).units:
        if unit.kind is Kind.LEADER and unit.side is side and unit.hex in sudan().hexes:
            rated = laws(state).leader(unit.name)
            yield Commander(
                leader_name(unit.name),
                unit.hex,
                describe_hex(unit.hex),
                rated.strategic,
                rated.tactical,
                rated.commander_in_chief,
            )


def _coming(state: State, side: Side) -> Iterator[Coming]:
    due = sorted(state.due, key=lambda one: one.month)
    for group in due:
        if group.units and group.units[0].side is side:
            yield Coming(
                month_name(Month(group.month)),
                group.reason,
                describe_stack(group.units),
                _places(group.at),
            )


def _places(hexes: tuple[HexId, ...]) -> str:
    """Where they may come to, a few by name."""
    named = [describe_hex(hex_id) for hex_id in hexes if sudan().hexes[hex_id].place]
    if len(named) > 3 or len(named) < len(hexes):
        return f"one of {len(hexes)} hexes"
    return " or ".join(named)
