"""Guests: visitors who play without an account, what they may do, and how they come in.

The front page has two doors: by one click a visitor fights a battle or plays a campaign. A visitor
who is not logged in becomes a guest: a user without a password, known by the cookie of the session
alone. Registering gives the same user a name and a password, so that they keep everything. The
number of guests, their age and what they may keep are limited; a periodic task deletes those who
have had their time.
"""

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from battles import access, journal
from battles.access import GUEST, is_guest
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle, Command
from battles.services import NewFight, begin_fight
from battles.services.fights import COMPUTER, ME
from battles.services.quota import limit_cpu
from battles.web.battle_cards import FIRST, ready_battle_choices, recommended_book
from battles.web.fight_page import address
from campaign.models import Campaign, Inquiry, Job, OrderSheet, Seat
from campaign.rules.tables.scenario_loader import first_campaign, scenarios
from campaign.services.errors import Busy, Refused
from campaign.services.journal.creation import create_solo_campaign
from campaign.services.transfer.deletion import delete_for_good
from campaign.services.turns.live import staff_sets_up
from campaign.web import help_pages, visitor
from campaign.web.battle_forms import SoloBattlesForm
from campaign.web.front_page import (
    StaffLevelField,
    edition_choices,
    edition_rows,
    scenario_choices,
    staff_levels,
)
from ops.http_policy import posts_to
from ops.sent_once import sent_once
from ops.sweeps import sweep

MOST_CAMPAIGNS = 2
MOST_BATTLES = 4
"""The most campaigns and battles of a guest; beginning another deletes the oldest."""
BACKEND = "django.contrib.auth.backends.ModelBackend"
CLOSED = "This site admits no guests. Register, and play: a name and a password are enough."
FULL = (
    "As many guests are playing as this site takes. Register, and play: a name and a password are "
    "enough."
)
TOO_MANY = "Too many games were begun from your network. Continue one of yours, or try again later."


class GuestTerms(NamedTuple):
    """The limits that pages tell guests about."""

    days: int
    campaigns: int = MOST_CAMPAIGNS
    battles: int = MOST_BATTLES


def guest_terms() -> GuestTerms:
    return GuestTerms(settings.GUEST_DAYS)


def guests() -> QuerySet[User]:
    return User.objects.filter(username__startswith=GUEST)


def are_admitted() -> bool:
    """Return whether the site admits guests at all."""
    return settings.MOST_GUESTS > 0


def player_at_door(request: HttpRequest) -> User:
    """Return the user who begins to play: the one logged in, or a new guest, who is logged in.

    Raises Busy beyond the rates for guests and doors, and Refused if no guest can be admitted.
    """
    if isinstance(request.user, User):
        _count(request, ("door", str(request.user.pk)))
        return request.user
    if not are_admitted():
        raise Refused(CLOSED)
    if guests().count() >= settings.MOST_GUESTS:
        forget_guests()
        if guests().count() >= settings.MOST_GUESTS:
            raise Refused(FULL)
    _count(request, ("guest", visitor.address_of(request)), ("guest-all", visitor.EVERYBODY))
    guest = User(username=f"{GUEST}{secrets.token_hex(6)}", first_name="Guest")
    guest.set_unusable_password()
    guest.save()
    login(request, guest, backend=BACKEND)
    request.session.set_expiry(timedelta(days=settings.GUEST_DAYS))
    return guest


def _count(request: HttpRequest, *counts: tuple[str, str]) -> None:
    if seconds := visitor.seconds_to_wait(request, *counts):
        raise Busy(TOO_MANY, seconds)


def make_room_for_campaign(user: User) -> None:
    """Delete a guest's oldest campaigns, so that one more may be begun."""
    if is_guest(user):
        oldest = _campaigns_of(user).order_by("-pk")[MOST_CAMPAIGNS - 1 :]
        delete_for_good(oldest.values_list("pk", flat=True))


def make_room_for_battle(user: User) -> None:
    """Delete a guest's oldest battles, so that one more may be begun."""
    if is_guest(user):
        journal.delete_locked(_battles_of(user).order_by("-pk")[MOST_BATTLES - 1 :])


