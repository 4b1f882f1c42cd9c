"""`manage.py battles_due`: settle battles that have waited too long by the agreed fallback."""

from typing import Any

from campaign.management.base import SirdarCommand
from campaign.services import battle_reports


class Command(SirdarCommand):
    help = "Settle every battle that has waited too long by its fallback; safe to run twice."

    def handle(self, *_args: Any, **_options: Any) -> None:
        settled = battle_reports.settle_due()
        for due in settled:
            self.stdout.write(f"{due.campaign.slug}, battle {due.battle}: {due.outcome}")
        if not settled:
            self.stdout.write("No battle has waited too long.")
