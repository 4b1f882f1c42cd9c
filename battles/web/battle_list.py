"""The list of battles a user may see, and the form for a new battle."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from battles import services
from battles.access import owners, selectors
from battles.access.owners import OwnerLink
from battles.access.viewers import is_open
from battles.contract import Brief, Side
from battles.contract.brief import month_in_words
from battles.contract.brief_files import read_brief
from battles.contract.ready_battles import ReadyBattle, find_ready_battle, ready_battles
from battles.contract.registry import books, every_book, words_of
from battles.core.tables import Source, TableError
from battles.history.replay import title_of
from battles.models import Battle
from battles.services import NewFight
from battles.services.fights import COMPUTER, ME, OPEN, PATIENCE
from battles.services.quota import limit_cpu
from battles.web.battle import by_what


def _ready_battle_choices() -> list[tuple[str, str]]:
    return [(one.slug, one.brief.title) for one in ready_battles()]


def _first() -> str:
    return ready_battles()[0].slug


def _books() -> list[tuple[str, str]]:
    return [(slug, title_of(slug) or slug) for slug in books()]


HERE = {
    "egyptian": {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER},
    "mahdist": {Side.EGYPTIAN: COMPUTER, Side.MAHDIST: ME},
    "egyptian-invites": {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN},
    "mahdist-invites": {Side.EGYPTIAN: OPEN, Side.MAHDIST: ME},
    "umpire": {Side.EGYPTIAN: OPEN, Side.MAHDIST: OPEN},
    "alone": {Side.EGYPTIAN: ME, Side.MAHDIST: ME},
}
"""Commanders of the sides of a battle fought in the browser, by the way chosen."""

WAITS = [
    (1, "a day"),
    (3, "3 days"),
    (PATIENCE, "a week"),
    (14, "2 weeks"),
    (30, "30 days"),
    (0, "as long as it takes"),
]
"""Days before a late side may be handed to the computer, with their labels."""

LONGEST_BRIEF = 40_000


class NewBattleForm(forms.Form):
    """The form for a new battle: which brief, by which book, and by whom."""

    battle = forms.ChoiceField(
        choices=_ready_battle_choices, initial=_first, widget=forms.RadioSelect
    )
    book = forms.ChoiceField(choices=_books, label="By the book")
    way = forms.ChoiceField(
        choices=[
            ("egyptian", "here, by you as the Anglo-Egyptian side against the computer"),
            ("mahdist", "here, by you as the Mahdist side against the computer"),
            ("egyptian-invites", "here, by you as the Anglo-Egyptian side and somebody you invite"),
            ("mahdist-invites", "here, by you as the Mahdist side and somebody you invite"),
            ("umpire", "here, by two people you invite, with you as the umpire"),
            ("alone", "here, by you alone, who lead both sides"),
            (Battle.Way.COMMANDERS, "by the commanders of the book, now"),
            (Battle.Way.TABLETOP, "by you, on a real table"),
        ],
        initial="egyptian",
        label="It is fought",
    )
    patience = forms.ChoiceField(
        choices=WAITS,
        initial=PATIENCE,
        required=False,
        label="Of two people, one waits for the other",
    )
    public = forms.BooleanField(required=False, label="Anybody may look on")
    own = forms.CharField(
        required=False,
        max_length=LONGEST_BRIEF,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Or a brief of your own, as TOML",
    )

    def clean_own(self) -> Brief | None:
        """Return the user's own brief; None without one."""
        text = self.cleaned_data["own"]
        if not text.strip():
            return None
        try:
            return read_brief(Source("brief.toml", text)).brief
        except TableError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_patience(self) -> int:
        """Return the days one player waits; the usual number without a choice."""
        return int(self.cleaned_data["patience"] or PATIENCE)

    def brief(self) -> Brief | None:
        """Return the chosen brief, once the form is valid."""
        given: dict[str, Any] = self.cleaned_data
        chosen = find_ready_battle(given["battle"])
        return given["own"] or (chosen.brief if chosen else None)

    def wanted(self) -> NewFight | None:
        """Return the fight to begin in the browser; None if it is fought elsewhere."""
        given = self.cleaned_data
        sides = HERE.get(given["way"])
        if sides is None:
            return None
        return NewFight(given["book"], sides, given["public"], given["patience"])


ON_A_PAGE = 60


class BattleRow(NamedTuple):
    """A row of the list of battles."""

    battle: Battle
    month: str
    by: str
    winner: str
    abandoned: str
    """The reason why it no longer counts; empty if it does."""


