"""Comparisons of the rule books: one battle fought many times by each of them."""

from collections.abc import Iterator
from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.campaigns import ProgressPart, work_links
from api.documents.scalars import Moment, MonthName, StatusName
from api.http.endpoint import Endpoint, Listed, OpenEndpoint, OwnEndpoint, Paged, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, StructField, WholeNumber
from api.http.paging import PAGES, Newest
from api.http.throttles import LongThrottle
from battles.contract import Brief
from battles.contract.brief_files import History
from battles.contract.ready_battles import find_ready_battle, ready_battles
from battles.simulation import BattleEstimate
from campaign.access import saved_work
from campaign.models import Comparison
from campaign.services.jobs import comparisons
from campaign.services.jobs.comparisons import FEWEST_BATTLES, MOST_BATTLES, bouts_of
from campaign.simulations import battle_comparison


class EstimatePart(msgspec.Struct, frozen=True):
    """A mean over all battles, with its standard error."""

    mean: float
    error: float


class WayPart(msgspec.Struct, frozen=True):
    """The results of one book.

    `won` has shares of the battles, by side and for draws; `lost` has shares of each side's
    strength; `turns` is the length of a battle. `fault` says why the book could not fight it.
    """

    way: str
    title: str
    battles: int
    won: dict[str, EstimatePart]
    lost: dict[str, EstimatePart]
    turns: EstimatePart | None
    fault: str


class ComparisonDocument(msgspec.Struct, frozen=True):
    """A battle fought many times by every book; `offer` names it if it is a shipped one."""

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
    """A historical battle: its outcome, and the best comparison of it.

    `men` and `lost` are by side, in men; null where the number is unknown.
    """

    offer: str
    title: str
    month: MonthName
    winner: str
    men: dict[str, int]
    lost: dict[str, int | None]
    comparison: ComparisonDocument | None


def comparison_document(one: Comparison) -> ComparisonDocument:
    """Return the comparison with its progress and its results so far."""
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
    """Yield the historical battles on offer, in the order of time."""
    for one in ready_battles():
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


def _estimate(one: BattleEstimate) -> EstimatePart:
    return EstimatePart(one.mean, one.error)


class NewComparison(Input):
    """A battle, by the name of its offer or as a brief, and the number of runs by each book."""

    offer = serializers.CharField(max_length=120, required=False)
    brief = StructField(Brief, required=False)
    each = WholeNumber(min_value=FEWEST_BATTLES, max_value=MOST_BATTLES, default=100)
    seed = WholeNumber(min_value=0, max_value=1_000_000, default=1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("offer" in attrs) == ("brief" in attrs):
            raise serializers.ValidationError({"offer": "Give either an offer or a brief."})
        if "offer" in attrs and find_ready_battle(attrs["offer"]) is None:
            raise serializers.ValidationError({"offer": "There is no such battle on offer."})
        return attrs


class Comparisons(OwnEndpoint):
    """Comparisons of the books."""

    parameters: ClassVar[frozenset[str]] = PAGES
    largest_body: ClassVar[int] = 400_000
    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(Paged[ComparisonDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the comparisons you have requested, the newest first."""
        pages = Newest()
        own = saved_work.comparisons(request.user).defer(None)
        page = pages.paginate_queryset(own, request)
        return self.tell(pages.document(map(comparison_document, page)))

    @operation(ComparisonDocument, status=202, takes=NewComparison, once=True)
    def post(self, request: Request) -> WriteResult:
        """Start a comparison of the books.

        Every book, and the campaign's own table, fights the battle many times.
        """
        wish = _wish(NewComparison.read(request))
        told = comparison_document(comparisons.request_comparison(request.user, wish))
        return WriteResult(202, told, told.links["self"])


class OneComparison(Endpoint):
    """A comparison of the books."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(ComparisonDocument)
    def get(self, request: Request, uuid: Any) -> HttpResponse:
        """Retrieve a comparison.

        The answer has its progress and its results so far.
        """
        return self.tell(comparison_document(saved_work.comparison_for(request.user, uuid)))

    @operation(ComparisonDocument)
    def delete(self, request: Request, uuid: Any) -> HttpResponse:
        """Stop a comparison.

        The battles fought so far are kept.
        """
        comparisons.stop_comparison(request.user, saved_work.comparison_for(request.user, uuid))
        return self.tell(comparison_document(saved_work.comparison_for(request.user, uuid)))


class PastBattles(OpenEndpoint):
    """Historical battles by every book."""

    @operation(Listed[PastPart])
    def get(self, request: Request) -> HttpResponse:
        """List the historical battles.

        Each has its best comparison so far.
        """
        return self.tell({"results": list(past_parts())})


def _wish(given: dict[str, Any]) -> comparisons.ComparisonTerms:
    named = find_ready_battle(given["offer"]) if "offer" in given else None
    brief = named.brief if named else given["brief"]
    return comparisons.ComparisonTerms(
        brief, given["each"], named.slug if named else "", given["seed"]
    )
