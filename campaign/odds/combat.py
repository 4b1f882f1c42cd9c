"""Exact odds of a combat by the campaign's own table (9.4 to 9.9)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from campaign.odds.meeting import CombatParty, CombatSetup, Corps, taken_by
from campaign.odds.sides import (
    Chances,
    CombatOutcomes,
    SideOutcome,
    count_losses,
    ends_of,
    is_at_bay,
    units_left_after_retreat,
    units_of,
)
from campaign.rules.core.board import is_land
from campaign.rules.core.state import Unit
from campaign.rules.stacks import keeps_alive
from campaign.rules.tables.book import CampaignTables


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
    ends = ends_of(law, met)
    beaten = [np.array([end.beaten for end in side]) for side in ends[:2]]
    won = ~beaten[0][:, None] & beaten[1][None, :]
    lost = beaten[0][:, None] & ~beaten[1][None, :]
    results: dict[CombatEnding, float] = {}
    attacker_losses = _losses_of_ends(met.attacker, ends.attacker)
    defender_losses = _losses_of_ends(met.defender, ends.defender)
    for outcome, cells, own_losses, foes in (
        (True, won, attacker_losses[0], defender_losses[1]),
        (False, lost, attacker_losses[1], defender_losses[0]),
        (None, ~(won | lost), attacker_losses[0], defender_losses[0]),
    ):
        for row, column in zip(*np.nonzero(cells & (ends.chances > 0)), strict=True):
            key = CombatEnding(outcome, *own_losses[row], *foes[column])
            results[key] = results.get(key, 0.0) + float(ends.chances[row, column])
    chances = dict.fromkeys((True, False, None), 0.0)
    for result, chance in results.items():
        chances[result.won] += chance
    firm, shaken = (ends.chances * ~lost).sum(axis=1), (ends.chances * lost).sum(axis=1)
    attacker_endings = _endings(met.attacker, ends.attacker, firm, shaken)
    wrecked = _chances_wrecked(met, ends.attacker, shaken)
    firm, shaken = (ends.chances * ~won).sum(axis=0), (ends.chances * won).sum(axis=0)
    defender_endings = _endings(met.defender, ends.defender, firm, shaken)
    return CombatOdds(
        chances[True],
        chances[False],
        chances[None],
        _toll(met.attacker, results, (1, 2), attacker_endings),
        _toll(met.defender, results, (3, 4), defender_endings),
        results,
        _chances_taken(law, met, ends, (won, lost)),
        wrecked,
    )


class _Endings(NamedTuple):
    """The chances that a side is wiped out, is destroyed in the sense of 4.2, and stands at bay."""

    wiped: float
    destroyed: float
    at_bay: float


def _endings(corps: Corps, ends: Sequence[SideOutcome], firm: Chances, beaten: Chances) -> _Endings:
    """Return how a side may end; `beaten` are the chances in which it alone is beaten."""
    initial_units = units_of(corps)
    wiped, destroyed, bay = 0.0, 0.0, 0.0
    for end, often, shaken in zip(ends, firm, beaten, strict=True):
        for units, chance in (
            (end.units, often),
            (units_left_after_retreat(corps, end.units), shaken),
        ):
            wiped += float(chance) * (not any(is_land(unit) for unit in units))
            destroyed += float(chance) * _is_destroyed(initial_units, units)
        bay += float(shaken) * is_at_bay(corps, end.units)
    return _Endings(wiped, destroyed, bay)


def _is_destroyed(initial_units: Sequence[Unit], left: Sequence[Unit]) -> bool:
    """Return whether a stack is wiped out as 4.2 counts it; of craft alone, all are sunk (9.8)."""
    if any(is_land(unit) for unit in initial_units):
        return not keeps_alive(left)
    return not any(unit.kind in RIVER_CRAFT for unit in left)


def _chances_taken(
    law: CampaignTables, met: CombatSetup, ends: CombatOutcomes, cells: tuple[Chances, Chances]
) -> tuple[float, ...]:
    """Return the chances that 0, 1, 2 and so on of the guns and rifles destroyed are taken."""
    attacker, defender = (
        CombatParty(units_of(corps), [end.units for end in outcomes])
        for corps, outcomes in ((met.attacker, ends.attacker), (met.defender, ends.defender))
    )
    if attacker.came[0].side is Side.MAHDIST:
        captures = taken_by(law, met.spare, attacker, defender, ends.chances * cells[0])
    else:
        captures = taken_by(law, met.spare, defender, attacker, (ends.chances * cells[1]).T)
    spread: dict[int, float] = {}
    for weapons, chance in (pair for distribution in captures for pair in distribution.items()):
        spread[sum(weapons)] = spread.get(sum(weapons), 0.0) + chance
    return _chances_by_number(spread)


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
    return _chances_by_number(spread)


def _chances_by_number(spread: Mapping[int, float]) -> tuple[float, ...]:
    """Return the chances of 0, 1, 2 and so on; the rest of the probability goes to 0."""
    rest = 1 - sum(chance for number, chance in spread.items() if number)
    return (rest, *(spread.get(number, 0.0) for number in range(1, max(spread, default=0) + 1)))


def _losses_of_ends(corps: Corps, ends: Sequence[SideOutcome]) -> tuple[list[tuple[int, int]], ...]:
    """Return the losses of each end, without and with a retreat or stand at bay (9.8)."""
    plain = [(end.gone, end.shaken) for end in ends]
    if not any(corps.cornered):
        return plain, plain
    initial_units = units_of(corps)
    before = {unit.id for unit in initial_units if unit.disrupted}
    return plain, [
        count_losses(initial_units, units_left_after_retreat(corps, end.units), before)
        for end in ends
    ]


def _toll(
    corps: Corps, results: dict[CombatEnding, float], fields: tuple[int, int], endings: _Endings
) -> LossOdds:
    size = sum(unit[1] is not TroopKind.LEADER for unit in corps.units)
    spreads = [[0.0] * (size + 1) for _ in fields]
    for result, chance in results.items():
        for spread, field in zip(spreads, fields, strict=True):
            spread[result[field] or 0] += chance
    return LossOdds(size, tuple(spreads[0]), tuple(spreads[1]), *endings)


def mean_of(spread: Sequence[float]) -> float:
    """Return the mean of a distribution over 0, 1, 2 and so on."""
    return sum(number * chance for number, chance in enumerate(spread))
