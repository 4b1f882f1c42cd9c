"""The tables and rulings of the campaign as documents."""

import tomllib
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urlencode

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.scalars import Moment, ProvenanceName
from api.http.problems import Problem
from api.http.rule_json import identifier
from battles.core.table_pages import TablePage
from battles.core.tables import Provenance
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.editions import (
    ChangedText,
    Edition,
    changes,
    is_own_table,
    shipped_edition,
)
from campaign.web.tables.rule_book import not_yet, rulings

Row = Annotated[
    dict[str, Any],
    Meta(
        description="A row, by the names of the table's own columns: words, numbers, true or "
        "false, lists, and tables of these; a column that says nothing of a row is left out."
    ),
]
SHIPPED = "shipped"
"""The set of tables that comes with the program, in addresses."""


class LoadedTableSet(NamedTuple):
    """A set of tables as a caller may see it; editions that come with the program have no id.

    The name is the caller's own, or the edition's title; None for a set of somebody else's.
    `slug` names an edition that comes with the program in addresses; it is empty for users' sets.
    """

    id: int | None
    name: str | None
    created: datetime | None
    edition: Edition
    slug: str = ""

    @property
    def key(self) -> int | str:
        """Return the part of addresses that names the set."""
        return self.slug or self.id or SHIPPED


class TableLinks(msgspec.Struct, frozen=True):
    """The addresses of a table, of its set, and of its file if it is a shipped one."""

    self: str
    table_set: str
    toml_file: str | None


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list."""

    slug: str
    title: str
    clause: str
    provenance: ProvenanceName
    links: TableLinks


class PrintedTablePart(msgspec.Struct, frozen=True):
    """A table as it is printed."""

    slug: str
    title: str
    clause: str
    provenance: ProvenanceName
    note: str | None
    column_names: tuple[str, ...]
    printed_rows: tuple[tuple[str, ...], ...]


class TableDocument(PrintedTablePart, frozen=True):
    """A table: as it is printed, as the values behind it, and as its file.

    A column `source` has the provenance and clause of rows that differ from the table's.
    """

    data_rows: list[Row]
    toml: str
    links: TableLinks


class ChangedValuePart(msgspec.Struct, frozen=True):
    """A value of a table in TOML, as shipped and in this set; null where there is none."""

    name: str
    shipped_value: str | None
    own_value: str | None


class ChangedRowPart(msgspec.Struct, frozen=True):
    """A row that differs from the shipped one, with the values of every column."""

    row_change: Literal["changed", "new", "gone"]
    column_values: tuple[ChangedValuePart, ...]


class DiffLinePart(msgspec.Struct, frozen=True):
    """A line of a file compared with the shipped one: `+` is new, `-` is gone.

    The text of a line marked `@` is the number, in the new file, of the line that follows.
    """

    mark: Literal["+", "-", " ", "@"]
    text: str


class DifferencePart(msgspec.Struct, frozen=True):
    """A table or scenario that differs from the shipped one: tables by rows, scenarios by lines."""

    slug: str
    title: str
    changed_values: tuple[ChangedValuePart, ...]
    changed_rows: tuple[ChangedRowPart, ...]
    diff_lines: tuple[DiffLinePart, ...]


class TableSetLinks(msgspec.Struct, frozen=True):
    """The addresses of a set of tables and of its scenarios."""

    self: str
    scenarios: str


class TableSetLine(msgspec.Struct, frozen=True):
    """A set of tables in a list; editions that come with the program have no `id`.

    `name` and `created_at` are null for a set that a campaign is played by and that is not yours.
    """

    id: int | None
    edition: str | None
    name: str | None
    digest: str
    created_at: Moment | None
    links: TableSetLinks


class TableSetDocument(TableSetLine, frozen=True):
    """A set: its tables, its files that differ from the shipped ones, and the differences."""

    tables: tuple[TableLine, ...]
    files: dict[str, str]
    differences: tuple[DifferencePart, ...]


class RulingPart(msgspec.Struct, frozen=True):
    """A decision on a point where a book is silent or unclear."""

    number: int
    clause: str
    text: str


class MissingRulePart(msgspec.Struct, frozen=True):
    """A rule of the book that is not implemented."""

    clause: str
    text: str


class RulingsLinks(msgspec.Struct, frozen=True):
    """The addresses of the rulings, of the page, and of the case book.

    The case book has positions, actions and their results, as JSON.
    """

    self: str
    page: str
    case_book: str


class RulingsDocument(msgspec.Struct, frozen=True):
    """The rulings where the book is silent or unclear, and what is not implemented."""

    results: tuple[RulingPart, ...]
    not_implemented: tuple[MissingRulePart, ...]
    links: RulingsLinks


def table_set_line(table_set: LoadedTableSet) -> TableSetLine:
    links = TableSetLinks(
        table_set_address(table_set.key), reverse("api:scenarios") + table_set_query(table_set.key)
    )
    return TableSetLine(
        table_set.id,
        table_set.slug or None,
        table_set.name,
        table_set.edition.digest,
        table_set.created,
        links,
    )


def table_set_document(table_set: LoadedTableSet) -> TableSetDocument:
    edition, as_shipped = table_set.edition, shipped_edition().texts
    return TableSetDocument(
        **msgspec.structs.asdict(table_set_line(table_set)),
        tables=tuple(_lines(table_set)),
        files={name: text for name, text in edition.texts.items() if as_shipped.get(name) != text},
        differences=tuple(map(_difference, changes(edition))),
    )


def table_set_address(key: int | str | None) -> str:
    """Return the address of a set of tables; None is the shipped one."""
    return reverse("api:table-set", args=[key or SHIPPED])


def table_set_query(key: int | str | None) -> str:
    """Return the query that names a set of tables; empty for the shipped one."""
    return f"?{urlencode({'table_set': key})}" if key and key != SHIPPED else ""


def _lines(table_set: LoadedTableSet) -> Iterator[TableLine]:
    for page in table_set.edition.book.tables():
        source = _source(table_set.edition.book, page)
        yield TableLine(page.id, page.title, page.clause, source, _table_links(table_set, page.id))


def _table_links(table_set: LoadedTableSet, name: str) -> TableLinks:
    return TableLinks(
        self=reverse("api:table", args=[table_set.key, name]),
        table_set=table_set_address(table_set.key),
        toml_file=file_address(table_set, name),
    )


def file_address(table_set: LoadedTableSet, name: str) -> str | None:
    """Return the address of a table or scenario as a file; None in a user's set."""
    if table_set.id:
        return None
    if table_set.key == SHIPPED:
        return reverse("shipped-file", args=[name])
    return reverse("named-edition-file", args=[table_set.slug, name])


