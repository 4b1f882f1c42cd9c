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
from campaign.rules.stacks import fire_factor
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.book import CampaignTables
from campaign.staff.combat_estimate import (
    AttackEstimate,
    ForceEstimate,
    TestingSide,
    attacker_of,
    defender_of,
    estimate_attack,
)
from campaign.staff.host_states import HostState, state_of
from campaign.staff.losses import feared
from campaign.staff.scene import StaffScene, is_british, is_fighter, power, wins

_BRANCHES = 12
"""The number of garrison states, weak and strong, that are followed from wave to wave."""
_Chances = dict[HostState, float]


def storm(law: CampaignTables, wave: ForceEstimate, waves: int, garrison: ForceEstimate) -> float:
    """Return the chance that so many like waves, one after the other, destroy the garrison."""
    return _storming(law, wave, garrison).chance(waves)


@lru_cache(maxsize=48)
def _storming(law: CampaignTables, wave: ForceEstimate, garrison: ForceEstimate) -> "_Storming":
    return _Storming(law, wave, garrison)


class _Storming:
    """Waves against a garrison, followed as far as somebody has asked."""

    def __init__(self, law: CampaignTables, wave: ForceEstimate, garrison: ForceEstimate) -> None:
        terms = garrison._replace(host=())
        self._waves = (_wave(law, wave, terms), _wave(law, _spent(wave), terms))
        self._left: _Chances = {state_of(law, garrison.host): 1.0}
        self._fallen = [0.0]

    def chance(self, waves: int) -> float:
        """Return the chance that the garrison is destroyed by so many waves."""
        while len(self._fallen) <= waves:
            left = self._after(_sampled(self._left)) if self._left else {}
            gone = [state for state in left if not state.size]
            self._fallen.append(self._fallen[-1] + sum(left.pop(state) for state in gone))
            self._left = left
        return self._fallen[waves]

    def _after(self, left: _Chances) -> _Chances:
        """Return the states of the garrison after a wave, which attacks again after a win."""
        fresh, spent = self._waves
        found: _Chances = {}
        beaten: _Chances = {}
        for now, weight in left.items():
            for won, then, chance in fresh.onslaught(now):
                into = beaten if won and then.size else found
                into[then] = into.get(then, 0) + weight * chance
        for now, weight in _sampled(beaten).items() if beaten else ():
            for _, then, chance in spent.onslaught(now):
                found[then] = found.get(then, 0) + weight * chance
        return found


def _sampled(left: _Chances) -> _Chances:
    """Return a few states that stand for all: each part's middle one, from weak to strong."""
    if len(left) <= _BRANCHES:
        return left
    share, passed, part = sum(left.values()) / _BRANCHES, 0.0, 0.0
    found: _Chances = {}
    for state in sorted(left, key=lambda state: state.order):
        part += left[state]
        # The state that crosses the middle of a part stands for it.
        if passed + part >= (len(found) + 0.5) * share:
            found[state] = part
            passed, part = passed + part, 0.0
    found[state] = found.get(state, 0.0) + part
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


@lru_cache(maxsize=48)
def _wave(law: CampaignTables, wave: ForceEstimate, terms: ForceEstimate) -> "_Wave":
    return _Wave(law, wave, terms)


class _Wave:
    """A wave, with the results of its attacks on each state of a garrison on the same `terms`."""

    def __init__(self, law: CampaignTables, wave: ForceEstimate, terms: ForceEstimate) -> None:
        self._host = state_of(law, wave.host)
        self._own = TestingSide(law, wave, terms)
        self._foe = TestingSide(law, terms, wave)
        self._known: dict[HostState, list[tuple[bool, HostState, float]]] = {}

    def onslaught(self, garrison: HostState) -> list[tuple[bool, HostState, float]]:
        """Return the results of one attack: whether it wins, the defender left, and the chance."""
        known = self._known.get(garrison)
        if known is None:
            known = self._known[garrison] = self._attack(garrison)
        return known

    def _attack(self, garrison: HostState) -> list[tuple[bool, HostState, float]]:
        size, came = self._host.size, garrison.size
        own, foe = self._own, self._foe
        waves = own.after_fire(self._host, garrison)
        won: _Chances = {}
        lost: _Chances = {}
        for foes, as_often in foe.after_fire(garrison, self._host):
            # Waves that make the same melee for this garrison are added up before it is followed.
            alike: dict[int | None, tuple[float, float]] = {}
            for ours, often in waves:
                hold = 1 - ours.hurt(own.melee_change(ours, foes), size).beaten
                change = foe.melee_change(foes, ours)
                both, held = alike.get(change, (0.0, 0.0))
                alike[change] = both + often, held + often * hold
            for change, (both, held) in alike.items():
                for left, part in foes.after_melee(change):
                    chance = as_often * part
                    if left.size and not left.lost(came):
                        lost[left] = lost.get(left, 0) + both * chance
                    else:
                        if held:
                            won[left] = won.get(left, 0) + held * chance
                        if held < both:
                            lost[left] = lost.get(left, 0) + (both - held) * chance
        return [
            (is_won, state, results[state])
            for is_won, results in ((False, lost), (True, won))
            for state in results
        ]


