"""Leaders: who commands a stack, and what his ratings add (7.0 to 7.4)."""

from collections.abc import Sequence

from battles.core.dice import Modifier
from battles.core.game import IllegalAction
from campaign.rules.board import laws
from campaign.rules.in_force import strategic_now
from campaign.rules.stacking import leaders
from campaign.rules.state import State, Unit


def able_to_lead(state: State, units: Sequence[Unit]) -> list[Unit]:
    """The leaders whose values may be used: a C-in-C present must always be the one (7.0)."""
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
    """The leader with the best strategic value among those who may lead."""
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
