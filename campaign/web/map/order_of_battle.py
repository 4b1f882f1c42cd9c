"""The order of battle of both sides, as far as the viewer knows it."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract.brief import Side, TroopKind
from campaign.orders.prospects import ThirstShare, thirst
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.names import describe_hex, describe_stack, labels, leader_name
from campaign.rules.prose.phrases import capitalise
from campaign.rules.sight import Sighting, View
from campaign.rules.stacks import allowance, countable_units, ids
from campaign.rules.supply import supply_sources


class StackLine(NamedTuple):
    """A stack of the order of battle."""

    hex: HexId
    place: str
    words: str
    units: int
    strength: int
    disrupted: int
    besieged: bool


class SightedStack(NamedTuple):
    """A stack known only by its size and the month it was seen in."""

    hex: HexId
    place: str
    words: str
    month: str


class LeaderLine(NamedTuple):
    """A leader on the map, with ratings (7.0)."""

    name: str
    hex: HexId
    place: str
    strategic: int
    tactical: int
    chief: bool


class Coming(NamedTuple):
    """A group of reinforcements that is due."""

    month: str
    reason: str
    words: str
    places: str


class SideOrderOfBattle(NamedTuple):
    """A side's stacks from the strongest, its leaders and its totals."""

    side: Side
    stacks: tuple[StackLine, ...]
    leaders: tuple[LeaderLine, ...]
    coming: tuple[Coming, ...]
    units: int
    strength: int
    disrupted: int
    reports: tuple[SightedStack, ...] = ()
    hidden: bool = False


def armies(view: View) -> tuple[SideOrderOfBattle, ...]:
    """Return both sides as far as the viewer knows them."""
    return tuple(_army(view, side) for side in Side)


def _army(view: View, side: Side) -> SideOrderOfBattle:
    state = view.state
    position = board(state)
    stands = [_stand(state, side, hex_id) for hex_id in position.hexes(side)]
    stands.sort(key=lambda one: (-one.strength, -one.units, one.place))
    return SideOrderOfBattle(
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


def _reports(view: View, side: Side) -> Iterator[SightedStack]:
    """Yield that side's stacks that are sighted from afar or remembered."""
    for seen in (*view.sightings, *view.markers):
        if seen.side is side:
            words = f"{seen.size}, {seen.size.words}"
            yield SightedStack(seen.hex, describe_hex(seen.hex), words, month_name(seen.month))


def _stand(state: State, side: Side, hex_id: HexId) -> StackLine:
    stack = board(state).stack(side, hex_id)
    return StackLine(
        hex_id,
        describe_hex(hex_id),
        describe_stack(stack),
        len(countable_units(stack)),
        strength(stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
    )


def strength(units: list[Unit]) -> int:
    """Return the strength points of land units."""
    return sum(unit.strength for unit in countable_units(units) if unit.quality)


def _commanders(state: State, side: Side) -> Iterator[LeaderLine]:
    for unit in board(state).units:
        if unit.kind is TroopKind.LEADER and unit.side is side and unit.hex in sudan().hexes:
            rated = laws(state).leader(unit.name)
            yield LeaderLine(
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
    """Return the hexes where a group may arrive, by name if they are few."""
    named = [describe_hex(hex_id) for hex_id in hexes if sudan().hexes[hex_id].place]
    if len(named) > 3 or len(named) < len(hexes):
        return f"one of {len(hexes)} hexes"
    return " or ".join(named)


class OwnStack(NamedTuple):
    """A stack that is wholly known."""

    hex: HexId
    side: Side
    place: str
    words: str
    labels: tuple[tuple[UnitId, str], ...]
    units: int
    strength: int
    points: int
    disrupted: int
    besieged: bool
    thirst: ThirstShare
    supply: str


class EnemyStack(NamedTuple):
    """An enemy stack as it is known; `since` is the month of an old sighting."""

    hex: HexId
    side: Side
    place: str
    words: str
    since: str


def ours(state: State, side: Side) -> list[OwnStack]:
    """Return the wholly known stacks of a side, by hex number."""
    return [_ours(state, side, hex_id) for hex_id in board(state).hexes(side)]


def _ours(state: State, side: Side, hex_id: HexId) -> OwnStack:
    stack = board(state).stack(side, hex_id)
    return OwnStack(
        hex_id,
        side,
        describe_hex(hex_id),
        describe_stack(stack),
        tuple(zip(ids(stack), labels(stack), strict=True)),
        len(countable_units(stack)),
        strength(stack),
        allowance(laws(state), stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
        thirst(state, side, hex_id, len(countable_units(stack))),
        _supply(state, side, hex_id),
    )


def _supply(state: State, side: Side, hex_id: HexId) -> str:
    """Return the place that supplies the stack; empty when it must live off the country."""
    sources = supply_sources(state, side, hex_id)
    if not sources:
        return ""
    there = state.units[sources[0]].hex
    return "here" if there == hex_id else describe_hex(there)


def enemies(view: View) -> list[EnemyStack]:
    """Return the enemy stacks that the viewer's side knows, sights or remembers."""
    side = view.viewer.enemy if isinstance(view.viewer, Side) else None
    known = (
        [] if side is None else [_known(view, side, one) for one in board(view.state).hexes(side)]
    )
    sighted = [_sighted(one) for one in view.sightings]
    return [*known, *sighted, *(_remembered(one) for one in view.markers)]


def seen_in(view: View, hex_id: HexId) -> list[EnemyStack]:
    """Return the stacks sighted or remembered in this hex."""
    here = [_sighted(one) for one in view.sightings if one.hex == hex_id]
    return [*here, *(_remembered(one) for one in view.markers if one.hex == hex_id)]


def _known(view: View, side: Side, hex_id: HexId) -> EnemyStack:
    stack: list[Unit] = board(view.state).stack(side, hex_id)
    return EnemyStack(hex_id, side, describe_hex(hex_id), capitalise(describe_stack(stack)), "")


def _sighted(one: Sighting) -> EnemyStack:
    words = f"{capitalise(str(one.size))} of the enemy, {one.size.words}"
    return EnemyStack(one.hex, one.side, describe_hex(one.hex), words, "")


def _remembered(one: Sighting) -> EnemyStack:
    words = describe_stack(one.units) if one.units else f"{one.size}, {one.size.words}"
    return EnemyStack(
        one.hex, one.side, describe_hex(one.hex), capitalise(words), month_name(Month(one.month))
    )
