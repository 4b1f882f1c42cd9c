"""A player's judgement of the state: distances, strengths, threats and the value of places.

It serves order sheets and live play. It is simple: go for the best value for the distance, leave a
guard in towns, attack only when clearly stronger, otherwise stay away.
"""

from collections import defaultdict, deque
from collections.abc import Iterable

from sirdar_client.models import MapDocument, StateDocument, UnitPart

AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
FAR = 10_000

SIZES = {"a_handful": 3, "a_body": 8, "a_force": 16, "a_host": 28}
"""The assumed strength of a sighted stack, in strength points."""
PRIZES = {"Khartoum": 12.0, "El Obeid": 6.0, "Souakim": 5.0, "Berber": 4.0, "Dongola": 4.0}
USUAL = 1.5
"""The value of any other place."""
RELIEF = 10.0
"""The value of relieving a besieged place of ours."""
WANTED = 1.5
"""The superiority that an attack needs."""
STANDS = 0.8
"""The superiority that a siege needs."""
GUARD = 1
"""The units that stay in a place of ours."""
TOO_FAR = 14
"""The steps beyond which no goal is worth a march."""


class Ground:
    """The map as a graph of hexes, with distances in steps."""

    def __init__(self, chart: MapDocument) -> None:
        closed = set(chart.closed_hexes)
        open_cells = {
            (cell.q, cell.r): cell.hex_ for cell in chart.cells if cell.hex_ not in closed
        }
        self.beside = {
            here: [
                open_cells[q + dq, r + dr] for dq, dr in AROUND if (q + dq, r + dr) in open_cells
            ]
            for (q, r), here in open_cells.items()
        }
        self.places = {place.hex_: place.name for place in chart.named_places}
        self._distances: dict[str, dict[str, int]] = {}

    def steps(self, start: str, end: str) -> int:
        """Return the number of hexes from one to the other; FAR if there is no way."""
        if end not in self._distances:
            self._distances[end] = self._distances_to(end)
        return self._distances[end].get(start, FAR)

    def _distances_to(self, end: str) -> dict[str, int]:
        found, queue = {end: 0}, deque([end])
        while queue:
            here = queue.popleft()
            for near in self.beside.get(here, ()):
                if near not in found:
                    found[near] = found[here] + 1
                    queue.append(near)
        return found


class Outlook:
    """The view of one state by one side."""

    def __init__(self, ground: Ground, state: StateDocument, side: str) -> None:
        self.ground = ground
        self.side = side
        self.units = {unit.id: unit for unit in state.units}
        self.own: dict[str, list[UnitPart]] = defaultdict(list)
        for unit in state.units:
            if unit.side == side and unit.hex_ is not None:
                self.own[unit.hex_].append(unit)
        self.held = {place.location.hex_ for place in state.control if place.side == side}
        self.lost = {place.location.hex_ for place in state.control if place.side != side}
        self.shut_in = {siege.location.hex_ for siege in state.sieges if siege.side == side}
        self.enemy = self._enemies(state)

    def _enemies(self, state: StateDocument) -> dict[str, float]:
        """Return the assumed strength of the enemy by hex."""
        found: dict[str, float] = defaultdict(float)
        for stack in state.stacks:
            if stack.side != self.side:
                found[stack.location.hex_] += stack.strength_points
        for seen in state.sightings:
            if seen.current and seen.side != self.side:
                here = seen.location.hex_
                found[here] = max(found[here], SIZES[seen.stack_size])
        return dict(found)

    def power(self, units: Iterable[int]) -> float:
        """Return the fighting strength of these units; disrupted ones count half."""
        known = (self.units[number] for number in units if number in self.units)
        return sum(unit.strength_points / (2 if unit.disrupted else 1) for unit in known)

    def friends(self, here: str) -> float:
        """Return the fighting strength of our units in a hex."""
        return self.power(unit.id for unit in self.own.get(here, ()))

    def threat(self, here: str) -> float:
        """Return the strength of the enemy next to a hex."""
        return sum(self.enemy.get(near, 0) for near in self.ground.beside.get(here, ()))

    def target(self, near: Iterable[str], units: Iterable[int]) -> str | None:
        """Return the weakest of these hexes with enemies that the units should attack."""
        power = self.power(units)
        found = [here for here in near if self.enemy.get(here) and self.beats(power, here)]
        return min(found, key=lambda here: (self.enemy[here], here), default=None)

    def beats(self, power: float, target: str) -> bool:
        """Return whether this strength justifies an attack on that hex."""
        return power >= WANTED * self.enemy.get(target, 0) and power > 0

    def column(self, here: str, units: Iterable[int]) -> list[int]:
        """Return the units of a stack that may leave; the weakest guard a place of ours."""
        mine = [self.units[number] for number in units if number in self.units]
        if here not in self.held and here not in self.ground.places:
            return [unit.id for unit in mine]
        fighters = sorted(
            (unit for unit in mine if unit.strength_points),
            key=lambda unit: (0 if unit.disrupted else unit.strength_points, unit.id),
        )
        stay = {unit.id for unit in fighters[:GUARD]}
        return [unit.id for unit in mine if unit.id not in stay]

    def goal(self, here: str, units: Iterable[int]) -> str | None:
        """Return the hex to which these units should go; None if they should stay."""
        power = self.power(units)
        if not power:
            return None
        if self.threat(here) > power and here not in self.held:
            return self._refuge(here)
        worth = {there: self._worth(here, there, power) for there in self.lost | self.shut_in}
        best = max(sorted(worth), key=lambda there: worth[there], default=None)
        if best is None or not worth[best]:
            return None
        stands_before_it = self.ground.steps(here, best) == 1 and best in self.lost
        return None if stands_before_it and not self.beats(power, best) else best

    def _worth(self, here: str, there: str, power: float) -> float:
        """Return the value of going there for the distance; 0 if it is too strong or too far.

        A place that is too strong to storm counts half: it can be besieged.
        """
        steps = self.ground.steps(here, there)
        against = max(self.enemy.get(there, 0), self.threat(there) / 2)
        if here == there or steps > TOO_FAR or power < STANDS * against:
            return 0.0
        prize = PRIZES.get(self.ground.places.get(there, ""), USUAL)
        gain = prize if power >= WANTED * against else prize / 2
        return (gain + (RELIEF if there in self.shut_in else 0)) / (steps + 2)

    def _refuge(self, here: str) -> str | None:
        """Return the nearest place of ours without an enemy next to it."""
        safe = [there for there in self.held if there != here and not self.threat(there)]
        steps = {there: self.ground.steps(here, there) for there in safe}
        best = min(steps, key=lambda there: (steps[there], there), default=None)
        return best if best is not None and steps[best] < FAR else None
