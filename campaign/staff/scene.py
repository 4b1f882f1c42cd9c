"""The position as the staff sees it: fighters, threats, distances, and attrition by thirst.

Distances are movement points from every hex to the nearest of some goals, and cached. Attrition is
the expected loss of a stack where it ends its turn (10.3).
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from battles.contract.brief import CANNOT_MELEE, RIVER_CRAFT, Nation, Quality, Side, TroopKind
from campaign.rules.core.board import Board, Forces, board, chart, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import GroundClass, HexId, Map, PlaceClass, Relief
from campaign.rules.march.reach import lattice_of
from campaign.rules.stacks import countable_units, fire_factor, melee_factor
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.rows import AttritionLine
from campaign.rules.tables.scenario_blocks import PlacesHeld
from campaign.staff.plans import NOBODY, Garrison, PlanObjective, Plans, Task, garrisons, plans_of

if TYPE_CHECKING:
    from campaign.staff.combat_estimate import Storming

FAR = 9_999
"""Points to a goal that cannot be reached by land."""

Field: TypeAlias = "array[int]"
"""Points to the nearest goal, by hex number; a compact array, since many are kept."""


def field_of(spent: NDArray[np.float64]) -> Field:
    """Return the points as whole numbers, FAR where there is no way."""
    points = np.where(np.isfinite(spent), spent, FAR)
    return array("h", points.astype(np.short).tobytes())


def distances(
    state: State, goals: frozenset[HexId], guarded: frozenset[HexId] = frozenset()
) -> Field:
    """Return points from every hex to the nearest goal; units in the way do not matter.

    Rivers are crossed at their full cost, and not at all into or from the hexes that enemy gunboats
    guard (8.21).
    """
    return _distances(chart(state), laws(state), goals, guarded)


@lru_cache(maxsize=512)
def _distances(
    ground: Map, law: CampaignTables, goals: frozenset[HexId], guarded: frozenset[HexId]
) -> Field:
    if not goals:
        return array("h", [FAR]) * (max(ground.hexes) + 1)
    spent = dijkstra(backwards(ground, law, guarded), indices=sorted(goals), min_only=True)
    return field_of(spent)


@lru_cache(maxsize=16)
def backwards(ground: Map, law: CampaignTables, guarded: frozenset[HexId]) -> csr_array:
    """Return the map's graph reversed, so that one search from a goal serves every hex."""
    lattice = lattice_of(ground, law)
    size = len(lattice.pointers) - 1
    watched = np.zeros(size, dtype=np.bool_)
    watched[list(guarded)] = True
    shut = lattice.rivers & (watched[lattice.origins] | watched[lattice.ends])
    costs = lattice.costs + lattice.rivers * law.crossing_cost()
    kept = ~shut
    places = (lattice.ends[kept], lattice.origins[kept])
    return csr_array((costs[kept], places), shape=(size, size))


EXTENSION = "souakim_extension"
_FACES = range(1, 7)


def thirst(state: State, side: Side, hex_id: HexId, size: int) -> float:
    """Return the mean number of `size` units in this hex that are hit without supply."""
    law = laws(state)
    return expected_hits(law, *_roll(state, law, side, hex_id), size)


@lru_cache(maxsize=2_000)
def expected_hits(law: CampaignTables, line: AttritionLine, change: int, size: int) -> float:
    """Return the mean number of `size` units hit on this line, with this modifier."""
    lost = 0
    for face in _FACES:
        spared = law.attrition(line, face + change)
        if spared is None:
            return 0
        lost += max(0, size - spared)
    return lost / len(_FACES)


def _roll(
    state: State, law: CampaignTables, side: Side, hex_id: HexId
) -> tuple[AttritionLine, int]:
    ground = chart(state)
    camp = grounds(ground, law)[hex_id]
    change = camp.harsh
    if law.hot_on_the_coast(state.month) and hex_id in coast(ground):
        change -= 1
    if camp.settled and hex_id in board(state).pressed[side.enemy]:
        return AttritionLine.BESIEGED, change
    return camp.line, change


class Camp:
    """A hex as a camp: its line of the table without a siege, and its modifier."""

    __slots__ = ("harsh", "line", "settled")

    def __init__(self, line: AttritionLine, harsh: int, settled: bool) -> None:
        self.line = line
        self.harsh = harsh
        self.settled = settled


@lru_cache(maxsize=4)
def coast(ground: Map) -> frozenset[HexId]:
    """Return the hexes of the Souakim map extension."""
    return ground.region(EXTENSION)


@lru_cache(maxsize=4)
def grounds(ground: Map, law: CampaignTables) -> dict[HexId, Camp]:
    """Return every land hex as a camp."""
    return {
        hex_id: _camp(ground, law, hex_id)
        for hex_id, field in ground.hexes.items()
        if not field.sea and not field.closed
    }


