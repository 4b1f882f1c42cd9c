"""Exact states of both sides of a combat after fire and melee (9.4 to 9.6).

Each side's test has eleven totals; their results are computed once, and equal results merged. The
sides affect each other in the melee alone, whose modifiers depend on both, so the chance of every
pair of ends is one product of two small matrices.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import RIVER_CRAFT, TroopKind
from campaign.odds.meeting import CombatSetup, Corps
from campaign.rules.combat.losses import quotas, share_out, units_to_test
from campaign.rules.combat.modifiers import Weight, pressing_modifiers, weight
from campaign.rules.core.board import is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound, Quota
from campaign.rules.core.state import Unit
from campaign.rules.stacks import countable_units, melee_factor
from campaign.rules.tables.book import CampaignTables

TOTALS = tuple((total, (6 - abs(total - 7)) / 36) for total in range(2, 13))
"""Every total of two dice with its chance."""
Chances = NDArray[np.float64]


class Survivors:
    """The units left of a side, and what they can still do."""

    def __init__(self, law: CampaignTables, units: Sequence[Unit]) -> None:
        self.law = law
        self.units = units

    @cached_property
    def weight(self) -> Weight:
        """Return its weight in the melee."""
        return weight(self.law, self.units)

    @cached_property
    def fights(self) -> bool:
        """Return whether any unit left can melee."""
        return any(melee_factor(self.law, unit) > 0 for unit in self.units)

    @cached_property
    def stands(self) -> bool:
        """Return whether any unit is left on land."""
        return any(is_land(unit) for unit in self.units)


class SideOutcome(NamedTuple):
    """The end of a side: whether it is beaten, units gone, units newly disrupted.

    `units` are those left, before any stand at bay.
    """

    beaten: bool
    gone: int
    shaken: int
    units: tuple[Unit, ...]


class CombatOutcomes(NamedTuple):
    """Every end of either side, and the chance of each pair of them (rows: the attacker's)."""

    attacker: tuple[SideOutcome, ...]
    defender: tuple[SideOutcome, ...]
    chances: Chances


def ends_of(law: CampaignTables, met: CombatSetup, kept: "Kept | None" = None) -> CombatOutcomes:
    """Return the ends of both sides after fire and melee, before any retreat.

    The results of a side are `kept` for the next combat it is in.
    """
    cache = {} if kept is None else kept
    attacker, defender = (_side_of(cache, law, corps) for corps in (met.attacker, met.defender))
    after_fire = [
        list(side.after_fire(corps.fire))
        for side, corps in ((attacker, met.attacker), (defender, met.defender))
    ]
    weights, rows, columns = [], [], []
    for friends, often in after_fire[0]:
        for foes, as_often in after_fire[1]:
            weights.append(often * as_often)
            change = _melee_modifier(law, met, met.attacker, friends, foes)
            rows.append(attacker.after_melee(friends, change))
            change = _melee_modifier(law, met, met.defender, foes, friends)
            columns.append(defender.after_melee(foes, change))
    first, second = _matrix(rows, len(attacker.ends)), _matrix(columns, len(defender.ends))
    return CombatOutcomes(
        tuple(attacker.ends), tuple(defender.ends), first.T @ (second * np.array(weights)[:, None])
    )


def units_of(corps: Corps) -> list[Unit]:
    """Return the units that the side came with."""
    return [Unit(*fields) for fields in corps.units]  # type: ignore[arg-type]


def _side_of(kept: "Kept", law: CampaignTables, corps: Corps) -> "_Side":
    key = corps.units, corps.sharing
    if key not in kept:
        kept[key] = _Side(law, corps)
    return kept[key]


def _melee_modifier(
    law: CampaignTables, met: CombatSetup, corps: Corps, left: Survivors, enemy: Survivors
) -> int | None:
    """Return the modifier of the side's test in the melee; None when it has none to make."""
    if not (left.stands and enemy.stands and enemy.fights):
        return None
    pressing = pressing_modifiers(law, left.weight, enemy.weight, riding=met.riding)
    return corps.melee + sum(modifier.value for modifier in pressing)


def _matrix(spreads: Sequence[dict[int, float]], width: int) -> Chances:
    matrix = np.zeros((len(spreads), width))
    for row, spread in enumerate(spreads):
        matrix[row, list(spread)] = list(spread.values())
    return matrix


class _Side:
    """One side's tests, with their results cached, since the same ones recur often."""

    def __init__(self, law: CampaignTables, corps: Corps) -> None:
        self.law = law
        self.sharing = corps.sharing
        self.came = units_of(corps)
        self.ends: list[SideOutcome] = []
        self._whole = Survivors(law, self.came)
        self._lefts: dict[tuple[Quota, ...], Survivors] = {}
        self._places: dict[object, int] = {}
        self._after: dict[tuple[int, tuple[Quota, ...]], int] = {}
        self._spreads: dict[tuple[int, int | None], dict[int, float]] = {}
        self._owed: dict[tuple[object, int], tuple[Quota, ...]] = {}

    def after_fire(self, change: int | None) -> Iterator[tuple[Survivors, float]]:
        """Yield the states after enemy fire with this modifier (None: no fire), with chances."""
        if change is None:
            yield self._whole, 1.0
            return
        chances: dict[tuple[Quota, ...], float] = {}
        tested = units_to_test(self.came, CombatRound.FIRE)
        for owed, chance in self._tests(tested, change):
            if owed not in self._lefts:
                self._lefts[owed] = Survivors(self.law, self._suffer(self.came, tested, owed))
            chances[owed] = chances.get(owed, 0.0) + chance
        for owed, chance in chances.items():
            yield self._lefts[owed], chance

    def after_melee(self, left: Survivors, change: int | None) -> dict[int, float]:
        """Return the places in `ends` of its ends after a melee of `left`, with their chances."""
        # The id is a safe key: `_lefts` and `_whole` keep every Survivors alive.
        key = id(left), change
        if key not in self._spreads:
            self._spreads[key] = self._spread(left, change)
        return self._spreads[key]

    def _spread(self, left: Survivors, change: int | None) -> dict[int, float]:
        if change is None:
            return {self._end(left.units): 1.0}
        spread: dict[int, float] = {}
        tested = units_to_test(left.units, CombatRound.MELEE)
        for owed, chance in self._tests(tested, change):
            key = id(left), owed
            if key not in self._after:
                self._after[key] = self._end(self._suffer(left.units, tested, owed))
            place = self._after[key]
            spread[place] = spread.get(place, 0.0) + chance
        return spread

    def _tests(
        self, tested: Sequence[Unit], change: int
    ) -> Iterator[tuple[tuple[Quota, ...], float]]:
        """Yield the quotas for each total of the dice; only numbers by quality matter."""
        numbers = tuple(sorted(unit.quality for unit in tested))
        for total, chance in TOTALS:
            key = numbers, total + change
            if key not in self._owed:
                self._owed[key] = quotas(self.law, tested, total + change)
            yield self._owed[key], chance

    def _suffer(
        self, units: Sequence[Unit], tested: Sequence[Unit], owed: tuple[Quota, ...]
    ) -> Sequence[Unit]:
        """Return the units left after the quotas have been shared as the side's plan says (9.4)."""
        if not owed:
            return units
        share = share_out(tested, owed)
        # If all of them die or all are disrupted, the side has nothing to choose.
        if len(tested) not in (len(share.eliminated), len(share.disrupted)):
            share = self.sharing(tested, owed, share)
        left = [
            msgspec.structs.replace(unit, disrupted=True) if unit.id in share.disrupted else unit
            for unit in units
            if unit.id not in share.eliminated
        ]
        return left if any(unit.kind is not TroopKind.LEADER for unit in left) else []

    def _end(self, units: Sequence[Unit]) -> int:
        """Return the place of that end in `ends`, adding it if it is new."""
        key = tuple((unit.id, unit.disrupted) for unit in units)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.ends)
            self.ends.append(_end(self.law, self.came, units))
        return place


