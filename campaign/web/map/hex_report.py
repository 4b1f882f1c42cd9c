"""The report on a hex: ground, water, rails, stacks, exits, lines through it, and reach."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from battles.contract.brief import Side
from battles.core.dice import Modifier
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.map import GroundClass, Hex, HexId, Nav, Relief
from campaign.rules.march.reach import barrier_costs, exits, reach
from campaign.rules.prose.names import describe_hex, label
from campaign.rules.prose.situation import describe_marker
from campaign.rules.railways import railway_hexes
from campaign.rules.sight import View, supposed_state
from campaign.rules.stacks import allowance, countable_units, strength_points
from campaign.rules.supply import attrition_line, attrition_modifiers
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import AttritionLine
from campaign.web.map.situation import supply_place

# The report on a hex: ground, water, rails, stacks, exits and reachable places.


SEASONAL = "navigable from November to February"
FURTHEST = 12


class HexRiver(NamedTuple):
    """A river beside the hex."""

    name: str
    navigation: str
    cataract: str | None


class HexRailway(NamedTuple):
    """A railway through the hex."""

    title: str
    runs: bool


class HexAttrition(NamedTuple):
    """The attrition line of a stack here, with its modifiers (10.3)."""

    line: AttritionLine
    units: int
    spared: tuple[int, ...]
    """The units that are not affected, by the roll of a die; empty if none can be."""
    modifiers: tuple[Modifier, ...]
    supply: str


class HexStack(NamedTuple):
    """A side's stack in the hex."""

    side: Side
    units: list[Unit]
    labels: list[str]
    strength: int
    allowance: int
    besieged: bool
    thirst: HexAttrition | None


class HexExit(NamedTuple):
    """An exit of the hex: the neighbour, its cost, or what bars it."""

    direction: str
    hex: HexId
    place: str
    ground: str
    cost: int | None
    bar: str
    river: bool
    rail: bool


class ReachableHex(NamedTuple):
    """A place that a march from here can reach."""

    hex: HexId
    name: str
    cost: int


class HexReport(NamedTuple):
    """The report on one hex in one month."""

    hex: Hex
    title: str
    number: str
    ground: str
    cost: int
    regions: list[str]
    others: list[str]
    holder: Side | None
    waters: list[HexRiver]
    rails: list[HexRailway]
    stacks: list[HexStack]
    reports: list[str]
    ways: list[HexExit]
    goals: list[ReachableHex]
    law: CampaignTables


def hex_report(view: View, hex_id: HexId) -> HexReport:
    """Return the report on a hex as the viewer may know it. Raises KeyError."""
    state = view.state
    field = chart(state).hexes[hex_id]
    stacks = list(_stacks(state, hex_id))
    side = stacks[0].side if stacks else None
    seen_here = [seen for seen in (*view.sightings, *view.markers) if seen.hex == hex_id]
    return HexReport(
        field,
        describe_hex(hex_id),
        f"{hex_id:04d}",
        ground_in_words(field),
        laws(state).entry_cost(field.relief),
        [title for key, title in chart(state).regions.items() if key in field.regions],
        list(field.places[1:]),
        state.control.get(hex_id),
        list(_waters(state, hex_id)),
        list(_rails(state, hex_id)),
        stacks,
        [describe_marker(seen, state.month) for seen in seen_here],
        list(_ways(supposed_state(view), field, side)),
        list(_goals(supposed_state(view), side, field)),
        laws(state),
    )


def ground_in_words(field: Hex) -> str:
    """Return the ground of a hex in words: `cultivated land`, `desert hills`, `sea`."""
    if field.sea:
        return "sea"
    if field.relief is Relief.FLAT:
        return "desert" if field.ground is GroundClass.DESERT else f"{field.ground} country"
    return f"{'hills' if field.relief is Relief.HILL else 'mountains'}, {field.ground}"


