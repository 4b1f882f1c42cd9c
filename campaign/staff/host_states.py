"""The states of a host in a combat, and what fire and melee make of them (9.5 to 9.8).

A combat changes nothing of a host but the numbers of its units steady and shaken. So each state is
made once, with its sums, and remembers the states that follow it, with their chances.
"""

from collections.abc import Iterable, Sequence
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


_Results = tuple[tuple[int, int], ...]
"""The percentages eliminated and disrupted of each part of a host."""


class _LossTable:
    """The losses of all hosts with parts of these qualities, whatever the factors of the units."""

    def __init__(self, law: CampaignTables, qualities: tuple[Quality, ...]) -> None:
        self._law = law
        self._qualities = qualities
        self._worst_first = [
            qualities.index(quality) for quality in WORST_FIRST if quality in qualities
        ]
        self._results: dict[int, _Results] = {}

    def spread(self, counts: Counts, change: int) -> tuple[tuple[Counts, float], ...]:
        """Return the numbers left after two dice with this modifier, each with its chance."""
        chances: dict[Counts, float] = {}
        before: _Results | None = None
        left = counts
        for dice, chance in _DICE:
            results = self._results_at(dice + change)
            if results != before:
                left, before = self._suffer(counts, results), results
            chances[left] = chances.get(left, 0) + chance
        return tuple(chances.items())

    def _results_at(self, total: int) -> _Results:
        known = self._results.get(total)
        if known is None:
            rows = (self._law.combat(quality, total) for quality in self._qualities)
            known = self._results[total] = tuple((row.eliminated, row.disrupted) for row in rows)
        return known

    def _suffer(self, counts: Counts, results: _Results) -> Counts:
        """Return the numbers after these results: the disrupted are eliminated first (9.4, 9.5)."""
        size = sum(counts)
        present = (
            place for place in self._worst_first if counts[2 * place] or counts[2 * place + 1]
        )
        eliminated, disrupted = results[next(present)] if size else (0, 0)
        gone, hurt = _part(size, eliminated), _part(size, disrupted)
        if not gone and not hurt:
            return counts
        left: list[int] = []
        for place, (eliminated, disrupted) in enumerate(results):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            out = min(gone, _part(steady + shaken, eliminated))
            newly = min(hurt, _part(steady + shaken, disrupted))
            gone, hurt = gone - out, hurt - newly
            from_shaken = min(out, shaken)
            steady = max(0, steady - (out - from_shaken))
            shaken -= from_shaken
            now = min(newly, steady)
            left += (steady - now, max(0, shaken - (newly - now)) + now)
        return tuple(left)


@lru_cache(maxsize=32)
def _loss_table(law: CampaignTables, qualities: tuple[Quality, ...]) -> _LossTable:
    return _LossTable(law, qualities)


@lru_cache(maxsize=4096)
def _spread(losses: _LossTable, counts: Counts, change: int) -> tuple[tuple[Counts, float], ...]:
    """Return the numbers left, the same for every host with parts of these qualities."""
    return losses.spread(counts, change)


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
        self.parts = parts
        self.lost_at = combat_numbers(law).lost_at
        self._losses = _loss_table(law, tuple(part.quality for part in parts))
        self._states: dict[Counts, HostState] = {}

    def state(self, counts: Counts) -> "HostState":
        """Return the one state with these numbers."""
        known = self._states.get(counts)
        if known is None:
            known = self._states[counts] = HostState(self, counts)
        return known

    def spread(self, counts: Counts, change: int) -> "tuple[tuple[HostState, float], ...]":
        """Return the states that follow one with these numbers, each with its chance."""
        state = self.state
        return tuple(
            [(state(left), chance) for left, chance in _spread(self._losses, counts, change)]
        )


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
        "_hurt", "_kind", "_spreads", "can_fire", "can_melee", "counts", "fire", "guns",
        "horse", "leads_in_fire", "order", "rabble", "rifles", "rush", "size", "steady",
        "strength", "veterans",
    )  # fmt: skip

    def __init__(self, kind: _HostKind, counts: Counts) -> None:
        self._kind = kind
        self._spreads: dict[int, tuple[tuple[HostState, float], ...]] = {}
        self._hurt: dict[tuple[int | None, int], MeleeEstimate] = {}
        self.counts = counts
        self.size = sum(counts)
        self.steady = sum(counts[::2])
        self._add_up()

    def _add_up(self) -> None:
        """Sum up the factors of all parts that have units left."""
        counts = self.counts
        self.strength = self.rush = self.fire = self.rifles = self.guns = self.horse = 0.0
        shots = veterans = rabble = total = 0.0
        self.can_fire = self.can_melee = False
        order: list[tuple[str, int, int]] = []
        for place, part in enumerate(self._kind.parts):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            if not steady and not shaken:
                continue
            quality, worth = part.quality, steady + shaken / 2
            order.append((quality, steady, shaken))
            total += worth
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
        self.order = (total, order)

    def spread(self, change: int) -> "tuple[tuple[HostState, float], ...]":
        """Return the states after two dice with this modifier, each with its chance."""
        known = self._spreads.get(change)
        if known is None:
            known = self._spreads[change] = self._kind.spread(self.counts, change)
        return known

    def after(self, change: int | None) -> "tuple[tuple[HostState, float], ...]":
        """Return the states after fire or melee with this modifier; None when nobody harms it."""
        return ((self, 1.0),) if change is None else self.spread(change)

    @property
    def breaking_point(self) -> int:
        """Return the most steady units with which a host that came in this state has lost (9.8)."""
        return self.size * (100 - self._kind.lost_at) // 100

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
        for left, chance in self.after(change):
            bad = (initial_size - left.steady) / initial_size
            beaten += chance if bad >= needed else 0
            gone += 0 if left.size else chance
            hurt += bad * chance
        return MeleeEstimate(beaten, gone, hurt)


def _part(size: int, percent: int) -> int:
    return max(1, size * percent // 100) if percent and size else 0
