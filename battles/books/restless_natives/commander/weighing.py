"""What a deed is worth: the common measure of all plans is a stand."""

from enum import StrEnum
from typing import NamedTuple

from battles.books.restless_natives.commander import chances
from battles.books.restless_natives.commander.scene import (
    Scene,
    is_native,
    looks_at,
    reaches,
    volley,
)
from battles.books.restless_natives.pieces import Formation, Kind
from battles.books.restless_natives.state import Unit

CAUTION = {True: 0.6, False: 1.1}
"""What a stand of their own is worth to those who go in, beside one of the enemy's: to Natives
and to others."""
PRIZES = {Kind.COMMANDER: 1.5, Kind.ARTILLERY: 1.0, Kind.MACHINE_GUNS: 1.0, Kind.TRANSPORT: -0.5}
"""What it is worth beside its stands to destroy such a unit."""
THREATENING = 1.0
"""By how much more it is worth to fire on those who are sure to go in with their next card."""


class Deed(StrEnum):
    """What a unit may be meant to do when it is activated."""

    FIGHT = "fight"
    CHARGE = "charge"
    FIRE = "fire"
    CLOSE = "close and fire"
    TURN = "turn and fire"
    FORM = "form"
    MARCH = "march"
    REST = "rest"


class Plan(NamedTuple):
    """What a unit is meant to do, against whom, and what that is worth in stands."""

    value: float
    deed: Deed
    target: int = 0
    formation: Formation | None = None


REST = Plan(0.0, Deed.REST)


def gain(unit: Unit, foe: Unit, *, card: int = 0) -> float:
    """What going in against an enemy is worth once he is reached."""
    blow = chances.combat((2 + card) * unit.stands, foe.troops, foe.stands)
    parry = chances.combat(foe.stands, unit.troops, unit.stands)
    return blow + PRIZES.get(foe.kind, 0.0) - CAUTION[is_native(unit)] * parry


def best_charge(scene: Scene, unit: Unit, *, surest: float = 0.0) -> Plan:
    """Return the enemy whom it is worth most to go in against, reached with that chance at least."""
    best = REST
    for foe in scene.prey:
        chance = reaches(unit, scene.apart(unit, foe))
        if chance > surest:
            value = chance * gain(unit, foe)
            if value > best.value:
                best = Plan(value, Deed.CHARGE, foe.id)
    return best


def best_fire(scene: Scene, unit: Unit, *, volleys: int = 2, turning: bool = False) -> Plan:
    """Return the enemy on whom it is worth most to fire, as far as can be seen from afar.

    With `turning` those who are not before the unit count, and those who are do not.
    """
    best = REST
    for foe in scene.foes:
        dice = volleys * volley(unit, scene.apart(unit, foe))
        if not dice or looks_at(unit, foe.at) is turning:
            continue
        if turning and scene.masks(unit, foe):
            continue
        sixes = chances.COVERED if scene.covered(foe) else chances.OPEN
        value = shot_worth(scene, unit, foe, dice, sixes=sixes)
        if value > best.value:
            best = Plan(value, Deed.TURN if turning else Deed.FIRE, foe.id)
    return best


def shot_worth(
    scene: Scene, unit: Unit, foe: Unit, dice: int, *, sixes: int = chances.OPEN
) -> float:
    """What so many dice at an enemy are worth; those who are about to go in come first."""
    worth = chances.fire(dice, sixes, foe.troops, foe.stands)
    return worth * (1 + THREATENING * menace(scene, unit, foe))


def menace(scene: Scene, unit: Unit, foe: Unit) -> float:
    """Return the chance that an enemy can go in against the unit with one move."""
    return reaches(foe, scene.apart(foe, unit))
