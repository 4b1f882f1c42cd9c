"""Simulations: rehearsals, battles, forecasts, benches and comparisons, played by the workers."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import singledispatch
from heapq import merge
from itertools import islice
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils.dateparse import parse_datetime
from msgspec import Meta
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.simulations import (
    HistoricalBattlePart,
    SimulationDocument,
    historical_battles,
    simulation_document,
)
from api.http.encoding import CampaignSlug, RequestBody, ScenarioSlug, read_as
from api.http.endpoint import (
    Endpoint,
    Listed,
    OpenEndpoint,
    OwnEndpoint,
    Paged,
    operation,
    slug_parameter,
)
from api.http.idempotency import WriteResult
from api.http.problems import (
    InvalidField,
    Problem,
    invalid_parameters,
    unfit,
    unfit_fields,
    unfit_parameters,
)
from api.http.responses import PAGES, limit_of, page_link
from api.http.throttles import LongThrottle
from battles.contract import Brief
from battles.contract.brief_files import faults_of_brief, find_ready_battle
from battles.core.validation import MOST_WRONG, WrongPart, steps_of
from campaign.access import fog_of_war, saved_work, selectors
from campaign.access.selectors import NotVisible
from campaign.models import Bench, Comparison, Inquiry, OwnScenario
from campaign.orders.order_sheet import MonthOrders, sheet_to_builtins
from campaign.services import comparisons, inquiries
from campaign.services.comparisons import (
    FEWEST_BATTLES,
    FEWEST_CAMPAIGNS,
    MOST_BATTLES,
    MOST_CAMPAIGNS,
    MOST_GAMES,
)
from campaign.services.errors import UnfitRequest
from campaign.services.inquiries import FEWEST, MOST
from campaign.services.journal import own_scenarios
from campaign.services.order_sheets import brief_of_order

Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Runs = Annotated[int, Meta(ge=FEWEST, le=MOST)]
Seed = Annotated[int, Meta(ge=0, le=1_000_000)]
BookName = Annotated[str, Meta(min_length=1, max_length=40)]
EachRuns = Annotated[int, Meta(ge=FEWEST_BATTLES, le=MOST_BATTLES)]


class SimulationTerms(RequestBody, frozen=True, tag_field="type"):
    """The terms of a simulation, by its `type`."""


class NewRehearsal(SimulationTerms, frozen=True, tag="rehearsal"):
    """A month played by a draft sheet, against enemies drawn from what your side knows."""

    campaign: CampaignSlug
    seat_id: Number
    draft: MonthOrders
    runs: Runs = 200


class NewBattleTrial(SimulationTerms, frozen=True, tag="battle"):
    """The battle that the campaign waits for, fought by a book."""

    campaign: CampaignSlug
    battle: Annotated[str, Meta(min_length=1, max_length=120)]
    resolution: BookName
    runs: Runs = 200


class NewOrderTrial(SimulationTerms, frozen=True, tag="order"):
    """The battle that an order of a draft sheet leads to, fought by a book.

    `order_index` counts the orders of the sheet from 0.
    """

    campaign: CampaignSlug
    seat_id: Number
    draft: MonthOrders
    order_index: Annotated[int, Meta(ge=0, le=999)]
    resolution: BookName
    runs: Runs = 200


class NewForecast(SimulationTerms, frozen=True, tag="forecast"):
    """The campaign played on to its end by the staff; for its umpire."""

    campaign: CampaignSlug
    runs: Runs = 200


class NewBench(SimulationTerms, frozen=True, tag="bench"):
    """A scenario played by the staff by each of two sets of tables, by id; null is the shipped set.

    With `own_scenario_id`, a scenario of yours whose slug is `scenario`: both halves are then by
    its own tables, each with its dice.
    """

    scenario: ScenarioSlug
    campaigns: Annotated[int, Meta(ge=FEWEST_CAMPAIGNS, le=MOST_CAMPAIGNS)]
    before_table_set_id: Number | None = None
    after_table_set_id: Number | None = None
    own_scenario_id: Number | None = None
    seed: Seed = 1


class NewLadder(SimulationTerms, frozen=True, tag="ladder"):
    """Every plan of the staff for a scenario against the other side's plans, levels and rivals.

    `games_each` are the games of each pair. With `own_scenario_id`, a scenario of yours whose slug
    is `scenario`. The strong level is left out.
    """

    scenario: ScenarioSlug
    games_each: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 10
    own_scenario_id: Number | None = None
    seed: Seed = 1


class NewComparison(SimulationTerms, frozen=True, tag="comparison"):
    """A battle on offer, fought by every book and by the campaign's own table."""

    offer: Annotated[str, Meta(min_length=1, max_length=120)]
    battles_each: EachRuns = 100
    seed: Seed = 1


