"""Run months when their deadlines pass, and let umpires extend, pause and change deadlines.

A worker checks every minute. It claims a deadline before it acts on it and decides in one
transaction; if it dies in between, the next check takes the deadline over. The same check resumes
the work that a killed process or a broker that lost its messages has left.
"""

import secrets
from datetime import datetime
from functools import partial
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from battles import journal
from battles.models import Battle
from battles.signals import battle_reported
from campaign.access import selectors
from campaign.models import AT_TABLE, Campaign, Deadline, Job
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import TABLETOP
from campaign.services.attendance import Attendance, late, name_of
from campaign.services.comparisons import take_up_benches, take_up_comparisons
from campaign.services.errors import OUT_OF_REACH, Refused, Stale, UnfitRequest, describe_trouble
from campaign.services.inquiries import take_up_inquiries
from campaign.services.job_lease import lease_expired, send
from campaign.services.journal import dice
from campaign.services.pending_battle import owner_of
from campaign.services.turns import timetable
from campaign.services.turns.advance_jobs import (
    TASK,
    book_advance,
    resume_after_battle,
    resume_orphaned_jobs,
)
from campaign.services.turns.timetable import Clock, Policy, PolicyError, Stage
from campaign.services.umpire.rulings import lock_as_umpire, log_entry, reason_given
from ops.sweeps import sweep

CLOCK = "clock"
"""The signature of log entries that a deadline makes by itself."""


class DeadlineOutcome(NamedTuple):
    """A deadline that was checked, and a sentence about the result."""

    deadline: Deadline
    text: str


def keep_deadlines() -> list[DeadlineOutcome]:
    """Send due reminders, run due months and resume orphaned work. Idempotent."""
    resume_orphans()
    now = timezone.now()
    waiting = Deadline.objects.filter(done=None, paused=None, campaign__adjourned=False)
    outcomes = sweep(waiting.select_related("campaign"), partial(_act_if_due, now))
    return [outcome for outcome in outcomes if outcome is not None]


def _act_if_due(now: datetime, deadline: Deadline) -> DeadlineOutcome | None:
    """Act on the deadline if anything is due and no other worker has claimed it."""
    policy = timetable.policy_of(deadline.campaign)
    if policy is None:
        return None
    reached = timetable.stage(policy, timetable.clock_of(deadline), now)
    if reached is Stage.OPEN or (reached is Stage.NEAR and timetable.is_reminded(policy, deadline)):
        return None
    if not _claim_deadline(deadline, now):
        return None
    try:
        outcome = _carry_out(deadline)
    except Refused as refused:
        outcome = DeadlineOutcome(deadline, str(refused))
    except OUT_OF_REACH as trouble:
        return DeadlineOutcome(deadline, describe_trouble(trouble))
    Deadline.objects.filter(pk=deadline.pk, claim=deadline.claim).update(claim="", claimed=None)
    return outcome


def _claim_deadline(deadline: Deadline, now: datetime) -> bool:
    """Claim the deadline, unless another worker holds it and its lease has not expired."""
    deadline.claim = secrets.token_hex(16)
    free = Q(claim="") | lease_expired("claimed", now)
    rows = Deadline.objects.filter(free, pk=deadline.pk, done=None)
    return bool(rows.update(claim=deadline.claim, claimed=now))


@transaction.atomic
def _carry_out(seen: Deadline) -> DeadlineOutcome | None:
    """Lock the campaign, check the deadline again, and remind, run the month or do nothing.

    The umpire may have extended it, stopped its clock or changed the policy meanwhile.
    """
    campaign = journal.lock_record(Campaign.objects.all(), seen.campaign_id)
    deadline, policy = timetable.standing_deadline(campaign), timetable.policy_of(campaign)
    if deadline is None or policy is None or deadline != seen:
        Deadline.objects.filter(pk=seen.pk).update(done=timezone.now())
        return None
    now = timezone.now()
    reached = timetable.stage(policy, timetable.clock_of(deadline), now)
    absent = late(campaign)
    if reached is Stage.NEAR:
        return _remind(policy, deadline, absent, now)
    if reached in (Stage.OPEN, Stage.PAUSED) or campaign.awaited == AT_TABLE:
        return None
    if absent and reached is Stage.GRACE:
        return None
    if absent and policy.no_show == "hold":
        return None
    _log_absent_seats(campaign, absent)
    return _run(campaign, deadline, now)


