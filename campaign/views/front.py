"""The front page: what Sirdar is, and the register of the campaigns one may see."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaign import fog, selectors, services
from campaign.forms import NewCampaign
from campaign.models import Campaign
from campaign.rules.pieces import Month, month_name
from campaign.rules.scenario import Scenario, UnknownScenario, scenario, scenarios
from campaign.rules.state import TABLE
from campaign.views import sheet


class RegisterEntry(NamedTuple):
    """A campaign as the register has it."""

    campaign: Campaign
    scenario: str
    month: str
    roles: list[str]
    waiting_for: str

    @property
    def needs(self) -> bool:
        """Whether it waits for this visitor."""
        mine = {"umpire", self.campaign.side}
        return not self.campaign.finished and not mine.isdisjoint(self.roles)


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "campaign/front.html",
        {
            "here": "front",
            "register": list(register(request.user)),
            "sheet": sheet.address(),
            "at": sheet.extent(),
        },
    )


def register(user: selectors.Anybody) -> Iterator[RegisterEntry]:
    """The campaigns the user may see, the newest first, with the seats he has in each."""
    for campaign in selectors.campaigns_for(user).prefetch_related("seats"):
        yield RegisterEntry(
            campaign,
            title_of(campaign.scenario),
            month_name(Month(campaign.month)),
            [
                seat.role
                for seat in campaign.seats.all()
                if seat.user_id and seat.user_id == user.pk
            ],
            fog.waiting_for(campaign, fog.viewer_of(user, campaign)),
        )


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
    if isinstance(request.user, User) and form.is_valid():
        created = _create(request.user, form)
        if created is not None:
            messages.success(request, f"{created.title} begins. You are its umpire.")
            return redirect("campaign", created.slug)
    context = {"here": "front", "form": form, "scenarios": _choices(form)}
    return render(request, "campaign/new.html", context, status=400 if form.errors else 200)


def _create(user: User, form: NewCampaign) -> Campaign | None:
    """The campaign asked for; None, with the reason in the form, when it is refused."""
    given = form.cleaned_data
    wanted = services.Wanted(
        given["scenario"],
        given["title"],
        public=given["public"],
        seats={"umpire": user},
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
