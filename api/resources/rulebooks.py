"""The books: the rulings on the campaign's, the books of battles, and sets of tables.

A set of tables is the shipped one, a user's own, or that which a campaign is played by.
"""

import re
from functools import cache
from typing import Annotated, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import Meta
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from api.documents.rulebook import (
    SHIPPED,
    LoadedTableSet,
    PrintedTablePart,
    RulingPart,
    RulingsDocument,
    TableDocument,
    TableSetDocument,
    TableSetLine,
    printed_table,
    rulings_document,
    table_document,
    table_set_document,
    table_set_line,
)
from api.documents.scenarios import ScenarioDocument, ScenarioLine, scenario_document, scenario_line
from api.http.encoding import RequestBody
from api.http.endpoint import Listed, OpenEndpoint, PublicEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem, invalid_parameters
from api.http.responses import ASK_AGAIN, EncodedDocument, respond
from battles.contract.book import AnyBook, Words, books, every_book, find_book
from battles.contract.book import book as book_of
from battles.core.tables import Source
from battles.web import rules_pages
from battles.web.tabletop import KitSheet, sheets_of
from campaign import serialization
from campaign.access import saved_work
from campaign.access.selectors import Anybody
from campaign.models import OwnTables
from campaign.rules.tables.editions import (
    NamedEdition,
    named_edition_of,
    named_editions,
    shipped_edition,
    texts_by_name,
)
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.services.journal import rules_edition


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


LONGEST_FILE = 64_000
TableFile = Annotated[str, Meta(max_length=LONGEST_FILE)]


class NewTableSet(RequestBody, frozen=True):
    """A set of tables: the files that differ from the shipped ones, by name, as TOML."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    files: Annotated[dict[str, TableFile], Meta(min_length=1, max_length=100)]


class TableSets(OpenEndpoint):
    """The shipped set of tables, and yours."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    scope: ClassVar[str] = Scope.UMPIRE
    largest_body: ClassVar[int] = 1_000_000

    @operation(Listed[TableSetLine])
    def get(self, request: Request) -> HttpResponse:
        """List the sets of tables that you can begin a campaign by.

        The shipped one comes first, then the other editions that come with the program, then
        yours, the newest first.
        """
        editions = map(_load_named_edition, named_editions())
        own = map(_own, saved_work.own_tables(request.user))
        return self.answer_list(map(table_set_line, (_as_shipped(), *editions, *own)))

    @operation(
        TableSetDocument, status=201, takes=NewTableSet, once=True, problems=("table-wrong",)
    )
    def post(self, request: Request) -> WriteResult:
        """Create a set of tables.

        Every row is checked.
        """
        body = NewTableSet.read(request)
        texts = texts_by_name(Source(name, text) for name, text in body.files.items())
        table_set = _own(rules_edition.name_tables(request.user, body.name, texts))
        document = table_set_document(table_set)
        return WriteResult(201, document, document.links.self)


class OneTableSet(OpenEndpoint):
    """A set of tables."""

    permission_classes = [IsAuthenticatedOrReadOnly]
    scope: ClassVar[str] = Scope.UMPIRE

    @operation(TableSetDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Retrieve a set of tables: the shipped one, one of yours, or that of a campaign.

        The answer has its tables, and its files that differ from the shipped ones.
        """
        if id == SHIPPED:
            return respond(request, _shipped_document(), ASK_AGAIN)
        return self.answer(table_set_document(table_set_for(request.user, id)))

    @operation(status=204)
    def delete(self, request: Request, id: str) -> Response:
        """Delete a set from your list.

        Campaigns that are played by it keep it.
        """
        own = saved_work.own_set(request.user, _number(id))
        rules_edition.delete_tables(request.user, own.pk)
        return Response(status=204)


class OneTable(OpenEndpoint):
    """A table of a set."""

    @operation(TableDocument)
    def get(self, request: Request, id: str, table: str) -> HttpResponse:
        """Retrieve a table, with its file and the provenance of its rows."""
        if id == SHIPPED:
            return respond(request, _shipped_table(table), ASK_AGAIN)
        return self.answer(table_document(table_set_for(request.user, id), table))


class Scenarios(OpenEndpoint):
    """The scenarios."""

    parameters: ClassVar[frozenset[str]] = frozenset({"table_set"})

    @operation(Listed[ScenarioLine])
    def get(self, request: Request) -> HttpResponse:
        """List the scenarios of a set of tables, by default the shipped ones."""
        table_set = set_of_query(request)
        return self.answer_list(
            scenario_line(table_set, scenario) for scenario in table_set.edition.scenarios
        )


class OneScenario(OpenEndpoint):
    """A scenario."""

    parameters: ClassVar[frozenset[str]] = frozenset({"table_set"})

    @operation(ScenarioDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a scenario.

        The answer has its months, its victory conditions, and its file.
        """
        try:
            return self.answer(scenario_document(set_of_query(request), slug))
        except UnknownScenario as error:
            raise Problem("not-found", str(error)) from error


def table_set_for(user: Anybody, name: str) -> LoadedTableSet:
    """Return the set of tables with that id, or an edition that comes with the program.

    Raises NotVisible, or the problem `not-found`, unless the user may see it.
    """
    if name == SHIPPED:
        return _as_shipped()
    for candidate in named_editions():
        if candidate.slug == name:
            return _load_named_edition(candidate)
    row = saved_work.table_set_for(user, _number(name))
    if row.digest == shipped_edition().digest:
        return _as_shipped()
    if named_edition := named_edition_of(row.digest):
        return _load_named_edition(named_edition)
    if own := saved_work.own_tables(user).filter(tables=row).first():
        return _own(own)
    return LoadedTableSet(row.pk, None, None, serialization.edition_of(row.digest))


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 11):
        raise Problem("not-found", f"{text!r} is no set of tables: give its `id`, or {SHIPPED}.")
    return int(text)


def set_of_query(request: Request) -> LoadedTableSet:
    """Return the set that the query names, by default the shipped. Raises a problem."""
    text = request.query_params.get("table_set", SHIPPED)
    if len(text) > 60 or not re.fullmatch(r"[1-9][0-9]{0,9}|[a-z][a-z0-9-]*", text):
        raise invalid_parameters(
            table_set=f"{text!r} will not do: give the `id` or `edition` of a set."
        )
    return table_set_for(request.user, text)


def is_for_everybody(request: Request) -> bool:
    """Return whether the query names a set that comes with the program, or none."""
    return not request.query_params.get("table_set", SHIPPED).isdecimal()


def _own(own: OwnTables) -> LoadedTableSet:
    return LoadedTableSet(own.tables_id, own.name, own.created, saved_work.edition_of(own))


def _load_named_edition(named_edition: NamedEdition) -> LoadedTableSet:
    return LoadedTableSet(
        None, named_edition.title, None, named_edition.edition, named_edition.slug
    )


def _as_shipped() -> LoadedTableSet:
    return LoadedTableSet(None, "As shipped", None, shipped_edition(), SHIPPED)


@cache
def _shipped_document() -> EncodedDocument:
    return EncodedDocument(table_set_document(_as_shipped()))


@cache
def _shipped_table(name: str) -> EncodedDocument:
    return EncodedDocument(table_document(_as_shipped(), name))
