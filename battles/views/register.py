"""The battles one may see, and the form that starts one."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from battles import owners, selectors, services
from battles.contract import Side
from battles.contract.registry import every_book, words_of
from battles.eyes import is_open
from battles.forms import NewBattle
from battles.models import Battle
from battles.offers import Offer, offers
from battles.owners import Place
from battles.prose.dates import month_in_words
from battles.services.quota import reckoning
from battles.views.battle import by_what

ON_A_PAGE = 60


class Row(NamedTuple):
    """A battle as the list has it."""

    battle: Battle
    month: str
    by: str
    winner: str
    abandoned: str
    """Why it no longer counts; empty where it does."""


class Group(NamedTuple):
    """The battles of one owner; those that people have started for themselves have no place."""

    place: Place | None
    rows: tuple[Row, ...]


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
    }
    return render(request, "battles/index.html", context)


def _groups(battles: Page) -> Iterable[Group]:
    for owner, them in groupby(battles, key=_by_owner):
        keeper, listed = owners.keeper_of(owner), list(them)
        marks = owners.abandoned(owner, [one.brief_id for one in listed])
        rows = tuple(_row(one, marks.get(one.brief_id, "")) for one in listed)
        yield Group(keeper.place(owner) if keeper else None, rows)


def _by_owner(battle: Battle) -> str:
    """Battles outside a campaign stand together, whoever has started them."""
    return battle.owner if owners.keeper_of(battle.owner) else ""


def _row(battle: Battle, abandoned: str) -> Row:
    winner = words_of(battle.book).side(Side(battle.winner)) if battle.winner else ""
    return Row(battle, month_in_words(battle.month), by_what(battle), winner, abandoned)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = NewBattle(request.POST or None)
    if isinstance(request.user, User) and form.is_valid():
        begun = _begun(request.user, form)
        if begun is not None:
            return redirect("fight" if is_open(begun) else "battle", begun.uuid)
    context = {"here": "battles", "form": form, "offers": _choices(form)}
    return render(request, "battles/new.html", context, status=400 if form.errors else 200)


def _begun(user: User, form: NewBattle) -> Battle | None:
    """The battle that was asked for; None, with the reason on the form, where it cannot be."""
    given, brief, wanted = form.cleaned_data, form.brief(), form.wanted()
    if brief is None:
        return None
    try:
        with reckoning(user):
            if wanted is not None:
                return services.begin_fight(user, brief, wanted)
            return services.start(user, brief, given["book"], given["way"], public=given["public"])
    except (services.Refused, ValueError) as refused:
        form.add_error(None, str(refused))
        return None


class Choice(NamedTuple):
    """A battle as the form offers it."""

    offer: Offer
    month: str
    chosen: bool


def _choices(form: NewBattle) -> list[Choice]:
    chosen = form["battle"].value()
    return [Choice(one, month_in_words(one.brief.month), one.slug == chosen) for one in offers()]
