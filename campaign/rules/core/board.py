"""Index of a position: which units stand in each hex, which hexes are under siege or guarded.

A board is made when first asked for, from the one before it where the hexes that have changed since
are known. It never changes itself, and is never stored.
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
    """Return the board of this state, cached until `will_change` or `forget`."""
    # The cache is no field of the struct, so it is never encoded with the state.
    cache = state.__dict__
    cached_board: Board | None = cache.get("board")
    if cached_board is None:
        changes: _Changes | None = cache.pop("changes", None)
        cached_board = cache["board"] = _board(state) if changes is None else changes.made(state)
    return cached_board


def will_change(state: State, unit_ids: Iterable[UnitId], *, roster: bool = False) -> None:
    """Note that these units are about to move or to change their order, so that the board follows.

    `roster`: they are about to leave the map, or have just arrived on it.
    """
    cache = state.__dict__
    former: Board | None = cache.pop("board", None)
    if former is not None:
        # Readers keep what refers back to the board; without the cycle both are freed at once, not
        # when the garbage collector comes round.
        former.worked_out.clear()
        cache["changes"] = _Changes(former)
    changes: _Changes | None = cache.get("changes")
    if changes is not None:
        changes.note([state.units[unit_id] for unit_id in unit_ids], roster)


def forget(state: State) -> None:
    """Drop the cached board: something has changed that nobody has noted."""
    state.__dict__.pop("board", None)
    state.__dict__.pop("changes", None)


def chart(state: State) -> Map:
    """Return the map of this campaign, with its scenario's own layer.

    Raise UnknownEdition as `laws` does.
    """
    return _chart(state.edition, state.scenario)


@lru_cache(maxsize=64)
def _chart(book: str, scenario: str) -> Map:
    return edition(book).scenario(scenario).chart


def laws(state: State) -> CampaignTables:
    """Return the tables of this campaign.

    Raise UnknownEdition when this process does not have them.
    """
    return edition(state.edition).book


def random_events(state: State, side: Side) -> Mapping[int, EventRow]:
    """Return the random events of a side by the result of two dice.

    Raise UnknownEdition as `laws` does.
    """
    return edition(state.edition).events(state.scenario, side)


def scenario_of(state: State) -> Scenario:
    """Return the scenario of this campaign. Raise UnknownEdition as `laws` does."""
    return _scenario(state.edition, state.scenario)


@lru_cache(maxsize=64)
def _scenario(book: str, scenario: str) -> Scenario:
    return edition(book).scenario(scenario)


_Stacks = dict[HexId, list[Unit]]


class Forces:
    """Index of the units of one side, shared by all boards on which they stand as they do now."""

    def __init__(self, ground: Map, stacks: _Stacks, marks: dict[HexId, int]) -> None:
        self._map = ground
        self.stacks = stacks
        self._marks = marks
        self._hexes_by_mark: dict[int, frozenset[HexId]] = {}
        # What readers of the position work out about this side alone, by their own keys.
        self.worked_out: dict[object, object] = {}

    def with_stacks(self, changed: _Stacks) -> "Forces":
        """Return the index with other stacks in these hexes; an empty one where nobody stands."""
        stacks, marks = self.stacks | changed, self._marks.copy()
        for hex_id, stack in changed.items():
            marks[hex_id] = _marks_of(stack)
            if not stack:
                del stacks[hex_id], marks[hex_id]
        after = Forces(self._map, stacks, marks)
        for mark, hexes in self._hexes_by_mark.items():
            came = [hex_id for hex_id in changed if marks.get(hex_id, 0) & mark]
            after._hexes_by_mark[mark] = hexes.difference(changed).union(came)
        return after

    @cached_property
    def hexes(self) -> list[HexId]:
        """Return the hexes that hold any of the units, in the order of the map's numbers."""
        return sorted(self.stacks)

    @cached_property
    def occupied(self) -> frozenset[HexId]:
        """Return the hexes with land units."""
        return self._with(_LAND)

    @cached_property
    def bridged(self) -> frozenset[HexId]:
        """Return the hexes with a boat or gunboat to cross by (8.21)."""
        return self._with(_CRAFT)

    @cached_property
    def invested(self) -> frozenset[HexId]:
        """Return the hexes next to a fighting land unit, disrupted or not (9.12)."""
        return _around(self._map, self._with(_FIGHTING))

    @cached_property
    def pressed(self) -> frozenset[HexId]:
        """Return the hexes next to a fighting unit in good order (10.3)."""
        return _around(self._map, self._with(_STEADY))

    @cached_property
    def guarded(self) -> frozenset[HexId]:
        """Return the hexes in or next to which there is a gunboat (8.21)."""
        moored = self._with(_GUNBOAT)
        return moored | _around(self._map, moored)

    def _with(self, mark: int) -> frozenset[HexId]:
        """Return the hexes with a unit of this mark."""
        hexes = self._hexes_by_mark.get(mark)
        if hexes is None:
            hexes = frozenset([hex_id for hex_id, marks in self._marks.items() if marks & mark])
            self._hexes_by_mark[mark] = hexes
        return hexes


