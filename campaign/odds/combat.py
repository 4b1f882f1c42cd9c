"""Exact odds of a combat, and sampled odds of several attacks on one hex (9.4 to 9.9)."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from campaign.odds.meeting import (
    CombatParty,
    CombatPlan,
    CombatSetup,
    Corps,
    combat_setup,
    taken_by,
)
from campaign.odds.sides import (
    Chances,
    CombatOutcomes,
    Kept,
    SideOutcome,
    count_losses,
    ends_of,
    is_at_bay,
    units_left_after_retreat,
    units_of,
)
from campaign.rules.core.board import board, is_land, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.stacks import keeps_alive
from campaign.rules.tables.book import CampaignTables

# Exact odds of a combat by the campaign's own table (9.4 to 9.9).


class CombatEnding(NamedTuple):
    """One result of a combat. Losses are units, leaders not counted; `won` is the attacker's."""

    won: bool | None
    gone: int
    shaken: int
    enemy_gone: int
    enemy_shaken: int


class LossOdds(NamedTuple):
    """A side's losses: the chances that 0, 1, 2 and so on of `units` are gone or newly disrupted.

    `wiped` is the chance that nobody of it is left on land, `destroyed` that nothing is left that
    keeps a stack alive (4.2: leaders, civilians and craft do not), `at_bay` that it is beaten and
    has no way back (9.8). All of them include the cost of standing at bay.
    """

    units: int
    gone: tuple[float, ...]
    shaken: tuple[float, ...]
    wiped: float
    destroyed: float
    at_bay: float

    @property
    def mean_gone(self) -> float:
        return mean_of(self.gone)

    @property
    def mean_shaken(self) -> float:
        return mean_of(self.shaken)


class CombatOdds(NamedTuple):
    """The exact odds of a combat: the attacker's chances, and the losses of both sides.

    `results` has every possible result with its chance. `taken` are the chances that 0, 1, 2 and so
    on of the guns and rifles destroyed become Mahdist counters (9.9), `wrecked` that so many of the
    attacker's hulls are lost on the way back by water.
    """

    win: float
    lose: float
    draw: float
    attacker: LossOdds
    defender: LossOdds
    results: dict[CombatEnding, float]
    taken: tuple[float, ...]
    wrecked: tuple[float, ...]


def combat_odds(law: CampaignTables, met: CombatSetup) -> CombatOdds:
    """Return the odds of that combat, retreats, wrecks and captures included (9.8, 9.9)."""
    return _combat_odds(law, met)


@lru_cache(maxsize=512)
def _combat_odds(law: CampaignTables, met: CombatSetup) -> CombatOdds:
    return _sum_odds(law, met, ends_of(law, met))


def _sum_odds(law: CampaignTables, met: CombatSetup, ends: CombatOutcomes) -> CombatOdds:
    beaten = [np.array([end.beaten for end in side]) for side in ends[:2]]
    won = ~beaten[0][:, None] & beaten[1][None, :]
    lost = beaten[0][:, None] & ~beaten[1][None, :]
    results: dict[CombatEnding, float] = {}
    mine = _losses_of_ends(met.attacker, ends.attacker)
    theirs = _losses_of_ends(met.defender, ends.defender)
    for outcome, cells, ours, foes in (
        (True, won, mine[0], theirs[1]),
        (False, lost, mine[1], theirs[0]),
        (None, ~(won | lost), mine[0], theirs[0]),
    ):
        for row, column in zip(*np.nonzero(cells & (ends.chances > 0)), strict=True):
            key = CombatEnding(outcome, *ours[row], *foes[column])
            results[key] = results.get(key, 0.0) + float(ends.chances[row, column])
    chances = dict.fromkeys((True, False, None), 0.0)
    for result, chance in results.items():
        chances[result.won] += chance
    taken = _chances_taken(law, met, ends, (won, lost))
    wrecked = _chances_wrecked(met, ends.attacker, (ends.chances * lost).sum(axis=1))
    firm, shaken = (ends.chances * ~lost).sum(axis=1), (ends.chances * lost).sum(axis=1)
    attacker = _toll(
        met.attacker, results, (1, 2), _endings(met.attacker, ends.attacker, firm, shaken)
    )
    firm, shaken = (ends.chances * ~won).sum(axis=0), (ends.chances * won).sum(axis=0)
    defender = _toll(
        met.defender, results, (3, 4), _endings(met.defender, ends.defender, firm, shaken)
    )
    return CombatOdds(
        chances[True],
        chances[False],
        chances[None],
        attacker,
        defender,
        results,
        taken,
        wrecked,
    )


