"""The campaign's tables, scenarios and rulings as documents."""

import tomllib
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.scalars import MonthOrSetUp, ProvenanceName
from api.http.problems import Problem
from battles.core.tables import Provenance, TablePage
from battles.core.trace import Ruling
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.tables.book import CampaignTables, book
from campaign.rules.tables.editions import ChangedText, Edition, changes
from campaign.rules.tables.scenario_data import Scenario
from campaign.web.tables.rule_book import Missing, not_yet, rulings

LinksOf = Callable[[str], dict[str, str]]
"""A function from a table's name to its links."""

Row = Annotated[
    dict[str, Any],
    Meta(
        description="A row, by the names of the table's own columns: words, numbers, true or "
        "false, lists, and tables of these; a column that says nothing of a row is left out."
    ),
]


class TableLine(msgspec.Struct, frozen=True):
    """A table in a list; `provenance` is its source.

    The link `toml` of a shipped table leads to its file, as a starting point for your own.
    """

    id: str
    title: str
    clause: str
    provenance: ProvenanceName
    links: dict[str, str]


class TablesDocument(msgspec.Struct, frozen=True):
    """Every table of the book; `digest` identifies the edition."""

    digest: str
    results: tuple[TableLine, ...]


class CampaignTablesDocument(TablesDocument, frozen=True):
    """The tables of a campaign, and every difference from the shipped ones."""

    changes: tuple[ChangedText, ...]


class TableDocument(msgspec.Struct, frozen=True):
    """A table: as it is printed (`columns`, `rows`), and as the values behind it (`data`).

    A column `source` has the provenance and clause of rows that differ from the table's. `toml` is
    its file, as a starting point for your own.
    """

    id: str
    title: str
    clause: str
    provenance: ProvenanceName
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    data: list[Row]
    toml: str
    links: dict[str, str]


class MonthPart(msgspec.Struct, frozen=True):
    """A month, in the form of addresses and in words."""

    month: MonthOrSetUp
    name: str


class VictoryPart(msgspec.Struct, frozen=True):
    """A victory condition of the campaign, and its clause."""

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


class ScenarioFileDocument(ScenarioDocument, frozen=True):
    """A scenario with its file: its order of battle, as a starting point for your own."""

    toml: str


class RulingsDocument(msgspec.Struct, frozen=True):
    """The rulings where the book is silent or unclear; `not_yet` is not implemented.

    The link `cases` leads to the case book: positions, actions and their results, as JSON.
    """

    results: tuple[Ruling, ...]
    not_yet: tuple[Missing, ...]
    links: dict[str, str]


def tables_document(links: LinksOf) -> TablesDocument:
    """Return the shipped tables."""
    return TablesDocument(book().digest, tuple(_lines(book(), links)))


def campaign_tables_document(edition: Edition, links: LinksOf) -> CampaignTablesDocument:
    """Return the tables of an edition."""
    lines = tuple(_lines(edition.book, links))
    return CampaignTablesDocument(edition.book.digest, lines, changes(edition))


def _lines(tables: CampaignTables, links: LinksOf) -> Iterator[TableLine]:
    for page in tables.tables():
        source = _source(tables, page)
        yield TableLine(page.id, page.title, page.clause, source, links(page.id))


def _source(tables: CampaignTables, page: TablePage) -> str:
    """Return the source of the table: the umpire, if it is not as shipped."""
    return str(Provenance.UMPIRE) if tables.differs(book(), page.id) else page.provenance


def table_document(tables: CampaignTables, name: str, links: LinksOf) -> TableDocument:
    """Return the table of that name. Problem `not-found` if there is none."""
    pages = {page.id: page for page in tables.tables()}
    if name not in pages:
        raise Problem("not-found", f"There is no table {name!r}; there are {', '.join(pages)}.")
    page, toml = pages[name], tables.toml(name)
    return TableDocument(
        id=page.id,
        title=page.title,
        clause=page.clause,
        provenance=_source(tables, page),
        note=page.note,
        columns=page.columns,
        rows=page.rows,
        data=tomllib.loads(toml)["row"],
        toml=toml,
        links=links(name),
    )


def month_part(month: int) -> MonthPart:
    return MonthPart(month_slug(Month(month)), month_name(Month(month)))


def scenario_document(scenario: Scenario, links: dict[str, str]) -> ScenarioDocument:
    return ScenarioDocument(**_scenario(scenario, links))


def scenario_file(edition: Edition, slug: str, links: dict[str, str]) -> ScenarioFileDocument:
    """Return the scenario of that name with its file. Raises UnknownScenario."""
    found = _scenario(edition.scenario(slug), links)
    return ScenarioFileDocument(**found, toml=edition.text(slug))


def _scenario(scenario: Scenario, links: dict[str, str]) -> dict[str, Any]:
    return {
        "slug": scenario.slug,
        "title": scenario.title,
        "clause": scenario.clause,
        "description": scenario.description,
        "first": month_part(scenario.first_month),
        "last": month_part(scenario.last_month),
        "victory": tuple(
            VictoryPart(way.clause, str(way.__struct_config__.tag), way.text)
            for way in scenario.victory
        ),
        "links": links,
    }


def rulings_document() -> RulingsDocument:
    links = {"self": reverse("api:rulings"), "cases": reverse("cases-document")}
    return RulingsDocument(rulings(), not_yet(), links | {"page": reverse("rules")})
