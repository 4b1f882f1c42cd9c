"""`manage.py replay CAMPAIGN [--check]`: print a campaign's despatches, or verify its journal."""

from typing import Any

from django.core.management.base import CommandParser

from campaign.access import selectors
from campaign.management.base import SirdarCommand, find_campaign
from campaign.models import Campaign
from campaign.services.journal import audit


class Command(SirdarCommand):
    help = (
        "Tell a campaign again month by month; with --check, replay every branch from its journal "
        "under the rules of this program and name the first entry that differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="its short name")
        parser.add_argument("--check", action="store_true", help="check, and tell nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        if options["check"]:
            self._check(campaign)
        else:
            self._print_despatches(campaign)

    def _check(self, campaign: Campaign) -> None:
        result = audit.replay_check(campaign)
        self.stdout.write(
            f"{campaign.title}: {result.entries} entries on {result.branches} branch(es).\n"
            "Every hash fits. The events alone give every month and the present state, byte for "
            f"byte.\nPlayed again, the actions and the {result.dice} dice that fell give the same "
            f"{result.events} events."
        )

    def _print_despatches(self, campaign: Campaign) -> None:
        for line in selectors.months(campaign):
            self.stdout.write(f"\n{line.name}")
            for despatch in selectors.despatches(campaign, line.month):
                for sentence in despatch.sentences:
                    self.stdout.write(f"  {sentence.text}")
