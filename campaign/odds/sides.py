"""What is left of the two sides of a combat when fire and melee are over, exactly (9.4 to 9.6).

Each side's test has eleven totals; what they leave of it is worked out once and taken together
where it is the same. The sides meet in the melee alone, whose modifiers hang on both, so the chance
of every pair of ends is one product of two small matrices.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from battles.contract.brief import RIVER_CRAFT, Kind
from campaign.odds.meeting import FIRE, MELEE, Corps, Meeting
from campaign.rules.combat.losses import quotas, share_out, testing
from campaign.rules.combat.modifiers import Weight, pressing_modifiers, weight
from campaign.rules.core.board import is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import Quota
from campaign.rules.core.state import Unit
from campaign.rules.stacks import countable_units, melee_factor
from campaign.rules.tables.book import Book

TOTALS = tuple((total, (6 - abs(total - 7)) / 36) for total in range(2, 13))
"""Every total of two dice with its chance."""
Chances = NDArray[np.float64]


class Survivors:
    """What is left of a side: its units as they are then, and what they can still do."""

    def __init__(self, law: Book, units: Sequence[Unit]) -> None:
        self.law = law
        self.units = units

    @cached_property
    def weight(self) -> Weight:
        """What it brings to the melee."""
        return weight(self.law, self.units)

    @cached_property
    def fights(self) -> bool:
        """Whether anybody is left who can melee."""
        return any(melee_factor(self.law, unit) > 0 for unit in self.units)

    @cached_property
    def stands(self) -> bool:
        """Whether anybody is left on land."""
        return any(is_land(unit) for unit in self.units)


class SideOutcome(NamedTuple):
    """How a side comes out: whether it has lost half, units gone, units newly disrupted.

    `units` are those left. Standing at bay is not in it.
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


def ends_of(law: Book, met: Meeting, kept: "Kept | None" = None) -> CombatOutcomes:
    """What is left of both sides when fire and melee are over, before anybody goes back.

    What has been worked out of a side is `kept` for the next combat it is in.
    """
    known = {} if kept is None else kept
    mine, theirs = (_known(known, law, corps) for corps in (met.attacker, met.defender))
    after_fire = [
        list(side.after_fire(corps.fire))
        for side, corps in ((mine, met.attacker), (theirs, met.defender))
    ]
    weights, rows, columns = [], [], []
    for ours, often in after_fire[0]:
        for foes, as_often in after_fire[1]:
            weights.append(often * as_often)
            change = _pressed(law, met, met.attacker, ours, foes)
            rows.append(mine.after_melee(ours, change))
            change = _pressed(law, met, met.defender, foes, ours)
            columns.append(theirs.after_melee(foes, change))
    first, second = _matrix(rows, len(mine.ends)), _matrix(columns, len(theirs.ends))
    return CombatOutcomes(
        tuple(mine.ends), tuple(theirs.ends), first.T @ (second * np.array(weights)[:, None])
    )


def units_of(corps: Corps) -> list[Unit]:
    """Return the units that the side came with."""
    return [Unit(*one) for one in corps.units]  # type: ignore[arg-type]


def _known(kept: "Kept", law: Book, corps: Corps) -> "_Side":
    key = corps.units, corps.sharing
    if key not in kept:
        kept[key] = _Side(law, corps)
    return kept[key]


def _pressed(
    law: Book, met: Meeting, corps: Corps, left: Survivors, enemy: Survivors
) -> int | None:
    """What the side's test in the melee is changed by; None when it has none to make."""
    if not (left.stands and enemy.stands and enemy.fights):
        return None
    pressing = pressing_modifiers(law, left.weight, enemy.weight, riding=met.riding)
    return corps.melee + sum(one.value for one in pressing)


def _matrix(spreads: Sequence[dict[int, float]], width: int) -> Chances:
    found = np.zeros((len(spreads), width))
    for row, spread in enumerate(spreads):
        found[row, list(spread)] = list(spread.values())
    return found


