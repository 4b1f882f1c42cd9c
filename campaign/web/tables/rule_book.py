"""The rules page: tables with their sources, rulings, open items, and the clause trace."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.core.table_pages import TablePage
from battles.core.tables import Provenance, Source
from battles.core.trace import Ruling
from campaign import serialization, trace_report
from campaign.access import fog_of_war, journal_events, selectors
from campaign.rules.tables.book import CampaignTables, book
from campaign.rules.tables.editions import changes, is_own_table, named_edition_of
from campaign.rules.tables.scenario_loader import scenarios
from campaign.rules.trace import uses

T = TypeVar("T", bound=msgspec.Struct)

CHAPTERS = {
    "": "Throughout the book",
    "1": "The pieces",
    "2": "Scenarios and set-up",
    "3": "Reinforcements and railways",
    "4": "Winning and losing",
    "5": "The month and its events",
    "6": "Stacking and craft",
    "7": "Leaders",
    "8": "Marching",
    "9": "Combat and sieges",
    "10": "Supply and attrition",
}


class Missing(msgspec.Struct, frozen=True):
    """A rule of the book that the program lacks."""

    clause: str
    text: str


class _Rulings(msgspec.Struct, frozen=True):
    ruling: tuple[Ruling, ...]


class _NotYet(msgspec.Struct, frozen=True):
    item: tuple[Missing, ...]


class RuleChapter(NamedTuple):
    number: str
    title: str
    tables: tuple[TablePage, ...]


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(
        request, "campaign/tables/rule_book.html", {"here": "rules", **rules_page_context(book())}
    )


@require_safe
def campaign_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of one campaign, which may be a club's own."""
    campaign = selectors.campaign_for(request.user, slug)
    edition = serialization.edition_of(selectors.state_now(campaign).edition)
    context = {
        "campaign": campaign,
        "changes": changes(edition),
        "edition": named_edition_of(edition.digest),
        **rules_page_context(edition.book),
    }
    return render(request, "campaign/tables/rule_book.html", context)


def rules_page_context(tables: CampaignTables) -> dict[str, object]:
    """Return the context of the rules page for these tables."""
    return {
        "chapters": chapters(tables),
        "scenarios": scenarios(),
        "rulings": rulings(),
        "not_yet": not_yet(),
        "clauses": clauses(tables),
    }


@lru_cache(maxsize=8)
def chapters(law: CampaignTables) -> tuple[RuleChapter, ...]:
    """Return the tables by the book's chapters."""
    pages = (_page(table, own=is_own_table(law, table.id)) for table in law.tables())
    tables = sorted(pages, key=lambda table: clause_order(table.clause))
    grouped = groupby(tables, key=lambda table: chapter_of(table.clause))
    return tuple(RuleChapter(number, CHAPTERS[number], tuple(group)) for number, group in grouped)


def _page(table: TablePage, *, own: bool) -> TablePage:
    """Return the table with signed modifiers, without the program's own key column.

    The source of a club's `own` table is the umpire, whatever the file says.
    """
    if own:
        table = msgspec.structs.replace(table, provenance=str(Provenance.UMPIRE))
    if table.columns[0] != "key":
        return table
    columns, rows = table.columns[1:], tuple(row[1:] for row in table.rows)
    if columns[0] == "value":
        rows = tuple((f"{int(row[0]):+d}", *row[1:]) for row in rows)
    return msgspec.structs.replace(table, columns=columns, rows=rows)


@lru_cache(maxsize=8)
def titles(law: CampaignTables) -> dict[str, str]:
    """Return the titles of the tables by id."""
    return {table.id: table.title for table in law.tables()}


@cache
def rulings() -> tuple[Ruling, ...]:
    """Return the rulings by number. Raises TableError if their file is damaged."""
    return _read_file("rulings.toml", _Rulings).ruling


@cache
def not_yet() -> tuple[Missing, ...]:
    """Return missing rules by clause. Raises TableError if their file is damaged."""
    items = _read_file("not_yet.toml", _NotYet).item
    return tuple(sorted(items, key=lambda item: clause_order(item.clause)))


@lru_cache(maxsize=8)
def clauses(law: CampaignTables) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the anchors and titles on the page for each clause it covers."""
    spoken = [(table.clause, f"table-{table.id}", table.title) for table in law.tables()]
    spoken += [
        (ruling.clause, f"ruling-{ruling.number}", f"Ruling {ruling.number}")
        for ruling in rulings()
    ]
    spoken += [(gap.clause, "not-yet", "Not there yet") for gap in not_yet()]
    links: dict[str, dict[tuple[str, str], None]] = {}
    for together, where, title in spoken:
        for clause in map(str.strip, together.split(",")):
            if chapter_of(clause):
                links.setdefault(clause, {})[where, title] = None
    return {clause: tuple(links[clause]) for clause in sorted(links, key=clause_order)}


def chapter_of(clause: str) -> str:
    """Return the chapter of a clause: `10` for `10.3`, empty for a range of chapters."""
    number = clause.split(",", maxsplit=1)[0].partition(".")[0].strip()
    return number if number in CHAPTERS else ""


def clause_order(clause: str) -> tuple[int, str]:
    """Return the sort key of a clause: 8.31 before 9, and 9 before 10."""
    return (int(chapter_of(clause) or 0), clause)


def anchor(clause: str) -> str:
    """Return the anchor of a clause on the page."""
    return "clause-" + clause.replace(" ", "-")


def _read_file(name: str, form: type[T]) -> T:
    source = Source(name, (files("campaign.rules") / name).read_text(encoding="utf-8"))
    return source.convert(source.document(), form)


class ClausePartRow(NamedTuple):
    """A part of a clause, and how often it was applied if that is counted."""

    traced: trace_report.TracedPart
    times: int


class ClauseRow(NamedTuple):
    traced: trace_report.TracedClause
    lines: tuple[ClausePartRow, ...]
    times: int


class ClauseChapter(NamedTuple):
    number: int
    title: str
    clauses: tuple[ClauseRow, ...]


@require_safe
def trace(request: HttpRequest) -> HttpResponse:
    chapters = list(_chapters(Counter()))
    return render(request, "campaign/tables/trace.html", {"here": "rules", "chapters": chapters})


@require_safe
def campaign_trace(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the trace with how often one campaign applied each clause."""
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog_of_war.may_see_all(request.user, campaign)
    counts = Counter[str]() if hidden else journal_events.clauses_applied(campaign)
    about = {"campaign": campaign, "chapters": list(_chapters(counts)), "hidden": hidden}
    return render(request, "campaign/tables/trace.html", about)


def _chapters(counted: Counter[str]) -> Iterator[ClauseChapter]:
    for chapter in trace_report.chapters():
        clauses = tuple(
            ClauseRow(
                traced,
                tuple(ClausePartRow(part, counted[part.name]) for part in traced.parts),
                uses(traced.clause, counted),
            )
            for traced in chapter.clauses
        )
        yield ClauseChapter(chapter.number, chapter.title, clauses)
