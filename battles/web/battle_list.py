"""The list of battles a user may see, and the form for a new battle."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from battles import access, services
from battles.access import Anybody, OwnerLink, Sides, is_open
from battles.contract import Brief, Side
from battles.contract.book import books, every_book, words_of
from battles.contract.brief import month_in_words
from battles.contract.brief_files import find_ready_battle, read_brief, ready_battles
from battles.core.tables import Source, TableError
from battles.models import Battle
from battles.replay import title_of
from battles.services import NewFight
from battles.services.fights import COMPUTER, ME, OPEN, PATIENCE
from battles.services.quota import limit_cpu
from battles.web.battle import how_fought
from battles.web.battle_cards import (
    FIRST,
    LENGTHS,
    BattleCard,
    BattleLength,
    card_of,
    history_cards,
    ready_battle_choices,
    recommended_book,
)
from ops.sent_once import sent_once
from ops.text_field import LinesField


def _books() -> list[tuple[str, str]]:
    return [(slug, title_of(slug) or slug) for slug in books()]


def _book_choices() -> list[tuple[str, str]]:
    return [("", "The recommended book"), *_books()]


HERE = {
    "egyptian": {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER},
    "mahdist": {Side.EGYPTIAN: COMPUTER, Side.MAHDIST: ME},
    "egyptian-invites": {Side.EGYPTIAN: ME, Side.MAHDIST: OPEN},
    "mahdist-invites": {Side.EGYPTIAN: OPEN, Side.MAHDIST: ME},
    "umpire": {Side.EGYPTIAN: OPEN, Side.MAHDIST: OPEN},
    "alone": {Side.EGYPTIAN: ME, Side.MAHDIST: ME},
}
"""Commanders of the sides of a battle fought in the browser, by the way chosen."""

TURN_TIMES = [
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
        choices=ready_battle_choices, initial=FIRST, widget=forms.RadioSelect
    )
    book = forms.ChoiceField(choices=_book_choices, required=False, label="Book")
    way = forms.ChoiceField(
        choices=[
            ("egyptian", "Lead the Anglo-Egyptian side against the computer"),
            ("mahdist", "Lead the Mahdist side against the computer"),
            ("egyptian-invites", "Lead the Anglo-Egyptian side and invite an opponent"),
            ("mahdist-invites", "Lead the Mahdist side and invite an opponent"),
            ("umpire", "Umpire a battle of two people you invite"),
            ("alone", "Play both sides yourself"),
            (Battle.Way.COMMANDERS, "Let the computer fight it now"),
            (Battle.Way.TABLETOP, "Fight it on your own table"),
        ],
        initial="egyptian",
        label="Side and opponent",
    )
    patience = forms.ChoiceField(
        choices=TURN_TIMES, initial=PATIENCE, required=False, label="Time for a turn"
    )
    public = forms.BooleanField(required=False, label="Public: anyone may watch")
    own = LinesField(
        required=False,
        max_length=LONGEST_BRIEF,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Or your own battle, as TOML",
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

    def clean(self) -> dict[str, Any]:
        """Fill in the recommended book where none is chosen."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        data["book"] = data.get("book") or recommended_book(data.get("battle", ""))
        return data

    def brief(self) -> Brief | None:
        """Return the chosen brief, once the form is valid."""
        data: dict[str, Any] = self.cleaned_data
        chosen = find_ready_battle(data["battle"])
        return data["own"] or (chosen.brief if chosen else None)

    def new_fight(self) -> NewFight | None:
        """Return the fight to begin in the browser; None if it is fought elsewhere."""
        data = self.cleaned_data
        sides = HERE.get(data["way"])
        if sides is None:
            return None
        return NewFight(data["book"], sides, data["public"], data["patience"])


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
    battles = access.battles_for(request.user).order_by("owner", "-pk").prefetch_related("commands")
    page = Paginator(battles, ON_A_PAGE).get_page(request.GET.get("page"))
    has_account = request.user.is_authenticated and not access.is_guest(request.user)
    context = {
        "here": "battles",
        "history": () if has_account and page.paginator.count else history_cards(),
        "groups": list(_groups(page, request.user)),
        "pages": page,
        "yours": [(battle, title_of(battle.book)) for battle in access.waiting_for(request.user)],
        "books": [(book.slug, book.title) for book in every_book()],
        "generating": services.generating_books(),
    }
    return render(request, "battles/index.html", context)


