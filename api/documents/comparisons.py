"""Comparisons of the books of battles as documents."""

from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.urls import reverse

from api.documents.campaigns import ProgressPart, work_links
from api.documents.scalars import Moment, MonthName, StatusName
from battles.offers import offers
from battles.simulation import Estimate
from battles.written_briefs import History
from campaign.access import saved_work
from campaign.models import Comparison
from campaign.services.jobs.comparisons import bouts_of
from campaign.simulations import battle_comparison


class EstimatePart(msgspec.Struct, frozen=True):
    """A mean over all battles with its standard error."""

    mean: float
    error: float


class WayPart(msgspec.Struct, frozen=True):
    """What came of the battles by one book: shares won by each side and by nobody, and lost.

    `won` are shares of the battles, `lost` of a side's strength; `turns` is how long they took.
    `fault`: why a book could not fight it.
    """

    way: str
    title: str
    battles: int
    won: dict[str, EstimatePart]
    lost: dict[str, EstimatePart]
    turns: EstimatePart | None
    fault: str


class ComparisonDocument(msgspec.Struct, frozen=True):
    """One battle fought many times by every book; `offer` is its name if everybody knows it."""

    uuid: UUID
    title: str
    offer: str
    each: int
    seed: int
    status: StatusName
    progress: ProgressPart
    message: str
    created: Moment
    finished: Moment | None
    ways: tuple[WayPart, ...]
    links: dict[str, str]


class PastPart(msgspec.Struct, frozen=True):
    """A battle of history: how it went, and the best comparison of it there is.

    `men` and `lost` are by side, in men; null where nobody knows.
    """

    offer: str
    title: str
    month: MonthName
    winner: str
    men: dict[str, int]
    lost: dict[str, int | None]
    comparison: ComparisonDocument | None


def comparison_document(one: Comparison) -> ComparisonDocument:
    """How far it is, and what has come of it so far."""
    found = battle_comparison.book_results(one.ways, bouts_of(one))
    return ComparisonDocument(
        uuid=one.uuid,
        title=one.title,
        offer=one.offer,
        each=one.each,
        seed=one.seed,
        status=one.status,
        progress=ProgressPart(one.progress, one.total),
        message=one.message,
        created=one.created,
        finished=one.finished,
        ways=tuple(map(_way, found)),
        links=work_links(reverse("api:comparison", args=[one.uuid]), one.uuid),
    )


def past_parts() -> Iterator[PastPart]:
    """The battles of history that are on offer, in the order of time."""
    for one in offers():
        told = one.written.history
        if told is not None:
            yield _past(one.slug, one.brief.title, one.brief.month, told)


def _past(slug: str, title: str, month: str, told: History) -> PastPart:
    best = saved_work.best_comparison(slug)
    return PastPart(
        offer=slug,
        title=title,
        month=month,
        winner=told.winner,
        men={"egyptian": told.egyptian.men, "mahdist": told.mahdist.men},
        lost={"egyptian": told.egyptian.lost, "mahdist": told.mahdist.lost},
        comparison=comparison_document(best) if best else None,
    )


def _way(column: battle_comparison.BookResult) -> WayPart:
    return WayPart(
        way=column.way,
        title=column.title,
        battles=column.battles,
        won={name: _estimate(one) for name, one in column.won.items()},
        lost={name: _estimate(one) for name, one in column.lost.items()},
        turns=_estimate(column.turns) if column.turns else None,
        fault=column.fault,
    )


def _estimate(one: Estimate) -> EstimatePart:
    return EstimatePart(one.mean, one.error)
