"""Load the contents of a book's rules pages: tables, rulings and the trace."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from battles.contract.registry import book
from battles.core.dice import Roll
from battles.core.tables import Table, TablePage, table_page
from battles.core.trace import Clause, Ruling, by_anchor, clause_of_test


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
    return tuple(map(_printed, book(slug).pages.tables()))


def extract(slug: str, name: str, columns: Sequence[str]) -> TablePage:
    """Return a table of the book with these columns only. Raises KeyError for other names."""
    page = {page.id: page for page in tables(slug)}[name]
    kept = [page.columns.index(column) for column in columns]
    rows = (tuple(row[place] for place in kept) for row in page.rows)
    return msgspec.structs.replace(page, columns=tuple(columns), rows=tuple(rows))


@cache
def rulings(slug: str) -> tuple[Ruling, ...]:
    """Return the rulings on the book by number."""
    found: tuple[Ruling, ...] = book(slug).pages.rulings()
    return found


@cache
def trace(slug: str) -> tuple[RulebookClause, ...]:
    """Return every clause of the book, in the book's order."""
    tests = _tests(slug)
    return tuple(
        RulebookClause(clause, clause.number.rpartition(" ")[0], tests.get(clause.number, ()))
        for clause in book(slug).pages.trace()
    )


def _tests(slug: str) -> dict[str, tuple[str, ...]]:
    """Return the tests that name each clause; empty if the tests are not installed."""
    found: dict[str, list[str]] = defaultdict(list)
    clauses = by_anchor(book(slug).pages.trace())
    for path in sorted((ROOT / "tests" / slug.replace("-", "_")).glob("test_*.py")):
        for name in _TEST.findall(path.read_text(encoding="utf-8")):
            clause = clause_of_test(clauses, name)
            if clause is not None:
                found[clause.number].append(name)
    return {number: tuple(names) for number, names in found.items()}


class Uses:
    """A counter of the uses of each clause, by rolls and modifiers, and by events."""

    def __init__(self, slug: str) -> None:
        self._happens = _happens(slug)
        self._thrown: Counter[str] = Counter()
        self._happened: Counter[str] = Counter()

    def count(self, events: Iterable[object], rolls: Iterable[Roll]) -> None:
        """Count the clauses of these events and rolls."""
        self._thrown.update(clause for roll in rolls for clause in _cited(roll))
        for event in events:
            kind = type(event).__name__
            self._happened.update(self._happens.get(kind, ()))
            self._happened.update(self._happens.get(f"{kind}:{getattr(event, 'cause', '')}", ()))

    def of(self, clause: Clause) -> int:
        """Return the uses by rolls or by events, whichever are more.

        A use often shows in both, so their sum would count it twice.
        """
        return max(self._thrown[clause.number], self._happened[clause.number])


def _cited(roll: Roll) -> Iterator[str]:
    yield roll.clause
    yield from (modifier.clause for modifier in roll.modifiers)


@cache
def _happens(slug: str) -> dict[str, tuple[str, ...]]:
    """Return the clauses that an event uses, by its kind or by kind and cause."""
    found: dict[str, list[str]] = defaultdict(list)
    for clause in book(slug).pages.trace():
        for event in {event for part in clause.part for event in part.events}:
            found[event].append(clause.number)
    return {event: tuple(numbers) for event, numbers in found.items()}


def _printed(of: Table[Any]) -> TablePage:
    """Return the table as a page, without the column of keys, which only the program uses."""
    page = table_page(of)
    if page.columns[0] != "key":
        return page
    return msgspec.structs.replace(
        page, columns=page.columns[1:], rows=tuple(row[1:] for row in page.rows)
    )
