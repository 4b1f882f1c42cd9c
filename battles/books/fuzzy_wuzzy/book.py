"""The tables of 'Eres to You Fuzzy Wuzzy, read once, with a method for each kind of look-up."""

from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Literal, TypeVar

from battles.books.fuzzy_wuzzy.pieces import (
    FIGHTING,
    Arm,
    Band,
    Combat,
    Compared,
    Does,
    Grading,
    Purpose,
    Rate,
    Size,
    Style,
    Troops,
    Weapon,
)
from battles.core.tables import NumberRow, Row, Source, Table, check_cover, check_keys, read_table
from battles.tabletop.field import Kinds, TableTerrain

# The types of the rows of 'Eres to You Fuzzy Wuzzy's tables, one for each table.


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


# The tables of 'Eres to You Fuzzy Wuzzy, read once, with a method for each look-up.


FORMS: dict[str, type[Row]] = {
    "numbers": NumberRow,
    "troops": TroopsRow,
    "rates": RateRow,
    "reconnaissance": ReconnaissanceRow,
    "sizes": SizeRow,
    "ranges": RangeRow,
    "attack": AttackRow,
    "defence": DefenceRow,
    "fire": FireRow,
    "close_combat": CloseRow,
    "results": ResultRow,
    "rallying": RallyRow,
    "recovery": RecoveryRow,
    "terrain": TerrainRow,
}
"""The tables, and the types of their rows."""

SCALE = 100
"""Hundredths in a centimetre."""
_SCORES = {"AvD": (2, 3, 4, 5), "D6": (1, 2, 3, 4, 5, 6)}
RowT = TypeVar("RowT", bound=Row)


