"""The table kit, and the page for a telephone that takes the result.

The kit has the field in the book's measure, rosters with boxes to tick, and the play sheet.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, cast

import segno
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods, require_safe

from battles import access, replay, serialization, services
from battles.access import SignedReport
from battles.contract import Report, Side, Unfit
from battles.contract.book import Ended, NoSuchBook, UnitRemainder, Words, book, words_of
from battles.core.table_pages import TablePage
from battles.drawing import field
from battles.drawing.field_description import TerrainToLay, measure, terrain_to_lay
from battles.drawing.scene import TableScene
from battles.drawing.svg import group, path
from battles.models import Battle
from battles.prose import (
    PlaySheetSection,
    Returned,
    RosterLine,
    describe_ending,
    listed,
    units_returned,
)
from battles.replay import Picture
from battles.services.record import MODEL_SCALES, ModelScale, report_from_table, signed_by_others
from battles.web import rules_pages
from battles.web.battle import ArmyRoster, armies
from ops.sent_once import sent_once


class ScaleForm(forms.Form):
    """The choice of how many models stand on the table for each figure of the book."""

    models = forms.TypedChoiceField(coerce=int)

    def __init__(self, lines: Iterable[RosterLine], words: Words, data: QueryDict) -> None:
        super().__init__({"models": data.get("models", "1")})
        field = cast("forms.ChoiceField", self.fields["models"])
        field.label = f"Models for each {words.figure}"
        field.choices = [
            (number, _scale_in_words(ModelScale(number), lines)) for number in MODEL_SCALES
        ]
        field.error_messages["invalid_choice"] = (
            f"A {words.figure} can be {listed([*map(str, MODEL_SCALES)], 'or')} models: choose one."
        )

    @property
    def scale(self) -> ModelScale:
        """Return the scale that is chosen; the book's own where the choice is wrong."""
        return ModelScale(self.cleaned_data["models"]) if self.is_valid() else ModelScale()


def _scale_in_words(scale: ModelScale, lines: Iterable[RosterLine]) -> str:
    own = ", as in the book" if scale.models == 1 else ""
    return f"{scale.models}{own}: {sum(map(scale.came, lines))} on the table"


class TickBox(NamedTuple):
    """A unit of the roster with a box for each model, grouped by figures or stands."""

    line: RosterLine
    figures: tuple[range, ...]
    models: int


class Roster(NamedTuple):
    army: ArmyRoster
    boxes: tuple[TickBox, ...]


class KitSheet(NamedTuple):
    """A section of the play sheet with its tables as printed."""

    section: PlaySheetSection
    tables: tuple[TablePage, ...]


class Kit:
    """The sheets needed to fight a battle on a table."""

    def __init__(self, battle: Battle, picture: Picture) -> None:
        self.battle = battle
        self.picture = picture
        self.scale = ModelScale()

    @property
    def words(self) -> Words:
        return words_of(self.battle.book)

    @property
    def drawing(self) -> SafeString:
        label = "The field as it is laid out. A list below says the same in words."
        marked = (path(zone, f"zone {side}") for side, zone in self.zones.items())
        over = group("zones", *marked) if self.zones else ""
        return mark_safe(field(self.picture.scene, label, over))  # noqa: S308

    @cached_property
    def zones(self) -> Mapping[Side, str]:
        """Return where each side may place its units before the battle, as path data."""
        engine = serialization.engine_of(self.battle)
        state = engine.drawn_up(serialization.brief_of(self.battle))
        return book(self.battle.book).drawing.zones(state)

    @property
    def measure(self) -> str:
        """Return the size of the field."""
        return measure(self.picture.scene.ground)

    @property
    def laid(self) -> list[TerrainToLay]:
        """Return the terrain on the field with its places."""
        return terrain_to_lay(self.picture.scene.ground)

    @property
    def is_measured(self) -> bool:
        """Return whether places are given by their distances from the field's edges."""
        return isinstance(self.picture.scene, TableScene)

    @property
    def rosters(self) -> list[Roster]:
        return [
            Roster(army, tuple(map(self._boxes, army.lines)))
            for army in armies(self.picture.roll, self.words)
        ]

    def _boxes(self, line: RosterLine) -> TickBox:
        figure = range(self.scale.for_each(line))
        return TickBox(line, (figure,) * line.left, self.scale.came(line))

    @property
    def sheets(self) -> list[KitSheet]:
        return sheets_of(self.battle.book)


