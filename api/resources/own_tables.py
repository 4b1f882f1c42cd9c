"""A user's own sets of tables, and simulations that compare them."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.campaigns import ProgressPart, work_links
from api.documents.scalars import Moment, SideName, StatusName
from api.http.endpoint import Listed, OwnEndpoint, Paged, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, WholeNumber
from api.http.paging import PAGES, Newest
from api.http.throttles import LongThrottle
from battles.core.tables import Source
from campaign.access import saved_work
from campaign.access.saved_work import edition_of
from campaign.models import Bench, OwnTables
from campaign.rules.tables.editions import ChangedText, changes, shipped, texts_by_name
from campaign.services.jobs import comparisons
from campaign.services.jobs.comparisons import FEWEST_CAMPAIGNS, MOST_CAMPAIGNS, runs_of
from campaign.services.journal import rules_edition
from campaign.simulations.campaign_runs import CampaignRun


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


class RunPart(msgspec.Struct, frozen=True):
    """A simulated campaign; with `after`, it was played by the second set of tables.

    `losses` are counters, by side and cause.
    """

    after: bool
    months: int
    winner: SideName | None
    reason: str
    losses: dict[str, dict[str, int]]


class BenchDocument(msgspec.Struct, frozen=True):
    """A simulation: a number of campaigns of a scenario by each of two sets of tables."""

    uuid: UUID
    scenario: str
    before: str
    after: str
    seed: int
    status: StatusName
    progress: ProgressPart
    message: str
    created: Moment
    finished: Moment | None
    runs: tuple[RunPart, ...]
    links: dict[str, str]


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


def bench_document(bench: Bench) -> BenchDocument:
    return BenchDocument(
        uuid=bench.uuid,
        scenario=bench.scenario,
        before=bench.before_name,
        after=bench.after_name,
        seed=bench.seed,
        status=bench.status,
        progress=ProgressPart(bench.progress, bench.total),
        message=bench.message,
        created=bench.created,
        finished=bench.finished,
        runs=tuple(_run(run, after=bool(place % 2)) for place, run in enumerate(runs_of(bench))),
        links=work_links(reverse("api:bench", args=[bench.uuid]), bench.uuid),
    )


def _run(run: CampaignRun, *, after: bool) -> RunPart:
    result = run.result
    winner, reason = (result.winner, result.reason) if result else (None, run.error)
    return RunPart(after, run.months, winner, reason, run.losses)


LONGEST_FILE = 64_000


class NewSet(Input):
    """A set of tables: the files that differ from the shipped ones, by name, as TOML."""

    name = serializers.CharField(max_length=60)
    files = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_FILE, trim_whitespace=False)
    )


class NewBench(Input):
    """The sets to compare by number (null: as shipped), the campaigns to play, and the seed."""

    scenario = serializers.CharField(max_length=60)
    campaigns = WholeNumber(min_value=FEWEST_CAMPAIGNS, max_value=MOST_CAMPAIGNS)
    before = WholeNumber(min_value=1, max_value=2**31, allow_null=True, default=None)
    after = WholeNumber(min_value=1, max_value=2**31, allow_null=True, default=None)
    seed = WholeNumber(min_value=0, max_value=1_000_000, default=1)


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


class Benches(UmpireEndpoint):
    """Simulations that compare sets of tables."""

    parameters: ClassVar[frozenset[str]] = PAGES
    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(Paged[BenchDocument])
    def get(self, request: Request) -> HttpResponse:
        """List your simulations, the newest first."""
        pages = Newest()
        page = pages.paginate_queryset(saved_work.benches(request.user).defer(None), request)
        return self.tell(pages.document(map(bench_document, page)))

    @operation(BenchDocument, status=202, takes=NewBench, once=True)
    def post(self, request: Request) -> WriteResult:
        """Start a simulation.

        The staff plays a scenario many times by each of two sets of tables.
        """
        given = NewBench.read(request)
        sets = {name: _set(request, given.pop(name)) for name in ("before", "after")}
        trial = comparisons.BenchTerms(**given, **sets)
        told = bench_document(comparisons.request_bench(request.user, trial))
        return WriteResult(202, told, told.links["self"])


class OneBench(UmpireEndpoint):
    """A simulation of yours."""

    @operation(BenchDocument)
    def get(self, request: Request, uuid: Any) -> HttpResponse:
        """Retrieve a simulation.

        The answer has its progress and its results so far.
        """
        return self.tell(bench_document(saved_work.bench_for(request.user, uuid)))

    @operation(BenchDocument)
    def delete(self, request: Request, uuid: Any) -> HttpResponse:
        """Stop a simulation.

        The campaigns played so far are kept.
        """
        comparisons.stop_bench(request.user, saved_work.bench_for(request.user, uuid))
        return self.tell(bench_document(saved_work.bench_for(request.user, uuid)))


def _sets(request: Request) -> Any:
    return saved_work.own_tables(request.user)


def _set(request: Request, number: int | None) -> Any:
    return saved_work.own_set(request.user, number) if number else None
