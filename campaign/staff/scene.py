"""The position as a staff officer looks at it: where the fighters are, what threatens what."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from campaign.rules.board import Board, board, chart, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.pieces import CANNOT_MELEE, RIVER_CRAFT, Kind, Nation, Side, UnitId
from campaign.rules.stacking import counted, fire_factor, melee_factor
from campaign.rules.state import State, Unit
from campaign.staff.distances import Field, distances
from campaign.staff.thirst import thirst


def scene(state: State, side: Side) -> "Scene":
    """What that side's staff makes of the position; worked out once until a unit moves."""
    known: dict[Side, Scene] = board(state).__dict__.setdefault("scenes", {})
    if side not in known:
        known[side] = Scene(state, side)
    return known[side]


class Scene:
    """One side's view. Nothing in it depends on who has marched already."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.board: Board = board(state)
        self.ground: Map = chart(state)
        self.law: Book = laws(state)

    @cached_property
    def hosts(self) -> dict[HexId, list[Unit]]:
        """The fighters of this side by hex."""
        return _hosts(self.board, self.side)

    @cached_property
    def foes(self) -> dict[HexId, list[Unit]]:
        """The fighters of the enemy by hex."""
        return _hosts(self.board, self.side.enemy)

    @cached_property
    def foe_power(self) -> dict[HexId, float]:
        """What the enemy in each hex is worth in a fight."""
        return {hex_id: power(self.law, units) for hex_id, units in self.foes.items()}

    @cached_property
    def own_power(self) -> dict[HexId, float]:
        """What this side's fighters in each hex are worth in a fight."""
        return {hex_id: power(self.law, units) for hex_id, units in self.hosts.items()}

    def power_at(self, hex_id: HexId) -> float:
        """What the enemy in this hex is worth in a fight."""
        return self.foe_power.get(hex_id, 0)

    def threat(self, hex_id: HexId, radius: int) -> float:
        """What all enemies within so many hexes are worth in a fight."""
        return self._within(self.foe_power, hex_id, radius)

    def support(self, hex_id: HexId, radius: int) -> float:
        """What this side's fighters within so many hexes are worth in a fight."""
        return self._within(self.own_power, hex_id, radius)

    def _within(self, powers: dict[HexId, float], hex_id: HexId, radius: int) -> float:
        far = self.ground.distance
        return sum(worth for there, worth in powers.items() if far(hex_id, there) <= radius)

    def way_to(self, *goals: HexId) -> Field:
        """Points from every hex to the nearest of these goals, round the enemy's gunboats."""
        return distances(self.state, frozenset(goals), self.board.guarded[self.side.enemy])

    def thirst(self, hex_id: HexId, size: int) -> float:
        """Units that a stack of this size here may expect to lose to thirst."""
        return thirst(self.state, self.side, hex_id, size)

    def besieged(self, hex_id: HexId) -> bool:
        """Whether this side's place here is under siege."""
        return self.board.besieged(self.side, hex_id)

    def besiegers(self, hex_id: HexId) -> list[HexId]:
        """The hexes beside it with enemies in good order that can fight."""
        return [
            near
            for near in self.ground.neighbours[hex_id]
            if any(not unit.disrupted for unit in self.foes.get(near, ()))
        ]

    def doorsteps(self, hex_id: HexId) -> list[HexId]:
        """The land beside a hex from which it can be attacked: on its own bank."""
        return [
            near
            for near in self.ground.neighbours[hex_id]
            if (near, hex_id) not in self.ground.sides and not self.ground.hexes[near].sea
        ]

    def holds(self, name: str) -> bool:
        """Whether the place of that name is this side's."""
        return self.board.holds(self.side, self.hex(name))

    def hex(self, name: str) -> HexId:
        """The hex of a place."""
        return self.ground.place(name).hex

    def origin(self, unit: Unit) -> HexId:
        """Where the unit began the march it is on; else where it stands."""
        march = self.state.march
        return march.route[0] if march and unit.id in march.units else unit.hex


def _hosts(position: Board, side: Side) -> dict[HexId, list[Unit]]:
    found = {}
    for hex_id in position.hexes(side):
        host = [unit for unit in position.stack(side, hex_id) if is_fighter(unit)]
        if host:
            found[hex_id] = host
    return found


def is_fighter(unit: Unit) -> bool:
    """Whether the unit can melee: neither train, civilians, leader nor craft."""
    return unit.kind not in CANNOT_MELEE and unit.kind is not Kind.CIVILIANS


def is_british(unit: Unit) -> bool:
    """Whether thirst may not touch the unit (4.2): troops from Britain, not their train."""
    return unit.nation is Nation.BRITISH and is_fighter(unit)


def marchers(units: Iterable[Unit]) -> list[Unit]:
    """The units that go by land: everything but craft and the fleet."""
    return [unit for unit in units if unit.kind not in RIVER_CRAFT and unit.kind is not Kind.FLEET]


def power(law: Book, units: Sequence[Unit]) -> float:
    """Fire and melee factors together, half for the disrupted."""
    return sum(fire_factor(law, unit) + melee_factor(law, unit) for unit in units)


def named(units: Iterable[Unit], kind: Kind) -> list[Unit]:
    """The units of that kind."""
    return [unit for unit in units if unit.kind is kind]


def ids(units: Iterable[Unit]) -> tuple[UnitId, ...]:
    """The units' numbers, in order."""
    return tuple(sorted(unit.id for unit in units))


def size(units: Iterable[Unit]) -> int:
    """Units that count for thirst: civilians double (10.2)."""
    return sum(2 if unit.kind is Kind.CIVILIANS else 1 for unit in counted(units))
