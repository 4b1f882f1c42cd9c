"""A chat service to which channels post, and a campaign to post about."""

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import HTTP
from typing import Any

import msgspec
import pytest

from api import channel_posting
from api.models import CampaignChannel, ChannelPost
from campaign.models import Campaign
from campaign.services.turns import timetable
from campaign.services.turns.timetable import Policy
from tests.people import People
from tests.streams.listening import Heard

PNG = b"\x89PNG\r\n\x1a\n"
SITE = "https://club.example"
DISCORD = "https://discord.com/api/webhooks/1200000000000000000/aBc-D_e"
SLACK = "https://hooks.slack.com/services/T000/B000/aBcDeF"


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    """A chat service on this machine: Discord at one address, Slack at another."""
    program = Heard()
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    settings.SITE_URL = SITE
    settings.CHANNEL_URLS = {
        "discord": [f"{program.origin}/discord/"],
        "slack": [f"{program.origin}/slack/"],
    }
    yield program
    program.end()


@pytest.fixture
def by_orders(played: Campaign) -> Campaign:
    """A campaign by order sheets with a deadline, in its second month."""
    played.mode = Campaign.Mode.ORDERS
    played.deadline_policy = msgspec.to_builtins(Policy())
    played.save()
    timetable.open_deadline(played)
    return played


def connect(people: People, campaign: Campaign, url: str, *topics: str) -> CampaignChannel:
    return channel_posting.connect_channel(people.umpire, campaign, url, topics)


def discord(heard: Heard) -> str:
    return f"{heard.origin}/discord/12/a-secret"


def slack(heard: Heard) -> str:
    return f"{heard.origin}/slack/T0/B0/a-secret"


def post(campaign: Campaign) -> None:
    channel_posting.queue_posts([campaign.pk])
    channel_posting.deliver_due()


def post_all_again(campaign: Campaign) -> None:
    """Look for news as though nothing had been noted."""
    ChannelPost.objects.all().delete()
    post(campaign)


def parts_of(headers: dict[str, str], body: bytes) -> dict[str, tuple[str, bytes]]:
    """Return the parts of a form with files, by name: kind and content."""
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    whole: Any = message_from_bytes(head + body, policy=HTTP)
    return {
        one.get_param("name", header="content-disposition"): (
            one.get_content_type(),
            one.get_payload(decode=True),
        )
        for one in whole.iter_parts()
    }