Kept = dict[tuple[object, object], _Side]
"""The cached tests of sides, kept from one combat to the next."""


def _end(law: CampaignTables, initial_units: Sequence[Unit], units: Sequence[Unit]) -> SideOutcome:
    shaken_before = {unit.id for unit in initial_units if unit.disrupted}
    gone, shaken = count_losses(initial_units, units, shaken_before)
    return SideOutcome(_is_beaten(law, initial_units, units), gone, shaken, tuple(units))


def count_losses(
    initial_units: Sequence[Unit], units: Sequence[Unit], shaken_before: set[UnitId]
) -> tuple[int, int]:
    """Return units gone, leaders not counted, and units newly disrupted."""
    left = sum(unit.kind is not TroopKind.LEADER for unit in units)
    shaken = sum(unit.disrupted and unit.id not in shaken_before for unit in units)
    return sum(unit.kind is not TroopKind.LEADER for unit in initial_units) - left, shaken


def _is_beaten(law: CampaignTables, initial_units: Sequence[Unit], units: Sequence[Unit]) -> bool:
    """Return whether half of those who came are disrupted or dead; of craft, all sunk (9.8)."""
    size = len(countable_units(initial_units))
    if not size:
        return not any(unit.kind in RIVER_CRAFT for unit in units)
    bad = size - sum(not unit.disrupted for unit in countable_units(units))
    return bad * 100 >= size * law.number("combat.lost_at")


def is_at_bay(corps: Corps, units: Sequence[Unit]) -> bool:
    """Return whether a beaten side with these units left has no way back (9.8)."""
    dry = not any(unit.kind in RIVER_CRAFT for unit in units)
    return bool(countable_units(units)) and corps.cornered[dry]


def units_left_after_retreat(corps: Corps, units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return the units left of a beaten side after its retreat or stand at bay (9.8)."""
    if not is_at_bay(corps, units):
        return tuple(units)
    hurt = {unit.id for unit in countable_units(units)}
    left = tuple(
        msgspec.structs.replace(unit, disrupted=True) if unit.id in hurt else unit
        for unit in units
        if unit.id not in hurt or not unit.disrupted
    )
    return left if any(unit.kind is not TroopKind.LEADER for unit in left) else ()
