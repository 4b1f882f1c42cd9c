"""The book: all tables of Dervish, read once, with a method for each question of the rules."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Any, TypeVar

from battles.contract.brief import Nation, Quality, TroopKind
from battles.core.dice import Modifier
from battles.core.table_pages import TITLES, TablePage, table_page
from battles.core.tables import Row, Source, Table, TableError, digest, read_table
from campaign.rules import scenario_files
from campaign.rules.core.pieces import Month, month_number, months_between
from campaign.rules.map.grid import Nav, Relief
from campaign.rules.scenario_files import EVENT_TABLE
from campaign.rules.tables import rows as r
from campaign.rules.tables.table_checks import EVENT_RESULTS, MODIFIERS, check

FORMS: dict[str, type[Row]] = {
    "pieces": r.PieceRow,
    "defaults": r.DefaultRow,
    "counters": r.CounterRow,
    "town_entry": r.TownRow,
    "mahdist_reinforcement": r.DrawRow,
    "mahdist_reinforcement_modifiers": r.ModifierRow,
    "railway": r.RailwayRow,
    "railway_modifiers": r.ModifierRow,
    EVENT_TABLE: r.EventRow,
    "recovery": r.RecoveryTableRow,
    "recovery_modifiers": r.ModifierRow,
    "leaders": r.LeaderRow,
    "terrain": r.MapTerrainRow,
    "rivers": r.RiverRow,
    "wrecks": r.WreckRow,
    "march": r.MarchRow,
    "march_modifiers": r.ModifierRow,
    "combat_modifiers": r.ModifierRow,
    "combat_results": r.CombatTableRow,
    "capture": r.CaptureRow,
    "attrition": r.AttritionRow,
    "attrition_modifiers": r.ModifierRow,
    "numbers": r.CampaignNumberRow,
}
"""Tables in the order of the chapters, with the type of their rows.