class _Endings(NamedTuple):
    """The chances that a side is wiped out, is destroyed as 4.2 counts it, and stands at bay."""

    wiped: float
    destroyed: float
    at_bay: float


def _endings(corps: Corps, ends: Sequence[SideOutcome], firm: Chances, beaten: Chances) -> _Endings:
    """Return how a side may end; `beaten` are the chances in which it alone is beaten."""
    came = units_of(corps)
    wiped, destroyed, bay = 0.0, 0.0, 0.0
    for end, often, shaken in zip(ends, firm, beaten, strict=True):
        for units, chance in (
            (end.units, often),
            (units_left_after_retreat(corps, end.units), shaken),
        ):
            wiped += float(chance) * (not any(is_land(unit) for unit in units))
            destroyed += float(chance) * _is_destroyed(came, units)
        bay += float(shaken) * is_at_bay(corps, end.units)
    return _Endings(wiped, destroyed, bay)


def _is_destroyed(came: Sequence[Unit], left: Sequence[Unit]) -> bool:
    """Return whether a stack is wiped out as 4.2 counts it; of craft alone, all are sunk (9.8)."""
    if any(is_land(unit) for unit in came):
        return not keeps_alive(left)
    return not any(unit.kind in RIVER_CRAFT for unit in left)


def _chances_taken(
    law: CampaignTables, met: CombatSetup, ends: CombatOutcomes, cells: tuple[Chances, Chances]
) -> tuple[float, ...]:
    """Return the chances that 0, 1, 2 and so on of the guns and rifles destroyed are taken."""
    attacker, defender = (
        CombatParty(units_of(corps), [end.units for end in found])
        for corps, found in ((met.attacker, ends.attacker), (met.defender, ends.defender))
    )
    if attacker.came[0].side is Side.MAHDIST:
        found = taken_by(law, met.spare, attacker, defender, ends.chances * cells[0])
    else:
        found = taken_by(law, met.spare, defender, attacker, (ends.chances * cells[1]).T)
    spread: dict[int, float] = {}
    for one, chance in (pair for taken in found for pair in taken.items()):
        spread[sum(one)] = spread.get(sum(one), 0.0) + chance
    return _whole(spread)


def _chances_wrecked(
    met: CombatSetup, ends: Sequence[SideOutcome], beaten: Chances
) -> tuple[float, ...]:
    """Return the chances that 0, 1, 2 and so on of the hulls are wrecked on the way back.

    `beaten` is the chance of each end.
    """
    spread: dict[int, float] = {}
    for end, chance in zip(ends, beaten, strict=True):
        if met.home is None or not chance:
            continue
        for number, often in enumerate(met.home.wrecked(end.units)):
            spread[number] = spread.get(number, 0.0) + float(chance) * often
    return _whole(spread)


def _whole(spread: Mapping[int, float]) -> tuple[float, ...]:
    """Return the chances of 0, 1, 2 and so on; the rest of the probability goes to 0."""
    rest = 1 - sum(chance for number, chance in spread.items() if number)
    return (rest, *(spread.get(number, 0.0) for number in range(1, max(spread, default=0) + 1)))


def _losses_of_ends(corps: Corps, ends: Sequence[SideOutcome]) -> tuple[list[tuple[int, int]], ...]:
    """Return the losses of each end, without and with a retreat or stand at bay (9.8)."""
    plain = [(end.gone, end.shaken) for end in ends]
    if not any(corps.cornered):
        return plain, plain
    came = units_of(corps)
    before = {unit.id for unit in came if unit.disrupted}
    return plain, [
        count_losses(came, units_left_after_retreat(corps, end.units), before) for end in ends
    ]