def _remind(
    policy: Policy, deadline: Deadline, absent: list[Attendance], now: datetime
) -> DeadlineOutcome | None:
    """Mark the deadline as reminded, once; again if it was moved out of the reminder's time."""
    if timetable.is_reminded(policy, deadline):
        return None
    deadline.reminded = now
    deadline.save(update_fields=["reminded"])
    return DeadlineOutcome(deadline, f"{len(absent)} reminded.")


def _log_absent_seats(campaign: Campaign, absent: list[Attendance]) -> None:
    """Log each seat that sent no orders and whose month the staff plays, as the policy says."""
    for attendance in absent:
        seat_name = name_of(attendance.seat)
        log_entry(campaign, CLOCK, f"No orders came from {seat_name}: the staff plays their month.")


def _run(campaign: Campaign, deadline: Deadline, now: datetime) -> DeadlineOutcome:
    job = book_advance(campaign.pk, expected_month=campaign.month)
    deadline.done = now
    deadline.save(update_fields=["done"])
    log_entry(campaign, CLOCK, f"{month_name(Month(campaign.month))} was due, and runs.")
    transaction.on_commit(partial(send, TASK, job))
    return DeadlineOutcome(deadline, "The month runs.")


@transaction.atomic
def extend(campaign_id: int, user: User, hours: int, *, seen: int, reason: str) -> Deadline:
    """Extend the deadline by some hours.

    `seen` is the extension in minutes when the umpire looked, so that a button pressed twice
    extends only once. Raises NotAllowed, UnfitRequest beyond the ceiling or without a reason, and
    Stale.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    deadline, policy = _open_deadline(campaign)
    reason_text = reason_given(reason)
    if deadline.extended != seen:
        raise Stale("The deadline has been extended since you looked; look again first.")
    _move(policy, deadline, _extended_clock(policy, deadline, hours))
    log_entry(campaign, actor, f"{describe_extension(campaign, hours)} {reason_text}")
    return deadline


def _move(policy: Policy, deadline: Deadline, clock: Clock) -> None:
    """Save the clock. One that is moved and still near needs no reminder beside that news."""
    now = timezone.now()
    if clock.due != deadline.due and timetable.stage(policy, clock, now) is Stage.NEAR:
        deadline.reminded = now
        deadline.save(update_fields=["reminded"])
    timetable.save_clock(deadline, clock)


def describe_extension(campaign: Campaign, hours: int) -> str:
    """Return in words that the deadline is later, and its hour unless the clock is stopped."""
    later = f"The deadline is {hours} hour{'' if hours == 1 else 's'} later"
    due = timetable.due_in_words(campaign)
    return f"{later}: it is {due}." if due else f"{later}; the clock is stopped."


def _extended_clock(policy: Policy, deadline: Deadline, hours: int) -> Clock:
    try:
        return timetable.extend_deadline(policy, timetable.clock_of(deadline), hours * 60)
    except PolicyError as error:
        raise UnfitRequest(str(error), "extended_hours") from error


@transaction.atomic
def pause(campaign_id: int, user: User, *, reason: str) -> Deadline:
    """Stop the clock until it is resumed. Raises as `extend`."""
    campaign, actor = lock_as_umpire(campaign_id, user)
    deadline, _ = _open_deadline(campaign)
    reason_text = reason_given(reason)
    if deadline.paused is None:
        timetable.save_clock(
            deadline, timetable.pause_deadline(timetable.clock_of(deadline), timezone.now())
        )
        log_entry(campaign, actor, f"The clock is stopped. {reason_text}")
    return deadline


@transaction.atomic
def resume_clock(campaign_id: int, user: User) -> Deadline:
    """Resume the clock with the time that was left. Raises as `extend`."""
    campaign, actor = lock_as_umpire(campaign_id, user)
    deadline, _ = _open_deadline(campaign)
    if campaign.adjourned:
        raise Refused("The campaign is adjourned: resume it, and its clock goes on.")
    if deadline.paused is not None:
        resume(campaign, deadline)
        log_entry(
            campaign, actor, f"The clock goes on: the month is {timetable.due_in_words(campaign)}."
        )
    return deadline


def resume(campaign: Campaign, deadline: Deadline) -> None:
    """Resume the clock from now; the caller has locked the campaign."""
    policy = timetable.policy_of(campaign)
    if policy is not None:
        clock = timetable.clock_of(deadline)
        _move(policy, deadline, timetable.resume_deadline(policy, clock, timezone.now()))


@transaction.atomic
def set_policy(campaign_id: int, user: User, policy: Policy | None) -> Campaign:
    """Set the deadline policy from now on; None ends deadlines, and the umpire runs the months.

    A deadline that stands stays where it is, under the new grace and ceiling. Raises NotAllowed,
    and UnfitRequest for an invalid policy or a campaign without order sheets.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    campaign.deadline_policy = policy_as_stored(policy, campaign.mode, "policy")
    campaign.save(update_fields=["deadline_policy"])
    if not selectors.job_under_way(campaign):
        timetable.reopen(campaign)
    timetable.open_deadline(campaign)
    log_entry(campaign, actor, f"Orders are due {describe_policy(policy)}.")
    return campaign


