"""A public campaign to be read under load, with its pages published, and a token that reads it.

`begin 4` on the command line makes it, four months on; `on 1` plays a month more.
"""

import sys

import django

django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command

from accounts.models import Scope
from accounts.tokens import create_token
from api.tasks import publish_pages
from campaign.models import Campaign
from campaign.services.journal import creation, dice
from campaign.services.turns import advance
from tests.known_dice import Known

SLUG = "load"


def begin(months: int) -> str:
    """Migrate the database and begin the campaign in it; the token of a reader.

    The dice are such that it outlasts its months.
    """
    call_command("migrate", verbosity=0)
    vars(dice)["secrets"] = Known("load")
    reader = User.objects.create_user("reader")
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug=SLUG, public=True, seats={"observer": reader}
    )
    campaign = creation.create_campaign(wanted)
    play(campaign, months)
    return create_token(reader, "load", [Scope.READ])[1]


def play(campaign: Campaign, months: int) -> None:
    """So many months more, and what came of them published."""
    advance.run_month(campaign.pk, until=campaign.month + months)
    publish_pages(campaign.pk)


if __name__ == "__main__":
    what, months = sys.argv[1], int(sys.argv[2])
    if what == "on":
        play(Campaign.objects.get(slug=SLUG), months)
    else:
        print(begin(months))
