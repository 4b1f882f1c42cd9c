"""Stacks: what counts, what it can do in combat, how far it can march (6.0, 9.4, 9.7).

Leaders: who commands a stack, and what his ratings add (7.0 to 7.4).
"""

from collections.abc import Iterable, Sequence

from battles.contract.brief import (
    AFLOAT,
    CANNOT_MELEE,
    MOUNTED,
    RIVER_CRAFT,
    UNCOUNTED,
    Kind,
    Nation,
    Quality,
)
from battles.core.dice import Modifier
from battles.core.game import IllegalAction
from campaign.rules.core.board import laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.rules.effects_in_force import strategic_now
from campaign.rules.tables.book import Book

_SINGLE = RIVER_CRAFT | {Kind.GUN, Kind.CAMEL}
_WORST_FIRST = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)


def countable_units(units: Iterable[Unit]) -> list[Unit]:
    """Return the units that count for size, losses and attrition: no leaders, craft or fleet."""
    return [unit for unit in units if unit.kind not in UNCOUNTED]


def is_british_leader(unit: Unit) -> bool:
    """Return whether the Mahdists win by wiping out his stack (4.2)."""
    return unit.kind is Kind.LEADER and unit.nation is Nation.BRITISH


def keeps_alive(units: Iterable[Unit]) -> bool:
    """Return whether a stack is not wiped out yet: not by leaders, civilians, craft and fleet
    (4.2).
    """
    return any(unit.kind is not Kind.CIVILIANS for unit in countable_units(units))


def describe_unit(unit: Unit) -> str:
    """Return a unit as refusals and throws call it:

    `Gordon`, `the Black Watch`, `a Mahdist gunboat`.
    """
    if unit.kind is Kind.LEADER:
        return unit.name
    if unit.name or unit.kind in (Kind.CIVILIANS, Kind.FLEET):
        return f"the {unit.name or unit.kind}"
    article = "a" if unit.nation in (Nation.BRITISH, Nation.MAHDIST) else "an"
    noun = str(unit.kind) if unit.kind in _SINGLE else f"{unit.kind} unit"
    return f"{article} {unit.nation.capitalize()} {noun}"


def capitalise_first(words: str) -> str:
    """Return the words as a sentence begins with them."""
    return words[:1].upper() + words[1:]


def ids(units: Iterable[Unit]) -> tuple[UnitId, ...]:
    """Return the units' numbers."""
    return tuple(unit.id for unit in units)


def leaders(units: Iterable[Unit]) -> list[Unit]:
    """Return the leaders among the units."""
    return [unit for unit in units if unit.kind is Kind.LEADER]


def allowance(law: Book, units: Sequence[Unit]) -> int:
    """Movement points of the slowest unit (8.31); carried supply goes as its camel (8.24).

    Craft and the fleet, which spend no points, do not slow those who go with them.
    """
    camels = sum(unit.kind is Kind.CAMEL for unit in units)
    speeds = []
    for unit in units:
        if unit.kind is Kind.SUPPLY and camels:
            camels -= 1
        elif unit.kind not in AFLOAT:
            speeds.append(speed(law, unit))
    return min(speeds, default=0)


def speed(law: Book, unit: Unit) -> int:
    """Movement points of one unit: half, rounded down, at least 1, when disrupted (9.7)."""
    full = law.piece(unit.kind, unit.nation).movement
    return max(1, full // 2) if unit.disrupted else full


def melee_factor(law: Book, unit: Unit) -> float:
    """What the unit brings to a melee; a disrupted unit half (9.7)."""
    if unit.kind in CANNOT_MELEE:
        return 0
    return _factor(law.piece(unit.kind, unit.nation).melee, unit)


def fire_factor(law: Book, unit: Unit) -> float:
    """What the unit brings to a fire fight; a disrupted unit half (9.7)."""
    return _factor(law.piece(unit.kind, unit.nation).fire, unit)


def fire_quality(law: Book, unit: Unit) -> Quality:
    """Return the quality the unit fires with: its own, or that of the guns of the fleet (8.25)."""
    return unit.quality or law.piece(unit.kind, unit.nation).fire_quality


def gun_factor(law: Book, unit: Unit) -> float:
    """Return the unit's gun factors; a disrupted unit half (9.7)."""
    return _factor(law.piece(unit.kind, unit.nation).gun, unit)


def _factor(printed: int | str, unit: Unit) -> float:
    full = unit.strength if isinstance(printed, str) else printed
    return full / 2 if unit.disrupted else full


def all_mounted(units: Sequence[Unit]) -> bool:
    """Whether everything rides, what camels carry included (8.31)."""
    carried = sum(unit.kind is Kind.CAMEL for unit in units)
    on_foot = [unit for unit in countable_units(units) if unit.kind not in MOUNTED]
    supply = sum(unit.kind is Kind.SUPPLY for unit in on_foot)
    return bool(countable_units(units)) and len(on_foot) == supply <= carried


def lowest_quality(units: Iterable[Unit]) -> Quality:
    """Return the lowest quality among the units; supply, camels and civilians have none of their
    own.
    """
    present = {unit.quality for unit in units}
    return next((quality for quality in _WORST_FIRST if quality in present), Quality.RABBLE)


def able_to_lead(state: State, units: Sequence[Unit]) -> list[Unit]:
    """Return the leaders whose values may be used: a C-in-C present must always be the one (7.0)."""
    present = leaders(units)
    chiefs = [unit for unit in present if laws(state).leader(unit.name).commander_in_chief]
    return chiefs or present


def may_lead(state: State, units: Sequence[Unit], leader: Unit) -> None:
    """IllegalAction when a C-in-C in the stack has the word before this leader (7.0)."""
    able = able_to_lead(state, units)
    if leader not in able:
        names = " or ".join(unit.name for unit in able)
        raise IllegalAction("7.0", f"{names} commands here.", "Use his values.")


def best_strategist(state: State, units: Sequence[Unit]) -> Unit | None:
    """Return the leader with the best strategic value among those who may lead."""
    able = able_to_lead(state, units)
    return max(able, key=lambda unit: strategic_value(state, unit), default=None)


def strategic_value(state: State, leader: Unit) -> int:
    """His strategic value this turn: a random event may have put it aside."""
    printed = laws(state).leader(leader.name).strategic
    return strategic_now(state, leader.name, printed)


def strategic(state: State, leader: Unit, clause: str) -> Modifier:
    """What he adds to a march roll (7.1) or to recovery (7.4)."""
    return Modifier(strategic_value(state, leader), f"{leader.name} leads", clause)


def tactical(state: State, leader: Unit) -> Modifier:
    """What he adds to fire or to melee (7.3)."""
    return Modifier(laws(state).leader(leader.name).tactical, f"{leader.name} leads", "7.3")