@transaction.atomic
def hand_over(guest: User, user: User) -> int:
    """Pass what the guest has begun to the user, and delete the guest; return how many games.

    A guest has a seat only in campaigns that they play alone, so nobody gets two seats in a game.
    """
    locked = User.objects.select_for_update().filter(pk=guest.pk).first()
    if locked is None or not is_guest(locked) or is_guest(user):
        return 0
    campaigns, battles = _campaigns_of(guest), _battles_of(guest)
    count = campaigns.count() + battles.count()
    Seat.objects.filter(user=guest).update(user=user)
    OrderSheet.objects.filter(by=guest).update(by=user)
    Command.objects.filter(user=guest).update(user=user)
    Battle.objects.filter(asked_by=guest).update(asked_by=user)
    Job.objects.filter(asked_by=guest).update(asked_by=user)
    # A user has one open inquiry of a kind at a time.
    own = Inquiry.objects.filter(asked_by=user, is_open=True).values("kind")
    kept = Inquiry.objects.filter(asked_by=guest).exclude(is_open=True, kind__in=own)
    kept.update(asked_by=user)
    battles.update(owner=access.person(user))
    guest.delete()
    return count


def forget_guests() -> int:
    """Delete the guests who have had their time, with all that is theirs; return how many."""
    until = timezone.now() - timedelta(days=settings.GUEST_DAYS)
    past = guests().filter(date_joined__lt=until)
    numbers = past.order_by("pk").values_list("pk", flat=True)
    return sum(sweep(numbers, lambda number: _forget_guest(past.filter(pk=number))))


@transaction.atomic
def _forget_guest(past: QuerySet[User]) -> bool:
    """Delete the guest, unless they have registered since the round of deletions began."""
    guest = past.select_for_update().first()
    if guest is None:
        return False
    delete_for_good(_campaigns_of(guest).values_list("pk", flat=True))
    journal.delete_locked(_battles_of(guest))
    guest.delete()
    return True


def _campaigns_of(guest: User) -> QuerySet[Campaign]:
    """Return the campaigns that the guest plays alone; a guest has a seat in no others."""
    return Campaign.objects.filter(seats__user=guest, umpire=None)


def _battles_of(guest: User) -> QuerySet[Battle]:
    return Battle.objects.filter(owner=access.person(guest))


# Limit guests to reading what everybody reads and to changing what they play alone.
#
# A guest may send a form only to the addresses named here; a new address is closed to guests
# until it is added. Pages answer with the way to register, REST with a problem
# (`BrowserSession`).


SAFE = ("GET", "HEAD", "OPTIONS")
ALLOWED_WRITES = frozenset(
    {
        *("keeper-login", "keeper-logout"),
        *("login", "logout", "register", "forgotten-password", "renew-password", "mail"),
        *("fight-first-battle", "play-alone", "guide-step"),
        *("arrange", "advance", "plain-orders", "odds-of-order", "odds-of-battle", "leave-seat"),
        *("live-act", "live-staff", "fight-act", "fight-lead", "fight-umpire"),
        *("campaign-battles", "battle-result", "fight-begin", "battle-table"),
        *("api:sheet", "api:sheet-check", "api:sheet-odds"),
        *("api:accounts", "api:tokens", "api:password-resets", "api:password-reset"),
    }
)
"""The names of the addresses to which a guest may send something.

Whether the thing named in the address is theirs is decided there, as for everybody.
"""
ACCOUNT_PAGES = frozenset(
    {
        *("new", "import", "new-tables", "benches", "compare", "new-battle", "throw-battle"),
        *("account", "webhooks", "my-mail", "password", "email", "confirm-email", "fight-join"),
        *("calendar", "workshop", "ladders", "display-name", "push"),
    }
)
"""The names of the pages that need an account to be looked at."""
REGISTER_FIRST = "That needs an account. Register, and you keep everything you have played so far."


def is_closed_to_guests(method: str | None, name: str) -> bool:
    """Return whether a guest may not use this method of the address of that name."""
    if method in SAFE:
        return name in ACCOUNT_PAGES
    return name not in ALLOWED_WRITES


