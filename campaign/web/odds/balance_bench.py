"""The balance bench and the ladder: request a run, watch it, and read its results.

The bench tries changed tables; on the ladder the staff's plans of a scenario play each other.
"""

from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from campaign import serialization
from campaign.access import saved_work
from campaign.models import Bench, OwnTables
from campaign.rules.prose.names import side_name
from campaign.serialization import scenario_title
from campaign.services import comparisons
from campaign.services.comparisons import runs_of
from campaign.simulations import ladder
from campaign.simulations.campaign_runs import (
    FEWEST,
    BalanceComparison,
    BalanceLine,
    MeanWithError,
    compare,
)
from campaign.simulations.milestones import beside_the_record
from campaign.staff.plans import record_of
from campaign.web.front_page import OwnersForm
from campaign.web.odds.book_comparison import DiceNumberField, say_stopped
from campaign.web.odds.simulation_results import winner_and_reason
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

LADDER_SIZES = (2, 5, 10, 20, 50)


class NewLadderForm(OwnersForm):
    """The form for a ladder: a scenario, and the games of each pair."""

    scenario = forms.ChoiceField()
    games = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in LADDER_SIZES],
        initial=5,
        label="Games of each pair",
        help_text="Every plan meets every plan, level and simple rival of the other side.",
    )
    seed = DiceNumberField()


class LadderLine(NamedTuple):
    """A pair on the ladder, in words."""

    mahdist: str
    egyptian: str
    games: int
    mahdist_won: str
    egyptian_won: str
    drawn: str
    months: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def ladder_index(request: HttpRequest) -> HttpResponse:
    """Show the form for a ladder, and the user's ladders; request one on POST."""
    user = visitor(request)
    form = NewLadderForm(
        user, request.POST or None, initial={"scenario": request.GET.get("scenario")}
    )
    if form.is_valid():
        data = form.cleaned_data
        own = form.own_scenarios.get(data["scenario"])
        try:
            bench = comparisons.request_ladder(user, comparisons.LadderWish(own=own, **data))
        except journal.Refused as refused:
            form.add_error(None, str(refused))
        else:
            return redirect("bench", bench.uuid)
    ladders = [
        (bench, scenario_title(bench))
        for bench in saved_work.benches(user).filter(kind=Bench.Kind.LADDER)[:20]
    ]
    context = {"here": "rules", "form": form, "ladders": ladders}
    return render(request, "campaign/odds/ladder.html", context, status=400 if form.errors else 200)


def ladder_page(request: HttpRequest, bench: Bench) -> HttpResponse:
    """Show the progress of the ladder, and its results so far."""
    players, games = comparisons.players_of(bench), comparisons.games_of(bench)
    scenario = serialization.edition_of(bench.after.digest).scenario(bench.scenario)
    context: dict[str, Any] = {
        "here": "rules",
        "bench": bench,
        "scenario": scenario.title,
        "at_work": bench.status in Bench.UNFINISHED,
        "pairs": list(map(_line, ladder.cells(games).items())),
        "ratings": [
            (rating, side_name(rating.contestant.side), f"{rating.score:.0%}")
            for rating in ladder.ratings(players, games)
        ],
        "record": [
            (line, f"{line.happened / line.campaigns:.0%}" if line.campaigns else "–")
            for line in beside_the_record(
                record_of(scenario), ladder.serious_milestones(players, games)
            )
        ],
        "errors": [game.error for game in games if game.error],
    }
    return render(request, "campaign/odds/ladder_result.html", context)


def _line(item: tuple[tuple[str, str], ladder.LadderCell]) -> LadderLine:
    (mahdist, egyptian), cell = item
    number = cell.mahdist.games
    shares = (_win_share(cell.mahdist), _win_share(cell.egyptian), f"{cell.drawn:.0%}")
    return LadderLine(mahdist, egyptian, number, *shares, f"{cell.months:.1f}")


def _win_share(of: ladder.WinShare) -> str:
    return f"{of.share:.0%} ({of.low:.0%} to {of.high:.0%})"


BENCH_SIZES = (50, 100, 200, 300, 500)
WIDTH = 300
"""Units across the drawing of a bar."""


class NewBenchForm(OwnersForm):
    """The form for a balance bench: two sets of tables, a scenario, and the sample size."""

    after = forms.ModelChoiceField(
        OwnTables.objects.none(),
        required=False,
        label="Your tables",
        empty_label="those of a scenario of your own",
    )
    before = forms.ModelChoiceField(
        OwnTables.objects.none(), required=False, label="Against those", empty_label="as shipped"
    )
    scenario = forms.ChoiceField()
    campaigns = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in BENCH_SIZES],
        initial=100,
        label="Campaigns by each",
        help_text="Four times as many campaigns halve the error.",
    )
    seed = DiceNumberField()


