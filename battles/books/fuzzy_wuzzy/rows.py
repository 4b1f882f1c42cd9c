"""The types of the rows of 'Eres to You Fuzzy Wuzzy's tables, one for each table."""

from typing import Literal

from battles.books.fuzzy_wuzzy.pieces import (
    Arm,
    Combat,
    Compared,
    Does,
    Grading,
    Rate,
    Size,
    Style,
    Troops,
    Weapon,
)
from battles.core.tables import Row
from battles.tabletop.field import TableTerrain

Where = Literal["open", "field fortifications", "permanent fortifications"]
Throw = Literal["AvD", "D6"]


class RateRow(Row, frozen=True, kw_only=True):
    style: Style
    arm: Arm
    dice: Throw
    march: int
    double: int
    charge: int


class ReconnaissanceRow(Row, frozen=True, kw_only=True):
    style: Style
    score: int
    company: int
    battalion: int
    brigade: int


class SizeRow(Row, frozen=True, kw_only=True):
    size: Size
    fewest: int
    most: int | None = None


class RangeRow(Row, frozen=True, kw_only=True):
    weapon: Weapon
    short: float
    effective: float
    long: float


class AttackRow(Row, frozen=True, kw_only=True):
    weapon: Weapon
    grading: Grading
    effective: int
    long: int


class DefenceRow(Row, frozen=True, kw_only=True):
    where: Where
    grading: Grading


class FireRow(Row, frozen=True, kw_only=True):
    style: Style
    attack: Grading
    score: int
    light: int
    medium: int
    heavy: int


class CloseRow(Row, frozen=True, kw_only=True):
    style: Style
    score: int
    light: int
    medium: int
    heavy: int


class ResultRow(Row, frozen=True, kw_only=True):
    """The result of a comparison; an empty style, arm, enemy or run of scores matches all."""

    combat: Combat
    compared: Compared
    style: Style | None = None
    arms: Literal["", "fighting", "other"] = ""
    enemy: Literal["", "retreats", "stands"] = ""
    scores: tuple[int, ...] = ()
    does: Does
    rate: Rate | None = None
    until_rallied: bool = False


class RallyRow(Row, frozen=True, kw_only=True):
    style: Style
    dice: Throw
    low: int
    high: int
    rallies: bool


class RecoveryRow(Row, frozen=True, kw_only=True):
    low: int
    high: int
    rounded: Literal["up", "down"]


class TroopsRow(Row, frozen=True, kw_only=True):
    troops: Troops
    move: Style
    reconnoitre: Style
    fire: Style
    close_combat: Style
    rally: Style


class TerrainRow(Row, frozen=True, kw_only=True):
    """The effects of terrain: difficult, slow, hiding, impassable, sheltering."""

    terrain: TableTerrain
    difficult: bool = False
    slow: bool = False
    hides: bool = False
    barred: bool = False
    obstacle: bool = False
    where: Where = "open"
