"""A user's own sets of tables, and simulations that compare them."""

from typing import Any, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.scalars import Moment
from api.http.endpoint import Listed, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input
from battles.core.tables import Source
from campaign.access import saved_work
from campaign.access.saved_work import edition_of
from campaign.models import OwnTables
from campaign.rules.tables.editions import ChangedText, changes, shipped, texts_by_name
from campaign.services.journal import rules_edition


class OwnTablesLine(msgspec.Struct, frozen=True):
    """A set of tables of your own; create a campaign by it with its `number`.

    The links `tables` and `scenarios` lead to the shipped ones, whose files are a starting point.
    """

    number: int
    name: str
    digest: str
    created: Moment
    links: dict[str, str]


class OwnTablesDocument(OwnTablesLine, frozen=True):
    """A set with its files that differ from the shipped ones (TOML), and the changed rows."""

    files: dict[str, str]
    changes: tuple[ChangedText, ...]


def own_tables_line(own: OwnTables) -> OwnTablesLine:
    return OwnTablesLine(own.pk, own.name, own.tables.digest, own.created, _links(own))


def own_tables_document(own: OwnTables) -> OwnTablesDocument:
    edition, theirs = edition_of(own), shipped().texts
    changed = {name: text for name, text in edition.texts.items() if theirs.get(name) != text}
    return OwnTablesDocument(
        own.pk,
        own.name,
        own.tables.digest,
        own.created,
        _links(own),
        files=changed,
        changes=changes(edition),
    )


def _links(own: OwnTables) -> dict[str, str]:
    shipped_ones = {name: reverse(f"api:{name}") for name in ("tables", "scenarios")}
    return {"self": reverse("api:own-set", args=[own.pk]), **shipped_ones}


LONGEST_FILE = 64_000


class NewSet(Input):
    """A set of tables: the files that differ from the shipped ones, by name, as TOML."""

    name = serializers.CharField(max_length=60)
    files = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_FILE, trim_whitespace=False)
    )


class OwnSets(UmpireEndpoint):
    """Your sets of tables."""

    largest_body: ClassVar[int] = 1_000_000

    @operation(Listed[OwnTablesLine])
    def get(self, request: Request) -> HttpResponse:
        """List your sets of tables, the newest first."""
        return self.tell({"results": [own_tables_line(one) for one in _sets(request)]})

    @operation(OwnTablesDocument, status=201, takes=NewSet, once=True, problems=("table-wrong",))
    def post(self, request: Request) -> WriteResult:
        """Create a set of tables.

        Every row is checked.
        """
        given = NewSet.read(request)
        texts = texts_by_name(Source(name, text) for name, text in given["files"].items())
        told = own_tables_document(rules_edition.name_tables(request.user, given["name"], texts))
        return WriteResult(201, told, told.links["self"])


class OneSet(UmpireEndpoint):
    """A set of your tables."""

    @operation(OwnTablesDocument)
    def get(self, request: Request, number: int) -> HttpResponse:
        """Retrieve a set, with its files that differ from the shipped ones."""
        return self.tell(own_tables_document(saved_work.own_set(request.user, number)))

    @operation(status=204)
    def delete(self, request: Request, number: int) -> Response:
        """Delete a set from your list.

        Campaigns that are played by it keep it.
        """
        saved_work.own_set(request.user, number)
        rules_edition.forget_tables(request.user, number)
        return Response(status=204)


def _sets(request: Request) -> Any:
    return saved_work.own_tables(request.user)
