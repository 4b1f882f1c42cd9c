"""Index of a position: which units stand in each hex, which hexes are under siege or guarded.

A board is built when first asked for and dropped when a unit moves, arrives, leaves or changes its
order. It is never stored.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache

from battles.contract.brief import (
    AFLOAT,
    CANNOT_MELEE,
    RIVER_CRAFT,
    UNCOUNTED,
    Nation,
    Side,
    TroopKind,
)
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import HexId, Map, PlaceClass
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.editions import edition
from campaign.rules.tables.rows import EventRow
from campaign.rules.tables.scenario_data import Scenario

_RANKS = {PlaceClass.TOWN: 3, PlaceClass.VILLAGE: 2, PlaceClass.OASIS: 1}


def board(state: State) -> "Board":
    """Return the board of this state, cached until `forget`."""
    # The cache is no field of the struct, so it is never encoded with the state.
    cached_board = state.__dict__.get("board")
    if cached_board is None:
        cached_board = state.__dict__["board"] = Board(state)
    return cached_board


def forget(state: State) -> None:
    """Drop the cached board: a unit has moved, arrived, left, or changed its order."""
    state.__dict__.pop("board", None)


def chart(state: State) -> Map:
    """Return the map of this campaign, with its scenario's own layer.

    Raise UnknownEdition as `laws` does.
    """
    return _chart(state.book, state.scenario)


@lru_cache(maxsize=64)
def _chart(book: str, scenario: str) -> Map:
    return edition(book).scenario(scenario).chart


def laws(state: State) -> CampaignTables:
    """Return the tables of this campaign.

    Raise UnknownEdition when this process does not have them.
    """
    return edition(state.book).book


def random_events(state: State, side: Side) -> Mapping[int, EventRow]:
    """Return the random events of a side by the result of two dice.

    Raise UnknownEdition as `laws` does.
    """
    return edition(state.book).events(state.scenario, side)


def scenario_of(state: State) -> Scenario:
    """Return the scenario of this campaign. Raise UnknownEdition as `laws` does."""
    return _scenario(state.book, state.scenario)


@lru_cache(maxsize=64)
def _scenario(book: str, scenario: str) -> Scenario:
    return edition(book).scenario(scenario)


class Board:
    """Index of the units by side and hex. Lists are in the order of the units' numbers."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._map = chart(state)
        self.units: list[Unit] = [state.units[unit_id] for unit_id in sorted(state.units)]
        egyptians: dict[HexId, list[Unit]] = {}
        mahdists: dict[HexId, list[Unit]] = {}
        mahdist, off_map = Nation.MAHDIST, OFF_MAP
        for unit in self.units:
            hex_id = unit.hex
            if hex_id != off_map:
                stacks = mahdists if unit.nation is mahdist else egyptians
                if hex_id in stacks:
                    stacks[hex_id].append(unit)
                else:
                    stacks[hex_id] = [unit]
        self._at = {Side.EGYPTIAN: egyptians, Side.MAHDIST: mahdists}
        # What readers of the position work out about it, by their own keys.
        self.worked_out: dict[object, object] = {}

    def stack(self, side: Side, hex_id: HexId) -> list[Unit]:
        """Return every unit of that side in the hex, leaders and craft included."""
        return self._at[side].get(hex_id, [])

    def land(self, side: Side, hex_id: HexId) -> list[Unit]:
        """Return the land units of that side in the hex: no leaders, craft or fleet."""
        return [unit for unit in self.stack(side, hex_id) if is_land(unit)]

    def hexes(self, side: Side) -> list[HexId]:
        """Return the hexes that hold any unit of that side, in the order of the map's numbers."""
        return sorted(self._at[side])

    @cached_property
    def occupied(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes each side holds with land units."""
        return {side: self._with(side, _LAND) for side in Side}

    @cached_property
    def bridged(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes where each side has a boat or gunboat to cross by (8.21)."""
        return {side: self._with(side, _CRAFT) for side in Side}

    @cached_property
    def invested(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes next to a fighting land unit of each side, disrupted or not (9.12)."""
        return {side: self._around(self._with(side, _FIGHTING)) for side in Side}

    @cached_property
    def pressed(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes next to a good-order fighting unit of each side (10.3)."""
        return {side: self._around(self._with(side, _STEADY)) for side in Side}

    @cached_property
    def guarded(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes in or next to which each side has a gunboat (8.21)."""
        return {side: self._gunboats(side) for side in Side}

    def besieged(self, side: Side, hex_id: HexId) -> bool:
        """Return whether that side's town, village or oasis here is under siege (9.12).

        An enemy beside it besieges it in whatever order he is, until combat drives him away.
        """
        return bool(self._map.hexes[hex_id].place) and hex_id in self.invested[side.enemy]

    def starved(self, side: Side, hex_id: HexId) -> bool:
        """Return whether attrition finds that side's place here besieged (10.3).

        Only an enemy in good order keeps food out.
        """
        return bool(self._map.hexes[hex_id].place) and hex_id in self.pressed[side.enemy]

    def is_sortie(self, side: Side, start: HexId, target: HexId) -> bool:
        """Return whether an attack of that side from `start` is a sortie out of a siege (9.12).

        It is out of a place into open country or against a lesser place, whatever order the units
        are in.
        """
        return self.besieged(side, start) and self._rank(start) > self._rank(target)

    def _rank(self, hex_id: HexId) -> int:
        """Return the rank of the place in the hex: town before village before oasis."""
        name = self._map.hexes[hex_id].place
        return _RANKS[self._map.places[name].kind] if name else 0

    def in_town(self, hex_id: HexId, *kinds: PlaceClass) -> bool:
        """Return whether the hex holds a place of one of these kinds."""
        name = self._map.hexes[hex_id].place
        return name is not None and self._map.places[name].kind in kinds

    def holds(self, side: Side, hex_id: HexId) -> bool:
        """Return whether that side was the last to occupy the place in the hex (3.2)."""
        return self._state.control.get(hex_id) is side

    def leader(self, name: str) -> Unit | None:
        """Return the leader of that name, or None when the leader is not in play."""
        leaders = (
            unit for unit in self.units if unit.kind is TroopKind.LEADER and unit.name == name
        )
        return next(leaders, None)

    def named(self, ids: Iterable[UnitId]) -> list[Unit]:
        """Return the units with these numbers that are still in play."""
        return [self._state.units[unit_id] for unit_id in ids if unit_id in self._state.units]

    @cached_property
    def _marks(self) -> dict[Side, dict[HexId, int]]:
        """Return the marks of all units in each hex of each side, in one integer."""
        marks_by_side: dict[Side, dict[HexId, int]] = {}
        for side, stacks in self._at.items():
            marks = marks_by_side[side] = {}
            for hex_id, stack in stacks.items():
                hex_marks = 0
                for unit in stack:
                    mark = _MARKS[unit.kind]
                    hex_marks |= mark | _STEADY if mark & _FIGHTING and not unit.disrupted else mark
                marks[hex_id] = hex_marks
        return marks_by_side

    def _with(self, side: Side, mark: int) -> frozenset[HexId]:
        """Return the hexes of that side with a unit of this mark."""
        return frozenset([hex_id for hex_id, marks in self._marks[side].items() if marks & mark])

    def _around(self, hexes: frozenset[HexId]) -> frozenset[HexId]:
        return _around(self._map, hexes)

    def _gunboats(self, side: Side) -> frozenset[HexId]:
        moored = self._with(side, _GUNBOAT)
        return moored | self._around(moored)


@lru_cache(maxsize=256)
def _around(ground: Map, hexes: frozenset[HexId]) -> frozenset[HexId]:
    """Return the hexes next to these: the same for many boards, as one side moves at a time."""
    near = ground.neighbours
    return frozenset().union(*[near[hex_id] for hex_id in hexes])


def is_land(unit: Unit) -> bool:
    """Return whether the unit is a land unit: neither leader nor craft."""
    return unit.kind not in AFLOAT and unit.kind is not TroopKind.LEADER


def is_fighting(unit: Unit) -> bool:
    """Return whether the unit can besiege: a fighting land unit (9.12)."""
    return unit.kind not in CANNOT_MELEE and unit.kind is not TroopKind.CIVILIANS


def is_good_order(unit: Unit) -> bool:
    """Return whether the unit keeps food out of a place: it fights, not disrupted (9.7, 10.3)."""
    return is_fighting(unit) and not unit.disrupted


_CRAFT, _GUNBOAT, _LAND, _FIGHTING, _STEADY = 1, 2, 4, 8, 16
_MARKS = {
    kind: _CRAFT * (kind in RIVER_CRAFT)
    | _GUNBOAT * (kind is TroopKind.GUNBOAT)
    | _LAND * (kind not in UNCOUNTED)
    | _FIGHTING * (kind not in CANNOT_MELEE and kind is not TroopKind.CIVILIANS)
    for kind in TroopKind
}
"""The marks of each kind of unit in good order or not; a steady fighter has _STEADY too."""
