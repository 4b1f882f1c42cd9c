"""`manage.py advance CAMPAIGN [--months N]`: let the staff of both sides play months."""

import time
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.progress import Progress

from campaign.access import selectors
from campaign.management.base import SirdarCommand, find_campaign
from campaign.models import Campaign, Job
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.prose.phase_report import HEADLINE
from campaign.services import job_lease
from campaign.services.turns import advance_jobs


class Command(SirdarCommand):
    help = "Advance a campaign by a month or more, both sides played by the computer’s staff."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="its short name")
        parser.add_argument("--months", type=int, default=1, help="how many (1)")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        before = campaign.month
        job = advance_jobs.book_advance(campaign.pk, months=options["months"])
        self._follow(job)
        job.refresh_from_db()
        if job.status != Job.Status.SUCCEEDED:
            raise CommandError(job.message)
        campaign.refresh_from_db()
        for month in range(before, campaign.month + campaign.finished):
            self._headlines(campaign, Month(month))
        self.stdout.write(job.message)

    def _follow(self, job: Job) -> None:
        """Carry the job out, or show its progress while another process does."""
        with Progress(transient=True) as progress:
            task = progress.add_task("The computer’s staff is at work", total=job.total)

            def show_progress(now: Job) -> None:
                progress.update(task, completed=now.progress)

            while advance_jobs.run_job(job.uuid, show_progress) is job_lease.Claim.BUSY:
                time.sleep(0.5)
                job.refresh_from_db()
                show_progress(job)

    def _headlines(self, campaign: Campaign, month: Month) -> None:
        self.stdout.write(f"{month_name(month)}:")
        for despatch in selectors.despatches(campaign, month):
            for sentence in despatch.sentences:
                if sentence.weight == HEADLINE:
                    self.stdout.write(f"  {sentence.text}")
