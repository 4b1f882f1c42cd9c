"""Judge attacks: the chance to win, the gain and the cost, and how many waves can follow (9.1).

A garrison in a town or village need not retreat, so it has to be destroyed wave by wave (9.8). A
siege weighs more, the closer the scenario's count is to deciding the campaign (4.1).
"""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from battles.contract.brief import Nation, Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.board import scenario_of
from campaign.rules.core.options import Options
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import Unit, current_combat
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.stacks import decisive_nations, fire_factor
from campaign.rules.tables import scenario_data as v
from campaign.staff.combat_estimate import (
    AttackEstimate,
    Storming,
    attacker_of,
    defender_of,
    estimate_attack,
    leads_in_fire,
    storming,
)
from campaign.staff.host_states import host
from campaign.staff.losses import expected_thirst_loss
from campaign.staff.scene import StaffScene, is_british, is_fighter, power, size, thirst, wins


def stake(scene: StaffScene, hex_id: HexId) -> float:
    """Return the siege's progress towards deciding the campaign, from 0 to 1.

    1 means that the end of this turn decides it, either way.
    """
    return max((_share(scene, condition) for condition in _conditions_at(scene, hex_id)), default=0)


def _conditions_at(scene: StaffScene, hex_id: HexId) -> list[v.Unbesieged | v.SiegeMaintained]:
    conditions: list[v.Unbesieged | v.SiegeMaintained] = []
    for condition in scenario_of(scene.state).victory:
        if isinstance(condition, v.SiegeMaintained) and scene.hex(condition.place) == hex_id:
            conditions.append(condition)
        if isinstance(condition, v.Unbesieged) and hex_id in map(scene.hex, condition.places):
            conditions.append(condition)
    return conditions


def _share(scene: StaffScene, condition: v.Unbesieged | v.SiegeMaintained) -> float:
    turns = scene.state.tallies.get(f"turns:{condition.winner}", 0)
    return turns / (condition.turns - 1) if condition.turns > 1 else 1


MOST_WAVES = 10
WAVES = (4, 5, 6, 8)
"""Sizes of a wave that are tried. Smaller ones are worn out on the way."""

SIEGE = 30.0
"""The worth of breaking a siege that decides the campaign this turn."""

REACH = 7
"""Movement points from the walls within which bands can join the assault."""


