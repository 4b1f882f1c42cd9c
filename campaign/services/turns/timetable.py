"""Work out deadlines in a campaign's own time zone, and keep the one of the month being played.

A deadline falls on a full hour of local time. Where summer time begins or ends, an hour that is
skipped or shown twice is read as the later moment, so that nobody loses time. All moments passed in
and returned are in UTC.

A campaign has one open deadline, for the month being played, and none for earlier months.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from django.utils import timezone
from msgspec import Meta

from battles.core.validation import PartialReader
from campaign.models import Campaign, Deadline, Seat
from campaign.rules.prose.phrases import capitalise

if TYPE_CHECKING:
    from django.db.models import QuerySet


LONGEST_MONTH = 92
"""The most days a month may take."""
Hours = Annotated[int, Meta(ge=0, le=LONGEST_MONTH * 24)]
AN_HOUR = timedelta(hours=1)
HALF_A_DAY = timedelta(hours=12)
NoShow = Literal["hold", "staff"]


class PolicyError(ValueError):
    """An invalid deadline policy; the message names the wrong part and the valid values.

    `field` is the wrong field of the policy, empty where no one field is wrong.
    """

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(reason)
        self.field = field


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The deadline policy of a campaign: when months fall due, and what happens to no-shows.

    A month takes `days` days and falls due at `hour` o'clock in `zone`; a reminder goes out
    `reminder_hours` before. Seats that have submitted nothing get `grace_hours` more. The umpire
    may extend a deadline by `extension_ceiling_hours` in all. `no_show`: hold the month, or let the
    staff play the missing seats.
    """

    zone: str = "Europe/London"
    hour: Annotated[int, Meta(ge=0, le=23)] = 20
    days: Annotated[int, Meta(ge=1, le=LONGEST_MONTH)] = 7
    grace_hours: Hours = 24
    reminder_hours: Hours = 24
    extension_ceiling_hours: Hours = 96
    no_show: NoShow = "hold"


class Stage(Enum):
    """A stage in the life of a deadline."""

    OPEN = "open"
    NEAR = "near"
    GRACE = "grace"
    OVER = "over"
    PAUSED = "paused"


class Clock(msgspec.Struct, frozen=True):
    """A deadline: its moments (UTC), the minutes it was extended by, and when it was paused."""

    due: datetime
    grace_until: datetime
    extended: int = 0
    paused: datetime | None = None


def policy_in(stored: Mapping[str, Any]) -> Policy | None:
    """Return the campaign's stored policy; None where it has no deadlines. Raises PolicyError."""
    if not stored:
        return None
    reader = PartialReader()
    policy = reader.read(stored, Policy)
    if reader.wrong:
        fault = reader.wrong[0].sentence
        raise PolicyError(f"The deadlines of the campaign cannot be read: {fault}")
    return check_policy(policy)


