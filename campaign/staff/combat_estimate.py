"""Estimate a combat by the campaign's own tables, and a storm by several waves (9.4 to 9.8).

Both rounds are computed for every total of the two dice. Units of one quality count as alike, so
the answer is a close estimate where a stack mixes very different ones, and exact elsewhere.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Side, TroopKind
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, PlaceClass, Relief
from campaign.rules.stacks import able_to_lead, gun_factor
from campaign.rules.tables.book import CampaignTables
from campaign.staff.head_counts import HeadCount
from campaign.staff.host_states import Host, HostState, combat_numbers, host, state_of

_BRANCHES = 12
"""The number of head counts, weak and strong, that are followed from wave to wave."""
_Chances = dict[HeadCount, float]


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
    position = board(state)
    if not position.stack(side.enemy, target):
        return ForceEstimate(())
    defenders = _in_their_hex(state, side.enemy, target)
    ground = 0 if position.is_sortie(side, start, target) else defenders.ground
    water = _water(state, side.enemy, target, attackers)
    if ground == defenders.ground and not water:
        return defenders
    return defenders._replace(ground=ground, water=water)


def _in_their_hex(state: State, side: Side, hex_id: HexId) -> ForceEstimate:
    """Return the stack there on its ground, without the water; cached while its side stands."""
    key, known = (ForceEstimate, hex_id), board(state).forces[side].worked_out
    found = known.get(key)
    if not isinstance(found, ForceEstimate):
        stack = board(state).stack(side, hex_id)
        found = force(state, stack, hex_id)._replace(ground=_ground(state, hex_id))
        known[key] = found
    return found


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
        closed=_is_closed_ground(state, hex_id),
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
    if _is_closed_ground(state, hex_id):
        keys.append("terrain.town")
    return sum(law.modifier(key).value for key in keys)


def _is_closed_ground(state: State, hex_id: HexId) -> bool:
    mountain = chart(state).hexes[hex_id].relief is Relief.MOUNTAIN
    return mountain or board(state).in_town(hex_id, PlaceClass.TOWN)


_ON_THE_WATER = frozenset({TroopKind.GUNBOAT, TroopKind.FLEET})


def _water(state: State, side: Side, hex_id: HexId, enemies: Sequence[Unit]) -> int:
    """Return the modifier of enemy gunboats and fleet against a stack beside the water (9.6)."""
    kinds = {unit.kind for unit in enemies}
    if kinds.isdisjoint(_ON_THE_WATER):
        return 0
    law, modifier = laws(state), 0
    unarmed = any(
        enemy.kind is TroopKind.GUNBOAT and not gun_factor(law, enemy) for enemy in enemies
    )
    if unarmed and chart(state).river_at(hex_id):
        modifier += law.modifier("fire.gunboat").value
    if TroopKind.FLEET in kinds and side is Side.MAHDIST and chart(state).hexes[hex_id].coast:
        modifier += law.modifier("fire.fleet").value
    return modifier


@lru_cache(maxsize=400)
def chances(
    law: CampaignTables, attacker: ForceEstimate, defender: ForceEstimate
) -> AttackEstimate:
    """Return the chances of a combat between two forces, over all totals of all four throws."""
    attacker_state, defender_state = state_of(law, attacker.host), state_of(law, defender.host)
    came, met = attacker_state.units, defender_state.units
    own, other = TestingSide(law, attacker, defender), TestingSide(law, defender, attacker)
    after = defender_state.after(other.fire_change(defender_state, attacker_state))
    win = lose = wipe = perish = cost = harm = 0.0
    for friends, often in attacker_state.after(own.fire_change(attacker_state, defender_state)):
        for foes, as_often in after:
            weight = often * as_often
            us = friends.units.hurt(own.melee_change(friends, foes), came.size)
            them = foes.units.hurt(other.melee_change(foes, friends), met.size)
            win += weight * them.beaten * (1 - us.beaten)
            lose += weight * us.beaten * (1 - them.beaten)
            wipe += weight * them.gone
            perish += weight * us.gone
            cost += weight * us.hurt
            harm += weight * them.hurt
    cost -= (came.size - came.steady) / came.size
    harm -= (met.size - met.steady) / met.size
    return AttackEstimate(win, lose, wipe, perish, cost, harm)


class TestingSide:
    """A side of a combat as it throws for its own losses, with the modifiers that stay the same."""

    __slots__ = ("_ground", "_numbers", "_open", "_tactical", "_water")

    def __init__(self, law: CampaignTables, force: ForceEstimate, enemy: ForceEstimate) -> None:
        self._numbers = combat_numbers(law)
        self._ground, self._water, self._tactical = force.ground, force.water, force.tactical
        self._open = not (force.closed or enemy.closed)

    def fire_change(self, testers: HostState, firers: HostState) -> int | None:
        """Return the modifier of the testers under the enemy's fire; None when nobody fires."""
        if not firers.can_fire:
            return None
        numbers = self._numbers
        change = self._ground + self._water
        change += numbers.veterans * firers.veterans + numbers.rabble * firers.rabble
        times, gunnery = numbers.guns
        if firers.guns and firers.guns >= times * testers.guns:
            change += gunnery
        per_volley, volley = numbers.volume
        change += volley * int(firers.rifles // per_volley)
        return change + (self._tactical if firers.leads_in_fire else 0)

    def melee_change(self, testers: HostState, enemy: HostState) -> int | None:
        """Return the modifier of the testers in the melee; None when nobody strikes them."""
        if not enemy.can_melee:
            return None
        numbers, strength = self._numbers, testers.strength
        change = self._ground
        if enemy.rush and enemy.rush >= strength:
            change += numbers.fanatics
        if strength and strength >= numbers.least_odds * enemy.strength:
            for times, help_of_odds in numbers.odds:
                if strength >= times * enemy.strength:
                    change += help_of_odds
                    break
        if self._open and testers.horse:
            times, charge = numbers.cavalry
            if testers.horse >= times * enemy.horse:
                change += charge
        return change if enemy.leads_in_fire else change + self._tactical


@lru_cache(maxsize=48)
def storming(law: CampaignTables, wave: ForceEstimate, garrison: ForceEstimate) -> "Storming":
    """Return the storm of a garrison by waves that are all alike."""
    return Storming(law, wave, garrison)


class Storming:
    """Waves against a garrison, followed as far as somebody has asked."""

    def __init__(self, law: CampaignTables, wave: ForceEstimate, garrison: ForceEstimate) -> None:
        terms = garrison._replace(host=())
        self._waves = (_wave(law, wave, terms), _wave(law, _wave_after_attack(wave), terms))
        self._garrison = state_of(law, garrison.host)
        self._left: _Chances = {self._garrison.units: 1.0}
        self._fallen = [0.0]
        self._worn = [0.0]

    def chance(self, waves: int) -> float:
        """Return the chance that the garrison is destroyed by so many waves."""
        self._follow(waves)
        return self._fallen[waves]

    def worn(self, waves: int) -> float:
        """Return the share of the garrison's units that so many waves are expected to destroy."""
        self._follow(waves)
        return self._worn[waves]

    def _follow(self, waves: int) -> None:
        while len(self._fallen) <= waves:
            left = self._after(_sample_chances(self._left)) if self._left else {}
            gone = [units for units in left if not units.size]
            self._fallen.append(self._fallen[-1] + sum(left.pop(units) for units in gone))
            self._left = left
            stand = sum(units.size * weight for units, weight in left.items())
            size = self._garrison.units.size
            self._worn.append(1 - stand / size if size else 1.0)

    def _after(self, left: _Chances) -> _Chances:
        """Return what a wave leaves of the garrison; it attacks again after a win."""
        fresh, spent = self._waves
        reduced_to = self._garrison.reduced_to
        states: _Chances = defaultdict(float)
        beaten: _Chances = defaultdict(float)
        for now, weight in left.items():
            results = fresh.onslaught(reduced_to(now))
            for then, chance in results.over:
                states[then] += weight * chance
            for then, chance in results.driven_back:
                beaten[then] += weight * chance
        for now, weight in _sample_chances(beaten).items() if beaten else ():
            for then, chance in spent.onslaught(reduced_to(now)).all:
                states[then] += weight * chance
        return states


def _sample_chances(left: _Chances) -> _Chances:
    """Return a few head counts that stand for all: each part's middle one, from weak to strong."""
    if len(left) <= _BRANCHES:
        return left
    share, passed, part = sum(left.values()) / _BRANCHES, 0.0, 0.0
    sample: _Chances = {}
    for units in sorted(left, key=lambda units: units.order):
        part += left[units]
        # The one that crosses the middle of a part stands for it.
        if passed + part >= (len(sample) + 0.5) * share:
            sample[units] = part
            passed, part = passed + part, 0.0
    sample[units] = sample.get(units, 0.0) + part
    return sample


def _wave_after_attack(wave: ForceEstimate) -> ForceEstimate:
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


class _Onslaught(NamedTuple):
    """The results of one attack: what is left of the defender, and the chance.

    `over`: the wave has lost, or nobody is left; `driven_back`: it has won, and may attack again.
    """

    over: list[tuple[HeadCount, float]]
    driven_back: list[tuple[HeadCount, float]]
    all: list[tuple[HeadCount, float]]


class _Wave:
    """A wave, with the results of its attacks on each state of a garrison on the same `terms`."""

    def __init__(self, law: CampaignTables, wave: ForceEstimate, terms: ForceEstimate) -> None:
        self._host = state_of(law, wave.host)
        self._own = TestingSide(law, wave, terms)
        self._foe = TestingSide(law, terms, wave)
        self._known: dict[HostState, _Onslaught] = {}
        self._melees: dict[tuple[int | None, HostState], list[tuple[int | None, float, float]]] = {}

    def onslaught(self, garrison: HostState) -> _Onslaught:
        """Return the results of one attack."""
        results = self._known.get(garrison)
        if results is None:
            results = self._known[garrison] = self._attack(garrison)
        return results

    def _attack(self, garrison: HostState) -> _Onslaught:
        broken, fire = garrison.units.breaking_point, self._own.fire_change(self._host, garrison)
        won: _Chances = defaultdict(float)
        lost: _Chances = defaultdict(float)
        for foes, as_often in garrison.after(self._foe.fire_change(garrison, self._host)):
            for change, both, hold_chance in self._melee(fire, foes):
                give_way_chance = both - hold_chance
                for left, part in foes.units.after(change):
                    chance = as_often * part
                    if left.size and left.steady > broken:
                        lost[left] += both * chance
                    else:
                        if hold_chance:
                            won[left] += hold_chance * chance
                        if hold_chance < both:
                            lost[left] += give_way_chance * chance
        after_win = list(won.items())
        over = [*lost.items(), *[result for result in after_win if not result[0].size]]
        driven_back = [result for result in after_win if result[0].size]
        return _Onslaught(over, driven_back, [*lost.items(), *after_win])

    def _melee(self, fire: int | None, foes: HostState) -> list[tuple[int | None, float, float]]:
        """Return the chance of each modifier of the foes, and that the wave holds out with it.

        `fire` is the wave's modifier under fire. Garrisons of different sizes often come to the
        same state under fire.
        """
        melee = self._melees.get((fire, foes))
        if melee is None:
            # Waves that make the same melee for these foes are added up before it is followed.
            alike: dict[int | None, tuple[float, float]] = {}
            own_change, foe_change = self._own.melee_change, self._foe.melee_change
            size = self._host.units.size
            for friends, often in self._host.after(fire):
                hold = 1 - friends.units.hurt(own_change(friends, foes), size).beaten
                change = foe_change(foes, friends)
                both, hold_chance = alike.get(change, (0.0, 0.0))
                alike[change] = both + often, hold_chance + often * hold
            melee = [(change, *chances) for change, chances in alike.items()]
            self._melees[fire, foes] = melee
        return melee


def leads_in_fire(enemy: Host) -> bool:
    """Return whether a leader helps more under this enemy's fire than in the melee (7.3)."""
    fire = sum(troops.fire * troops.worth for troops in enemy)
    return fire >= sum(troops.melee * troops.worth for troops in enemy)
