"""Exact odds of a voyage: hulls wrecked on the way, and the chance to arrive (8.23).

The way is followed hex by hex as the rules do. Hulls of one kind and nation are alike, so the state
of a fleet is the kinds still afloat, in the order in which they throw. A retreat of craft with a
beaten stack is here too (8.23 II and IV, 9.8).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple, TypeVar

import msgspec

from battles.contract.brief import RIVER_CRAFT
from campaign.rules.combat.retreat import can_go, retreat_of
from campaign.rules.core import actions as a
from campaign.rules.core.board import chart, laws
from campaign.rules.core.state import InForce, MarchUnderWay, State, Unit, current_march
from campaign.rules.effects_in_force import reroll_for, used_once
from campaign.rules.map import HexId, Nav, RiverMove
from campaign.rules.march.arrival import dangers
from campaign.rules.march.fleet import allowance_of, one_of_each, wreck_modifiers
from campaign.rules.march.river import NOT_ROLLED, VoyageCourse, course_of, river_step, water_of
from campaign.rules.stacks import countable_units, ids

WRECK_FACES = range(1, 7)
Retreating = Callable[[State], a.AnyAction]
"""A side's answer to the question where its beaten stack goes (9.8)."""
Forces = tuple[InForce, ...]


@dataclass(frozen=True, eq=False)
class Homeward:
    """The way back of a stack that came by water, and the answer how far it goes.

    `state` is the state before the combat, with the enemy at full strength.
    """

    state: State
    units: tuple[Unit, ...]
    retreating: Retreating

    def wrecked(self, left: Sequence[Unit]) -> tuple[float, ...]:
        """Return the chances that 0, 1, 2 and so on of the hulls are wrecked in a retreat.

        Without any hull 0 is certain.
        """
        hulls = [unit for unit in left if unit.kind in RIVER_CRAFT]
        way = self._way(left) if hulls and countable_units(left) else ()
        perils = len(dangers(self.state, left[0].side, way)) if len(way) > 1 else 0
        if not perils:
            return (1.0,)
        moved_hulls = [msgspec.structs.replace(hull, hex=way[-1]) for hull in hulls]
        return _wrecks(self.state, moved_hulls, perils)

    def _way(self, left: Sequence[Unit]) -> tuple[HexId, ...]:
        """Return the hexes of the retreat, from that of the combat on."""
        gone = set(ids(self.units))
        units = {n: unit for n, unit in self.state.units.items() if n not in gone}
        march = msgspec.structs.replace(current_march(self.state), units=list(ids(left)))
        units |= {unit.id: unit for unit in left}
        state = msgspec.structs.replace(self.state, units=units, march=march)
        back = tuple(reversed(march.route[:-1]))
        question = retreat_of(state, left[0].side, march.route[-1], left, back)
        if not can_go(state, question, is_bound=True):
            return ()
        state.question = question
        answer = self.retreating(state)
        path = answer.path if isinstance(answer, a.Retreat) else ()
        return (march.route[-1], *path)


def _wrecks(state: State, hulls: Sequence[Unit], perils: int) -> tuple[float, ...]:
    """Return the chances of wrecks: each hull runs all dangers until it is wrecked or through."""
    now: dict[tuple[int, Forces], float] = {(0, tuple(state.in_force)): 1.0}
    for hull in hulls:
        after: dict[tuple[int, Forces], float] = {}
        for (sunk, forces), chance in now.items():
            for (is_wrecked, left), often in retreat_losses(state, hull, perils, forces).items():
                key = sunk + is_wrecked, left
                after[key] = after.get(key, 0.0) + chance * often
        now = after
    chances = [0.0] * (len(hulls) + 1)
    for (sunk, _), chance in now.items():
        chances[sunk] += chance
    return tuple(chances)


def retreat_losses(
    state: State, hull: Unit, perils: int, forces: Forces
) -> dict[tuple[bool, Forces], float]:
    """Return the chances that `perils` dangers wreck the hull, with the events then in force.

    An event in force may allow the next hull another roll.
    """
    wreck = _chance(state, hull)
    chances: dict[tuple[bool, Forces], float] = {}
    afloat = {forces: 1.0}
    for _ in range(perils):
        through: dict[Forces, float] = {}
        for in_force, chance in afloat.items():
            through[in_force] = through.get(in_force, 0.0) + chance * (1 - wreck)
            left = _use_reroll(in_force, hull)
            sinks = chance * wreck * (wreck if left is not None else 1.0)
            key = True, in_force if left is None else left
            chances[key] = chances.get(key, 0.0) + sinks
            if left is not None:
                through[left] = through.get(left, 0.0) + chance * wreck - sinks
        afloat = through
    return chances | {(False, in_force): chance for in_force, chance in afloat.items()}


