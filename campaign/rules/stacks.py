"""Stacks and leaders: size, strength in combat, speed, command (6.0, 7.0 to 7.4, 9.4, 9.7)."""

from collections.abc import Iterable, Sequence

from battles.contract.brief import (
    AFLOAT,
    CANNOT_MELEE,
    MOUNTED,
    RIVER_CRAFT,
    UNCOUNTED,
    Nation,
    Quality,
    Side,
    TroopKind,
)
from battles.core.dice import Modifier
from battles.core.game import IllegalAction
from campaign.rules.core.board import laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.effects_in_force import strategic_now
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.scenario_data import StackDestroyed

_SINGLE = RIVER_CRAFT | {TroopKind.GUN, TroopKind.CAMEL}
_WORST_FIRST = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)


def countable_units(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that count for size, losses and attrition: no leaders, craft or fleet."""
    return [unit for unit in units if unit.kind not in UNCOUNTED]


def strength_points(units: Iterable[Unit]) -> int:
    """Return the strength points of the units; supply, camels and civilians have none."""
    return sum(unit.strength for unit in countable_units(units) if unit.quality)


def decisive_nations(state: State, side: Side) -> frozenset[Nation]:
    """Return the nations whose leaders' stacks the side wins by annihilating (4.2)."""
    return frozenset(
        condition.leader_nation
        for condition in scenario_of(state).victory
        if isinstance(condition, StackDestroyed) and condition.winner is side
    )


def nations_lost_with(state: State, units: Sequence[Unit]) -> tuple[Nation, ...]:
    """Return the nations of the units' leaders by whose loss with their stack the enemy wins."""
    led = {unit.nation for unit in units if unit.kind is TroopKind.LEADER}
    return tuple(sorted(led & decisive_nations(state, units[0].side.enemy))) if led else ()


def keeps_alive(units: Iterable[Unit]) -> bool:
    """Return whether the stack has units that keep it from being annihilated (4.2).

    Leaders, civilians, craft and fleet do not.
    """
    return any(unit.kind is not TroopKind.CIVILIANS for unit in countable_units(units))


def describe_unit(unit: Unit) -> str:
    """Return the unit as messages name it: `Gordon`, `the Black Watch`, `a Mahdist gunboat`."""
    if unit.kind is TroopKind.LEADER:
        return unit.name
    if unit.name or unit.kind in (TroopKind.CIVILIANS, TroopKind.FLEET):
        return f"the {unit.name or unit.kind}"
    article = "a" if unit.nation in (Nation.BRITISH, Nation.MAHDIST) else "an"
    noun = str(unit.kind) if unit.kind in _SINGLE else f"{unit.kind} unit"
    return f"{article} {unit.nation.capitalize()} {noun}"


def capitalise_first(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


def ids(units: Iterable[Unit]) -> tuple[UnitId, ...]:
    """Return the units' numbers."""
    return tuple(unit.id for unit in units)


def leaders(units: Iterable[Unit]) -> list[Unit]:
    """Return the leaders among the units."""
    return [unit for unit in units if unit.kind is TroopKind.LEADER]


def allowance(law: CampaignTables, units: Sequence[Unit]) -> int:
    """Return the movement points of the slowest unit (8.31).

    Supply carried by a camel moves as the camel (8.24). Craft and the fleet spend no points and do
    not slow a stack down.
    """
    camels = sum(unit.kind is TroopKind.CAMEL for unit in units)
    speeds = []
    for unit in units:
        if unit.kind is TroopKind.SUPPLY and camels:
            camels -= 1
        elif unit.kind not in AFLOAT:
            speeds.append(movement_points(law, unit))
    return min(speeds, default=0)


def movement_points(law: CampaignTables, unit: Unit) -> int:
    """Return the movement points of a unit: half, rounded down, at least 1, if disrupted (9.7)."""
    full = law.piece(unit.kind, unit.nation).movement
    return max(1, full // 2) if unit.disrupted else full


def melee_factor(law: CampaignTables, unit: Unit) -> float:
    """Return the unit's melee factor; half for a disrupted unit (9.7)."""
    if unit.kind in CANNOT_MELEE:
        return 0
    return _factor(law.piece(unit.kind, unit.nation).melee, unit)


def fire_factor(law: CampaignTables, unit: Unit) -> float:
    """Return the unit's fire factor; half for a disrupted unit (9.7)."""
    return _factor(law.piece(unit.kind, unit.nation).fire, unit)


def fire_quality(law: CampaignTables, unit: Unit) -> Quality:
    """Return the quality the unit fires with: its own, or that of the fleet's guns (8.25)."""
    return unit.quality or law.piece(unit.kind, unit.nation).fire_quality


def gun_factor(law: CampaignTables, unit: Unit) -> float:
    """Return the unit's gun factor; half for a disrupted unit (9.7)."""
    return _factor(law.piece(unit.kind, unit.nation).gun, unit)


def _factor(printed: int | str, unit: Unit) -> float:
    full = unit.strength if isinstance(printed, str) else printed
    return full / 2 if unit.disrupted else full


def all_mounted(units: Sequence[Unit]) -> bool:
    """Return whether every unit rides, supply carried by camels included (8.31)."""
    carried = sum(unit.kind is TroopKind.CAMEL for unit in units)
    on_foot = [unit for unit in countable_units(units) if unit.kind not in MOUNTED]
    supply = sum(unit.kind is TroopKind.SUPPLY for unit in on_foot)
    # Only supply is on foot, and there are camels enough to carry it.
    return bool(countable_units(units)) and len(on_foot) == supply <= carried


def lowest_quality(units: Iterable[Unit]) -> Quality:
    """Return the lowest quality among the units; supply, camels and civilians have none."""
    present = {unit.quality for unit in units}
    return next((quality for quality in _WORST_FIRST if quality in present), Quality.RABBLE)


def able_to_lead(state: State, units: Sequence[Unit]) -> list[Unit]:
    """Return the leaders whose values may be used: the C-in-C alone where present (7.0)."""
    present = leaders(units)
    chiefs = [unit for unit in present if laws(state).leader(unit.name).commander_in_chief]
    return chiefs or present


def check_may_lead(state: State, units: Sequence[Unit], leader: Unit) -> None:
    """Raise IllegalAction when a C-in-C in the stack takes precedence over this leader (7.0)."""
    able = able_to_lead(state, units)
    if leader not in able:
        names = " or ".join(unit.name for unit in able)
        raise IllegalAction("7.0", f"{names} commands here.", "Use his values.")


def best_strategist(state: State, units: Sequence[Unit]) -> Unit | None:
    """Return the leader with the best strategic value of those who may lead, or None."""
    able = able_to_lead(state, units)
    return max(able, key=lambda unit: strategic_value(state, unit), default=None)


def strategic_value(state: State, leader: Unit) -> int:
    """Return the leader's strategic value this turn, which a random event may suspend."""
    printed = laws(state).leader(leader.name).strategic
    return strategic_now(state, leader.name, printed)


def strategic(state: State, leader: Unit, clause: str) -> Modifier:
    """Return the leader's modifier to a march roll (7.1) or to recovery (7.4)."""
    return Modifier(strategic_value(state, leader), f"{leader.name} leads", clause)


def tactical(state: State, leader: Unit) -> Modifier:
    """Return the leader's modifier to fire or melee (7.3)."""
    return Modifier(laws(state).leader(leader.name).tactical, f"{leader.name} leads", "7.3")
