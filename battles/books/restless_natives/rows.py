"""The types of the rows of Restless Natives' tables, one for each table."""

from typing import Annotated, Literal

import msgspec

from battles.books.restless_natives.pieces import (
    Kind,
    Special,
    Style,
    TableFormation,
    Troops,
    Weapon,
)
from battles.core.tables import Row
from battles.tabletop.field import TableTerrain

Positive = Annotated[int, msgspec.Meta(ge=1)]
Whole = Annotated[int, msgspec.Meta(ge=0)]


class WeaponRow(Row, frozen=True, kw_only=True):
    weapon: Weapon
    range: Positive
    dice: Positive


class MovementRow(Row, frozen=True, kw_only=True):
    kind: Kind
    dice: Positive
    plus: Whole = 0
    style: Style | None = None
    formation: TableFormation | None = None


class KindRow(Row, frozen=True, kw_only=True):
    kind: Kind
    width: Positive
    depth: Positive
    formation: TableFormation | None = None
    initiates: bool = False
    afloat: bool = False
    armoured: bool = False


class FormationsRow(Row, frozen=True, kw_only=True):
    style: Style
    formations: tuple[TableFormation, ...]


class TroopsRow(Row, frozen=True, kw_only=True):
    troops: Troops
    style: Style
    standing: str
    passes: Positive


class CombatRow(Row, frozen=True, kw_only=True):
    round: Literal["first", "further"]
    initiating: Positive
    engaged: Positive


class SpecialRow(Row, frozen=True, kw_only=True):
    card: Special
    count: Positive
    helps: Literal["nothing", "fire", "move", "close combat", "rally"]
    adds: Whole = 0


class TerrainRow(Row, frozen=True, kw_only=True):
    terrain: TableTerrain
    rough: bool = False
    obstacle: bool = False
    cover: Literal["", "soft", "hard"] = ""
    hides: bool = False
    water: bool = False
