"""The ladder: let the staff's plans of a scenario play each other, and read who wins."""

from typing import Any, NamedTuple

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles.history import journal
from campaign import serialization
from campaign.access import saved_work
from campaign.models import Bench
from campaign.rules.prose.names import side_name
from campaign.services.jobs import comparisons
from campaign.simulations import ladder
from campaign.simulations.milestones import beside_the_record
from campaign.staff.plans import record_of
from campaign.web.front_page import OwnersForm, title_of
from campaign.web.odds.book_comparison import DiceNumberField
from campaign.web.visitor import visitor

LADDER_SIZES = (2, 5, 10, 20, 50)


class NewLadderForm(OwnersForm):
    """The form for a ladder: a scenario, and the games of each pair."""

    scenario = forms.ChoiceField()
    games = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in LADDER_SIZES],
        initial=10,
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
def index(request: HttpRequest) -> HttpResponse:
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
        (bench, title_of(bench.scenario, bench.after))
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
    shares = (_share(cell.mahdist), _share(cell.egyptian), f"{cell.drawn:.0%}")
    return LadderLine(mahdist, egyptian, number, *shares, f"{cell.months:.1f}")


def _share(of: ladder.WinShare) -> str:
    return f"{of.share:.0%} ({of.low:.0%} to {of.high:.0%})"
