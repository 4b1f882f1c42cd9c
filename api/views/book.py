"""The book: tables with what they come from, scenarios, rulings; and those a campaign goes by."""

from functools import cache

from django.http import HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from api.answers import ASK_AGAIN, Document, respond
from api.contract import Listed, operation
from api.documents.book import (
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
from api.endpoint import OpenEndpoint, PublicEndpoint
from api.problems import Problem
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import Edition, shipped
from campaign.rules.tables.scenario_loader import UnknownScenario, scenarios


class Tables(PublicEndpoint):
    """Every table of the book, in the order of its chapters."""

    @operation(TablesDocument)
    def get(self, request: Request) -> HttpResponse:
        return respond(request, _tables(), ASK_AGAIN)


class Table(PublicEndpoint):
    """One table, with the provenance of table and rows."""

    @operation(TableDocument)
    def get(self, request: Request, table: str) -> HttpResponse:
        return respond(request, _table(table), ASK_AGAIN)


class Scenarios(PublicEndpoint):
    """The scenarios there are."""

    @operation(Listed[ScenarioDocument])
    def get(self, request: Request) -> HttpResponse:
        return respond(request, _scenarios(), ASK_AGAIN)


class OneScenario(PublicEndpoint):
    """One scenario: its months, how it is won, and the file with its order of battle."""

    @operation(ScenarioFileDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        try:
            told = scenario_file(shipped(), slug, _scenario_links(slug))
        except UnknownScenario as error:
            raise Problem("not-found", str(error)) from error
        return respond(request, Document(told), ASK_AGAIN)


class Rulings(PublicEndpoint):
    """The rulings: how it is decided where the book is silent or unclear."""

    @operation(RulingsDocument)
    def get(self, request: Request) -> HttpResponse:
        """The rulings by number, and what the book allows that is not here yet."""
        return respond(request, _rulings(), ASK_AGAIN)


class TablesOfCampaign(OpenEndpoint):
    """The tables a campaign is played by."""

    @operation(CampaignTablesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Every table a campaign is played by, and what its umpire has changed of those shipped."""
        edition = _edition(selectors.campaign_for(request.user, slug))
        return self.tell(campaign_tables_document(edition, lambda name: _own_links(slug, name)))


class TableOfCampaign(OpenEndpoint):
    """A table that a campaign is played by."""

    @operation(TableDocument)
    def get(self, request: Request, slug: str, table: str) -> HttpResponse:
        """One table as it holds in the campaign, with its file."""
        tables = _edition(selectors.campaign_for(request.user, slug)).book
        return self.tell(table_document(tables, table, lambda name: _own_links(slug, name)))


class ScenarioOfCampaign(OpenEndpoint):
    """The scenario that a campaign is played by."""

    @operation(ScenarioFileDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The scenario as it holds in the campaign, with its file."""
        campaign = selectors.campaign_for(request.user, slug)
        links = {
            "self": reverse("api:campaign-scenario", args=[slug]),
            "campaign": reverse("api:campaign", args=[slug]),
        }
        return self.tell(scenario_file(_edition(campaign), campaign.scenario, links))


def _edition(campaign: Campaign) -> Edition:
    return serialization.edition_of(selectors.state_now(campaign).book)


@cache
def _tables() -> Document:
    return Document(tables_document(_table_links))


@cache
def _table(name: str) -> Document:
    return Document(table_document(book(), name, _table_links))


@cache
def _rulings() -> Document:
    return Document(rulings_document())


@cache
def _scenarios() -> Document:
    return Document(
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
