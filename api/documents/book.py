"""Tables and scenarios as documents."""

import tomllib
from typing import Any

import msgspec

from battles.core.table_pages import TablePage
from campaign.rules.book import Book
from campaign.rules.pieces import Month, month_name, month_slug
from campaign.rules.scenario import Scenario


class TableLine(msgspec.Struct, frozen=True):
    """A table in the list of tables; `provenance` says where it comes from."""

    id: str
    title: str
    clause: str
    provenance: str
    links: dict[str, str]


class TablesDocument(msgspec.Struct, frozen=True):
    """Every table of the book; `digest` names the edition."""

    digest: str
    results: tuple[TableLine, ...]


class TableDocument(msgspec.Struct, frozen=True):
    """A whole table: as it is printed (`columns`, `rows`), and as the values behind it (`data`).

    A column `source` names provenance and clause of the rows that differ from the table's.
    """

    id: str
    title: str
    clause: str
    provenance: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: list[dict[str, Any]]
    links: dict[str, str]


class MonthPart(msgspec.Struct, frozen=True):
    """A month, as addresses write it and as people do."""

    month: str
    name: str


class VictoryPart(msgspec.Struct, frozen=True):
    """One way the campaign may be decided, and the clause that says so."""

    clause: str
    kind: str
    text: str


class ScenarioDocument(msgspec.Struct, frozen=True):
    """A scenario that can be played."""

    slug: str
    title: str
    clause: str
    description: str
    first: MonthPart
    last: MonthPart
    victory: tuple[VictoryPart, ...]
    links: dict[str, str]


def table_line(page: TablePage, links: dict[str, str]) -> TableLine:
    return TableLine(page.id, page.title, page.clause, page.provenance, links)


def table_document(book: Book, page: TablePage, links: dict[str, str]) -> TableDocument:
    return TableDocument(
        id=page.id,
        title=page.title,
        clause=page.clause,
        provenance=page.provenance,
        note=page.note,
        columns=page.columns,
        rows=page.rows,
        data=tomllib.loads(book.toml(page.id))["row"],
        links=links,
    )


def month_part(month: int) -> MonthPart:
    return MonthPart(month_slug(Month(month)), month_name(Month(month)))


def scenario_document(scenario: Scenario, links: dict[str, str]) -> ScenarioDocument:
    return ScenarioDocument(
        slug=scenario.slug,
        title=scenario.title,
        clause=scenario.clause,
        description=scenario.description,
        first=month_part(scenario.first_month),
        last=month_part(scenario.last_month),
        victory=tuple(
            VictoryPart(way.clause, str(way.__struct_config__.tag), way.text)
            for way in scenario.victory
        ),
        links=links,
    )
