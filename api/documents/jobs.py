"""Jobs of the workers as documents: how far they are, and the results of benches and ladders."""

from typing import Annotated
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.scalars import JobKindName, Moment, SideName, StatusName
from api.http.rule_json import MonthName
from campaign.models import Bench, Job
from campaign.rules.core.pieces import Month, month_slug
from campaign.services.comparisons import games_of, players_of, runs_of
from campaign.simulations import ladder
from campaign.simulations.campaign_runs import CampaignRun


class ProgressPart(msgspec.Struct, frozen=True):
    """The completed steps and their total: phases, campaigns, battles or runs."""

    completed: int
    total: int


class JobLinks(msgspec.Struct, frozen=True):
    """The addresses of a job, of its stream, and of the campaign it advances."""

    self: str
    stream: str
    campaign: str


class JobDocument(msgspec.Struct, frozen=True):
    """A job that advances a campaign until the month `until_month` begins.

    `message` says how it ended, or why it failed.
    """

    uuid: UUID
    kind: JobKindName
    campaign: str
    status: StatusName
    months: int
    until_month: MonthName
    progress: ProgressPart
    message: str | None
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None
    links: JobLinks


def job_document(job: Job, message: str) -> JobDocument:
    """Return the job; `message` is as the caller may read it."""
    return JobDocument(
        uuid=job.uuid,
        kind=job.kind,
        campaign=job.campaign.slug,
        status=job.status,
        months=job.months,
        until_month=month_slug(Month(job.until)),
        progress=ProgressPart(job.progress, job.total),
        message=message or None,
        created_at=job.created,
        started_at=job.started,
        finished_at=job.finished,
        links=JobLinks(
            job_link(job), stream_link(job.uuid), reverse("api:campaign", args=[job.campaign.slug])
        ),
    )


def job_link(job: Job) -> str:
    """Return the address of the job."""
    return reverse("api:job", args=[job.uuid])


def stream_link(number: UUID) -> str:
    """Return the address of the stream of a job or a simulation."""
    return reverse("api:job-stream", args=[number])


class CampaignRunPart(msgspec.Struct, frozen=True):
    """A campaign played by the staff: its length, its winner and the losses of each side.

    `unit_losses` are by side and cause.
    """

    table_set_name: str
    months: int
    winner: SideName | None
    reason: str
    unit_losses: dict[str, dict[str, int]]


class BenchResult(msgspec.Struct, frozen=True, tag_field="type", tag="bench"):
    """Campaigns played by the staff by two sets of tables in turn, with the same dice."""

    scenario: str
    before_table_set_name: str
    after_table_set_name: str
    campaign_runs: tuple[CampaignRunPart, ...]


def bench_result(bench: Bench) -> BenchResult | None:
    """Return the campaigns of a bench so far; None before the first."""
    names = bench.before_name, bench.after_name
    runs = tuple(_campaign_run(run, names[place % 2]) for place, run in enumerate(runs_of(bench)))
    return BenchResult(bench.scenario, *names, runs) if runs else None


def _campaign_run(run: CampaignRun, tables: str) -> CampaignRunPart:
    result = run.result
    winner, reason = (result.winner, result.reason) if result else (None, run.error)
    return CampaignRunPart(tables, run.months, winner, reason, run.losses)


class WonSharePart(msgspec.Struct, frozen=True):
    """A share of the games that a side has won, with its 95% interval."""

    won_share: float
    low: float
    high: float


class LadderPairPart(msgspec.Struct, frozen=True):
    """A pair on the ladder, by the names of its players; the rest of its games was drawn."""

    mahdist: str
    egyptian: str
    games: int
    mahdist_won: WonSharePart
    egyptian_won: WonSharePart
    mean_months: float


class LadderPlayerPart(msgspec.Struct, frozen=True):
    """A player on the ladder: a plan, a level or a rival, with its rating.

    400 points are odds of ten to one. `score` is the mean over all games, a draw counting half.
    """

    side: SideName
    name: str
    title: str
    player_kind: Annotated[str, Meta(extra_json_schema={"enum": ["plan", "level", "rival"]})]
    rating: int
    score: float
    games: int


class LadderResult(msgspec.Struct, frozen=True, tag_field="type", tag="ladder"):
    """The plans of a scenario's staff played against each other, the best players first.

    `faults` are games that came to no end, which count for nobody.
    """

    scenario: str
    players: tuple[LadderPlayerPart, ...]
    pairs: tuple[LadderPairPart, ...]
    faults: tuple[str, ...]


def ladder_result(bench: Bench) -> LadderResult:
    """Return the results of a ladder so far."""
    games = games_of(bench)
    return LadderResult(
        bench.scenario,
        tuple(
            LadderPlayerPart(
                player.contestant.side,
                player.contestant.name,
                player.contestant.title,
                player.contestant.kind,
                player.rating,
                player.score,
                player.games,
            )
            for player in ladder.ratings(players_of(bench), games)
        ),
        tuple(
            LadderPairPart(
                *pair,
                cell.mahdist.games,
                _won_share_part(cell.mahdist),
                _won_share_part(cell.egyptian),
                cell.months,
            )
            for pair, cell in ladder.cells(games).items()
        ),
        tuple(game.error for game in games if game.error),
    )


def _won_share_part(won: ladder.WinShare) -> WonSharePart:
    return WonSharePart(won.share, won.low, won.high)
