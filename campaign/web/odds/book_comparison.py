"""Compare the books: historical battles by each of them, and any battle of the user's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import access as battles
from battles import journal, serialization
from battles.contract.book import words_of
from battles.contract.brief import Brief, Side, month_in_words
from battles.contract.brief_files import (
    History,
    ReadyBattle,
    find_ready_battle,
    read_brief,
    ready_battles,
)
from battles.core.tables import Source, TableError
from battles.simulation import BattleEstimate
from battles.web.battle_cards import ready_battle_choices
from campaign.access import saved_work
from campaign.models import Comparison
from campaign.services.comparisons import (
    ComparisonTerms,
    bouts_of,
    request_comparison,
    stop_comparison,
)
from campaign.services.errors import NotAllowed
from campaign.simulations.battle_comparison import NOBODY, BookResult, book_results
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

SIZES = (20, 100, 200, 500)
LARGEST_BRIEF = 200_000  # bytes


class DiceNumberField(forms.IntegerField):
    """The number from which the dice of a bench, a ladder or a comparison come."""

    def __init__(self) -> None:
        super().__init__(
            min_value=0,
            max_value=1_000_000,
            initial=1,
            label="Dice number",
            help_text="The same number gives the same dice and the same result.",
        )


class NewComparisonForm(forms.Form):
    """The form for a comparison; with a `brief` brief it asks for none."""

    battle = forms.ChoiceField(choices=ready_battle_choices, label="Battle")
    brief = forms.FileField(
        required=False,
        label="Or one of your own",
        help_text="A TOML file that says who meets whom, and where.",
    )
    each = forms.TypedChoiceField(
        coerce=int,
        choices=[(number, str(number)) for number in SIZES],
        initial=100,
        label="Battles by each book",
        help_text="Four times as many battles halve the error.",
    )
    seed = DiceNumberField()

    def __init__(self, brief: Brief | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = brief
        if brief is not None:
            del self.fields["battle"], self.fields["brief"]

    def clean_brief(self) -> Brief | None:
        """Return the brief in the file; None without one."""
        file: UploadedFile[Any] | None = self.cleaned_data["brief"]
        if file is None:
            return None
        if (file.size or 0) > LARGEST_BRIEF:
            raise forms.ValidationError(f"A brief has {LARGEST_BRIEF} bytes at most.")
        try:
            source = Source(file.name or "brief.toml", file.read().decode("utf-8"))
            return read_brief(source).brief
        except (TableError, UnicodeDecodeError) as error:
            raise forms.ValidationError(str(error)) from error

    def wish(self) -> ComparisonTerms:
        """Return the comparison to make; a file takes precedence over the list."""
        data = self.cleaned_data
        battles_each, seed = data["each"], data["seed"]
        own = self.known or data["brief"]
        if own is not None:
            return ComparisonTerms(own, battles_each, seed=seed)
        chosen = find_ready_battle(data["battle"])
        if chosen is None:
            raise ValueError(f"There is no battle {data['battle']!r}.")
        return ComparisonTerms(chosen.brief, battles_each, chosen.slug, seed)


WIDTH = 300
"""Units across the bar of victories."""


class ComparisonCell(NamedTuple):
    """A figure with its error, in words."""

    words: str
    error: str = ""


@dataclass(frozen=True)
class ComparisonLine:
    """The results of one book, or of history, which has no errors."""

    title: str
    battles: int
    won: tuple[ComparisonCell, ...]
    """Won by the Anglo-Egyptians, by the Mahdists, by nobody."""
    lost: tuple[ComparisonCell, ...]
    turns: ComparisonCell
    bar: tuple[float, ...] = ()
    """The lengths of the bar's Anglo-Egyptian and Mahdist parts, of WIDTH."""
    fault: str = ""

    @property
    def begins(self) -> float:
        """Return the start of the Mahdists' part of the bar."""
        return round(WIDTH - self.bar[1], 1)


