"""The umpire's console: the map, the worklist, the clock, the dice, the seats, and what to do."""

from datetime import timedelta
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign import deadlines, selectors
from campaign.attendance import Attendance, attendance, name_of
from campaign.deadlines import Policy, Stage
from campaign.models import Campaign, Deadline, Seat
from campaign.rules.core.pieces import Month
from campaign.rules.prose.questions import describe_phase
from campaign.rules.sight import Onlooker
from campaign.services import by_hand, playable, timetable
from campaign.services.deadlines import in_words
from campaign.umpire_forms import Account, Deadlines, Ending
from campaign.views.chart import Chart
from campaign.views.worklist import worklist

MINUTES_SHOWN = 6


class Clockface(NamedTuple):
    """The deadline as the console shows it, in its own zone."""

    deadline: Deadline
    policy: Policy
    stage: Stage
    due: str
    grace: str
    left: str
    let_go: str
    """When it would be due were the clock stopped now and let go on at once."""

    to_extend: int
    """Hours by which it may still be extended."""

    @property
    def later(self) -> int:
        """Hours by which it has been extended."""
        return self.deadline.extended // 60


class Chair(NamedTuple):
    """A seat as the console shows it."""

    attendance: Attendance
    name: str

    @property
    def seat(self) -> Seat:
        return self.attendance.seat


@require_safe
@never_cache
def console(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = campaign_of(request, slug)
    return show(request, campaign)


def campaign_of(request: HttpRequest, slug: str) -> Campaign:
    """The campaign, for an umpire of it. NotVisible, or PermissionDenied for anybody else."""
    campaign = selectors.campaign_for(request.user, slug)
    if not isinstance(request.user, User) or not selectors.may_advance(request.user, campaign):
        raise PermissionDenied("Only an umpire of this campaign has its console.")
    return campaign


def show(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The console as it stands."""
    chart = Chart(campaign, Month(campaign.month), Onlooker.UMPIRE)
    state = selectors.state_now(campaign)
    context = {
        "chart": chart,
        "campaign": campaign,
        "phase": describe_phase(state),
        "sections": worklist(campaign, state, request.user),
        "job": selectors.job_under_way(campaign),
        "clock": clockface(campaign),
        "policy": timetable.policy_of(campaign),
        "policy_words": in_words(timetable.policy_of(campaign)),
        "deadlines": Deadlines(initial=campaign.deadline_policy or None),
        "throw": by_hand.waiting(campaign),
        "chairs": [Chair(one, name_of(one.seat)) for one in attendance(campaign)],
        "others": _others(campaign),
        "minutes": campaign.minutes.all()[:MINUTES_SHOWN],
        "ending": Ending(),
        "account": Account(),
        "branches": campaign.branches.count(),
        "settled": playable.is_settled(campaign),
    }
    return render(request, "campaign/console/console.html", context)


def _others(campaign: Campaign) -> list[Seat]:
    """Umpires and observers."""
    roles = [Seat.Role.UMPIRE, Seat.Role.OBSERVER]
    return list(campaign.seats.filter(role__in=roles).select_related("user").order_by("-role"))


def clockface(campaign: Campaign) -> Clockface | None:
    """How the clock of the month stands; None where there is none."""
    deadline, policy = timetable.standing(campaign), timetable.policy_of(campaign)
    if deadline is None or policy is None:
        return None
    clock, now = timetable.clock_of(deadline), timezone.now()
    return Clockface(
        deadline,
        policy,
        deadlines.stage(policy, clock, now),
        deadlines.in_words(deadline.due, policy.zone),
        deadlines.in_words(deadline.grace_until, policy.zone),
        _time_left(deadline.due - now),
        deadlines.in_words(deadlines.resumed(policy, clock, now).due, policy.zone),
        deadlines.left_to_extend(policy, clock) // 60,
    )


def _time_left(left: timedelta) -> str:
    """`3 days and 4 hours`; empty when the time is over."""
    hours = int(left.total_seconds() // 3600)
    if left.total_seconds() <= 0:
        return ""
    days, hours = divmod(hours, 24)
    parts = [f"{days} day{'' if days == 1 else 's'}"] if days else []
    parts += [f"{hours} hour{'' if hours == 1 else 's'}"] if hours or not days else []
    return " and ".join(parts) if days or hours else "less than an hour"
