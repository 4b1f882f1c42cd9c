"""The report on a hex: ground, water, rails, stacks, exits, lines through it, and reach."""

from collections.abc import Iterator, Sequence
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
from campaign.rules.railways import built
from campaign.rules.sight import View, supposed_state
from campaign.rules.stacks import allowance, countable_units
from campaign.rules.supply import attrition_line, attrition_modifiers, supply_sources
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import AttritionLine
from campaign.web.map.situation import strength

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
        list(_reports(view, hex_id)),
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
        printed = ground.nav_at(hex_id, river)
        now = laws(state).class_now(printed, state.month)
        words = f"{now} now, {SEASONAL}" if printed is Nav.SEASONAL else str(now)
        yield HexRiver(ground.rivers[river].title, words, ground.cataract_at(hex_id))


def _rails(state: State, hex_id: HexId) -> Iterator[HexRailway]:
    runs = hex_id in built(state)
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
                strength(units),
                allowance(laws(state), countable_units(units)),
                board(state).besieged(side, hex_id),
                _thirst(state, side, hex_id) if board(state).land(side, hex_id) else None,
            )


def _reports(view: View, hex_id: HexId) -> Iterator[str]:
    """Yield sentences about stacks here that are sighted or remembered."""
    for seen in (*view.sightings, *view.markers):
        if seen.hex == hex_id:
            yield describe_marker(seen, view.state.month)


def _thirst(state: State, side: Side, hex_id: HexId) -> HexAttrition:
    line = attrition_line(state, side, hex_id)
    spared = [laws(state).attrition(line, roll) for roll in range(1, 7)]
    return HexAttrition(
        line,
        len(countable_units(board(state).stack(side, hex_id))),
        tuple(one for one in spared if one is not None),
        attrition_modifiers(state, side, hex_id),
        _supply(state, side, hex_id),
    )


def _supply(state: State, side: Side, hex_id: HexId) -> str:
    """Return the place that supplies the stack; empty when it must live off the country."""
    sources = supply_sources(state, side, hex_id)
    if not sources:
        return ""
    there = state.units[sources[0]].hex
    return "here" if there == hex_id else describe_hex(there)


def _ways(state: State, field: Hex, side: Side | None) -> Iterator[HexExit]:
    ground = chart(state)
    open_to = dict(exits(barrier_costs(state, side), field.id)) if side else {}
    for there in ground.neighbours[field.id]:
        river = (field.id, there) in ground.sides
        bar = _bar(state, ground.hexes[there], side, open_=there in open_to)
        cost = open_to.get(there) or _plain_cost(state, ground.hexes[there], river=river)
        yield HexExit(
            ground.bearing(field.id, there),
            there,
            describe_hex(there),
            ground_in_words(ground.hexes[there]),
            None if bar else cost,
            bar,
            river,
            _on_one_line(state, field.id, there),
        )


def _plain_cost(state: State, field: Hex, *, river: bool) -> int:
    law = laws(state)
    return law.entry_cost(field.relief) + (law.crossing_cost() if river else 0)


def _bar(state: State, field: Hex, side: Side | None, *, open_: bool) -> str:
    """Return why the hex cannot be entered; empty if it can."""
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
    return "barred"


def _on_one_line(state: State, one: HexId, other: HexId) -> bool:
    steps = {step for track in chart(state).tracks.values() for step in pairwise(track.hexes)}
    return (one, other) in steps or (other, one) in steps


def _goals(state: State, side: Side | None, field: Hex) -> list[ReachableHex]:
    """Return the named places that a stack here can march to, the nearest first."""
    if side is None:
        return []
    ground = chart(state)
    costs = reach(state, side, field.id, FURTHEST).costs
    found = [
        ReachableHex(place.hex, place.name, costs[place.hex])
        for place in ground.places.values()
        if place.in_rules and place.hex in costs and place.hex != field.id
    ]
    return sorted(found, key=lambda goal: (goal.cost, goal.name))


# Describe the ground of a hex, its neighbours, and the lines through it, in words.


BEARINGS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


class GroundDescription(NamedTuple):
    """The ground of a hex in sentences, and its holder."""

    sentences: tuple[str, ...]
    holder: Side | None


class Neighbour(NamedTuple):
    """A neighbouring hex: its bearing and ground, and the cost or the bar of the way."""

    bearing: str
    direction: str
    hex: HexId
    place: str
    ground: str
    cost: int | None
    bar: str
    over: str
    along: str


class HexLine(NamedTuple):
    """A river, railway or road through the hex, with the next hexes along it."""

    title: str
    about: str
    on: tuple[tuple[str, HexId, str], ...]


def ground_of(state: State, hex_id: HexId) -> GroundDescription:
    """Return sentences about the ground of a hex."""
    field, here = chart(state).hexes[hex_id], chart(state)
    said = [_ground(state, field)]
    if field.place:
        kind = here.places[field.place].kind
        said.append(f"{field.place} is {'an' if kind == 'oasis' else 'a'} {kind}.")
    if field.places[1:]:
        said.append(f"Also here: {', '.join(field.places[1:])}.")
    regions = [title for key, title in here.regions.items() if key in field.regions]
    if regions:
        said.append(f"It lies in {' and '.join(regions)}.")
    return GroundDescription(tuple(said), state.control.get(hex_id))


