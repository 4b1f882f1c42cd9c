"""The tables of Restless Natives, read once, with a method for each kind of look-up."""

from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from battles.books.restless_natives.pieces import Kind, Special, Style, Troops, Weapon
from battles.core.tables import NumberRow, Row, Source, Table, check_keys, read_table
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import StandSize

# The types of the rows of Restless Natives' tables, one for each table.


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


FORMS: dict[str, type[Row]] = {
    "movement": MovementRow,
    "weapons": WeaponRow,
    "close_combat": CombatRow,
    "troops": TroopsRow,
    "special": SpecialRow,
    "formations": FormationsRow,
    "kinds": KindRow,
    "terrain": TerrainRow,
    "numbers": NumberRow,
}
"""The tables, and the types of their rows."""

Kinds = frozenset[TableTerrain]


class BookTables:
    """The shipped tables, checked and immutable."""

    def __init__(self) -> None:
        self.tables: dict[str, Table[Any]] = {name: _read_book_table(name) for name in FORMS}
        self._check()
        self._movement: dict[tuple[Style, Kind, TableFormation], MovementRow] = {
            (style, row.kind, row.formation or self._always(row.kind)): row
            for row in self._rows("movement")
            for style in ((row.style,) if row.style else Style)
        }
        self._troops: dict[Troops, TroopsRow] = {row.troops: row for row in self._rows("troops")}
        self._kinds: dict[Kind, KindRow] = {row.kind: row for row in self._rows("kinds")}
        self._sizes = {kind: StandSize(row.width, row.depth) for kind, row in self._kinds.items()}
        self._ranges: dict[Weapon, tuple[WeaponRow, ...]] = {
            weapon: tuple(row for row in self._rows("weapons") if row.weapon is weapon)
            for weapon in Weapon
        }
        self._special: dict[Special, SpecialRow] = {row.card: row for row in self._rows("special")}
        self._combat: dict[str, CombatRow] = {row.round: row for row in self._rows("close_combat")}
        self._permitted: dict[Style, tuple[TableFormation, ...]] = {
            row.style: row.formations for row in self._rows("formations")
        }
        self._numbers: dict[str, int] = {row.key: row.number for row in self._rows("numbers")}
        terrain = self._rows("terrain")
        self.rough: Kinds = frozenset(row.terrain for row in terrain if row.rough)
        self.obstacles: Kinds = frozenset(row.terrain for row in terrain if row.obstacle)
        self.cover: Kinds = frozenset(row.terrain for row in terrain if row.cover)
        self.hiding: Kinds = frozenset(row.terrain for row in terrain if row.hides)
        self.water: Kinds = frozenset(row.terrain for row in terrain if row.water)

    def number(self, key: str) -> int:
        """Return a number of the text. Raises KeyError for an unknown name."""
        return self._numbers[key]

    def style(self, troops: Troops) -> Style:
        """Return the style in which troops move and form up."""
        return self.troops(troops).style

    def troops(self, troops: Troops) -> TroopsRow:
        """Return the organisation of troops, and the score of their morale test."""
        return self._troops[troops]

    def kind(self, kind: Kind) -> KindRow:
        """Return the row of a kind: its stands, and its properties apart from its troops."""
        return self._kinds[kind]

    def size(self, kind: Kind) -> StandSize:
        """Return width and depth of a stand, in hundredths of an inch (Units 3)."""
        return self._sizes[kind]

    def movement(self, style: Style, kind: Kind, formation: TableFormation) -> MovementRow:
        """Return a row of the maximum movement rates. Raises KeyError if there is none."""
        return self._movement[style, kind, formation]

    def formations(self, style: Style, kind: Kind) -> tuple[TableFormation, ...]:
        """Return the formations of such a unit, the usual one first (Activated unit 5)."""
        always = self._kinds[kind].formation
        if always is not None:
            return (always,)
        permitted = self._permitted[style]
        return tuple(
            formation for formation in permitted if (style, kind, formation) in self._movement
        )

    def ranges(self, weapon: Weapon) -> tuple[WeaponRow, ...]:
        """Return the rows of a weapon, the shortest range first; none for the unarmed."""
        return self._ranges[weapon]

    def combat(self, *, first: bool) -> CombatRow:
        """Return the dice of a round of close combat."""
        return self._combat["first" if first else "further"]

    def special(self, card: Special) -> SpecialRow:
        """Return the row of a Special Event Card: its count, and what it helps."""
        return self._special[card]

    def _rows(self, name: str) -> tuple[Any, ...]:
        rows: tuple[Any, ...] = self.tables[name].rows
        return rows

    def _always(self, kind: Kind) -> TableFormation:
        """Return the only formation of a kind that has no choice."""
        row = next(row for row in self._rows("kinds") if row.kind is kind)
        if row.formation is None:
            table = self.tables["kinds"]
            reason, remedy = f"{kind} has no formation of its own", "give it one, or rows for each"
            raise table.error(self._rows("kinds").index(row), reason, remedy)
        return TableFormation(row.formation)

    def _check(self) -> None:
        """Raise TableError when a row is missing or duplicated."""
        check_keys(self.tables["troops"], lambda row: row.troops, Troops)
        check_keys(self.tables["kinds"], lambda row: row.kind, Kind)
        check_keys(self.tables["special"], lambda row: row.card, Special)
        check_keys(self.tables["close_combat"], lambda row: row.round, ("first", "further"))
        check_keys(self.tables["formations"], lambda row: row.style, Style)
        check_keys(self.tables["terrain"], lambda row: row.terrain, TableTerrain)
        check_keys(self.tables["movement"], lambda row: (row.style, row.kind, row.formation))
        check_keys(self.tables["weapons"], lambda row: (row.weapon, row.range))
        check_keys(self.tables["numbers"], lambda row: row.key)


@cache
def book() -> BookTables:
    """Return the book as it is shipped. Raises TableError with file and line of an error."""
    return BookTables()


def _read_book_table(name: str) -> Table[Any]:
    path = files("battles.books.restless_natives") / "tables" / f"{name}.toml"
    return read_table(Source(f"{name}.toml", path.read_text(encoding="utf-8")), FORMS[name])
