"""Row types of the tables of Dervish, and the typed values of their cells."""

from enum import StrEnum
from typing import Literal

import msgspec

from battles.contract.brief import Nation, Quality, TroopKind
from battles.core import tables
from battles.core.tables import KeyedRow, Row
from campaign.rules.map.grid import Nav, Relief
from campaign.rules.tables.event_effects import Change, Count, Dice, Effect, Some, quantity

Factor = Count | Literal["strength"]
MarchCell = Literal["no march", "march", "march, 25%", "march, 50%"]
CombatCell = Literal["-", "25D", "50D", "25E", "25E 25D", "25E 50D", "50E", "50E 25D", "50E 50D"]


class MarchColumn(StrEnum):
    """Columns of the march table (8.31)."""

    MAHDIST = "mahdist"
    BRITISH = "british"
    EGYPTIAN = "egyptian"


class AttritionLine(StrEnum):
    """Lines of the attrition table (10.3)."""

    TOWN = "unbesieged town"
    BESIEGED = "besieged"
    DESERT = "desert"
    CLEAR = "clear"
    CULTIVATED = "cultivated"


class Draw(StrEnum):
    """Results of a Mahdist reinforcement roll (3.21)."""

    REMOVE = "remove"
    NONE = "none"
    ADD = "add"


class RecoveryResult(StrEnum):
    """Results of a recovery roll for a disrupted unit (5.2 V)."""

    ELIMINATED = "eliminated"
    DISRUPTED = "disrupted"
    RECOVERED = "recovered"


class CampaignNumberRow(tables.NumberRow, frozen=True, kw_only=True):
    """A number from the text of the rules; none of this game is over a hundred."""

    number: Count


class ModifierRow(KeyedRow, frozen=True, kw_only=True):
    """A modifier; `number` is the count or the ratio in its reason."""

    value: Change
    reason: str
    number: Some | None = None


class PieceRow(Row, frozen=True, kw_only=True):
    """Movement and factors of a kind of piece; without a nation, for nations without a row.

    Movement in movement points a march; factors in strength points, where `strength` stands for the
    unit's own; `fire_quality` is for a piece that has no quality as a unit (8.25).
    """

    kind: TroopKind
    nation: Nation | None = None
    movement: Count = 0
    melee: Factor = 0
    fire: Factor = 0
    gun: Count = 0
    fire_quality: Quality = Quality.NONE


class DefaultRow(Row, frozen=True, kw_only=True):
    """Quality and strength of a counter where a set-up gives none."""

    kind: TroopKind
    nation: Nation
    quality: Quality
    strength: Some


class LeaderRow(Row, frozen=True, kw_only=True):
    name: str
    nation: Nation
    strategic: Change
    tactical: Change
    commander_in_chief: bool = False


class MapTerrainRow(Row, frozen=True, kw_only=True):
    relief: Relief
    cost: Count


class RollRow(Row, frozen=True, kw_only=True):
    """A row for modified rolls from `low` to `high`.

    Without `low`: 'or less'; without `high`: 'or more'.
    """

    low: Change | None = None
    high: Change | None = None


class MarchRow(RollRow, frozen=True, kw_only=True):
    mahdist: MarchCell
    british: MarchCell
    egyptian: MarchCell


class CombatTableRow(RollRow, frozen=True, kw_only=True):
    veteran: CombatCell
    line: CombatCell
    rabble: CombatCell
    fanatic: CombatCell


class RailwayRow(RollRow, frozen=True, kw_only=True):
    hexes: Count


class DrawRow(RollRow, frozen=True, kw_only=True):
    result: Draw


class AttritionRow(Row, frozen=True, kw_only=True):
    """Number of units not affected for each face of the die; 'all' when none ever is.

    `desert_places`: unbesieged villages and oases in the desert read this line.
    """

    line: AttritionLine
    unaffected: tuple[Count, ...] | Literal["all"]
    desert_places: bool = False


class RecoveryTableRow(Row, frozen=True, kw_only=True):
    """Highest rolls that eliminate a unit (none: never) and that leave it disrupted."""

    quality: Quality
    eliminated_up_to: Change | None = None
    disrupted_up_to: Change


class RiverRow(Row, frozen=True, kw_only=True):
    """Allowance of a craft on one class of river: 'any', 'none' or dice such as 2D6+6."""

    craft: TroopKind
    nations: tuple[Nation, ...]
    navigation: Nav
    downstream: str
    upstream: str

    def __post_init__(self) -> None:
        allowance(self.downstream)
        allowance(self.upstream)


class WreckRow(Row, frozen=True, kw_only=True):
    """Wreck by a total of `dice` dice of `wrecked_from` or more; place and months of return."""

    craft: TroopKind
    nations: tuple[Nation, ...]
    dice: Dice
    wrecked_from: Count
    months: str
    returns_to: str
    lost_on_double: bool = False
    only_if_held: bool = False

    def __post_init__(self) -> None:
        quantity(self.months)


class CaptureRow(Row, frozen=True, kw_only=True):
    """Lowest face of the die that captures a destroyed gun or rifle unit (9.9)."""

    nation: Nation
    captured_from: Count


class TownRow(Row, frozen=True, kw_only=True):
    """Boats the Mahdists get when they first enter a place (3.2)."""

    place: str
    boats: Count


class CounterRow(Row, frozen=True, kw_only=True):
    """Number of counters; the scenarios limit the number that new ones are drawn from."""

    kind: TroopKind
    counters: Count


class EventRow(Row, frozen=True, kw_only=True):
    """A random event: results from `low` to `high` of two dice read as tens and units."""

    low: Count
    high: Count
    title: str
    text: str
    effects: tuple[Effect, ...] = ()


class Standard(msgspec.Struct, frozen=True):
    """Quality and strength of a counter where a set-up gives none."""

    quality: Quality
    strength: int


class MarchResult(msgspec.Struct, frozen=True):
    """March or no march, and the percentage of the marching units that fall out (8.31)."""

    march: bool
    disrupted: int


class CombatResult(msgspec.Struct, frozen=True):
    """Percentages of the testing units eliminated and disrupted (9.5, 9.6)."""

    eliminated: int
    disrupted: int


class Allowance(msgspec.Struct, frozen=True):
    """Hexes that a craft may go: `dice` dice and `add`, or any number when `unlimited`."""

    dice: int
    add: int
    unlimited: bool


def allowance(text: str) -> Allowance:
    """Return `any`, `none` or dice such as `2D6+6` as the hexes that a craft may go."""
    if text in ("any", "none"):
        return Allowance(0, 0, text == "any")
    count = quantity(text)
    return Allowance(count.dice, count.plus, False)


def march_result(cell: MarchCell) -> MarchResult:
    """Return a cell of the march table as a result (8.31)."""
    percent = cell.removeprefix("march").strip(", %")
    return MarchResult(cell != "no march", int(percent) if percent.isdigit() else 0)


def combat_result(cell: CombatCell) -> CombatResult:
    """Return a cell of the combat table as percentages (9.6)."""
    parts = {part[-1]: int(part[:-1]) for part in cell.split() if part != "-"}
    return CombatResult(parts.get("E", 0), parts.get("D", 0))
