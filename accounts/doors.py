"""The doors of the front page: a visitor fights a battle or plays a campaign by one click.

A visitor who is not logged in becomes a guest.
"""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from accounts import guests
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services import NewFight, begin_fight
from battles.services.fights import COMPUTER, ME
from battles.services.quota import limit_cpu
from battles.web.battle_cards import FIRST, ready_battle_choices, recommended_book
from battles.web.fight import address
from campaign.models import Campaign, Seat
from campaign.rules.tables.scenario_loader import first_campaign, scenarios
from campaign.services.errors import Busy, Refused
from campaign.services.journal.creation import create_solo_campaign
from campaign.services.turns.initial_deployment import staff_sets_up
from campaign.web import guided_month
from campaign.web.battle_forms import SoloBattlesForm
from campaign.web.front_page import StaffLevelField, scenario_choices, staff_levels
from ops.http_methods import posts_to

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
    level = StaffLevelField()
    guided = forms.BooleanField(
        required=False, label="Show me the first month, step by step (you can stop at any time)"
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["scenario"].initial = first_campaign().slug


@csrf_protect
@posts_to("battles")
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
    guests.make_room_for_battle(user)
    (other,) = set(Side) - {side}
    with limit_cpu(user):
        new_fight = NewFight(recommended_book(slug), {side: ME, other: COMPUTER})
        return begin_fight(user, offer.brief, new_fight)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def play_alone(request: HttpRequest) -> HttpResponse:
    """Show the choice of side and scenario; on POST begin the campaign, and go to its orders."""
    form = PlayAloneForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        slug, side = values["scenario"] or first_campaign().slug, Side(values["side"])
        level: str = values["level"]

        def begin(user: User) -> Campaign:
            guests.make_room_for_campaign(user)
            battles = form.choice()
            campaign = create_solo_campaign(user, side, slug, staff_level=level, battles=battles)
            staff_sets_up(campaign.pk)
            return campaign

        begun = _begin(request, begin)
        if not isinstance(begun, Campaign):
            return redirect("register")
        if values["guided"]:
            guided_month.begin(request, begun)
        seat = Seat.objects.get(campaign=begun, role=side.value)
        return redirect("order-sheet", begun.slug, seat.pk)
    chosen = form["scenario"].value() or first_campaign().slug
    context = {
        "here": "front",
        "form": form,
        "scenarios": [(scenario, scenario.slug == chosen) for scenario in scenarios()],
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
        return begin(guests.player_at_door(request))
    except Busy:
        raise
    except Refused as refused:
        messages.info(request, str(refused))
        return None
