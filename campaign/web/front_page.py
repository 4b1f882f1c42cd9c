"""The front page with the register of campaigns, the new campaign and its staff, the credits."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.access import waiting_for
from battles.contract.brief import Side
from campaign import serialization
from campaign.access import fog_of_war, letters, saved_work, selectors
from campaign.access.selectors import Anybody
from campaign.models import Campaign, OwnTables, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import COMBAT_TABLE
from campaign.rules.tables.editions import named_editions
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import creation, rewind
from campaign.services.journal.rewind import RewindNotice
from campaign.services.turns.live import staff_sets_up
from campaign.services.turns.showcase import showcase
from campaign.staff.levels import CHOICES, TEXTS, Level, LevelText
from campaign.web.battle_forms import SoloBattlesForm, battle_methods
from campaign.web.console.umpire_forms import DELAYS, DeadlinesForm
from campaign.web.map import printed_map
from campaign.web.your_turn import awaited_page, players_first
from ops.sent_once import sent_once


class StaffLevelRow(NamedTuple):
    """A level as a page offers it: its value, its words, and whether it is chosen."""

    value: str
    text: LevelText
    is_chosen: bool


class StaffLevelField(forms.ChoiceField):
    """A choice of the staff's level; by default that of a club player."""

    def __init__(self) -> None:
        super().__init__(
            choices=CHOICES,
            required=False,
            initial=Level.CLUB.value,
            widget=forms.RadioSelect,
            label="The computer’s staff plays as",
        )

    def clean(self, value: object) -> str:
        """Return the level that is chosen."""
        return str(super().clean(value)) or Level.CLUB.value


def staff_levels(field: forms.BoundField) -> list[StaffLevelRow]:
    """Return the levels with their words, for radio buttons."""
    chosen = field.value() or Level.CLUB.value
    return [StaffLevelRow(level.value, text, level == chosen) for level, text in TEXTS.items()]


def scenario_choices() -> list[tuple[str, str]]:
    """Return the scenarios that come with the program, as choices of a form."""
    return [(scenario.slug, scenario.title) for scenario in scenarios()]


def edition_choices() -> list[tuple[str, str]]:
    """Return the editions that come with the program, as choices of a form."""
    return [("", "As shipped"), *((edition.slug, edition.title) for edition in named_editions())]


OWN = "own-"
"""Prefix of a user's own scenario among the choices of a form; its number follows."""


