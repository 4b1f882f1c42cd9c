"""Celery tasks: each calls one service and is idempotent."""

import logging
from typing import Any

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.db import DatabaseError

from campaign.services import battle_mail, battle_reports, comparisons, inquiries, job_lease, mail
from campaign.services.errors import OUT_OF_REACH
from campaign.services.transfer import deletion
from campaign.services.turns import showcase
from campaign.services.turns.advance_jobs import TASK, resume_jobs, run_job
from campaign.services.turns.deadlines import keep_deadlines
from campaign.services.umpire import invitations

TICK = 300.0
"""Seconds between checks of battles, whose clocks count days."""
MINUTE = 60.0
"""Seconds between checks of deadlines, which people may be watching."""
HOUR = 3600.0
DAY = 86_400.0
"""Seconds between the months of the siege that visitors watch."""
logger = logging.getLogger(__name__)


@shared_task(bind=True, name=TASK)
def advance(self: Any, job: str) -> None:
    """Carry out the job of that number.

    Retry later while another worker holds it, or the database is out of reach.
    """
    try:
        claim = run_job(job)
    except OUT_OF_REACH as trouble:
        logger.warning("Job %s was interrupted: %s", job, trouble)
        claim = job_lease.Claim.BUSY
    if claim is job_lease.Claim.BUSY:
        self.apply_async([job], countdown=job_lease.LEASE.total_seconds() + 1)


@shared_task(bind=True, name=comparisons.BENCH)
def bench(self: Any, number: str, expected: int | None = None) -> None:
    """Play a slice of the bench of that number; the rest goes back to the queue."""
    if comparisons.run_bench(number, expected=expected) is job_lease.Claim.BUSY:
        self.apply_async([number], countdown=job_lease.LEASE.total_seconds() + 1)


@shared_task(bind=True, name=comparisons.COMPARISON)
def comparison(self: Any, number: str, expected: int | None = None) -> None:
    """Fight a slice of the battles of that comparison; the rest goes back to the queue."""
    if comparisons.run_comparison(number, expected=expected) is job_lease.Claim.BUSY:
        self.apply_async([number], countdown=job_lease.LEASE.total_seconds() + 1)


@shared_task(bind=True, name=inquiries.INQUIRY, ignore_result=False, max_retries=None)
def inquire(self: Any, number: str, expected: int | None = None) -> Any:
    """Play a slice of that part of an inquiry; the rest goes back to the queue.

    It stays the same task, so that the chord waits until the whole part has been played.
    """
    left: list[int] = []
    claim = inquiries.run_inquiry(
        number, expected=expected, hand_on=lambda part: left.append(part.progress)
    )
    if claim is job_lease.Claim.BUSY:
        raise self.retry(args=[number], countdown=job_lease.LEASE.total_seconds() + 1)
    return self.replace(self.si(number, *left)) if left else None


@shared_task(name=inquiries.CLOSING)
def close_inquiry(number: str) -> None:
    """Close the inquiry: all its parts have been played."""
    inquiries.close_inquiry(number)


@shared_task(name="campaign.tasks.battles_due", expires=TICK)
def battles_due() -> None:
    """Settle the battles that have waited too long by the agreed fallback."""
    for due in battle_reports.settle_due():
        logger.info("Battle %s of %s: %s", due.battle, due.campaign.slug, due.outcome)


@shared_task(name="campaign.tasks.deadlines_due", expires=MINUTE)
def deadlines_due() -> None:
    """Send reminders, run the months that are due, and resume the work of dead workers."""
    for kept in keep_deadlines():
        logger.info("%s: %s", kept.deadline, kept.text)


@shared_task(name="campaign.tasks.mail_due", expires=MINUTE)
def mail_due() -> None:
    """Send the letters that are due, each once, and delete the addresses of spent invitations."""
    mail.send_due()
    battle_mail.send_turns()
    invitations.forget_addresses()


@shared_task(name="campaign.tasks.forget_deleted", expires=HOUR)
def forget_deleted() -> None:
    """Forget the campaigns and scenarios that were deleted long enough ago."""
    if forgotten := deletion.forget_deleted():
        logger.info("%s deleted campaigns and scenarios can no longer be restored.", forgotten)


@shared_task(name="campaign.tasks.showcase_due", expires=DAY)
def showcase_due() -> None:
    """Play a month of the siege that visitors watch, where there is one."""
    showcase.advance_showcase()


@worker_ready.connect
def resume_unfinished_jobs(**_options: Any) -> None:
    """Send unfinished jobs again when a worker starts, because a killed one may have left them."""
    try:
        resume_jobs()
        comparisons.resume_benches()
        comparisons.resume_comparisons()
        inquiries.resume_inquiries()
    except DatabaseError as error:
        logger.warning("Unfinished work was not looked for: %s", error)


@worker_ready.connect
def start_periodic_tasks(sender: Any, **_options: Any) -> None:
    """Let a worker run the periodic tasks itself where there is no Celery beat."""
    if settings.BEAT or settings.INTERACTIVE not in sender.app.amqp.queues.consume_from:
        return
    for clock in settings.CELERY_BEAT_SCHEDULE.values():
        sender.timer.call_repeatedly(clock["schedule"], sender.app.signature(clock["task"]).delay)
