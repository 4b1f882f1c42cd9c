"""Judge attacks: the chance to win, the gain and the cost, and how many waves can follow (9.1).

A garrison in a town or village need not retreat, so it has to be destroyed wave by wave (9.8). A
siege weighs more, the closer the scenario's count is to deciding the campaign (4.1).
"""

from collections.abc import Sequence
from functools import lru_cache

from battles.contract.brief import Nation, Side, TroopKind
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.book import CampaignTables
from campaign.staff.combat_estimate import (
    AttackEstimate,
    ForceEstimate,
    Host,
    after_fire,
    after_melee,
    attacker_of,
    defender_of,
    estimate_attack,
    fate_share,
)
from campaign.staff.losses import feared
from campaign.staff.scene import StaffScene, is_british, is_fighter, power

_BRANCHES = 12
"""The number of garrison states, weak and strong, that are followed from wave to wave."""


@lru_cache(maxsize=400)
def storm(law: CampaignTables, waves: tuple[ForceEstimate, ...], garrison: ForceEstimate) -> float:
    """Return the chance that these waves, one after the other, destroy the whole garrison."""
    left: dict[Host, float] = {garrison.host: 1.0}
    fallen = 0.0
    for wave in waves:
        left = _after(law, wave, garrison, _sampled(left)) if left else {}
        fallen += left.pop((), 0.0)
    return fallen


def _sampled(left: dict[Host, float]) -> dict[Host, float]:
    """Return a few states that stand for all: the likeliest of each part, weakest part first."""
    parts: dict[int, list[tuple[Host, float]]] = {}
    share, passed = sum(left.values()) / _BRANCHES, 0.0
    for one, weight in sorted(
        left.items(), key=lambda item: (sum(troops.worth for troops in item[0]), item[0])
    ):
        parts.setdefault(int(passed / share), []).append((one, weight))
        passed += weight
    return {
        max(part, key=lambda item: item[1])[0]: sum(weight for _, weight in part)
        for part in parts.values()
    }


def _after(
    law: CampaignTables, wave: ForceEstimate, garrison: ForceEstimate, left: dict[Host, float]
) -> dict[Host, float]:
    """Return the states of the garrison after this wave, which attacks again after a win."""
    found: dict[Host, float] = {}
    for now, weight in left.items():
        for won, then, chance in onslaught(law, wave, garrison._replace(host=now)):
            if won and then:
                for _, last, again in onslaught(law, _spent(wave), garrison._replace(host=then)):
                    found[last] = found.get(last, 0) + weight * chance * again
            else:
                found[then] = found.get(then, 0) + weight * chance
    return found


def _spent(wave: ForceEstimate) -> ForceEstimate:
    """Return the wave after an attack that it won: a quarter of it is disrupted."""
    host = tuple(
        troops._replace(
            steady=troops.steady - troops.steady // 4, shaken=troops.shaken + troops.steady // 4
        )
        for troops in wave.host
    )
    return wave._replace(host=host)


@lru_cache(maxsize=400)
def onslaught(
    law: CampaignTables, attacker: ForceEstimate, defender: ForceEstimate
) -> tuple[tuple[bool, Host, float], ...]:
    """Return the results of one attack: whether it wins, the defender left, and the chance."""
    found: dict[tuple[bool, Host], float] = {}
    for ours, often in after_fire(law, attacker, defender).items():
        for foes, as_often in after_fire(law, defender, attacker).items():
            us, them = attacker._replace(host=ours), defender._replace(host=foes)
            hold = 1 - fate_share(law, us, them, attacker.host)
            for left, chance in after_melee(law, them, us).items():
                weight = often * as_often * chance
                if not left or _is_beaten(law, left, defender.host):
                    _add(found, (True, left), weight * hold)
                    _add(found, (False, left), weight * (1 - hold))
                else:
                    _add(found, (False, left), weight)
    return tuple((won, left, weight) for (won, left), weight in sorted(found.items()))


def _is_beaten(law: CampaignTables, left: Host, came: Host) -> bool:
    size = sum(troops.size for troops in came)
    bad = size - sum(troops.steady for troops in left)
    return bad * 100 >= size * law.number("combat.lost_at")


def _add(found: dict[tuple[bool, Host], float], key: tuple[bool, Host], weight: float) -> None:
    if weight:
        found[key] = found.get(key, 0) + weight


def stake(scene: StaffScene, hex_id: HexId) -> float:
    """Return the siege's progress towards deciding the campaign, from 0 to 1.

    1 means that the end of this turn decides it, either way.
    """
    return max((_share(scene, one) for one in _counted(scene, hex_id)), default=0)


def wins(scene: StaffScene, hex_id: HexId) -> bool:
    """Return whether the side wins the campaign by coming into this place."""
    return any(
        isinstance(one, v.PlaceCaptured)
        and one.winner is scene.side
        and scene.hex(one.place) == hex_id
        for one in scenario_of(scene.state).victory
    )


def _counted(scene: StaffScene, hex_id: HexId) -> list[v.Unbesieged | v.SiegeMaintained]:
    found: list[v.Unbesieged | v.SiegeMaintained] = []
    for one in scenario_of(scene.state).victory:
        if isinstance(one, v.SiegeMaintained) and scene.hex(one.place) == hex_id:
            found.append(one)
        if isinstance(one, v.Unbesieged) and hex_id in map(scene.hex, one.places):
            found.append(one)
    return found


def _share(scene: StaffScene, condition: v.Unbesieged | v.SiegeMaintained) -> float:
    turns = scene.state.tallies.get(f"turns:{condition.winner}", 0)
    return turns / (condition.turns - 1) if condition.turns > 1 else 1


