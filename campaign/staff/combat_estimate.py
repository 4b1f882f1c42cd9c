"""Estimate a combat by the campaign's own tables (9.4 to 9.8), and place its leaders (7.3).

Both rounds are computed for every total of the two dice. Units of one quality count as alike, so
the answer is a close estimate where a stack mixes very different ones, and exact elsewhere.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Quality, Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.board import board, chart, is_land, laws
from campaign.rules.core.options import Options
from campaign.rules.core.state import State, Unit, current_combat
from campaign.rules.map import HexId, PlaceClass, Relief
from campaign.rules.stacks import (
    able_to_lead,
    fire_factor,
    gun_factor,
    lowest_quality,
    melee_factor,
)
from campaign.rules.tables.book import CampaignTables


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
    def size(self) -> int:
        return self.steady + self.shaken

    @property
    def worth(self) -> float:
        """Return the number of units, disrupted ones counted half (9.7)."""
        return self.steady + self.shaken / 2


Host = tuple[TroopsByQuality, ...]


class ForceEstimate(NamedTuple):
    """One side of a combat: its troops and the modifiers of its dice.

    `ground` and `tactical` help it; `water` is the modifier of enemy gunboats or the fleet in fire;
    `closed`: it stands on a mountain or in a town, where cavalry gains nothing.
    """

    host: Host
    ground: int = 0
    tactical: int = 0
    water: int = 0
    closed: bool = False


class AttackEstimate(NamedTuple):
    """The attacker's chances to win, to lose, to destroy and to be destroyed; and both losses.

    `cost` and `harm` are the shares of the attacker's and the defender's units that are expected to
    be disrupted or eliminated.
    """

    win: float
    lose: float
    wipe: float
    perish: float
    cost: float
    harm: float


HOPELESS = AttackEstimate(0, 1, 0, 1, 1, 0)
WALK_OVER = AttackEstimate(1, 0, 1, 0, 0, 1)

_DICE = tuple((total, 6 - abs(total - 7)) for total in range(2, 13))
_WAYS = 36


def estimate_attack(
    state: State, attackers: Sequence[Unit], start: HexId, target: HexId
) -> AttackEstimate:
    """Return the estimate of an attack by these units from `start` on the enemy in `target`."""
    attacking = attacker_of(state, attackers, start, target)
    defending = defender_of(state, attackers, start, target)
    if not any(troops.melee for troops in attacking.host):
        return HOPELESS
    if not defending.host:
        return WALK_OVER
    return chances(laws(state), attacking, defending)


def attacker_of(
    state: State, attackers: Sequence[Unit], start: HexId, target: HexId
) -> ForceEstimate:
    """Return the attacking side of that combat."""
    enemies = board(state).stack(attackers[0].side.enemy, target)
    return force(state, attackers, start, enemies=enemies)


def defender_of(
    state: State, attackers: Sequence[Unit], start: HexId, target: HexId
) -> ForceEstimate:
    """Return the defending side of that combat, with the help of the ground."""
    side = attackers[0].side
    defenders = board(state).stack(side.enemy, target)
    if not defenders:
        return ForceEstimate(())
    ground = 0 if board(state).sallies(side, start, target) else _ground(state, target)
    return force(state, defenders, target, enemies=attackers)._replace(ground=ground)


def force(
    state: State, units: Sequence[Unit], hex_id: HexId, *, enemies: Sequence[Unit] = ()
) -> ForceEstimate:
    """Return the units as one side of a combat in that hex, without the help of the ground."""
    law = laws(state)
    leaders = able_to_lead(state, units)
    tactical = max((law.leader(unit.name).tactical for unit in leaders), default=0)
    return ForceEstimate(
        host(law, units),
        tactical=tactical,
        water=_water(state, units[0].side, hex_id, enemies),
        closed=_closed(state, hex_id),
    )


def host(law: CampaignTables, units: Iterable[Unit]) -> Host:
    """Return the land units by quality; the train counts with the lowest (9.5)."""
    land = [unit for unit in units if is_land(unit)]
    lowest = lowest_quality(unit for unit in land if unit.quality)
    return tuple(
        _troops(law, quality, [unit for unit in land if (unit.quality or lowest) is quality])
        for quality in sorted({unit.quality or lowest for unit in land})
    )


def _troops(law: CampaignTables, quality: Quality, units: Sequence[Unit]) -> TroopsByQuality:
    shaken = sum(unit.disrupted for unit in units)
    steady = len(units) - shaken
    worth = steady + shaken / 2
    return TroopsByQuality(
        quality,
        steady,
        shaken,
        sum(melee_factor(law, unit) for unit in units) / worth,
        sum(fire_factor(law, unit) for unit in units) / worth,
        sum(gun_factor(law, unit) for unit in units) / worth,
        sum(melee_factor(law, unit) for unit in units if unit.kind is TroopKind.CAVALRY) / worth,
        sum(fire_factor(law, unit) > 0 for unit in units) / len(units),
    )


def _ground(state: State, hex_id: HexId) -> int:
    """Return the modifier of the ground for defenders in this hex (9.6)."""
    law, position = laws(state), board(state)
    relief = chart(state).hexes[hex_id].relief
    keys = []
    if relief is Relief.HILL:
        keys.append("terrain.hill")
    if position.in_town(hex_id, PlaceClass.VILLAGE, PlaceClass.OASIS):
        keys.append("terrain.village")
    if _closed(state, hex_id):
        keys.append("terrain.town")
    return sum(law.modifier(key).value for key in keys)


def _closed(state: State, hex_id: HexId) -> bool:
    mountain = chart(state).hexes[hex_id].relief is Relief.MOUNTAIN
    return mountain or board(state).in_town(hex_id, PlaceClass.TOWN)


def _water(state: State, side: Side, hex_id: HexId, enemies: Sequence[Unit]) -> int:
    """Return the modifier of enemy gunboats and fleet against a stack beside the water (9.6)."""
    law, kinds = laws(state), {unit.kind for unit in enemies}
    found = 0
    if TroopKind.GUNBOAT in kinds and chart(state).river_at(hex_id):
        found += law.modifier("fire.gunboat").value
    if TroopKind.FLEET in kinds and side is Side.MAHDIST and chart(state).hexes[hex_id].coast:
        found += law.modifier("fire.fleet").value
    return found


@lru_cache(maxsize=400)
def chances(
    law: CampaignTables, attacker: ForceEstimate, defender: ForceEstimate
) -> AttackEstimate:
    """Return the chances of a combat between two forces, over all totals of all four throws."""
    mine, theirs = after_fire(law, attacker, defender), after_fire(law, defender, attacker)
    came = (_size(attacker.host), _size(defender.host))
    win = lose = wipe = perish = cost = harm = 0.0
    for (ours, foes), weight in _pairs(mine, theirs):
        us = _after_melee(law, attacker._replace(host=ours), defender._replace(host=foes), came[0])
        them = _after_melee(
            law, defender._replace(host=foes), attacker._replace(host=ours), came[1]
        )
        win += weight * them.beaten * (1 - us.beaten)
        lose += weight * us.beaten * (1 - them.beaten)
        wipe += weight * them.gone
        perish += weight * us.gone
        cost += weight * us.hurt
        harm += weight * them.hurt
    before = (_bad(attacker.host, came[0]), _bad(defender.host, came[1]))
    return AttackEstimate(win, lose, wipe, perish, cost - before[0], harm - before[1])


def _pairs(
    mine: dict[Host, float], theirs: dict[Host, float]
) -> Iterable[tuple[tuple[Host, Host], float]]:
    for ours, often in mine.items():
        for foes, as_often in theirs.items():
            yield (ours, foes), often * as_often


def after_fire(
    law: CampaignTables, testers: ForceEstimate, firers: ForceEstimate
) -> dict[Host, float]:
    """Return the states of the testers after the enemy's fire, each with its chance."""
    if not any(troops.fire for troops in firers.host):
        return {testers.host: 1.0}
    change = _fire_change(law, testers, firers)
    return _spread(law, testers.host, change)