class GuestAccessMiddleware:
    """Middleware that leads guests to register where an account is needed."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._answer(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Redirect a guest to register, and back to the page that was asked for."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name.startswith("api:") or not is_closed_to_guests(request.method, name):
            return None
        if not is_guest(request.user):
            return None
        messages.info(request, REGISTER_FIRST)
        page = request.path
        if request.method not in SAFE:
            page = urlsplit(request.headers.get("referer", "")).path or "/"
        return redirect(f"{reverse('register')}?{urlencode({'next': page})}")


def guest_context(request: HttpRequest) -> dict[str, Any]:
    """Return for templates whether the visitor is a guest, and the terms for guests."""
    return {
        "is_guest": SimpleLazyObject(lambda: hasattr(request, "user") and is_guest(request.user)),
        "guest_terms": guest_terms(),
        "guests_admitted": are_admitted(),
    }


SIDES = [(Side.EGYPTIAN.value, "The Egyptians"), (Side.MAHDIST.value, "The Mahdists")]


class FirstBattleForm(forms.Form):
    """The battle and the side to lead; the recommended ones unless they are given."""

    battle = forms.ChoiceField(choices=ready_battle_choices, required=False)
    side = forms.ChoiceField(choices=SIDES, required=False)


class PlayAloneForm(SoloBattlesForm):
    """The side, the scenario and the battles of a campaign against the computer's staff."""

    side = forms.ChoiceField(
        choices=SIDES, initial=Side.EGYPTIAN.value, widget=forms.RadioSelect, label="Your side"
    )
    scenario = forms.ChoiceField(
        choices=scenario_choices, required=False, widget=forms.RadioSelect, label="Scenario"
    )
    edition = forms.ChoiceField(choices=edition_choices, required=False, label="Edition")
    level = StaffLevelField()
    guided = forms.BooleanField(
        initial=True,
        required=False,
        label="Show me the first month, step by step (you can stop at any time)",
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["scenario"].initial = first_campaign().slug


@csrf_protect
@posts_to("battles")
@sent_once
def fight_first_battle(request: HttpRequest) -> HttpResponse:
    """Begin a battle of history against the computer, and go to its first decision."""
    form = FirstBattleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "There is no such battle, or no such side. Choose one of these.")
        return redirect("battles")
    slug = form.cleaned_data["battle"] or FIRST
    side = Side(form.cleaned_data["side"] or Side.EGYPTIAN)
    begun = _begin(request, lambda user: _fight(user, slug, side))
    return redirect(address(begun)) if isinstance(begun, Battle) else redirect("register")


def _fight(user: User, slug: str, side: Side) -> Battle:
    offer = find_ready_battle(slug)
    if offer is None:
        raise Refused("That battle is no longer offered. Choose another.")
    make_room_for_battle(user)
    (other,) = set(Side) - {side}
    with limit_cpu(user):
        new_fight = NewFight(recommended_book(slug), {side: ME, other: COMPUTER})
        return begin_fight(user, offer.brief, new_fight)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def play_alone(request: HttpRequest) -> HttpResponse:
    """Show the choice of side and scenario; on POST begin the campaign, and go to its orders."""
    form = PlayAloneForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        slug, side = values["scenario"] or first_campaign().slug, Side(values["side"])
        level: str = values["level"]

        def begin(user: User) -> Campaign:
            make_room_for_campaign(user)
            battles = form.choice()
            campaign = create_solo_campaign(
                user,
                side,
                slug,
                edition=values["edition"],
                staff_level=level,
                battles=battles,
            )
            staff_sets_up(campaign.pk)
            return campaign

        begun = _begin(request, begin)
        if not isinstance(begun, Campaign):
            return redirect("register")
        if values["guided"]:
            help_pages.begin_guide(request, begun)
        seat = Seat.objects.get(campaign=begun, role=side.value)
        return redirect("order-sheet", begun.slug, seat.pk)
    chosen = form["scenario"].value() or first_campaign().slug
    context = {
        "here": "front",
        "form": form,
        "scenarios": [(scenario, scenario.slug == chosen) for scenario in scenarios()],
        "editions": edition_rows(form["edition"]),
        "levels": staff_levels(form["level"]),
    }
    status = 400 if form.errors else 200
    return render(request, "campaign/front/play_alone.html", context, status=status)


def _begin(
    request: HttpRequest, begin: Callable[[User], Battle | Campaign]
) -> Battle | Campaign | None:
    """Return what the visitor has begun; None, with a message, if no guest is admitted.

    Raises Busy beyond a rate, which is answered with the time to wait.
    """
    try:
        return begin(player_at_door(request))
    except Busy:
        raise
    except Refused as refused:
        messages.info(request, str(refused))
        return None