class BattleGroup(NamedTuple):
    """The battles of one owner; `place` is None for battles outside campaigns."""

    place: OwnerLink | None
    rows: tuple[BattleRow, ...]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    found = selectors.battles_for(request.user).order_by("owner", "-pk")
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "here": "battles",
        "groups": list(_groups(page)),
        "pages": page,
        "yours": list(selectors.waiting_for(request.user)),
        "books": [(one.slug, one.title) for one in every_book()],
        "generating": services.generating_books(),
    }
    return render(request, "battles/index.html", context)


def _groups(battles: Page) -> Iterable[BattleGroup]:
    for owner, them in groupby(battles, key=_by_owner):
        keeper, listed = owners.keeper_of(owner), list(them)
        marks = owners.abandoned(owner, [one.brief_id for one in listed])
        rows = tuple(_row(one, marks.get(one.brief_id, "")) for one in listed)
        yield BattleGroup(keeper.place(owner) if keeper else None, rows)


def _by_owner(battle: Battle) -> str:
    """Return the owner to group by; empty for every battle outside a campaign."""
    return battle.owner if owners.keeper_of(battle.owner) else ""


def _row(battle: Battle, abandoned: str) -> BattleRow:
    winner = words_of(battle.book).side(Side(battle.winner)) if battle.winner else ""
    return BattleRow(battle, month_in_words(battle.month), by_what(battle), winner, abandoned)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = NewBattleForm(request.POST or None)
    if isinstance(request.user, User) and form.is_valid():
        begun = _begun(request.user, form)
        if begun is not None:
            return redirect("fight" if is_open(begun) else "battle", begun.uuid)
    context = {"here": "battles", "form": form, "offers": _choices(form)}
    return render(request, "battles/new.html", context, status=400 if form.errors else 200)


def _begun(user: User, form: NewBattleForm) -> Battle | None:
    """Begin the battle asked for; return None, with an error on the form, if that fails."""
    given, brief, wanted = form.cleaned_data, form.brief(), form.wanted()
    if brief is None:
        return None
    try:
        with limit_cpu(user):
            if wanted is not None:
                return services.begin_fight(user, brief, wanted)
            return services.start(user, brief, given["book"], given["way"], public=given["public"])
    except (services.Refused, ValueError) as refused:
        form.add_error(None, str(refused))
        return None


class ReadyBattleChoice(NamedTuple):
    """A ready-made battle as the form offers it."""

    offer: ReadyBattle
    month: str
    chosen: bool


def _choices(form: NewBattleForm) -> list[ReadyBattleChoice]:
    chosen = form["battle"].value()
    return [
        ReadyBattleChoice(one, month_in_words(one.brief.month), one.slug == chosen)
        for one in ready_battles()
    ]


class ThrowForm(forms.Form):
    """The form that throws for the choice of sides: by which book, and against whom."""

    book = forms.ChoiceField(choices=services.generating_books, label="By the book")
    opponent = forms.ChoiceField(
        choices=[(COMPUTER, "the computer"), (OPEN, "somebody you invite")],
        initial=COMPUTER,
        label="Against",
    )


class SideOffer(NamedTuple):
    """A side that the user may lead in a thrown battle, with the label of its button."""

    side: Side
    label: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def throw(request: HttpRequest) -> HttpResponse:
    """Throw for the sides, and begin the battle on the side that was chosen (One-off battles)."""
    form = ThrowForm(request.POST if "throw" in request.POST else None)
    context: dict[str, Any] = {"here": "battles", "form": form}
    refused = ""
    try:
        if "side" in request.POST and isinstance(request.user, User):
            thrown = services.read_throw(request.POST.get("token", ""))
            if request.POST["side"] in list(Side):
                with limit_cpu(request.user):
                    begun = services.begin_thrown(request.user, thrown, Side(request.POST["side"]))
                messages.success(request, begun.words)
                return redirect("fight", begun.battle.uuid)
            context |= _offers_of(thrown)
        elif form.is_valid():
            given = form.cleaned_data
            context |= _offers_of(services.throw_for_sides(given["book"], given["opponent"]))
    except (services.Refused, ValueError) as error:
        refused = str(error)
    wrong = bool(refused or form.errors)
    context["refused"] = refused
    return render(request, "battles/throw.html", context, status=400 if wrong else 200)


def _offers_of(thrown: services.SideThrow) -> dict[str, Any]:
    """Return what the page says of a throw, and the sides that the user may lead."""
    words = words_of(thrown.book)
    chooses = thrown.won or thrown.opponent == COMPUTER
    offers = tuple(
        SideOffer(
            side,
            f"Lead the {words.side(side)} side"
            if chooses
            else f"They lead the {words.side(side.enemy)} side",
        )
        for side in Side
        if side is not thrown.chosen
    )
    return {
        "thrown": thrown,
        "offers": offers,
        "taken": words.side(thrown.chosen) if thrown.chosen else "",
    }
