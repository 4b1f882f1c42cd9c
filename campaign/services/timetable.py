"""Which deadline stands: one for the month that is played, and none for what is behind."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from campaign import deadlines
from campaign.deadlines import Clock, Policy
from campaign.models import Campaign, Deadline

if TYPE_CHECKING:
    from django.db.models import QuerySet


def keep(campaign: Campaign) -> Deadline | None:
    """Open the deadline of the campaign's month, close every other; gives back the one that stands.

    None where the campaign has no deadlines, or is over. To be called in the transaction in which
    the month begins, so that nobody ever sees the one without the other.
    """
    policy = policy_of(campaign)
    runs = policy is not None and not campaign.finished
    _close_others(campaign, standing=runs)
    if policy is None or not runs:
        return None
    clock = _opening(campaign, policy, timezone.now())
    deadline, _ = Deadline.objects.get_or_create(
        campaign=campaign,
        branch=campaign.branch,
        month=campaign.month,
        defaults={"due": clock.due, "grace_until": clock.grace_until, "paused": clock.paused},
    )
    return deadline


def begin_anew(campaign: Campaign) -> None:
    """A deadline of this month that was closed is forgotten: the month may get another."""
    closed = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month)
    closed.exclude(done=None).delete()


def policy_of(campaign: Campaign) -> Policy | None:
    """By what the months of the campaign fall due; None where they run when the umpire says so."""
    if campaign.mode != Campaign.Mode.ORDERS:
        return None
    return deadlines.policy_in(campaign.deadline_policy)


def _opening(campaign: Campaign, policy: Policy, now: datetime) -> Clock:
    """The clock of a month that begins now; it stands still while the campaign is adjourned."""
    clock = deadlines.opened(policy, now)
    return deadlines.paused(clock, now) if campaign.adjourned else clock


def _close_others(campaign: Campaign, *, standing: bool) -> None:
    others: QuerySet[Deadline] = campaign.deadlines.filter(done=None)
    if standing:
        others = others.exclude(branch=campaign.branch, month=campaign.month)
    others.update(done=timezone.now())


def standing(campaign: Campaign) -> Deadline | None:
    """The deadline of the month that is played; None where there is none, or it is over."""
    if policy_of(campaign) is None or campaign.finished:
        return None
    mine = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month, done=None)
    return mine.first()


def due_in_words(campaign: Campaign) -> str:
    """`due on Thursday 4 June 2026, 20:00 (Europe/London)`; nothing where no clock runs."""
    deadline, policy = standing(campaign), policy_of(campaign)
    if deadline is None or policy is None or deadline.paused is not None:
        return ""
    return f"due on {deadlines.in_words(deadline.due, policy.zone)}"


def clock_of(deadline: Deadline) -> Clock:
    """The deadline as arithmetic has it."""
    return Clock(deadline.due, deadline.grace_until, deadline.extended, deadline.paused)


def set_to(deadline: Deadline, clock: Clock) -> None:
    """Write down where the clock stands now."""
    deadline.due, deadline.grace_until = clock.due, clock.grace_until
    deadline.extended, deadline.paused = clock.extended, clock.paused
    deadline.save(update_fields=["due", "grace_until", "extended", "paused"])
