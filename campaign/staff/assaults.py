"""What several attacks one after the other can do to a garrison (9.1, 9.8).

A garrison in a town or village need not retreat, so it has to be destroyed, wave by wave.

How much hangs on a siege this turn, by what the scenario counts (4.1).

Whether to attack, and whom (9.1): what it may win, what it costs, who can follow.
"""

from collections.abc import Sequence
from functools import lru_cache

from battles.contract.brief import Kind, Nation, Side
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.book import Book
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
"""So many states of the garrison, the weak and the strong, are followed from wave to wave."""


@lru_cache(maxsize=400)
def storm(law: Book, waves: tuple[ForceEstimate, ...], garrison: ForceEstimate) -> float:
    """Return the chance that these waves, one after the other, leave nobody of the garrison."""
    left: dict[Host, float] = {garrison.host: 1.0}
    fallen = 0.0
    for wave in waves:
        left = _after(law, wave, garrison, _sampled(left)) if left else {}
        fallen += left.pop((), 0.0)
    return fallen


def _sampled(left: dict[Host, float]) -> dict[Host, float]:
    """Return a few states for all: of each part, from the weakest to the strongest, the likeliest."""
    parts: dict[int, list[tuple[Host, float]]] = {}
    share, passed = sum(left.values()) / _BRANCHES, 0.0
    for one, weight in sorted(left.items(), key=lambda item: (_strength(item[0]), item[0])):
        parts.setdefault(int(passed / share), []).append((one, weight))
        passed += weight
    return {
        max(part, key=lambda item: item[1])[0]: sum(weight for _, weight in part)
        for part in parts.values()
    }


def _strength(host: Host) -> float:
    return sum(troops.worth for troops in host)


def _after(
    law: Book, wave: ForceEstimate, garrison: ForceEstimate, left: dict[Host, float]
) -> dict[Host, float]:
    """What is left of the garrison after this wave, which attacks again where it has won."""
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
    law: Book, attacker: ForceEstimate, defender: ForceEstimate
) -> tuple[tuple[bool, Host, float], ...]:
    """One attack: whether it is won, what it leaves of the defender, and how often."""
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


def _is_beaten(law: Book, left: Host, came: Host) -> bool:
    size = sum(troops.size for troops in came)
    bad = size - sum(troops.steady for troops in left)
    return bad * 100 >= size * law.number("combat.lost_at")


def _add(found: dict[tuple[bool, Host], float], key: tuple[bool, Host], weight: float) -> None:
    if weight:
        found[key] = found.get(key, 0) + weight


def stake(scene: StaffScene, hex_id: HexId) -> float:
    """From 0 to 1: how near the count is to deciding the campaign if the siege here goes on.

    1 where this turn's end decides it, either way.
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
"""Sizes of a wave that are thought about."""

SIEGE = 30.0
"""What it is worth to break a siege that decides the campaign this turn."""

REACH = 7
"""Points from the foot of the walls that bands can cover before they storm."""


def worth_of(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return how much an attack from `start` is worth, about in units won; 0: better not."""
    if scene.side is Side.MAHDIST and _need_not_retreat(scene, target):
        return _storm(scene, units, start, target)
    chance = estimate_attack(scene.state, units, start, target)
    if scene.side is Side.MAHDIST:
        return _charge(scene, units, target, chance)
    return _advance(scene, units, start, target, chance)


def _need_not_retreat(scene: StaffScene, target: HexId) -> bool:
    return scene.board.in_town(target, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _storm(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """A garrison has to be destroyed: are there waves enough for it?"""
    mine = sum(is_fighter(unit) for unit in units)
    if not mine:
        return 0
    waves = min(MOST_WAVES, 1 + reserves(scene, units, target) // mine)
    wave = attacker_of(scene.state, units, start, target)
    garrison = defender_of(scene.state, units, start, target)
    chance = storm(scene.law, (wave,) * waves, garrison)
    return chance * prize(scene, target) if chance >= _least_chance(scene, target) else 0


def wave_size(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> int:
    """Fighters of a wave, so that all who can come this turn have the best chance together."""
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
    """What wins the campaign is worth many tries; once shaken a garrison is worth another."""
    garrison = scene.foes.get(target, [])
    shaken = sum(unit.disrupted for unit in garrison) * 2 >= len(garrison)
    least = 0.02 if _decides(scene, target) else 0.25
    return least / 2 if shaken else least


def _decides(scene: StaffScene, target: HexId) -> bool:
    """Return whether the campaign is won with this place, or with its general (4.1, 4.2)."""
    return wins(scene, target) or _has_chief(scene, target)


def _has_chief(scene: StaffScene, target: HexId) -> bool:
    stack = scene.board.stack(scene.side.enemy, target)
    return any(unit.kind is Kind.LEADER and unit.nation is Nation.BRITISH for unit in stack)


def reserves(scene: StaffScene, units: Sequence[Unit], target: HexId) -> int:
    """Return the steady fighters near the target that can still march this turn, these left out."""
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
    """Men are cheap to the Mahdi: what it costs him counts for a third."""
    won = chance.harm * scene.power_at(target) + chance.wipe * prize(scene, target)
    lost = chance.cost * power(scene.law, units) * (1.5 if _leads(units) else 0.4)
    if chance.win < 0.3:
        return 0
    return max(0.0, won - lost)


def _leads(units: Sequence[Unit]) -> bool:
    return any(unit.kind is Kind.LEADER for unit in units)


def _advance(
    scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId, chance: AttackEstimate
) -> float:
    """What the Egyptian player loses he hardly gets back; but hunger drives a garrison out."""
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
    """What it is worth to destroy the enemy in this hex, beside his men."""
    stack = scene.board.stack(scene.side.enemy, target)
    worth = 3.0
    if _decides(scene, target):
        worth += 60
    if any(unit.kind is Kind.LEADER for unit in stack):
        worth += 12
    if any(unit.kind in (Kind.SUPPLY, Kind.CIVILIANS) for unit in stack):
        worth += 6
    if scene.board.in_town(target, PlaceClass.TOWN):
        worth += 10
    elif scene.ground.hexes[target].place:
        worth += 4
    return worth


def near_targets(scene: StaffScene, hex_id: HexId, points: int) -> list[HexId]:
    """Enemy land stacks that a march of so many points might come next to."""
    enemy = sorted(scene.board.occupied[scene.side.enemy])
    return [there for there in enemy if scene.ground.distance(hex_id, there) <= points + 1]
