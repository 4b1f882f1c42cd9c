"""The rules pages of a book: tables with where they come from, rulings, and the trace."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from battles import library
from battles.core.trace import Clause
from battles.library import Shelf


class Chapter(NamedTuple):
    """The clauses of one heading of the book."""

    title: str
    anchor: str
    clauses: tuple[Clause, ...]


@require_safe
def rules(request: HttpRequest, book: str) -> HttpResponse:
    shelf = _shelf(book)
    context = {
        "here": "rules",
        "shelf": shelf,
        "tables": library.tables(book),
        "rulings": library.rulings(book),
    }
    return render(request, "battles/rules.html", context)


@require_safe
def trace(request: HttpRequest, book: str) -> HttpResponse:
    shelf = _shelf(book)
    context = {"here": "rules", "shelf": shelf, "chapters": chapters(library.trace(book))}
    return render(request, "battles/trace.html", context)


def chapters(clauses: Iterable[Clause]) -> list[Chapter]:
    """The clauses under the headings their numbers begin with: `Firing` for `Firing 6`."""
    return [
        Chapter(title, slugify(title), tuple(them))
        for title, them in groupby(clauses, key=_heading)
    ]


def _heading(clause: Clause) -> str:
    return clause.number.rstrip("0123456789. ") or clause.number


def _shelf(book: str) -> Shelf:
    if book not in library.SHELVES:
        raise Http404(f"No book of battles here is called “{book}”.")
    return library.SHELVES[book]
