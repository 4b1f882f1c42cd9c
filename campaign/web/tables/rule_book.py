"""The rules page: every table with where it comes from, the rulings, and what is not there yet.

The trace: every clause of the book, where it is, what holds it, how often it was applied.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.core.tables import Provenance, Source, TablePage
from battles.core.trace import Ruling
from campaign import serialization, trace_report
from campaign.access import fog_of_war, selectors
from campaign.rules.tables.book import Book, book
from campaign.rules.tables.editions import changes
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
    """Something the book allows and the program does not yet."""

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
    return render(request, "campaign/tables/rule_book.html", {"here": "rules", **printed(book())})


@require_safe
def campaign_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tables by which one campaign is played, which may be its umpire's own."""
    campaign = selectors.campaign_for(request.user, slug)
    edition = serialization.edition_of(selectors.state_now(campaign).book)
    said = {"campaign": campaign, "changes": changes(edition), **printed(edition.book)}
    return render(request, "campaign/tables/rule_book.html", said)


def printed(tables: Book) -> dict[str, object]:
    """What the page says when the campaign is played by these tables."""
    return {
        "chapters": chapters(tables),
        "scenarios": scenarios(),
        "rulings": rulings(),
        "not_yet": not_yet(),
        "clauses": clauses(tables),
    }


@lru_cache(maxsize=8)
def chapters(of: Book) -> tuple[RuleChapter, ...]:
    """Return the tables under the book's chapters, in its order."""
    pages = (_page(table, own=of.differs(book(), table.id)) for table in of.tables())
    tables = sorted(pages, key=lambda table: clause_order(table.clause))
    grouped = groupby(tables, key=lambda table: chapter_of(table.clause))
    return tuple(RuleChapter(number, CHAPTERS[number], tuple(them)) for number, them in grouped)


def _page(table: TablePage, *, own: bool) -> TablePage:
    """Return the table without the column by which the program knows its rows, modifiers signed.

    The source of an umpire's `own` is the umpire, whatever the file says.
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
def titles(of: Book) -> dict[str, str]:
    """Return the title of every table by its id."""
    return {table.id: table.title for table in of.tables()}


@cache
def rulings() -> tuple[Ruling, ...]:
    """Return the rulings by number. TableError when their file is damaged."""
    return _read("rulings.toml", _Rulings).ruling


@cache
def not_yet() -> tuple[Missing, ...]:
    """What is not there yet, by clause. TableError when the file is damaged."""
    items = _read("not_yet.toml", _NotYet).item
    return tuple(sorted(items, key=lambda item: clause_order(item.clause)))


@lru_cache(maxsize=8)
def clauses(of: Book) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return every clause of which the page speaks: the anchors and titles where it does."""
    spoken = [(table.clause, f"table-{table.id}", table.title) for table in of.tables()]
    spoken += [(one.clause, f"ruling-{one.number}", f"Ruling {one.number}") for one in rulings()]
    spoken += [(one.clause, "not-yet", "Not there yet") for one in not_yet()]
    found: dict[str, dict[tuple[str, str], None]] = {}
    for clause, where, title in _each_clause(spoken):
        found.setdefault(clause, {})[where, title] = None
    return {clause: tuple(found[clause]) for clause in sorted(found, key=clause_order)}


def chapter_of(clause: str) -> str:
    """Return the chapter a clause stands in: `10` for `10.3`, nothing for a run of chapters."""
    number = clause.split(",", maxsplit=1)[0].partition(".")[0].strip()
    return number if number in CHAPTERS else ""


def clause_order(clause: str) -> tuple[int, str]:
    """Clauses in the order of the book: 8.31 before 9, and 9 before 10."""
    return (int(chapter_of(clause) or 0), clause)


def anchor(clause: str) -> str:
    """Return the fragment of the page at which a clause stands."""
    return "clause-" + clause.replace(" ", "-")


def _each_clause(spoken: Iterable[tuple[str, str, str]]) -> Iterable[tuple[str, str, str]]:
    return (
        (clause.strip(), where, title)
        for clauses_, where, title in spoken
        for clause in clauses_.split(",")
        if chapter_of(clause)
    )


def _read(name: str, form: type[T]) -> T:
    source = Source(name, (files("campaign.rules") / name).read_text(encoding="utf-8"))
    return source.convert(source.document(), form)


class ClausePartRow(NamedTuple):
    """A part of a clause, and how often it was applied where that is counted."""

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
    """Return the same with how often each clause has been applied in one campaign."""
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog_of_war.sees_all(campaign, fog_of_war.viewer_of(request.user, campaign))
    counted = Counter[str]() if hidden else selectors.clauses_applied(campaign)
    about = {"campaign": campaign, "chapters": list(_chapters(counted)), "hidden": hidden}
    return render(request, "campaign/tables/trace.html", about)


def _chapters(counted: Counter[str]) -> Iterator[ClauseChapter]:
    for chapter in trace_report.chapters():
        clauses = tuple(_clause(one, counted) for one in chapter.clauses)
        yield ClauseChapter(chapter.number, chapter.title, clauses)


def _clause(of: trace_report.TracedClause, counted: Counter[str]) -> ClauseRow:
    lines = tuple(ClausePartRow(one, counted[one.name]) for one in of.parts)
    return ClauseRow(of, lines, uses(of.clause, counted))