class Board:
    """Index of the units by side and hex. Lists are in the order of the units' numbers."""

    def __init__(self, state: State, units: list[Unit], forces: Mapping[Side, Forces]) -> None:
        self._state = state
        self._map = chart(state)
        self.units = units
        self.forces = forces
        # What readers of the position work out about it, by their own keys.
        self.worked_out: dict[object, object] = {}

    def stack(self, side: Side, hex_id: HexId) -> list[Unit]:
        """Return every unit of that side in the hex, leaders and craft included."""
        return self.forces[side].stacks.get(hex_id, [])

    def land(self, side: Side, hex_id: HexId) -> list[Unit]:
        """Return the land units of that side in the hex: no leaders, craft or fleet."""
        return [unit for unit in self.stack(side, hex_id) if is_land(unit)]

    def hexes(self, side: Side) -> list[HexId]:
        """Return the hexes that hold any unit of that side, in the order of the map's numbers."""
        return self.forces[side].hexes

    @cached_property
    def occupied(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes each side holds with land units."""
        return {side: forces.occupied for side, forces in self.forces.items()}

    @cached_property
    def bridged(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes where each side has a boat or gunboat to cross by (8.21)."""
        return {side: forces.bridged for side, forces in self.forces.items()}

    @cached_property
    def invested(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes next to a fighting land unit of each side, disrupted or not (9.12)."""
        return {side: forces.invested for side, forces in self.forces.items()}

    @cached_property
    def pressed(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes next to a good-order fighting unit of each side (10.3)."""
        return {side: forces.pressed for side, forces in self.forces.items()}

    @cached_property
    def guarded(self) -> dict[Side, frozenset[HexId]]:
        """Return the hexes in or next to which each side has a gunboat (8.21)."""
        return {side: forces.guarded for side, forces in self.forces.items()}

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


def _board(state: State) -> Board:
    """Return the board of this state, without another to begin from."""
    ground, units = chart(state), _roster(state)
    stacks_by_side: dict[Side, _Stacks] = {side: {} for side in Side}
    egyptians, mahdists = stacks_by_side[Side.EGYPTIAN], stacks_by_side[Side.MAHDIST]
    mahdist, off_map = Nation.MAHDIST, OFF_MAP
    for unit in units:
        hex_id = unit.hex
        if hex_id != off_map:
            stacks = mahdists if unit.nation is mahdist else egyptians
            if hex_id in stacks:
                stacks[hex_id].append(unit)
            else:
                stacks[hex_id] = [unit]
    forces = {
        side: Forces(ground, stacks, {hex_id: _marks_of(stack) for hex_id, stack in stacks.items()})
        for side, stacks in stacks_by_side.items()
    }
    return Board(state, units, forces)


def _roster(state: State) -> list[Unit]:
    return [state.units[unit_id] for unit_id in sorted(state.units)]


class _Changes:
    """The changes since a board was made: the hexes, and the units that have been in them."""

    def __init__(self, former: Board) -> None:
        self._former = former
        self._hexes: dict[Side, set[HexId]] = {side: set() for side in Side}
        self._units: dict[UnitId, Unit] = {}
        self._roster = False

    def note(self, units: Iterable[Unit], roster: bool) -> None:
        """Note units before they change, or after they have arrived."""
        for unit in units:
            self._hexes[unit.side].add(unit.hex)
            self._units[unit.id] = unit
        self._roster = self._roster or roster

    def made(self, state: State) -> Board:
        """Return the board after the changes."""
        for unit in self._units.values():
            self._hexes[unit.side].add(unit.hex)
        forces = {
            side: self._forces(state, side, hexes - {OFF_MAP})
            for side, hexes in self._hexes.items()
        }
        return Board(state, _roster(state) if self._roster else self._former.units, forces)

    def _forces(self, state: State, side: Side, hexes: set[HexId]) -> Forces:
        forces = self._former.forces[side]
        if not hexes:
            return forces
        changed = self._units.values()
        stacks: _Stacks = {}
        for hex_id in hexes:
            units = {unit.id: unit for unit in forces.stacks.get(hex_id, ())}
            units |= {unit.id: unit for unit in changed if unit.hex == hex_id and unit.side is side}
            stacks[hex_id] = [
                units[unit_id]
                for unit_id in sorted(units)
                if units[unit_id].hex == hex_id and state.units.get(unit_id) is units[unit_id]
            ]
        return forces.with_stacks(stacks)


def _marks_of(stack: Iterable[Unit]) -> int:
    """Return the marks of all units of a stack, in one integer."""
    all_marks = 0
    for unit in stack:
        marks = _MARKS[unit.kind]
        all_marks |= marks | _STEADY if marks & _FIGHTING and not unit.disrupted else marks
    return all_marks


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