class NewBriefComparison(SimulationTerms, frozen=True, tag="brief"):
    """A battle of your own, fought by every book and by the campaign's own table."""

    brief: Brief
    battles_each: EachRuns = 100
    seed: Seed = 1

    def __post_init__(self) -> None:
        if faults := faults_of_brief(self.brief)[:MOST_WRONG]:
            raise unfit_fields(map(_unfit_part, faults))


def _unfit_part(fault: WrongPart) -> InvalidField:
    """Return the fault of a brief as an error in the body, where its `id` is the `battle`."""
    steps = steps_of(fault.where.replace("$.id", "$.battle"))
    return InvalidField("/".join(("/brief", *map(str, steps))), fault.sentence)


NewSimulation = (
    NewRehearsal
    | NewBattleTrial
    | NewOrderTrial
    | NewForecast
    | NewBench
    | NewLadder
    | NewComparison
    | NewBriefComparison
)
Simulation = Inquiry | Bench | Comparison
TYPES = (*Inquiry.Kind.values, *Bench.Kind.values, "comparison")


class Simulations(OwnEndpoint):
    """Your simulations."""

    parameters: ClassVar[frozenset[str]] = PAGES | {"type", "campaign"}
    largest_body: ClassVar[int] = 400_000
    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(Paged[SimulationDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the simulations you have requested, the newest first."""
        limit = limit_of(request, default=25, most=100)
        simulations = [*islice(_own(request), limit + 1)]
        page = [simulation_document(simulation) for simulation in simulations[:limit]]
        has_more = len(simulations) > limit
        return self.answer(
            {
                "results": page,
                "next": page_link(request, simulations[limit - 1].created.isoformat())
                if has_more
                else None,
                "previous": None,
            }
        )

    @operation(SimulationDocument, status=202, takes=NewSimulation, once=True, problems=("unfit",))
    def post(self, request: Request) -> WriteResult:
        """Start a simulation.

        A month, a battle or a campaign is played many times by the workers. A user may have one
        rehearsal, one battle, one forecast, one bench or ladder and one comparison at a time.
        """
        terms: SimulationTerms = read_as(NewSimulation, request.data)
        document = simulation_document(_begin(terms, request.user))
        return WriteResult(202, document, document.links.self)


class OneSimulation(Endpoint):
    """A simulation."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(SimulationDocument)
    def get(self, request: Request, id: UUID) -> HttpResponse:
        """Retrieve a simulation.

        The answer has its progress and its results so far. Comparisons of the battles on offer are
        public; every other simulation is shown to the user who requested it.
        """
        return self.answer(simulation_document(_find(request.user, id)))

    @operation(SimulationDocument)
    def delete(self, request: Request, id: UUID) -> HttpResponse:
        """Stop a simulation.

        The runs completed so far are kept.
        """
        _stop(_find(request.user, id), request.user)
        return self.answer(simulation_document(_find(request.user, id)))


class HistoricalBattles(OpenEndpoint):
    """Battles of history by every book."""

    @operation(Listed[HistoricalBattlePart])
    def get(self, request: Request) -> HttpResponse:
        """List the battles of history.

        Each has its outcome, and the best comparison of the books so far.
        """
        return self.answer_list(historical_battles())


@singledispatch
def _begin(terms: Any, user: User) -> Simulation:
    """Start what the terms ask for. Raises the refusals of the services."""
    raise TypeError(f"{type(terms).__name__} is no simulation")


@_begin.register
def _(terms: NewRehearsal, user: User) -> Simulation:
    campaign = selectors.campaign_for(user, terms.campaign)
    document = sheet_to_builtins(terms.draft)
    with _in_draft():
        return inquiries.rehearse_month(campaign, user, terms.seat_id, document, runs=terms.runs)


@_begin.register
def _(terms: NewBattleTrial, user: User) -> Simulation:
    campaign = selectors.campaign_for(user, terms.campaign)
    viewer = fog_of_war.viewer_of(user, campaign)
    waiting = fog_of_war.battle_awaited(campaign, viewer)
    if waiting is None or waiting.brief.id != terms.battle:
        raise Problem("not-found", f"The campaign does not wait for the battle {terms.battle!r}.")
    way = terms.resolution
    return inquiries.try_battle(campaign, user, waiting.brief, way=way, runs=terms.runs)


@_begin.register
def _(terms: NewOrderTrial, user: User) -> Simulation:
    campaign = selectors.campaign_for(user, terms.campaign)
    document = sheet_to_builtins(terms.draft)
    with _in_draft():
        brief = brief_of_order(campaign, user, terms.seat_id, document, terms.order_index)
    return inquiries.try_battle(campaign, user, brief, way=terms.resolution, runs=terms.runs)


@contextmanager
def _in_draft() -> Iterator[None]:
    """Place an error in a part of the sheet within the field `draft`."""
    try:
        yield
    except UnfitRequest as error:
        if error.field.partition("/")[0] in MonthOrders.__struct_fields__:
            error.field = f"draft/{error.field}"
        raise


@_begin.register
def _(terms: NewForecast, user: User) -> Simulation:
    campaign = selectors.campaign_for(user, terms.campaign)
    return inquiries.forecast_campaign(campaign, user, runs=terms.runs)


@_begin.register
def _(terms: NewBench, user: User) -> Simulation:
    before, after = (
        saved_work.own_set(user, number) if number else None
        for number in (terms.before_table_set_id, terms.after_table_set_id)
    )
    bench_terms = comparisons.BenchTerms(
        own=_own_scenario(terms, user),
        scenario=terms.scenario,
        campaigns=terms.campaigns,
        before=before,
        after=after,
        seed=terms.seed,
    )
    return comparisons.request_bench(user, bench_terms)


@_begin.register
def _(terms: NewLadder, user: User) -> Simulation:
    own = _own_scenario(terms, user)
    wish = comparisons.LadderWish(terms.scenario, terms.games_each, terms.seed, own)
    return comparisons.request_ladder(user, wish)


def _own_scenario(terms: NewBench | NewLadder, user: User) -> OwnScenario | None:
    """Return the scenario of the user's own that is named. Raises NotVisible and UnfitRequest."""
    if terms.own_scenario_id is None:
        return None
    return own_scenarios.scenario_called(user, terms.own_scenario_id, terms.scenario)


@_begin.register
def _(terms: NewComparison, user: User) -> Simulation:
    offer = find_ready_battle(terms.offer)
    if offer is None:
        raise unfit(offer="There is no such battle on offer.")
    comparison_terms = comparisons.ComparisonTerms(
        offer.brief, terms.battles_each, offer.slug, terms.seed
    )
    return comparisons.request_comparison(user, comparison_terms)


@_begin.register
def _(terms: NewBriefComparison, user: User) -> Simulation:
    comparison_terms = comparisons.ComparisonTerms(terms.brief, terms.battles_each, "", terms.seed)
    return comparisons.request_comparison(user, comparison_terms)


def _stop(simulation: Simulation, user: User) -> None:
    if isinstance(simulation, Inquiry):
        inquiries.stop_inquiry(user, simulation)
    elif isinstance(simulation, Bench):
        comparisons.stop_bench(user, simulation)
    else:
        comparisons.stop_comparison(user, simulation)


def _find(user: selectors.Anybody, number: UUID) -> Simulation:
    """Return the simulation of that id. Raises NotVisible unless the user may see it."""
    seen = saved_work.inquiries, saved_work.benches, saved_work.comparisons_seen
    for simulations in seen:
        simulation: Simulation | None = simulations(user).defer(None).filter(uuid=number).first()
        if simulation is not None:
            return simulation
    raise NotVisible(f"There is no simulation {number} that you may see.")


def _own(request: Request) -> Iterator[Simulation]:
    """Return the user's simulations that the query asks for, the newest first."""
    query, user = request.query_params, request.user
    kind = query.get("type")
    if kind is not None and kind not in TYPES:
        raise invalid_parameters(type=f"{kind!r} is no type; known here: {', '.join(TYPES)}.")
    before = {"created__lt": _moment(query["page"])} if "page" in query else {}
    inquiries = saved_work.inquiries(user).filter(**before)
    if kind is not None:
        inquiries = inquiries.filter(kind=kind)
    campaign = slug_parameter(request, "campaign")
    if campaign is not None:
        lists: list[Any] = [inquiries.filter(campaign__slug=campaign)]
    else:
        benches = saved_work.benches(user)
        if kind is not None:
            benches = benches.filter(kind=kind)
        books = (
            saved_work.comparisons(user)
            if kind in {None, "comparison"}
            else Comparison.objects.none()
        )
        lists = [
            inquiries,
            *(queryset.defer(None).filter(**before) for queryset in (benches, books)),
        ]
    newest = (queryset.order_by("-created").iterator(chunk_size=100) for queryset in lists)
    return merge(*newest, key=lambda simulation: simulation.created, reverse=True)


def _moment(text: str) -> datetime:
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise unfit_parameters(page="That is no page of this list: follow `next` as it is given.")
    return moment
