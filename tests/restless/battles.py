"""Battles for whoever plays them at random: small ones, and every kind of ground and goal."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.books.restless_natives.generator import generate_brief
from battles.books.restless_natives.layout_plans import lay_out
from battles.books.restless_natives.pieces import Exit, Hold, Kind, Troops, Weapon
from battles.books.restless_natives.set_up import Deployment
from battles.books.restless_natives.state import Commander, Unit
from battles.tabletop.field import OpenField, TableTerrain
from battles.tabletop.formations import TableFormation
from tests.restless.field import (
    BRITISH_CHIEF,
    EAST,
    EGYPTIAN,
    MAHDIST,
    NATIVE_CHIEF,
    NORTH,
    SOUTH,
    SUBORDINATE,
    at,
    block,
    british,
    deployment,
    line,
    natives,
    table,
)

GUN: dict[str, Any] = {"stands": 1, "formation": TableFormation.LINE}
VILLAGE = (at(20, 6), at(28, 6), at(28, 12), at(20, 12))


def mixed_ground() -> OpenField:
    """Something of everything, with a river in the south."""
    return table(
        block(TableTerrain.BUILDINGS, 20, 6, 28, 12),
        block(TableTerrain.SCRUB, 4, 14, 14, 19),
        block(TableTerrain.HILL, 34, 14, 44, 20),
        block(TableTerrain.RIVER, 0, 33, 48, 36),
        line(TableTerrain.WALL, (18, 13), (30, 13)),
        line(TableTerrain.STREAM, (0, 24), (20, 22)),
    )


def village() -> Deployment:
    """Return every kind of unit, a village to be taken, two British commanders, somebody late."""
    units: tuple[Unit, ...] = (
        british(1, at(12, 27)),
        british(2, at(20, 27), troops=Troops.EGYPTIAN, command=SUBORDINATE),
        british(3, at(28, 27), kind=Kind.CAVALRY, weapon=Weapon.SPEARS),
        british(4, at(34, 27), kind=Kind.ARTILLERY, weapon=Weapon.RIFLED, **GUN),
        british(5, at(37, 27), kind=Kind.MACHINE_GUNS, weapon=Weapon.MACHINE_GUNS, **GUN),
        british(6, at(24, 31), kind=Kind.COMMANDER, weapon=Weapon.NONE, **GUN),
        british(
            7,
            at(40, 29),
            kind=Kind.TRANSPORT,
            weapon=Weapon.NONE,
            stands=3,
            full=3,
            formation=TableFormation.MARCH_COLUMN,
        ),
        british(
            8,
            at(6, 34.5),
            EAST,
            kind=Kind.GUNBOAT,
            weapon=Weapon.SMOOTHBORE,
            stands=1,
            formation=TableFormation.AFLOAT,
        ),
        british(9, at(2, 28), EAST, kind=Kind.CAMELRY, stands=2, command=SUBORDINATE),
        natives(20, at(24, 9), weapon=Weapon.SINGLE_SHOT, stands=5),
        natives(21, at(10, 6)),
        natives(22, at(36, 8)),
        natives(23, at(42, 4), kind=Kind.CAVALRY, stands=4),
        natives(24, at(4, 4), kind=Kind.CAMELRY, stands=3),
        natives(25, at(16, 8), kind=Kind.ARTILLERY, weapon=Weapon.SMOOTHBORE, **GUN),
        natives(26, at(24, 3), kind=Kind.COMMANDER, weapon=Weapon.NONE, **GUN),
        natives(
            27,
            at(44, 10),
            kind=Kind.CIVILIANS,
            weapon=Weapon.NONE,
            stands=2,
            formation=TableFormation.LINE,
        ),
    )
    commanders = (
        Commander(BRITISH_CHIEF, EGYPTIAN, "Graham", chief=True, unit=6),
        Commander(SUBORDINATE, EGYPTIAN, "Davis"),
        Commander(NATIVE_CHIEF, MAHDIST, "Osman Digma", chief=True, unit=26),
    )
    return deployment(
        *units,
        field=mixed_ground(),
        commanders=commanders,
        late=(9,),
        goal=Hold(EGYPTIAN, (VILLAGE,)),
        zones={EGYPTIAN: ((at(0, 20), at(48, 20), at(48, 36), at(0, 36)),)},
    )


def patrol() -> Deployment:
    """Return two battalions on their way out, one-off."""
    exit_ = (at(20, 0), at(28, 0), at(28, 3), at(20, 3))
    return deployment(
        british(1, at(20, 14), NORTH, formation=TableFormation.COLUMN),
        british(3, at(28, 20), NORTH, formation=TableFormation.SQUARE),
        natives(20, at(10, 4), SOUTH),
        natives(21, at(38, 4), SOUTH),
        goal=Exit(EGYPTIAN, exit_),
        one_off=True,
    )


def long_battle() -> Deployment:
    """Return a battle of more than one pack."""
    return deployment(
        *(british(number, at(8 * number, 30)) for number in range(1, 5)),
        *(natives(20 + number, at(9 * number, 6)) for number in range(1, 5)),
        cards=70,
    )


def scenario(letter: str) -> Callable[[], Deployment]:
    """Return a scenario of the book with middling armies."""
    return lambda: lay_out(generate_brief(3, 4, letter))


BATTLES: Mapping[str, Callable[[], Deployment]] = {
    "village": village,
    "patrol": patrol,
    "long": long_battle,
    "A": scenario("A"),
    "C": scenario("C"),
    "E": scenario("E"),
}