def _waters(state: State, hex_id: HexId) -> Iterator[HexRiver]:
    ground = chart(state)
    for river in ground.river_at(hex_id):
        words = navigation_in_words(state, hex_id, river)
        yield HexRiver(ground.rivers[river].title, words, ground.cataract_at(hex_id))


def navigation_in_words(state: State, hex_id: HexId, river: str) -> str:
    """Return how the river can be navigated beside the hex this month."""
    printed = chart(state).nav_at(hex_id, river)
    now = laws(state).class_now(printed, state.month)
    return f"{now} now, {SEASONAL}" if printed is Nav.SEASONAL else str(now)


def _rails(state: State, hex_id: HexId) -> Iterator[HexRailway]:
    runs = hex_id in railway_hexes(state)
    for track in chart(state).tracks.values():
        if hex_id in track.hexes:
            yield HexRailway(track.title, runs)


def _stacks(state: State, hex_id: HexId) -> Iterator[HexStack]:
    for side in Side:
        units = board(state).stack(side, hex_id)
        if units:
            yield HexStack(
                side,
                units,
                [label(unit) for unit in units],
                strength_points(units),
                allowance(laws(state), countable_units(units)),
                board(state).besieged(side, hex_id),
                _thirst(state, side, hex_id) if board(state).land(side, hex_id) else None,
            )


def _thirst(state: State, side: Side, hex_id: HexId) -> HexAttrition:
    line = attrition_line(state, side, hex_id)
    spared = [laws(state).attrition(line, roll) for roll in range(1, 7)]
    return HexAttrition(
        line,
        len(countable_units(board(state).stack(side, hex_id))),
        tuple(number for number in spared if number is not None),
        attrition_modifiers(state, side, hex_id),
        supply_place(state, side, hex_id),
    )


def _ways(state: State, field: Hex, side: Side | None) -> Iterator[HexExit]:
    ground = chart(state)
    open_to = dict(exits(barrier_costs(state, side), field.id)) if side else {}
    for near in ground.neighbours[field.id]:
        river = (field.id, near) in ground.sides
        bar = bar_of(state, ground.hexes[near], side, open_=near in open_to)
        cost = open_to.get(near) or plain_cost(state, ground.hexes[near], over_river=river)
        yield HexExit(
            ground.bearing(field.id, near),
            near,
            describe_hex(near),
            ground_in_words(ground.hexes[near]),
            None if bar else cost,
            bar,
            river,
            _on_one_line(state, field.id, near),
        )


def plain_cost(state: State, field: Hex, *, over_river: bool) -> int:
    """Return what a march into the hex costs if nothing bars it."""
    law = laws(state)
    return law.entry_cost(field.relief) + (law.crossing_cost() if over_river else 0)


def bar_of(
    state: State, field: Hex, side: Side | None, *, open_: bool, fallback: str = "barred"
) -> str:
    """Return why the hex cannot be entered; empty if it can.

    `fallback` is written where neither a stack nor a gunboat of the enemy is the reason.
    """
    if field.sea:
        return "sea"
    if field.closed:
        return "closed to play"
    if side is None or open_:
        return ""
    if field.id in board(state).occupied[side.enemy]:
        return "the enemy stands there"
    if field.id in board(state).guarded[side.enemy]:
        return "a gunboat bars the crossing"
    return fallback


def _on_one_line(state: State, first: HexId, other: HexId) -> bool:
    steps = {step for track in chart(state).tracks.values() for step in pairwise(track.hexes)}
    return (first, other) in steps or (other, first) in steps


def _goals(state: State, side: Side | None, field: Hex) -> list[ReachableHex]:
    """Return the named places that a stack here can march to, the nearest first."""
    if side is None:
        return []
    ground = chart(state)
    costs = reach(state, side, field.id, FURTHEST).costs
    goals = [
        ReachableHex(place.hex, place.name, costs[place.hex])
        for place in ground.places.values()
        if place.in_rules and place.hex in costs and place.hex != field.id
    ]
    return sorted(goals, key=lambda goal: (goal.cost, goal.name))
