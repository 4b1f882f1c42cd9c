"""When a month runs: dates and hours in the campaign's own zone, worked out and nothing else.

A deadline falls on a full hour of the clock on the wall. An hour that this clock leaps over or
shows twice, when summer time begins or ends, is read as the later of what it can mean: nobody
loses time by it. Every moment given and given back is in UTC.

Which deadline stands: one for the month that is played, and none for what is behind.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from django.utils import timezone

from battles.core.decoding import convert_to
from campaign.models import Campaign, Deadline

if TYPE_CHECKING:
    from django.db.models import QuerySet


LONGEST = 92
"""Days to a month at the most; a club that takes longer has no deadline."""
AN_HOUR = timedelta(hours=1)
HALF_A_DAY = timedelta(hours=12)
NoShow = Literal["hold", "staff"]


class PolicyError(ValueError):
    """A policy that cannot be kept: its message says which part of it, and what can be."""


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a month may take, by which clock, and what becomes of whoever is late.

    `days` from month to month, at `hour` o'clock in `zone`; a reminder so many hours before;
    afterwards `grace_hours` for whoever has submitted nothing; extensions of all in all
    `extension_ceiling_hours`. `no_show`: the month is held, or the staff plays it for him.
    """

    zone: str = "Europe/London"
    hour: int = 20
    days: int = 7
    grace_hours: int = 24
    reminder_hours: int = 24
    extension_ceiling_hours: int = 96
    no_show: NoShow = "hold"


class Stage(Enum):
    """How far a deadline has come."""

    OPEN = "open"
    NEAR = "near"
    GRACE = "grace"
    OVER = "over"
    PAUSED = "paused"


class Clock(msgspec.Struct, frozen=True):
    """A deadline: its moments, how many minutes it was extended by, and since when it stands."""

    due: datetime
    grace_until: datetime
    extended: int = 0
    paused: datetime | None = None


def policy_in(stored: Mapping[str, Any]) -> Policy | None:
    """Return the policy a campaign keeps; None where it has no deadlines. Raises PolicyError."""
    if not stored:
        return None
    try:
        policy = convert_to(stored, Policy)
    except msgspec.ValidationError as error:
        raise PolicyError(f"The deadlines of the campaign cannot be read: {error}.") from error
    return checked(policy)