def sheets_of(slug: str) -> list[KitSheet]:
    """Return the sections of a book's play sheet."""
    return [
        KitSheet(
            section,
            tuple(rules_pages.extract(slug, table.name, table.columns) for table in section.tables),
        )
        for section in book(slug).pages.play_sheet()
    ]


def kit_of(battle: Battle) -> Kit:
    """Return the kit of the battle. Raises Http404 if its book has none."""
    try:
        return Kit(battle, replay.laid_out(serialization.brief_of(battle), battle.book))
    except NoSuchBook as unknown:
        raise Http404("This battle was not fought by a book that has a table kit.") from unknown


@require_safe
def kit(request: HttpRequest, number: str) -> HttpResponse:
    battle = access.whole_battle_for(request.user, number)
    table_kit = kit_of(battle)
    chosen = ScaleForm(table_kit.picture.roll, table_kit.words, request.GET)
    table_kit.scale = chosen.scale
    table = request.build_absolute_uri(_address(battle, table_kit.scale))
    context = {
        "here": "battles",
        "battle": battle,
        "kit": table_kit,
        "scales": chosen,
        "may_report": access.may_report(battle, request.user),
        "table": table,
        "qr": mark_safe(qr_code(table)),  # noqa: S308
    }
    return render(request, "battles/kit.html", context, status=400 if chosen.errors else 200)


def _address(battle: Battle, scale: ModelScale) -> str:
    """Return the address at which a result is counted in models of that scale."""
    query = {"models": scale.models} if scale.models > 1 else {}
    return reverse("battle-table", args=[battle.uuid], query=query)


def qr_code(address: str) -> str:
    """Return an address as a QR code for a telephone's camera: an SVG element for a page."""
    return segno.make(address, error="m").svg_inline(
        scale=4, border=4, dark="#000", light="#fff", title=f"QR code of {address}"
    )


NOBODY = "nobody"


class TableResultForm(forms.Form):
    """The form for the result, with fields for every unit and leader of the roster."""

    winner = forms.ChoiceField(
        widget=forms.RadioSelect,
        label="Who won",
        error_messages={"required": "Choose who won, or nobody."},
    )
    turns = forms.IntegerField(
        min_value=1,
        max_value=200,
        error_messages={"required": "Give the number, as far as you know it."},
    )
    ending = forms.CharField(max_length=200, required=False, label="Why it ended")

    def __init__(
        self, lines: tuple[RosterLine, ...], words: Words, scale: ModelScale, *args: Any
    ) -> None:
        super().__init__(*args)
        self.lines = lines
        self.words = words
        self.scale = scale
        sides = [(side.value, words.side(side)) for side in Side]
        cast("forms.ChoiceField", self.fields["winner"]).choices = [*sides, (NOBODY, "Nobody")]
        self.fields["turns"].label = f"{words.turn.capitalize()}s it lasted"
        self.fields["ending"].help_text = f"Such as: the {words.mahdist} side broke off."
        for line in lines:
            self.fields.update(_fields(line, words, scale))

    def clean(self) -> None:
        """Convert the models of each unit into figures."""
        for line in self.lines:
            name = f"left-{line.number}"
            if name in self.cleaned_data:
                try:
                    self.cleaned_data[name] = self.scale.figures(
                        line, self.cleaned_data[name], self.words.figure
                    )
                except Unfit as unfit:
                    self.add_error(name, str(unfit))

    def left(self) -> dict[int, UnitRemainder]:
        """Return the figures that are left of each unit, by number."""
        data = self.cleaned_data
        return {
            number: UnitRemainder(data[f"left-{number}"], data.get(f"shaken-{number}", False))
            for number in (line.number for line in self.lines)
        }

    def ended(self) -> Ended:
        """Return the winner, the ending and the number of turns."""
        data = self.cleaned_data
        winner = None if data["winner"] == NOBODY else Side(data["winner"])
        return Ended(winner, data["ending"], data["turns"])


