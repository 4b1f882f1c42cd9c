"""What somebody keeps: sets of tables of his own, and trials of them on the bench."""

from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.campaigns import ProgressPart, work_links
from api.documents.scalars import Moment, SideName, StatusName
from campaign.access.saved_work import edition_of
from campaign.models import Bench, OwnTables
from campaign.rules.tables.editions import ChangedText, changes, shipped
from campaign.services.jobs.comparisons import runs_of
from campaign.simulations.campaign_runs import CampaignRun


class OwnTablesLine(msgspec.Struct, frozen=True):
    """A set of tables of one's own; a campaign begins by it with its `number`.

    `tables` and `scenarios` among the links are those shipped, with the files to begin one from.
    """

    number: int
    name: str
    digest: str
    created: Moment
    links: dict[str, str]


class OwnTablesDocument(OwnTablesLine, frozen=True):
    """A set with the files that differ from those shipped, by table, as TOML; and in what."""

    files: dict[str, str]
    changes: tuple[ChangedText, ...]


class RunPart(msgspec.Struct, frozen=True):
    """How a campaign on the bench ended; `after`: it was played by the second set of tables.

    `losses` are counters, by side and cause.
    """

    after: bool
    months: int
    winner: SideName | None
    reason: str
    losses: dict[str, dict[str, int]]


class BenchDocument(msgspec.Struct, frozen=True):
    """A trial: so many campaigns of a scenario by each of two sets of tables."""

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