def _use_reroll(forces: Forces, hull: Unit) -> Forces | None:
    """Return the events left once the hull has rolled again; None if no event allows it."""
    place = reroll_for(forces, hull)
    if place is None:
        return None
    left = used_once(forces[place])
    rest = forces[:place] + forces[place + 1 :]
    return rest if left is None else (*rest, left)


def _chance(state: State, hull: Unit) -> float:
    """Return the chance that one danger wrecks the hull."""
    row = laws(state).wreck(hull.kind, hull.nation)
    change = sum(modifier.value for modifier in wreck_modifiers(state, hull))
    throws = [sum(dice) + change for dice in product(WRECK_FACES, repeat=row.dice)]
    return sum(total >= row.wrecked_from for total in throws) / len(throws)


FACES = range(1, 7)
K = TypeVar("K")
REACH = "unnavigable water"


class VoyageOutcome(NamedTuple):
    """The result of a voyage: the hulls wrecked, and whether any arrived."""

    wrecked: int
    arrived: bool


class VoyageOdds(NamedTuple):
    """The chance of every result of a voyage with `hulls` hulls.

    `perils` are the cataracts on the way, and "unnavigable water" where it leads over any. `to` is
    its goal.
    """

    hulls: int
    to: HexId
    perils: tuple[str, ...]
    results: dict[VoyageOutcome, float]

    @property
    def wrecked(self) -> tuple[float, ...]:
        """Return the chances that 0, 1, 2 and so on of the hulls are wrecked."""
        chances = [0.0] * (self.hulls + 1)
        for outcome, chance in self.results.items():
            chances[outcome.wrecked] += chance
        return tuple(chances)

    @property
    def wreck(self) -> float:
        """Return the chance that one hull or more is wrecked."""
        return sum(chance for outcome, chance in self.results.items() if outcome.wrecked)

    @property
    def arrives(self) -> float:
        """Return the chance that one hull or more arrives."""
        return sum(chance for outcome, chance in self.results.items() if outcome.arrived)


class _Afloat(NamedTuple):
    """The hulls left by their kinds, the events in force, and the hexes the dice still allow."""

    hulls: tuple[int, ...]
    forces: Forces
    course: VoyageCourse


_Now = dict[_Afloat, float]


def voyage_odds(state: State, units: Sequence[Unit], way: Sequence[HexId]) -> VoyageOdds:
    """Return the odds of a voyage by these units, their hulls among them, along that way (8.23).

    `state` has their side on the march; the way is one that the rules allow.
    """
    return _Voyage(state, units, way).odds()