def checked(policy: Policy) -> Policy:
    """Return the policy, if it can be kept. Raises PolicyError."""
    try:
        ZoneInfo(policy.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise PolicyError(
            f"There is no time zone {policy.zone!r}: name it like Europe/London or Africa/Khartoum."
        ) from error
    _within("hour", policy.hour, 0, 23)
    _within("days", policy.days, 1, LONGEST)
    for name in ("grace_hours", "reminder_hours", "extension_ceiling_hours"):
        _within(name, getattr(policy, name), 0, LONGEST * 24)
    return policy


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        said = name.replace("_", " ")
        raise PolicyError(f"The {said} of a deadline must be from {least} to {most}, not {value}.")


def opened(policy: Policy, began: datetime) -> Clock:
    """Return the deadline of a month that began then: the hour nearest to so many days later."""
    wall = began.astimezone(ZoneInfo(policy.zone)).replace(tzinfo=None)
    return _with_grace(policy, _o_clock(policy, wall + timedelta(days=policy.days) - HALF_A_DAY))


def _o_clock(policy: Policy, earliest: datetime) -> datetime:
    """Return the first time, from then on, at which the clock on the wall shows the hour."""
    at = earliest.replace(hour=policy.hour, minute=0, second=0, microsecond=0)
    return moment(at if at >= earliest else at + timedelta(days=1), policy.zone)


def _with_grace(policy: Policy, due: datetime, extended: int = 0) -> Clock:
    return Clock(due, due + timedelta(hours=policy.grace_hours), extended)


def moment(wall: datetime, zone: str) -> datetime:
    """What the clock on the wall of that zone means, in UTC: the later, where it means two things.

    >>> moment(datetime(2026, 3, 29, 1, 30), "Europe/London").isoformat()
    '2026-03-29T01:30:00+00:00'
    """
    there = wall.replace(tzinfo=ZoneInfo(zone))
    return max(there.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def local_time_text(at: datetime, zone: str) -> str:
    """What the clock on the wall of that zone shows then.

    >>> in_words(datetime(2026, 6, 4, 19, tzinfo=UTC), "Europe/London")
    'Thursday 4 June 2026, 20:00 (Europe/London)'
    """
    return f"{at.astimezone(ZoneInfo(zone)):%A %-d %B %Y, %H:%M} ({zone})"


def stage(policy: Policy, clock: Clock, now: datetime) -> Stage:
    """Return how far the deadline has come by then."""
    if clock.paused is not None:
        return Stage.PAUSED
    if now >= clock.due:
        return Stage.GRACE if now < clock.grace_until else Stage.OVER
    return Stage.NEAR if now >= reminder_at(policy, clock) else Stage.OPEN


def reminder_at(policy: Policy, clock: Clock) -> datetime:
    """When those who have not submitted are reminded."""
    return clock.due - timedelta(hours=policy.reminder_hours)


def left_to_extend(policy: Policy, clock: Clock) -> int:
    """By how many minutes more the deadline may be extended."""
    return max(0, policy.extension_ceiling_hours * 60 - clock.extended)


def extended(policy: Policy, clock: Clock, minutes: int) -> Clock:
    """Return the deadline so many minutes later; one that stands still stands still.

    Raises PolicyError beyond the ceiling.
    """
    if minutes < 1:
        raise PolicyError("A deadline is extended by an hour at least; it is never moved forward.")
    left = left_to_extend(policy, clock)
    if minutes > left:
        raise PolicyError(
            f"This deadline may be extended by {policy.extension_ceiling_hours} hours in all, and "
            f"{left // 60} of them are left. Pause the campaign if it needs longer."
        )
    later = _with_grace(policy, clock.due + timedelta(minutes=minutes), clock.extended + minutes)
    return msgspec.structs.replace(later, paused=clock.paused)


def paused(clock: Clock, now: datetime) -> Clock:
    """Return the deadline standing still from then on; one that stands still already is as it was."""
    if clock.paused is not None:
        return clock
    return msgspec.structs.replace(clock, paused=now)


def resumed(policy: Policy, clock: Clock, now: datetime) -> Clock:
    """Return the deadline going on: with the time that was left, up to its hour of the day.

    One that stood still for less than an hour, and is not due yet, is where it was. Otherwise
    nobody is late at once: half a day is left at least, whatever was overdue when it was stopped.
    """
    if clock.paused is None:
        return clock
    if now - clock.paused < AN_HOUR and now < clock.due:
        return msgspec.structs.replace(clock, paused=None)
    left = max(HALF_A_DAY, clock.due - clock.paused)
    wall = (now + left).astimezone(ZoneInfo(policy.zone)).replace(tzinfo=None)
    return _with_grace(policy, _o_clock(policy, wall), clock.extended)


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


def reopen(campaign: Campaign) -> None:
    """A deadline of this month that was closed is forgotten: the month may get another."""
    closed = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month)
    closed.exclude(done=None).delete()


def policy_of(campaign: Campaign) -> Policy | None:
    """By what the months of the campaign fall due; None where they run when the umpire says so."""
    if campaign.mode != Campaign.Mode.ORDERS:
        return None
    return policy_in(campaign.deadline_policy)


def _opening(campaign: Campaign, policy: Policy, now: datetime) -> Clock:
    """Return the clock of a month that begins now; it stands still while the campaign is adjourned."""
    clock = opened(policy, now)
    return paused(clock, now) if campaign.adjourned else clock


def _close_others(campaign: Campaign, *, standing: bool) -> None:
    others: QuerySet[Deadline] = campaign.deadlines.filter(done=None)
    if standing:
        others = others.exclude(branch=campaign.branch, month=campaign.month)
    others.update(done=timezone.now())


def standing(campaign: Campaign) -> Deadline | None:
    """Return the deadline of the month that is played; None where there is none, or it is over."""
    if policy_of(campaign) is None or campaign.finished:
        return None
    mine = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month, done=None)
    return mine.first()


def due_in_words(campaign: Campaign) -> str:
    """`due on Thursday 4 June 2026, 20:00 (Europe/London)`; nothing where no clock runs."""
    deadline, policy = standing(campaign), policy_of(campaign)
    if deadline is None or policy is None or deadline.paused is not None:
        return ""
    return f"due on {local_time_text(deadline.due, policy.zone)}"


def clock_of(deadline: Deadline) -> Clock:
    """Return the deadline as arithmetic has it."""
    return Clock(deadline.due, deadline.grace_until, deadline.extended, deadline.paused)


def set_to(deadline: Deadline, clock: Clock) -> None:
    """Write down where the clock stands now."""
    deadline.due, deadline.grace_until = clock.due, clock.grace_until
    deadline.extended, deadline.paused = clock.extended, clock.paused
    deadline.save(update_fields=["due", "grace_until", "extended", "paused"])
