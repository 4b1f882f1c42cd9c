"""The rules pages of a book: tables with their sources, rulings, and the trace."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from battles import access, serialization
from battles.contract.book import AnyBook, book, find_book
from battles.contract.casebook import BattleCase, CaseBook, differences
from battles.core.dice import Roll
from battles.core.game import IllegalAction
from battles.core.table_pages import TablePage, table_page
from battles.core.tables import Table
from battles.core.trace import Clause, Part, Ruling, by_anchor, clause_of_test
from battles.drawing import thumb
from battles.models import Battle
from battles.prose import RosterLine, Sentence
from battles.replay import Narrator

# Load the contents of a book's rules pages: tables, rulings, trace and cases.


class RulebookClause(NamedTuple):
    """A clause of a book, its chapter, and the tests that name it."""

    clause: Clause
    chapter: str
    tests: tuple[str, ...]


_TEST = re.compile(r"^def (test_\w+)\(", re.MULTILINE)
ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def tables(slug: str) -> tuple[TablePage, ...]:
    """Return every table of the book as printed, in the book's order."""
    return tuple(map(_print_table, book(slug).pages.tables()))


def extract(slug: str, name: str, columns: Sequence[str]) -> TablePage:
    """Return a table of the book with these columns only. Raises KeyError for other names."""
    page = {page.id: page for page in tables(slug)}[name]
    kept = [page.columns.index(column) for column in columns]
    rows = (tuple(row[place] for place in kept) for row in page.rows)
    return msgspec.structs.replace(page, columns=tuple(columns), rows=tuple(rows))


@cache
def rulings(slug: str) -> tuple[Ruling, ...]:
    """Return the rulings on the book by number."""
    result: tuple[Ruling, ...] = book(slug).pages.rulings()
    return result


@cache
def traced_clauses(slug: str) -> tuple[RulebookClause, ...]:
    """Return every clause of the book, in the book's order."""
    tests = _tests(slug)
    return tuple(
        RulebookClause(clause, clause.number.rpartition(" ")[0], tests.get(clause.number, ()))
        for clause in book(slug).pages.trace()
    )


def _tests(slug: str) -> dict[str, tuple[str, ...]]:
    """Return the tests that name each clause; empty if the tests are not installed."""
    tests: dict[str, list[str]] = defaultdict(list)
    clauses = by_anchor(book(slug).pages.trace())
    for path in sorted((ROOT / "tests" / slug.replace("-", "_")).glob("test_*.py")):
        for name in _TEST.findall(path.read_text(encoding="utf-8")):
            clause = clause_of_test(clauses, name)
            if clause is not None:
                tests[clause.number].append(name)
    return {number: tuple(names) for number, names in tests.items()}


class ShownAction(NamedTuple):
    """An action of a case in words, where the book has any, and as JSON; the last may be refused.

    `offered` is the label under which a turn form offers it, "" where it is composed on the field.
    """

    offered: str
    written: str
    refused: bool


class ShownCase(NamedTuple):
    """A case of the book, played: its clause, its actions and the result in words.

    `differences` are empty when it comes out as the case has it. `roll` and `picture` show the
    position.
    """

    case: BattleCase
    clause: Clause
    part: Part
    actions: tuple[ShownAction, ...]
    sentences: tuple[Sentence, ...]
    refusal: IllegalAction | None
    differences: tuple[str, ...]
    roll: tuple[RosterLine, ...]
    picture: SafeString


@cache
def cases(slug: str) -> tuple[ShownCase, ...]:
    """Return every case of the book, played by its engine, in the order of its case book."""
    case_book = book(slug).pages.cases
    return (
        ()
        if case_book is None
        else tuple(_show_case(slug, case_book, case) for case in case_book.cases)
    )


def _show_case(slug: str, case_book: CaseBook, case: BattleCase) -> ShownCase:
    rules, played = book(slug), case_book.run(case)
    start = case_book.beginning(played)
    narrator, roll = Narrator(rules, start), rules.prose.muster_roll(start)
    picture = mark_safe(thumb(rules.drawing.scene(start, None)))  # noqa: S308
    actions = []
    for place, action in enumerate(played.actions):
        written, refused = msgspec.json.encode(action).decode(), place >= len(played.outcomes)
        actions.append(ShownAction(_offered_label(rules, start, action), written, refused))
        if refused:
            continue
        outcome = played.outcomes[place]
        for event in outcome.events:
            narrator.hear(event, [outcome.rolls[number] for number in event.rolls])
            rules.engine.fold(start, (event,))
    sentences = narrator.picture(0).sentences
    clause, part = next(
        (clause, part)
        for clause in rules.pages.trace()
        for part in clause.part
        if clause.name(part) == case.clause
    )
    return ShownCase(
        case,
        clause,
        part,
        tuple(actions),
        sentences,
        played.refusal,
        tuple(differences(case, played)),
        roll,
        picture,
    )


