"""Positions built from short words, and the named ones that tests share.

A position is a lawful state with one phase open and nothing behind it: what is played in it ends
where the agenda ends, so a test throws only the dice that it speaks of.
"""

from collections.abc import Mapping
from typing import Any

from battles.contract.brief import Side
from battles.core.game import Step
from campaign.rules.case_positions import CasePosition, assemble, hex_of, settle, stack_of, units_of
from campaign.rules.core.board import forget
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToMarch, ToReinforce
from campaign.rules.core.state import Phase, State

__all__ = [
    "OPEN",
    "RELIEF",
    "SIEGE",
    "abu_klea",
    "add",
    "besieged_khartoum",
    "el_teb",
    "hex_of",
    "phase_step",
    "position",
    "units_of",
]

SIEGE = "siege-of-khartoum"
RELIEF = "relief-of-el-obeid"

OPEN = "0641"
"""A flat desert hex with nothing but flat desert for four hexes around."""


def position(
    *stacks: str,
    scenario: str = SIEGE,
    month: str = "1884-05",
    side: str = "egyptian",
    phase: str = "march",
    held: Mapping[str, str] | None = None,
) -> Any:
    """Return the state with just these stacks on the map and one phase of `side` open.

    A stack is written `Khartoum: Gordon, 4 infantry egyptian L, 2 guns disrupted`: see
    campaign.rules.case_positions. `held` says who was last in places that stand empty. In a phase
    of dice only (`phase="attrition"`) no question is open: see `happen`.

    It is a State, typed as Any so that a test may look into whichever question is open.
    """
    last = {place: Side(owner) for place, owner in (held or {}).items()}
    described = CasePosition(stacks, scenario, month, Side(side), (phase,), last)
    state = assemble(described)
    state.agenda, state.question = [], _question(state)
    return state


def add(state: State, stack: str) -> tuple[UnitId, ...]:
    """More units for a position that is being set up; their numbers."""
    hex_id, what = stack_of(stack)
    units = {unit.id: unit for unit in units_of(what, hex_id, state.next_unit)}
    state.units |= units
    state.next_unit += len(units)
    forget(state)
    settle(state, {})
    return tuple(units)


def _question(state: State) -> ToMarch | ToReinforce | None:
    if state.phase is Phase.MARCH:
        return ToMarch(state.side)
    return ToReinforce(state.side) if state.phase is Phase.REINFORCEMENT else None


def phase_step(side: str, phase: str) -> Step:
    """Return the step of the sequence of play that begins this phase."""
    return Step("phase", (phase, phase, side))


def besieged_khartoum(**changes: str) -> State:
    """Gordon in Khartoum, the Mahdi's men on every side but the White Nile's, summer 1884."""
    return position(
        "Khartoum: Gordon, J. Stewart, 4 infantry egyptian L, 3 infantry egyptian R,"
        " 2 guns egyptian, civilians, 5 gunboats egyptian",
        "2143: Mahdi, 12 spears, 2 rifles mahdist, gun mahdist, cavalry mahdist",
        "2043: 6 spears",
        "Halfaya: 6 spears",
        **changes,  # type: ignore[arg-type]
    )


def el_teb(**changes: str) -> State:
    """Graham with his brigade before the wells of El Teb, February 1884."""
    return position(
        "Trinkitat: Graham, 4 infantry british 3V, 2 infantry british 2V, 2 guns british, fleet",
        "El Teb: Osman Digma, 14 spears, gun mahdist",
        **({"month": "1884-02"} | changes),  # type: ignore[arg-type]
    )


def abu_klea(**changes: str) -> State:
    """Stewart's square in the Bayuda, before the Mahdists at Abu Klea wells, January 1885."""
    return position(
        "2332: H. Stewart, 3 camel corps british 2V, camel corps british 1V, gun british,"
        " supply, camel",
        "Abu Klea Wells: 12 spears, rifles mahdist",
        **({"month": "1885-01"} | changes),  # type: ignore[arg-type]
    )