def _source(tables: CampaignTables, page: TablePage) -> str:
    """Return the source of the table: the umpire, if no edition of the program has it so."""
    own = is_own_table(tables, page.id)
    return identifier(Provenance.UMPIRE if own else page.provenance)


def _difference(changed: ChangedText) -> DifferencePart:
    return DifferencePart(
        slug=changed.name,
        title=changed.title,
        changed_values=tuple(
            ChangedValuePart(name, cell.before or None, cell.after or None)
            for name, cell in changed.heading
        ),
        changed_rows=tuple(
            ChangedRowPart(
                row.kind,  # type: ignore[arg-type]
                tuple(
                    ChangedValuePart(column, cell.before or None, cell.after or None)
                    for column, cell in zip(changed.columns, row.cells, strict=True)
                ),
            )
            for row in changed.rows
        ),
        diff_lines=tuple(DiffLinePart(*line) for line in changed.lines),  # type: ignore[arg-type]
    )


def printed_table(page: TablePage, provenance: str = "") -> PrintedTablePart:
    """Return a table as it is printed; its provenance is its own unless given."""
    return PrintedTablePart(
        slug=page.id,
        title=page.title,
        clause=page.clause,
        provenance=identifier(provenance or page.provenance),
        note=page.note or None,
        column_names=page.columns,
        printed_rows=page.rows,
    )


def table_document(table_set: LoadedTableSet, name: str) -> TableDocument:
    """Return the table of that name. Raises the problem `not-found` if there is none."""
    tables = table_set.edition.book
    pages = {page.id: page for page in tables.tables()}
    if name not in pages:
        raise Problem("not-found", f"There is no table {name!r}; there are {', '.join(pages)}.")
    toml = tables.toml(name)
    return TableDocument(
        **msgspec.structs.asdict(printed_table(pages[name], _source(tables, pages[name]))),
        data_rows=tomllib.loads(toml)["row"],
        toml=toml,
        links=_table_links(table_set, name),
    )


def rulings_document() -> RulingsDocument:
    return RulingsDocument(
        results=tuple(
            RulingPart(ruling.number, ruling.clause, ruling.text) for ruling in rulings()
        ),
        not_implemented=tuple(MissingRulePart(rule.clause, rule.text) for rule in not_yet()),
        links=RulingsLinks(
            self=reverse("api:rulings"), page=reverse("rules"), case_book=reverse("cases-document")
        ),
    )
