"""The situation in brief, and the order of battle of both sides, as the viewer knows them."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract.brief import Side, TroopKind
from campaign.orders.prospects import ThirstShare, thirst
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, PlaceClass, map_in_play
from campaign.rules.prose.names import describe_hex, describe_stack, labels, leader_name
from campaign.rules.prose.phrases import capitalise, join_words
from campaign.rules.prose.situation import describe_award
from campaign.rules.railways import lines
from campaign.rules.sight import Sighting, View
from campaign.rules.stacks import allowance, countable_units, ids, strength_points
from campaign.rules.supply import supply_sources
from campaign.rules.tables.scenario_blocks import PlacesHeld, PointsCounted
from campaign.rules.tables.scenario_data import OnlyADraw, SiegeMaintained, Unbesieged
from campaign.rules.victory import months_held, points

# Summarise the situation: towns, sieges, victory conditions, railways and lasting events.


class Town(NamedTuple):
    """A town and its holder."""

    hex: HexId
    name: str
    side: Side | None
    besieged: bool


class VictoryGoal(NamedTuple):
    """A victory condition; `so_far` and `wanted` count months if it does.

    `side` is None for points, which either side may win by; then `score` has those of both sides,
    and `awards` what they are given for.
    """

    side: Side | None
    text: str
    clause: str
    so_far: int = 0
    wanted: int = 0
    score: str = ""
    awards: tuple[tuple[Side, str, int], ...] = ()


class Railway(NamedTuple):
    """A railway, and how far it is built."""

    begins: str
    railhead: str
    built: int
    hexes: int


class EventInForce(NamedTuple):
    """A random event that is in force."""

    side: Side
    title: str
    where: str


class Situation(NamedTuple):
    """The summary of a position."""

    towns: tuple[Town, ...]
    goals: tuple[VictoryGoal, ...]
    ends: str
    railways: tuple[Railway, ...]
    in_force: tuple[EventInForce, ...]
    pile: int | None
    """Mahdist counters in the pile; None for viewers who may not count them."""


def situation(view: View) -> Situation:
    """Return the situation as the viewer knows it."""
    state = view.state
    counts = not view.fogged or view.viewer is Side.MAHDIST
    return Situation(
        tuple(_towns(state)),
        tuple(_goals(state)),
        month_name(scenario_of(state).last_month),
        tuple(_railways(state)),
        tuple(_in_force(state)),
        sum(state.pool.values()) if counts else None,
    )


def _towns(state: State) -> Iterator[Town]:
    """Yield the towns from north to south."""
    position = board(state)
    towns = [
        place
        for place in chart(state).places.values()
        if place.kind is PlaceClass.TOWN and place.hex in state.control
    ]
    for town in sorted(towns, key=lambda place: -place.lat):
        side = state.control.get(town.hex)
        besieged = side is not None and bool(position.stack(side, town.hex))
        besieged = besieged and side is not None and position.besieged(side, town.hex)
        yield Town(town.hex, town.name, side, besieged)


def _goals(state: State) -> Iterator[VictoryGoal]:
    for place, condition in enumerate(scenario_of(state).victory):
        if isinstance(condition, OnlyADraw):
            yield VictoryGoal(condition.side, condition.text, condition.clause)
        elif isinstance(condition, PointsCounted):
            score = score_in_words(state, condition)
            awards = tuple((one.side, describe_award(one), one.points) for one in condition.award)
            yield VictoryGoal(None, condition.text, condition.clause, score=score, awards=awards)
        elif isinstance(condition, PlacesHeld):
            yield VictoryGoal(
                condition.winner,
                condition.text,
                condition.clause,
                months_held(state, place),
                condition.turns if condition.turns > 1 else 0,
            )
        elif isinstance(condition, Unbesieged | SiegeMaintained):
            so_far = state.tallies.get(f"turns:{condition.winner}", 0)
            yield VictoryGoal(
                condition.winner, condition.text, condition.clause, so_far, condition.turns
            )
        else:
            yield VictoryGoal(condition.winner, condition.text, condition.clause)


def score_in_words(state: State, condition: PointsCounted) -> str:
    """Return the points of both sides as the position stands."""
    score = points(state, condition)
    return f"Egyptian {score.egyptian}, Mahdist {score.mahdist}"


def _railways(state: State) -> Iterator[Railway]:
    for slug, hexes in lines(state).items():
        built = state.railheads.get(slug, 0)
        railhead = describe_hex(hexes[built - 1]) if built else ""
        yield Railway(describe_hex(hexes[0]), railhead, built, len(hexes))


def _in_force(state: State) -> Iterator[EventInForce]:
    for effect in state.in_force:
        yield EventInForce(
            effect.side,
            effect.title,
            describe_hex(effect.hex) if effect.hex in chart(state).hexes else "",
        )


# The order of battle of both sides, as far as the viewer knows it.


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


class DueGroup(NamedTuple):
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
    coming: tuple[DueGroup, ...]
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
    stacks = [_stack_line(state, side, hex_id) for hex_id in position.hexes(side)]
    stacks.sort(key=lambda stack: (-stack.strength, -stack.units, stack.place))
    return SideOrderOfBattle(
        side,
        tuple(stacks),
        tuple(_commanders(state, side)),
        tuple(_coming_groups(state, side)),
        sum(stack.units for stack in stacks),
        sum(stack.strength for stack in stacks),
        sum(stack.disrupted for stack in stacks),
        tuple(_reports(view, side)),
        view.fogged and view.viewer is not side,
    )


def _reports(view: View, side: Side) -> Iterator[SightedStack]:
    """Yield that side's stacks that are sighted from afar or remembered."""
    for seen in (*view.sightings, *view.markers):
        if seen.side is side:
            words = f"{seen.size}, {seen.size.words}"
            yield SightedStack(seen.hex, describe_hex(seen.hex), words, month_name(seen.month))