class Bar(NamedTuple):
    """A figure as a bar, with the interval of its error."""

    words: str
    error: str
    length: float
    low: float
    high: float


class BenchFigure(NamedTuple):
    """A line of the comparison."""

    name: str
    side: str
    before: Bar
    after: Bar
    change: str
    error: str
    is_plain: bool


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def index(request: HttpRequest) -> HttpResponse:
    """Show the form for a trial, and the user's trials; request one on POST."""
    form = NewBenchForm(
        visitor(request),
        request.POST or None,
        initial={"after": request.GET.get("tables"), "scenario": request.GET.get("scenario")},
    )
    if form.is_valid():
        bench = _ask(visitor(request), form)
        if bench is not None:
            return redirect("bench", bench.uuid)
    benches = [
        (bench, scenario_title(bench))
        for bench in saved_work.benches(visitor(request)).filter(kind=Bench.Kind.BENCH)[:20]
    ]
    context = {"here": "rules", "form": form, "benches": benches}
    return render(
        request, "campaign/odds/balance_bench.html", context, status=400 if form.errors else 200
    )


def _ask(user: User, form: NewBenchForm) -> Bench | None:
    """Request the bench; return None, with an error on the form, if it is refused."""
    try:
        data = form.cleaned_data
        own = form.own_scenarios.get(data["scenario"])
        return comparisons.request_bench(user, comparisons.BenchTerms(own=own, **data))
    except journal.Refused as refused:
        form.add_error(None, str(refused))
        return None


@login_required
@require_safe
@never_cache
def bench_page(request: HttpRequest, number: UUID) -> HttpResponse:
    """Show the progress of the bench or ladder, and its results so far."""
    bench = saved_work.bench_for(visitor(request), number)
    if bench.kind == Bench.Kind.LADDER:
        return ladder_page(request, bench)
    runs = runs_of(bench)
    pairs = len(runs) // 2
    context = {
        "here": "rules",
        "bench": bench,
        "pairs": pairs,
        "wanted": bench.total // 2,
        "scenario": scenario_title(bench),
        "in_halves": bench.before_id == bench.after_id,
        "at_work": bench.status in Bench.UNFINISHED,
        "told": None,
    }
    if pairs >= FEWEST:
        context["told"] = describe_comparison(
            compare(runs[0 : 2 * pairs : 2], runs[1 : 2 * pairs : 2])
        )
    return render(request, "campaign/odds/bench_result.html", context)


@login_required
@posts_to("bench", "number")
def stop(request: HttpRequest, number: UUID) -> HttpResponse:
    bench = saved_work.bench_for(visitor(request), number)
    is_stopped = comparisons.stop_bench(visitor(request), bench)
    say_stopped(request, is_stopped, f"The {bench.kind} is stopped; what was played is kept.")
    return redirect("bench", bench.uuid)


def describe_comparison(of: BalanceComparison) -> dict[str, object]:
    """Return the comparison for the template, each group of bars on one scale."""
    return {
        "winners": [_share(line) for line in of.winners],
        "endings": [
            _share(line._replace(name=winner_and_reason(line.side, line.name)))
            for line in of.endings
        ],
        "months": _means((of.months,)),
        "losses": _means(of.losses),
        "errors": of.errors,
    }


def _share(line: BalanceLine) -> BenchFigure:
    return _figure(line, 1.0, "{:.0%}")


def _means(lines: tuple[BalanceLine, ...]) -> list[BenchFigure]:
    scale = max(
        estimate.value + estimate.error for line in lines for estimate in (line.before, line.after)
    )
    return [_figure(line, scale or 1.0, "{:.1f}") for line in lines]


def _figure(line: BalanceLine, scale: float, form: str) -> BenchFigure:
    before, after = (_bar(estimate, scale, form) for estimate in (line.before, line.after))
    sign = "−" if line.change.value < 0 else "+"
    change = sign + form.format(abs(line.change.value))
    return BenchFigure(
        line.name,
        line.side or "",
        before,
        after,
        change,
        form.format(line.change.error),
        line.is_plain,
    )


def _bar(estimate: MeanWithError, scale: float, form: str) -> Bar:
    low, high = (
        max(0.0, estimate.value - estimate.error),
        min(scale, estimate.value + estimate.error),
    )
    drawn = [round(WIDTH * value / scale, 1) for value in (estimate.value, low, high)]
    return Bar(form.format(estimate.value), form.format(estimate.error), *drawn)
