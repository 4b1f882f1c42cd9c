"""The tables of Redcoats and Dervishes, read once, with a method for each kind of look-up."""

from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

from battles.books.redcoats.field import Obstacle, Terrain
from battles.books.redcoats.pieces import AFLOAT, GUNS, Formation, Heroic, Kind, Style, Troops
from battles.books.redcoats.state import Unit
from battles.core.dice import Card, Suit
from battles.core.tables import NumberRow, Row, Source, Table, check_keys, check_steps, read_table

# The row types of the tables of Redcoats and Dervishes, one for each form of table.


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


# The tables of Redcoats and Dervishes, read once and looked up by the names the rules use.


FORMS: dict[str, type[Row]] = {
    "numbers": NumberRow,
    "formations": FormationRow,
    "troops": TroopsRow,
    "heroic": HeroicRow,
    "dice": DiceRow,
    "tariff": TariffRow,
    "charge": OutcomeRow,
    "combat": OutcomeRow,
    "ranges": RangeRow,
    "terrain": TerrainRow,
    "obstacles": ObstacleRow,
    "turned": TurnedRow,
}
"""The tables, and the type of their rows."""

TARIFF = (
    "diagonal",
    "orthogonal",
    "obstacle",
    "through friends",
    "fire",
    "formation",
    "mount",
    "limber",
    "turn",
    "steep",
    "difficult",
)
RowT = TypeVar("RowT", bound=Row)


class BookTables:
    """The tables as shipped, checked and never changed."""

    def __init__(self) -> None:
        self.tables: dict[str, Table[Any]] = {name: _read_book_table(name) for name in FORMS}
        self._formations = {row.formation: row for row in self._rows("formations", FormationRow)}
        self._troops = {row.troops: row for row in self._rows("troops", TroopsRow)}
        self._dice = {(row.throw, row.style): row for row in self._rows("dice", DiceRow)}
        ranges = self._rows("ranges", RangeRow)
        self._ranges: dict[tuple[str, str], int] = {
            (row.weapon, row.of): row.range for row in ranges
        }
        self._tariff = {row.action: row.points for row in self._rows("tariff", TariffRow)}
        self._numbers = {row.key: row.number for row in self._rows("numbers", NumberRow)}
        self._heroic = {row.card: row for row in self._rows("heroic", HeroicRow)}
        self._terrain = {row.terrain: row for row in self._rows("terrain", TerrainRow)}
        self._obstacles = {row.obstacle: row for row in self._rows("obstacles", ObstacleRow)}
        turned = self._rows("turned", TurnedRow)
        self._turned: dict[tuple[str, Suit], TurnedRow] = {
            (row.purpose, row.suit): row for row in turned
        }
        self._check()

    def number(self, key: str) -> int:
        """Return a number of the rules. Raises KeyError when there is none of that name."""
        return self._numbers[key]

    def points(self, action: str) -> int:
        """Return the cost of an action by the tariff (Movement 1)."""
        return self._tariff[action]

    def formation(self, formation: Formation) -> FormationRow:
        """Return the effects of a formation (Formations 4 to 6)."""
        return self._formations[formation]

    def troops(self, troops: Troops) -> TroopsRow:
        """Return the style, the weapons and the weaknesses of troops."""
        return self._troops[troops]

    def style(self, troops: Troops) -> Style:
        """Return the style of fighting of troops."""
        return self._troops[troops].style

    def faces(self, throw: Throw, unit: Unit) -> int:
        """Return the faces of the dice that a unit throws for `throw`."""
        row = self._dice[throw, self.style(unit.troops)]
        if unit.kind in AFLOAT:
            return row.craft
        if unit.kind in GUNS:
            return row.guns
        return row.mounted if unit.mounted else row.foot

    def leader_faces(self, troops: Troops) -> int:
        """Return the faces of the dice of a Leader who moves alone (Action points 1)."""
        return self._dice["action points", self.style(troops)].leader

    def range(self, weapon: str, troops: Troops) -> int:
        """Return the range of a weapon of these troops, in squares (Firing 6)."""
        return self._ranges[weapon, self._troops[troops].firearms]

    def outcome(self, table: str, difference: int) -> OutcomeRow:
        """Return the row of the table "charge" or "combat" for a difference."""
        rows: tuple[OutcomeRow, ...] = self.tables[table].rows
        return next(row for row in rows if row.high is None or difference <= row.high)

    def heroic(self, card: Heroic) -> HeroicRow:
        """Return the number of a Heroic Leadership card in the pack, and its bonus."""
        return self._heroic[card]

    def terrain(self, terrain: Terrain) -> TerrainRow:
        """Return the effects of a kind of terrain."""
        return self._terrain[terrain]

    def obstacle(self, obstacle: Obstacle) -> ObstacleRow:
        """Return the effects of a kind of obstacle."""
        return self._obstacles[obstacle]

    def turned(self, purpose: str, card: Card) -> str:
        """Return the meaning of a card turned over for "leader" or "cover"."""
        row = self._turned[purpose, card.suit]
        return row.court if card.court else row.plain

    def _rows(self, name: str, form: type[RowT]) -> tuple[RowT, ...]:
        return self.tables[name].rows

    def _check(self) -> None:
        """Raise TableError when a row is missing or doubled, or a difference is not covered."""
        check_keys(self.tables["formations"], lambda row: row.formation, Formation)
        check_keys(self.tables["troops"], lambda row: row.troops, Troops)
        check_keys(self.tables["heroic"], lambda row: row.card, Heroic)
        check_keys(self.tables["tariff"], lambda row: row.action, TARIFF)
        check_keys(self.tables["terrain"], lambda row: row.terrain, Terrain)
        check_keys(self.tables["obstacles"], lambda row: row.obstacle, Obstacle)
        turned = [(purpose, suit) for purpose in ("leader", "cover") for suit in Suit]
        check_keys(self.tables["turned"], lambda row: (row.purpose, row.suit), turned)
        for name in ("charge", "combat"):
            check_steps(self.tables[name], lambda row: (row.low, row.high))


@cache
def book() -> BookTables:
    """Return the tables as shipped. Raises TableError with file and line when one is wrong."""
    return BookTables()


def kind_of(unit: Unit) -> str:
    """Return a unit's class in formations.toml: "foot", "mounted", "guns", "transport", "craft"."""
    if unit.kind in AFLOAT:
        return "craft"
    if unit.kind in GUNS:
        return "guns"
    if unit.kind is Kind.TRANSPORT:
        return "transport"
    return "mounted" if unit.mounted else "foot"


def _read_book_table(name: str) -> Table[Any]:
    path = files("battles.books.redcoats") / "tables" / f"{name}.toml"
    return read_table(Source(f"{name}.toml", path.read_text(encoding="utf-8")), FORMS[name])
