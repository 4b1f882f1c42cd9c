"""`manage.py showcase`: make the campaigns that visitors may watch; run again, it names them."""

from typing import Any

from campaign.management.base import SirdarCommand
from campaign.services.turns.showcase import make_showcase


class Command(SirdarCommand):
    help = "Make the siege in progress and the one that is over, for visitors to watch."

    def handle(self, *_args: Any, **_options: Any) -> None:
        campaigns = make_showcase()
        for campaign in filter(None, campaigns):
            state = "is over" if campaign.finished else "goes on, a month a day"
            self.stdout.write(f"{campaign.title!r} {state}: /campaigns/{campaign.slug}/")