class _Side:
    """One side gone through its tests; what it comes to is kept, for it comes to it often."""

    def __init__(self, law: Book, corps: Corps) -> None:
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
        """What the enemy's fire, so modified, leaves of it, with the chances; None: no fire."""
        if change is None:
            yield self._whole, 1.0
            return
        chances: dict[tuple[Quota, ...], float] = {}
        tested = testing(self.came, FIRE)
        for owed, chance in self._tests(tested, change):
            if owed not in self._lefts:
                self._lefts[owed] = Survivors(self.law, self._suffer(self.came, tested, owed))
            chances[owed] = chances.get(owed, 0.0) + chance
        for owed, chance in chances.items():
            yield self._lefts[owed], chance

    def after_melee(self, left: Survivors, change: int | None) -> dict[int, float]:
        """Return the places of its ends in `ends`, with their chances, from what fire has left."""
        key = id(left), change
        if key not in self._spreads:
            self._spreads[key] = self._spread(left, change)
        return self._spreads[key]

    def _spread(self, left: Survivors, change: int | None) -> dict[int, float]:
        if change is None:
            return {self._end(left.units): 1.0}
        spread: dict[int, float] = {}
        tested = testing(left.units, MELEE)
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
        """What is owed at each total of the dice; it hangs on the numbers by quality alone."""
        numbers = tuple(sorted(unit.quality for unit in tested))
        for total, chance in TOTALS:
            key = numbers, total + change
            if key not in self._owed:
                self._owed[key] = quotas(self.law, tested, total + change)
            yield self._owed[key], chance

    def _suffer(
        self, units: Sequence[Unit], tested: Sequence[Unit], owed: tuple[Quota, ...]
    ) -> Sequence[Unit]:
        """Who is left when what is owed has been shared as its side shares it (9.4)."""
        if not owed:
            return units
        share = share_out(tested, owed)
        if len(tested) not in (len(share.eliminated), len(share.disrupted)):
            share = self.sharing(tested, owed, share)
        left = [
            msgspec.structs.replace(unit, disrupted=True) if unit.id in share.disrupted else unit
            for unit in units
            if unit.id not in share.eliminated
        ]
        return left if any(unit.kind is not Kind.LEADER for unit in left) else []

    def _end(self, units: Sequence[Unit]) -> int:
        """Return the place of that end, which is found once."""
        key = tuple((unit.id, unit.disrupted) for unit in units)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.ends)
            self.ends.append(_end(self.law, self.came, units))
        return place


Kept = dict[tuple[object, object], _Side]
"""What has been worked out of sides, for as long as they meet one another."""


def _end(law: Book, came: Sequence[Unit], units: Sequence[Unit]) -> SideOutcome:
    shaken_before = {unit.id for unit in came if unit.disrupted}
    gone, shaken = count_losses(came, units, shaken_before)
    return SideOutcome(
        _is_beaten(law, came, units),
        gone,
        shaken,
        tuple(units),
    )


def count_losses(
    came: Sequence[Unit], units: Sequence[Unit], shaken_before: set[UnitId]
) -> tuple[int, int]:
    """Return units gone, leaders not counted, and units newly disrupted."""
    left = sum(unit.kind is not Kind.LEADER for unit in units)
    shaken = sum(unit.disrupted and unit.id not in shaken_before for unit in units)
    return sum(unit.kind is not Kind.LEADER for unit in came) - left, shaken


def _is_beaten(law: Book, came: Sequence[Unit], units: Sequence[Unit]) -> bool:
    """Return half of those who came are disrupted or dead; of craft alone, all are sunk (9.8)."""
    size = len(countable_units(came))
    if not size:
        return not any(unit.kind in RIVER_CRAFT for unit in units)
    bad = size - sum(not unit.disrupted for unit in countable_units(units))
    return bad * 100 >= size * law.number("combat.lost_at")


def is_at_bay(corps: Corps, units: Sequence[Unit]) -> bool:
    """Return whether a beaten side of which these are left has no way back, and so stands at bay
    (9.8).
    """
    dry = not any(unit.kind in RIVER_CRAFT for unit in units)
    return bool(countable_units(units)) and corps.cornered[dry]


def units_left_after_retreat(corps: Corps, units: Sequence[Unit]) -> tuple[Unit, ...]:
    """Who is left of a beaten side that has gone back, or stood at bay where it could not (9.8)."""
    if not is_at_bay(corps, units):
        return tuple(units)
    hurt = {unit.id for unit in countable_units(units)}
    left = tuple(
        msgspec.structs.replace(unit, disrupted=True) if unit.id in hurt else unit
        for unit in units
        if unit.id not in hurt or not unit.disrupted
    )
    return left if any(unit.kind is not Kind.LEADER for unit in left) else ()
