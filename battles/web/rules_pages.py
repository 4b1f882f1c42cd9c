"""The rules pages of a book: tables with their sources, rulings, the trace, the cases."""

from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from battles.access import selectors
from battles.contract.registry import AnyBook, find_book
from battles.history import serialization
from battles.models import Battle
from battles.web import rulebook
from battles.web.rulebook import RulebookClause, Uses


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
        "tables": rulebook.tables(book),
        "rulings": rulebook.rulings(book),
    }
    return render(request, "battles/rules.html", context)


@require_safe
def trace(request: HttpRequest, book: str) -> HttpResponse:
    context = {"here": "rules", "book": _book(book), "chapters": chapters(book, Uses(book))}
    return render(request, "battles/trace.html", context)


@require_safe
def case_book(request: HttpRequest, book: str) -> HttpResponse:
    """Show the book's cases, each played just now. Raises Http404 for a book without any."""
    of = _book(book)
    if of.pages.cases is None:
        raise Http404(f"{of.title} has no case book.")
    grouped = groupby(rulebook.cases(book), key=lambda one: one.clause.number.rpartition(" ")[0])
    chapters = [(title, slugify(title), list(them)) for title, them in grouped]
    context = {"here": "rules", "book": of, "chapters": chapters, "rulings": rulebook.rulings(book)}
    return render(request, "battles/cases.html", context)


@require_safe
def battle_trace(request: HttpRequest, number: str) -> HttpResponse:
    """Show the trace with how often one battle used each clause."""
    battle = selectors.whole_battle_for(request.user, number)
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
    return chapters(_book(battle.book).slug, _used(battle))


def chapters(book: str, uses: Uses) -> list[BookClauseChapter]:
    """Return the clauses by the headings of the book."""
    grouped = groupby(rulebook.trace(book), key=lambda one: one.chapter)
    return [
        BookClauseChapter(
            title, slugify(title), tuple(ClauseUse(one, uses.of(one.clause)) for one in them)
        )
        for title, them in grouped
    ]


def _used(battle: Battle) -> Uses:
    engine, uses = serialization.engine_of(battle), Uses(battle.book)
    for entry in battle.entries.all():
        uses.count(serialization.events_of(entry, engine), serialization.rolls_of(entry))
    return uses


def _book(slug: str) -> AnyBook:
    found = find_book(slug)
    if found is None:
        raise Http404(f"No book of battles here is called “{slug}”.")
    return found