def _toll(
    corps: Corps, results: dict[CombatEnding, float], fields: tuple[int, int], endings: _Endings
) -> LossOdds:
    size = sum(one[1] is not TroopKind.LEADER for one in corps.units)
    spreads = [[0.0] * (size + 1) for _ in fields]
    for result, chance in results.items():
        for spread, field in zip(spreads, fields, strict=True):
            spread[result[field] or 0] += chance
    return LossOdds(size, tuple(spreads[0]), tuple(spreads[1]), *endings)


def mean_of(spread: Sequence[float]) -> float:
    """Return the mean of a distribution over 0, 1, 2 and so on."""
    return sum(number * chance for number, chance in enumerate(spread))


# Sample several attacks on the same hex, each against what the last has left.
#
# The number of possible defenders multiplies from one combat to the next, so the course of events
# is sampled. Each single combat is exact, and is computed once for every defender that occurs;
# units that are alike are interchangeable.


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
    state: State,
    waves: Sequence[Wave],
    defence: Defence,
    sampling: Sampling = USUAL,
) -> AssaultOdds:
    """Return the odds of the waves, one after the other, until the defender is beaten.

    `state` has the attackers' side on the march.
    """
    rng, samples = np.random.default_rng(sampling.seed), sampling.samples
    came = tuple(board(state).stack(waves[0].units[0].side.enemy, defence.hex))
    course = _Course(state, defence, came, sampling.spend)
    now = np.zeros(samples, np.int64)
    standing = np.ones(samples, bool)
    by_wave = []
    for wave in waves:
        fell = course.attacked(wave, now, standing, rng)
        by_wave.append(float(fell.mean()))
        standing &= ~fell
    men = sum(unit.kind is not TroopKind.LEADER for unit in came)
    left = np.array([sum(u.kind is not TroopKind.LEADER for u in units) for units in course.lefts])
    lost = np.bincount(men - left[now], minlength=men + 1) / samples
    return AssaultOdds(samples, float(sum(by_wave)), tuple(by_wave), tuple(map(float, lost)))


class _Course:
    """The states of the defender that have occurred, each with its number."""

    def __init__(
        self, state: State, defence: Defence, came: tuple[Unit, ...], spend: Callable[[], None]
    ) -> None:
        self.state, self.defence, self.spend = state, defence, spend
        self.lefts: list[tuple[Unit, ...]] = [came]
        self._numbers: dict[object, int] = {_alike(came): 0}
        self._kept: Kept = {}

    def attacked(
        self,
        wave: Wave,
        now: Numbers,
        standing: NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> NDArray[np.bool_]:
        """Attack in every sample in which the defender stands, and update `now`.

        Returns the samples in which the attack beats the defender.
        """
        fell = np.zeros(len(now), bool)
        for number in np.unique(now[standing]):
            self.spend()
            here = standing & (now == number)
            after, beaten, chances = self._attack(wave, self.lefts[number])
            drawn = rng.choice(len(chances), int(here.sum()), p=chances)
            now[here], fell[here] = after[drawn], beaten[drawn]
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
        held = np.array([end.beaten for end in ends.attacker])
        firm, shaken = _chances(ends, ~held), _chances(ends, held)
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
        there = msgspec.structs.replace(self.state, units=units)
        plans = wave.plan, self.defence.plan
        return combat_setup(there, wave.units, wave.route, self.defence.hex, plans)

    def _number(self, units: tuple[Unit, ...]) -> int:
        key = _alike(units)
        if key not in self._numbers:
            self._numbers[key] = len(self.lefts)
            self.lefts.append(units)
        return self._numbers[key]


def _chances(ends: CombatOutcomes, rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the chance of each end of the defender, in those rows of the attacker's ends."""
    found: NDArray[np.float64] = ends.chances[rows].sum(axis=0)
    return found


def _alike(units: Sequence[Unit]) -> tuple[object, ...]:
    """Return a key that is equal for stacks with interchangeable units."""
    return tuple(
        sorted(
            (str(u.kind), str(u.nation), str(u.quality), u.strength, u.disrupted, u.name)
            for u in units
        )
    )
