"""The books that battles are fought by, as documents: their tables, rulings and play sheets."""

import msgspec
from django.urls import reverse

from battles import library
from battles.contract.book import Words
from battles.contract.registry import AnyBook
from battles.core.table_pages import TablePage
from battles.core.trace import Ruling
from battles.views.kit import Sheet, sheets_of


class WordsPart(msgspec.Struct, frozen=True):
    """What a book calls its sides, what is counted, a turn, and a unit that is shaken.

    `advice` is how to count on a real table what has left it or been driven off it.
    """

    egyptian: str
    mahdist: str
    figure: str
    turn: str
    shaken: str
    advice: str


class SheetPart(msgspec.Struct, frozen=True):
    """A heading of the play sheet: lines to read, and tables of the book as they are printed."""

    title: str
    lines: tuple[str, ...]
    tables: tuple[TablePage, ...]


class BookLine(msgspec.Struct, frozen=True):
    """A book by which battles are fought; `book` is what it is called where one is chosen."""

    book: str
    title: str
    author: str
    links: dict[str, str]


class BookDocument(BookLine, frozen=True):
    """A book: its words, every table as it is printed, its rulings, and the play sheet."""

    words: WordsPart
    tables: tuple[TablePage, ...]
    rulings: tuple[Ruling, ...]
    sheets: tuple[SheetPart, ...]


def book_line(of: AnyBook) -> BookLine:
    return BookLine(of.slug, of.title, of.author, _links(of))


def book_document(of: AnyBook) -> BookDocument:
    return BookDocument(
        of.slug,
        of.title,
        of.author,
        _links(of),
        words=words_part(of.words),
        tables=library.tables(of.slug),
        rulings=library.rulings(of.slug),
        sheets=tuple(map(sheet_part, sheets_of(of.slug))),
    )


def words_part(words: Words) -> WordsPart:
    return WordsPart(**{name: getattr(words, name) for name in WordsPart.__struct_fields__})


def sheet_part(sheet: Sheet) -> SheetPart:
    return SheetPart(sheet.section.title, sheet.section.lines, sheet.tables)


def _links(of: AnyBook) -> dict[str, str]:
    return {
        "self": reverse("api:book", args=[of.slug]),
        "page": reverse("battle-rules", args=[of.slug]),
    }
