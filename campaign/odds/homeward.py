"""What the water does to craft that go back with a beaten stack, exactly (8.23 II and IV, 9.8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import msgspec

from campaign.rules import actions as a
from campaign.rules.board import laws
from campaign.rules.combat.retreat import can_go, retreat_of
from campaign.rules.in_force import reroll_for, used_once
from campaign.rules.map import HexId
from campaign.rules.march.flight import dangers
from campaign.rules.march.wrecks import wreck_modifiers
from campaign.rules.pieces import RIVER_CRAFT
from campaign.rules.stacking import counted, ids
from campaign.rules.state import InForce, State, Unit, on_march

FACES = range(1, 7)
Retreating = Callable[[State], a.AnyAction]
"""What a side answers when it is asked where its beaten stack goes (9.8)."""
Forces = tuple[InForce, ...]


@dataclass(frozen=True, eq=False)
class Homeward:
    """The way back of a stack that came by water, and who says how far along it the stack goes.

    `state` is that before the combat, the enemy in it as he came.
    """

    state: State
    units: tuple[Unit, ...]
    retreating: Retreating

    def wrecked(self, left: Sequence[Unit]) -> tuple[float, ...]:
        """The chance that 0, 1, 2 and so on of their hulls are wrecked when these have to go back.

        Without any hull 0 is certain.
        """
        hulls = [unit for unit in left if unit.kind in RIVER_CRAFT]
        way = self._way(left) if hulls and counted(left) else ()
        perils = len(dangers(self.state, left[0].side, way)) if len(way) > 1 else 0
        if not perils:
            return (1.0,)
        there = [msgspec.structs.replace(hull, hex=way[-1]) for hull in hulls]
        return _wrecks(self.state, there, perils)

    def _way(self, left: Sequence[Unit]) -> tuple[HexId, ...]:
        """The hexes it goes through, from that of the combat on."""
        gone = set(ids(self.units))
        units = {n: unit for n, unit in self.state.units.items() if n not in gone}
        march = msgspec.structs.replace(on_march(self.state), units=list(ids(left)))
        units |= {unit.id: unit for unit in left}
        there = msgspec.structs.replace(self.state, units=units, march=march)
        back = tuple(reversed(march.route[:-1]))
        asked = retreat_of(there, left[0].side, march.route[-1], left, back)
        if not can_go(there, asked, is_bound=True):
            return ()
        there.question = asked
        answer = self.retreating(there)
        path = answer.path if isinstance(answer, a.Retreat) else ()
        return (march.route[-1], *path)


def _wrecks(state: State, hulls: Sequence[Unit], perils: int) -> tuple[float, ...]:
    """Hull after hull runs so many dangers, until it is wrecked or through."""
    now: dict[tuple[int, Forces], float] = {(0, tuple(state.in_force)): 1.0}
    for hull in hulls:
        after: dict[tuple[int, Forces], float] = {}
        for (sunk, forces), chance in now.items():
            for (more, left), often in passage(state, hull, perils, forces).items():
                key = sunk + more, left
                after[key] = after.get(key, 0.0) + chance * often
        now = after
    found = [0.0] * (len(hulls) + 1)
    for (sunk, _), chance in now.items():
        found[sunk] += chance
    return tuple(found)


def passage(
    state: State, hull: Unit, perils: int, forces: Forces
) -> dict[tuple[bool, Forces], float]:
    """Return whether the hull is wrecked by so many dangers, and what is then still in force.

    What is in force is what may have a roll of the next hull made again.
    """
    wreck = _chance(state, hull)
    found: dict[tuple[bool, Forces], float] = {}
    afloat = {forces: 1.0}
    for _ in range(perils):
        through: dict[Forces, float] = {}
        for held, chance in afloat.items():
            through[held] = through.get(held, 0.0) + chance * (1 - wreck)
            left = _used(held, hull)
            sinks = chance * wreck * (wreck if left is not None else 1.0)
            key = True, held if left is None else left
            found[key] = found.get(key, 0.0) + sinks
            if left is not None:
                through[left] = through.get(left, 0.0) + chance * wreck - sinks
        afloat = through
    return found | {(False, held): chance for held, chance in afloat.items()}


def _used(forces: Forces, hull: Unit) -> Forces | None:
    """What is in force once the hull's roll was made again; None where nothing saves it."""
    place = reroll_for(forces, hull)
    if place is None:
        return None
    left = used_once(forces[place])
    rest = forces[:place] + forces[place + 1 :]
    return rest if left is None else (*rest, left)


def _chance(state: State, hull: Unit) -> float:
    """The chance that one danger wrecks the hull."""
    row = laws(state).wreck(hull.kind, hull.nation)
    change = sum(one.value for one in wreck_modifiers(state, hull))
    throws = [sum(dice) + change for dice in product(FACES, repeat=row.dice)]
    return sum(total >= row.wrecked_from for total in throws) / len(throws)