def _groups(battles: Page, user: Anybody) -> Iterable[BattleGroup]:
    for owner, group in groupby(battles, key=_by_owner):
        keeper, listed = access.keeper_of(owner), list(group)
        marks = access.reasons_for_abandoned(owner, [battle.brief_id for battle in listed])
        # The seats of a campaign are read once for all of its battles.
        seats = access.commands(listed[0], user) if keeper else None
        rows = tuple(
            _row(
                battle,
                marks.get(battle.brief_id, ""),
                access.commands(battle, user) if seats is None else seats,
            )
            for battle in listed
        )
        yield BattleGroup(keeper.place(owner) if keeper else None, rows)


def _by_owner(battle: Battle) -> str:
    """Return the owner to group by; empty for every battle outside a campaign."""
    return battle.owner if access.keeper_of(battle.owner) else ""


def _row(battle: Battle, abandoned: str, own_sides: Sides) -> BattleRow:
    winner = words_of(battle.book).side(Side(battle.winner)) if battle.winner else ""
    by = how_fought(battle, own_sides)
    return BattleRow(battle, month_in_words(battle.month), by, winner, abandoned)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def new(request: HttpRequest) -> HttpResponse:
    form = NewBattleForm(request.POST or None, initial={"book": request.GET.get("book", "")})
    if isinstance(request.user, User) and form.is_valid():
        begun = _begin_battle(request.user, form)
        if begun is not None:
            return redirect("fight" if is_open(begun) else "battle", begun.uuid)
    cards = _find_cards(request)
    context = {
        "here": "battles",
        "form": form,
        "offers": cards,
        "chosen": _ticked_battle(request, form, cards),
        "filters": _filters(request),
    }
    return render(request, "battles/new.html", context, status=400 if form.errors else 200)


def _begin_battle(user: User, form: NewBattleForm) -> Battle | None:
    """Begin the battle asked for; return None, with an error on the form, if that fails."""
    data, brief, new_fight = form.cleaned_data, form.brief(), form.new_fight()
    if brief is None:
        return None
    try:
        with limit_cpu(user):
            if new_fight is not None:
                return services.begin_fight(user, brief, new_fight)
            return services.start(user, brief, data["book"], data["way"], public=data["public"])
    except (services.Refused, ValueError) as refused:
        form.add_error(None, str(refused))
        return None


class FilterLink(NamedTuple):
    """A value of a filter, with the query of its link."""

    title: str
    query: str
    current: bool


class Filter(NamedTuple):
    """A filter of the ready battles: its title and its values."""

    title: str
    links: tuple[FilterLink, ...]


def _filters(request: HttpRequest) -> tuple[Filter, ...]:
    """Return the filters by book and by length; each link keeps the other filter."""
    lengths = [(str(length), LENGTHS[length]) for length in LENGTHS]
    return (
        _filter(request, "book", "By book", [("", "Recommended"), *_books()]),
        _filter(request, "length", "By length", [("", "Any"), *lengths]),
    )


def _filter(request: HttpRequest, name: str, title: str, values: list[tuple[str, str]]) -> Filter:
    other = "length" if name == "book" else "book"
    links = []
    for value, label in values:
        parameters = {other: request.GET.get(other, ""), name: value}
        query = urlencode({key: text for key, text in parameters.items() if text})
        links.append(FilterLink(label, f"?{query}", value == request.GET.get(name, "")))
    return Filter(title, tuple(links))


def _find_cards(request: HttpRequest) -> list[BattleCard]:
    """Return the battles of the filters, the recommended or asked one first, then by date.

    A book has the battles of history and its own scenarios.
    """
    book_slug, length = request.GET.get("book", ""), request.GET.get("length", "")
    book_slug = book_slug if book_slug in books() else ""
    battle_slug = request.POST.get("battle") or request.GET.get("battle") or FIRST
    recommended = {battle.slug: recommended_book(battle.slug) for battle in ready_battles()}
    cards = [
        card
        for card in (card_of(slug, book_slug or book) for slug, book in recommended.items())
        if (not book_slug or card.is_history or recommended[card.slug] == book_slug)
        and (length not in list(BattleLength) or card.length == length)
    ]
    return sorted(cards, key=lambda card: (card.slug != battle_slug, not card.is_history))


def _ticked_battle(request: HttpRequest, form: NewBattleForm, cards: list[BattleCard]) -> str:
    """Return the battle that is ticked: that of the form, else the first of the list."""
    battle_slug = str(form["battle"].value()) if form.is_bound else request.GET.get("battle", "")
    slugs = [card.slug for card in cards]
    return battle_slug if battle_slug in slugs or not slugs else slugs[0]


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
@sent_once
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
            data = form.cleaned_data
            context |= _offers_of(services.throw_for_sides(data["book"], data["opponent"]))
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
