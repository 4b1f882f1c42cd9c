"""Whether to attack, and whom (9.1): what it may win, what it costs, who can follow."""

from collections.abc import Sequence

from campaign.rules.map import HexId, PlaceClass
from campaign.rules.pieces import Kind, Nation, Side
from campaign.rules.state import Unit
from campaign.staff.odds import Odds, attacker_of, defender_of, odds
from campaign.staff.scene import Scene, is_british, is_fighter, power
from campaign.staff.stakes import stake, wins
from campaign.staff.storms import storm
from campaign.staff.supply import feared

MOST_WAVES = 10
WAVES = (4, 5, 6, 8)
"""Sizes of a wave that are thought about."""

SIEGE = 30.0
"""What it is worth to break a siege that decides the campaign this turn."""

REACH = 7
"""Points from the foot of the walls that bands can cover before they storm."""


def worth_of(scene: Scene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """How much an attack from `start` is worth, about in units won; 0: better not."""
    if scene.side is Side.MAHDIST and _need_not_retreat(scene, target):
        return _storm(scene, units, start, target)
    chance = odds(scene.state, units, start, target)
    if scene.side is Side.MAHDIST:
        return _charge(scene, units, target, chance)
    return _advance(scene, units, start, target, chance)


def _need_not_retreat(scene: Scene, target: HexId) -> bool:
    return scene.board.in_town(target, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _storm(scene: Scene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """A garrison has to be destroyed: are there waves enough for it?"""
    mine = sum(is_fighter(unit) for unit in units)
    if not mine:
        return 0
    waves = min(MOST_WAVES, 1 + reserves(scene, units, target) // mine)
    wave = attacker_of(scene.state, units, start, target)
    garrison = defender_of(scene.state, units, start, target)
    chance = storm(scene.law, (wave,) * waves, garrison)
    return chance * prize(scene, target) if chance >= _least_chance(scene, target) else 0


def wave_size(scene: Scene, units: Sequence[Unit], start: HexId, target: HexId) -> int:
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


def _least_chance(scene: Scene, target: HexId) -> float:
    """What wins the campaign is worth many tries; once shaken a garrison is worth another."""
    garrison = scene.foes.get(target, [])
    shaken = sum(unit.disrupted for unit in garrison) * 2 >= len(garrison)
    least = 0.02 if _decides(scene, target) else 0.25
    return least / 2 if shaken else least


def _decides(scene: Scene, target: HexId) -> bool:
    """Whether the campaign is won with this place, or with its general (4.1, 4.2)."""
    return wins(scene, target) or _has_chief(scene, target)


def _has_chief(scene: Scene, target: HexId) -> bool:
    stack = scene.board.stack(scene.side.enemy, target)
    return any(unit.kind is Kind.LEADER and unit.nation is Nation.BRITISH for unit in stack)


def reserves(scene: Scene, units: Sequence[Unit], target: HexId) -> int:
    """The steady fighters near the target that can still march this turn, these left out."""
    gone = set(scene.state.marched) | {unit.id for unit in units}
    way = scene.way_to(*scene.doorsteps(target))
    return sum(
        unit.id not in gone and not unit.disrupted
        for hex_id, host in scene.hosts.items()
        if way[hex_id] <= REACH
        for unit in host
    )


def _charge(scene: Scene, units: Sequence[Unit], target: HexId, chance: Odds) -> float:
    """Men are cheap to the Mahdi: what it costs him counts for a third."""
    won = chance.harm * scene.power_at(target) + chance.wipe * prize(scene, target)
    lost = chance.cost * power(scene.law, units) * (1.5 if _leads(units) else 0.4)
    if chance.win < 0.3:
        return 0
    return max(0.0, won - lost)


def _leads(units: Sequence[Unit]) -> bool:
    return any(unit.kind is Kind.LEADER for unit in units)


def _advance(
    scene: Scene, units: Sequence[Unit], start: HexId, target: HexId, chance: Odds
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


def prize(scene: Scene, target: HexId) -> float:
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


def near_targets(scene: Scene, hex_id: HexId, points: int) -> list[HexId]:
    """Enemy land stacks that a march of so many points might come next to."""
    enemy = sorted(scene.board.occupied[scene.side.enemy])
    return [there for there in enemy if scene.ground.distance(hex_id, there) <= points + 1]