def _stack_line(state: State, side: Side, hex_id: HexId) -> StackLine:
    stack = board(state).stack(side, hex_id)
    return StackLine(
        hex_id,
        describe_hex(hex_id),
        describe_stack(stack),
        len(countable_units(stack)),
        strength_points(stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
    )


def _commanders(state: State, side: Side) -> Iterator[LeaderLine]:
    for unit in board(state).units:
        if unit.kind is TroopKind.LEADER and unit.side is side and unit.hex in map_in_play().hexes:
            rated = laws(state).leader(unit.name)
            yield LeaderLine(
                leader_name(unit.name),
                unit.hex,
                describe_hex(unit.hex),
                rated.strategic,
                rated.tactical,
                rated.commander_in_chief,
            )


def _coming_groups(state: State, side: Side) -> Iterator[DueGroup]:
    due = sorted(state.due, key=lambda arrival: arrival.month)
    for group in due:
        if group.units and group.units[0].side is side:
            yield DueGroup(
                month_name(Month(group.month)),
                group.reason,
                describe_stack(group.units),
                _places(group.at),
            )


def _places(hexes: tuple[HexId, ...]) -> str:
    """Return the hexes where a group may arrive, by name if they are few."""
    names = [describe_hex(hex_id) for hex_id in hexes if map_in_play().hexes[hex_id].place]
    if len(names) > 3 or len(names) < len(hexes):
        return f"one of {len(hexes)} hexes"
    return join_words(names, "or")


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
        strength_points(stack),
        allowance(laws(state), stack),
        sum(unit.disrupted for unit in stack),
        board(state).besieged(side, hex_id),
        thirst(state, side, hex_id, len(countable_units(stack))),
        supply_place(state, side, hex_id),
    )


def supply_place(state: State, side: Side, hex_id: HexId) -> str:
    """Return the place that supplies the stack; empty when it must live off the country."""
    sources = supply_sources(state, side, hex_id)
    if not sources:
        return ""
    source_hex = state.units[sources[0]].hex
    return "here" if source_hex == hex_id else describe_hex(source_hex)


def enemies(view: View) -> list[EnemyStack]:
    """Return the enemy stacks that the viewer's side knows, sights or remembers."""
    side = view.viewer.enemy if isinstance(view.viewer, Side) else None
    known_stacks = (
        []
        if side is None
        else [_known_stack(view, side, hex_id) for hex_id in board(view.state).hexes(side)]
    )
    sighted = [_sighted_stack(sighting) for sighting in view.sightings]
    return [*known_stacks, *sighted, *(_remembered_stack(marker) for marker in view.markers)]


def seen_in(view: View, hex_id: HexId) -> list[EnemyStack]:
    """Return the stacks sighted or remembered in this hex."""
    stacks = [_sighted_stack(sighting) for sighting in view.sightings if sighting.hex == hex_id]
    markers = [marker for marker in view.markers if marker.hex == hex_id]
    return stacks + [_remembered_stack(marker) for marker in markers]


def _known_stack(view: View, side: Side, hex_id: HexId) -> EnemyStack:
    stack: list[Unit] = board(view.state).stack(side, hex_id)
    return EnemyStack(hex_id, side, describe_hex(hex_id), capitalise(describe_stack(stack)), "")


def _sighted_stack(sighting: Sighting) -> EnemyStack:
    words = f"{capitalise(str(sighting.size))} of the enemy, {sighting.size.words}"
    return EnemyStack(sighting.hex, sighting.side, describe_hex(sighting.hex), words, "")


def _remembered_stack(marker: Sighting) -> EnemyStack:
    words = f"{marker.size}, {marker.size.words}"
    if marker.units:
        words = describe_stack(marker.units)
    where, when = describe_hex(marker.hex), month_name(Month(marker.month))
    return EnemyStack(marker.hex, marker.side, where, capitalise(words), when)