class HistoricalBattle(NamedTuple):
    """A historical battle with its results by every book."""

    offer: ReadyBattle
    month: str
    comparison: Comparison | None
    lines: tuple[ComparisonLine, ...]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the historical battles by every book, as far as they have been fought."""
    own = saved_work.comparisons(request.user)[:20] if request.user.is_authenticated else ()
    context = {"here": "battles", "past": list(_past()), "own": own}
    return render(request, "campaign/odds/book_comparison.html", context)


def _past() -> Iterator[HistoricalBattle]:
    for battle in ready_battles():
        if battle.written.history is not None:
            best = saved_work.best_comparison(battle.slug)
            lines = tuple(_lines(best, battle.written.history))
            yield HistoricalBattle(battle, month_in_words(battle.brief.month), best, lines)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a comparison, and request it on POST.

    The brief is a ready-made one, a file, or that of the battle in `of`.
    """
    brief = _brief_of_request(request)
    form = NewComparisonForm(
        brief,
        request.POST or None,
        request.FILES or None,
        initial={"battle": request.GET.get("battle"), "each": request.GET.get("each", 100)},
    )
    if form.is_valid():
        comparison = _ask(visitor(request), form)
        if comparison is not None:
            return redirect("comparison", comparison.uuid)
    context = {"here": "battles", "form": form, "known": brief, "of": request.GET.get("of", "")}
    status = 400 if form.errors else 200
    return render(request, "campaign/odds/new_comparison.html", context, status=status)


def _brief_of_request(request: HttpRequest) -> Brief | None:
    """Return the brief of the battle in `of`; None without one."""
    number = request.GET.get("of")
    return (
        serialization.brief_of(battles.whole_battle_for(request.user, number)) if number else None
    )


def _ask(user: User, form: NewComparisonForm) -> Comparison | None:
    """Request the comparison; return None, with an error on the form, if it is refused."""
    try:
        return request_comparison(user, form.wish())
    except journal.Refused as refused:
        form.add_error(None, str(refused))
        return None


@require_safe
@never_cache
def comparison_page(request: HttpRequest, number: UUID) -> HttpResponse:
    """Show the progress of the comparison, and its results so far."""
    comparison = saved_work.comparison_for(request.user, number)
    battle = find_ready_battle(comparison.offer)
    history = battle.written.history if battle else None
    context = {
        "here": "battles",
        "comparison": comparison,
        "each": comparison.progress // len(comparison.ways),
        "at_work": comparison.status in Comparison.UNFINISHED,
        "own": comparison.asked_by_id == request.user.pk,
        "lines": tuple(_lines(comparison, history)),
    }
    return render(request, "campaign/odds/comparison.html", context)


@login_required
@posts_to("comparison", "number")
def stop(request: HttpRequest, number: UUID) -> HttpResponse:
    comparison = saved_work.comparison_for(visitor(request), number)
    try:
        is_stopped = stop_comparison(visitor(request), comparison)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    say_stopped(request, is_stopped, "It is stopped; what was fought is kept.")
    return redirect("comparison", comparison.uuid)


def say_stopped(request: HttpRequest, is_stopped: bool, message: str) -> None:
    """Show the message, or that the work was over before it could be stopped."""
    if is_stopped:
        messages.success(request, message)
    else:
        messages.info(request, "It was over before it could be stopped.")


def _lines(comparison: Comparison | None, history: History | None) -> Iterator[ComparisonLine]:
    """Yield a line for each book that has fought, and one for history if it is known."""
    if comparison is None or not comparison.progress:
        return
    for column in book_results(comparison.ways, bouts_of(comparison)):
        if column.battles or column.fault:
            yield _line(column)
    if history is not None:
        yield _in_history(history)


def _line(column: BookResult) -> ComparisonLine:
    if column.fault:
        return ComparisonLine(column.title, 0, (), (), ComparisonCell(""), fault=column.fault)
    sides = [side.value for side in Side]
    won = [column.won[name] for name in (*sides, NOBODY)]
    lost = [column.lost[side] for side in sides]
    turns = column.turns
    return ComparisonLine(
        column.title,
        column.battles,
        tuple(map(_share, won)),
        tuple(map(_share, lost)),
        ComparisonCell(f"{turns.mean:.0f} {words_of(column.way).turn}s")
        if turns
        else ComparisonCell("–"),
        tuple(round(WIDTH * share.mean, 1) for share in won[:2]),
    )


def _share(of: BattleEstimate) -> ComparisonCell:
    return ComparisonCell(f"{of.mean:.0%}", f"{100 * of.error:.1f}")


def _in_history(history: History) -> ComparisonLine:
    won = [
        ComparisonCell("won") if history.winner is side else ComparisonCell("–") for side in Side
    ]
    tolls = [ComparisonCell(history.toll(side).in_words) for side in Side]
    return ComparisonLine(
        "in history", 1, (*won, ComparisonCell("–")), tuple(tolls), ComparisonCell("–")
    )
