"""The states of a host in a combat, and what fire and melee make of them (9.5 to 9.8).

A combat changes nothing of a host but the numbers of its units steady and shaken. So each state is
made once, with its sums, and remembers the states that follow it, with their chances.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Nation, Quality, TroopKind
from campaign.rules.core.board import is_land
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, Unit
from campaign.rules.stacks import fire_factor, gun_factor, melee_factor
from campaign.rules.tables.book import CampaignTables

_DICE = tuple((total, (6 - abs(total - 7)) / 36) for total in range(2, 13))
WORST_FIRST = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)
"""The qualities of fighters, the lowest first (9.5)."""


class TroopsByQuality(NamedTuple):
    """The units of one quality: the numbers steady and shaken, and the mean factors of a unit."""

    quality: Quality
    steady: int
    shaken: int
    melee: float = 0
    fire: float = 0
    guns: float = 0
    horse: float = 0
    shooters: float = 0

    @property
    def worth(self) -> float:
        """Return the number of units, disrupted ones counted half (9.7)."""
        return self.steady + self.shaken / 2


Host = tuple[TroopsByQuality, ...]
_Factors = tuple[float, float, float]
Counts = tuple[int, ...]
"""The units steady and shaken of each part of a host, in turn."""


def host(law: CampaignTables, units: Iterable[Unit]) -> Host:
    """Return the land units by quality; the train counts with the lowest (9.5)."""
    parts: dict[Quality, list[tuple[bool, TroopKind, _Factors]]] = {}
    for unit in units:
        if is_land(unit):
            factors = _factors(law, unit.kind, unit.nation, unit.strength, unit.disrupted)
            parts.setdefault(unit.quality, []).append((unit.disrupted, unit.kind, factors))
    if Quality.NONE in parts:
        lowest = next((quality for quality in WORST_FIRST if quality in parts), Quality.RABBLE)
        parts.setdefault(lowest, []).extend(parts.pop(Quality.NONE))
    return tuple(_troops(quality, parts[quality]) for quality in sorted(parts))


@lru_cache(maxsize=512)
def _factors(
    law: CampaignTables, kind: TroopKind, nation: Nation, strength: int, disrupted: bool
) -> _Factors:
    """Return the factors of such a unit in melee, in fire and of its guns."""
    unit = Unit(UnitId(0), kind, nation, Quality.NONE, strength, OFF_MAP, disrupted)
    return melee_factor(law, unit), fire_factor(law, unit), gun_factor(law, unit)


def _troops(quality: Quality, units: Sequence[tuple[bool, TroopKind, _Factors]]) -> TroopsByQuality:
    shaken = shooters = 0
    all_melee = all_fire = all_guns = horse = 0.0
    for disrupted, kind, (melee, fire, guns) in units:
        shaken += disrupted
        all_melee += melee
        all_fire += fire
        all_guns += guns
        shooters += fire > 0
        if kind is TroopKind.CAVALRY:
            horse += melee
    steady = len(units) - shaken
    worth = steady + shaken / 2
    melee, fire, guns = all_melee / worth, all_fire / worth, all_guns / worth
    means = (melee, fire, guns, horse / worth, shooters / len(units))
    return TroopsByQuality(quality, steady, shaken, *means)


class CombatNumbers:
    """The modifiers and thresholds of a combat, read from the tables once (9.5 to 9.8)."""

    def __init__(self, law: CampaignTables) -> None:
        number, modifier = law.number, law.modifier
        self.lost_at: int = number("combat.lost_at")
        self.veterans: int = modifier("fire.veterans").value
        self.rabble: int = modifier("fire.rabble").value
        self.guns: tuple[int, int] = (number("fire.guns"), modifier("fire.guns").value)
        self.volume: tuple[int, int] = (number("fire.volume"), modifier("fire.volume").value)
        self.fanatics: int = modifier("melee.fanatics").value
        self.odds: tuple[tuple[int, int], ...] = tuple(
            (number(key), modifier(key).value)
            for key in ("melee.odds4", "melee.odds3", "melee.odds2")
        )
        self.cavalry: tuple[int, int] = (number("melee.cavalry"), modifier("melee.cavalry").value)


@lru_cache(maxsize=4)
def combat_numbers(law: CampaignTables) -> CombatNumbers:
    """Return the numbers of a combat by these tables."""
    return CombatNumbers(law)


@lru_cache(maxsize=64)
def _kind_of(law: CampaignTables, factors: Host) -> "_HostKind":
    return _HostKind(law, factors)


def state_of(law: CampaignTables, host: Host) -> "HostState":
    """Return the state of this host."""
    factors = tuple(troops._replace(steady=0, shaken=0) for troops in host)
    counts = tuple(number for troops in host for number in (troops.steady, troops.shaken))
    return _kind_of(law, factors).state(counts)


class _HostKind:
    """The part of a host that no combat changes: the qualities and factors of its units."""

    def __init__(self, law: CampaignTables, parts: Host) -> None:
        self.law = law
        self.parts = parts
        self.lost_at = combat_numbers(law).lost_at
        self._states: dict[Counts, HostState] = {}
        self._results: dict[int, list[tuple[int, int]]] = {}
        self._most: dict[tuple[Quality, int], tuple[int, int]] = {}

    def state(self, counts: Counts) -> "HostState":
        """Return the one state with these numbers."""
        known = self._states.get(counts)
        if known is None:
            known = self._states[counts] = HostState(self, counts)
        return known

    def results(self, total: int) -> list[tuple[int, int]]:
        """Return the percentages eliminated and disrupted of each part at this total."""
        known = self._results.get(total)
        if known is None:
            known = self._results[total] = [self.most(part.quality, total) for part in self.parts]
        return known

    def most(self, quality: Quality, total: int) -> tuple[int, int]:
        """Return the percentages eliminated and disrupted of that quality at this total."""
        percentages = self._most.get((quality, total))
        if percentages is None:
            row = self.law.combat(quality, total)
            percentages = self._most[quality, total] = row.eliminated, row.disrupted
        return percentages


class MeleeEstimate(NamedTuple):
    """The result of a melee for one side: chances to be beaten and gone, share of units hurt."""

    beaten: float
    gone: float
    hurt: float


class HostState:
    """A host with so many units steady and shaken; equal states of a host are the same object.

    `size` and `steady` count units, `strength` is the sum of its melee factors, `rush` that of its
    steady fanatics, `fire`, `horse`, `guns` and `rifles` are sums of factors too. `order` sorts
    states from weak to strong.
    """

    __slots__ = (
        "_hurt", "_kind", "_left", "_spreads", "can_fire", "can_melee", "counts", "fire", "guns",
        "horse", "leads_in_fire", "lowest", "order", "rabble", "rifles", "rush", "size", "steady",
        "strength", "veterans",
    )  # fmt: skip

    def __init__(self, kind: _HostKind, counts: Counts) -> None:
        self._kind = kind
        self._spreads: dict[int, tuple[tuple[HostState, float], ...]] = {}
        self._left: dict[int, HostState] = {}
        self._hurt: dict[tuple[int | None, int], MeleeEstimate] = {}
        self.counts = counts
        self.size = sum(counts)
        self.steady = sum(counts[::2])
        self._add_up()
        order: list[tuple[str, int, int]] = []
        worth: float = 0
        for part, steady, shaken in self._parts():
            worth += steady + shaken / 2
            order.append((part.quality, steady, shaken))
        self.order = (worth, order)

    def _parts(self) -> Iterator[tuple[TroopsByQuality, int, int]]:
        """Yield the parts with units left, and the numbers steady and shaken."""
        counts = self.counts
        for place, part in enumerate(self._kind.parts):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            if steady or shaken:
                yield part, steady, shaken

    def _add_up(self) -> None:
        """Sum up the factors of all parts."""
        self.strength = self.rush = self.fire = self.rifles = self.guns = self.horse = 0.0
        shots = veterans = rabble = 0.0
        self.can_fire = self.can_melee = False
        qualities = []
        for part, steady, shaken in self._parts():
            quality, worth = part.quality, steady + shaken / 2
            qualities.append(quality)
            self.can_fire = self.can_fire or bool(part.fire)
            self.can_melee = self.can_melee or bool(part.melee)
            self.strength += part.melee * worth
            self.fire += part.fire * worth
            self.guns += part.guns * worth
            self.horse += part.horse * worth
            if quality is Quality.FANATIC:
                self.rush += part.melee * steady
            else:
                self.rifles += part.fire * worth
            shooters = part.shooters * (steady + shaken)
            shots += shooters
            veterans += shooters if quality is Quality.VETERAN else 0
            rabble += shooters if quality in (Quality.RABBLE, Quality.FANATIC) else 0
        self.veterans, self.rabble = veterans * 2 >= shots, rabble * 2 >= shots
        self.leads_in_fire = self.fire >= self.strength
        self.lowest = next(
            (quality for quality in WORST_FIRST if quality in qualities), Quality.RABBLE
        )

    def spread(self, change: int) -> "tuple[tuple[HostState, float], ...]":
        """Return the states after two dice with this modifier, each with its chance."""
        known = self._spreads.get(change)
        if known is None:
            chances: dict[HostState, float] = {}
            for dice, chance in _DICE:
                total = dice + change
                left = self._left.get(total)
                if left is None:
                    left = self._left[total] = self._suffer(total)
                chances[left] = chances.get(left, 0) + chance
            known = self._spreads[change] = tuple(chances.items())
        return known

    def _suffer(self, total: int) -> "HostState":
        """Return the state after this result: disrupted units are eliminated first (9.4, 9.5)."""
        eliminated, disrupted = self._kind.most(self.lowest, total)
        gone, hurt = _part(self.size, eliminated), _part(self.size, disrupted)
        if not gone and not hurt:
            return self
        counts, left = self.counts, []
        for place, (eliminated, disrupted) in enumerate(self._kind.results(total)):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            out = min(gone, _part(steady + shaken, eliminated))
            newly = min(hurt, _part(steady + shaken, disrupted))
            gone, hurt = gone - out, hurt - newly
            from_shaken = min(out, shaken)
            steady = max(0, steady - (out - from_shaken))
            shaken -= from_shaken
            now = min(newly, steady)
            left += [steady - now, max(0, shaken - (newly - now)) + now]
        return self._kind.state(tuple(left))

    def after_melee(self, change: int | None) -> "tuple[tuple[HostState, float], ...]":
        """Return the states after a melee with this modifier; None when nobody strikes it."""
        return ((self, 1.0),) if change is None else self.spread(change)

    def lost(self, initial_size: int) -> bool:
        """Return whether a host that came with so many units has lost (9.8)."""
        return (initial_size - self.steady) * 100 >= initial_size * self._kind.lost_at

    def hurt(self, change: int | None, initial_size: int) -> MeleeEstimate:
        """Return the result of a melee for a host that came with so many units."""
        estimate = self._hurt.get((change, initial_size))
        if estimate is None:
            estimate = self._hurt[change, initial_size] = self._judged(change, initial_size)
        return estimate

    def _judged(self, change: int | None, initial_size: int) -> MeleeEstimate:
        if not self.size:
            return MeleeEstimate(1, 1, 1)
        needed = self._kind.lost_at / 100
        beaten = gone = hurt = 0.0
        for left, chance in self.after_melee(change):
            bad = (initial_size - left.steady) / initial_size
            beaten += chance if bad >= needed else 0
            gone += 0 if left.size else chance
            hurt += bad * chance
        return MeleeEstimate(beaten, gone, hurt)


def _part(size: int, percent: int) -> int:
    return max(1, size * percent // 100) if percent and size else 0
