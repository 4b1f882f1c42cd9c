"""Simulations as documents: what is played many times over, and the results so far."""

from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.jobs import (
    BenchResult,
    LadderResult,
    ProgressPart,
    bench_result,
    ladder_result,
    stream_link,
)
from api.documents.scalars import Moment, SideName, StatusName
from api.http.rule_json import HexName, MonthName
from battles.contract import Side
from battles.contract.brief_files import ready_battles
from battles.core.decoding import decode
from battles.simulation import BattleEstimate, error_of_share
from campaign.access import saved_work
from campaign.models import Bench, Comparison, Inquiry, Work
from campaign.odds.forecast import AHEAD, Playout, PlayoutEnding, endings, presence
from campaign.orders.monte_carlo import MonthRun, summarise_runs
from campaign.serialization import scenario_title
from campaign.services.comparisons import bouts_of
from campaign.services.inquiries import inquiry_progress, runs_of
from campaign.simulations.battle_comparison import NOBODY, BookResult, ComparedBattle, book_results

SimulationType = Annotated[
    str, Meta(extra_json_schema={"enum": [*Inquiry.Kind.values, *Bench.Kind.values, "comparison"]})
]


class EstimatePart(msgspec.Struct, frozen=True):
    """A share of all runs, or a mean over them, with its standard error."""

    mean: float
    error: float


class EndingPart(msgspec.Struct, frozen=True):
    """An ending of the campaign; `winner` is null for a draw."""

    winner: SideName | None
    reason: str
    clause: str
    share: EstimatePart


class SimulationResult(msgspec.Struct, frozen=True, tag_field="type"):
    """The results of a simulation so far, by its `type`."""


class BattleTrialResult(SimulationResult, frozen=True, tag="battle"):
    """A battle fought many times by one book.

    `won_shares` has the share of the battles that each side, or `nobody`, has won, `lost_shares`
    the share of its strength that each side lost. `fault` says why the book cannot fight it.
    """

    resolution: str
    title: str
    battle_count: int
    won_shares: dict[str, EstimatePart]
    lost_shares: dict[str, EstimatePart]
    mean_turns: EstimatePart | None
    fault: str | None


class ComparisonResult(SimulationResult, frozen=True, tag="comparison"):
    """A battle fought equally often by every book, and by the campaign's own table."""

    offer: str | None
    battles_each: int
    by_book: tuple[BattleTrialResult, ...]


class OrderResult(msgspec.Struct, frozen=True):
    """The outcome of an order, counted from 0, in shares of all runs.

    `mean_combats` counts its combats, `mean_combats_won` those it won. `fails_first` is the share
    of the runs in which it was the first order of the sheet to fail.
    """

    order_index: int
    carried_out: float
    partly: float
    failed: float
    mean_combats: float
    mean_combats_won: float
    fails_first: float
    usual_reason: str | None


class SetbackPart(msgspec.Struct, frozen=True):
    """A loss after which the side cannot win in some way, and the share of the runs with it."""

    text: str
    run_share: float


class RehearsalResult(SimulationResult, frozen=True, tag="rehearsal"):
    """A month played many times by an order sheet; losses are in units.

    `loss_chances` has the chances that 0, 1, 2 and so on of the side's units are lost. A share is
    that of the runs in which it happened; the other numbers are means.
    """

    runs: int
    all_carried_out: float
    first_to_fail_index: int | None
    by_order: tuple[OrderResult, ...]
    loss_chances: tuple[float, ...]
    mean_lost_by_attrition: float
    mean_lost_without_retreat: float
    mean_disrupted: float
    mean_enemy_lost: float
    mean_wrecked: float
    wreck_share: float
    no_retreat_share: float
    attrition_share: float
    setbacks: tuple[SetbackPart, ...]
    endings: tuple[EndingPart, ...]


class ExpectedPresencePart(msgspec.Struct, frozen=True):
    """The chance that a side stands in a hex."""

    side: SideName
    hex: HexName
    chance: float


