"""The events of campaigns that webhooks receive, in words."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.urls import reverse

from api.documents.scalars import Moment
from api.models import Webhook
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.mail import notifications


class HappeningDocument(msgspec.Struct, frozen=True):
    """An event in words; `url` is its page, `content` the text that chat rooms show.

    Only a test has no `campaign`, title and month.
    """

    event: str
    words: str
    content: str
    url: str
    campaign: str | None
    title: str | None
    month: str | None
    happened: Moment


EVENTS = {
    "turn": "it is your turn",
    "deadline": "a deadline nears",
    "gazette": "a month’s paper is out",
    "receipt": "your orders are in, or were carried out",
    "month": "another month has begun",
    "battle": "a battle waits to be fought",
    "rewound": "the umpire has gone back",
    "over": "a campaign is over",
}
"""All events, in words."""
OF_ALL = ("month", "battle", "rewound", "over")
"""The events for a webhook of a campaign; the others belong to a single user."""


class WebhookEvent(NamedTuple):
    """An event: the key that makes it unique, its words, and its page."""

    event: str
    key: str
    words: str
    path: str


def webhook_events(webhook: Webhook, campaign: Campaign) -> Iterator[WebhookEvent]:
    """Yield the current events for the webhook and the campaign, sent or not."""
    own = webhook.campaign_id is None
    viewer = fog_of_war.viewer_of(webhook.user, campaign) if own else Onlooker.PUBLIC
    found = [*_of_all(campaign, viewer), *(_of_user(campaign, webhook.user) if own else ())]
    return (one for one in found if one.event in webhook.events)


def _of_all(campaign: Campaign, viewer: Viewer) -> Iterator[WebhookEvent]:
    path = reverse("campaign", args=[campaign.slug])
    month, branch = month_name(Month(campaign.month)), campaign.branch
    if campaign.finished:
        words = f"{campaign.title} is over: {campaign.outcome}"
        yield WebhookEvent("over", f"{branch}", words, path)
    elif campaign.month > campaign.first_month:
        words = f"{campaign.title}: it is {month}"
        yield WebhookEvent("month", f"{branch}.{campaign.month}", words, path)
    if branch:
        words = f"{campaign.title}: the umpire has gone back to {month}"
        yield WebhookEvent("rewound", f"{branch}", words, path)
    battle = fog_of_war.battle_awaited(campaign, viewer)
    if battle is not None:
        words = f"{campaign.title}, {month}: a battle waits to be fought"
        there = reverse("battle-result", args=[campaign.slug, campaign.battle])
        yield WebhookEvent("battle", f"{branch}.{campaign.battle}"[:120], words, there)


def _of_user(campaign: Campaign, user: User) -> Iterator[WebhookEvent]:
    """Yield the events that the user's e-mails report, whether they want e-mails or not."""
    for letter in notifications.letters(campaign):
        if letter.user == user:
            yield WebhookEvent(letter.kind, letter.key, letter.subject, letter.path)