class OwnersForm(forms.Form):
    """A form that offers users their own scenarios and sets of tables."""

    def __init__(self, owner: Anybody, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.own_scenarios = {
            f"{OWN}{own.pk}": own for own in saved_work.own_scenarios(owner).exclude(tables=None)
        }
        choice = self.fields["scenario"]
        if isinstance(choice, forms.ChoiceField):
            own_titles = [(key, own.title) for key, own in self.own_scenarios.items()]
            choice.choices = [*scenario_choices(), *own_titles]
        for field in self.fields.values():
            if isinstance(field, forms.ModelChoiceField):
                field.queryset = saved_work.own_tables(owner)


MODES = (
    (
        "orders",
        "by order sheets",
        "Each side writes its month; it runs at your word, when all are ready, or at the deadline.",
    ),
    ("live", "live", "Each side marches in its own turn, stack by stack, and sees its dice."),
    ("staff", "by the staff", "The computer’s staff plays both sides, and you watch."),
)
PLAYERS = (
    ("player", "a player, whom you invite by a link"),
    ("staff", "the computer’s staff"),
    ("me", "yourself"),
)


class NewCampaignForm(OwnersForm):
    """The form for a new campaign: scenario, players, dice, battles and tables."""

    scenario = forms.ChoiceField(initial=lambda: scenarios()[0].slug, widget=forms.RadioSelect)
    title = forms.CharField(
        max_length=100,
        required=False,
        help_text="What your club calls it. Left empty, it has the scenario’s name.",
    )
    mode = forms.ChoiceField(
        choices=[(key, words) for key, words, _ in MODES],
        required=False,
        initial="orders",
        widget=forms.RadioSelect,
        label="How is it played?",
    )
    egyptian = forms.ChoiceField(choices=PLAYERS, required=False, label="The Egyptian side")
    mahdist = forms.ChoiceField(choices=PLAYERS, required=False, label="The Mahdist side")
    when_ready = forms.BooleanField(
        required=False, label="The month runs as soon as every seat is ready"
    )
    with_deadlines = forms.BooleanField(required=False, label="Set deadlines")
    fog = forms.BooleanField(required=False, label="Fog of war")
    dice_by_hand = forms.BooleanField(required=False, label="Dice by hand")
    staff_level = StaffLevelField()
    public = forms.BooleanField(required=False, label="Public: anyone may watch")
    public_delay = forms.TypedChoiceField(
        coerce=int,
        empty_value=None,
        choices=DELAYS,
        required=False,
        initial=creation.NewCampaignTerms.public_delay,
        label="In a fog of war, spectators see a month this much later",
    )
    battles = forms.ChoiceField(
        choices=battle_methods,
        required=False,
        initial=COMBAT_TABLE,
        label="Battles are fought",
        help_text="The umpire may change it at any time, and choose again at each battle.",
    )
    edition = forms.ChoiceField(choices=edition_choices, required=False, label="Edition")
    tables = forms.ModelChoiceField(
        OwnTables.objects.none(),
        required=False,
        empty_label="those of the edition",
        help_text="A campaign keeps the tables it begins with.",
    )

    def clean_mode(self) -> str:
        """Return the mode; without a choice the staff plays."""
        return str(self.cleaned_data["mode"] or Campaign.Mode.STAFF)

    def played_by(self, user: User) -> tuple[dict[str, User], list[str]]:
        """Return the users who take seats at once, and the staff's sides."""
        choices = {side.value: self.cleaned_data[side.value] for side in Side}
        seats = {side: user for side, choice in choices.items() if choice == "me"}
        staff = [side for side, choice in choices.items() if choice == "staff"]
        return {Seat.Role.UMPIRE.value: user, **seats}, staff


MONTH_IN_PICTURES = (
    ("orders", "You write orders: a stack, how far it gets, where it goes. Each is read back."),
    (
        "month",
        "The month is played: marches, thirst, sieges, combats, with dice that anyone can check.",
    ),
    ("gazette", "Both sides read of it in despatches and newspapers, as far as they may know."),
    ("battle", "Battles that matter are fought on a field of their own, or on your table."),
)
"""The names of the pictures in static/help, with their captions."""


class RegisterEntry(NamedTuple):
    """A row of the register of campaigns."""

    campaign: Campaign
    scenario: str
    month: str
    roles: list[str]
    waiting_for: str
    rewound: RewindNotice | None
    page: str
    """The URL of the page that waits for this user; empty without one."""
    letters: int
    """The number of the user's unread letters."""


@require_safe
@never_cache
def front(request: HttpRequest) -> HttpResponse:
    """Show the doors, what waits for the user, and the register of campaigns."""
    entries = sorted(register(request.user), key=lambda entry: not entry.page)
    fights = list(waiting_for(request.user))
    return render(
        request,
        "campaign/front/front.html",
        {
            "here": "front",
            "yours": [entry for entry in entries if entry.roles],
            "others": [entry for entry in entries if not entry.roles],
            "fights": fights,
            "waiting": sum(bool(entry.page) for entry in entries) + len(fights),
            "showcase": showcase(),
            "pictures": MONTH_IN_PICTURES,
            "staff_levels": CHOICES,
            "battles_form": SoloBattlesForm(),
            "sheet": printed_map.address(),
            "at": printed_map.extent(),
        },
    )


def register(user: selectors.Anybody) -> Iterator[RegisterEntry]:
    """Yield the campaigns the user may see, the newest first, with the user's seats."""
    unread = letters.unread_by_campaign(user)
    for campaign in (
        selectors.campaigns_for(user).select_related("tables").prefetch_related("seats")
    ):
        seats = [seat for seat in campaign.seats.all() if seat.user_id and seat.user_id == user.pk]
        pages = (awaited_page(campaign, seat) for seat in players_first(seats))
        yield RegisterEntry(
            campaign,
            serialization.scenario_title(campaign),
            month_name(Month(campaign.month)),
            [seat.role for seat in seats],
            fog_of_war.waiting_for(campaign, fog_of_war.viewer_of(user, campaign)),
            rewind.latest_rewind(campaign) if campaign.branch else None,
            next(filter(None, pages), ""),
            unread.get(campaign.pk, 0),
        )


def url_after_login(user: User) -> str:
    """Return the URL after logging in: the one page that waits, else the front page."""
    waiting = [entry.page for entry in register(user) if entry.page]
    waiting += [reverse("fight", args=[fight.uuid]) for fight in waiting_for(user)]
    return waiting[0] if len(waiting) == 1 else reverse("front")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def new(request: HttpRequest) -> HttpResponse:
    form = NewCampaignForm(
        request.user,
        request.POST or None,
        initial={
            name: value
            for name in ("tables", "edition", "scenario")
            if (value := request.GET.get(name))
        },
    )
    due = DeadlinesForm(request.POST if "with_deadlines" in request.POST else None, prefix="due")
    wrong = bool(form.errors) or bool(due.errors)
    if isinstance(request.user, User) and form.is_valid() and not wrong:
        created = _create(request.user, form, due)
        if created is not None:
            staff_sets_up(created.pk)
            messages.success(request, f"{created.title} begins. You are its umpire.")
            to_invite = created.seats.filter(user=None, staff=False).exists()
            return redirect("seats" if to_invite else "campaign", created.slug)
    context = {
        "here": "front",
        "form": form,
        "due": due,
        "scenarios": _choices(form),
        "editions": edition_rows(form["edition"]),
        "levels": staff_levels(form["staff_level"]),
        "modes": [(*mode, mode[0] == form["mode"].value()) for mode in MODES],
    }
    status = 400 if form.errors or wrong else 200
    return render(request, "campaign/front/new_campaign.html", context, status=status)


def _create(user: User, form: NewCampaignForm, due: DeadlinesForm) -> Campaign | None:
    """Create the campaign; return None, with an error on the form, if it is refused."""
    data = form.cleaned_data
    seats, staff = form.played_by(user)
    dated = due.is_bound and data["mode"] == Campaign.Mode.ORDERS
    own = form.own_scenarios.get(data["scenario"])
    tables = data["tables"].tables if data["tables"] else None
    if own is not None and (tables or data["edition"]):
        form.add_error("tables", "A scenario of your own brings its tables: choose no others.")
        return None
    terms = creation.NewCampaignTerms(
        own.slug if own else data["scenario"],
        data["title"],
        public=data["public"],
        public_delay=data["public_delay"] or creation.NewCampaignTerms.public_delay,
        seats=seats,
        staff=staff,
        mode=data["mode"],
        fog=data["fog"],
        dice_by_hand=data["dice_by_hand"],
        staff_level=data["staff_level"],
        when_ready=data["when_ready"],
        deadline_policy=msgspec.to_builtins(due.policy()) if dated else {},
        battles=data["battles"] or COMBAT_TABLE,
        tables=own.tables if own else tables,
        edition=data["edition"],
    )
    try:
        return creation.create_campaign(terms, by=f"umpire:{user.get_username()}")
    except journal.Refused as refused:
        form.add_error(None, str(refused))
        return None


class ScenarioChoice(NamedTuple):
    """A scenario that a campaign may begin with; `slug` is the value in the form."""

    slug: str
    title: str
    description: str
    departs: str


def _choices(form: NewCampaignForm) -> list[tuple[ScenarioChoice, bool]]:
    """Return every scenario, the user's own last, and whether it is the chosen one."""
    chosen = form["scenario"].value()
    offered = [ScenarioChoice(s.slug, s.title, s.description, s.departs) for s in scenarios()]
    for key, own in form.own_scenarios.items():
        scenario = own.document["scenario"]
        words = str(scenario.get("description", "")), "A scenario of your own."
        offered.append(ScenarioChoice(key, own.title, *words))
    return [(choice, choice.slug == chosen) for choice in offered]


def edition_rows(field: forms.BoundField) -> list[tuple[str, str, str, bool]]:
    """Return slug, title and description of every edition, and whether it is the chosen one."""
    as_shipped = ("", "As shipped", "The tables that the rules page shows.")
    editions = [(edition.slug, edition.title, edition.description) for edition in named_editions()]
    chosen = field.value() or ""
    return [(*row, row[0] == chosen) for row in (as_shipped, *editions)]


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "campaign/front/about.html", {"here": "about"})