class PositionForecastPart(msgspec.Struct, frozen=True):
    """The positions of both sides expected after a number of months."""

    after_months: int
    presence: tuple[ExpectedPresencePart, ...]


class ForecastResult(SimulationResult, frozen=True, tag="forecast"):
    """A campaign played on to its end many times by the staff."""

    runs: int
    mean_months: float
    endings: tuple[EndingPart, ...]
    positions: tuple[PositionForecastPart, ...]


AnyResult = (
    BattleTrialResult
    | ComparisonResult
    | RehearsalResult
    | ForecastResult
    | BenchResult
    | LadderResult
)


class SimulationLinks(msgspec.Struct, frozen=True):
    """The addresses of a simulation, of its stream, and of its campaign."""

    self: str
    stream: str
    campaign: str | None


class SimulationDocument(msgspec.Struct, frozen=True):
    """Something that is played many times by the workers, and its results so far.

    `result` is null until the first run is completed.
    """

    uuid: UUID
    type: SimulationType
    title: str
    campaign: str | None
    seed: int | None
    status: StatusName
    progress: ProgressPart
    message: str | None
    created_at: Moment
    finished_at: Moment | None
    result: AnyResult | None
    links: SimulationLinks


class ForcePart(msgspec.Struct, frozen=True):
    """A side of a battle of history, in men; null where the number is not known."""

    side: SideName
    men: int
    men_lost: int | None


class HistoricalBattlePart(msgspec.Struct, frozen=True):
    """A battle of history: its outcome, and the best comparison of it."""

    offer: str
    title: str
    month: MonthName
    winner: SideName
    forces: tuple[ForcePart, ...]
    comparison: SimulationDocument | None


@singledispatch
def simulation_document(simulation: Any) -> SimulationDocument:
    """Return a simulation with its progress and its results so far."""
    raise TypeError(f"{type(simulation).__name__} is no simulation")


@simulation_document.register
def _(inquiry: Inquiry) -> SimulationDocument:
    far, runs = inquiry_progress(inquiry), [bytes(run) for run in runs_of(inquiry)]
    slug = inquiry.campaign.slug
    return SimulationDocument(
        uuid=inquiry.uuid,
        type=inquiry.kind,
        title=inquiry.title,
        campaign=slug,
        seed=None,
        status=far.status,
        progress=ProgressPart(far.progress, far.total),
        message=far.message or None,
        created_at=inquiry.created,
        finished_at=far.finished,
        result=_inquiry_result(inquiry, runs) if runs else None,
        links=_links(inquiry.uuid, reverse("api:campaign", args=[slug])),
    )


@simulation_document.register
def _(bench: Bench) -> SimulationDocument:
    if bench.kind == Bench.Kind.LADDER:
        result = ladder_result(bench) if bench.progress else None
        title = scenario_title(bench)
        return _of_work(bench, "ladder", title, bench.seed, result)
    title = f"{bench.before_name} or {bench.after_name}"
    return _of_work(bench, "bench", title, bench.seed, bench_result(bench))


@simulation_document.register
def _(comparison: Comparison) -> SimulationDocument:
    results = book_results(comparison.ways, bouts_of(comparison))
    result = ComparisonResult(
        comparison.offer or None, comparison.each, tuple(map(_book_result, results))
    )
    return _of_work(
        comparison,
        "comparison",
        comparison.title,
        comparison.seed,
        result if comparison.progress else None,
    )


def _inquiry_result(inquiry: Inquiry, runs: list[bytes]) -> AnyResult:
    if inquiry.kind == Inquiry.Kind.BATTLE:
        bouts = [decode(run, ComparedBattle) for run in runs]
        return _book_result(book_results([inquiry.way], bouts)[0])
    return _rehearsal(runs) if inquiry.kind == Inquiry.Kind.REHEARSAL else _forecast(runs)