`EVENT_TABLE` stands for all event tables, shared by scenarios or of a scenario's own.
"""

_COLUMNS = {
    Nation.MAHDIST: r.MarchColumn.MAHDIST,
    Nation.EGYPTIAN: r.MarchColumn.EGYPTIAN,
    Nation.BRITISH: r.MarchColumn.BRITISH,
    Nation.INDIAN: r.MarchColumn.BRITISH,
    Nation.AUSTRALIAN: r.MarchColumn.BRITISH,
}

_TITLES = {**TITLES, "kind": "piece"}

_CELLS = {
    Quality.VETERAN: "veteran",
    Quality.LINE: "line",
    Quality.RABBLE: "rabble",
    Quality.FANATIC: "fanatic",
}

Rolled = TypeVar("Rolled", bound=r.RollRow)


@cache
def book() -> "CampaignTables":
    """Return the shipped book."""
    return CampaignTables.load(files("campaign.rules") / "tables", scenario_files.event_tables())


def table_form(name: str) -> type[Row] | None:
    """Return the row type of a table by its id; None when there is no such table."""
    is_event_table = name.startswith(EVENT_TABLE) and name != EVENT_TABLE
    return FORMS[EVENT_TABLE] if is_event_table else FORMS.get(name)


class CampaignTables:
    """A complete and checked set of tables; it never changes."""

    def __init__(self, tables: Mapping[str, Table[Any]]) -> None:
        events = sorted(name for name in tables if name.startswith(EVENT_TABLE))
        names = [[name] if name != EVENT_TABLE else events for name in FORMS]
        self._tables = {name: tables[name] for name in chain.from_iterable(names)}
        self._events: dict[tuple[str, ...], dict[int, r.EventRow]] = {}
        self._seasons: dict[str, frozenset[int]] = {}
        check(self._tables)

    @classmethod
    def load(cls, directory: Traversable, event_tables: Mapping[str, Source]) -> "CampaignTables":
        """Return the book of the tables in a directory and of event tables from elsewhere.

        Raise TableError with file and line when one is missing or wrong.
        """
        sources = {name: _source(directory, name) for name in FORMS if name != EVENT_TABLE}
        sources |= {**event_tables, **scenario_files.tables_in(directory)}
        return cls({name: _read_rules_table(name, source) for name, source in sources.items()})

    def replacing(self, texts: Mapping[str, str]) -> "CampaignTables":
        """Return the same book with an umpire's own tables, TOML by table id.

        Raise TableError as `load` does.
        """
        for name in texts:
            if table_form(name) is None:
                known = ", ".join(self._tables)
                wrong = f"there is no table {name!r}"
                raise TableError(f"{name}.toml", 1, wrong, f"use one of {known}")
        own = {name: Source(f"{name}.toml", text) for name, text in texts.items()}
        return CampaignTables(
            self._tables | {name: _read_rules_table(name, source) for name, source in own.items()}
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Return the ids of the tables, in the order of the chapters."""
        return tuple(self._tables)

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256, in hex, of the contents of all tables."""
        return digest(self.sources)

    @property
    def sources(self) -> dict[str, Source]:
        """Return the files of the tables, by id."""
        return {name: table.source for name, table in self._tables.items()}

    def differs(self, other: "CampaignTables", name: str) -> bool:
        """Return whether a table has other contents than in the other book, or is not in it."""
        theirs = other.sources.get(name)
        return theirs is None or self.sources[name].document() != theirs.document()

    def tables(self) -> tuple[TablePage, ...]:
        """Return every table as text, in the order of the chapters."""
        return tuple(table_page(table, _TITLES) for table in self._tables.values())

    def toml(self, name: str) -> str:
        """Return the text of one table, for an umpire to edit. Raise KeyError for an unknown id."""
        return self._tables[name].source.text

    def number(self, key: str) -> int:
        """Return a number from the rules, or the threshold of a modifier."""
        return self._numbers[key]

    def modifier(self, key: str) -> Modifier:
        """Return a modifier with its reason and clause (3.21, 3.41, 5.2 V, 8.31, 9.6, 10.3)."""
        return self._modifiers[key]

    def piece(self, kind: TroopKind, nation: Nation) -> r.PieceRow:
        """Return the movement and combat factors of a piece (8.31, 9.4)."""
        return self._pieces[kind, nation]

    def default(self, kind: TroopKind, nation: Nation) -> r.Standard:
        """Return quality and strength of a counter for which a set-up gives none (2.2, 2.3)."""
        return self._defaults.get((kind, nation), r.Standard(Quality.NONE, 1))

    def leader(self, name: str) -> r.LeaderRow:
        """Return a leader's values (7.0)."""
        return self._leaders[name]

    def leaders(self) -> tuple[r.LeaderRow, ...]:
        """Return all leaders (7.0)."""
        return tuple(self._leaders.values())

    def entry_cost(self, relief: Relief) -> int:
        """Return the movement points to enter a hex (8.21)."""
        return self._costs[relief]

    def crossing_cost(self) -> int:
        """Return the additional movement points to cross a river hexside (8.21)."""
        return self.number("river.crossing")

    def column_of(self, nation: Nation) -> r.MarchColumn:
        """Return the column of the march table for troops of a nation (8.31)."""
        return _COLUMNS[nation]

    def march(self, column: r.MarchColumn, roll: int) -> r.MarchResult:
        """Return the result of a modified roll on the march table (8.31)."""
        row = _at(self._tables["march"].rows, roll)
        return r.march_result(getattr(row, column))

    def combat(self, quality: Quality, total: int) -> r.CombatResult:
        """Return the result of a modified roll for a quality, in fire and in melee (9.5, 9.6)."""
        first, columns = self._combat
        cells = columns[quality]
        return cells[max(0, min(total - first, len(cells) - 1))]

    def attrition(self, line: r.AttritionLine, roll: int) -> int | None:
        """Return the number of units not affected; None when all are in supply (10.3)."""
        unaffected = self._attrition[line]
        return None if unaffected is None else unaffected[min(max(roll, 1), len(unaffected)) - 1]

    @cached_property
    def line_of_desert_places(self) -> r.AttritionLine:
        """Return the line that unbesieged villages and oases in the desert read; clear unless a
        row of the table says otherwise (10.3).
        """
        rows = self._tables["attrition"].rows
        lines = (row.line for row in rows if row.desert_places)
        return next(lines, r.AttritionLine.CLEAR)

    def recovery(self, quality: Quality, roll: int) -> r.RecoveryResult:
        """Return the result of a modified recovery roll (5.2 V); quality NONE is the train."""
        row = self._recovery[quality]
        if row.eliminated_up_to is not None and roll <= row.eliminated_up_to:
            return r.RecoveryResult.ELIMINATED
        return (
            r.RecoveryResult.DISRUPTED
            if roll <= row.disrupted_up_to
            else r.RecoveryResult.RECOVERED
        )

    def railway_hexes(self, roll: int) -> int:
        """Return the hexes of railway that a modified roll builds (3.41)."""
        row: r.RailwayRow = _at(self._tables["railway"].rows, roll)
        return row.hexes

    def mahdist_draw(self, roll: int) -> r.Draw:
        """Return whether a modified roll removes or adds Mahdist units (3.21)."""
        row: r.DrawRow = _at(self._tables["mahdist_reinforcement"].rows, roll)
        return row.result

    def boats_found(self, place: str) -> int:
        """Return the boats that the Mahdists get when they first enter a place (3.2)."""
        return self._boats.get(place, 0)

    def captured(self, nation: Nation, die: int) -> bool:
        """Return whether a destroyed gun or rifle unit of a nation is captured (9.9)."""
        return die >= self._captured_from[nation]

    def counters(self, kind: TroopKind) -> int:
        """Return the number of Mahdist counters of a kind (3.2)."""
        return self._counters[kind].counters if kind in self._counters else 0

    def class_now(self, navigation: Nav, when: Month) -> Nav:
        """Return the class of a reach in a month; only a seasonal reach changes (8.23 III)."""
        if navigation is not Nav.SEASONAL:
            return navigation
        return Nav.NAVIGABLE if self._is_in("season", when) else Nav.UNNAVIGABLE

    def navigable_now(self, navigation: Nav, when: Month) -> bool:
        """Return whether a reach counts as navigable in a month (8.23)."""
        return self.class_now(navigation, when) is Nav.NAVIGABLE

    def hot_on_the_coast(self, when: Month) -> bool:
        """Return whether it is the hot season on the Souakim map extension (8.31, 10.3)."""
        return self._is_in("extension", when)

    def upstream(self, craft: TroopKind, navigation: Nav, nation: Nation) -> r.Allowance:
        """Return the hexes a craft may go upstream on a navigable or unnavigable reach (8.23)."""
        return r.allowance(self._rivers[craft, navigation, nation].upstream)

    def downstream(self, craft: TroopKind, navigation: Nav, nation: Nation) -> r.Allowance:
        """Return the hexes a craft may go downstream on a navigable or unnavigable reach (8.23)."""
        return r.allowance(self._rivers[craft, navigation, nation].downstream)

    def wreck(self, craft: TroopKind, nation: Nation) -> r.WreckRow:
        """Return the row of a craft in the table of wrecks (8.23 II, IV)."""
        return self._wrecks[craft, nation]

    def wrecked(self, craft: TroopKind, total: int) -> bool:
        """Return whether this total of the dice wrecks a craft (8.23 II, IV)."""
        return total >= self._wrecks[craft, Nation.BRITISH].wrecked_from

    def event_table(self, name: str) -> Table[r.EventRow]:
        """Return a table of random events by its id. Raise KeyError when there is none."""
        return self._tables[name]

    def events(self, names: tuple[str, ...]) -> Mapping[int, r.EventRow]:
        """Return the random events of these tables by the result of two dice (5.2 I, 5.3 I).

        A result is a number such as 31. Rows of a later table replace those of earlier tables.
        """
        if names not in self._events:
            rows = {
                result: row
                for name in names
                for row in self.event_table(name).rows
                for result in EVENT_RESULTS
                if row.low <= result <= row.high
            }
            self._events[names] = dict(sorted(rows.items()))
        return self._events[names]

    def _is_in(self, season: str, when: Month) -> bool:
        if season not in self._seasons:
            ends = self.number(f"{season}.first"), self.number(f"{season}.last")
            self._seasons[season] = months_between(*ends)
        return month_number(when) in self._seasons[season]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        rows = [row for name in ("numbers", *MODIFIERS) for row in self._tables[name].rows]
        return {row.key: row.number for row in rows if row.number is not None}

    @cached_property
    def _modifiers(self) -> dict[str, Modifier]:
        return {
            row.key: Modifier(row.value, row.reason, row.clause or self._tables[name].clause)
            for name in MODIFIERS
            for row in self._tables[name].rows
        }

    @cached_property
    def _pieces(self) -> dict[tuple[TroopKind, Nation], r.PieceRow]:
        rows = {(row.kind, row.nation): row for row in self._tables["pieces"].rows}
        return {
            (kind, nation): rows.get((kind, nation), rows[kind, None])
            for kind in TroopKind
            for nation in Nation
        }

    @cached_property
    def _defaults(self) -> dict[tuple[TroopKind, Nation], r.Standard]:
        rows = self._tables["defaults"].rows
        return {(row.kind, row.nation): r.Standard(row.quality, row.strength) for row in rows}

    @cached_property
    def _leaders(self) -> dict[str, r.LeaderRow]:
        return {row.name: row for row in self._tables["leaders"].rows}

    @cached_property
    def _costs(self) -> dict[Relief, int]:
        return {row.relief: row.cost for row in self._tables["terrain"].rows}

    @cached_property
    def _combat(self) -> tuple[int, dict[Quality, tuple[r.CombatResult, ...]]]:
        """Return the end of the first row, and the cells of each column from there on.

        The cells end at the beginning of the last row.
        """
        rows = self._tables["combat_results"].rows
        ends = [row.high for row in rows if row.high is not None] or [0]
        columns = {
            quality: tuple(
                r.combat_result(getattr(_at(rows, total), name))
                for total in range(ends[0], ends[-1] + 2)
            )
            for quality, name in _CELLS.items()
        }
        return ends[0], columns

    @cached_property
    def _attrition(self) -> dict[r.AttritionLine, tuple[int, ...] | None]:
        rows = self._tables["attrition"].rows
        return {row.line: None if row.unaffected == "all" else row.unaffected for row in rows}

    @cached_property
    def _recovery(self) -> dict[Quality, r.RecoveryTableRow]:
        return {row.quality: row for row in self._tables["recovery"].rows}

    @cached_property
    def _boats(self) -> dict[str, int]:
        return {row.place: row.boats for row in self._tables["town_entry"].rows}

    @cached_property
    def _captured_from(self) -> dict[Nation, int]:
        return {row.nation: row.captured_from for row in self._tables["capture"].rows}

    @cached_property
    def _counters(self) -> dict[TroopKind, r.CounterRow]:
        return {row.kind: row for row in self._tables["counters"].rows}

    @cached_property
    def _rivers(self) -> dict[tuple[TroopKind, Nav, Nation], r.RiverRow]:
        rows = self._tables["rivers"].rows
        return {(row.craft, row.navigation, nation): row for row in rows for nation in row.nations}

    @cached_property
    def _wrecks(self) -> dict[tuple[TroopKind, Nation], r.WreckRow]:
        rows = self._tables["wrecks"].rows
        return {(row.craft, nation): row for row in rows for nation in row.nations}


def _source(directory: Traversable, name: str) -> Source:
    file = directory / f"{name}.toml"
    if not file.is_file():
        raise TableError(f"{name}.toml", 1, "the table is missing", "put the file back")
    return scenario_files.read_source(f"{name}.toml", file)


def _read_rules_table(name: str, source: Source) -> Table[Any]:
    return read_table(source, table_form(name) or r.EventRow)


def _at(rows: Iterable[Rolled], roll: int) -> Rolled:
    """Return the row of a modified roll; the rows cover every roll."""
    return next(row for row in rows if row.high is None or roll <= row.high)
