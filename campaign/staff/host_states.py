"""The states of a host in a combat, with the sums of its factors (9.5 to 9.8).

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
from campaign.staff.head_counts import WORST_FIRST, Counts, HeadCount, loss_table


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
        self.veterans: int = modifier("fire.veterans").value
        self.rabble: int = modifier("fire.rabble").value
        self.guns: tuple[int, int] = (number("fire.guns"), modifier("fire.guns").value)
        self.volume: tuple[int, int] = (number("fire.volume"), modifier("fire.volume").value)
        self.fanatics: int = modifier("melee.fanatics").value
        self.odds: tuple[tuple[int, int], ...] = tuple(
            (number(key), modifier(key).value)
            for key in ("melee.odds4", "melee.odds3", "melee.odds2")
        )
        self.least_odds: int = min(times for times, _ in self.odds)
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
    return _kind_of(law, factors).first_state(counts)


class _HostKind:
    """The part of a host that no combat changes: the qualities and factors of its units."""

    def __init__(self, law: CampaignTables, parts: Host) -> None:
        self.parts = parts
        self._losses = loss_table(law, tuple([part.quality for part in parts]))
        self._states: dict[HeadCount, HostState] = {}

    def first_state(self, counts: Counts) -> "HostState":
        """Return the state with these numbers, from which others follow."""
        return self.state(self._losses.head_count(counts))

    def state(self, units: HeadCount) -> "HostState":
        """Return the one state with these numbers."""
        known = self._states.get(units)
        if known is None:
            known = self._states[units] = HostState(self, units)
        return known


class HostState:
    """A host with so many units steady and shaken; equal states of a host are the same object.

    `units` are the numbers; `strength` is the sum of the melee factors, `rush` that of the steady
    fanatics, `fire`, `horse`, `guns` and `rifles` are sums of factors too.
    """

    __slots__ = (
        "_after", "_kind", "can_fire", "can_melee", "fire", "guns", "horse", "leads_in_fire",
        "rabble", "rifles", "rush", "strength", "units", "veterans",
    )  # fmt: skip

    def __init__(self, kind: _HostKind, units: HeadCount) -> None:
        self._kind = kind
        self._after: dict[int | None, tuple[tuple[HostState, float], ...]] = {}
        self.units = units
        self._add_up()

    def _add_up(self) -> None:
        """Sum up the factors of all parts that have units left."""
        counts = self.units.counts
        self.strength = self.rush = self.fire = self.rifles = self.guns = self.horse = 0.0
        shots = veterans = rabble = 0.0
        self.can_fire = self.can_melee = False
        for place, part in enumerate(self._kind.parts):
            steady, shaken = counts[2 * place], counts[2 * place + 1]
            if not steady and not shaken:
                continue
            quality, worth = part.quality, steady + shaken / 2
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

    def after(self, change: int | None) -> "tuple[tuple[HostState, float], ...]":
        """Return the states after fire with this modifier; None when nobody fires."""
        known = self._after.get(change)
        if known is None:
            state = self._kind.state
            known = tuple([(state(units), chance) for units, chance in self.units.after(change)])
            self._after[change] = known
        return known

    def reduced_to(self, units: HeadCount) -> "HostState":
        """Return the state of this host with these units left."""
        return self._kind.state(units)