MOST_WAVES = 10
WAVES = (4, 5, 6, 8)
"""Sizes of a wave that are tried."""

SIEGE = 30.0
"""The worth of breaking a siege that decides the campaign this turn."""

REACH = 7
"""Movement points from the walls within which bands can join the assault."""


def worth_of(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return the worth of an attack from `start`, about in units won; 0 means no attack."""
    if scene.side is Side.MAHDIST and _need_not_retreat(scene, target):
        return _storm(scene, units, start, target)
    chance = estimate_attack(scene.state, units, start, target)
    if scene.side is Side.MAHDIST:
        return _charge(scene, units, target, chance)
    return _advance(scene, units, start, target, chance)


def _need_not_retreat(scene: StaffScene, target: HexId) -> bool:
    return scene.board.in_town(target, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _storm(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return the worth of storming a garrison; 0 if there are too few waves to destroy it."""
    mine = sum(is_fighter(unit) for unit in units)
    if not mine:
        return 0
    waves = min(MOST_WAVES, 1 + reserves(scene, units, target) // mine)
    wave = attacker_of(scene.state, units, start, target)
    garrison = defender_of(scene.state, units, start, target)
    chance = storm(scene.law, (wave,) * waves, garrison)
    return chance * prize(scene, target) if chance >= _least_chance(scene, target) else 0


def wave_size(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> int:
    """Return the fighters of a wave for the best chance of all waves that can come this turn."""
    fighters = [unit for unit in units if is_fighter(unit)]
    total = len(fighters) + reserves(scene, units, target)
    garrison = defender_of(scene.state, units, start, target)
    chances = {}
    for size in WAVES:
        men = fighters[:size]
        waves = min(MOST_WAVES, total // size)
        if men and len(men) == size:
            wave = attacker_of(scene.state, men, start, target)
            chances[size] = storm(scene.law, (wave,) * waves, garrison)
    return max(chances, key=lambda size: (chances[size], size), default=len(fighters))


def _least_chance(scene: StaffScene, target: HexId) -> float:
    """Return the least chance to try: low if it decides the campaign, halved if it is shaken."""
    garrison = scene.foes.get(target, [])
    shaken = sum(unit.disrupted for unit in garrison) * 2 >= len(garrison)
    least = 0.02 if _decides(scene, target) else 0.25
    return least / 2 if shaken else least


def _decides(scene: StaffScene, target: HexId) -> bool:
    """Return whether the campaign is won with this place, or with its general (4.1, 4.2)."""
    return wins(scene, target) or _has_chief(scene, target)


def _has_chief(scene: StaffScene, target: HexId) -> bool:
    stack = scene.board.stack(scene.side.enemy, target)
    return any(unit.kind is TroopKind.LEADER and unit.nation is Nation.BRITISH for unit in stack)


def reserves(scene: StaffScene, units: Sequence[Unit], target: HexId) -> int:
    """Return the number of other steady fighters near the target that can still march this turn."""
    gone = set(scene.state.marched) | {unit.id for unit in units}
    way = scene.way_to(*scene.doorsteps(target))
    return sum(
        unit.id not in gone and not unit.disrupted
        for hex_id, host in scene.hosts.items()
        if way[hex_id] <= REACH
        for unit in host
    )


def _charge(
    scene: StaffScene, units: Sequence[Unit], target: HexId, chance: AttackEstimate
) -> float:
    """Return the worth of a Mahdist charge: fighters are cheap, so losses count for less."""
    won = chance.harm * scene.power_at(target) + chance.wipe * prize(scene, target)
    led = any(unit.kind is TroopKind.LEADER for unit in units)
    lost = chance.cost * power(scene.law, units) * (1.5 if led else 0.4)
    if chance.win < 0.3:
        return 0
    return max(0.0, won - lost)


def _advance(
    scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId, chance: AttackEstimate
) -> float:
    """Return the worth of an Egyptian attack: losses count in full; a siege forces it out."""
    least = 0.5 if any(map(is_british, units)) else 0.45
    won = chance.harm * scene.power_at(target) + chance.wipe * prize(scene, target)
    lost = chance.cost * power(scene.law, units)
    if scene.besieged(start):
        at_stake = stake(scene, start)
        least -= 0.15 + 0.25 * at_stake
        freed = 1.5 * feared(scene, start) + SIEGE * at_stake
        won += chance.win * freed / max(1, len(scene.besiegers(start)))
    if chance.win < least or chance.perish > 0.1:
        return 0
    return max(0.0, won - lost)


def prize(scene: StaffScene, target: HexId) -> float:
    """Return the worth of destroying the enemy in this hex, beyond the units themselves."""
    stack = scene.board.stack(scene.side.enemy, target)
    worth = 3.0
    if _decides(scene, target):
        worth += 60
    if any(unit.kind is TroopKind.LEADER for unit in stack):
        worth += 12
    if any(unit.kind in (TroopKind.SUPPLY, TroopKind.CIVILIANS) for unit in stack):
        worth += 6
    if scene.board.in_town(target, PlaceClass.TOWN):
        worth += 10
    elif scene.ground.hexes[target].place:
        worth += 4
    return worth


def near_targets(scene: StaffScene, hex_id: HexId, points: int) -> list[HexId]:
    """Return the hexes of enemy land stacks that a march of `points` might come next to."""
    enemy = sorted(scene.board.occupied[scene.side.enemy])
    return [there for there in enemy if scene.ground.distance(hex_id, there) <= points + 1]