def after_melee(
    law: CampaignTables, testers: ForceEstimate, enemy: ForceEstimate
) -> dict[Host, float]:
    """Return the states of the testers after the enemy's melee, each with its chance."""
    if not testers.host or not any(troops.melee for troops in enemy.host):
        return {testers.host: 1.0}
    return _spread(law, testers.host, _melee_change(law, testers, enemy))


def fate_share(
    law: CampaignTables, testers: ForceEstimate, enemy: ForceEstimate, came: Host
) -> float:
    """Return the chance that the testers, who came as `came`, are beaten after the melee."""
    return _after_melee(law, testers, enemy, _size(came)).beaten


class MeleeEstimate(NamedTuple):
    """The result of a melee for one side: chances to be beaten and gone, share of units hurt."""

    beaten: float
    gone: float
    hurt: float


@lru_cache(maxsize=800)
def _after_melee(
    law: CampaignTables, testers: ForceEstimate, enemy: ForceEstimate, came: int
) -> MeleeEstimate:
    if not testers.host:
        return MeleeEstimate(1, 1, 1)
    left = after_melee(law, testers, enemy)
    needed = law.number("combat.lost_at") / 100
    shares = [(_bad(one, came), one, weight) for one, weight in left.items()]
    return MeleeEstimate(
        sum(weight for bad, _, weight in shares if bad >= needed),
        sum(weight for _, one, weight in shares if not one),
        sum(bad * weight for bad, _, weight in shares),
    )


def _size(troops: Host) -> int:
    return sum(one.size for one in troops)


