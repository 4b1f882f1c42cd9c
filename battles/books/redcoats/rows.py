"""The row types of the tables of Redcoats and Dervishes, one for each form of table."""

from typing import Literal

from battles.books.redcoats.field import Obstacle, Terrain
from battles.books.redcoats.pieces import Formation, Heroic, Style, Troops
from battles.core.cards import Suit
from battles.core.tables import Row

Bases = int | Literal["all", "double"]
Firearms = Literal["british", "egyptian", "dervish"]
Weapon = Literal["firearms", "artillery", "machine gun"]
Throw = Literal["action points", "impetuous", "charge", "hand-to-hand", "fire", "recovery"]


class FormationRow(Row, frozen=True, kw_only=True):
    formation: Formation
    who: tuple[str, ...]
    movement: int
    fires: Bases
    charges: bool
    front: Bases
    flank: Bases
    rear: Bases


class TroopsRow(Row, frozen=True, kw_only=True):
    troops: Troops
    style: Style
    firearms: Firearms
    action_points: int = 0
    shaken: bool = False
    impetuous: bool = True


class DiceRow(Row, frozen=True, kw_only=True):
    throw: Throw
    style: Style
    foot: int = 0
    mounted: int = 0
    guns: int = 0
    craft: int = 0
    leader: int = 0


class RangeRow(Row, frozen=True, kw_only=True):
    weapon: Weapon
    of: Firearms
    range: int


class TariffRow(Row, frozen=True, kw_only=True):
    action: str
    points: int


class OutcomeRow(Row, frozen=True, kw_only=True):
    """The effect of a difference between two scores on the unit named as its loser."""

    low: int | None = None
    high: int | None = None
    loser: Literal["", "charger", "charged", "lower"] = ""
    back: int = 0
    figures: int = 0
    disorganised: bool = False
    enters: bool = False


class HeroicRow(Row, frozen=True, kw_only=True):
    card: Heroic
    count: int
    adds: int = 0


class TurnedRow(Row, frozen=True, kw_only=True):
    purpose: Literal["leader", "cover"]
    suit: Suit
    court: str
    plain: str


class TerrainRow(Row, frozen=True, kw_only=True):
    terrain: Terrain
    difficult: bool = False
    steep: bool = False
    cover: bool = False
    obscures: bool = False
    high: bool = False
    water: bool = False


class ObstacleRow(Row, frozen=True, kw_only=True):
    obstacle: Obstacle
    cover: bool = False
    obscures: bool = False
