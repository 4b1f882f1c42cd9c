"""Sweep up what a killed process or a broker that lost its messages has left, and resume it."""

from django.db.models import F

from campaign.models import Job
from campaign.services.battles.battle_reports import SETTLES
from campaign.services.jobs.comparisons import take_up_benches, take_up_comparisons
from campaign.services.jobs.inquiries import take_up_inquiries
from campaign.services.turns.advance import resume_after_battle, resume_orphaned_jobs


def resume_orphans() -> int:
    """Send again everything that no worker holds; return how much. Idempotent.

    That is work that was never begun, work whose worker is gone, and months that stopped at a
    battle which has been settled since.
    """
    long = take_up_benches() + take_up_comparisons() + take_up_inquiries()
    return resume_orphaned_jobs() + long + _go_on()


def _go_on() -> int:
    """Resume months whose battle was settled by a process that died before it resumed them."""
    stopped = Job.objects.filter(
        status=Job.Status.SUCCEEDED,
        until__gt=F("campaign__month"),
        campaign__finished=False,
        campaign__adjourned=False,
    )
    waiting = stopped.exclude(battle="").exclude(battle=F("campaign__battle"))
    return sum(_settled_and_left(job) for job in waiting.select_related("campaign"))


def _settled_and_left(job: Job) -> bool:
    """Return whether this was the campaign's last job and its battle is settled; resume it then."""
    campaign = job.campaign
    settled = campaign.entries.filter(branch=campaign.branch, key=f"{SETTLES}{job.battle}")
    if campaign.jobs.first() != job or not settled.exists():
        return False
    return resume_after_battle(campaign.pk, job.battle) is not None
