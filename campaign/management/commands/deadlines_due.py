"""`manage.py deadlines_due`: run the worker's periodic check once, for example from cron."""

from typing import Any

from campaign.management.base import SirdarCommand
from campaign.services.turns.deadlines import keep_deadlines


class Command(SirdarCommand):
    help = "Send reminders, and run the months that are due; safe to run twice."

    def handle(self, *_args: Any, **_options: Any) -> None:
        kept = keep_deadlines()
        for outcome in kept:
            self.stdout.write(f"{outcome.deadline.campaign.slug}: {outcome.text}")
        if not kept:
            self.stdout.write("Nothing is due.")