def policy_as_stored(policy: Policy | None, mode: str, field: str) -> dict[str, object]:
    """Return the policy as a campaign stores it; `field` is that of a request's body.

    Raises UnfitRequest for an invalid policy, or a campaign without order sheets.
    """
    if policy is None:
        return {}
    if mode != Campaign.Mode.ORDERS:
        message = "Only a campaign that is played by order sheets has deadlines."
        raise UnfitRequest(message, field)
    try:
        stored: dict[str, object] = msgspec.to_builtins(timetable.check_policy(policy))
    except PolicyError as error:
        raise UnfitRequest(str(error), f"{field}/{error.field}".rstrip("/")) from error
    return stored


def describe_policy(policy: Policy | None) -> str:
    """Return the policy in words: `every 7 days at 20:00 (Europe/London)`."""
    if policy is None:
        return "when the umpire says so"
    days = "every day" if policy.days == 1 else f"every {policy.days} days"
    return f"{days} at {policy.hour:02d}:00 ({policy.zone})"


def _open_deadline(campaign: Campaign) -> tuple[Deadline, Policy]:
    deadline, policy = timetable.standing_deadline(campaign), timetable.policy_of(campaign)
    if deadline is None or policy is None:
        raise UnfitRequest("No deadline is running in this campaign.")
    return deadline, policy


def resume_orphans() -> int:
    """Send again all work that no worker holds; return the number of jobs. Idempotent.

    This is work that was never begun, work whose worker is gone, battles that are over and not
    reported, and months that stopped at a battle or at dice that have been settled since.
    """
    long = take_up_benches() + take_up_comparisons() + take_up_inquiries()
    return resume_orphaned_jobs() + long + _report_battles() + _resume_settled_months()


def _report_battles() -> int:
    """Report battles again whose process died before it reported them; return how many."""
    waiting = Campaign.objects.filter(finished=False, throw=None).exclude(battle="")
    awaited = {(owner_of(campaign), campaign.battle) for campaign in waiting.only("slug", "battle")}
    over = Battle.objects.filter(brief_id__in={battle for _, battle in awaited})
    left = [
        battle
        for battle in over.exclude(reported=None)
        if (battle.owner, battle.brief_id) in awaited
    ]
    for battle in left:
        # One that fails is logged, and keeps nobody else's work waiting.
        battle_reported.send_robust(sender=Battle, battle=battle)
    return len(left)


def _resume_settled_months() -> int:
    """Resume months whose battle or dice were settled by a process that died before it did so."""
    stopped = Job.objects.filter(
        status=Job.Status.SUCCEEDED,
        until__gt=F("campaign__month"),
        campaign__finished=False,
        campaign__adjourned=False,
    )
    waiting = stopped.exclude(battle="").exclude(battle=F("campaign__battle"))
    return sum(sweep(waiting.select_related("campaign"), _resume_if_settled))


def _resume_if_settled(job: Job) -> bool:
    """Resume the campaign's last job if what it stopped at is settled; return whether it was.

    That is a battle, or dice, not awaited any more, unless a rewind has led to another branch. The
    number of a battle ends in the branch it was begun on.
    """
    campaign = job.campaign
    if job.battle == dice.DICE:
        rewound = campaign.branches.filter(created__gt=job.finished).exists()
        settled = dice.waiting_throw(campaign) is None and not rewound
    else:
        settled = campaign.battle != job.battle and job.battle.endswith(f"-{campaign.branch}")
    if campaign.jobs.first() != job or not settled:
        return False
    return resume_after_battle(campaign.pk, job.battle) is not None


def resume_months(campaign_id: int) -> bool:
    """Resume the months of a campaign that was adjourned; return whether any go on.

    They have stopped at a battle that was settled, or left to a book, or at dice that were dropped
    for a ruling or for the campaign's own, during the adjournment.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    last, question = campaign.jobs.first(), selectors.state_now(campaign).question
    if isinstance(question, ToFight):
        live = campaign.mode == Campaign.Mode.LIVE
        stopped = live or (last is not None and last.battle == campaign.battle)
        if question.resolution == TABLETOP or not stopped:
            return False
        return resume_after_battle(campaign_id, campaign.battle) is not None
    return last is not None and _resume_if_settled(last)
