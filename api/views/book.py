"""The book: every table with what it comes from, and the scenarios."""

from functools import cache

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.answers import ASK_AGAIN, Document, respond
from api.contract import Listed, operation
from api.documents.book import (
    ScenarioDocument,
    TableDocument,
    TablesDocument,
    scenario_document,
    table_document,
    table_line,
)
from api.endpoint import PublicEndpoint
from api.problems import Problem
from battles.core.table_pages import TablePage
from campaign.rules.book import book
from campaign.rules.scenario import Scenario, UnknownScenario, scenario, scenarios


class Tables(PublicEndpoint):
    """Every table of the book, in the order of its chapters."""

    @operation(TablesDocument)
    def get(self, request: Request) -> HttpResponse:
        return respond(request, _tables(), ASK_AGAIN)


class Table(PublicEndpoint):
    """One table, with the provenance of table and rows."""

    @operation(TableDocument)
    def get(self, request: Request, table: str) -> HttpResponse:
        pages = {page.id: page for page in book().tables()}
        if table not in pages:
            known = ", ".join(pages)
            raise Problem("not-found", f"There is no table {table!r}; there are {known}.")
        return respond(request, _table(pages[table]), ASK_AGAIN)


class Scenarios(PublicEndpoint):
    """The scenarios there are."""

    @operation(Listed[ScenarioDocument])
    def get(self, request: Request) -> HttpResponse:
        return respond(request, _scenarios(), ASK_AGAIN)


class OneScenario(PublicEndpoint):
    """One scenario: its months, and how it is won."""

    @operation(ScenarioDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        try:
            return respond(request, Document(_described(scenario(slug))), ASK_AGAIN)
        except UnknownScenario as error:
            raise Problem("not-found", str(error)) from error


@cache
def _tables() -> Document:
    lines = [table_line(page, _table_links(page)) for page in book().tables()]
    return Document(TablesDocument(book().digest, tuple(lines)))


@cache
def _table(page: TablePage) -> Document:
    return Document(table_document(book(), page, _table_links(page)))


@cache
def _scenarios() -> Document:
    return Document({"results": [_described(one) for one in scenarios()]})


def _described(one: Scenario) -> ScenarioDocument:
    return scenario_document(one, {"self": reverse("api:scenario", args=[one.slug])})


def _table_links(page: TablePage) -> dict[str, str]:
    return {"self": reverse("api:table", args=[page.id])}