def _camp(ground: Map, law: CampaignTables, hex_id: HexId) -> Camp:
    field = ground.hexes[hex_id]
    harsh = -1 if field.relief is Relief.MOUNTAIN else 0
    kinds = {ground.places[name].kind for name in field.places[:1]}
    if PlaceClass.TOWN in kinds:
        return Camp(AttritionLine.TOWN, harsh, True)
    if kinds and field.ground is GroundClass.DESERT:
        return Camp(law.line_of_desert_places, harsh, True)
    return Camp(AttritionLine(field.ground.value), harsh, bool(kinds))


def tolls(state: State, side: Side, hex_id: HexId, size: int) -> list[tuple[int, float]]:
    """Return the units lost at each face of the die, with the chance of the face."""
    law = laws(state)
    line, change = _roll(state, law, side, hex_id)
    losses = []
    for face in _FACES:
        spared = law.attrition(line, face + change)
        losses.append((0 if spared is None else max(0, size - spared), 1 / len(_FACES)))
    return losses


def scene(state: State, side: Side, plans: Plans | None = None) -> "StaffScene":
    """Return that side's view of the position, cached until a unit moves.

    Without `plans` it goes by the usual ones of the scenario.
    """
    if plans is None:
        plans = plans_of(state, side)
    scenes = board(state).worked_out
    found = scenes.get((side, plans))
    if not isinstance(found, StaffScene):
        found = scenes[side, plans] = StaffScene(state, side, plans)
    return found


class StaffScene:
    """One side's view of the position. It does not depend on which units have marched already.

    `hosts` are the fighters of the side by hex, `foes` those of the enemy.
    """

    def __init__(self, state: State, side: Side, plans: Plans) -> None:
        self.state = state
        self.side = side
        self.plans = plans
        self.board: Board = board(state)
        self.ground: Map = chart(state)
        self.law: CampaignTables = laws(state)
        self._own = _fighters(self.board.forces[side], self.law)
        self._enemy = _fighters(self.board.forces[side.enemy], self.law)
        self.hosts: dict[HexId, list[Unit]] = self._own.by_hex
        self.foes: dict[HexId, list[Unit]] = self._enemy.by_hex
        self._ways: dict[tuple[HexId, ...], Field] = {}
        # What the planners have worked out for this position.
        self.worths: dict[tuple[object, ...], float] = {}
        self.tasks: dict[tuple[int, ...], dict[HexId, Task]] = {}
        self.aims: list[PlanObjective] | None = None
        self.prey: list[PlanObjective] | None = None
        self.storms: dict[HexId, Storming | None] = {}

    @property
    def foe_power(self) -> dict[HexId, float]:
        """Return the enemy's fighting power in each hex."""
        return self._enemy.power

    @property
    def own_power(self) -> dict[HexId, float]:
        """Return this side's fighting power in each hex."""
        return self._own.power

    @cached_property
    def hexes_by_name(self) -> dict[str, HexId]:
        """Return the hexes of the units that have a name, leaders above all."""
        return {unit.name: unit.hex for unit in reversed(self.board.units) if unit.name}

    def power_at(self, hex_id: HexId) -> float:
        """Return the enemy's fighting power in this hex."""
        return self.foe_power.get(hex_id, 0)

    def threat(self, hex_id: HexId, radius: int) -> float:
        """Return the fighting power of all enemies within `radius` hexes."""
        far = self.ground.distance
        return sum(power for other, power in self.foe_power.items() if far(hex_id, other) <= radius)

    def way_to(self, *goals: HexId) -> Field:
        """Return points from every hex to the nearest of these goals, avoiding enemy gunboats."""
        way = self._ways.get(goals)
        if way is None:
            guarded = self.board.guarded[self.side.enemy]
            way = _distances(self.ground, self.law, frozenset(goals), guarded)
            self._ways[goals] = way
        return way

    def thirst(self, hex_id: HexId, size: int) -> float:
        """Return the mean number of units that a stack of this size loses here to thirst."""
        return thirst(self.state, self.side, hex_id, size)

    def besieged(self, hex_id: HexId) -> bool:
        """Return whether this side's place here is under siege."""
        return self.board.besieged(self.side, hex_id)

    def besiegers(self, hex_id: HexId) -> list[HexId]:
        """Return the hexes beside it with enemies that can fight (9.12)."""
        return [near for near in self.ground.neighbours[hex_id] if self.foes.get(near)]

    def doorsteps(self, hex_id: HexId) -> tuple[HexId, ...]:
        """Return the land hexes on the same bank from which a hex can be attacked."""
        return _doorsteps(self.ground, hex_id)

    def holds(self, name: str) -> bool:
        """Return whether the place of that name is this side's."""
        return self.board.holds(self.side, self.hex(name))

    def hex(self, name: str) -> HexId:
        """Return the hex of a place."""
        return self.ground.place(name).hex

    def garrison(self, hex_id: HexId) -> Garrison:
        """Return the garrison that stays in this hex by the plans; by default nothing stays."""
        return garrisons(self.plans).get(self.ground.hexes[hex_id].place or "", NOBODY)

    @cached_property
    def bars_victory(self) -> bool:
        """Return whether a British unit lost to thirst would bar this side's victory (4.2)."""
        return DRAW_ONLY not in self.state.flags and any(
            isinstance(condition, v.OnlyADraw) and condition.side is self.side
            for condition in scenario_of(self.state).victory
        )

    def origin(self, unit: Unit) -> HexId:
        """Return the hex where the unit began its present march, else where it stands."""
        march = self.state.march
        return march.route[0] if march and unit.id in march.units else unit.hex