def _of_work(
    work: Work, kind: str, title: str, seed: int, result: AnyResult | None
) -> SimulationDocument:
    return SimulationDocument(
        uuid=work.uuid,
        type=kind,
        title=title,
        campaign=None,
        seed=seed,
        status=work.status,
        progress=ProgressPart(work.progress, work.total),
        message=work.message or None,
        created_at=work.created,
        finished_at=work.finished,
        result=result,
        links=_links(work.uuid, None),
    )


def _links(number: UUID, campaign: str | None) -> SimulationLinks:
    return SimulationLinks(reverse("api:simulation", args=[number]), stream_link(number), campaign)


def historical_battles() -> Iterator[HistoricalBattlePart]:
    """Yield the battles of history on offer, in the order of time."""
    for offer in ready_battles():
        history = offer.written.history
        if history is not None:
            best = saved_work.best_comparison(offer.slug)
            yield HistoricalBattlePart(
                offer=offer.slug,
                title=offer.brief.title,
                month=offer.brief.month,
                winner=history.winner,
                forces=tuple(
                    ForcePart(side, history.toll(side).men, history.toll(side).lost)
                    for side in Side
                ),
                comparison=simulation_document(best) if best else None,
            )


def _book_result(column: BookResult) -> BattleTrialResult:
    return BattleTrialResult(
        resolution=column.way,
        title=column.title,
        battle_count=column.battles,
        won_shares=_estimates(column.won),
        lost_shares=_estimates(column.lost),
        mean_turns=_estimate(column.turns) if column.turns else None,
        fault=column.fault or None,
    )


def _estimates(estimates: Mapping[str, BattleEstimate]) -> dict[str, EstimatePart]:
    order = (*(side.value for side in Side), NOBODY)
    return {name: _estimate(estimates[name]) for name in order if name in estimates}


def _estimate(estimate: BattleEstimate) -> EstimatePart:
    return EstimatePart(estimate.mean, estimate.error)


def _rehearsal(runs: list[bytes]) -> RehearsalResult:
    summary = summarise_runs([decode(run, MonthRun) for run in runs])
    return RehearsalResult(
        runs=summary.runs,
        all_carried_out=summary.whole,
        first_to_fail_index=summary.spoiler.number if summary.spoiler else None,
        by_order=tuple(
            OrderResult(
                order.number,
                order.done,
                order.partly,
                order.failed,
                order.fights,
                order.won,
                order.spoils,
                order.why or None,
            )
            for order in summary.orders
        ),
        loss_chances=summary.lost,
        mean_lost_by_attrition=summary.thirst,
        mean_lost_without_retreat=summary.cornered,
        mean_disrupted=summary.shaken,
        mean_enemy_lost=summary.enemy_lost,
        mean_wrecked=summary.wrecked,
        wreck_share=summary.wreck_share,
        no_retreat_share=summary.cornered_share,
        attrition_share=summary.thirst_share,
        setbacks=tuple(SetbackPart(text, share) for text, share in summary.setbacks),
        endings=_endings(summary.endings, summary.runs),
    )


def _endings(endings: Iterable[PlayoutEnding], number: int) -> tuple[EndingPart, ...]:
    """Return the endings, with their shares of `number` runs."""
    return tuple(
        EndingPart(
            ending.result.winner,
            ending.result.reason,
            ending.result.clause,
            EstimatePart(ending.times / number, error_of_share(ending.times, number)),
        )
        for ending in endings
    )


def _forecast(runs: list[bytes]) -> ForecastResult:
    playouts = [decode(run, Playout) for run in runs]
    positions = tuple(
        PositionForecastPart(
            ahead,
            tuple(
                ExpectedPresencePart(side, f"{hex_id:04}", chance)
                for side, hexes in presence(playouts, ahead).items()
                for hex_id, chance in hexes.items()
            ),
        )
        for ahead in AHEAD
        if any(ahead in playout.stands for playout in playouts)
    )
    return ForecastResult(
        runs=len(playouts),
        mean_months=sum(playout.months for playout in playouts) / len(playouts),
        endings=_endings(endings(playout.result for playout in playouts), len(playouts)),
        positions=positions,
    )
