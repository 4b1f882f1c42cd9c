"""Where an effect of a random event reaches: its words about hexes, as hexes of the map."""

from collections.abc import Callable, Iterable

from campaign.rules.board import board, chart
from campaign.rules.effects import Area, Where
from campaign.rules.map import Ground, HexId, PlaceClass
from campaign.rules.pieces import Side
from campaign.rules.state import State

EXTENSION = "souakim_extension"


def reaches(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    """Whether a hex is one of those meant; `side` is the one whose units stand there."""
    return all(holds(state, where, hex_id, side) for holds in _TESTS)


def hexes_meant(state: State, where: Where, side: Side) -> list[HexId]:
    """The hexes meant in which units of the side may come to stand, in order of their numbers."""
    enemy = board(state).occupied[side.enemy]
    return [
        hex_id
        for hex_id in sorted(_candidates(state, where))
        if _is_open(state, hex_id) and hex_id not in enemy and reaches(state, where, hex_id, side)
    ]


def _candidates(state: State, where: Where) -> Iterable[HexId]:
    ground = chart(state)
    if where.places:
        centres = [ground.place(name).hex for name in where.places]
        return {near for centre in centres for near in ground.within(centre, where.within)}
    if where.leaders:
        found = [board(state).leader(name) for name in where.leaders]
        return {leader.hex for leader in found if leader is not None}
    return ground.hexes


def _is_open(state: State, hex_id: HexId) -> bool:
    field = chart(state).hexes[hex_id]
    return not field.sea and not field.closed


def _in_area(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.area is None or _AREAS[where.area](state, hex_id)


def _near_places(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    ground = chart(state)
    centres = [ground.place(name).hex for name in where.places]
    return not centres or any(ground.distance(centre, hex_id) <= where.within for centre in centres)


def _north(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    ground = chart(state)
    if not where.north_of:
        return True
    return ground.hexes[hex_id].lat > ground.hexes[ground.place(where.north_of).hex].lat


def _with_leader(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    found = [board(state).leader(name) for name in where.leaders]
    return not found or any(leader is not None and leader.hex == hex_id for leader in found)


def _held(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.held_by is None or board(state).holds(where.held_by, hex_id)


def _near_towns(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    owner = where.next_to_towns_of
    if owner is None:
        return True
    return any(
        _is_town(state, near) and board(state).holds(owner, near)
        for near in chart(state).neighbours[hex_id]
    )


def _besieged(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.besieged is None or board(state).besieged(side, hex_id) is where.besieged


def _is_town(state: State, hex_id: HexId) -> bool:
    return board(state).in_town(hex_id, PlaceClass.TOWN)


def _is_settled(state: State, hex_id: HexId) -> bool:
    return board(state).in_town(hex_id, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _is_river_town(state: State, hex_id: HexId) -> bool:
    return _is_town(state, hex_id) and bool(chart(state).river_at(hex_id))


def _is_outside_towns(state: State, hex_id: HexId) -> bool:
    return not _is_town(state, hex_id)


def _is_desert(state: State, hex_id: HexId) -> bool:
    return chart(state).hexes[hex_id].ground is Ground.DESERT


def _is_beside_river(state: State, hex_id: HexId) -> bool:
    return bool(chart(state).river_at(hex_id))


def _is_extension(state: State, hex_id: HexId) -> bool:
    return EXTENSION in chart(state).hexes[hex_id].regions


_TESTS: tuple[Callable[[State, Where, HexId, Side], bool], ...] = (
    _in_area,
    _near_places,
    _north,
    _with_leader,
    _held,
    _near_towns,
    _besieged,
)

_AREAS: dict[Area, Callable[[State, HexId], bool]] = {
    Area.TOWNS: _is_town,
    Area.TOWNS_AND_VILLAGES: _is_settled,
    Area.RIVER_TOWNS: _is_river_town,
    Area.OUTSIDE_TOWNS: _is_outside_towns,
    Area.DESERT: _is_desert,
    Area.RIVER: _is_beside_river,
    Area.EXTENSION: _is_extension,
}
