"""The rulings on the campaign's book, and the books of battles."""

from functools import cache

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.documents.rulebook import (
    PrintedTablePart,
    RulingPart,
    RulingsDocument,
    printed_table,
    rulings_document,
)
from api.http.endpoint import Listed, PublicEndpoint, operation
from api.http.problems import Problem
from api.http.responses import ASK_AGAIN, EncodedDocument, respond
from battles.contract.book import Words
from battles.contract.registry import AnyBook, books, every_book, find_book
from battles.contract.registry import book as book_of
from battles.web import rules_pages
from battles.web.tabletop import KitSheet, sheets_of


class BookRulings(PublicEndpoint):
    """The rulings where the book is silent or unclear."""

    @operation(RulingsDocument)
    def get(self, request: Request) -> HttpResponse:
        """List the rulings by number.

        The rules of the book that are not implemented yet are listed too.
        """
        return respond(request, _rulings(), ASK_AGAIN)


@cache
def _rulings() -> EncodedDocument:
    return EncodedDocument(rulings_document())


class BookTermsPart(msgspec.Struct, frozen=True):
    """The book's names for its sides, its counters, a turn, and a shaken unit.

    `advice` says how to count units on a real table that have left or been driven off it.
    """

    egyptian_term: str
    mahdist_term: str
    figure_term: str
    turn_term: str
    shaken_term: str
    advice: str


class PlaySheetPart(msgspec.Struct, frozen=True):
    """A section of the play sheet: lines to read, and tables as they are printed."""

    title: str
    lines: tuple[str, ...]
    printed_tables: tuple[PrintedTablePart, ...]


class BookLinks(msgspec.Struct, frozen=True):
    """The addresses of a book: as a document, and as a page for people."""

    self: str
    page: str


class BookLine(msgspec.Struct, frozen=True):
    """A book of battles; its `slug` is the name by which it is chosen."""

    slug: str
    title: str
    author: str
    links: BookLinks


class BookDocument(BookLine, frozen=True):
    """A book: its terms, its tables as they are printed, its rulings, and the play sheet."""

    vocabulary: BookTermsPart
    printed_tables: tuple[PrintedTablePart, ...]
    rulings: tuple[RulingPart, ...]
    play_sheets: tuple[PlaySheetPart, ...]


def book_line(of: AnyBook) -> BookLine:
    return BookLine(of.slug, of.title, of.author, _links(of))


def book_document(of: AnyBook) -> BookDocument:
    return BookDocument(
        of.slug,
        of.title,
        of.author,
        _links(of),
        vocabulary=book_terms(of.words),
        printed_tables=tuple(map(printed_table, rules_pages.tables(of.slug))),
        rulings=tuple(
            RulingPart(ruling.number, ruling.clause, ruling.text)
            for ruling in rules_pages.rulings(of.slug)
        ),
        play_sheets=tuple(map(play_sheet_part, sheets_of(of.slug))),
    )


def book_terms(words: Words) -> BookTermsPart:
    return BookTermsPart(
        egyptian_term=words.egyptian,
        mahdist_term=words.mahdist,
        figure_term=words.figure,
        turn_term=words.turn,
        shaken_term=words.shaken,
        advice=words.advice,
    )


def play_sheet_part(sheet: KitSheet) -> PlaySheetPart:
    tables = tuple(map(printed_table, sheet.tables))
    return PlaySheetPart(sheet.section.title, sheet.section.lines, tables)


def _links(of: AnyBook) -> BookLinks:
    return BookLinks(
        self=reverse("api:book", args=[of.slug]), page=reverse("battle-rules", args=[of.slug])
    )


class Books(PublicEndpoint):
    """The books of battles."""

    @operation(Listed[BookLine])
    def get(self, request: Request) -> HttpResponse:
        """List the books of battles."""
        return respond(request, _books(), ASK_AGAIN)


class OneBook(PublicEndpoint):
    """A book of battles."""

    @operation(BookDocument)
    def get(self, request: Request, book: str) -> HttpResponse:
        """Retrieve a book of battles.

        The answer has its tables, rulings and play sheet.
        """
        if find_book(book) is None:
            names = ", ".join(books())
            raise Problem("not-found", f"There is no book {book!r}; there are {names}.")
        return respond(request, _book(book), ASK_AGAIN)


@cache
def _books() -> EncodedDocument:
    return EncodedDocument({"results": list(map(book_line, every_book()))})


@cache
def _book(slug: str) -> EncodedDocument:
    return EncodedDocument(book_document(book_of(slug)))
