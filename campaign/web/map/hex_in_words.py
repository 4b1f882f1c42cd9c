"""The ground of a hex, its neighbours, and the lines through it, in words."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.rules.core.board import chart, laws
from campaign.rules.core.state import State
from campaign.rules.map import Hex, HexId
from campaign.rules.march.reach import barrier_costs, exits
from campaign.rules.prose.names import bearing_in_words, describe_hex
from campaign.rules.railways import railway_hexes
from campaign.web.map.hex_report import bar_of, ground_in_words, navigation_in_words, plain_cost

BARRED = "barred by a siege, a gunboat or the scenario"


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
        bearing_in_words(bearing),
        there,
        describe_hex(there),
        ground_in_words(field),
        cost if side else plain_cost(state, field, over_river=river is not None),
        bar_of(state, field, side, open_=cost is not None, otherwise=BARRED),
        ground_.rivers[river.river].title if river else "",
        ", ".join(title for title, hexes in _tracks(state) if _next_to(hexes, here, there)),
    )


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
        about = navigation_in_words(state, hex_id, river)
        cataract = ground_.cataract_at(hex_id)
        moves = [one for one in ground_.river_moves.get(hex_id, ()) if one.river == river]
        on = [(words[one.direction], one.to, describe_hex(one.to)) for one in moves]
        title = f"the {ground_.rivers[river].title}"
        yield HexLine(title, f"{about}; {cataract}" if cataract else about, tuple(sorted(on)))


def _railways(state: State, hex_id: HexId) -> Iterator[HexLine]:
    runs = railway_hexes(state)
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
