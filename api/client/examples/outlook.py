"""A player's judgement of the state: strengths, threats and the value of places.

It serves order sheets and live play. It is simple: go for the best value for the distance, leave a
guard in towns, attack only when clearly stronger, otherwise stay away.
"""

from collections import defaultdict
from collections.abc import Iterable

from api.client.documents import StateDocument, UnitPart
from api.client.examples.ground import FAR, Ground

SIZES = {"a handful": 3, "a body": 8, "a force": 16, "a host": 28}
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


class Outlook:
    """The view of one state by one side."""

    def __init__(self, ground: Ground, state: StateDocument, side: str) -> None:
        self.ground = ground
        self.side = side
        self.units = {one.id: one for one in state.units}
        self.own = _by_hex(one for one in state.units if one.side == side)
        self.held = {int(one.at.hex) for one in state.control if one.side == side}
        self.lost = {int(one.at.hex) for one in state.control if one.side != side}
        self.shut_in = {int(one.at.hex) for one in state.sieges if one.side == side}
        self.enemy = self._enemies(state)

    def _enemies(self, state: StateDocument) -> dict[int, float]:
        """Return the assumed strength of the enemy by hex."""
        found: dict[int, float] = defaultdict(float)
        for stack in state.stacks:
            if stack.side != self.side:
                found[int(stack.at.hex)] += stack.strength
        for seen in state.sightings:
            if seen.now and seen.side != self.side:
                found[int(seen.at.hex)] = max(found[int(seen.at.hex)], SIZES[seen.size])
        return dict(found)

    def power(self, units: Iterable[int]) -> float:
        """Return the fighting strength of these units; disrupted ones count half."""
        known = (self.units[one] for one in units if one in self.units)
        return sum(one.strength / (2 if one.disrupted else 1) for one in known)

    def threat(self, here: int) -> float:
        """Return the strength of the enemy next to a hex."""
        return sum(self.enemy.get(near, 0) for near in self.ground.beside.get(here, ()))

    def beats(self, power: float, target: int) -> bool:
        """Return whether this strength justifies an attack on that hex."""
        return power >= WANTED * self.enemy.get(target, 0) and power > 0

    def column(self, here: int, units: Iterable[int]) -> tuple[int, ...]:
        """Return the units of a stack that may leave; the weakest guard a place of ours."""
        mine = [self.units[one] for one in units if one in self.units]
        if here not in self.held and here not in self.ground.places:
            return tuple(one.id for one in mine)
        fighters = sorted((one for one in mine if one.strength), key=_by_worth)
        stay = {one.id for one in fighters[:GUARD]}
        return tuple(one.id for one in mine if one.id not in stay)

    def goal(self, here: int, units: Iterable[int]) -> int | None:
        """Return the hex to which these units should go; None if they should stay."""
        power = self.power(units)
        if not power:
            return None
        if self.threat(here) > power and here not in self.held:
            return self._refuge(here)
        worth = {hex_id: self._worth(here, hex_id, power) for hex_id in self.lost | self.shut_in}
        best = max(worth, key=lambda hex_id: (worth[hex_id], -hex_id), default=None)
        if best is None or not worth[best]:
            return None
        stands_before_it = self.ground.steps(here, best) == 1 and best in self.lost
        return None if stands_before_it and not self.beats(power, best) else best

    def _worth(self, here: int, there: int, power: float) -> float:
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

    def _refuge(self, here: int) -> int | None:
        """Return the nearest place of ours without an enemy next to it."""
        safe = [one for one in self.held if one != here and not self.threat(one)]
        steps = {one: self.ground.steps(here, one) for one in safe}
        best = min(steps, key=lambda one: (steps[one], one), default=None)
        return best if best is not None and steps[best] < FAR else None


def _by_hex(units: Iterable[UnitPart]) -> dict[int, list[UnitPart]]:
    found: dict[int, list[UnitPart]] = defaultdict(list)
    for one in units:
        if one.hex is not None:
            found[int(one.hex)].append(one)
    return dict(found)


def _by_worth(unit: UnitPart) -> tuple[int, int]:
    return (0 if unit.disrupted else unit.strength, unit.id)
