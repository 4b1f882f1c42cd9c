"""Modifiers to the dice of fire and melee, each with its reason (9.6)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from battles.contract.brief import Quality, Side, TroopKind
from battles.core.dice import Modifier
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import Combat, CombatForce, State, Unit
from campaign.rules.map import HexId, PlaceClass, Relief
from campaign.rules.stacks import fire_factor, fire_quality, gun_factor, melee_factor, tactical
from campaign.rules.tables.book import CampaignTables


class Weight(NamedTuple):
    """Melee strength of a stack: in all, of Fanatics in good order, and of cavalry."""

    strength: float
    rush: float
    horse: float


def fire_modifiers(state: State, combat: Combat, testers: CombatForce) -> tuple[Modifier, ...]:
    """Return the modifiers for the stack under fire."""
    firers = shooters(state, combat.force(testers.side.enemy))
    result = [*_marksmanship(state, firers), *_weight(state, firers, testers)]
    result += [
        *_from_the_water(state, combat, testers),
        *_leader_modifier(state, testers, CombatRound.FIRE),
    ]
    return tuple(result + list(_ground(state, combat, testers)))


def melee_modifiers(state: State, combat: Combat, testers: CombatForce) -> tuple[Modifier, ...]:
    """Return the modifiers for the stack under melee."""
    enemy = combat.force(testers.side.enemy)
    own_weight, enemy_weight = (
        weight(laws(state), board(state).named(force.units)) for force in (testers, enemy)
    )
    pressing = pressing_modifiers(
        laws(state), own_weight, enemy_weight, riding=can_ride(state, combat)
    )
    return (*pressing, *standing_modifiers(state, combat, testers))


def pressing_modifiers(
    law: CampaignTables, own_weight: Weight, enemy_weight: Weight, *, riding: bool
) -> tuple[Modifier, ...]:
    """Return the melee modifiers that depend on the remaining units of both stacks (9.6).

    `own_weight` is under melee by `enemy_weight`; `riding`: cavalry has an advantage there.
    """
    horse = _cavalry(law, own_weight, enemy_weight) if riding else ()
    return (
        *_fanatics(law, own_weight, enemy_weight),
        *_odds(law, own_weight, enemy_weight),
        *horse,
    )


def standing_modifiers(state: State, combat: Combat, testers: CombatForce) -> tuple[Modifier, ...]:
    """Return the melee modifiers that no loss changes: leader and ground (7.3, 9.6)."""
    return (*_leader_modifier(state, testers, CombatRound.MELEE), *_ground(state, combat, testers))


def weight(law: CampaignTables, units: Sequence[Unit]) -> Weight:
    """Return the melee strength of these units."""
    factors = [(unit, melee_factor(law, unit)) for unit in units]
    return Weight(
        sum(factor for _, factor in factors),
        sum(f for unit, f in factors if unit.quality is Quality.FANATIC and not unit.disrupted),
        sum(factor for unit, factor in factors if unit.kind is TroopKind.CAVALRY),
    )


def can_ride(state: State, combat: Combat) -> bool:
    """Return whether cavalry has an advantage: neither side in mountain or town (9.6)."""
    forces = combat.attacker, combat.defender
    return not any(_closed_ground(state, _field(combat, force)) for force in forces)


def shooters(state: State, force: CombatForce) -> list[Unit]:
    """Return the units that can fire; the fleet only in a Mahdist march phase (8.25)."""
    law = laws(state)
    units = board(state).named(force.units)
    return [
        unit
        for unit in units
        if fire_factor(law, unit) > 0
        and (unit.kind is not TroopKind.FLEET or state.side is Side.MAHDIST)
    ]


def fighters(state: State, force: CombatForce) -> list[Unit]:
    """Return the units of the force that can melee (9.4)."""
    law = laws(state)
    return [unit for unit in board(state).named(force.units) if melee_factor(law, unit) > 0]


def _marksmanship(state: State, firers: Sequence[Unit]) -> Iterator[Modifier]:
    law = laws(state)
    for key, qualities in (
        ("fire.veterans", (Quality.VETERAN,)),
        ("fire.rabble", (Quality.FANATIC, Quality.RABBLE)),
    ):
        share = sum(fire_quality(law, unit) in qualities for unit in firers) * 100
        if firers and share >= law.number(key) * len(firers):
            yield law.modifier(key)


def _weight(state: State, firers: Sequence[Unit], testers: CombatForce) -> Iterator[Modifier]:
    law = laws(state)
    guns = sum(gun_factor(law, unit) for unit in firers)
    answering = sum(gun_factor(law, unit) for unit in shooters(state, testers))
    if guns and guns >= law.number("fire.guns") * answering:
        yield law.modifier("fire.guns")
    rifles = sum(fire_factor(law, unit) for unit in firers if unit.quality is not Quality.FANATIC)
    volleys = int(rifles // law.number("fire.volume"))
    if volleys:
        modifier = law.modifier("fire.volume")
        yield Modifier(modifier.value * volleys, f"{modifier.reason}: {rifles:g}", modifier.clause)


def _from_the_water(state: State, combat: Combat, testers: CombatForce) -> Iterator[Modifier]:
    law, ground = laws(state), chart(state)
    enemy = board(state).named(combat.force(testers.side.enemy).units)
    # A craft that is marked with gun factors fires with them instead (9.5).
    gunboat = any(unit.kind is TroopKind.GUNBOAT and not gun_factor(law, unit) for unit in enemy)
    if gunboat and ground.river_at(_field(combat, testers)):
        yield law.modifier("fire.gunboat")
    fleet = any(unit.kind is TroopKind.FLEET for unit in enemy)
    if fleet and state.side is testers.side is Side.MAHDIST and ground.hexes[testers.hex].coast:
        yield law.modifier("fire.fleet")


def _field(combat: Combat, force: CombatForce) -> HexId:
    """Return the hex whose ground counts for the force.

    In a sortie the besiegers fight in the town's hex too (9.12).
    """
    return combat.attacker.hex if combat.sortie else force.hex


def _leader_modifier(
    state: State, testers: CombatForce, combat_round: CombatRound
) -> Iterator[Modifier]:
    leader = state.units.get(testers.leader)
    if leader is not None and testers.helps is combat_round:
        yield tactical(state, leader)


def _ground(state: State, combat: Combat, testers: CombatForce) -> Iterator[Modifier]:
    """Yield the defender's modifiers for ground; besiegers in a sortie have none (9.12)."""
    if testers is not combat.defender or combat.sortie:
        return
    law, position, hex_id = laws(state), board(state), testers.hex
    relief = chart(state).hexes[hex_id].relief
    if relief is Relief.HILL:
        yield law.modifier("terrain.hill")
    if position.in_town(hex_id, PlaceClass.VILLAGE, PlaceClass.OASIS):
        yield law.modifier("terrain.village")
    if relief is Relief.MOUNTAIN or position.in_town(hex_id, PlaceClass.TOWN):
        yield law.modifier("terrain.town")


def _fanatics(law: CampaignTables, own_weight: Weight, enemy_weight: Weight) -> Iterator[Modifier]:
    if enemy_weight.rush and enemy_weight.rush >= own_weight.strength:
        yield law.modifier("melee.fanatics")


def _odds(law: CampaignTables, own_weight: Weight, enemy_weight: Weight) -> Iterator[Modifier]:
    for key in ("melee.odds4", "melee.odds3", "melee.odds2"):
        if own_weight.strength and own_weight.strength >= law.number(key) * enemy_weight.strength:
            yield law.modifier(key)
            return


def _cavalry(law: CampaignTables, own_weight: Weight, enemy_weight: Weight) -> Iterator[Modifier]:
    if own_weight.horse and own_weight.horse >= law.number("melee.cavalry") * enemy_weight.horse:
        yield law.modifier("melee.cavalry")


def _closed_ground(state: State, hex_id: HexId) -> bool:
    mountain = chart(state).hexes[hex_id].relief is Relief.MOUNTAIN
    return mountain or board(state).in_town(hex_id, PlaceClass.TOWN)