def _offered_label(book: AnyBook, state: Any, action: Any) -> str:
    """Return the label under which the book's turn form offers the action, "" if it does not."""
    form = book.turn_forms.form(state, state.question.side, getattr(action, "unit", 0))
    choices = form.choices if form is not None else ()
    return next((choice.label for choice in choices if choice.action == action), "")


class Uses:
    """A counter of the uses of each clause, by rolls and modifiers, and by events."""

    def __init__(self, slug: str) -> None:
        self._happens = _happens(slug)
        self._thrown: Counter[str] = Counter()
        self._happened: Counter[str] = Counter()

    def count(self, events: Iterable[object], rolls: Iterable[Roll]) -> None:
        """Count the clauses of these events and rolls."""
        self._thrown.update(clause for roll in rolls for clause in _cited_clauses(roll))
        for event in events:
            kind = type(event).__name__
            self._happened.update(self._happens.get(kind, ()))
            self._happened.update(self._happens.get(f"{kind}:{getattr(event, 'cause', '')}", ()))

    def of(self, clause: Clause) -> int:
        """Return the uses by rolls or by events, whichever are more.

        A use often shows in both, so their sum would count it twice.
        """
        return max(self._thrown[clause.number], self._happened[clause.number])


def _cited_clauses(roll: Roll) -> Iterator[str]:
    yield roll.clause
    yield from (modifier.clause for modifier in roll.modifiers)


@cache
def _happens(slug: str) -> dict[str, tuple[str, ...]]:
    """Return the clauses that an event uses, by its kind or by kind and cause."""
    clauses: dict[str, list[str]] = defaultdict(list)
    for clause in book(slug).pages.trace():
        for event in {event for part in clause.part for event in part.events}:
            clauses[event].append(clause.number)
    return {event: tuple(numbers) for event, numbers in clauses.items()}


def _print_table(table: Table[Any]) -> TablePage:
    """Return the table as a page, without the column of keys, which only the program uses."""
    page = table_page(table)
    if page.columns[0] != "key":
        return page
    return msgspec.structs.replace(
        page, columns=page.columns[1:], rows=tuple(row[1:] for row in page.rows)
    )


# The rules pages of a book: tables with their sources, rulings, the trace, the cases.


class ClauseUse(NamedTuple):
    """A clause, and how often a battle used it."""

    traced: RulebookClause
    times: int


class BookClauseChapter(NamedTuple):
    """The clauses under one heading of the book."""

    title: str
    anchor: str
    lines: tuple[ClauseUse, ...]


@require_safe
def rules(request: HttpRequest, book: str) -> HttpResponse:
    context = {
        "here": "rules",
        "book": _book(book),
        "tables": tables(book),
        "rulings": rulings(book),
    }
    return render(request, "battles/rules.html", context)


@require_safe
def trace(request: HttpRequest, book: str) -> HttpResponse:
    context = {"here": "rules", "book": _book(book), "chapters": chapters(book, Uses(book))}
    return render(request, "battles/trace.html", context)


@require_safe
def case_book(request: HttpRequest, book: str) -> HttpResponse:
    """Show the book's cases, each played just now. Raises Http404 for a book without any."""
    rules = _book(book)
    if rules.pages.cases is None:
        raise Http404(f"{rules.title} has no case book.")
    grouped = groupby(cases(book), key=lambda case: case.clause.number.rpartition(" ")[0])
    chapters = [(title, slugify(title), list(group)) for title, group in grouped]
    context = {"here": "rules", "book": rules, "chapters": chapters, "rulings": rulings(book)}
    return render(request, "battles/cases.html", context)


@require_safe
def battle_trace(request: HttpRequest, number: str) -> HttpResponse:
    """Show the trace with how often one battle used each clause."""
    battle = access.whole_battle_for(request.user, number)
    context = {
        "here": "battles",
        "battle": battle,
        "book": _book(battle.book),
        "chapters": used_in(battle),
    }
    return render(request, "battles/trace.html", context)


def used_in(battle: Battle) -> list[BookClauseChapter]:
    """Return the clauses of the battle's book with how often it used each.

    Raises Http404 if the book is not installed.
    """
    return chapters(_book(battle.book).slug, _uses_of_battle(battle))


def chapters(book: str, uses: Uses) -> list[BookClauseChapter]:
    """Return the clauses by the headings of the book."""
    grouped = groupby(traced_clauses(book), key=lambda traced_clause: traced_clause.chapter)
    return [
        BookClauseChapter(
            title,
            slugify(title),
            tuple(
                ClauseUse(traced_clause, uses.of(traced_clause.clause)) for traced_clause in group
            ),
        )
        for title, group in grouped
    ]


def _uses_of_battle(battle: Battle) -> Uses:
    engine, uses = serialization.engine_of(battle), Uses(battle.book)
    for entry in battle.entries.all():
        uses.count(serialization.events_of(entry, engine), serialization.rolls_of(entry))
    return uses


def _book(slug: str) -> AnyBook:
    book = find_book(slug)
    if book is None:
        raise Http404(f"No book of battles here is called “{slug}”.")
    return book
