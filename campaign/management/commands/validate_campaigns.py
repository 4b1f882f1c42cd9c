"""`manage.py validate_campaigns`: replay every campaign in this program; report differences."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaign.management.base import SirdarCommand
from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.umpire import rules_version


class Command(SirdarCommand):
    help = (
        "Replay every live campaign under the rules of this program, and name the first entry of "
        "each that differs. Nothing is changed; the exit code is 1 where anything differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--all", action="store_true", help="those that are over too")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaigns = Campaign.objects.order_by("slug")
        if not options["all"]:
            campaigns = campaigns.filter(finished=False)
        verdicts = [self._check(campaign) for campaign in campaigns.iterator()]
        differing = sum(not verdict.same for verdict in verdicts)
        if differing:
            raise CommandError(
                f"Campaigns that differ under this program: {differing} of {len(verdicts)}. "
                "Umpires keep, migrate or pin theirs on the console, or you do it with "
                "`manage.py rules`."
            )
        self.stdout.write(f"Campaigns that differ under rules {RULES}: none of {len(verdicts)}.")

    def _check(self, campaign: Campaign) -> rules_version.ReplayCheck:
        verdict = rules_version.check_replay(campaign)
        message = (
            verdict.differs or verdict.damaged or f"{verdict.entries} entries, all as written."
        )
        self.stdout.write(f"{campaign.slug} (rules {campaign.rules}): {message}")
        return verdict