@lru_cache(maxsize=512)
def _doorsteps(ground: Map, hex_id: HexId) -> tuple[HexId, ...]:
    return tuple(
        near
        for near in ground.neighbours[hex_id]
        if (near, hex_id) not in ground.sides
        and not (ground.hexes[near].sea or ground.hexes[near].closed)
    )


class _Fighters:
    """The fighters of a side by hex, and their power."""

    def __init__(self, forces: Forces, law: CampaignTables) -> None:
        self._law = law
        self.by_hex: dict[HexId, list[Unit]] = {}
        for hex_id in forces.hexes:
            host = [unit for unit in forces.stacks[hex_id] if is_fighter(unit)]
            if host:
                self.by_hex[hex_id] = host

    @cached_property
    def power(self) -> dict[HexId, float]:
        return {hex_id: power(self._law, units) for hex_id, units in self.by_hex.items()}


def _fighters(forces: Forces, law: CampaignTables) -> _Fighters:
    """Return the fighters of these forces, cached while none of their units moves."""
    found = forces.worked_out.get(_Fighters)
    if not isinstance(found, _Fighters):
        found = forces.worked_out[_Fighters] = _Fighters(forces, law)
    return found


def wins(scene: StaffScene, hex_id: HexId) -> bool:
    """Return whether the side wins the campaign by coming into this place."""
    return any(
        hex_id in map(scene.hex, places) and sum(map(scene.holds, places)) == needed - 1
        for winner, places, needed in map(_to_be_taken, scenario_of(scene.state).victory)
        if winner is scene.side
    )


def is_trap(scene: StaffScene, hex_id: HexId) -> bool:
    """Return whether stronger enemies beside this place besiege all who enter it (9.12).

    Nobody marches out of a siege, so they would be lost for the campaign; unless the place wins it.
    """
    if not scene.ground.hexes[hex_id].place:
        return False
    beside = sum(map(scene.power_at, scene.ground.neighbours[hex_id]))
    return beside > scene.power_at(hex_id) and not wins(scene, hex_id)


def _to_be_taken(condition: v.Condition) -> tuple[Side | None, tuple[str, ...], int]:
    """Return who wins by how many of which places."""
    if isinstance(condition, v.PlaceCaptured):
        return condition.winner, (condition.place,), 1
    return (
        (condition.winner, condition.places, condition.wanted)
        if isinstance(condition, PlacesHeld)
        else (None, (), 0)
    )


def is_fighter(unit: Unit) -> bool:
    """Return whether the unit can melee: neither train, civilians, leader nor craft."""
    return unit.kind not in _NO_FIGHTERS


_NO_FIGHTERS = CANNOT_MELEE | {TroopKind.CIVILIANS}


def is_british(unit: Unit) -> bool:
    """Return whether the unit is a British fighter: its loss to thirst costs the victory (4.2)."""
    return unit.nation is Nation.BRITISH and is_fighter(unit)


def marchers(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that go by land: all but craft and the fleet."""
    return [
        unit for unit in units if unit.kind not in RIVER_CRAFT and unit.kind is not TroopKind.FLEET
    ]


def power(law: CampaignTables, units: Sequence[Unit]) -> float:
    """Return the sum of fire and melee factors, halved for the disrupted."""
    total = 0.0
    for unit in units:
        total += _power(law, unit.kind, unit.nation, unit.strength, unit.disrupted)
    return total


@lru_cache(maxsize=512)
def _power(
    law: CampaignTables, kind: TroopKind, nation: Nation, strength: int, disrupted: bool
) -> float:
    unit = Unit(UnitId(0), kind, nation, Quality.NONE, strength, OFF_MAP, disrupted)
    return fire_factor(law, unit) + melee_factor(law, unit)


def units_of_kind(units: Iterable[Unit], kind: TroopKind) -> list[Unit]:
    """Return the units of that kind."""
    return [unit for unit in units if unit.kind is kind]


def ids(units: Iterable[Unit]) -> tuple[UnitId, ...]:
    """Return the units' numbers, in order."""
    return tuple(sorted(unit.id for unit in units))


def size(units: Iterable[Unit]) -> int:
    """Return the number of units that count for thirst: civilians count double (10.2)."""
    return sum(2 if unit.kind is TroopKind.CIVILIANS else 1 for unit in countable_units(units))
