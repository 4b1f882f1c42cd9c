"""Where a side may set up: areas such as 'beside the White Nile, south of Duem' as hexes (2.1)."""

from functools import lru_cache

import msgspec

from campaign.rules.effects import Count
from campaign.rules.map import HexId, Map, PlaceClass, sudan

SETTLED = frozenset({PlaceClass.TOWN, PlaceClass.VILLAGE})


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes where all that is said holds, and those of the places in `also`.

    `ring`: exactly so many hexes from the nearest of `around`. `beside`: touching this river, and
    `upstream_of` this place. `settled_south_of`: towns and villages south of this place.
    `region`: in this region of the map. `not_near`: neither one of these places nor next to it.
    `most`: units that may stand in one hex, leaders and boats not counted; 0 for any number.
    """

    ring: Count = 0
    around: tuple[str, ...] = ()
    beside: str = ""
    upstream_of: str = ""
    settled_south_of: str = ""
    region: str = ""
    not_near: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    most: Count = 0


@lru_cache(maxsize=64)
def area_hexes(area: Area) -> frozenset[HexId]:
    """The land hexes of an area that are open to play. MapError for a name not on the map."""
    chart = sudan()
    named = {chart.place(name).hex for name in area.also}
    if area == Area(also=area.also, most=area.most):
        return frozenset(named)
    lawful = set(_start(chart, area)) - _near(chart, area.not_near)
    found = {hex_id for hex_id in lawful if _holds(chart, area, hex_id)}
    return frozenset(hex_id for hex_id in found | named if _open(chart, hex_id))


def nearest_hex(hexes: frozenset[HexId], name: str) -> HexId:
    """Of these hexes the one nearest to a place; of two as near, the lower number."""
    chart = sudan()
    place = chart.place(name).hex
    return min(hexes, key=lambda hex_id: (chart.distance(hex_id, place), hex_id))


def _start(chart: Map, area: Area) -> frozenset[HexId]:
    if area.region:
        return chart.region(area.region)
    if area.settled_south_of:
        limit = chart.place(area.settled_south_of).lat
        return frozenset(
            place.hex
            for place in chart.places.values()
            if place.kind in SETTLED and place.lat < limit
        )
    if area.beside:
        return frozenset(chart.river_hexes[area.beside])
    return frozenset(chart.hexes)


def _holds(chart: Map, area: Area, hex_id: HexId) -> bool:
    if area.ring and area.ring != min(_distances(chart, area.around, hex_id)):
        return False
    return not area.upstream_of or _upstream(chart, area, hex_id)


def _upstream(chart: Map, area: Area, hex_id: HexId) -> bool:
    place = chart.place(area.upstream_of).hex
    return chart.ordinals(hex_id, area.beside)[1] < chart.ordinals(place, area.beside)[0]


def _distances(chart: Map, places: tuple[str, ...], hex_id: HexId) -> list[int]:
    return [chart.distance(chart.place(name).hex, hex_id) for name in places]


def _near(chart: Map, places: tuple[str, ...]) -> set[HexId]:
    return {near for name in places for near in chart.within(chart.place(name).hex, 1)}


def _open(chart: Map, hex_id: HexId) -> bool:
    return not chart.hexes[hex_id].sea and not chart.hexes[hex_id].closed
