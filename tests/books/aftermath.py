"""Battles at their end: whom the reports of all books are tested with."""

from typing import Any

from battles.contract import Bearing, Brief, Fate, Ground, Kind, Nation, Quality, Side, conserve
from battles.contract.engine import Engine
from tests.redcoats_commander.armies import meeting, troop


def two_battalions(spears: int, **more: Any) -> Brief:
    """Return two British battalions of 3 (one disrupted), guns and Graham before so many spears."""
    return meeting(
        [
            troop(1, Kind.INFANTRY, strength=3),
            troop(2, Kind.INFANTRY, strength=3, disrupted=True),
            troop(3, Kind.GUN),
            troop(4, Kind.LEADER, strength=0, name="Graham"),
        ],
        [troop(number, Kind.SPEARS, Nation.MAHDIST) for number in range(10, 10 + spears)],
        attacker=Side.MAHDIST,
        **more,
    )


def on_the_nile() -> Brief:
    """Return two gunboats and a battalion."""
    return meeting(
        [
            troop(1, Kind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(2, Kind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE),
            troop(3, Kind.INFANTRY, Nation.EGYPTIAN),
        ],
        [troop(4, Kind.SPEARS, Nation.MAHDIST)],
        attacker=Side.MAHDIST,
        ground=Ground(river=(Bearing.NORTH,), river_class="navigable"),
    )


def number_of(state: Any, *troops: int) -> int:
    """Return the unit on the field that those campaign units fight as."""
    return next(unit for unit, of in state.drawn_from.items() if set(troops) <= set(of))


def fates(engine: Engine, state: Any) -> dict[int, Fate]:
    """Return the fates by a report that adds up."""
    told = engine.report(state)
    conserve(state.brief, told)
    return told.fates