class BookTables:
    """The shipped tables, checked and immutable."""

    def __init__(self) -> None:
        self.tables: dict[str, Table[Any]] = {name: _read_book_table(name) for name in FORMS}
        self._check()
        self._numbers = {row.key: row.number for row in self._rows("numbers", NumberRow)}
        self._styles: dict[tuple[Troops, Purpose], Style] = {
            (row.troops, purpose): getattr(row, purpose.value.replace(" ", "_"))
            for row in self._rows("troops", TroopsRow)
            for purpose in Purpose
        }
        self._rates = {(row.style, row.arm): row for row in self._rows("rates", RateRow)}
        seen = self._rows("reconnaissance", ReconnaissanceRow)
        self._seen = {(row.style, row.score): row for row in seen}
        self._best_score = max(row.score for row in seen)
        self._ranges = {
            (row.weapon, band): round(SCALE * float(getattr(row, band.value)))
            for row in self._rows("ranges", RangeRow)
            for band in Band
        }
        self._attack = {row.weapon: row for row in self._rows("attack", AttackRow)}
        self._defence: dict[str, Grading] = {
            row.where: row.grading for row in self._rows("defence", DefenceRow)
        }
        fire = self._rows("fire", FireRow)
        self._fire = {(row.style, row.attack, row.score): row for row in fire}
        close = self._rows("close_combat", CloseRow)
        self._close = {(row.style, row.score): row for row in close}
        self._terrain = self._rows("terrain", TerrainRow)
        self._sheltering: dict[str, Kinds] = {
            row.where: frozenset(
                other.terrain for other in self._terrain if other.where == row.where
            )
            for row in self._terrain
        }
        self.difficult = self._kinds("difficult")
        self.slow = self._kinds("slow")
        self.hiding = self._kinds("hides")
        self.barred = self._kinds("barred")
        self.obstacles = self._kinds("obstacle")

    def number(self, key: str) -> int:
        """Return a number of the text. Raises KeyError for an unknown name."""
        return self._numbers[key]

    def style(self, troops: Troops, purpose: Purpose) -> Style:
        """Return whether troops count as regulars or irregulars for a purpose (section 17)."""
        return self._styles[troops, purpose]

    def rate(self, style: Style, arm: Arm, rate: Rate) -> tuple[int, str]:
        """Return number and kind of the dice for a move; none for standing."""
        row = self._rates[style, Arm.ARTILLERY if arm is Arm.MACHINE_GUN else arm]
        return (0 if rate is Rate.STATIONARY else getattr(row, rate.value)), row.dice

    def observed(self, style: Style, score: int, size: Size) -> int:
        """Return the centimetres at which units of that size are observed, 0 for not at all."""
        row = self._seen[style, max(1, min(score, self._best_score))]
        distance: int = getattr(row, size.value)
        return distance

    def size(self, stands: int) -> Size:
        """Return the apparent size of so many stands."""
        rows = self._rows("sizes", SizeRow)
        return next(row.size for row in rows if row.most is None or stands <= row.most)

    def range(self, weapon: Weapon, band: Band) -> int:
        """Return hundredths of a centimetre to the far end of a range band."""
        return self._ranges[weapon, band]

    def attack(self, weapon: Weapon) -> Grading:
        """Return the attack grading of a weapon."""
        return self._attack[weapon].grading

    def adjustment(self, weapon: Weapon, band: Band) -> int:
        """Return the adjustment of each die at that range."""
        row = self._attack[weapon]
        return {Band.SHORT: 0, Band.EFFECTIVE: row.effective, Band.LONG: row.long}[band]

    def defence(self, where: str) -> Grading:
        """Return the grading of a defence: "open", "field..." or "permanent fortifications"."""
        return self._defence[where]

    def fire(self, style: Style, attack: Grading, score: int) -> FireRow | None:
        """Return the row of a fire die; None if it has no effect."""
        return self._fire.get((style, attack, score))

    def close(self, style: Style, score: int) -> CloseRow | None:
        """Return the row of a close combat die; None if it has no effect."""
        return self._close.get((style, score))

    def results(
        self, combat: Combat, compared: Compared, style: Style, arm: Arm, *, retreats: bool
    ) -> tuple[ResultRow, ...]:
        """Return the rows for a comparison, one for each run of the die or one without a die."""
        arms = "fighting" if arm in FIGHTING else "other"
        enemy = "retreats" if retreats else "stands"
        return tuple(
            row
            for row in self._rows("results", ResultRow)
            if (row.combat, row.compared) == (combat, compared)
            and row.style in (None, style)
            and row.arms in ("", arms)
            and row.enemy in ("", enemy)
        )

    def rally(self, style: Style) -> tuple[RallyRow, ...]:
        """Return the rows of the rally die."""
        return tuple(row for row in self._rows("rallying", RallyRow) if row.style is style)

    def rounding(self, score: int) -> str:
        """Return how half of an odd number of casualties is rounded: "up" or "down"."""
        rows = self._rows("recovery", RecoveryRow)
        return next(row.rounded for row in rows if row.low <= score <= row.high)

    def sheltering(self, where: str) -> Kinds:
        """Return the kinds of ground and lines that are such fortifications."""
        return self._sheltering[where]

    def _kinds(self, attribute: str) -> Kinds:
        return frozenset(row.terrain for row in self._terrain if getattr(row, attribute))

    def _rows(self, name: str, form: type[RowT]) -> tuple[RowT, ...]:
        return self.tables[name].rows

    def _check(self) -> None:
        """Raise TableError when a row is missing, is duplicated, or leaves a score out."""
        tables = self.tables
        weapons = [weapon for weapon in Weapon if weapon is not Weapon.NONE]
        arms = [arm for arm in Arm if arm is not Arm.MACHINE_GUN]
        check_keys(tables["numbers"], lambda row: row.key)
        check_keys(tables["troops"], lambda row: row.troops, Troops)
        check_keys(tables["rates"], lambda row: (row.style, row.arm), product(Style, arms))
        check_keys(
            tables["reconnaissance"],
            lambda row: (row.style, row.score),
            product(Style, range(1, 8)),
        )
        check_keys(tables["ranges"], lambda row: row.weapon, weapons)
        check_keys(tables["attack"], lambda row: row.weapon, weapons)
        check_keys(tables["terrain"], lambda row: row.terrain, TableTerrain)
        check_keys(
            tables["fire"],
            lambda row: (row.style, row.attack, row.score),
            [
                (style, grading, score)
                for style, scores in (
                    (Style.REGULAR, (2, 3, 4, 5)),
                    (Style.IRREGULAR, (3, 4, 5, 6)),
                )
                for grading, score in product(Grading, scores)
            ],
        )
        self._check_runs()

    def _check_runs(self) -> None:
        """Check dice whose scores are given as runs: each score in exactly one row."""
        recovery = self.tables["recovery"]
        spans = [(place, row.low, row.high) for place, row in enumerate(recovery.rows)]
        check_cover(recovery, spans, _SCORES["D6"])
        rally = self.tables["rallying"]
        for style, dice in ((Style.REGULAR, "AvD"), (Style.IRREGULAR, "D6")):
            spans = [
                (place, row.low, row.high)
                for place, row in enumerate(rally.rows)
                if row.style is style
            ]
            check_cover(rally, spans, _SCORES[dice])


@cache
def book() -> BookTables:
    """Return the book as it is shipped. Raises TableError with file and line of an error."""
    return BookTables()


def style_of(troops: Troops, purpose: Purpose) -> Style:
    """Return the style of troops for a purpose: move, reconnoitre, fire, close combat or rally."""
    return book().style(troops, purpose)


def is_regular(troops: Troops, purpose: Purpose) -> bool:
    """Return whether the troops count as regulars for that purpose."""
    return style_of(troops, purpose) is Style.REGULAR


def _read_book_table(name: str) -> Table[Any]:
    path = files("battles.books.fuzzy_wuzzy") / "tables" / f"{name}.toml"
    return read_table(Source(f"{name}.toml", path.read_text(encoding="utf-8")), FORMS[name])
