"""Jobs that advance a campaign: request one, run it in a worker, resume it after any crash."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from battles import journal
from battles.core.game import Outcome
from campaign.access import permissions, selectors
from campaign.models import Campaign, Job
from campaign.rules.core.events import PhaseBegan
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.play import MONTH
from campaign.services.errors import (
    OUT_OF_REACH,
    CampaignOver,
    NotAllowed,
    Refused,
    Stale,
    UnderWay,
    UnfitRequest,
)
from campaign.services.job_lease import (
    Claim,
    LeaseLost,
    claim,
    fail,
    is_abandoned,
    leave_to_another,
    notify_finished,
    orphans,
    renewed_lease,
    send,
    send_again,
    write_progress,
)
from campaign.services.journal import dice
from campaign.services.journal.rules_edition import check_playable
from campaign.services.turns.advance import run_month, run_phase

TASK = "campaign.tasks.advance"
MOST_MONTHS = 60
_DONE = {
    Job.Kind.BATTLE.value: "The battle has been fought.",
    Job.Kind.PHASE.value: "A phase has been played.",
}
PHASES = sum(phase is not None for _, phase, _ in MONTH)


def request_advance(
    campaign_id: int,
    user: User | None,
    *,
    months: int = 1,
    phase: bool = False,
    expected_month: int | None = None,
) -> Job:
    """Ask a worker to advance the campaign some months, or one phase, and return the job.

    A second request for the same returns the same job. `user` is None on the command line. Raises
    NotAllowed, Stale (the month is no longer `expected_month`), CampaignOver, UnderWay (another job
    is running) and UnfitRequest. If the broker cannot be reached, the job waits, with a message
    that says so, until the sweep finds it.
    """
    with transaction.atomic():
        job = book_advance(
            campaign_id, user, months=months, phase=phase, expected_month=expected_month
        )
        if job.status == Job.Status.PENDING or is_abandoned(job):
            transaction.on_commit(partial(send, TASK, job))
    job.refresh_from_db()
    return job


@transaction.atomic
def book_advance(
    campaign_id: int,
    user: User | None = None,
    *,
    months: int = 1,
    phase: bool = False,
    expected_month: int | None = None,
) -> Job:
    """Return the job that advances the campaign, found or created, but not sent to a worker."""
    if not 1 <= months <= MOST_MONTHS:
        raise UnfitRequest(f"Advance by 1 to {MOST_MONTHS} months at a time.", "months")
    months = 0 if phase else months
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    restart = user is not None and months == 1 and permissions.may_restart(user, campaign)
    if user is not None and not restart and not permissions.may_advance(user, campaign):
        raise NotAllowed("Only the umpire of this campaign may advance it.")
    if campaign.adjourned:
        raise Refused("The campaign is adjourned: resume it, then advance it.")
    check_playable(campaign)
    under_way = selectors.job_under_way(campaign)
    _check_month(campaign, under_way, expected_month)
    if under_way is not None and under_way.months == months:
        return under_way
    if under_way is not None:
        _fail_abandoned_job(under_way)
    return Job.objects.create(
        campaign=campaign,
        kind=Job.Kind.PHASE if phase else Job.Kind.ADVANCE,
        months=months,
        until=campaign.month + months,
        total=months * PHASES or 1,
        asked_by=user,
    )


def _check_month(campaign: Campaign, under_way: Job | None, expected: int | None) -> None:
    if campaign.finished:
        raise CampaignOver(f"The campaign is over: {campaign.outcome}")
    begun = campaign.month if under_way is None else under_way.until - under_way.months
    if expected is not None and expected not in (campaign.month, begun):
        raise Stale(
            f"The campaign stands at {month_name(Month(campaign.month))} by now, not at "
            f"{month_name(Month(expected))}; nothing was changed. Look again, then decide."
        )


def _fail_abandoned_job(job: Job) -> None:
    """Fail a job whose worker is gone. Raises UnderWay for one whose worker is alive."""
    if not is_abandoned(job):
        raise UnderWay(
            f"The campaign is being advanced to {month_name(Month(job.until))} already; "
            "wait until that is done."
        )
    fail(job, "Its worker had stopped, and something else was requested.")


def stop_job(user: selectors.Anybody, job: Job) -> None:
    """End the job before its next phase is written; what has been played stands.

    A job that is over stays as it is. Raises NotAllowed.
    """
    if not permissions.may_stop(user, job.campaign):
        raise NotAllowed("Only the umpire of this campaign may stop its months.")
    if job.status in Job.UNFINISHED:
        fail(job, "Stopped before its end. What was played stands, and orders are kept.")


def resume_jobs() -> int:
    """Send every unfinished job to a worker again; return how many. Idempotent."""
    return send_again(TASK, Job.objects.filter(status__in=Job.UNFINISHED))


def resume_orphaned_jobs() -> int:
    """Send every job that no worker holds to a worker again; return how many. Idempotent."""
    return send_again(TASK, orphans(Job.objects.all()))


def run_job(uuid: str | UUID, report_progress: Callable[[Job], None] = lambda job: None) -> Claim:
    """Claim the job and carry it out; return BUSY while another worker holds it.

    `report_progress` is called with the job after every phase. An error is stored in the job, with
    everything that was played before it, and raised. If only the database is out of reach, the job
    stays unfinished for another worker. A job that was stopped meanwhile stays stopped, and one
    whose campaign was deleted is gone with it.
    """
    job = Job.objects.filter(uuid=uuid, status__in=Job.UNFINISHED).first()
    if job is None:
        return Claim.NOTHING
    if not claim(job):
        return Claim.BUSY
    try:
        _carry_out(job, report_progress)
    except LeaseLost:
        return Claim.BUSY
    except journal.RecordGone:
        return Claim.NOTHING
    except Refused as refused:
        fail(job, str(refused))
        raise
    except OUT_OF_REACH as trouble:
        leave_to_another(job, trouble)
        raise
    except KeyboardInterrupt:
        fail(job, "Stopped by hand; what was played is kept.")
        raise
    except Exception as error:
        # A campaign may be deleted between any two queries: the second fails in any way.
        if not Campaign.objects.filter(pk=job.campaign_id).exists():
            return Claim.NOTHING
        fail(job, f"The program failed ({type(error).__name__}: {error}); tell the administrator.")
        raise
    return Claim.DONE


def _carry_out(job: Job, report_progress: Callable[[Job], None]) -> None:
    """Play the claimed job to its end, phase by phase."""
    run = run_phase if job.kind == Job.Kind.PHASE else partial(run_month, until=job.until)
    inside = partial(_note, job, report_progress)
    with renewed_lease(job):
        while not _finish(job, run(job.campaign_id, inside=inside)):
            pass


def _note(job: Job, report_progress: Callable[[Job], None], outcomes: list[Outcome]) -> None:
    """Add the phases played to the job's progress. Raises LeaseLost if the lease is lost."""
    phases = sum(isinstance(event, PhaseBegan) for outcome in outcomes for event in outcome.events)
    write_progress(job, progress=F("progress") + phases)
    job.progress += phases
    report_progress(job)