def worth_of(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return the worth of an attack from `start`, about in units won; 0 means no attack."""
    # All else that it depends on stays as it is while the scene does, until a unit moves.
    key = (start, target, len(scene.state.marched), *[(unit.id, unit.disrupted) for unit in units])
    if key not in scene.worths:
        scene.worths[key] = _worth(scene, units, start, target)
    return scene.worths[key]


def _worth(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    if scene.side is Side.MAHDIST and need_not_retreat(scene, target):
        return _storm(scene, units, start, target)
    chance = estimate_attack(scene.state, units, start, target)
    if scene.side is Side.MAHDIST:
        worth = _charge(scene, units, target, chance)
        # A general in the open is worn down by wave after wave, as if he stood behind walls.
        return max(worth, _storm(scene, units, start, target)) if chief_at(scene, target) else worth
    return _advance(scene, units, start, target, chance)


def need_not_retreat(scene: StaffScene, target: HexId) -> bool:
    """Return whether a beaten stack may stand fast in this hex (9.8)."""
    return scene.board.in_town(target, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _storm(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return the worth of storming a garrison; 0 if too few waves can come to destroy it.

    Where nobody else is to come, waves that cannot destroy it may still wear it down for the next.
    """
    fighters = sum(is_fighter(unit) for unit in units)
    if fighters < min(FEWEST, len(scene.foes.get(target, ())) + 1):
        return 0
    others, way = reserves(scene, units, target), (start, target)
    waves = min(MOST_WAVES, 1 + len(others) // fighters)
    hope = _hope(scene, units, others, way, waves)
    likely = hope.chance >= _least_chance(scene, target)
    if not likely and (hope.worn < WORN or not _may_be_worn(scene, target)):
        return 0
    to_come = 0 if _has_begun(scene, target) else _to_come(scene, target)
    if to_come > AWAITED * (fighters + len(others)):
        # Bands wait for them, but let no likely storm pass that could fail as easily next month.
        waves = min(MOST_WAVES, 1 + (len(others) + to_come) // fighters)
        later = _hope(scene, units, others, way, waves).chance if _stays(scene, target) else 0.0
        if not likely or later > BETTER_LATER * hope.chance:
            return 0
    return hope.chance * prize(scene, target) if likely else hope.worn * scene.power_at(target)


def _may_be_worn(scene: StaffScene, target: HexId) -> bool:
    """Return whether it is worth while to wear that garrison down month by month.

    While hunger takes more of it than waves would, nobody is spent on its walls (10.3).
    """
    if _is_sat_round(scene, target) or not wins_by_destroying(scene, target):
        return False
    garrison = scene.board.land(scene.side.enemy, target)
    return thirst(scene.state, scene.side.enemy, target, size(garrison)) < STARVED


def _stays(scene: StaffScene, target: HexId) -> bool:
    """Return whether there is a next month, and enemies will be there in no better order."""
    in_place = need_not_retreat(scene, target) and not _is_shaken(scene, target)
    return in_place and bool(_time_left(scene))


def _is_shaken(scene: StaffScene, target: HexId) -> bool:
    """Return whether half of a garrison or more is in disorder, which may recover."""
    garrison = scene.foes.get(target, [])
    return sum(unit.disrupted for unit in garrison) * 2 >= len(garrison)


BETTER_LATER = 2.0
"""A storm is put off if it is so many times as likely to succeed next month."""

WORN = 0.04
"""The share of a garrison whose destruction is worth a storm that can hardly take the place."""

STARVED = 1.0
"""The units that hunger takes from a garrison in a month, above which it is left to hunger."""

AWAITED = 0.34
"""The share of the men at hand for which it is worth to wait, if so many are still to come."""

ON_THE_WAY = 24
"""Movement points from the walls within which bands may be on their way to them."""


def _to_come(scene: StaffScene, target: HexId) -> int:
    """Return the fighters who can join in later: those on the way, and those in disorder here."""
    way = scene.way_to(*scene.doorsteps(target))
    near = [
        unit for hex_id, host in scene.hosts.items() if way[hex_id] <= ON_THE_WAY for unit in host
    ]
    return sum(unit.disrupted or way[unit.hex] > REACH for unit in near)


def wave_size(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> int:
    """Return the fighters of a wave for the best chance of all waves that can come this turn."""
    fighters = [unit for unit in units if is_fighter(unit)]
    others = reserves(scene, units, target)
    chances = {}
    for number in WAVES:
        men, left = fighters[:number], fighters[number:] + others
        if men and len(men) == number:
            waves = min(MOST_WAVES, 1 + len(left) // number)
            chances[number] = _hope(scene, men, left, (start, target), waves).chance
    return max(chances, key=lambda number: (chances[number], number), default=len(fighters))


class _Hope(NamedTuple):
    """The chance that waves destroy a garrison, and the share that they destroy."""

    chance: float
    worn: float


def _hope(
    scene: StaffScene,
    men: Sequence[Unit],
    others: Sequence[Unit],
    way: tuple[HexId, HexId],
    waves: int,
) -> _Hope:
    """Return the hope of so many waves, of these men and of others who can follow this turn.

    It lies between those of waves with men who fire and without, by the share that have them.
    """
    garrison = defender_of(scene.state, men, *way)
    shooters = [unit for unit in (*men, *others) if fire_factor(scene.law, unit)]
    foot = [unit for unit in men if not fire_factor(scene.law, unit)]
    mixed = list(men) if len(foot) < len(men) else foot[1:] + shooters[:1]
    armed = min(waves, len(shooters)) / waves
    chance = worn = 0.0
    for wave, share in ((mixed, armed), (foot, 1 - armed)):
        if share and any(map(is_fighter, wave)):
            attacker = attacker_of(scene.state, wave, *way)
            attack = storming(scene.law, attacker, garrison)
            chance += share * attack.chance(waves)
            worn += share * attack.worn(waves)
    return _Hope(chance, worn)


def prospect(scene: StaffScene, target: HexId, waves: int) -> float:
    """Return the chance that so many waves destroy the enemies there, each with one man who fires.

    It says how hard they are to destroy, wherever the bands are that would have to do it.
    """
    if target not in scene.storms:
        scene.storms[target] = _storm_by_any(scene, target)
    storm = scene.storms[target]
    return storm.chance(min(waves, MOST_WAVES)) if storm is not None else 0.0


def _storm_by_any(scene: StaffScene, target: HexId) -> Storming | None:
    """Return the storm of that hex by waves of the first men at hand; None without enough men."""
    steady = [unit for host in scene.hosts.values() for unit in host if not unit.disrupted]
    shooters = (unit for unit in steady if fire_factor(scene.law, unit))
    foot = (unit for unit in steady if not fire_factor(scene.law, unit))
    wave, steps = [*islice(shooters, 1), *islice(foot, WAVES[1] - 1)], scene.doorsteps(target)
    if len(wave) < FEWEST or not steps:
        return None
    garrison = defender_of(scene.state, wave, steps[0], target)
    attacker = attacker_of(scene.state, wave, steps[0], target)
    return storming(scene.law, attacker, garrison)


def _least_chance(scene: StaffScene, target: HexId) -> float:
    """Return the least chance to try, halved if the garrison is shaken.

    It is low where the campaign is decided, and hardly counts when there is no time to gather more.
    """
    if _is_sat_round(scene, target):
        return SURE
    least = 0.25
    if _decides(scene, target):
        late = _time_left(scene) < NO_TIME or _has_begun(scene, target)
        least = LAST_HOPE if late else FEW_WAVES
    return least / 2 if _is_shaken(scene, target) else least


def _time_left(scene: StaffScene) -> int:
    """Return the months after this one."""
    return scenario_of(scene.state).last_month - scene.state.month


def _is_sat_round(scene: StaffScene, target: HexId) -> bool:
    return any(aim.sit and scene.hex(aim.place) == target for aim in scene.plans.aim)


FEWEST = 3
"""The fewest fighters of a wave."""

FEW_WAVES, LAST_HOPE = 0.12, 0.02
"""The least chance of a storm that decides the campaign: with time left to gather, and without."""

NO_TIME = 6
"""The last months, in which nobody waits for more waves."""


def _has_begun(scene: StaffScene, target: HexId) -> bool:
    """Return whether waves of this turn have gone before, in vain unless others follow.

    Their men stand before the walls, or lie beaten close by.
    """
    marched, way = scene.state.marched, scene.way_to(*scene.doorsteps(target))
    near = [
        unit for hex_id, host in scene.hosts.items() if way[hex_id] <= BEATEN_BACK for unit in host
    ]
    gone = [unit for unit in near if unit.id in marched]
    beaten = sum(unit.disrupted for unit in gone)
    return beaten >= FEWEST - 1 or any(not way[unit.hex] for unit in gone)


BEATEN_BACK = 3
"""Movement points from the walls to which a beaten wave falls back."""

SURE = 0.5
"""The least chance of a storm for bands that are to sit round the place."""


def _decides(scene: StaffScene, target: HexId) -> bool:
    """Return whether the campaign is won with this place, or with its general (4.1, 4.2)."""
    return wins(scene, target) or chief_at(scene, target)


def wins_by_destroying(scene: StaffScene, target: HexId) -> bool:
    """Return whether the scenario's conditions are met by destroying the enemies there."""
    nations = decisive_nations(scene.state, scene.side)
    stack = scene.board.stack(scene.side.enemy, target)
    by_stack = any(unit.kind is TroopKind.LEADER and unit.nation in nations for unit in stack)
    return by_stack or wins(scene, target)


def chief_at(scene: StaffScene, target: HexId) -> bool:
    """Return whether a British leader is there, on whom bands send wave after wave."""
    stack = scene.board.stack(scene.side.enemy, target)
    return any(unit.kind is TroopKind.LEADER and unit.nation is Nation.BRITISH for unit in stack)


def reserves(scene: StaffScene, units: Sequence[Unit], target: HexId) -> list[Unit]:
    """Return the other steady fighters near the target that can still march this turn."""
    gone = set(scene.state.marched) | {unit.id for unit in units}
    way = scene.way_to(*scene.doorsteps(target))
    return [
        unit
        for hex_id, host in scene.hosts.items()
        if way[hex_id] <= REACH
        for unit in host
        if unit.id not in gone and not unit.disrupted
    ]


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
        if _conditions_at(scene, start):
            at_stake = max(at_stake, scene.plans.alarm)
        least -= 0.15 + 0.25 * at_stake
        freed = 1.5 * expected_thirst_loss(scene, start) + SIEGE * at_stake
        won += chance.win * freed / max(1, len(scene.besiegers(start)))
    for town in () if scene.besieged(start) else _besieged_by(scene, target):
        at_stake = max(stake(scene, town), scene.plans.alarm)
        least -= 0.1 + 0.2 * at_stake
        freed = expected_thirst_loss(scene, town) + SIEGE * at_stake
        won += chance.win * freed / len(scene.besiegers(town))
    if chance.win < least or chance.perish > 0.1:
        return 0
    return max(0.0, won - lost)


def _besieged_by(scene: StaffScene, target: HexId) -> list[HexId]:
    """Return the besieged places, counted for the victory, beside which this enemy stands."""
    return [
        near
        for near in scene.ground.neighbours[target]
        if near in scene.board.occupied[scene.side]
        and scene.besieged(near)
        and _conditions_at(scene, near)
    ]


def prize(scene: StaffScene, target: HexId) -> float:
    """Return the worth of destroying the enemy in this hex, beyond the units themselves."""
    stack = scene.board.stack(scene.side.enemy, target)
    worth = 3.0
    if _decides(scene, target):
        worth += 200
    if any(unit.kind is TroopKind.LEADER for unit in stack):
        worth += 12
    if any(unit.kind in (TroopKind.SUPPLY, TroopKind.CIVILIANS) for unit in stack):
        worth += 6
    if scene.board.in_town(target, PlaceClass.TOWN):
        worth += 10
    elif scene.ground.hexes[target].place:
        worth += 4
    return worth


def lead(view: StaffScene, offered: Options) -> a.AnyAction:
    """Have the best tactician help in the round in which the enemy is more dangerous."""
    law = view.law
    leaders = view.board.named(offered.leaders)
    best = min(leaders, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    enemy = view.board.named(current_combat(view.state).force(offered.side.enemy).units)
    worse_under_fire = leads_in_fire(host(law, enemy))
    return a.Lead(best.id, CombatRound.FIRE if worse_under_fire else CombatRound.MELEE)