def _fields(line: RosterLine, words: Words, scale: ModelScale) -> Iterator[tuple[str, forms.Field]]:
    """Yield the fields of a unit. Many models are typed, a few figures are chosen."""
    per_figure, total = scale.for_each(line), scale.came(line)
    left: forms.Field
    if per_figure == 1:
        counts = [(number, str(number)) for number in range(total, -1, -1)]
        left = forms.TypedChoiceField(coerce=int, choices=counts)
    else:
        steps = {"step": per_figure, "min": 0, "max": total, "inputmode": "numeric"}
        left = forms.IntegerField(widget=forms.NumberInput(attrs=steps))
    left.initial = total
    left.label = f"{line.name}: {words.figure if per_figure == 1 else 'model'}s left"
    yield f"left-{line.number}", left
    if line.formation:
        yield f"shaken-{line.number}", forms.BooleanField(required=False, label=words.shaken)


class EnteredUnit(NamedTuple):
    """A unit with its form fields."""

    line: RosterLine
    left: forms.BoundField
    shaken: forms.BoundField | None
    models: int
    """The number of its models that came."""


class EnteredParty(NamedTuple):
    army: ArmyRoster
    entered: tuple[EnteredUnit, ...]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def table(request: HttpRequest, number: str) -> HttpResponse:
    """Show the form for the result, then its report; on `confirm`, bring that to the owner."""
    battle = access.battle_for(request.user, number)
    if not access.may_report(battle, request.user) or not isinstance(request.user, User):
        raise Http404("This battle does not wait for a result from you.")
    signed = signed_by_others(battle, request.user)
    if "agree" in request.POST:
        return _agree(request, battle, request.user, signed)
    lines, words = kit_of(battle).picture.roll, words_of(battle.book)
    chosen = ScaleForm(lines, words, request.GET)
    form = TableResultForm(lines, words, chosen.scale, request.POST or None)
    report = _report_of_form(battle, form)
    if report is not None and "confirm" in request.POST:
        message = _take(battle, request.user, form, report)
        if message is not None:
            messages.success(request, message)
            return redirect("battle", battle.uuid)
    context = {
        "here": "battles",
        "battle": battle,
        "form": form,
        "scales": chosen,
        "parties": _parties(form),
        "words": form.words,
        "comes_to": _comes_to(battle, report) if report and not form.errors else (),
        "signed": [
            (
                signed_report,
                _winner(signed_report.report, form.words),
                _comes_to(battle, signed_report.report),
            )
            for signed_report in signed
        ],
    }
    status = 400 if form.errors or chosen.errors else 200
    return render(request, "battles/table.html", context, status=status)


def _agree(
    request: HttpRequest, battle: Battle, user: User, signed: tuple[SignedReport, ...]
) -> HttpResponse:
    """Sign the report that the other side has signed, if it is still the one that was shown."""
    agreed = next(
        (signed_report for signed_report in signed if signed_report.mark == request.POST["agree"]),
        None,
    )
    if agreed is None:
        messages.error(request, "The other side has changed its report: look at it once more.")
        return redirect("battle-table", battle.uuid)
    try:
        messages.success(request, services.take_report(battle, user, agreed.report))
    except services.Refused as refused:
        messages.error(request, str(refused))
        return redirect("battle-table", battle.uuid)
    return redirect("battle", battle.uuid)


def _winner(report: Report, words: Words) -> str:
    """Return who won by a report, after how many turns and why, in words."""
    won = f"The {words.side(report.winner)} side won." if report.winner else "Nobody won."
    return f"{won} {describe_ending(report, words.turn)}".strip()


def _report_of_form(battle: Battle, form: TableResultForm) -> Report | None:
    """Return the report of the result; None, with an error on the form, if it does not fit."""
    if not form.is_valid():
        return None
    try:
        brief = serialization.brief_of(battle)
        return report_from_table(brief, battle.book, form.left(), form.ended())
    except Unfit as unfit:
        form.add_error(None, str(unfit))
        return None


def _take(battle: Battle, user: User, form: TableResultForm, report: Report) -> str | None:
    try:
        return services.take_report(battle, user, report)
    except services.Refused as refused:
        form.add_error(None, str(refused))
        return None


def _comes_to(battle: Battle, report: Report) -> tuple[Returned, ...]:
    return units_returned(serialization.brief_of(battle), report)


def _parties(form: TableResultForm) -> list[EnteredParty]:
    return [
        EnteredParty(army, tuple(_entered_unit(form, line) for line in army.lines))
        for army in armies(form.lines, form.words)
    ]


def _entered_unit(form: TableResultForm, line: RosterLine) -> EnteredUnit:
    number = line.number
    shaken = form[f"shaken-{number}"] if line.formation else None
    return EnteredUnit(line, form[f"left-{number}"], shaken, form.scale.came(line))
