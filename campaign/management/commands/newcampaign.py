"""`manage.py newcampaign SCENARIO`: create a campaign."""

from typing import Any

from django.core.management.base import CommandParser

from campaign.access import fog_of_war
from campaign.management.base import (
    SirdarCommand,
    edition_with,
    find_user,
    take_resolution,
    take_tables,
)
from campaign.models import Seat
from campaign.rules.sight import Onlooker
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import creation, rules_edition
from campaign.staff.levels import Level


class Command(SirdarCommand):
    help = "Begin a campaign."

    def add_arguments(self, parser: CommandParser) -> None:
        slugs = ", ".join(scenario.slug for scenario in scenarios())
        parser.add_argument("scenario", help=f"one of {slugs}")
        parser.add_argument("--title", default="", help="what it is called; else as the scenario")
        parser.add_argument("--slug", default="", help="its short name in addresses and commands")
        take_tables(parser)
        take_resolution(parser)
        parser.add_argument(
            "--level",
            choices=[level.value for level in Level],
            default=Level.CLUB.value,
            help="the strength of the staff",
        )
        parser.add_argument("--public", action="store_true", help="anybody may look on")
        for role in Seat.Role.values:
            parser.add_argument(f"--{role}", metavar="USER", help=f"who sits as {role}")

    def handle(self, *_args: Any, **options: Any) -> None:
        people = {role: options[role] for role in Seat.Role.values if options[role]}
        terms = creation.NewCampaignTerms(
            scenario=options["scenario"],
            title=options["title"],
            slug=options["slug"],
            public=options["public"],
            tables=rules_edition.keep_tables(edition_with(options["tables"], options["edition"])),
            battles=options["resolution"],
            staff_level=options["level"],
            seats={role: find_user(name) for role, name in people.items()},
        )
        campaign = creation.create_campaign(terms, by="command line")
        self.stdout.write(
            f"{campaign.title} has begun as {campaign.slug!r}.\n"
            f"Its dice are bound to the anchor {campaign.public_anchor}.\n"
            f"{fog_of_war.waiting_for(campaign, Onlooker.UMPIRE)}\n"
            f"`manage.py advance {campaign.slug}` lets the staff of both sides play a month."
        )
        if Seat.Role.UMPIRE not in people:
            self.stdout.write("It has no umpire (--umpire): only this command line advances it.")
