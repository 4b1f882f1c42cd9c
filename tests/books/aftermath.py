"""Battles at their end: whom the reports of all books are tested with."""

from typing import Any

from battles.contract import (
    Bearing,
    Brief,
    BriefGround,
    Fate,
    Nation,
    Quality,
    Side,
    TroopKind,
    conserve,
)
from battles.contract.engine import Engine
from tests.redcoats_commander.armies import meeting, troop


def two_battalions(spears: int, **more: Any) -> Brief:
    """Return two British battalions of 3 (one disrupted), guns and Graham before so many spears."""
    return meeting(
        [
            troop(1, TroopKind.INFANTRY, strength=3),
            troop(2, TroopKind.INFANTRY, strength=3, disrupted=True),
            troop(3, TroopKind.GUN),
            troop(4, TroopKind.LEADER, strength=0, name="Graham"),
        ],
        [troop(number, TroopKind.SPEARS, Nation.MAHDIST) for number in range(10, 10 + spears)],
        attacker=Side.MAHDIST,
        **more,
    )


def on_the_nile() -> Brief:
    """Return two gunboats and a battalion."""
    return meeting(
        [
            troop(1, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(2, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(3, TroopKind.INFANTRY, Nation.EGYPTIAN),
        ],
        [troop(4, TroopKind.SPEARS, Nation.MAHDIST)],
        attacker=Side.MAHDIST,
        ground=BriefGround(river=(Bearing.NORTH,), river_class="navigable"),
    )


def number_of(state: Any, *troops: int) -> int:
    """Return the unit on the field that those campaign units fight as."""
    return next(unit for unit, of in state.drawn_from.items() if set(troops) <= set(of))


def fates(engine: Engine, state: Any) -> dict[int, Fate]:
    """Return the fates by a report that adds up."""
    told = engine.report(state)
    conserve(state.brief, told)
    return told.fates
