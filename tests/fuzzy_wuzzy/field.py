"""Small battles for tests: units in short, a bare field, and dice as one wants them."""

from typing import Any

from msgspec.structs import replace

from battles.books.fuzzy_wuzzy.actions import UnitOrder
from battles.books.fuzzy_wuzzy.evolve import evolve
from battles.books.fuzzy_wuzzy.pieces import Arm, Change, Combat, Rate, Troops, Weapon
from battles.books.fuzzy_wuzzy.sequence import STEPS
from battles.books.fuzzy_wuzzy.state import VERSION, State, Unit
from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from battles.core.game import Ledger, Step
from battles.tabletop.field import OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
_WEAPONS = {
    Arm.INFANTRY: Weapon.SINGLE_SHOT,
    Arm.CAVALRY: Weapon.SINGLE_SHOT,
    Arm.ARTILLERY: Weapon.FIELD,
    Arm.MACHINE_GUN: Weapon.MACHINE_GUN,
}


def unit(
    number: int, troops: str, arm: str, at: tuple[float, float], facing: int = 0, **more: Any
) -> Unit:
    """Return a unit such as `unit(1, "british", "infantry", (50, 60))`; places in centimetres."""
    of, sort = Troops(troops), Arm(arm)
    count = more.pop("stands", 1 if sort is Arm.COMMAND else 6)
    markers = more.pop("markers", (0,) * count)
    side = more.pop("side", MAHDIST if of is Troops.MAHDIST else EGYPTIAN)
    weapon = Weapon(more.pop("weapon", _WEAPONS.get(sort, Weapon.NONE)))
    formation = TableFormation(more.pop("formation", _usual(of, sort)))
    return Unit(
        number,
        side,
        sort,
        of,
        weapon,
        tuple(markers),
        len(markers),
        point(*at),
        facing,
        formation,
        seen=more.pop("seen", True),
        **more,
    )


def spears(number: int, at: tuple[float, float], facing: int = 180, **more: Any) -> Unit:
    """Mahdist foot without firearms."""
    return unit(number, "mahdist", "infantry", at, facing, **{"weapon": "none", **more})


def battle(*units: Unit, features: tuple[TerrainFeature, ...] = (), **more: Any) -> State:
    """Return a battle of these on a field of 150 by 120 centimetres, the Mahdists at home in the
    north.
    """
    return State(
        version=VERSION,
        title="A test",
        field=OpenField(15000, 12000, "cm", features),
        units={one.id: replace(one) for one in units},
        homes={EGYPTIAN: 180, MAHDIST: 0},
        strengths={side: sum(one.stands for one in units if one.side is side) for side in Side},
        turns=16,
        turn=1,
        next_id=100,
        **more,
    )


def point(x: float, y: float) -> TablePoint:
    """Return a place in centimetres."""
    return TablePoint(round(100 * x), round(100 * y))


def wood(
    west: float, north: float, east: float, south: float, kind: str = "wood"
) -> TerrainFeature:
    """Return a rectangle of some ground, in centimetres."""
    ring = ((west, north), (east, north), (east, south), (west, south))
    return TerrainFeature(TableTerrain(kind), tuple(point(*corner) for corner in ring))


def line(kind: str, *places: tuple[float, float]) -> TerrainFeature:
    """Return a line of some kind through these places, in centimetres."""
    return TerrainFeature(TableTerrain(kind), tuple(point(*place) for place in places))


def order(
    number: int, movement: str = "", change: str = "", combat: str = ""
) -> dict[int, UnitOrder]:
    """Return the orders of one unit as a state has them."""
    return {
        number: UnitOrder(
            number,
            Rate(movement) if movement else None,
            Change(change) if change else None,
            Combat(combat) if combat else None,
        )
    }


def ledger(state: State, *faces: int) -> Ledger[State]:
    """Return a ledger whose dice fall so: faces from 1 to 6, of average dice too."""
    return Ledger(state, ScriptedDice(*faces), evolve)


def carried_out(state: State, *steps: Step, dice: tuple[int, ...] = ()) -> Ledger[State]:
    """These steps, and all they lead to until somebody is asked."""
    made = ledger(state, *dice)
    made.then(*steps)
    made.advance(STEPS)
    return made


def happened(made: Ledger[State], kind: type) -> list[Any]:
    """Return the events of that kind, in order."""
    return [event for event in made.events if isinstance(event, kind)]


def _usual(of: Troops, arm: Arm) -> TableFormation:
    if arm in (Arm.ARTILLERY, Arm.MACHINE_GUN):
        return TableFormation.UNLIMBERED
    if arm is Arm.TRANSPORT:
        return TableFormation.COLUMN
    return (
        TableFormation.MASS if of is Troops.MAHDIST and arm is Arm.INFANTRY else TableFormation.LINE
    )
