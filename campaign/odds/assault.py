"""Sampled odds of several attacks on one hex, each against what the last has left (9.4 to 9.9).

The number of possible defenders multiplies from one combat to the next, so the course of events is
sampled. Each single combat is exact, and is computed once for every defender that occurs; units
that are alike are interchangeable.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import TroopKind
from campaign.odds.combat import mean_of
from campaign.odds.meeting import CombatPlan, CombatSetup, combat_setup
from campaign.odds.sides import CombatOutcomes, Kept, ends_of, units_left_after_retreat
from campaign.rules.core.board import board, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId

SAMPLES = 25_000
Numbers = NDArray[np.int64]


class Wave(NamedTuple):
    """One attack of several on the same hex: its units, their route and their plan."""

    units: tuple[Unit, ...]
    route: tuple[HexId, ...]
    plan: CombatPlan


class AssaultOdds(NamedTuple):
    """The result of the attacks: the chance that the defender is beaten, and by which first.

    `lost` are the chances that 0, 1, 2 and so on of the defender's units are gone in the end.
    """

    samples: int
    falls: float
    by_wave: tuple[float, ...]
    lost: tuple[float, ...]

    @property
    def error(self) -> float:
        """Return the standard error of `falls`."""
        return sqrt(self.falls * (1 - self.falls) / self.samples)

    @property
    def mean_lost(self) -> float:
        return mean_of(self.lost)


def spend_nothing() -> None:
    """Do nothing: the `spend` of work without a limit."""


class Sampling(NamedTuple):
    """The number of samples, and their seed.

    `spend` is called repeatedly; it may raise an exception to stop the work.
    """

    samples: int = SAMPLES
    seed: int = 1
    spend: Callable[[], None] = spend_nothing


USUAL = Sampling()


class Defence(NamedTuple):
    """The hex that is attacked, and the defender's plan."""

    hex: HexId
    plan: CombatPlan


def assault(
    state: State, waves: Sequence[Wave], defence: Defence, sampling: Sampling = USUAL
) -> AssaultOdds:
    """Return the odds of the waves, one after the other, until the defender is beaten.

    `state` has the attackers' side on the march.
    """
    rng, samples = np.random.default_rng(sampling.seed), sampling.samples
    defenders = tuple(board(state).stack(waves[0].units[0].side.enemy, defence.hex))
    course = _Course(state, defence, defenders, sampling.spend)
    now = np.zeros(samples, np.int64)
    standing = np.ones(samples, bool)
    by_wave = []
    for wave in waves:
        fell = course.attacked(wave, now, standing, rng)
        by_wave.append(float(fell.mean()))
        standing &= ~fell
    men = sum(unit.kind is not TroopKind.LEADER for unit in defenders)
    left = np.array([sum(u.kind is not TroopKind.LEADER for u in units) for units in course.lefts])
    lost = np.bincount(men - left[now], minlength=men + 1) / samples
    return AssaultOdds(samples, float(sum(by_wave)), tuple(by_wave), tuple(map(float, lost)))


class _Course:
    """The states of the defender that have occurred, each with its number."""

    def __init__(
        self,
        state: State,
        defence: Defence,
        initial_units: tuple[Unit, ...],
        spend: Callable[[], None],
    ) -> None:
        self.state, self.defence, self.spend = state, defence, spend
        self.lefts: list[tuple[Unit, ...]] = [initial_units]
        self._numbers: dict[object, int] = {_alike(initial_units): 0}
        self._kept: Kept = {}

    def attacked(
        self, wave: Wave, now: Numbers, standing: NDArray[np.bool_], rng: np.random.Generator
    ) -> NDArray[np.bool_]:
        """Attack in every sample in which the defender stands, and update `now`.

        Returns the samples in which the attack beats the defender.
        """
        fell = np.zeros(len(now), bool)
        for number in np.unique(now[standing]):
            self.spend()
            mask = standing & (now == number)
            after, beaten, chances = self._attack(wave, self.lefts[number])
            drawn = rng.choice(len(chances), int(mask.sum()), p=chances)
            now[mask], fell[mask] = after[drawn], beaten[drawn]
        return fell

    def _attack(
        self, wave: Wave, defenders: tuple[Unit, ...]
    ) -> tuple[Numbers, NDArray[np.bool_], NDArray[np.float64]]:
        """Return each state after the attack: its number, if it is a defeat, its chance."""
        if not defenders:
            number = self._number(())
            return np.array([number]), np.array([True]), np.array([1.0])
        met = self._meeting(wave, defenders)
        ends = ends_of(laws(self.state), met, self._kept)
        attacker_beaten = np.array([end.beaten for end in ends.attacker])
        firm, shaken = _chances(ends, ~attacker_beaten), _chances(ends, attacker_beaten)
        after, beaten = [], []
        for end in ends.defender:
            back = units_left_after_retreat(met.defender, end.units) if end.beaten else end.units
            after += [self._number(back), self._number(end.units)]
            beaten += [end.beaten, False]
        chances = np.array([firm, shaken]).T.ravel()
        return np.array(after), np.array(beaten), chances / chances.sum()

    def _meeting(self, wave: Wave, defenders: tuple[Unit, ...]) -> CombatSetup:
        gone = {unit.id for unit in self.lefts[0]}
        units = {n: unit for n, unit in self.state.units.items() if n not in gone}
        units |= {unit.id: unit for unit in (*wave.units, *defenders)}
        state = msgspec.structs.replace(self.state, units=units)
        plans = wave.plan, self.defence.plan
        return combat_setup(state, wave.units, wave.route, self.defence.hex, plans)

    def _number(self, units: tuple[Unit, ...]) -> int:
        key = _alike(units)
        if key not in self._numbers:
            self._numbers[key] = len(self.lefts)
            self.lefts.append(units)
        return self._numbers[key]


def _chances(ends: CombatOutcomes, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the chance of each end of the defender, in those rows of the attacker's ends."""
    chances: NDArray[np.float64] = ends.chances[rows].sum(axis=0)
    return chances


def _alike(units: Sequence[Unit]) -> tuple[object, ...]:
    """Return a key that is equal for stacks with interchangeable units."""
    return tuple(
        sorted(
            (str(u.kind), str(u.nation), str(u.quality), u.strength, u.disrupted, u.name)
            for u in units
        )
    )
