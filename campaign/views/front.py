"""The front page: what Sirdar is, and the register of the campaigns one may see."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

import battles.selectors
from campaign import fog, rewinds, selectors, services
from campaign.forms import MODES, NewCampaign
from campaign.models import Campaign, Seat
from campaign.rewinds import Rewind
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import BY_HAND, TABLE
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_loader import UnknownScenario, scenario, scenarios
from campaign.services.setting_up import staff_sets_up
from campaign.services.sheets import sheet_of
from campaign.umpire_forms import Deadlines
from campaign.views import sheet


class RegisterEntry(NamedTuple):
    """A campaign as the register has it."""

    campaign: Campaign
    scenario: str
    month: str
    roles: list[str]
    waiting_for: str
    rewound: Rewind | None
    page: str
    """The address of the page on which it waits for this visitor; empty where it does not."""


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "campaign/front.html",
        {
            "here": "front",
            "register": sorted(register(request.user), key=lambda entry: not entry.page),
            "sheet": sheet.address(),
            "at": sheet.extent(),
        },
    )


def register(user: selectors.Anybody) -> Iterator[RegisterEntry]:
    """The campaigns the user may see, the newest first, with the seats he has in each."""
    for campaign in selectors.campaigns_for(user).prefetch_related("seats"):
        seats = [seat for seat in campaign.seats.all() if seat.user_id and seat.user_id == user.pk]
        pages = (awaited_page(campaign, seat) for seat in _players_first(seats))
        yield RegisterEntry(
            campaign,
            title_of(campaign.scenario),
            month_name(Month(campaign.month)),
            [seat.role for seat in seats],
            fog.waiting_for(campaign, fog.viewer_of(user, campaign)),
            rewinds.latest(campaign) if campaign.branch else None,
            next(filter(None, pages), ""),
        )


def _players_first(seats: list[Seat]) -> list[Seat]:
    """Whoever is both umpire and player has orders to give before anything can be run."""
    return sorted(seats, key=lambda seat: seat.role == Seat.Role.UMPIRE)


def awaited_page(campaign: Campaign, seat: Seat) -> str:
    """Return the address of the page on which the campaign waits for the holder of the seat.

    That is the sheet not submitted yet, the open question of live play, the result of a battle
    fought by hand, or an umpire's console; empty where nothing waits.
    """
    if campaign.finished or campaign.adjourned or seat.role == Seat.Role.OBSERVER:
        return ""
    if seat.role == Seat.Role.UMPIRE:
        return reverse("console", args=[campaign.slug])
    if campaign.battle:
        return _page_of_result(campaign)
    page = {Campaign.Mode.LIVE.value: _page_of_question, Campaign.Mode.ORDERS.value: _page_of_sheet}
    if seat.staff or campaign.mode not in page:
        return ""
    return page[campaign.mode](campaign, seat)


def _page_of_result(campaign: Campaign) -> str:
    battle = selectors.battle_awaited(campaign)
    if battle is None or battle.by != BY_HAND:
        return ""
    return reverse("battle-result", args=[campaign.slug, battle.brief.id])


def _page_of_question(campaign: Campaign, seat: Seat) -> str:
    question = selectors.state_now(campaign).question
    asked = question is not None and question.side == seat.role
    return reverse("live", args=[campaign.slug]) if asked else ""


def _page_of_sheet(campaign: Campaign, seat: Seat) -> str:
    sheet = sheet_of(campaign, seat, campaign.month)
    to_write = sheet is None or not (sheet.submitted or sheet.begun)
    return reverse("order-sheet", args=[campaign.slug, seat.pk]) if to_write else ""


def landing(user: User) -> str:
    """Return where somebody goes who logs in: to the one thing that waits, else the front page."""
    waiting = [entry.page for entry in register(user) if entry.page]
    waiting += [reverse("fight", args=[one.uuid]) for one in battles.selectors.waiting_for(user)]
    return waiting[0] if len(waiting) == 1 else reverse("front")


def title_of(slug: str) -> str:
    """The title of a scenario; the slug of one that is gone."""
    try:
        return scenario(slug).title
    except UnknownScenario:
        return slug


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    form = NewCampaign(
        request.user, request.POST or None, initial={"tables": request.GET.get("tables")}
    )
    due = Deadlines(request.POST if "with_deadlines" in request.POST else None, prefix="due")
    wrong = bool(form.errors) or bool(due.errors)
    if isinstance(request.user, User) and form.is_valid() and not wrong:
        created = _create(request.user, form, due)
        if created is not None:
            staff_sets_up(created.pk)
            messages.success(request, f"{created.title} begins. You are its umpire.")
            return redirect(*_where_next(created))
    context = {
        "here": "front",
        "form": form,
        "due": due,
        "scenarios": _choices(form),
        "modes": [(*mode, mode[0] == form["mode"].value()) for mode in MODES],
    }
    status = 400 if form.errors or wrong else 200
    return render(request, "campaign/new.html", context, status=status)


def _where_next(campaign: Campaign) -> tuple[str, str]:
    """To the seats, where players are still to be invited; else to the campaign."""
    vacant = campaign.seats.filter(user=None, staff=False)
    return ("seats" if vacant.exists() else "campaign"), campaign.slug


def _create(user: User, form: NewCampaign, due: Deadlines) -> Campaign | None:
    """The campaign asked for; None, with the reason in the form, when it is refused."""
    given = form.cleaned_data
    seats, staff = form.played_by(user)
    dated = due.is_bound and given["mode"] == Campaign.Mode.ORDERS
    wanted = services.Wanted(
        given["scenario"],
        given["title"],
        public=given["public"],
        seats=seats,
        staff=staff,
        mode=given["mode"],
        fog=given["fog"],
        dice_by_hand=given["dice_by_hand"],
        when_ready=given["when_ready"],
        deadline_policy=msgspec.to_builtins(due.policy()) if dated else {},
        battles=given["battles"] or TABLE,
        tables=given["tables"].tables if given["tables"] else None,
    )
    try:
        return services.create_campaign(wanted, by=f"umpire:{user.get_username()}")
    except services.Refused as refused:
        form.add_error(None, str(refused))
        return None


def _choices(form: NewCampaign) -> list[tuple[Scenario, bool]]:
    """Every scenario, and whether it is the one chosen."""
    chosen = form["scenario"].value()
    return [(one, one.slug == chosen) for one in scenarios()]
