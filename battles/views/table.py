"""The page for a telephone beside the table: what is left of each unit, and who won."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from battles import at_table, selectors, services, stored
from battles.contract import Report, Side, Unfit
from battles.contract.book import Ended, Left, Words
from battles.contract.registry import words_of
from battles.models import Battle
from battles.prose.roster import Line, Returned, returned
from battles.views.battle import Army, armies
from battles.views.kit import kit_of

NOBODY = "nobody"


class TableResult(forms.Form):
    """What is left on the table; a field for every unit and Leader comes to those named here."""

    winner = forms.ChoiceField(widget=forms.RadioSelect, label="Who won")
    turns = forms.IntegerField(min_value=1, max_value=200)
    ending = forms.CharField(
        max_length=200,
        required=False,
        label="Why it ended",
    )

    def __init__(self, lines: tuple[Line, ...], words: Words, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lines = lines
        self.words = words
        sides = [(side.value, words.side(side)) for side in Side]
        cast("forms.ChoiceField", self.fields["winner"]).choices = [*sides, (NOBODY, "Nobody")]
        self.fields["turns"].label = f"{words.turn.capitalize()}s it lasted"
        self.fields["ending"].help_text = f"Such as: the {words.mahdist} side broke off."
        for line in lines:
            self.fields.update(_fields(line, words))

    def left(self) -> dict[int, Left]:
        """What is left of each, by number."""
        return {line.number: _left(line, self.cleaned_data) for line in self.lines}

    def ended(self) -> Ended:
        """How the battle ended."""
        said = self.cleaned_data
        winner = None if said["winner"] == NOBODY else Side(said["winner"])
        return Ended(winner, said["ending"], said["turns"])


def _fields(line: Line, words: Words) -> Iterator[tuple[str, forms.Field]]:
    counts = [(number, str(number)) for number in range(line.came, -1, -1)]
    yield (
        f"left-{line.number}",
        forms.TypedChoiceField(
            coerce=int,
            choices=counts,
            initial=line.came,
            label=f"{line.name}: {words.figure}s left",
        ),
    )
    if line.formation:
        yield f"shaken-{line.number}", forms.BooleanField(required=False, label=words.shaken)


def _left(line: Line, said: Mapping[str, Any]) -> Left:
    number = line.number
    return Left(said[f"left-{number}"], said.get(f"shaken-{number}", False))


class Entered(NamedTuple):
    """A unit with its fields, as the page asks about it."""

    line: Line
    left: forms.BoundField
    shaken: forms.BoundField | None


class Party(NamedTuple):
    army: Army
    entered: tuple[Entered, ...]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, number: str) -> HttpResponse:
    """Asks what is left; shows what that comes to; with `confirm`, brings it to the owner."""
    battle = selectors.battle_for(request.user, number)
    if not selectors.may_report(battle, request.user) or not isinstance(request.user, User):
        raise Http404("This battle does not wait for you to say how it went.")
    lines = kit_of(battle).picture.roll
    form = TableResult(lines, words_of(battle.book), request.POST or None)
    report = _counted(battle, form)
    if report is not None and "confirm" in request.POST:
        said = _take(battle, request.user, form, report)
        if said is not None:
            messages.success(request, said)
            return redirect("battle", battle.uuid)
    context = {
        "here": "battles",
        "battle": battle,
        "form": form,
        "parties": _parties(form),
        "words": form.words,
        "comes_to": _comes_to(battle, report) if report and not form.errors else (),
    }
    return render(request, "battles/table.html", context, status=400 if form.errors else 200)


def _counted(battle: Battle, form: TableResult) -> Report | None:
    """The report that what was filled in comes to; None, with the reason, where it does not."""
    if not form.is_valid():
        return None
    try:
        brief = stored.brief_of(battle)
        return at_table.counted(brief, battle.book, form.left(), form.ended())
    except Unfit as unfit:
        form.add_error(None, str(unfit))
        return None


def _take(battle: Battle, user: User, form: TableResult, report: Report) -> str | None:
    try:
        return services.take_report(battle, user, report)
    except services.Refused as refused:
        form.add_error(None, str(refused))
        return None


def _comes_to(battle: Battle, report: Report) -> tuple[Returned, ...]:
    return returned(stored.brief_of(battle), report)


def _parties(form: TableResult) -> list[Party]:
    return [
        Party(army, tuple(_entered(form, line) for line in army.lines))
        for army in armies(form.lines, form.words)
    ]


def _entered(form: TableResult, line: Line) -> Entered:
    number = line.number
    shaken = form[f"shaken-{number}"] if line.formation else None
    return Entered(line, form[f"left-{number}"], shaken)