def _ground(state: State, field: Hex) -> str:
    words = ground_in_words(field)
    if field.sea:
        return "Sea."
    if field.closed:
        return f"{words.capitalize()}, closed to play."
    cost = laws(state).entry_cost(field.relief)
    return f"{words.capitalize()}: {cost} movement point{'s' * (cost > 1)} to enter."


def exits_of(state: State, side: Side | None, hex_id: HexId) -> list[Neighbour]:
    """Return the neighbours clockwise from the north, with bars as that side knows them."""
    ground_ = chart(state)
    open_to = dict(exits(barrier_costs(state, side), hex_id)) if side else {}
    return [
        _step(state, side, (hex_id, there), open_to.get(there))
        for there in ground_.neighbours[hex_id]
    ]


def _step(state: State, side: Side | None, way: tuple[HexId, HexId], cost: int | None) -> Neighbour:
    here, there = way
    ground_ = chart(state)
    field, river = ground_.hexes[there], ground_.sides.get(way)
    bearing = ground_.bearing(here, there)
    return Neighbour(
        bearing,
        BEARINGS[bearing],
        there,
        describe_hex(there),
        ground_in_words(field),
        cost if side else _plain_cost_of_exit(state, field, over_river=river is not None),
        _bar_of_exit(state, side, field, open_=cost is not None),
        ground_.rivers[river.river].title if river else "",
        ", ".join(title for title, hexes in _tracks(state) if _next_to(hexes, here, there)),
    )


def _plain_cost_of_exit(state: State, field: Hex, *, over_river: bool) -> int:
    law = laws(state)
    return law.entry_cost(field.relief) + (law.crossing_cost() if over_river else 0)


def _bar_of_exit(state: State, side: Side | None, field: Hex, *, open_: bool) -> str:
    """Return why the hex cannot be entered; empty if it can."""
    if field.sea or field.closed:
        return "sea" if field.sea else "closed to play"
    if side is None or open_:
        return ""
    if field.id in board(state).occupied[side.enemy]:
        return "the enemy stands there"
    if field.id in board(state).guarded[side.enemy]:
        return "a gunboat bars the crossing"
    return "barred by a siege, a gunboat or the scenario"


def _tracks(state: State) -> Iterator[tuple[str, Sequence[HexId]]]:
    for track in chart(state).tracks.values():
        yield f"the railway {track.title}", track.hexes
    for road in chart(state).roads.values():
        yield f"the caravan road {road.title}", road.hexes


def _next_to(hexes: Sequence[HexId], one: HexId, other: HexId) -> bool:
    """Return whether the two hexes are adjacent on the line."""
    places = {hex_id: place for place, hex_id in enumerate(hexes)}
    return one in places and other in places and abs(places[one] - places[other]) == 1


def lines_through(state: State, hex_id: HexId) -> list[HexLine]:
    """Return the rivers, railways and roads through the hex, with the next hexes."""
    return [*_rivers(state, hex_id), *_railways(state, hex_id), *_roads(state, hex_id)]


def _rivers(state: State, hex_id: HexId) -> Iterator[HexLine]:
    ground_ = chart(state)
    words = {-1: "upstream", 1: "downstream", 0: "to the other bank"}
    for river in ground_.river_at(hex_id):
        printed = ground_.nav_at(hex_id, river)
        now = laws(state).class_now(printed, state.month)
        about = f"{now} now, {SEASONAL}" if printed is Nav.SEASONAL else str(now)
        cataract = ground_.cataract_at(hex_id)
        moves = [one for one in ground_.river_moves.get(hex_id, ()) if one.river == river]
        on = [(words[one.direction], one.to, describe_hex(one.to)) for one in moves]
        title = f"the {ground_.rivers[river].title}"
        yield HexLine(title, f"{about}; {cataract}" if cataract else about, tuple(sorted(on)))


def _railways(state: State, hex_id: HexId) -> Iterator[HexLine]:
    runs = built(state)
    for track in chart(state).tracks.values():
        if hex_id in track.hexes:
            about = "open to trains" if hex_id in runs else "surveyed, not built"
            yield HexLine(f"the railway {track.title}", about, _along(track.hexes, hex_id))


def _roads(state: State, hex_id: HexId) -> Iterator[HexLine]:
    for road in chart(state).roads.values():
        if hex_id in road.hexes:
            yield HexLine(f"the caravan road {road.title}", "", _along(road.hexes, hex_id))


def _along(hexes: Sequence[HexId], here: HexId) -> tuple[tuple[str, HexId, str], ...]:
    """Return the next hexes of a line in both directions, with the ends they lead to."""
    place = hexes.index(here)
    found = []
    if place:
        found.append(
            (f"towards {describe_hex(hexes[0])}", hexes[place - 1], describe_hex(hexes[place - 1]))
        )
    if place + 1 < len(hexes):
        found.append(
            (f"towards {describe_hex(hexes[-1])}", hexes[place + 1], describe_hex(hexes[place + 1]))
        )
    return tuple(found)
