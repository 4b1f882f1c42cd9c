"""Areas in which units may set up: the hexes that a scenario describes (2.1 to 2.3)."""

from functools import lru_cache

import msgspec

from campaign.rules.map import HexId, Map, PlaceClass, sudan
from campaign.rules.tables.event_effects import Count

SETTLED = frozenset({PlaceClass.TOWN, PlaceClass.VILLAGE})


class SetUpArea(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes for which all given conditions hold, and those of the places in `also`.

    `ring`: exactly so many hexes from the nearest of `around`. `beside`: touching this river, and
    `upstream_of` this place. `settled_south_of`: towns and villages south of this place. `region`:
    in this region of the map. `not_near`: neither one of these places nor next to it. `most`: units
    that may stand in one hex, leaders and boats not counted; 0 for any number.
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
def area_hexes(area: SetUpArea, chart: Map | None = None) -> frozenset[HexId]:
    """Return the land hexes of an area that are open to play, on the shipped map unless given.

    Raise MapError for a name not on the map.
    """
    chart = chart or sudan()
    named = {chart.spot(name) for name in area.also}
    if area == SetUpArea(also=area.also, most=area.most):
        return frozenset(hex_id for hex_id in named if _open(chart, hex_id))
    lawful = set(_start(chart, area)) - _near(chart, area.not_near)
    found = {hex_id for hex_id in lawful if _holds(chart, area, hex_id)}
    return frozenset(hex_id for hex_id in found | named if _open(chart, hex_id))


def nearest_hex(chart: Map, hexes: frozenset[HexId], name: str) -> HexId:
    """Return the hex nearest to a place; of two as near, the lower number."""
    place = chart.spot(name)
    return min(hexes, key=lambda hex_id: (chart.distance(hex_id, place), hex_id))


def _start(chart: Map, area: SetUpArea) -> frozenset[HexId]:
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


def _holds(chart: Map, area: SetUpArea, hex_id: HexId) -> bool:
    if area.ring and area.ring != min(_distances(chart, area.around, hex_id)):
        return False
    return not area.upstream_of or _upstream(chart, area, hex_id)


def _upstream(chart: Map, area: SetUpArea, hex_id: HexId) -> bool:
    place = chart.place(area.upstream_of).hex
    return chart.ordinals(hex_id, area.beside)[1] < chart.ordinals(place, area.beside)[0]


def _distances(chart: Map, places: tuple[str, ...], hex_id: HexId) -> list[int]:
    return [chart.distance(chart.spot(name), hex_id) for name in places]


def _near(chart: Map, places: tuple[str, ...]) -> set[HexId]:
    return {near for name in places for near in chart.within(chart.spot(name), 1)}


def _open(chart: Map, hex_id: HexId) -> bool:
    return not chart.hexes[hex_id].sea and not chart.hexes[hex_id].closed
