"""`manage.py rules CAMPAIGN`: show a campaign's rules version, or keep, migrate or pin it."""

from typing import Any

from django.core.management.base import CommandParser

from campaign.management.base import SirdarCommand, find_campaign
from campaign.rules.core.state import RULES
from campaign.services.umpire import rules_version


class Command(SirdarCommand):
    help = (
        "Say by which version of the rules a campaign is played and what this program makes of it; "
        "or keep it on that version, migrate it to this program’s, or pin it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="its short name")
        parser.add_argument(
            "way",
            nargs="?",
            choices=[choice.value for choice in rules_version.MigrationChoice],
            help="what is chosen",
        )
        parser.add_argument("--reason", default="Chosen by the site’s administrator.")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        if options["way"]:
            way = rules_version.MigrationChoice(options["way"])
            campaign = rules_version.decide(
                campaign, rules_version.KEEPER, way, reason=options["reason"]
            )
        chosen = "pinned" if campaign.rules_pinned else "kept" if campaign.rules_kept else ""
        self.stdout.write(
            f"{campaign.title} is played by version {campaign.rules} of the rules"
            f"{f', {chosen}' if chosen else ''}; this program plays version {RULES}."
        )
        verdict = rules_version.check_replay(campaign)
        message = verdict.differs or verdict.damaged or "A replay here gives the recorded results."
        self.stdout.write(message)
