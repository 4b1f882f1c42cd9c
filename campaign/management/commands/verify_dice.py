"""`manage.py verify_dice CAMPAIGN`: recompute every die of every closed month."""

from typing import Any

from django.core.management.base import CommandParser

from campaign.management.base import SirdarCommand, find_campaign
from campaign.services.journal import audit


class Command(SirdarCommand):
    help = (
        "Recompute every die of every closed month from what has been published (anchors, links, "
        "salts) and name the first that is not as it should be."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="its short name")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        proof = audit.verify_dice(campaign)
        self.stdout.write(
            f"{campaign.title}: {proof.dice} dice of {proof.rolls} throws in {proof.months} closed "
            "month(s) are those that links and salts give.\n"
            f"Every link leads to its branch’s anchor; the first is {campaign.public_anchor}.\n"
            f"{proof.sealed_entries} entries belong to months whose dice are still sealed."
        )
        battles = audit.verify_battles(campaign)
        if battles:
            self.stdout.write(f"{battles} battle(s) fought again end as they ended.")