def _bad(left: Host, came: int) -> float:
    """Return the share of those who came that is disrupted or dead (9.8)."""
    return (came - sum(troops.steady for troops in left)) / came


def _fire_change(law: CampaignTables, testers: ForceEstimate, firers: ForceEstimate) -> int:
    shooters = {troops.quality: troops.shooters * troops.size for troops in firers.host}
    all_shots = sum(shooters.values())
    veterans = shooters.get(Quality.VETERAN, 0)
    rabble = shooters.get(Quality.RABBLE, 0) + shooters.get(Quality.FANATIC, 0)
    change = testers.ground + testers.water
    change += law.modifier("fire.veterans").value * (veterans * 2 >= all_shots)
    change += law.modifier("fire.rabble").value * (rabble * 2 >= all_shots)
    guns, answering = (
        sum(troops.guns * troops.worth for troops in side.host) for side in (firers, testers)
    )
    if guns and guns >= law.number("fire.guns") * answering:
        change += law.modifier("fire.guns").value
    rifles = sum(t.fire * t.worth for t in firers.host if t.quality is not Quality.FANATIC)
    volleys = int(rifles // law.number("fire.volume"))
    change += law.modifier("fire.volume").value * volleys
    return change + (testers.tactical if leads_in_fire(firers.host) else 0)


def leads_in_fire(enemy: Host) -> bool:
    """Return whether a leader helps more under this enemy's fire than in the melee (7.3)."""
    fire = sum(troops.fire * troops.worth for troops in enemy)
    return fire >= sum(troops.melee * troops.worth for troops in enemy)


def _melee_change(law: CampaignTables, testers: ForceEstimate, enemy: ForceEstimate) -> int:
    strength, against = _strength(testers.host), _strength(enemy.host)
    rush = sum(t.melee * t.steady for t in enemy.host if t.quality is Quality.FANATIC)
    change = testers.ground
    if rush and rush >= strength:
        change += law.modifier("melee.fanatics").value
    for key in ("melee.odds4", "melee.odds3", "melee.odds2"):
        if strength and strength >= law.number(key) * against:
            change += law.modifier(key).value
            break
    horse, other = (sum(t.horse * t.worth for t in side.host) for side in (testers, enemy))
    open_ground = not (testers.closed or enemy.closed)
    if open_ground and horse and horse >= law.number("melee.cavalry") * other:
        change += law.modifier("melee.cavalry").value
    return change + (0 if leads_in_fire(enemy.host) else testers.tactical)


def _strength(troops: Host) -> float:
    return sum(one.melee * one.worth for one in troops)


@lru_cache(maxsize=800)
def _spread(law: CampaignTables, testers: Host, change: int) -> dict[Host, float]:
    """Return the states of a host after two dice with this modifier, each with its chance."""
    found: dict[Host, float] = {}
    for total, ways in _DICE:
        left = _suffer(law, testers, total + change)
        found[left] = found.get(left, 0) + ways / _WAYS
    return found


def _suffer(law: CampaignTables, testers: Host, total: int) -> Host:
    """Return the host after this result: disrupted units are eliminated first (9.4, 9.5)."""
    lowest = lowest_quality_of(testers)
    most = law.combat(lowest, total)
    size = _size(testers)
    room = [_part(size, most.eliminated), _part(size, most.disrupted)]
    left = []
    for troops in testers:
        result = law.combat(troops.quality, total)
        out = min(room[0], _part(troops.size, result.eliminated))
        hurt = min(room[1], _part(troops.size, result.disrupted))
        room = [room[0] - out, room[1] - hurt]
        left.append(_reduce(troops, out, hurt))
    return tuple(troops for troops in left if troops.size)


def lowest_quality_of(testers: Host) -> Quality:
    """Return the lowest quality of a host."""
    present = {troops.quality for troops in testers}
    order = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)
    return next(quality for quality in order if quality in present)


def _part(size: int, percent: int) -> int:
    return max(1, size * percent // 100) if percent and size else 0


def _reduce(troops: TroopsByQuality, out: int, hurt: int) -> TroopsByQuality:
    from_shaken = min(out, troops.shaken)
    steady = max(0, troops.steady - (out - from_shaken))
    shaken = troops.shaken - from_shaken
    newly = min(hurt, steady)
    shaken = max(0, shaken - (hurt - newly)) + newly
    return troops._replace(steady=steady - newly, shaken=shaken)


def lead(state: State, offered: Options) -> a.AnyAction:
    """Have the best tactician help in the round in which the enemy is more dangerous."""
    law = laws(state)
    leaders = board(state).named(offered.leaders)
    best = min(leaders, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    enemy = board(state).named(current_combat(state).force(offered.side.enemy).units)
    return a.Lead(best.id, "fire" if leads_in_fire(host(law, enemy)) else "melee")
