"""Building blocks of scenarios: areas in which units may set up, and conditions of victory.

An area describes hexes (2.1 to 2.3). A condition, for scenarios that are not in the book (4, ruling
52), names a side and what it has to do: hold, reach, relieve, destroy, survive until a month, or
score points. `campaign/rules/victory.py` judges them.
"""

from functools import lru_cache
from typing import Annotated, TypeVar

import msgspec

from battles.contract.brief import Nation, Side, TroopKind
from campaign.rules.map import HexId, Map, PlaceClass, sudan
from campaign.rules.tables.event_effects import Count, Some

T = TypeVar("T")
AtLeastOne = Annotated[tuple[T, ...], msgspec.Meta(min_length=1)]
CHAPTER = "4"
"""The clause of a condition that is not in the book: the chapter on how to win."""


class ConditionBase(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True
):
    """Fields of every condition of victory: its clause, and its text as a sentence."""

    clause: str = CHAPTER
    text: str


class PlacesHeld(ConditionBase, frozen=True, kw_only=True, tag="hold"):
    """Holding of `least` of `places` (0: all) at the end of `turns` successive months."""

    winner: Side
    places: AtLeastOne[str]
    least: Count = 0
    turns: Some = 1

    @property
    def wanted(self) -> int:
        """Return the number of places that have to be held."""
        return self.least or len(self.places)


class UnitsReached(ConditionBase, frozen=True, kw_only=True, tag="reach"):
    """Presence of `least` such units in one of `places` at the end of the winner's turn.

    Without `kind` fighting units of any arm count, without `nation` those of the whole side. A
    `leader`, if named, has to be with them.
    """

    winner: Side
    places: AtLeastOne[str]
    least: Count = 1
    kind: TroopKind | None = None
    nation: Nation | None = None
    leader: str = ""


class PlaceRelieved(ConditionBase, frozen=True, kw_only=True, tag="relieve"):
    """Relief of a place: it is the winner's, free of siege at the end of the winner's turn.

    At least `least` fighting units that did not set up there stand in it or next to it.
    """

    winner: Side
    place: str
    least: Some = 1


class SideDestroyed(ConditionBase, frozen=True, kw_only=True, tag="destroy"):
    """Reduction of the enemy's fighting units, at the end of a month, to `left` strength points.

    Units that are still to come count as left; with `nation`, units of that nation alone.
    """

    winner: Side
    left: Count
    nation: Nation | None = None


class SideSurvives(ConditionBase, frozen=True, kw_only=True, tag="survive until"):
    """Survival to the end of a month of all that is named: places held, a leader, strength points.

    Strength is that of the winner's fighting units on the map.
    """

    winner: Side
    until: str
    places: tuple[str, ...] = ()
    leader: str = ""
    left: Count = 0


class _AwardBase(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True
):
    """Fields of every award: the side that scores, and its points."""

    side: Side
    points: Some


class PlaceAward(_AwardBase, frozen=True, kw_only=True, tag="place"):
    """Points for a place that the side holds at the end."""

    place: str


class UnitsAward(_AwardBase, frozen=True, kw_only=True, tag="units"):
    """Points for `least` such units in one of `places` at the end, as in `reach`."""

    places: AtLeastOne[str]
    least: Some = 1
    kind: TroopKind | None = None
    nation: Nation | None = None


class LeaderAward(_AwardBase, frozen=True, kw_only=True, tag="leader"):
    """Points for a leader who is in play at the end, or with `lost` for one who is not."""

    leader: str
    lost: bool = False


class LossesAward(_AwardBase, frozen=True, kw_only=True, tag="losses"):
    """Points for every so many strength points of the enemy that combat has destroyed."""

    every: Some
    nation: Nation | None = None


class HandicapAward(_AwardBase, frozen=True, kw_only=True, tag="handicap"):
    """Points given to a side for balance."""


Award = PlaceAward | UnitsAward | LeaderAward | LossesAward | HandicapAward


class PointsCounted(ConditionBase, frozen=True, kw_only=True, tag="points"):
    """Victory after the last month of the side that has at least `margin` more points."""

    margin: Some = 1
    award: AtLeastOne[Award]


Block = PlacesHeld | UnitsReached | PlaceRelieved | SideDestroyed | SideSurvives | PointsCounted


def leaders_in(condition: object) -> tuple[str, ...]:
    """Return the leaders that a condition of victory or its awards name."""
    named = [getattr(condition, "leader", "")]
    if isinstance(condition, PointsCounted):
        named += [getattr(award, "leader", "") for award in condition.award]
    return tuple(filter(None, named))


def places_in(condition: object) -> tuple[str, ...]:
    """Return the places that a condition of victory or its awards name."""
    parts = [condition, *getattr(condition, "award", ())]
    named = [getattr(part, "place", "") for part in parts]
    named += [name for part in parts for name in getattr(part, "places", ())]
    return tuple(dict.fromkeys(filter(None, named)))


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
    extra_hexes = {chart.spot(name) for name in area.also}
    if area == SetUpArea(also=area.also, most=area.most):
        return frozenset(hex_id for hex_id in extra_hexes if _open(chart, hex_id))
    near = {near for name in area.not_near for near in chart.within(chart.spot(name), 1)}
    lawful = set(_start(chart, area)) - near
    hexes = {hex_id for hex_id in lawful if _holds(chart, area, hex_id)}
    return frozenset(hex_id for hex_id in hexes | extra_hexes if _open(chart, hex_id))


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
    if area.ring and area.ring != min(
        chart.distance(chart.spot(name), hex_id) for name in area.around
    ):
        return False
    return not area.upstream_of or _upstream(chart, area, hex_id)


def _upstream(chart: Map, area: SetUpArea, hex_id: HexId) -> bool:
    place = chart.place(area.upstream_of).hex
    return chart.ordinals(hex_id, area.beside)[1] < chart.ordinals(place, area.beside)[0]


def _open(chart: Map, hex_id: HexId) -> bool:
    return not chart.hexes[hex_id].sea and not chart.hexes[hex_id].closed