def check_policy(policy: Policy) -> Policy:
    """Return the policy if there is its time zone. Raises PolicyError."""
    try:
        ZoneInfo(policy.zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise PolicyError(
            f"There is no time zone {policy.zone!r}: name it like Europe/London or "
            "Africa/Khartoum.",
            "zone",
        ) from error
    return policy


def clock_of_month(policy: Policy, began: datetime) -> Clock:
    """Return the deadline of a month that began then: the policy's hour nearest to its end."""
    wall = began.astimezone(ZoneInfo(policy.zone)).replace(tzinfo=None)
    return _with_grace(
        policy, _next_due_hour(policy, wall + timedelta(days=policy.days) - HALF_A_DAY)
    )


def _next_due_hour(policy: Policy, earliest: datetime) -> datetime:
    """Return the first moment from `earliest` on when local time shows the policy's hour."""
    candidate = earliest.replace(hour=policy.hour, minute=0, second=0, microsecond=0)
    return moment(
        candidate if candidate >= earliest else candidate + timedelta(days=1), policy.zone
    )


def _with_grace(policy: Policy, due: datetime, extended: int = 0) -> Clock:
    return Clock(due, due + timedelta(hours=policy.grace_hours), extended)


def moment(wall: datetime, zone: str) -> datetime:
    """Return the moment in UTC of a local time: the later one where it is skipped or ambiguous.

    >>> moment(datetime(2026, 3, 29, 1, 30), "Europe/London").isoformat()
    '2026-03-29T01:30:00+00:00'
    """
    local_time = wall.replace(tzinfo=ZoneInfo(zone))
    return max(local_time.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def local_time_text(at: datetime, zone: str) -> str:
    """Return a moment in words, in local time.

    >>> local_time_text(datetime(2026, 6, 4, 19, tzinfo=UTC), "Europe/London")
    'Thursday 4 June 2026, 20:00 (Europe/London)'
    """
    return f"{at.astimezone(ZoneInfo(zone)):%A %-d %B %Y, %H:%M} ({zone})"


def stage(policy: Policy, clock: Clock, now: datetime) -> Stage:
    """Return the stage the deadline has reached at `now`."""
    if clock.paused is not None:
        return Stage.PAUSED
    if now >= clock.due:
        return Stage.GRACE if now < clock.grace_until else Stage.OVER
    return Stage.NEAR if now >= clock.due - timedelta(hours=policy.reminder_hours) else Stage.OPEN


def is_reminded(policy: Policy, deadline: Deadline) -> bool:
    """Return whether the reminder of this deadline has gone out; one for an earlier due is none."""
    if deadline.reminded is None:
        return False
    return deadline.reminded >= deadline.due - timedelta(hours=policy.reminder_hours)


def reminder_key(deadline: Deadline) -> str:
    """Return a key for what is to be said of the deadline by now, or "" if nothing.

    There is a reminder to send, or a later due to name: extended or resumed after its reminder, the
    deadline has another key at once, and one more when it is near again.
    """
    if deadline.paused is not None or not (deadline.reminded or deadline.extended):
        return ""
    moments = (deadline.due, deadline.reminded)
    stamps = [f"{at.astimezone(UTC):%Y%m%d%H%M}" for at in moments if at is not None]
    return ".".join([str(deadline.branch), str(deadline.month), *stamps])


def left_to_extend(policy: Policy, clock: Clock) -> int:
    """Return the minutes by which the deadline may still be extended."""
    return max(0, policy.extension_ceiling_hours * 60 - clock.extended)


def extend_deadline(policy: Policy, clock: Clock, minutes: int) -> Clock:
    """Return the deadline `minutes` later; a paused one stays paused.

    Raises PolicyError beyond the ceiling.
    """
    if minutes < 1:
        raise PolicyError("A deadline is extended by an hour at least; it is never moved forward.")
    left = left_to_extend(policy, clock)
    if minutes > left:
        hours = policy.extension_ceiling_hours
        raise PolicyError(
            f"This deadline may be extended by {hours} hour{'' if hours == 1 else 's'} in all "
            f"(left: {left // 60}). Pause the campaign if it needs longer."
        )
    later = _with_grace(policy, clock.due + timedelta(minutes=minutes), clock.extended + minutes)
    return msgspec.structs.replace(later, paused=clock.paused)


def pause_deadline(clock: Clock, now: datetime) -> Clock:
    """Return the deadline paused from `now`; a paused one is returned unchanged."""
    if clock.paused is not None:
        return clock
    return msgspec.structs.replace(clock, paused=now)


def resume_deadline(policy: Policy, clock: Clock, now: datetime) -> Clock:
    """Return the deadline running again, with the time that was left, rounded up to its hour.

    One that was paused for less than an hour and is not due yet is unchanged. Otherwise at least
    half a day is left, even if it was overdue when it was paused, so that nobody is late at once.
    """
    if clock.paused is None:
        return clock
    if now - clock.paused < AN_HOUR and now < clock.due:
        return msgspec.structs.replace(clock, paused=None)
    left = max(HALF_A_DAY, clock.due - clock.paused)
    wall = (now + left).astimezone(ZoneInfo(policy.zone)).replace(tzinfo=None)
    return _with_grace(policy, _next_due_hour(policy, wall), clock.extended)


def open_deadline(campaign: Campaign) -> Deadline | None:
    """Open the deadline of the campaign's month, close every other, and return the open one.

    Return None where the campaign has no deadlines or is over. Call it in the transaction in which
    the month begins, so that the one is never seen without the other.
    """
    policy = policy_of(campaign)
    runs = policy is not None and not campaign.finished
    _close_others(campaign, standing=runs)
    if policy is None or not runs:
        return None
    clock = _opening_clock(campaign, policy, timezone.now())
    deadline, _ = Deadline.objects.get_or_create(
        campaign=campaign,
        branch=campaign.branch,
        month=campaign.month,
        defaults={"due": clock.due, "grace_until": clock.grace_until, "paused": clock.paused},
    )
    return deadline


def reopen(campaign: Campaign) -> None:
    """Delete a closed deadline of this month, so that the month may get another."""
    closed = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month)
    closed.exclude(done=None).delete()


def policy_of(campaign: Campaign) -> Policy | None:
    """Return the campaign's deadline policy, or None where the umpire runs the months."""
    if campaign.mode != Campaign.Mode.ORDERS:
        return None
    return policy_in(campaign.deadline_policy)


def _opening_clock(campaign: Campaign, policy: Policy, now: datetime) -> Clock:
    """Return the clock of a month that begins now, paused while the campaign is adjourned."""
    clock = clock_of_month(policy, now)
    return pause_deadline(clock, now) if campaign.adjourned else clock


def _close_others(campaign: Campaign, *, standing: bool) -> None:
    others: QuerySet[Deadline] = campaign.deadlines.filter(done=None)
    if standing:
        others = others.exclude(branch=campaign.branch, month=campaign.month)
    others.update(done=timezone.now())


def standing_deadline(campaign: Campaign) -> Deadline | None:
    """Return the open deadline of the month being played, if there is one."""
    if policy_of(campaign) is None or campaign.finished:
        return None
    deadlines = campaign.deadlines.filter(branch=campaign.branch, month=campaign.month, done=None)
    return deadlines.first()


def due_now(campaign: Campaign) -> datetime | None:
    """Return when the orders of the month are due; None where no clock runs."""
    deadline = standing_deadline(campaign)
    return deadline.due if deadline is not None and deadline.paused is None else None


def due_in_words(campaign: Campaign) -> str:
    """Return `due on Thursday 4 June 2026, 20:00 (Europe/London)`, or "" where no clock runs."""
    due, policy = due_now(campaign), policy_of(campaign)
    if due is None or policy is None:
        return ""
    return f"due on {local_time_text(due, policy.zone)}"


def due_notice(campaign: Campaign) -> str:
    """Return as a sentence when the orders of the month are due; "" without deadlines."""
    if due := due_in_words(campaign):
        return f"{capitalise(due)}."
    return "The clock is stopped." if standing_deadline(campaign) is not None else ""


def hold_notice(campaign: Campaign, seat: Seat) -> str:
    """Return why the seat's orders are not written, or not carried out now; "" if nothing is up."""
    if campaign.finished:
        return "The campaign is over: no more orders are written."
    if seat.staff:
        return (
            "The computer’s staff plays this seat: you cannot write orders until the umpire "
            "returns it to you."
        )
    if campaign.adjourned:
        return (
            "The campaign is adjourned until its umpire resumes it. What you write meanwhile is "
            "kept."
        )
    return ""


def clock_of(deadline: Deadline) -> Clock:
    """Return the stored deadline as a Clock."""
    return Clock(deadline.due, deadline.grace_until, deadline.extended, deadline.paused)


def save_clock(deadline: Deadline, clock: Clock) -> None:
    """Save the clock's values in the deadline."""
    deadline.due, deadline.grace_until = clock.due, clock.grace_until
    deadline.extended, deadline.paused = clock.extended, clock.paused
    deadline.save(update_fields=["due", "grace_until", "extended", "paused"])