@transaction.atomic
def _finish(job: Job, stopped: Campaign) -> bool:
    """Mark the job as done; return False if what its run stopped at has come meanwhile.

    Months are left to a job that runs. Raises LeaseLost if it was stopped or is another worker's.
    """
    campaign = journal.lock_record(Campaign.objects.all(), job.campaign_id)
    if job.kind != Job.Kind.PHASE and campaign.head_id != stopped.head_id:
        return False
    write_progress(
        job,
        status=Job.Status.SUCCEEDED,
        progress=F("total"),
        finished=timezone.now(),
        battle=campaign.battle or (dice.DICE if dice.waiting_throw(campaign) else ""),
        message=_how_it_ended(job, campaign),
    )
    notify_finished(job)
    return True


def _how_it_ended(job: Job, campaign: Campaign) -> str:
    waiting = selectors.battle_awaited(campaign)
    if waiting is not None:
        title = campaign.battle_title
        return f"The campaign waits for {title[:1].lower()}{title[1:]} to be fought."
    if dice.waiting_throw(campaign) is not None:
        return "The campaign waits for dice."
    if campaign.adjourned:
        return "The campaign has been adjourned."
    is_held_up = job.kind == Job.Kind.PHASE and not job.progress and bool(campaign.awaited)
    if job.kind in _DONE and not is_held_up:
        return _DONE[job.kind]
    if is_held_up or (campaign.month < job.until and not campaign.finished):
        return f"It waits: {campaign.waiting_for}"
    return campaign.outcome or f"{month_name(Month(campaign.month))} has begun."


def resume_after_battle(campaign_id: int, battle: str) -> Job | None:
    """Resume the months that this battle has stopped, or have the battle fought by its book.

    Return the job, or None where nothing is to be done or another job is running. In an adjourned
    campaign nothing is done until it is resumed.
    """
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        if campaign.finished or campaign.adjourned or selectors.job_under_way(campaign):
            return None
        months = _months_stopped(campaign, battle)
        if not months and campaign.battle != battle:
            return None
        job = _rest_of_months(campaign, months) if months else _to_fight(campaign)
        transaction.on_commit(partial(send, TASK, job))
    return job


def _months_stopped(campaign: Campaign, battle: str) -> int:
    """Return how many months have still to be played of those that this battle has stopped.

    A campaign that was deleted and restored has no jobs. The month of one without an umpire goes on
    all the same: nobody could run it.
    """
    last = campaign.jobs.first()
    if last is not None:
        return max(0, last.until - campaign.month) if last.battle == battle else 0
    return int(campaign.umpire_id is None and selectors.orders_have_begun(campaign))


def _rest_of_months(campaign: Campaign, months: int) -> Job:
    """Return a new job for the months that have still to be played."""
    last = campaign.jobs.first()
    return Job.objects.create(
        campaign=campaign,
        months=months,
        until=campaign.month + months,
        total=months * PHASES,
        asked_by=last.asked_by if last else None,
    )


def _to_fight(campaign: Campaign) -> Job:
    """Return a job that fights the battle only: nobody has asked for a month to be played."""
    return Job.objects.create(
        campaign=campaign, kind=Job.Kind.BATTLE, months=0, until=campaign.month, total=1
    )