def stake(scene: StaffScene, hex_id: HexId) -> float:
    """Return the siege's progress towards deciding the campaign, from 0 to 1.

    1 means that the end of this turn decides it, either way.
    """
    return max((_share(scene, one) for one in _counted(scene, hex_id)), default=0)


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
    # All else that it depends on stays as it is while the scene does, until a unit moves.
    key = (start, target, len(scene.state.marched), *[(one.id, one.disrupted) for one in units])
    known: dict[tuple[object, ...], float] = scene.__dict__.setdefault("worths", {})
    if key not in known:
        known[key] = _worth(scene, units, start, target)
    return known[key]


def _worth(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    if scene.side is Side.MAHDIST and _need_not_retreat(scene, target):
        return _storm(scene, units, start, target)
    chance = estimate_attack(scene.state, units, start, target)
    if scene.side is Side.MAHDIST:
        worth = _charge(scene, units, target, chance)
        # A general in the open is worn down by wave after wave, as if he stood behind walls.
        return max(worth, _storm(scene, units, start, target)) if chief_at(scene, target) else worth
    return _advance(scene, units, start, target, chance)


def _need_not_retreat(scene: StaffScene, target: HexId) -> bool:
    return scene.board.in_town(target, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _storm(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> float:
    """Return the worth of storming a garrison; 0 if there are too few waves to destroy it."""
    mine = sum(is_fighter(unit) for unit in units)
    if mine < min(FEWEST, len(scene.foes.get(target, ())) + 1):
        return 0
    others = reserves(scene, units, target)
    waves = min(MOST_WAVES, 1 + len(others) // mine)
    chance = _chance(scene, units, others, (start, target), waves)
    return chance * prize(scene, target) if chance >= _least_chance(scene, target) else 0


def wave_size(scene: StaffScene, units: Sequence[Unit], start: HexId, target: HexId) -> int:
    """Return the fighters of a wave for the best chance of all waves that can come this turn."""
    fighters = [unit for unit in units if is_fighter(unit)]
    others = reserves(scene, units, target)
    chances = {}
    for size in WAVES:
        men, left = fighters[:size], fighters[size:] + others
        if men and len(men) == size:
            waves = min(MOST_WAVES, 1 + len(left) // size)
            chances[size] = _chance(scene, men, left, (start, target), waves)
    return max(chances, key=lambda size: (chances[size], size), default=len(fighters))


def _chance(
    scene: StaffScene,
    men: Sequence[Unit],
    others: Sequence[Unit],
    way: tuple[HexId, HexId],
    waves: int,
) -> float:
    """Return the chance of so many waves, of these men and of others who can follow this turn.

    It lies between the chances of waves with men who fire and without, by the share that have them.
    """
    garrison = defender_of(scene.state, men, *way)
    shooters = [unit for unit in (*men, *others) if fire_factor(scene.law, unit)]
    foot = [unit for unit in men if not fire_factor(scene.law, unit)]
    mixed = list(men) if len(foot) < len(men) else foot[1:] + shooters[:1]
    armed = min(waves, len(shooters)) / waves
    chance = 0.0
    for wave, share in ((mixed, armed), (foot, 1 - armed)):
        if share and any(map(is_fighter, wave)):
            came = attacker_of(scene.state, wave, *way)
            chance += share * storm(scene.law, came, waves, garrison)
    return chance


def _least_chance(scene: StaffScene, target: HexId) -> float:
    """Return the least chance to try, halved if the garrison is shaken.

    It is low where the campaign is decided, and hardly counts when there is no time to gather more.
    """
    garrison = scene.foes.get(target, [])
    shaken = sum(unit.disrupted for unit in garrison) * 2 >= len(garrison)
    if any(aim.sit and scene.hex(aim.place) == target for aim in scene.plans.aim):
        return SURE
    least = 0.25
    if _decides(scene, target):
        left = scenario_of(scene.state).last_month - scene.state.month
        late = left < NO_TIME or _has_begun(scene, target)
        least = LAST_HOPE if late else FEW_WAVES
    return least / 2 if shaken else least


FEWEST = 3
"""The fewest fighters of a wave."""

FEW_WAVES, LAST_HOPE = 0.12, 0.02
"""The least chance of a storm that decides the campaign: with time left to gather, and without."""

NO_TIME = 6
"""The last months, in which nobody waits for more waves."""


def _has_begun(scene: StaffScene, target: HexId) -> bool:
    """Return whether waves of this turn have gone before, in vain unless others follow."""
    marched = scene.state.marched
    return any(
        unit.id in marched for near in scene.doorsteps(target) for unit in scene.hosts.get(near, ())
    )


SURE = 0.5
"""The least chance of a storm for bands that are to sit round the place."""


def _decides(scene: StaffScene, target: HexId) -> bool:
    """Return whether the campaign is won with this place, or with its general (4.1, 4.2)."""
    return wins(scene, target) or chief_at(scene, target)


def chief_at(scene: StaffScene, target: HexId) -> bool:
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
        if _counted(scene, start):
            at_stake = max(at_stake, scene.plans.alarm)
        least -= 0.15 + 0.25 * at_stake
        freed = 1.5 * feared(scene, start) + SIEGE * at_stake
        won += chance.win * freed / max(1, len(scene.besiegers(start)))
    for town in () if scene.besieged(start) else _besieged_by(scene, target):
        at_stake = max(stake(scene, town), scene.plans.alarm)
        least -= 0.1 + 0.2 * at_stake
        freed = feared(scene, town) + SIEGE * at_stake
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
        and _counted(scene, near)
    ]


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
