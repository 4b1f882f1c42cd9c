"""The rule books: the campaign's tables, scenarios and rulings, and the books of battles."""

from functools import cache

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.documents.rulebook import (
    CampaignTablesDocument,
    RulingsDocument,
    ScenarioDocument,
    ScenarioFileDocument,
    TableDocument,
    TablesDocument,
    campaign_tables_document,
    rulings_document,
    scenario_document,
    scenario_file,
    table_document,
    tables_document,
)
from api.http.endpoint import Listed, OpenEndpoint, PublicEndpoint, operation
from api.http.problems import Problem
from api.http.responses import ASK_AGAIN, EncodedDocument, respond
from battles.contract.book import Words
from battles.contract.registry import AnyBook, books, every_book, find_book
from battles.contract.registry import book as book_of
from battles.core.tables import TablePage
from battles.core.trace import Ruling
from battles.web import rulebook
from battles.web.tabletop import KitSheet, sheets_of
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import Edition, shipped
from campaign.rules.tables.scenario_loader import UnknownScenario, scenarios


class Tables(PublicEndpoint):
    """The tables of the campaign's book."""

    @operation(TablesDocument)
    def get(self, request: Request) -> HttpResponse:
        """List every table of the book, in the order of its chapters."""
        return respond(request, _tables(), ASK_AGAIN)


class OneTable(PublicEndpoint):
    """A table."""

    @operation(TableDocument)
    def get(self, request: Request, table: str) -> HttpResponse:
        """Retrieve a table.

        The provenance of the table and its rows is included.
        """
        return respond(request, _table(table), ASK_AGAIN)


class Scenarios(PublicEndpoint):
    """The scenarios."""

    @operation(Listed[ScenarioDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the scenarios."""
        return respond(request, _scenarios(), ASK_AGAIN)


class OneScenario(PublicEndpoint):
    """A scenario."""

    @operation(ScenarioFileDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve a scenario.

        The answer has its months, its victory conditions, and its file.
        """
        try:
            told = scenario_file(shipped(), slug, _scenario_links(slug))
        except UnknownScenario as error:
            raise Problem("not-found", str(error)) from error
        return respond(request, EncodedDocument(told), ASK_AGAIN)


class BookRulings(PublicEndpoint):
    """The rulings where the book is silent or unclear."""

    @operation(RulingsDocument)
    def get(self, request: Request) -> HttpResponse:
        """List the rulings by number.

        The rules of the book that are not implemented yet are listed too.
        """
        return respond(request, _rulings(), ASK_AGAIN)


class TablesOfCampaign(OpenEndpoint):
    """The tables of a campaign."""

    @operation(CampaignTablesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the tables of a campaign.

        Its umpire's changes to the shipped ones are listed too.
        """
        edition = _edition(selectors.campaign_for(request.user, slug))
        return self.tell(campaign_tables_document(edition, lambda name: _own_links(slug, name)))


class TableOfCampaign(OpenEndpoint):
    """A table of a campaign."""

    @operation(TableDocument)
    def get(self, request: Request, slug: str, table: str) -> HttpResponse:
        """Retrieve a table as it applies in the campaign, with its file."""
        tables = _edition(selectors.campaign_for(request.user, slug)).book
        return self.tell(table_document(tables, table, lambda name: _own_links(slug, name)))


class ScenarioOfCampaign(OpenEndpoint):
    """The scenario of a campaign."""

    @operation(ScenarioFileDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the scenario as it applies in the campaign, with its file."""
        campaign = selectors.campaign_for(request.user, slug)
        links = {
            "self": reverse("api:campaign-scenario", args=[slug]),
            "campaign": reverse("api:campaign", args=[slug]),
        }
        return self.tell(scenario_file(_edition(campaign), campaign.scenario, links))


def _edition(campaign: Campaign) -> Edition:
    return serialization.edition_of(selectors.state_now(campaign).book)


@cache
def _tables() -> EncodedDocument:
    return EncodedDocument(tables_document(_table_links))


@cache
def _table(name: str) -> EncodedDocument:
    return EncodedDocument(table_document(book(), name, _table_links))


@cache
def _rulings() -> EncodedDocument:
    return EncodedDocument(rulings_document())


@cache
def _scenarios() -> EncodedDocument:
    return EncodedDocument(
        {"results": [scenario_document(one, _scenario_links(one.slug)) for one in scenarios()]}
    )


def _scenario_links(slug: str) -> dict[str, str]:
    return {
        "self": reverse("api:scenario", args=[slug]),
        "toml": reverse("shipped-file", args=[slug]),
    }


def _table_links(name: str) -> dict[str, str]:
    return {"self": reverse("api:table", args=[name]), "toml": reverse("shipped-file", args=[name])}


def _own_links(slug: str, name: str) -> dict[str, str]:
    return {
        "self": reverse("api:campaign-table", args=[slug, name]),
        "campaign": reverse("api:campaign", args=[slug]),
    }


class WordsPart(msgspec.Struct, frozen=True):
    """The book's names for its sides, its counters, a turn, and a shaken unit.

    `advice` says how to count units on a real table that have left or been driven off it.
    """

    egyptian: str
    mahdist: str
    figure: str
    turn: str
    shaken: str
    advice: str


class SheetPart(msgspec.Struct, frozen=True):
    """A section of the play sheet: lines to read, and tables as they are printed."""

    title: str
    lines: tuple[str, ...]
    tables: tuple[TablePage, ...]


class BookLine(msgspec.Struct, frozen=True):
    """A book of battles; `book` is the name by which it is chosen."""

    book: str
    title: str
    author: str
    links: dict[str, str]


class BookDocument(BookLine, frozen=True):
    """A book: its terms, its tables as they are printed, its rulings, and the play sheet."""

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
        tables=rulebook.tables(of.slug),
        rulings=rulebook.rulings(of.slug),
        sheets=tuple(map(sheet_part, sheets_of(of.slug))),
    )


def words_part(words: Words) -> WordsPart:
    return WordsPart(**{name: getattr(words, name) for name in WordsPart.__struct_fields__})


def sheet_part(sheet: KitSheet) -> SheetPart:
    return SheetPart(sheet.section.title, sheet.section.lines, sheet.tables)


def _links(of: AnyBook) -> dict[str, str]:
    return {
        "self": reverse("api:book", args=[of.slug]),
        "page": reverse("battle-rules", args=[of.slug]),
    }


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
            known = ", ".join(books())
            raise Problem("not-found", f"There is no book {book!r}; there are {known}.")
        return respond(request, _book(book), ASK_AGAIN)


@cache
def _books() -> EncodedDocument:
    return EncodedDocument({"results": list(map(book_line, every_book()))})


@cache
def _book(slug: str) -> EncodedDocument:
    return EncodedDocument(book_document(book_of(slug)))