class _Voyage:
    """A voyage before it begins."""

    def __init__(self, state: State, units: Sequence[Unit], way: Sequence[HexId]) -> None:
        port = units[0].hex
        if state.march is None:
            state = msgspec.structs.replace(state, march=MarchUnderWay(list(ids(units)), [port]))
        self.state, self.way = state, tuple(way)
        self.hulls = [unit for unit in units if unit.kind in RIVER_CRAFT]
        self.like = one_of_each(self.hulls)
        self.direction = course_of(state, port, way) or 1
        self.port = port
        self.results: dict[VoyageOutcome, float] = {}

    def odds(self) -> VoyageOdds:
        """Return the odds, following the way to its end or to where dice or a cataract stop it."""
        course = VoyageCourse(self.direction, NOT_ROLLED, NOT_ROLLED, 0)
        first = _Afloat(tuple(map(self._kind, self.hulls)), tuple(self.state.in_force), course)
        now: _Now = {first: 1.0}
        position, perils = self.port, list[str]()
        for hex_id in self.way:
            step = river_step(self.state, position, hex_id, self.direction)
            if step is None:
                break
            water = water_of(self.state, step)
            now = self._under_way(now, water, position)
            perils += self._perils(position, step, water)
            cataract = chart(self.state).cataract_at(hex_id)
            if cataract and cataract != chart(self.state).cataract_at(position):
                self.port = hex_id
                now = self._past_dangers(now, hex_id)
            position = hex_id
        self._ends(now, position, arrived=position == self.way[-1])
        return VoyageOdds(len(self.hulls), self.way[-1], tuple(dict.fromkeys(perils)), self.results)

    def _kind(self, hull: Unit) -> int:
        alike = [(other.kind, other.nation) for other in self.like]
        return alike.index((hull.kind, hull.nation))

    def _perils(self, origin: HexId, step: RiverMove, water: Nav) -> Iterator[str]:
        name = chart(self.state).cataract_at(step.to)
        if name and name != chart(self.state).cataract_at(origin):
            yield name
        if water is Nav.UNNAVIGABLE:
            yield REACH

    def _under_way(self, now: _Now, water: Nav, hex_id: HexId) -> _Now:
        """Return the fleets that have a hex of that water left, one hex on; the others end here."""
        further: _Now = {}
        for afloat, chance in now.items():
            for course, often in self._rolled(afloat, water):
                if course.left(water) > 0:
                    _add(further, afloat._replace(course=course.after_a_hex(water)), chance * often)
                else:
                    stopped = afloat._replace(course=course)
                    self._ends({stopped: chance * often}, hex_id, arrived=False)
        return further

    def _rolled(self, afloat: _Afloat, water: Nav) -> Iterable[tuple[VoyageCourse, float]]:
        """Return the course with the hexes allowed on that water rolled, with the chances."""
        if afloat.course.left(water) != NOT_ROLLED:
            return ((afloat.course, 1.0),)
        kinds = sorted(set(afloat.hulls))
        spread = _least([self._allowed(kind, water) for kind in kinds])
        return [(afloat.course.rolled(water, hexes), often) for hexes, often in spread.items()]

    def _allowed(self, kind: int, water: Nav) -> dict[int, float]:
        """Return the chance of each number of hexes for a hull of that kind."""
        hull = msgspec.structs.replace(self.like[kind], hex=self.port)
        allowed = allowance_of(self.state, hull, water, self.direction)
        falls = list(product(FACES, repeat=allowed.dice))
        chances: dict[int, float] = {}
        for fall in falls:
            _add(chances, allowed.hexes(fall), 1 / len(falls))
        return chances

    def _past_dangers(self, now: _Now, hex_id: HexId) -> _Now:
        """Return the fleets left when every hull has thrown; none left ends it (8.23 IV)."""
        left: _Now = {}
        for afloat, chance in now.items():
            for after, often in self._thrown(afloat, hex_id).items():
                if after.hulls:
                    _add(left, after, chance * often)
                else:
                    _add(self.results, VoyageOutcome(len(self.hulls), False), chance * often)
        return left

    def _ends(self, now: _Now, hex_id: HexId, *, arrived: bool) -> None:
        """End the voyage here, after a throw for unnavigable water that was sailed (8.23 II)."""
        for afloat, chance in now.items():
            after = self._thrown(afloat, hex_id) if afloat.course.rough else {afloat: 1.0}
            for left, often in after.items():
                outcome = VoyageOutcome(
                    len(self.hulls) - len(left.hulls), arrived and bool(left.hulls)
                )
                _add(self.results, outcome, chance * often)

    def _thrown(self, afloat: _Afloat, hex_id: HexId) -> _Now:
        """Return the fleets left when each hull has run one danger in that hex."""
        # Hulls of one kind throw alike: compute each kind's danger once.
        one_danger = cache(
            lambda kind, forces: retreat_losses(self.state, self._at(kind, hex_id), 1, forces)
        )
        now: dict[tuple[tuple[int, ...], Forces], float] = {((), afloat.forces): 1.0}
        for kind in afloat.hulls:
            after: dict[tuple[tuple[int, ...], Forces], float] = {}
            for (safe, forces), chance in now.items():
                for (sinks, in_force), often in one_danger(kind, forces).items():
                    _add(after, (safe if sinks else (*safe, kind), in_force), chance * often)
            now = after
        return {
            afloat._replace(hulls=safe, forces=in_force): chance
            for (safe, in_force), chance in now.items()
            if chance
        }

    def _at(self, kind: int, hex_id: HexId) -> Unit:
        return msgspec.structs.replace(self.like[kind], hex=hex_id)


def _least(spreads: Sequence[dict[int, float]]) -> dict[int, float]:
    """Return the chance of each value of the least of several independent throws."""
    spread = spreads[0]
    for other in spreads[1:]:
        least: dict[int, float] = {}
        for value, chance in spread.items():
            for two, often in other.items():
                _add(least, min(value, two), chance * often)
        spread = least
    return spread


def _add(into: dict[K, float], key: K, chance: float) -> None:
    into[key] = into.get(key, 0.0) + chance
