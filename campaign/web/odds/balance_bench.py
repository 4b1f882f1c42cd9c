"""The balance bench: request a trial of changed tables, watch it, and read its results."""

from typing import NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles.history import journal
from campaign.access import saved_work
from campaign.models import Bench, OwnTables
from campaign.services.jobs import comparisons
from campaign.services.jobs.comparisons import runs_of
from campaign.simulations.campaign_runs import (
    FEWEST,
    BalanceComparison,
    BalanceLine,
    MeanWithError,
    compare,
)
from campaign.web.front_page import OwnersForm, title_of
from campaign.web.odds.book_comparison import DiceNumberField
from campaign.web.odds.ladder import ladder_page
from campaign.web.visitor import visitor
from ops.http_policy import posts_to

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
        (bench, title_of(bench.scenario, bench.after))
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
        "scenario": title_of(bench.scenario),
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
    comparisons.stop_bench(visitor(request), bench)
    messages.success(request, f"The {bench.kind} is stopped; what was played is kept.")
    return redirect("bench", bench.uuid)


def describe_comparison(of: BalanceComparison) -> dict[str, object]:
    """Return the comparison for the template, each group of bars on one scale."""
    return {
        "winners": [_share(line) for line in of.winners],
        "endings": [_share(line) for line in of.endings],
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
